// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// defaultLimit is how many rows a page has when nothing is said.
const defaultLimit = 50

// pageBody is a page of a list whose pages have numbers.
type pageBody[T any] struct {
	Data []T      `json:"data"`
	Meta pageMeta `json:"meta"`
	noticed
}

// pageMeta must be complete: a client library that misses the number of pages asks without end.
type pageMeta struct {
	Page       int `json:"page"`
	Limit      int `json:"limit"`
	TotalItems int `json:"totalItems"`
	TotalPages int `json:"totalPages"`
}

func newPageMeta(page, limit, total int) pageMeta {
	return pageMeta{Page: page, Limit: limit, TotalItems: total, TotalPages: (total + limit - 1) / limit}
}

// newPage shows the rows of a list.
func newPage[T, B any](list catalog.List[T], page catalog.Page, show func(*T) B) *pageBody[B] {
	return paged(list.Rows, validation.Page(page), int64(list.Total), show)
}

// paged shows rows as a page of a list.
func paged[T, B any](rows []T, page validation.Page, total int64, show func(*T) B) *pageBody[B] {
	body := &pageBody[B]{Data: make([]B, len(rows)), Meta: newPageMeta(page.Number, page.Limit, int(total))}
	for i := range rows {
		body.Data[i] = show(&rows[i])
	}
	return body
}

// pageParams are the parameters of a list that has no others.
func pageParams(r *web.Request) (catalog.Page, error) {
	p := validation.NewParams(r.URL.RawQuery)
	page := catalog.Page(p.Page(defaultLimit))
	return page, p.Err()
}

// textParam is a parameter that is as good as not sent when it is empty.
func textParam(p *validation.Params, name string) string {
	text, _ := p.Text(name)
	return text
}
