// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"net/http"
	"strings"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// encoding is one of the two forms of OTLP over HTTP.
type encoding int

const (
	protobuf encoding = iota + 1
	jsonText
)

const (
	contentTypeProtobuf = "application/x-protobuf"
	contentTypeJSON     = "application/json"
)

// encodingOf goes by the content type, which may name a character set too.
func encodingOf(r *web.Request) (encoding, error) {
	contentType := strings.ToLower(r.Header.Get("Content-Type"))
	switch {
	case strings.Contains(contentType, contentTypeProtobuf):
		return protobuf, nil
	case strings.Contains(contentType, contentTypeJSON):
		return jsonText, nil
	default:
		return 0, web.BadRequest("Invalid content type")
	}
}

// format is the name of the encoding in the receiver's metrics.
func (e encoding) format() string {
	if e == protobuf {
		return "protobuf"
	}
	return "json"
}

// success is an export response without a word, in the form of the request.
func (e encoding) success() web.Reply {
	if e == protobuf {
		return web.Reply{Status: http.StatusOK, Content: []byte{}, ContentType: contentTypeProtobuf}
	}
	return web.JSON(struct{}{})
}
