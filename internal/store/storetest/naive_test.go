// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// naiveEngine keeps nothing in its folder.
var naiveEngine = Engine{Open: func(testing.TB, string) store.Store { return NewNaive() }, Volatile: true}

func TestNaive(t *testing.T) { Run(t, naiveEngine) }

func TestNaiveRandom(t *testing.T) { RunRandom(t, naiveEngine) }

func BenchmarkNaive(b *testing.B) { Bench(b, naiveEngine) }

// The lists that decide what is tried must have all that package query has.
func TestNothingIsLeftOut(t *testing.T) {
	var wantColumns, wantOperators []string
	files, err := filepath.Glob("../../query/*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		wantColumns = append(wantColumns, constantsOf(t, file, "Column")...)
		wantOperators = append(wantOperators, constantsOf(t, file, "Operator")...)
	}
	var haveColumns, haveOperators []string
	for _, column := range allColumns {
		haveColumns = append(haveColumns, string(column))
		assert.NotZero(t, column.Kind(), column)
	}
	for _, operator := range allOperators {
		haveOperators = append(haveOperators, string(operator))
	}
	assert.NotEmpty(t, wantColumns)
	assert.ElementsMatch(t, wantColumns, haveColumns)
	assert.NotEmpty(t, wantOperators)
	assert.ElementsMatch(t, wantOperators, haveOperators)
}

// constantsOf are the values of the constants of a type of texts.
func constantsOf(t *testing.T, file *ast.File, typeName string) []string {
	t.Helper()
	var values []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if ident, ok := spec.Type.(*ast.Ident); ok && ident.Name == typeName {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			values = append(values, value)
		}
		return true
	})
	return values
}

// Conditions that hold for all rows or for none would find no fault.
func TestConditionsTellRowsApart(t *testing.T) {
	r := NewRows(1)
	rows := columnRows(r)
	for _, column := range allColumns {
		for _, operator := range allOperators {
			for _, isNumber := range []bool{false, column.Kind() == query.KindObject} {
				conditions := conditionsOn(r, rows, column, operator, isNumber)
				if len(conditions) == 0 {
					continue
				}
				for i := range conditions {
					require.NoError(t, conditions[i].Validate())
				}
				if operator == query.OpIsNull || operator == query.OpIsNotNull {
					continue // some columns are never null
				}
				telling := slices.ContainsFunc(conditions, func(c query.Condition) bool { return isTelling(c, rows) })
				assert.True(t, telling, "%s %s", column, operator)
			}
		}
	}
}

// Every field belongs to a group or comes always, and none is forgotten.
func TestSelectGroups(t *testing.T) {
	row := store.StoredObservation{CreatedAt: time.Unix(1, 0), UpdatedAt: time.Unix(2, 0)}
	fill(reflect.ValueOf(&row.Observation).Elem())
	assert.Equal(t, row, selectGroups(&row, query.GroupAll))

	fields := map[string]int{}
	for group := query.Groups(1); group <= query.GroupAll; group <<= 1 {
		selected := selectGroups(&row, group)
		for field, value := range reflect.ValueOf(selected.Observation).Fields() {
			if !value.IsZero() {
				fields[field.Name]++
			}
		}
	}
	const allGroups = 12
	always := []string{"TraceID", "ID", "ParentID", "Start", "End", "Type"}
	twice := []string{"Name", "IsAppRoot", "CompletionStart"}
	for field := range reflect.TypeFor[model.Observation]().Fields() {
		want := 1
		switch {
		case slices.Contains(always, field.Name):
			want = allGroups
		case slices.Contains(twice, field.Name):
			want = 2
		}
		assert.Equal(t, want, fields[field.Name], field.Name)
	}
}

// fill gives every field a value that is not zero.
func fill(v reflect.Value) {
	for _, field := range v.Fields() {
		switch {
		case field.Type() == reflect.TypeFor[time.Time]():
			field.Set(reflect.ValueOf(time.Unix(3, 0)))
		case field.Kind() == reflect.String:
			field.SetString("text")
		case field.Kind() == reflect.Bool:
			field.SetBool(true)
		case field.Kind() == reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case field.Kind() == reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case field.Kind() == reflect.Struct:
			fill(field)
		}
	}
}

// The same seed gives the same rows, or no failure could be seen again.
func TestRowsAreRepeatable(t *testing.T) {
	one, two := NewRows(5), NewRows(5)
	assert.Equal(t, one.Observations(200), two.Observations(200))
	assert.Equal(t, one.Score("a"), two.Score("a"))
}
