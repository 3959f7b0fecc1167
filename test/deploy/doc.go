// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package deploy checks what Weir is deployed with, where it cannot be deployed: the Dockerfile, the manifests for
// Kubernetes, the compose file and the unit of systemd. A linter made for each reads it, and what it would start is started
// or validated with the built binary, with the arguments and the environment that are written there.
package deploy // import "github.com/weirhq/weir/test/deploy"
