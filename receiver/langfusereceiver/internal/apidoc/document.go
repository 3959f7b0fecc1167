// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// What follows is as much of OpenAPI as the page shows.
type (
	document struct {
		Info struct {
			Title       string
			Version     string
			Description string
		}
		Tags       []tag
		Security   []map[string][]string
		Paths      ordered[pathItem]
		Components struct {
			SecuritySchemes ordered[securityScheme] `yaml:"securitySchemes"`
			Headers         ordered[header]
			Parameters      ordered[parameter]
			Responses       ordered[response]
			Schemas         ordered[*schema]
		}
	}
	tag struct {
		Name        string
		Description string
	}
	securityScheme struct {
		Scheme      string
		Description string
	}
	pathItem struct {
		Parameters []parameter
		Get        *operation
		Post       *operation
		Put        *operation
		Patch      *operation
		Delete     *operation
	}
	operation struct {
		ID          string `yaml:"operationId"`
		Summary     string
		Description string
		Tags        []string
		Deprecated  bool
		AnyMethod   bool `yaml:"x-any-method"`
		// Security is nil where that of the document applies, and empty where no key is needed.
		Security    *[]map[string][]string
		Parameters  []parameter
		RequestBody *requestBody `yaml:"requestBody"`
		Responses   ordered[response]
	}
	parameter struct {
		Ref         string `yaml:"$ref"`
		Name        string
		In          string
		Description string
		Required    bool
		Deprecated  bool
		Explode     *bool
		Schema      *schema
		Content     ordered[mediaType]
		Example     example
	}
	requestBody struct {
		Description string
		Required    bool
		Content     ordered[mediaType]
	}
	response struct {
		Ref         string `yaml:"$ref"`
		Description string
		Headers     ordered[header]
		Content     ordered[mediaType]
	}
	header struct {
		Ref         string `yaml:"$ref"`
		Description string
		Schema      *schema
	}
	mediaType struct {
		Schema  *schema
		Example example
	}
	schema struct {
		Ref                  string `yaml:"$ref"`
		Type                 string
		Format               string
		Description          string
		Nullable             bool
		Enum                 []any
		Default              example
		Example              example
		Pattern              string
		Minimum              *float64
		Maximum              *float64
		MinLength            *int `yaml:"minLength"`
		MaxLength            *int `yaml:"maxLength"`
		MinItems             *int `yaml:"minItems"`
		MaxItems             *int `yaml:"maxItems"`
		MinProperties        *int `yaml:"minProperties"`
		Items                *schema
		Properties           ordered[*schema]
		Required             []string
		AdditionalProperties additional `yaml:"additionalProperties"`
		OneOf                []*schema  `yaml:"oneOf"`
	}
)

// ordered is a mapping in the order in which it is written.
type ordered[T any] []entry[T]

type entry[T any] struct {
	Name  string
	Value T
}

// UnmarshalYAML reads the members one by one.
func (o *ordered[T]) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: expected a mapping", node.Line)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		e := entry[T]{Name: node.Content[i].Value}
		if err := node.Content[i+1].Decode(&e.Value); err != nil {
			return err
		}
		*o = append(*o, e)
	}
	return nil
}

func (o ordered[T]) get(name string) (T, bool) {
	for _, e := range o {
		if e.Name == name {
			return e.Value, true
		}
	}
	var none T
	return none, false
}

// additional says whether an object may have members besides its properties, and of which schema they are.
type additional struct {
	Allowed bool
	Schema  *schema
}

// UnmarshalYAML reads either form: yes and no, or a schema.
func (a *additional) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&a.Allowed)
	}
	a.Allowed = true
	return node.Decode(&a.Schema)
}

func parse(text []byte) (*document, error) {
	d := &document{}
	if err := yaml.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("the description of the API: %w", err)
	}
	return d, nil
}

// operations lists the methods of a path.
func (p pathItem) operations() ordered[*operation] {
	all := ordered[*operation]{{"GET", p.Get}, {"POST", p.Post}, {"PUT", p.Put}, {"PATCH", p.Patch}, {"DELETE", p.Delete}}
	return slices.DeleteFunc(all, func(e entry[*operation]) bool { return e.Value == nil })
}

// The functions below follow a reference to the component that it names.

func (d *document) schema(s *schema) *schema {
	if s == nil || s.Ref == "" {
		return s
	}
	target, _ := d.Components.Schemas.get(refName(s.Ref))
	return target
}

func (d *document) parameter(p parameter) parameter {
	if p.Ref == "" {
		return p
	}
	target, _ := d.Components.Parameters.get(refName(p.Ref))
	return target
}

func (d *document) response(r response) response {
	if r.Ref == "" {
		return r
	}
	target, _ := d.Components.Responses.get(refName(r.Ref))
	return target
}

func (d *document) header(h header) header {
	if h.Ref == "" {
		return h
	}
	target, _ := d.Components.Headers.get(refName(h.Ref))
	return target
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
