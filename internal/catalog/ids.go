// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"

	"github.com/weirhq/weir/internal/wire"
)

// newID is a new id for a thing.
func newID() string { return uuid.NewString() }

// jsonTexts is a list of texts as compact JSON, just as JavaScript writes it.
func jsonTexts(texts ...string) []byte {
	dst := []byte{'['}
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, text)
	}
	return append(dst, ']')
}

// idOf is the id of a thing that is named by other texts, so that two who make it at the same time make the same.
func idOf(kind string, texts ...string) string {
	return uuid.NewHash(sha256.New(), uuid.NameSpaceURL, jsonTexts(append([]string{kind}, texts...)...), 8).String()
}

// ExperimentID is the id of a run of a dataset. Clients rely on it being the same in every process.
func ExperimentID(project, datasetID, runName string) string {
	sum := sha256.Sum256(jsonTexts("langfuse-experiment-v1", project, datasetID, runName))
	return hex.EncodeToString(sum[:8])
}
