// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// bind puts values in place of question marks. That is done here, because the driver cuts times to seconds, and ClickHouse
// takes parameters of its own only with their types.
func bind(statement string, args []any) (string, error) {
	if n := strings.Count(statement, "?"); n != len(args) {
		return "", fmt.Errorf("the statement has %d placeholders for %d values", n, len(args))
	}
	var text strings.Builder
	for _, arg := range args {
		before, after, _ := strings.Cut(statement, "?")
		text.WriteString(before)
		if err := writeLiteral(&text, arg); err != nil {
			return "", err
		}
		statement = after
	}
	text.WriteString(statement)
	return text.String(), nil
}

func writeLiteral(text *strings.Builder, value any) error {
	switch v := value.(type) {
	case nil:
		text.WriteString("NULL")
	case string:
		text.WriteString(quote(v))
	case bool:
		text.WriteString(strconv.FormatBool(v))
	case int:
		text.WriteString(strconv.Itoa(v))
	case int64:
		text.WriteString(strconv.FormatInt(v, 10))
	case uint64:
		text.WriteString(strconv.FormatUint(v, 10))
	case float64:
		text.WriteString(floatLiteral(v))
	case time.Time:
		// As a text, which is compared with a time as one. Of a time, ClickHouse itself makes a text for other shards, and writes
		// that of 1970 in a way that it cannot read.
		text.WriteString(quote(timeText(v)))
	default:
		return fmt.Errorf("a statement cannot have a %T", value)
	}
	return nil
}

// firstTime and lastTime are what a time in ClickHouse can be.
var (
	firstTime = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(2299, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
)

// timeText is a time, or the nearest that ClickHouse has: for a bound that makes no difference.
func timeText(t time.Time) string {
	t = t.UTC()
	switch {
	case t.Before(firstTime):
		t = firstTime
	case t.After(lastTime):
		t = lastTime
	}
	return t.Format("2006-01-02 15:04:05.000000")
}

func floatLiteral(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	default:
		return "toFloat64(" + strconv.FormatFloat(v, 'e', -1, 64) + ")"
	}
}

var quoter = strings.NewReplacer(`\`, `\\`, "'", `\'`)

// quote makes a literal of a text. ClickHouse takes every byte in it for itself but these two.
func quote(text string) string { return "'" + quoter.Replace(text) + "'" }
