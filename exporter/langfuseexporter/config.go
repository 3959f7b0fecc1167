// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configcompression"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configretry"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/weirhq/weir/internal/wire"
)

// Encoding is how spans are written on the wire.
type Encoding string

const (
	// EncodingProto is OTLP as protobuf.
	EncodingProto Encoding = "proto"
	// EncodingJSON is OTLP as JSON.
	EncodingJSON Encoding = "json"
)

const compressionNone configcompression.Type = "none"

// Config is the configuration of the exporter.
type Config struct {
	// ClientConfig holds `endpoint`, the base address of the service, and everything about the connection.
	ClientConfig confighttp.ClientConfig `mapstructure:",squash"`
	// QueueConfig is the queue, with batches by bytes.
	QueueConfig configoptional.Optional[exporterhelper.QueueBatchConfig] `mapstructure:"sending_queue"`
	RetryConfig configretry.BackOffConfig                                `mapstructure:"retry_on_failure"`

	// Service is the name from which header and attribute names are built.
	Service string `mapstructure:"service"`
	// PublicKey and SecretKey are the key pair of the project.
	PublicKey configopaque.String `mapstructure:"public_key"`
	SecretKey configopaque.String `mapstructure:"secret_key"`
	// IngestionVersion is sent in a header; 0 sends none.
	IngestionVersion int      `mapstructure:"ingestion_version"`
	Encoding         Encoding `mapstructure:"encoding"`
	// Verify checks address and keys once at start.
	Verify bool `mapstructure:"verify"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var (
	_ component.Config    = (*Config)(nil)
	_ confmap.Unmarshaler = (*Config)(nil)
	_ confmap.Validator   = (*Config)(nil)
)

// Limits of the service and what fits below them.
const (
	// maxRequestBytes is the body that the service and the proxies in front of it are known to take.
	maxRequestBytes = 4_500_000
	minBatchBytes   = 1_000_000
	flushTimeout    = time.Second
	queueBytes      = 256 << 20
	requestTimeout  = 30 * time.Second
	writeBufferSize = 512 << 10

	// usualBatchSpans is the batch of other exporters, for users who count spans.
	usualBatchSpans = 8192
)

func createDefaultConfig() component.Config {
	client := confighttp.NewDefaultClientConfig()
	client.Timeout = requestTimeout
	client.Compression = configcompression.TypeGzip
	client.WriteBufferSize = writeBufferSize

	// LLM payloads are fat, so queue and batches are bounded by bytes and not by spans.
	queue := exporterhelper.NewDefaultQueueConfig()
	queue.Sizer = exporterhelper.RequestSizerTypeBytes
	queue.QueueSize = queueBytes
	queue.Batch = configoptional.Some(exporterhelper.BatchConfig{
		FlushTimeout: flushTimeout,
		Sizer:        exporterhelper.RequestSizerTypeBytes,
		MinSize:      minBatchBytes,
		MaxSize:      maxRequestBytes,
	})

	return &Config{
		ClientConfig:     client,
		QueueConfig:      configoptional.Some(queue),
		RetryConfig:      configretry.NewDefaultBackOffConfig(),
		Service:          wire.DefaultService,
		IngestionVersion: wire.MaxIngestionVersion,
		Encoding:         EncodingProto,
	}
}

// Unmarshal adds two things to what the fields say: `compression` in any letter case, and retries without an
// end unless `max_elapsed_time` is written down. What waits in a queue is not given up because the service was
// away for long; a queue that is full says so to the sender, who still has the data.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	const compression, maxElapsedTime = "compression", "retry_on_failure::max_elapsed_time"
	if text, ok := conf.Get(compression).(string); ok {
		if err := conf.Merge(confmap.NewFromStringMap(map[string]any{compression: strings.ToLower(text)})); err != nil {
			return err
		}
	}
	if err := conf.Unmarshal(c); err != nil {
		return err
	}
	if !c.QueueConfig.HasValue() {
		return nil
	}
	if !conf.IsSet(maxElapsedTime) {
		c.RetryConfig.MaxElapsedTime = 0
	}
	c.adaptSizes(conf)
	return nil
}

// adaptSizes takes the usual sizes where the user counts requests or spans instead of bytes: our own are in bytes.
func (c *Config) adaptSizes(conf *confmap.Conf) {
	usual, queue := exporterhelper.NewDefaultQueueConfig(), c.QueueConfig.Get()
	if queue.Sizer != exporterhelper.RequestSizerTypeBytes && !conf.IsSet("sending_queue::queue_size") {
		queue.QueueSize = usual.QueueSize
	}
	if !queue.Batch.HasValue() || queue.Batch.Get().Sizer == exporterhelper.RequestSizerTypeBytes {
		return
	}
	if !conf.IsSet("sending_queue::batch::min_size") {
		queue.Batch.Get().MinSize = usualBatchSpans
	}
	if !conf.IsSet("sending_queue::batch::max_size") {
		queue.Batch.Get().MaxSize = 0
	}
}

// isPersistent tells whether the queue survives a restart.
func (c *Config) isPersistent() bool {
	return c.QueueConfig.HasValue() && c.QueueConfig.Get().StorageID != nil
}

// Validate names every setting that is wrong.
func (c *Config) Validate() error {
	errs := []error{wire.ValidateService(c.Service), validateEndpoint(c.ClientConfig.Endpoint)}
	if !c.ClientConfig.Auth.HasValue() {
		if c.PublicKey == "" {
			errs = append(errs, errors.New("`public_key` must be set: it is in the project settings of the service"))
		}
		if c.SecretKey == "" {
			errs = append(errs, errors.New("`secret_key` must be set: it is in the project settings of the service"))
		}
	} else if c.PublicKey != "" || c.SecretKey != "" {
		errs = append(errs, errors.New("`auth` excludes `public_key` and `secret_key`: remove one of them"))
	}
	if c.IngestionVersion < 0 || c.IngestionVersion > wire.MaxIngestionVersion {
		errs = append(errs, fmt.Errorf("`ingestion_version` must be 1 to %d, or 0 to send none, found %d: the service refuses higher versions",
			wire.MaxIngestionVersion, c.IngestionVersion))
	}
	switch c.ClientConfig.Compression {
	case configcompression.TypeGzip, compressionNone:
	default:
		errs = append(errs, fmt.Errorf("`compression` must be gzip or none, found %q: the service reads nothing else", c.ClientConfig.Compression))
	}
	if c.Encoding != EncodingProto && c.Encoding != EncodingJSON {
		errs = append(errs, fmt.Errorf("`encoding` must be proto or json, found %q", c.Encoding))
	}
	return errors.Join(append(errs, c.validateQueue())...)
}

// validateQueue catches a queue size that was meant in requests, as other exporters count it.
func (c *Config) validateQueue() error {
	if !c.QueueConfig.HasValue() {
		return nil
	}
	queue := c.QueueConfig.Get()
	if queue.Sizer == exporterhelper.RequestSizerTypeBytes && queue.QueueSize < maxRequestBytes {
		return fmt.Errorf("`sending_queue::queue_size` must be at least %d, found %d: it counts bytes unless `sending_queue::sizer` says requests or items",
			maxRequestBytes, queue.QueueSize)
	}
	return nil
}

func validateEndpoint(endpoint string) error {
	const example = "such as https://cloud.langfuse.com"
	if endpoint == "" {
		return errors.New("`endpoint` must be set to the base address of the service, " + example)
	}
	address, err := url.Parse(endpoint)
	switch {
	case err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "":
		if strings.Contains(endpoint, "@") { // it may hold a secret
			return errors.New("`endpoint` must be an http or https address " + example + ", without credentials: use `public_key` and `secret_key`")
		}
		return fmt.Errorf("`endpoint` must be an http or https address %s, found %q", example, endpoint)
	case address.User != nil:
		return errors.New("`endpoint` must not hold credentials: use `public_key` and `secret_key`")
	case address.RawQuery != "" || address.Fragment != "":
		return fmt.Errorf("`endpoint` must be a base address without query or fragment, found %q", endpoint)
	case strings.Contains(address.Path, "/api/public"):
		return fmt.Errorf("`endpoint` must be the base address: remove %q, the exporter adds the path itself", address.Path)
	}
	return nil
}
