// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func TestDocument(t *testing.T) {
	assert.NotEmpty(t, Document())
	changed := Document()
	changed[0] = 'x'
	assert.NotEqual(t, changed, Document(), "nobody can change it for others")
}

func TestDocumentIsValid(t *testing.T) {
	require.NoError(t, load(t).Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation()))
}

func TestOperations(t *testing.T) {
	document := load(t)
	ids := map[string]string{}
	eachOperation(document, func(name string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		assert.NotEmpty(t, operation.Summary, "%s has no summary", name)
		assert.False(t, strings.HasSuffix(operation.Summary, "."), "the summary of %s ends in a full stop", name)
		assert.Len(t, operation.Tags, 1, "tags of %s", name)
		for _, tag := range operation.Tags {
			assert.NotNil(t, document.Tags.Get(tag), "%s has the tag %s, which is not described", name, tag)
		}
		assert.NotEmpty(t, operation.OperationID, "%s has no operationId", name)
		assert.Empty(t, ids[operation.OperationID], "%s has the operationId of another", name)
		ids[operation.OperationID] = name
		if operation.RequestBody != nil {
			assert.NotEmpty(t, operation.RequestBody.Value.Description, "the body of %s has no description", name)
			assert.True(t, operation.RequestBody.Value.Required, "the body of %s is not required", name)
		}
	})
}

func TestAnswers(t *testing.T) {
	document := load(t)
	eachOperation(document, func(name string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		answers := operation.Responses.Map()
		statuses := slices.Collect(maps.Keys(answers))
		succeeds := slices.ContainsFunc(statuses, func(status string) bool { return status[0] == '2' })
		assert.Equal(t, operation.Tags[0] != "Retired writes", succeeds, "%s has no answer for success", name)

		var wanted []string
		if operation.Extensions["x-any-method"] == nil {
			wanted = []string{"405"}
		}
		if needsKey := operation.Security == nil || len(*operation.Security) > 0; needsKey {
			wanted = append(wanted, "401", "403", "500", "503")
		}
		if operation.RequestBody != nil {
			wanted = append(wanted, "400", "413")
		}
		switch tag := operation.Tags[0]; {
		case tag == "Server", tag == "Projects", tag == "Retired writes":
		case tag == "OpenTelemetry", tag == "Legacy ingestion":
			wanted = append(wanted, "501")
		default: // whatever asks the store
			wanted = append(wanted, "400", "422", "500", "501", "503")
			// Two deletions do not look whether there is something to delete.
			if strings.Contains(name, "}") && operation.OperationID != "deleteTrace" && operation.OperationID != "deleteScore" {
				wanted = append(wanted, "404")
			}
		}
		// Deprecated reads may be turned off; the older datasets stay.
		if operation.Deprecated && operation.Tags[0] != "Datasets" {
			wanted = append(wanted, "404")
		}
		for _, status := range wanted {
			assert.Contains(t, statuses, status, "answers of %s", name)
		}
		for status, answer := range answers {
			assert.Contains(t, answer.Value.Headers, "X-Request-Id", "%s of %s", status, name)
			if status == "503" {
				assert.Contains(t, answer.Value.Headers, "Retry-After", "%s of %s", status, name)
			}
			// The part of a file that there is not is refused by the standard library, in its own words.
			if number, err := strconv.Atoi(status); assert.NoError(t, err) && number >= 400 && number != http.StatusRequestedRangeNotSatisfiable {
				assert.Equal(t, []string{"application/json"}, slices.Collect(maps.Keys(answer.Value.Content)), "%s of %s", status, name)
			}
		}
	})
}

func TestParameters(t *testing.T) {
	check := func(name string, parameter *openapi3.Parameter) {
		assert.NotEmpty(t, parameter.Description, "the parameter %s of %s has no description", parameter.Name, name)
		example := parameter.Example
		for _, media := range parameter.Content {
			example = media.Example
		}
		assert.NotNil(t, example, "the parameter %s of %s has no example", parameter.Name, name)
	}
	eachOperation(load(t), func(name string, item *openapi3.PathItem, operation *openapi3.Operation) {
		for _, parameter := range slices.Concat(item.Parameters, operation.Parameters) {
			check(name, parameter.Value)
		}
	})
}

