// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"time"
)

// maintain does what comes up from time to time, until the store is closed.
func (e *engine) maintain() {
	<-e.closing.Done()
}

var _ = context.Background
var _ = time.Now
