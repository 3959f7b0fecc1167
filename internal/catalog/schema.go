// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// maxSchema bounds a JSON schema, in bytes.
const maxSchema = 100 << 10

// noLoader keeps a schema from reading files or addresses.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, and nothing outside of it is read", url)
}

// schema is a compiled JSON schema; nil fits everything. It checks one value at a time.
type schema struct {
	compiled *jsonschema.Schema
	budget   budget
}

// compileSchema reads the schema in a field of a dataset.
func compileSchema(field string, text json.RawMessage) (*schema, error) {
	if isNull(text) {
		return nil, nil
	}
	if len(text) > maxSchema {
		return nil, invalid(field, "%s has %d bytes, more than %d", field, len(text), maxSchema)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, invalid(field, "%s is not JSON: %v", field, err)
	}
	switch size := measure(document); {
	case size.depth > maxSchemaDepth:
		return nil, invalid(field, "%s is too complex: it is nested more than %d levels deep", field, maxSchemaDepth)
	case size.badNumber != "":
		return nil, invalid(field, "%s has a number that is too long: %s", field, size.badNumber)
	case size.hasDynamicAnchor:
		return nil, invalid(field, "%s is too complex: $dynamicAnchor is not supported", field)
	}
	const name = "schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource("weir:///"+name, document); err != nil {
		return nil, invalid(field, "%s is not a valid JSON schema: %v", field, err)
	}
	compiled, err := compiler.Compile("weir:///" + name)
	if err != nil {
		return nil, invalid(field, "%s is not a valid JSON schema: %s", field, explain(err))
	}
	s := &schema{compiled: compiled}
	watch(compiled, &s.budget)
	return s, nil
}

// fits tells what is wrong with a value; nothing at all is null.
func fits(s *schema, field string, value json.RawMessage) error {
	if s == nil {
		return nil
	}
	if isNull(value) {
		value = json.RawMessage("null")
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return invalid(field, "%s is not JSON: %v", field, err)
	}
	size := measure(instance)
	if size.badNumber != "" {
		return invalid(field, "%s has a number that is too long: %s", field, size.badNumber)
	}
	s.budget = newBudget(size)
	switch err := s.validate(instance); {
	case errors.Is(err, errTooComplex):
		return invalid(field, "The schema of the dataset is too complex to check %s with it", field)
	case err != nil:
		return invalid(field, "%s does not fit the schema of the dataset: %s", field, explain(err))
	}
	return nil
}

// validate fails with errTooComplex when the budget is spent before it is done.
func (s *schema) validate(instance any) (err error) {
	defer func() {
		if thrown := recover(); thrown == errTooComplex { //nolint:errorlint // it is thrown as it is
			err = errTooComplex
		} else if thrown != nil {
			panic(thrown)
		}
	}()
	return s.compiled.Validate(instance)
}

// printer writes the messages of the schema library.
var printer = message.NewPrinter(language.English)

// maxReasons is how many reasons are told; the first ones tell enough.
const maxReasons = 5

// explain says in one line where a value does not fit.
func explain(err error) string {
	if bad, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		err = bad.Err // it does not unwrap
	}
	problem, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err.Error()
	}
	var reasons []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && len(reasons) < maxReasons {
			reasons = append(reasons, fmt.Sprintf("at %q: %s", "/"+strings.Join(e.InstanceLocation, "/"), e.ErrorKind.LocalizedString(printer)))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(problem)
	return strings.Join(reasons, "; ")
}
