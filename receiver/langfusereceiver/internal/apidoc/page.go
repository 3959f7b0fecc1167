// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
)

var (
	//go:embed page.html
	pageTemplate string
	//go:embed page.css
	pageStyle string
)

// render writes the page.
func render(d *document) ([]byte, error) {
	v, err := d.view()
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"lower": strings.ToLower,
	}).Parse(strings.Replace(pageTemplate, "/* page.css */", pageStyle, 1))
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := t.Execute(&html, v); err != nil {
		return nil, err
	}
	return html.Bytes(), nil
}
