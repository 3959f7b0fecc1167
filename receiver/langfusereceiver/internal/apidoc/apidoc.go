// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc"

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"slices"
	"sync"
)

//go:embed openapi.yaml
var source []byte

// Document is the description of the API, in YAML.
func Document() []byte { return slices.Clone(source) }

// Page is the description of the API as an HTML page. It needs nothing besides itself: its style is within, and there is
// no script.
func Page() []byte { return slices.Clone(page()) }

// page is made when it is first asked for. What could go wrong is in files of this folder, which the tests read too.
var page = sync.OnceValue(func() []byte {
	d, err := parse(source)
	if err != nil {
		panic(err)
	}
	html, err := render(d)
	if err != nil {
		panic(err)
	}
	return html
})

// PagePolicy is the Content-Security-Policy under which the page is shown: its own style, and nothing else.
func PagePolicy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}
