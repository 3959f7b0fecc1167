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

func TestWhatCannotBeStored(t *testing.T) {
	first, last := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2299, 12, 31, 0, 0, 0, 0, time.UTC)
	for _, value := range []Value{ofText("Zürich"), ofTime(first), ofTime(last), ofTime(time.Time{}), ofFloat(math.NaN()), {}} {
		assert.NoError(t, value.Check(first, last), value.Kind)
	}
	assert.EqualError(t, ofText("\xff").Check(first, last), "is not UTF-8")
	assert.EqualError(t, ofTime(first.Add(-1)).Check(first, last), "is in the year 1899")
	assert.EqualError(t, ofTime(last.AddDate(0, 0, 1)).Check(first, last), "is in the year 2300")
}
