// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// mark stands for an expression in a text.
const mark = "\x00"

func cutAtMark(text string) (before, after string, found bool) { return strings.Cut(text, mark) }

func (dialect) FirstText(s *sqlstore.Statement, expression func()) { textAt(s, "argMin", expression) }

func (dialect) LastText(s *sqlstore.Statement, expression func()) { textAt(s, "argMax", expression) }

// textAt relies on both functions passing over NULL.
func textAt(s *sqlstore.Statement, function string, expression func()) {
	s.Write("coalesce(", function, "(nullIf(")
	expression()
	s.Write(", ''), (start_time, trace_id, id)), '')")
}

func (dialect) ListUnion(s *sqlstore.Statement, column string) {
	s.Write("coalesce(nullIf(toJSONString(arraySort(arrayDistinct(arrayFlatten(groupArray(", texts(column), "))))), '[]'), '')")
}

func (dialect) Sum(s *sqlstore.Statement, expression string) {
	s.Write("sum(toInt128(", expression, "))")
}

func (dialect) ExactSum(s *sqlstore.Statement, expression string) {
	s.Write("toString(sum(toInt128(", expression, ")))")
}

func (dialect) Quantile(s *sqlstore.Statement, fraction float64, expression string) {
	s.Write("quantileExactInclusive(", strconv.FormatFloat(fraction, 'f', -1, 64), ")(toFloat64(", expression, "))")
}

var buckets = map[query.Granularity]string{
	query.GranularityMinute: "toStartOfMinute", query.GranularityHour: "toStartOfHour", query.GranularityDay: "toStartOfDay",
	query.GranularityWeek: "toMonday", query.GranularityMonth: "toStartOfMonth",
}

func (dialect) Bucket(s *sqlstore.Statement, granularity query.Granularity, expression string) {
	s.Write("toDateTime64(", buckets[granularity], "(", expression, "), 6, 'UTC')")
}

func (dialect) Date(s *sqlstore.Statement, expression string) {
	s.Write("formatDateTime(", expression, ", '%Y-%m-%d')")
}

func (dialect) ExplodeList(s *sqlstore.Statement, column, alias string) {
	s.Write("arrayJoin(", texts(column), ") AS ", alias)
}

func (dialect) ExplodeKeys(s *sqlstore.Statement, column, alias string) {
	s.Write("arrayJoin(")
	keys(s, column)
	s.Write(") AS ", alias)
}

// numbered matches a member of an object of numbers. The text is ours, without blanks and exponents, and so is a sequence of
// what this matches.
const numbered = `"((?:[^"\\]|\\.)*)":(-?[0-9.]+)`

// ExplodeNumbers takes the numbers from the text and moves their digits, because ClickHouse reads those in JSON as floats.
// Twice the same arrayJoin is one.
func (dialect) ExplodeNumbers(s *sqlstore.Statement, column, keyAlias, valueAlias string, places int) {
	pair := func() { s.Write("arrayJoin(extractAllGroupsVertical(", column, ", ").Arg(numbered).Write("))") }
	digits := func() {
		s.Write("splitByChar('.', ")
		pair()
		s.Write("[2])")
	}
	s.Write("JSONExtractString(concat('\"', ")
	pair()
	s.Write("[1], '\"')) AS ", keyAlias, ", toInt64(concat(")
	digits()
	s.Write("[1], rightPad(")
	digits()
	s.Write("[2], ", strconv.Itoa(places), ", '0'))) AS ", valueAlias)
}