func TestSchemasAreDescribed(t *testing.T) {
	var check func(name string, ref *openapi3.SchemaRef)
	check = func(name string, ref *openapi3.SchemaRef) {
		s := ref.Value
		assert.NotEmpty(t, s.Description, "%s has no description", name)
		for _, required := range s.Required {
			assert.Contains(t, s.Properties, required, "%s requires a member that it does not have", name)
		}
		for member, property := range s.Properties {
			if property.Ref == "" {
				check(name+"."+member, property)
			}
		}
	}
	for name, ref := range load(t).Components.Schemas {
		check(name, ref)
	}
}

// An answer may have only what is described, so that a test notices when one has more.
func TestAnswersAreStrict(t *testing.T) {
	eachOperation(load(t), func(name string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		for status, answer := range operation.Responses.Map() {
			for _, media := range answer.Value.Content {
				for _, loose := range looseObjects(media.Schema, name+" "+status, map[*openapi3.Schema]bool{}) {
					t.Error(loose)
				}
			}
		}
	})
}

func looseObjects(ref *openapi3.SchemaRef, where string, seen map[*openapi3.Schema]bool) []string {
	if ref == nil || seen[ref.Value] {
		return nil
	}
	s := ref.Value
	seen[s] = true
	var found []string
	if s.Type.Is("object") && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
		found = append(found, where+" does not say whether there are other members")
	}
	for name, property := range s.Properties {
		found = append(found, looseObjects(property, where+"."+name, seen)...)
	}
	for _, variant := range s.OneOf {
		found = append(found, looseObjects(variant, where, seen)...)
	}
	return append(append(found, looseObjects(s.Items, where+"[]", seen)...), looseObjects(s.AdditionalProperties.Schema, where+".*", seen)...)
}

func TestNoUnusedComponents(t *testing.T) {
	var document struct {
		Components map[string]map[string]any
	}
	require.NoError(t, yaml.Unmarshal(source, &document))
	require.NotEmpty(t, document.Components)
	for kind, components := range document.Components {
		if kind == "securitySchemes" {
			continue
		}
		for name := range components {
			assert.Contains(t, string(source), "'#/components/"+kind+"/"+name+"'", "nothing refers to it")
		}
	}
}

func TestNoObjectIsPartOfAnother(t *testing.T) {
	assert.NotContains(t, string(source), "allOf", "an object that allows no other members cannot be part of another")
}

// The examples on the page are made out of the examples of single fields. As a whole they are valid too.
func TestExamplesOfBodies(t *testing.T) {
	document := load(t)
	d, err := parse(source)
	require.NoError(t, err)
	check := func(name string, content ordered[mediaType], described openapi3.Content) {
		text, err := d.exampleJSON(content)
		require.NoError(t, err, name)
		if text == "" {
			return
		}
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value), name)
		assert.NoError(t, described.Get("application/json").Schema.Value.VisitJSON(value, openapi3.EnableFormatValidation()), "%s: %s", name, text)
	}
	for _, path := range d.Paths {
		for _, e := range path.Value.operations() {
			name := e.Name + " " + path.Name
			described := document.Paths.Value(path.Name).GetOperation(e.Name)
			if body := e.Value.RequestBody; body != nil {
				check("the body of "+name, body.Content, described.RequestBody.Value.Content)
			}
			for _, answer := range e.Value.Responses {
				check(answer.Name+" of "+name, d.response(answer.Value).Content, described.Responses.Value(answer.Name).Value.Content)
			}
		}
	}
}

func TestLinesAreReadable(t *testing.T) {
	for number, line := range strings.Split(string(source), "\n") {
		assert.Equal(t, strings.TrimRight(line, " \t"), line, "line %d ends in blanks", number+1)
	}
}

func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := loaded()
	require.NoError(t, err)
	return document
}

var loaded = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(source) })

func eachOperation(document *openapi3.T, do func(name string, item *openapi3.PathItem, operation *openapi3.Operation)) {
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			do(method+" "+path, item, operation)
		}
	}
}
