// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/confmap"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/store/clickhouse"
)

// Config is the configuration of the extension.
type Config struct {
	// Embedded is the engine inside the process; it is used when no other one is configured.
	Embedded configoptional.Optional[EmbeddedConfig] `mapstructure:"embedded"`
	// ClickHouse is the engine for what one machine cannot hold.
	ClickHouse configoptional.Optional[ClickHouseConfig] `mapstructure:"clickhouse"`

	// Retention is how long an observation is kept after its start, and a score after its timestamp; 0 is for ever.
	Retention time.Duration `mapstructure:"retention"`
	// MaxSize is the size of the files of the embedded store from which writes are refused; 0 is no limit.
	MaxSize Size `mapstructure:"max_size"`
	// Models are asked before those that are built in.
	Models []ModelConfig `mapstructure:"models"`
	// Tokenize counts tokens where a client sent no usage and the tokenizer of the model is known.
	Tokenize bool        `mapstructure:"tokenize"`
	Query    QueryConfig `mapstructure:"query"`
	// Media is about the files that traces and dataset items refer to.
	Media MediaConfig `mapstructure:"media"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// EmbeddedConfig is about the engine inside the process.
type EmbeddedConfig struct {
	// Path is the folder of the files; it is made if it is not there.
	Path string `mapstructure:"path"`
	// MemoryLimit bounds the memory of the engine.
	MemoryLimit Size `mapstructure:"memory_limit"`
	// Threads bounds the threads of the engine; 0 is one a core.
	Threads int `mapstructure:"threads"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// QueryConfig bounds what a reader may ask for.
type QueryConfig struct {
	// Timeout is how long a query may take.
	Timeout time.Duration `mapstructure:"timeout"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// MediaConfig is about the files that traces and dataset items refer to.
type MediaConfig struct {
	// Path is the folder of the files. Collectors that share a store in ClickHouse share this folder too. Without it, it is
	// beside the files of the embedded store, and with ClickHouse no media are taken.
	Path string `mapstructure:"path"`
	// MaxSize is the largest file.
	MaxSize Size `mapstructure:"max_size"`
	// URLExpiry is how long an address is good for by which a file is uploaded or read without a key.
	URLExpiry time.Duration `mapstructure:"url_expiry"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var (
	_ component.Config    = (*Config)(nil)
	_ confmap.Validator   = (*Config)(nil)
	_ confmap.Unmarshaler = (*Config)(nil)
	_ confmap.Validator   = (*EmbeddedConfig)(nil)
	_ confmap.Validator   = (*QueryConfig)(nil)
	_ confmap.Validator   = (*MediaConfig)(nil)
)

const (
	defaultPath         = "./data"
	defaultMemoryLimit  = 512 * mib
	defaultQueryTimeout = 30 * time.Second

	// minMemoryLimit is what a commit of full size needs, minMaxSize several times what an empty store has.
	minMemoryLimit = 64 * mib
	minMaxSize     = 16 * mib
	// minRetention catches a number without a unit, which YAML takes for nanoseconds.
	minRetention = time.Hour
	// minURLExpiry leaves a client time to use the address that it was given.
	minURLExpiry = time.Minute
)

func createDefaultConfig() component.Config {
	return &Config{
		Embedded:   configoptional.Default(EmbeddedConfig{Path: defaultPath, MemoryLimit: defaultMemoryLimit}),
		ClickHouse: configoptional.None[ClickHouseConfig](),
		Query:      QueryConfig{Timeout: defaultQueryTimeout},
		Media:      MediaConfig{MaxSize: blobs.DefaultMaxSize, URLExpiry: blobs.DefaultLifetime},
	}
}

// Unmarshal makes out which engine is meant. A section without a value stands for its defaults, but not beside another one:
// a configuration that is printed has both.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	remote, embedded := conf.Get(clickHouseSection), conf.Get(embeddedSection)
	if remote != nil && embedded == nil {
		conf.Delete(embeddedSection)
	}
	if remote != nil || conf.IsSet(clickHouseSection) && !conf.IsSet(embeddedSection) {
		c.ClickHouse = configoptional.Default(defaultClickHouse())
	}
	return conf.Unmarshal(c)
}

const (
	embeddedSection   = "embedded"
	clickHouseSection = "clickhouse"
)

// embedded are the settings of the embedded engine, written down or not.
func (c *Config) embedded() *EmbeddedConfig {
	section := c.Embedded
	return section.GetOrInsertDefault()
}

// mediaPath is the folder of the media; empty where none are taken.
func (c *Config) mediaPath() string {
	if c.Media.Path != "" || c.ClickHouse.HasValue() {
		return c.Media.Path
	}
	return filepath.Join(c.embedded().Path, mediaFolder)
}

// mediaFolder is beside the file of the embedded engine.
const mediaFolder = "media"

// Validate names every setting that is wrong; the sections check themselves.
func (c *Config) Validate() error {
	var errs []error
	switch {
	case c.ClickHouse.HasValue() && c.Embedded.HasValue():
		errs = append(errs, errors.New("`embedded` and `clickhouse` exclude each other: remove the one that is not meant"))
	case c.ClickHouse.HasValue():
		errs = append(errs, c.validateWithClickHouse())
	case *c.embedded() == EmbeddedConfig{}: // enabled: false
		errs = append(errs, errors.New("`embedded` must not be switched off without another engine: remove that, or add `clickhouse`"))
	}
	if c.Retention != 0 && c.Retention < minRetention {
		errs = append(errs, fmt.Errorf("`retention` must be at least %s, or 0 to keep everything, found %s: a number needs a unit, such as 720h", minRetention, c.Retention))
	}
	if c.MaxSize != 0 && c.MaxSize < minMaxSize {
		errs = append(errs, fmt.Errorf("`max_size` must be at least %s, or 0 for no limit, found %s", minMaxSize, c.MaxSize))
	}
	if _, err := c.prices(); err != nil {
		errs = append(errs, fmt.Errorf("`models`: %w", err))
	}
	return errors.Join(errs...)
}

// validateWithClickHouse checks what is different with that engine.
func (c *Config) validateWithClickHouse() error {
	var errs []error
	if c.MaxSize != 0 {
		errs = append(errs, errors.New("`max_size` is for the embedded store: remove it, and bound the disks of ClickHouse there"))
	}
	if c.Query.Timeout > clickhouse.MaxQueryTimeout {
		errs = append(errs, fmt.Errorf("`query::timeout` must be at most %s with `clickhouse`, found %s", clickhouse.MaxQueryTimeout, c.Query.Timeout))
	}
	return errors.Join(errs...)
}

// Validate checks the section and names every setting that is wrong.
func (c *EmbeddedConfig) Validate() error {
	var errs []error
	if c.Path == "" {
		errs = append(errs, errors.New("`path` must name a folder"))
	}
	if c.MemoryLimit < minMemoryLimit {
		errs = append(errs, fmt.Errorf("`memory_limit` must be at least %s, found %s", minMemoryLimit, c.MemoryLimit))
	}
	if c.Threads < 0 {
		errs = append(errs, fmt.Errorf("`threads` must be positive, or 0 for one a core, found %d", c.Threads))
	}
	return errors.Join(errs...)
}

// Validate checks the section.
func (c *QueryConfig) Validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("`timeout` must be positive, found %s", c.Timeout)
	}
	return nil
}

// Validate checks the section and names every setting that is wrong.
func (c *MediaConfig) Validate() error {
	var errs []error
	if c.MaxSize <= 0 {
		errs = append(errs, fmt.Errorf("`max_size` must be positive, found %s", c.MaxSize))
	}
	if c.URLExpiry < minURLExpiry {
		errs = append(errs, fmt.Errorf("`url_expiry` must be at least %s, found %s: a number needs a unit, such as 1h", minURLExpiry, c.URLExpiry))
	}
	return errors.Join(errs...)
}
