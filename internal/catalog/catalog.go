// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
)

// The kinds of documents.
const (
	kindScoreConfig    = "score_config"
	kindDataset        = "dataset"
	kindDatasetItem    = "dataset_item"
	kindDatasetRun     = "dataset_run"
	kindDatasetRunItem = "dataset_run_item"
	kindPrompt         = "prompt"
	kindPromptVersion  = "prompt_version"
	kindMedia          = "media"
	kindMediaLink      = "media_link"
	kindModel          = "model"
	kindComment        = "comment"
	kindQueue          = "annotation_queue"
	kindQueueItem      = "annotation_queue_item"
	kindAssignment     = "annotation_assignment"
)

// Options of a catalog. Zero values stand for the defaults.
type Options struct {
	// Prices are the models that every project has; nil is none.
	Prices *pricing.Table
	// MaxMediaBytes bounds the content of a media record; the default is 1 GB.
	MaxMediaBytes int64
	// Refresh is how long something is remembered that another process may have changed meanwhile; the default is 10 s.
	// What is changed through this catalog shows at once.
	Refresh time.Duration
	// Now gives the time, for tests.
	Now func() time.Time
}

const (
	defaultMaxMediaBytes = 1 << 30
	defaultRefresh       = 10 * time.Second
)

// Catalog is used by many at once.
type Catalog struct {
	documents store.Documents
	options   Options

	configs   *cache[recordKey, model.ScoreConfig]
	promptIDs *cache[promptKey, string]
	prices    *cache[string, *projectPrices]
}

// New is a catalog that keeps everything in a store.
func New(documents store.Documents, options Options) *Catalog {
	if options.MaxMediaBytes == 0 {
		options.MaxMediaBytes = defaultMaxMediaBytes
	}
	if options.Refresh == 0 {
		options.Refresh = defaultRefresh
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Prices == nil {
		options.Prices = &pricing.Table{}
	}
	return &Catalog{
		documents: documents, options: options,
		configs:   newCache[recordKey, model.ScoreConfig](options),
		promptIDs: newCache[promptKey, string](options),
		prices:    newCache[string, *projectPrices](options),
	}
}

// recordKey is a thing of a project.
type recordKey struct{ project, id string }
