// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// A text refers to a media by @@@langfuseMedia:type=image/png|id=ID|source=bytes@@@.
var mediaTag = regexp.MustCompile(`@@@langfuseMedia:([^@]+)@@@`)

const (
	// maxMediaReferences bounds what is told of one item.
	maxMediaReferences = 1000
	maxPathDepth       = 100
)

// MediaReferences finds where in a dataset item media are referred to.
func MediaReferences(item *model.DatasetItem) []model.MediaReference {
	var found []model.MediaReference
	for _, field := range []struct {
		name  string
		value json.RawMessage
	}{{"input", item.Input}, {"expectedOutput", item.ExpectedOutput}, {"metadata", item.Metadata}} {
		if !mediaTag.Match(field.value) {
			continue
		}
		text := string(field.value)
		node, err := wire.Decode(text, wire.Limits{Bytes: len(text), Values: len(text)})
		if err != nil {
			continue
		}
		walkTexts(node, "$", 0, func(path, text string) {
			for _, match := range mediaTag.FindAllStringSubmatch(text, -1) {
				if id := mediaIDIn(match[1]); id != "" && len(found) < maxMediaReferences {
					found = append(found, model.MediaReference{Field: field.name, ReferenceString: match[0], JSONPath: path, MediaID: id})
				}
			}
		})
	}
	return found
}

// walkTexts visits all strings of a value with their paths.
func walkTexts(node wire.Node, path string, depth int, visit func(path, text string)) {
	if depth > maxPathDepth {
		return
	}
	if node.Kind == wire.String {
		visit(path, node.Text)
	}
	for i, item := range node.Items {
		step := "[" + strconv.Itoa(i) + "]"
		if node.Kind == wire.Object {
			step = "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(node.Keys[i]) + "']"
		}
		walkTexts(item, path+step, depth+1, visit)
	}
}

// mediaIDIn is the id among the parts of a reference.
func mediaIDIn(parts string) string {
	for part := range strings.SplitSeq(parts, "|") {
		if id, ok := strings.CutPrefix(part, "id="); ok {
			return id
		}
	}
	return ""
}
