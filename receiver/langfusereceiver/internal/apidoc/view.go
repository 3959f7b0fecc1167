// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What follows is the page before it is HTML.
type (
	view struct {
		Title       string
		Version     string
		Description []paragraph
		Keys        []keyView
		Groups      []groupView
		Schemas     []schemaView
	}
	keyView struct {
		Name        string
		Description []paragraph
	}
	groupView struct {
		ID          string
		Name        string
		Description []paragraph
		Operations  []operationView
	}
	operationView struct {
		ID          string
		Method      string
		Path        string
		Summary     string
		Description []paragraph
		Deprecated  bool
		AnyMethod   bool
		Access      string
		Parameters  []fieldView
		Body        *bodyView
		Curl        string
		Answers     []answerView
		Errors      []answerView
	}
	bodyView struct {
		Description []paragraph
		Required    bool
		Media       []mediaView
	}
	mediaView struct {
		Name string
		Type typeView
	}
	answerView struct {
		Status      string
		Description []paragraph
		Headers     []fieldView
		Media       []mediaView
		Example     string
	}
	schemaView struct {
		ID          string
		Name        string
		Description []paragraph
		Variants    []typeView
		Fields      []fieldView
		Type        typeView
		Rules       []string
	}
	fieldView struct {
		Name        string
		In          string
		Type        typeView
		Required    bool
		Deprecated  bool
		Description []paragraph
		Rules       []string
		Example     string
		Depth       int
	}
	// typeView is a type in words, some of which are names of schemas: a list of Score or null.
	typeView []word
	word     struct {
		Text string
		Link bool
	}
)

const (
	accessOpen   = "no key"
	accessKeys   = "key pair"
	accessPublic = "key pair or public key"
)

// view collects everything that the page shows.
func (d *document) view() (*view, error) {
	v := &view{Title: d.Info.Title, Version: d.Info.Version, Description: paragraphs(d.Info.Description)}
	for _, scheme := range d.Components.SecuritySchemes {
		v.Keys = append(v.Keys, keyView{Name: strings.ToUpper(scheme.Value.Scheme[:1]) + scheme.Value.Scheme[1:], Description: paragraphs(scheme.Value.Description)})
	}
	for _, tag := range d.Tags {
		group := groupView{ID: "tag-" + slug(tag.Name), Name: tag.Name, Description: paragraphs(tag.Description)}
		for _, path := range d.Paths {
			for _, e := range path.Value.operations() {
				if !slices.Contains(e.Value.Tags, tag.Name) {
					continue
				}
				op, err := d.operationView(e.Name, path.Name, path.Value.Parameters, e.Value)
				if err != nil {
					return nil, fmt.Errorf("%s %s: %w", e.Name, path.Name, err)
				}
				group.Operations = append(group.Operations, op)
			}
		}
		v.Groups = append(v.Groups, group)
	}
	for _, e := range d.Components.Schemas {
		v.Schemas = append(v.Schemas, d.schemaView(e.Name, e.Value))
	}
	return v, nil
}

func (d *document) operationView(method, path string, shared []parameter, op *operation) (operationView, error) {
	v := operationView{
		ID: op.ID, Method: method, Path: path, Summary: op.Summary, Description: paragraphs(op.Description),
		Deprecated: op.Deprecated, AnyMethod: op.AnyMethod, Access: d.access(op),
	}
	var all []parameter
	for _, p := range slices.Concat(shared, op.Parameters) {
		p = d.parameter(p)
		all = append(all, p)
		field, err := d.parameterView(p)
		if err != nil {
			return v, err
		}
		v.Parameters = append(v.Parameters, field)
	}
	if op.RequestBody != nil {
		v.Body = &bodyView{Description: paragraphs(op.RequestBody.Description), Required: op.RequestBody.Required, Media: d.mediaViews(op.RequestBody.Content)}
	}
	for _, e := range op.Responses {
		answer, err := d.answerView(e.Name, d.response(e.Value))
		if err != nil {
			return v, err
		}
		if strings.HasPrefix(e.Name, "2") {
			v.Answers = append(v.Answers, answer)
		} else {
			v.Errors = append(v.Errors, answer)
		}
	}
	var err error
	v.Curl, err = d.curl(method, path, op, all, v.Access)
	return v, err
}

func (d *document) access(op *operation) string {
	security := d.Security
	if op.Security != nil {
		security = *op.Security
	}
	switch len(security) {
	case 0:
		return accessOpen
	case 1:
		return accessKeys
	default:
		return accessPublic
	}
}

