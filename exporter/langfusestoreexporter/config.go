// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configretry"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadata"
	"github.com/weirhq/weir/internal/wire"
)

// Config is the configuration of the exporter.
type Config struct {
	// Timeout is how long a write may take; 0 is no limit.
	Timeout time.Duration `mapstructure:"timeout"`
	// QueueConfig and RetryConfig are off by default: who sends waits until the data is durable, and has it until then.
	QueueConfig configoptional.Optional[exporterhelper.QueueBatchConfig] `mapstructure:"sending_queue"`
	RetryConfig configretry.BackOffConfig                                `mapstructure:"retry_on_failure"`

	// Store is the extension that owns the store.
	Store component.ID `mapstructure:"store"`
	// Project is where everything goes that no receiver gave to another one.
	Project string `mapstructure:"project"`
	// Service is the name from which attribute names are built.
	Service string `mapstructure:"service"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var (
	_ component.Config  = (*Config)(nil)
	_ confmap.Validator = (*Config)(nil)
)

const (
	defaultProject = "default"
	// defaultTimeout is for a disk that stalls; a commit takes milliseconds.
	defaultTimeout = 30 * time.Second
)

func createDefaultConfig() component.Config {
	retry := configretry.NewDefaultBackOffConfig()
	retry.Enabled = false
	return &Config{
		Timeout:     defaultTimeout,
		QueueConfig: configoptional.Default(exporterhelper.NewDefaultQueueConfig()),
		RetryConfig: retry,
		// The extension has the same type as the exporter.
		Store:   component.NewID(metadata.Type),
		Project: defaultProject,
		Service: wire.DefaultService,
	}
}

// Validate names every setting that is wrong.
func (c *Config) Validate() error {
	errs := []error{wire.ValidateService(c.Service)}
	if c.Project == "" {
		errs = append(errs, errors.New("`project` must name the project of data that no receiver gave to another one"))
	}
	if c.Timeout < 0 {
		errs = append(errs, fmt.Errorf("`timeout` must be positive, or 0 for no limit, found %s", c.Timeout))
	}
	return errors.Join(errs...)
}
