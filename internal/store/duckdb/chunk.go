// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2/mapping"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

// chunk is a number of rows in the form in which DuckDB takes them, a vector a column. It is filled in memory, without a call
// into C for each value: with fifty columns those calls were about a tenth of the time of writing.
//
// It is made for the first rows and used again for all later ones: its memory is several megabytes.
type chunk struct {
	made    mapping.DataChunk
	vectors []vector
	texts   arena
	rows    int
}

// vector is one column of a chunk.
type vector struct {
	handle mapping.Vector
	kind   mapping.Type
	data   unsafe.Pointer
	// valid has a bit a row; nil while no row is NULL.
	valid []uint64
}

// begin makes the chunk for the table of an appender, or makes it ready again.
func (c *chunk) begin(appender mapping.Appender) {
	if c.vectors != nil {
		return
	}
	types := make([]mapping.LogicalType, mapping.AppenderColumnCount(appender))
	c.vectors = make([]vector, len(types))
	for i := range types {
		types[i] = mapping.AppenderColumnType(appender, mapping.IdxT(i))
		c.vectors[i].kind = mapping.GetTypeId(types[i])
	}
	c.made = mapping.CreateDataChunk(types)
	for i := range types {
		mapping.DestroyLogicalType(&types[i])
	}
	c.reset()
}

// end leaves an empty chunk, whatever became of the rows.
func (c *chunk) end() {
	if c.rows > 0 {
		c.reset()
	}
	c.texts.release()
}

func (c *chunk) close() {
	mapping.DestroyDataChunk(&c.made)
	c.vectors = nil
}

func (c *chunk) reset() {
	mapping.DataChunkReset(c.made)
	c.rows = 0
	c.texts.empty()
	for i := range c.vectors {
		v := &c.vectors[i]
		v.handle = mapping.DataChunkGetVector(c.made, mapping.IdxT(i))
		v.data = mapping.VectorGetData(v.handle)
		v.valid = nil
	}
}

// nextRow ends a row; a chunk that is full, or has much text, goes to the appender.
func (c *chunk) nextRow(appender mapping.Appender) error {
	c.rows++
	if c.rows < int(mapping.VectorSize()) && c.texts.used < arenaKept {
		return nil
	}
	return c.flush(appender)
}

// flush hands the rows over to the appender, which copies them.
func (c *chunk) flush(appender mapping.Appender) error {
	if c.rows == 0 {
		return nil
	}
	mapping.DataChunkSetSize(c.made, mapping.IdxT(c.rows))
	if mapping.AppendDataChunk(appender, c.made) == mapping.StateError {
		return errors.New(mapping.AppenderError(appender))
	}
	c.reset()
	return nil
}

// set writes a value into a column of the current row. A value of another type than that of the column would ruin memory,
// so it is refused.
func (c *chunk) set(column int, value sqlstore.Value) error {
	v := &c.vectors[column]
	switch {
	case value.Kind == sqlstore.KindNull:
		v.setNull(c.rows)
	case kinds[value.Kind] != v.kind:
		return fmt.Errorf("cannot hold a %s", value.Kind)
	case value.Kind == sqlstore.KindText:
		*at[text](v, c.rows) = c.texts.text(value.Text)
	case value.Kind == sqlstore.KindFlag:
		*at[bool](v, c.rows) = value.Flag()
	case value.Kind == sqlstore.KindInt32:
		*at[int32](v, c.rows) = value.Int32()
	case value.Kind == sqlstore.KindInt64:
		*at[int64](v, c.rows) = value.Int64()
	case value.Kind == sqlstore.KindFloat:
		*at[float64](v, c.rows) = value.Float()
	case value.Kind == sqlstore.KindTime:
		*at[int64](v, c.rows) = value.Time.UnixMicro()
	}
	return nil
}

// kinds are the types of the columns for each kind of values.
var kinds = [...]mapping.Type{
	sqlstore.KindText:  mapping.TypeVarchar,
	sqlstore.KindFlag:  mapping.TypeBoolean,
	sqlstore.KindInt32: mapping.TypeInteger,
	sqlstore.KindInt64: mapping.TypeBigInt,
	sqlstore.KindFloat: mapping.TypeDouble,
	sqlstore.KindTime:  mapping.TypeTimestamp,
}

func at[T any](v *vector, row int) *T {
	return (*T)(unsafe.Add(v.data, uintptr(row)*unsafe.Sizeof(*new(T))))
}

func (v *vector) setNull(row int) {
	if v.valid == nil {
		mapping.VectorEnsureValidityWritable(v.handle)
		words := (int(mapping.VectorSize()) + 63) / 64
		v.valid = unsafe.Slice((*uint64)(mapping.VectorGetValidity(v.handle)), words) //nolint:gosec // DuckDB has a bit a row
	}
	v.valid[row/64] &^= 1 << (row % 64)
	if v.kind == mapping.TypeVarchar {
		*at[text](v, row) = text{} // nobody should look at it; whoever does finds an empty text
	}
}
