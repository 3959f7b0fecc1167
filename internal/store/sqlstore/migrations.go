// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// schemaFolder is where an engine has the files of its schema.
const schemaFolder = "schema"

// SchemaFiles reads the numbered files of a schema, which are without gaps: the first brings a new store to version 1.
func SchemaFiles(files fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(files, schemaFolder)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(entries))
	for i, entry := range entries {
		number, _, _ := strings.Cut(entry.Name(), "_")
		if version, err := strconv.Atoi(number); err != nil || version != i+1 {
			return nil, fmt.Errorf("schema file %s should have the number %04d", entry.Name(), i+1)
		}
		text, err := fs.ReadFile(files, path.Join(schemaFolder, entry.Name()))
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	return texts, nil
}
