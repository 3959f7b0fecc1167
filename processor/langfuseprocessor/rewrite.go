// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// rewrite writes one metadata value in the wanted encoding, or tells that it is to be removed.
func (r *pass) rewrite(kind metadataKind, value pcommon.Value) (remove bool) {
	if value.Type() == pcommon.ValueTypeEmpty && kind == observationMetadata {
		r.tally.nullValue++ // observation metadata has no null; trace metadata writes the word
		return true
	}
	isText, unchanged, ok := r.write(value)
	if !ok {
		r.tally.notANumber++
		return true
	}
	written := r.buf
	if kind == traceMetadata && r.isOverLimit(value, unchanged) {
		switch r.cfg.Metadata.OverLimit {
		case OverLimitDrop:
			r.tally.overLimit++
			return true
		case OverLimitTruncate:
			if unchanged {
				isText = r.compactOrText(value.Str())
			}
			if !r.truncate(isText) {
				r.tally.overLimit++
				return true
			}
			r.tally.truncated++
			written, unchanged = r.shortened, false
		}
	}
	if unchanged {
		r.tally.unchanged++
		return false
	}
	value.SetStr(string(written))
	r.tally.encoded++
	return false
}

// write puts the value, as it is to be written, into buf. unchanged says that the value is a string that
// already is what would be written, and buf was left alone; isText that it is bare text and no JSON.
func (r *pass) write(value pcommon.Value) (isText, unchanged, ok bool) {
	if value.Type() != pcommon.ValueTypeStr {
		r.buf, ok = wire.AppendValue(r.buf[:0], value)
		return false, false, ok
	}
	text := value.Str()
	if r.cfg.Metadata.Encoding == EncodingPlain {
		content, isString := wire.Unquote(text)
		if !isString {
			return true, true, true
		}
		r.buf = append(r.buf[:0], content...)
		return true, false, true
	}
	if r.cfg.Metadata.Strings == StringsAuto {
		if shape, err := wire.Inspect(text); err == nil {
			if shape.Canonical {
				return false, true, true
			}
			r.buf = wire.AppendCompact(r.buf[:0], text)
			return false, false, true
		}
	}
	r.buf = wire.AppendString(r.buf[:0], text)
	return false, false, true
}

func (r *pass) isOverLimit(value pcommon.Value, unchanged bool) bool {
	limit := r.cfg.Metadata.TraceValueLimit
	if limit == 0 {
		return false
	}
	if unchanged {
		text := value.Str()
		return len(text) > limit && utf8.RuneCountInString(text) > limit
	}
	return len(r.buf) > limit && utf8.RuneCount(r.buf) > limit
}

// compactOrText puts a string that was left alone into buf: compact, if it is JSON, so that it can be cut as such.
func (r *pass) compactOrText(text string) (isText bool) {
	if _, err := wire.Inspect(text); err != nil {
		r.buf = append(r.buf[:0], text...)
		return true
	}
	r.buf = wire.AppendCompact(r.buf[:0], text)
	return false
}

// truncate puts as much of buf as the limit allows into shortened; false when nothing that fits is left.
func (r *pass) truncate(isText bool) (ok bool) {
	limit := r.cfg.Metadata.TraceValueLimit
	if !isText {
		r.shortened, ok = wire.AppendTruncated(r.shortened[:0], string(r.buf), limit)
		return ok
	}
	end := 0
	for range limit {
		_, width := utf8.DecodeRune(r.buf[end:])
		end += width
	}
	r.shortened = append(r.shortened[:0], r.buf[:end]...)
	return true
}
