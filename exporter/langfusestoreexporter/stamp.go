// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/wire"
)

// stamp is what a receiver that knows its callers says about the data below a resource.
type stamp struct {
	project string
	origin  convert.RequestOrigin
}

// stampOf reads the stamp of a resource. The attributes stay where they are, since another exporter may share the data;
// the conversion leaves them out.
func (t *target) stampOf(resource pcommon.Resource) stamp {
	var s stamp
	for key, value := range resource.Attributes().All() {
		switch key {
		case wire.StampProject:
			s.project = value.Str()
		case wire.StampPublicKey:
			s.origin.PublicKey = value.Str()
		case wire.StampClientName:
			s.origin.ClientName = value.Str()
		case wire.StampClientVersion:
			s.origin.ClientVersion = value.Str()
		}
	}
	if s.project == "" {
		s.project = t.cfg.Project
	}
	return s
}

// part is the rows of a batch that go to one project.
type part[T any] struct {
	project string
	rows    []T
}

// parts are the rows of a batch by project, in the order in which the projects came. They are few: a walk is enough.
type parts[T any] []*part[T]

// of gives the part of a project. The first one has room for the whole batch, which mostly is of one project.
func (p *parts[T]) of(project string, size int) *part[T] {
	for _, known := range *p {
		if known.project == project {
			return known
		}
	}
	added := &part[T]{project: project}
	if len(*p) == 0 {
		added.rows = make([]T, 0, size)
	}
	*p = append(*p, added)
	return added
}
