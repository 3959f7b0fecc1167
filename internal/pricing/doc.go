// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package pricing knows models: which one a name means, which of its price tiers applies, what usage costs, and how
// many tokens a text has. The prices are in prices.tsv; models from the configuration come before them.
package pricing // import "github.com/weirhq/weir/internal/pricing"