func (d *document) parameterView(p parameter) (fieldView, error) {
	s := p.Schema
	if media, ok := p.Content.get("application/json"); ok {
		s = media.Schema
	}
	example, err := exampleText(p)
	field := fieldView{
		Name: p.Name, In: p.In, Type: d.typeView(s), Required: p.Required, Deprecated: p.Deprecated,
		Description: paragraphs(p.Description), Rules: d.rules(s), Example: example,
	}
	switch {
	case len(p.Content) > 0:
		field.Type = field.Type.and(", as JSON")
	case s.Type == "array" && p.Explode != nil && !*p.Explode:
		field.Type = field.Type.and(", comma-separated")
	case s.Type == "array":
		field.Type = field.Type.and(", repeatable")
	}
	return field, err
}

func (d *document) answerView(status string, r response) (answerView, error) {
	v := answerView{Status: status, Description: paragraphs(r.Description), Media: d.mediaViews(r.Content)}
	for _, e := range r.Headers {
		h := d.header(e.Value)
		v.Headers = append(v.Headers, fieldView{Name: e.Name, Type: d.typeView(h.Schema), Description: paragraphs(h.Description)})
	}
	var err error
	v.Example, err = d.exampleJSON(r.Content)
	return v, err
}

func (d *document) mediaViews(content ordered[mediaType]) []mediaView {
	var all []mediaView
	for _, e := range content {
		all = append(all, mediaView{Name: e.Name, Type: d.typeView(e.Value.Schema)})
	}
	return all
}

func (d *document) schemaView(name string, s *schema) schemaView {
	v := schemaView{
		ID: "schema-" + name, Name: name, Description: paragraphs(s.Description), Type: d.typeView(s), Rules: d.rules(s),
		Fields: d.fields(s, 0),
	}
	for _, variant := range s.OneOf {
		v.Variants = append(v.Variants, d.typeView(variant))
	}
	return v
}

// fields lists the members of an object, and below each those of an object within it that has no name of its own.
func (d *document) fields(s *schema, depth int) []fieldView {
	var all []fieldView
	for _, e := range s.Properties {
		target := d.schema(e.Value)
		field := fieldView{
			Name: e.Name, Type: d.typeView(e.Value), Required: slices.Contains(s.Required, e.Name),
			Description: paragraphs(target.Description), Depth: depth,
		}
		if e.Value.Ref == "" {
			field.Rules = d.rules(e.Value)
		}
		all = append(all, field)
		inner := e.Value
		for inner.Ref == "" && inner.Items != nil {
			inner = inner.Items
		}
		all = append(all, d.fields(inner, depth+1)...)
	}
	return all
}

// typeView names a type.
func (d *document) typeView(s *schema) typeView {
	var t typeView
	switch {
	case s.Ref != "":
		return typeView{{Text: refName(s.Ref), Link: true}}
	case len(s.OneOf) > 0:
		for i, variant := range s.OneOf {
			if i > 0 {
				t = t.and(" or ")
			}
			t = append(t, d.typeView(variant)...)
		}
		return t
	case s.Type == "":
		return t.and("any value")
	case s.Type == "array":
		t = append(t.and("list of "), d.typeView(s.Items)...)
	case s.AdditionalProperties.Schema != nil:
		t = append(t.and("object of "), d.typeView(s.AdditionalProperties.Schema)...)
	case s.Format != "":
		t = t.and(s.Type + " (" + s.Format + ")")
	default:
		t = t.and(s.Type)
	}
	if s.Nullable {
		t = t.and(" or null")
	}
	return t
}

func (t typeView) and(text string) typeView { return append(t, word{Text: text}) }

// rules lists what values must keep to, each in a few words.
func (d *document) rules(s *schema) []string {
	s = d.schema(s)
	var all []string
	bound := func(label string, value *int) {
		if value != nil {
			all = append(all, label+" "+strconv.Itoa(*value))
		}
	}
	number := func(label string, value *float64) {
		if value != nil {
			all = append(all, label+" "+strconv.FormatFloat(*value, 'f', -1, 64))
		}
	}
	number("at least", s.Minimum)
	number("at most", s.Maximum)
	bound("least length", s.MinLength)
	bound("greatest length", s.MaxLength)
	bound("fewest entries", s.MinItems)
	bound("most entries", s.MaxItems)
	bound("fewest members", s.MinProperties)
	enum := s.Enum
	if s.Items != nil {
		enum = d.schema(s.Items).Enum
	}
	if len(enum) > 0 {
		texts := make([]string, 0, len(enum))
		for _, value := range enum {
			switch value {
			case nil:
			case "":
				texts = append(texts, "an empty text")
			default:
				texts = append(texts, fmt.Sprint(value))
			}
		}
		all = append(all, "one of "+strings.Join(texts, ", "))
	}
	if s.Pattern != "" {
		all = append(all, "pattern "+s.Pattern)
	}
	if s.Default.Given {
		text, _ := exampleText(parameter{Example: s.Default})
		if text == "" {
			text = "none"
		}
		all = append(all, "default "+text)
	}
	return all
}
