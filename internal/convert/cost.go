// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"math"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// providedCost is the cost that the client or the library reports.
func (s *span) providedCost() model.Costs {
	if s.notNull(keyCostDetails) {
		if details, ok := s.detailsObject(keyCostDetails); ok {
			return costsOf(details)
		}
	}
	for _, k := range [...]key{keyGenAIUsageCost, keyLLMCostTotal} {
		if !s.notNull(k) {
			continue
		}
		if amount, ok := amountOf(nodeOf(s.get(k))); ok {
			return model.Costs{{Key: model.UsageKeyTotal, Amount: amount}}
		}
	}
	return nil
}

func costsOf(details wire.Node) model.Costs {
	var costs model.Costs
	for key, item := range details.Members() {
		if len(costs) >= maxUsageKeys {
			break
		}
		if amount, ok := amountOf(item); ok {
			costs = append(costs, model.CostEntry{Key: key, Amount: amount})
		}
	}
	return costs
}

// maxAmount is the largest cost that is believed of one bucket, in either direction: 999999.999999.
const maxAmount model.Decimal = 999_999_999_999 * 1e6

// amountOf reads an amount of money, which some clients send as text.
func amountOf(node wire.Node) (amount model.Decimal, ok bool) {
	if node.Kind != wire.Number && node.Kind != wire.String {
		return 0, false
	}
	text := strings.TrimSpace(node.Text)
	amount, err := model.ParseDecimal(text)
	if err != nil {
		f, ok := floatOf(pcommon.NewValueStr(text))
		if !ok {
			return 0, false
		}
		amount = model.DecimalFromFloat(math.Max(-1e6, math.Min(1e6, f)))
	}
	return max(-maxAmount, min(maxAmount, amount)), true
}

// withTotalCost adds the sum of input and output if these are all there is. A sum of other buckets might count some
// of them twice.
func withTotalCost(costs model.Costs) model.Costs {
	if len(costs) == 0 {
		return nil
	}
	var total model.Decimal
	for _, entry := range costs {
		if entry.Key != usageInput && entry.Key != usageOutput {
			return costs
		}
		total = total.Plus(entry.Amount)
	}
	return append(slices.Clip(costs), model.CostEntry{Key: model.UsageKeyTotal, Amount: total})
}
