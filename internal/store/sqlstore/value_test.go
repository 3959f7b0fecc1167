// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestValues(t *testing.T) {
	now, version := time.Now(), -3
	for _, c := range []struct {
		value Value
		kind  Kind
		want  any
	}{
		{ofText("a"), KindText, "a"},
		{ofFlag(true), KindFlag, true},
		{ofFlag(false), KindFlag, false},
		{ofInt64(math.MinInt64), KindInt64, int64(math.MinInt64)},
		{ofFloat(-0.5), KindFloat, -0.5},
		{ofTime(now), KindTime, now},
		{ofTime(time.Time{}), KindTime, time.Time{}},
		{ofOptionalTime(now), KindTime, now},
		{ofOptionalTime(time.Time{}), KindNull, nil},
		{ofOptionalInt(&version), KindInt32, int32(-3)},
		{ofOptionalInt(nil), KindNull, nil},
	} {
		assert.Equal(t, c.kind, c.value.Kind)
		assert.Equal(t, c.want, c.value.Any(), c.kind)
	}
	assert.Equal(t, "NULL", KindNull.String())
	assert.Equal(t, "time", KindTime.String())
}
