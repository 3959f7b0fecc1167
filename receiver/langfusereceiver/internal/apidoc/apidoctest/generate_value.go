// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	// deepest is how deep a value of our own making goes.
	deepest = 6
	// breakEvery is how often a wild value is none that its schema allows.
	breakEvery = 6
)

// value makes a value of a schema; of a wild request now and then one that is none.
func (g *Generator) value(schema *openapi3.Schema, depth int, wild bool) any {
	if wild && g.chance(breakEvery) {
		return g.anything(depth)
	}
	if schema.Nullable && g.chance(8) {
		return nil
	}
	if schema.Example != nil && g.chance(3) {
		return schema.Example
	}
	if len(schema.Enum) > 0 {
		return schema.Enum[g.random.IntN(len(schema.Enum))]
	}
	for _, variants := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf} {
		if len(variants) > 0 {
			return g.value(variants[g.random.IntN(len(variants))].Value, depth, wild)
		}
	}
	if len(schema.AllOf) > 0 {
		return g.merged(schema, depth, wild)
	}
	return g.plain(schema, depth, wild)
}

// merged is an object of all parts of a schema.
func (g *Generator) merged(schema *openapi3.Schema, depth int, wild bool) any {
	all := map[string]any{}
	for _, part := range schema.AllOf {
		if object, ok := g.value(part.Value, depth, wild).(map[string]any); ok {
			maps.Copy(all, object)
		}
	}
	if own, ok := g.plain(schema, depth, wild).(map[string]any); ok {
		maps.Copy(all, own)
	}
	return all
}

// plain is a value of a type.
func (g *Generator) plain(schema *openapi3.Schema, depth int, wild bool) any {
	switch {
	case schema.Type.Is(openapi3.TypeString):
		return g.string(schema, wild)
	case schema.Type.Is(openapi3.TypeInteger):
		return g.integer(schema)
	case schema.Type.Is(openapi3.TypeNumber):
		return float64(g.integer(schema)) + g.random.Float64()/2
	case schema.Type.Is(openapi3.TypeBoolean):
		return g.chance(2)
	case schema.Type.Is(openapi3.TypeArray):
		list := []any{}
		least := int(schema.MinItems)
		for range least + g.random.IntN(3) {
			if depth < deepest || len(list) < least {
				list = append(list, g.value(schema.Items.Value, depth+1, wild))
			}
		}
		return list
	case schema.Type.Is(openapi3.TypeObject):
		return g.object(schema, depth, wild)
	default:
		return g.anything(depth)
	}
}

func (g *Generator) object(schema *openapi3.Schema, depth int, wild bool) map[string]any {
	made := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		isRequired := slices.Contains(schema.Required, name) && (!wild || !g.chance(12))
		if !isRequired && (depth >= deepest || g.chance(2)) {
			continue
		}
		if known := g.known[name]; known != "" && g.chance(2) {
			made[name] = known
			continue
		}
		made[name] = g.value(schema.Properties[name].Value, depth+1, wild)
	}
	if more := schema.AdditionalProperties.Schema; more != nil && depth < deepest {
		made[g.text()] = g.value(more.Value, depth+1, wild)
	}
	if wild && g.chance(6) {
		made[g.text()] = g.anything(depth)
	}
	return made
}

func (g *Generator) string(schema *openapi3.Schema, wild bool) string {
	if schema.Format == "date-time" && !(wild && g.chance(3)) {
		return time.Unix(g.random.Int64N(4e9)-1e9, 0).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	text := g.text()
	if !wild {
		for uint64(len(text)) < schema.MinLength {
			text += "x"
		}
		if schema.MaxLength != nil && uint64(len(text)) > *schema.MaxLength {
			text = strings.ToValidUTF8(text[:*schema.MaxLength], "")
		}
	}
	return text
}

func (g *Generator) integer(schema *openapi3.Schema) int64 {
	least, most := int64(-10), int64(1000)
	if schema.Min != nil {
		least = int64(*schema.Min)
	}
	if schema.Max != nil {
		most = int64(*schema.Max)
	}
	return least + g.random.Int64N(max(most-least, 0)+1)
}

// anything is a value of no schema.
func (g *Generator) anything(depth int) any {
	switch g.random.IntN(9) {
	case 0:
		return nil
	case 1:
		return g.chance(2)
	case 2:
		return json.RawMessage(oddNumbers[g.random.IntN(len(oddNumbers))])
	case 3, 4:
		if depth >= deepest {
			return []any{}
		}
		return []any{g.anything(depth + 1), g.anything(depth + 1)}
	case 5:
		if depth >= deepest {
			return map[string]any{}
		}
		return map[string]any{g.text(): g.anything(depth + 1)}
	default:
		return g.text()
	}
}

// text is one of the odd texts, or an ordinary one.
func (g *Generator) text() string {
	if g.chance(2) {
		return []string{"chat", "a", "user-1", "production", "0af7651916cd43dd8448eb211c80319c", "2026-11-15T12:00:00Z", "7"}[g.random.IntN(7)]
	}
	return OddTexts[g.random.IntN(len(OddTexts))]
}
