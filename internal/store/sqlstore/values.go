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

// appendKey begins the next pair of an object, whose first byte it writes too.
func appendKey(dst []byte, key string) []byte {
	if len(dst) == 0 {
		dst = append(dst, '{')
	} else {
		dst = append(dst, ',')
	}
	return append(wire.AppendString(dst, key), ':')
}

// object ends an object; one without pairs is nothing.
func object(dst []byte) string {
	if len(dst) == 0 {
		return ""
	}
	return string(append(dst, '}'))
}

func encodeUsage(u model.Usage) string {
	var usual [256]byte // on the stack, as below: most objects fit, and are copied once
	dst := usual[:0]
	for _, e := range u {
		dst = strconv.AppendInt(appendKey(dst, e.Key), e.Units, 10)
	}
	return object(dst)
}

func encodeCosts(c model.Costs) string {
	var usual [256]byte
	dst := usual[:0]
	for _, e := range c {
		dst = e.Amount.Append(appendKey(dst, e.Key))
	}
	return object(dst)
}

func encodeNamed(named []model.NamedText) string {
	var usual [256]byte
	dst := usual[:0]
	for _, n := range named {
		dst = wire.AppendString(appendKey(dst, n.Name), n.Text)
	}
	return object(dst)
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
