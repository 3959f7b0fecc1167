// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import "strings"

// maxEnvironment is how long the name of an environment may be.
const maxEnvironment = 40

// Environment gives the name of an environment in its one spelling, "" for one that is not valid. The service keeps names
// that begin with its own for itself.
func (n *Names) Environment(name string) string {
	name = strings.ToLower(name)
	for strings.HasPrefix(name, n.Service) {
		name = strings.TrimPrefix(name, n.Service)
		if name != "" && (name[0] == '-' || name[0] == '_') {
			name = name[1:]
		}
	}
	// All characters of a valid name are of one byte, so it does not matter where a longer one is cut.
	name = name[:min(len(name), maxEnvironment)]
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return ""
		}
	}
	return name
}
