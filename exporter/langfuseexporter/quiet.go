// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"errors"
	"strings"

	"go.uber.org/zap/zapcore"
)

// quietCore stands between the helper and the log. It leaves out, batch by batch, a problem of which standing already
// told, and it says what is true at a shutdown: the helper speaks of dropped data, though the queue on disk has it.
type quietCore struct {
	zapcore.Core
	persistent bool
}

// shutdownError is how the helper marks what a shutdown interrupted.
const shutdownError = "interrupted due to shutdown"

func (c *quietCore) With(fields []zapcore.Field) zapcore.Core {
	return &quietCore{Core: c.Core.With(fields), persistent: c.persistent}
}

func (c *quietCore) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

func (c *quietCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	for _, field := range fields {
		err, ok := field.Interface.(error)
		switch {
		case !ok:
		case c.persistent && strings.Contains(err.Error(), shutdownError):
			entry.Level, entry.Stack = zapcore.InfoLevel, ""
			entry.Message, fields = "What is not yet delivered stays in the queue on disk.", nil
		case entry.Level < zapcore.ErrorLevel && isMisconfigured(err):
			return nil
		}
	}
	// Through Check again, because cores such as the sampler decide there.
	if checked := c.Core.Check(entry, nil); checked != nil {
		checked.Write(fields...)
	}
	return nil
}

func isMisconfigured(err error) bool {
	var p *problem
	return errors.As(err, &p) && p.misconfigured
}
