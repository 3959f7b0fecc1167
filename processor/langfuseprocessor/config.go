// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/component"

	"github.com/weirhq/weir/internal/wire"
)

// Encoding is how metadata values stand on a span.
type Encoding string

const (
	// EncodingJSON writes every value as JSON text, strings with their quotes.
	EncodingJSON Encoding = "json"
	// EncodingPlain writes strings without quotes and everything else as JSON text.
	EncodingPlain Encoding = "plain"
)

// Strings decides what a string value means that no known library wrote.
type Strings string

const (
	// StringsAuto takes a string that is JSON text as already encoded.
	StringsAuto Strings = "auto"
	// StringsAlways takes every string as it is.
	StringsAlways Strings = "always"
)

// OverLimit is what happens to a trace metadata value over the limit.
type OverLimit string

const (
	// OverLimitDrop takes the value off the span.
	OverLimitDrop OverLimit = "drop"
	// OverLimitTruncate shortens the value and keeps it valid.
	OverLimitTruncate OverLimit = "truncate"
	// OverLimitKeep leaves the value as it is.
	OverLimitKeep OverLimit = "keep"
)

// ComplexValues is what happens to maps, lists and bytes outside of metadata.
type ComplexValues string

const (
	// ComplexValuesJSON turns what the service cannot read into JSON text.
	ComplexValuesJSON ComplexValues = "json"
	// ComplexValuesKeep leaves every value as it is.
	ComplexValuesKeep ComplexValues = "keep"
)

// Config is the configuration of the processor.
type Config struct {
	// Service is the name from which all attribute names are built.
	Service    string           `mapstructure:"service"`
	Metadata   MetadataConfig   `mapstructure:"metadata"`
	Attributes AttributesConfig `mapstructure:"attributes"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// MetadataConfig says how metadata values are written.
type MetadataConfig struct {
	Encoding Encoding `mapstructure:"encoding"`
	Strings  Strings  `mapstructure:"strings"`
	// TraceValueLimit is the longest value of propagated trace metadata, in characters of the written text; 0
	// switches the limit off.
	TraceValueLimit int       `mapstructure:"trace_value_limit"`
	OverLimit       OverLimit `mapstructure:"over_limit"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// AttributesConfig says what happens to attributes that are not metadata.
type AttributesConfig struct {
	ComplexValues ComplexValues `mapstructure:"complex_values"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var _ component.Config = (*Config)(nil)

func createDefaultConfig() component.Config {
	return &Config{
		Service: wire.DefaultService,
		Metadata: MetadataConfig{
			Encoding:        EncodingJSON,
			Strings:         StringsAuto,
			TraceValueLimit: 200,
			OverLimit:       OverLimitDrop,
		},
		Attributes: AttributesConfig{ComplexValues: ComplexValuesJSON},
	}
}

// Validate checks the name of the service; the sections check themselves.
func (c *Config) Validate() error {
	return wire.ValidateService(c.Service)
}

// Validate checks the section and names every setting that is wrong.
func (c *MetadataConfig) Validate() error {
	var errs []error
	if c.Encoding != EncodingJSON && c.Encoding != EncodingPlain {
		errs = append(errs, fmt.Errorf("`encoding` must be json or plain, found %q", c.Encoding))
	}
	if c.Strings != StringsAuto && c.Strings != StringsAlways {
		errs = append(errs, fmt.Errorf("`strings` must be auto or always, found %q", c.Strings))
	}
	if c.TraceValueLimit < 0 {
		errs = append(errs, fmt.Errorf("`trace_value_limit` must be positive, or 0 for no limit, found %d", c.TraceValueLimit))
	}
	switch c.OverLimit {
	case OverLimitDrop, OverLimitTruncate, OverLimitKeep:
	default:
		errs = append(errs, fmt.Errorf("`over_limit` must be drop, truncate or keep, found %q", c.OverLimit))
	}
	return errors.Join(errs...)
}

// Validate checks the section.
func (c *AttributesConfig) Validate() error {
	if c.ComplexValues != ComplexValuesJSON && c.ComplexValues != ComplexValuesKeep {
		return fmt.Errorf("`complex_values` must be json or keep, found %q", c.ComplexValues)
	}
	return nil
}
