// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSchemaFiles(t *testing.T) {
	files := fstest.MapFS{"schema/0001_first.sql": {Data: []byte("one")}, "schema/0002_second.sql": {Data: []byte("two")}}
	texts, err := SchemaFiles(files)
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two"}, texts)

	files["schema/0004_fourth.sql"] = &fstest.MapFile{}
	_, err = SchemaFiles(files)
	require.EqualError(t, err, "schema file 0004_fourth.sql should have the number 0003")
	_, err = SchemaFiles(fstest.MapFS{"schema/first.sql": {}})
	require.EqualError(t, err, "schema file first.sql should have the number 0001")
}
