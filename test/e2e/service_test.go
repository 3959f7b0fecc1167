// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/upstream"
)

// newService is the other side, which is down until it listens.
func newService(t *testing.T) *upstream.Service {
	t.Helper()
	far, err := upstream.New()
	require.NoError(t, err)
	t.Cleanup(func() {
		far.Close()
		assert.Empty(t, far.Faults())
	})
	return far
}

// arrived is the number of different spans that the service has.
func arrived(far *upstream.Service) int {
	spans, _ := far.Count()
	return spans
}
