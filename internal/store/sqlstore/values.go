// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// Lists and maps are stored as JSON text: it is appended faster than typed columns and filtered as fast. Nothing is
// stored as an empty text.

func encodeTexts(list []string) string {
	if len(list) == 0 {
		return ""
	}
	var usual [256]byte
	dst := append(usual[:0], '[')
	for i, text := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, text)
	}
	return string(append(dst, ']'))
}

// encodePairs writes an object; value appends the value of the i-th pair.
func encodePairs(n int, key func(int) string, value func([]byte, int) []byte) string {
	if n == 0 {
		return ""
	}
	dst := append(make([]byte, 0, 128), '{')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, key(i))
		dst = append(dst, ':')
		dst = value(dst, i)
	}
	return string(append(dst, '}'))
}

func encodeUsage(u model.Usage) string {
	return encodePairs(len(u), func(i int) string { return u[i].Key },
		func(dst []byte, i int) []byte { return strconv.AppendInt(dst, u[i].Units, 10) })
}

func encodeCosts(c model.Costs) string {
	return encodePairs(len(c), func(i int) string { return c[i].Key },
		func(dst []byte, i int) []byte { return c[i].Amount.Append(dst) })
}

func encodeNamed(named []model.NamedText) string {
	return encodePairs(len(named), func(i int) string { return named[i].Name },
		func(dst []byte, i int) []byte { return wire.AppendString(dst, named[i].Text) })
}

// stored decodes what the functions above wrote, as large as it may be.
func stored(src any) (wire.Node, error) {
	text, err := asText(src)
	if err != nil || text == "" {
		return wire.Node{}, err
	}
	return wire.Decode(text, wire.Limits{Bytes: len(text), Values: len(text)})
}

func asText(src any) (string, error) {
	switch v := src.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case nil:
		return "", nil
	default:
		return "", fmt.Errorf("cannot read a text from %T", src)
	}
}

type textList []string

func (l *textList) Scan(src any) error {
	node, err := stored(src)
	*l = nil
	for _, item := range node.Items {
		*l = append(*l, item.Text)
	}
	return err
}

type usageMap model.Usage

func (u *usageMap) Scan(src any) error {
	node, err := stored(src)
	*u = nil
	for i, item := range node.Items {
		units, parseErr := strconv.ParseInt(item.Text, 10, 64)
		if parseErr != nil {
			return parseErr
		}
		*u = append(*u, model.UsageEntry{Key: node.Keys[i], Units: units})
	}
	return err
}

type costMap model.Costs

func (c *costMap) Scan(src any) error {
	node, err := stored(src)
	*c = nil
	for i, item := range node.Items {
		amount, parseErr := model.ParseDecimal(item.Text)
		if parseErr != nil {
			return parseErr
		}
		*c = append(*c, model.CostEntry{Key: node.Keys[i], Amount: amount})
	}
	return err
}

type namedTexts []model.NamedText

func (n *namedTexts) Scan(src any) error {
	node, err := stored(src)
	*n = nil
	for i, item := range node.Items {
		*n = append(*n, model.NamedText{Name: node.Keys[i], Text: item.Text})
	}
	return err
}

// moment is a time that may be absent, in UTC.
type moment time.Time

func (m *moment) Scan(src any) error {
	var t sql.NullTime
	if err := t.Scan(src); err != nil {
		return err
	}
	*m = moment{}
	if t.Valid {
		*m = moment(t.Time.UTC())
	}
	return nil
}

func nullTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// optionalInt is an integer that may be absent.
type optionalInt struct {
	target **int
}

func (o *optionalInt) Scan(src any) error {
	var n sql.NullInt64
	if err := n.Scan(src); err != nil {
		return err
	}
	*o.target = nil
	if n.Valid {
		value := int(n.Int64)
		*o.target = &value
	}
	return nil
}

func nullInt(n *int) any {
	if n == nil {
		return nil
	}
	return int32(*n)
}
