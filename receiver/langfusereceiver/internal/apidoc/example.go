// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// object is a JSON object in the order of its schema.
type object []entry[any]

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	text.WriteByte('{')
	for i, member := range o {
		if i > 0 {
			text.WriteByte(',')
		}
		name, err := encode(member.Name)
		if err != nil {
			return nil, err
		}
		value, err := encode(member.Value)
		if err != nil {
			return nil, err
		}
		text.Write(name)
		text.WriteByte(':')
		text.Write(value)
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// encode writes JSON for people: < and > stay what they are.
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}

// example is a value as it is written, with its members in order. A null is the same as none.
type example struct {
	Given bool
	Value any
}

// UnmarshalYAML reads any value.
func (e *example) UnmarshalYAML(node *yaml.Node) error {
	e.Given = true
	var err error
	e.Value, err = plain(node)
	return err
}

// plain reads a value with its members in order.
func plain(node *yaml.Node) (any, error) {
	switch node.Kind {
	case yaml.MappingNode:
		value := object{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			member, err := plain(node.Content[i+1])
			if err != nil {
				return nil, err
			}
			value = append(value, entry[any]{node.Content[i].Value, member})
		}
		return value, nil
	case yaml.SequenceNode:
		value := []any{}
		for _, item := range node.Content {
			entry, err := plain(item)
			if err != nil {
				return nil, err
			}
			value = append(value, entry)
		}
		return value, nil
	default:
		var value any
		err := node.Decode(&value)
		return value, err
	}
}

// exampleOf makes a value of a schema out of the examples of its parts.
func (d *document) exampleOf(s *schema) any {
	s = d.schema(s)
	switch {
	case s.Example.Given:
		return s.Example.Value
	case len(s.OneOf) > 0:
		return d.exampleOf(s.OneOf[0])
	case s.Nullable && s.Items == nil && len(s.Properties) == 0:
		return nil
	case s.Type == "array":
		return []any{d.exampleOf(s.Items)}
	case s.Type == "object":
		value := object{}
		for _, property := range s.Properties {
			value = append(value, entry[any]{property.Name, d.exampleOf(property.Value)})
		}
		return value
	default:
		return nil
	}
}

// shortExample is the length up to which an example stays on one line.
const shortExample = 72

// exampleJSON is the example of a body, a long one over several lines; empty where it is not JSON.
func (d *document) exampleJSON(content ordered[mediaType]) (string, error) {
	media, ok := content.get("application/json")
	if !ok {
		return "", nil
	}
	value := media.Example.Value
	if !media.Example.Given {
		value = d.exampleOf(media.Schema)
	}
	compact, err := encode(value)
	if err != nil || len(compact) <= shortExample {
		return string(compact), err
	}
	var text bytes.Buffer
	err = json.Indent(&text, compact, "", "  ")
	return text.String(), err
}

// exampleText is the example of a parameter as it is sent.
func exampleText(p parameter) (string, error) {
	if media, ok := p.Content.get("application/json"); ok {
		text, err := encode(media.Example.Value)
		return string(text), err
	}
	if list, ok := p.Example.Value.([]any); ok {
		texts := make([]string, len(list))
		for i, item := range list {
			texts[i] = fmt.Sprint(item)
		}
		return strings.Join(texts, ","), nil
	}
	return fmt.Sprint(p.Example.Value), nil
}
