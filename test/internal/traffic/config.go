// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"fmt"
	"strings"
)

// Projects is a piece of configuration that gives the receiver so many projects, with the keys of a client.
func Projects(count int) string {
	var text strings.Builder
	text.WriteString("yaml:receivers: {langfuse: {projects: [")
	for i, key := range Keys(count) {
		fmt.Fprintf(&text, "{id: project-%d, keys: [{public_key: %s, secret_key: %s}]},", i, key.Public, key.Secret)
	}
	text.WriteString("]}}")
	return text.String()
}
