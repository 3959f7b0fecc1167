// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"net/url"
	"strings"
)

// optionalParameters is how many parameters a command shows that could be left out. Where something is asked for by its
// name, several may contradict one another.
func optionalParameters(path string) int {
	if strings.Contains(path, "{") {
		return 1
	}
	return 2
}

// curl is a command that calls an operation.
func (d *document) curl(method, path string, op *operation, parameters []parameter, access string) (string, error) {
	lines := []string{"curl"}
	if access != accessOpen {
		lines[0] += ` -u "$PUBLIC_KEY:$SECRET_KEY"`
	}
	if method != "GET" {
		lines[0] += " -X " + method
	}
	var query []string
	left := optionalParameters(path)
	for _, p := range parameters {
		value, err := exampleText(p)
		if err != nil {
			return "", err
		}
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == "query" && (p.Required || left > 0 && !p.Deprecated):
			if !p.Required {
				left--
			}
			query = append(query, p.Name+"="+value)
		}
	}
	address := `"$WEIR` + path + `"`
	switch {
	case len(query) == 0:
		lines = append(lines, address)
	case method == "GET":
		lines = append(lines, "-G "+address)
		for _, pair := range query {
			lines = append(lines, "--data-urlencode "+quote(pair))
		}
	default:
		lines = append(lines, `"$WEIR`+path+"?"+strings.Join(query, "&")+`"`)
	}
	if op.RequestBody != nil {
		body, err := d.curlBody(op.RequestBody)
		if err != nil {
			return "", err
		}
		lines = append(lines, body)
	}
	return strings.Join(lines, " \\\n  "), nil
}

func (d *document) curlBody(body *requestBody) (string, error) {
	text, err := d.exampleJSON(body.Content)
	if text == "" || err != nil {
		return "-H 'Content-Type: image/png' \\\n  --data-binary @picture.png", err
	}
	return "-H 'Content-Type: application/json' \\\n  -d " + quote(text), nil
}

// quote makes one word of a shell out of a text.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
