// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension"

	"github.com/weirhq/weir/extension/langfusestoreextension/internal/metadata"
)

// NewFactory returns the factory of the extension.
func NewFactory() extension.Factory {
	return extension.NewFactory(metadata.Type, createDefaultConfig, create, metadata.ExtensionStability)
}

func create(_ context.Context, set extension.Settings, cfg component.Config) (extension.Extension, error) {
	return newStoreExtension(cfg.(*Config), set)
}
