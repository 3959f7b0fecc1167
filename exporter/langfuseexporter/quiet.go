// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"errors"

	"go.uber.org/zap/zapcore"
)

// quietCore passes on every entry below an error except those about a problem that standing already told of.
type quietCore struct {
	zapcore.Core
}

func (c *quietCore) With(fields []zapcore.Field) zapcore.Core {
	return &quietCore{Core: c.Core.With(fields)}
}

func (c *quietCore) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if entry.Level >= zapcore.ErrorLevel {
		return c.Core.Check(entry, checked)
	}
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

func (c *quietCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	for _, field := range fields {
		if err, ok := field.Interface.(error); ok && isMisconfigured(err) {
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
