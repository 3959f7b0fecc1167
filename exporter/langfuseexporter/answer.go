// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// answer is what the service said to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// verdict is what an answer means for the batch.
type verdict int

const (
	// later: nothing is wrong with the batch; send it again.
	later verdict = iota
	// tooLarge: the batch must be cut.
	tooLarge
	// refused: something in the batch is bad, and the service refuses the whole batch for it.
	refused
	// hopeless: no batch will be taken at this address.
	hopeless
)

// problem is an answer that is no success.
type problem struct {
	verdict verdict
	status  int
	reason  string
	// retryAfter is how long the service asked to wait; 0 when it did not.
	retryAfter time.Duration
	// misconfigured says that a person must change a setting here or at the service. The data is kept meanwhile.
	misconfigured bool
}

func (p *problem) Error() string {
	if p.status == 0 { // it never left
		return p.reason
	}
	text := fmt.Sprintf("the service answered %d %s", p.status, http.StatusText(p.status))
	if p.reason != "" {
		text += ": " + p.reason
	}
	return text
}

// judge gives the problem with an answer, nil for a success.
func judge(a answer, now time.Time) *problem {
	if a.status/100 == 2 {
		return nil
	}
	p := problemOf(a.status)
	p.reason = reasonOf(a)
	if p.verdict == refused && isAboutTheRequest(p.reason) {
		p.verdict, p.misconfigured = later, true
	}
	p.retryAfter = retryAfter(a.header.Get("Retry-After"), now)
	return &p
}

// problemOf judges by the status alone, of a request or of one event in it.
func problemOf(status int) problem {
	p := problem{status: status}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status/100 == 3:
		p.verdict, p.misconfigured = later, true
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500:
		p.verdict = later
	case status == http.StatusRequestEntityTooLarge:
		p.verdict = tooLarge
	case status == http.StatusBadRequest:
		p.verdict = refused
	default:
		p.verdict = hopeless
	}
	return p
}

// isAboutTheRequest tells a 400 that has nothing to do with the spans. No search would find a bad one, and a person can
// mend it: here, or at a proxy on the way.
func isAboutTheRequest(reason string) bool {
	for _, text := range []string{"Invalid content type", "Failed to decompress request body", "Unsupported x-"} {
		if strings.Contains(reason, text) {
			return true
		}
	}
	return false
}

// maxRetryAfter keeps a clock that is wrong, here or there, from stopping the delivery for good.
const maxRetryAfter = time.Hour

// retryAfter reads the header in both of its forms, seconds and a date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	var wait time.Duration
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		wait = date.Sub(now)
	}
	return min(max(wait, 0), maxRetryAfter)
}

// maxReason is how much of what the service says goes into logs.
const maxReason = 500

// reasonOf finds the sentence of the service in its answer. Depending on the route it is under `error` or
// `message`, or the answer is no JSON at all.
func reasonOf(a answer) string {
	if a.status/100 == 3 {
		return "it redirects to " + strconv.Quote(oneLine(a.header.Get("Location")))
	}
	var said struct {
		Message string          `json:"message"`
		Error   json.RawMessage `json:"error"`
		Errors  json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(a.body, &said) != nil {
		return oneLine(string(a.body))
	}
	parts := make([]string, 0, 3)
	if said.Message != "" {
		parts = append(parts, said.Message)
	}
	for _, detail := range []json.RawMessage{said.Error, said.Errors} {
		if text := detailOf(detail); text != "" {
			parts = append(parts, text)
		}
	}
	return oneLine(strings.Join(parts, ": "))
}

func detailOf(detail json.RawMessage) string {
	var text string
	if len(detail) == 0 || json.Unmarshal(detail, &text) == nil {
		return text
	}
	return string(detail)
}

// oneLine makes text of any origin fit for a log.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(text); len(runes) > maxReason {
		return string(runes[:maxReason]) + "…"
	}
	return text
}
