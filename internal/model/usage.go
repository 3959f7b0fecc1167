// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

// UsageKeyTotal is the key under which usage and cost have their sum.
const UsageKeyTotal = "total"

// Usage is a number of units for each usage key, in the order in which the keys came; no key twice.
type Usage []UsageEntry

// UsageEntry is the units of one usage key.
type UsageEntry struct {
	Key   string
	Units int64
}

// Get returns the units of a key.
func (u Usage) Get(key string) (units int64, ok bool) {
	for _, e := range u {
		if e.Key == key {
			return e.Units, true
		}
	}
	return 0, false
}

// Costs is an amount of US dollars for each usage key, in the order in which the keys came; no key twice.
type Costs []CostEntry

// CostEntry is the amount for one usage key.
type CostEntry struct {
	Key    string
	Amount Decimal
}

// Get returns the amount for a key.
func (c Costs) Get(key string) (amount Decimal, ok bool) {
	for _, e := range c {
		if e.Key == key {
			return e.Amount, true
		}
	}
	return 0, false
}
