// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"net/http"
	"strconv"
	"strings"
)

// CORS says which web pages may call the API. No cookie is ever looked at, so that the key is what protects, here as
// elsewhere.
type CORS struct {
	// Origins are those of the pages; a * stands for anything. Nil are all, which is what browsers' client libraries need.
	Origins []string
	// Headers are those that pages may send, and Exposed those that they may see; without Headers all may be sent.
	Headers []string
	Exposed []string
	// MaxAge is for how many seconds a browser may remember it.
	MaxAge int
}

// handler answers the questions of browsers.
func (c CORS) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		allowed := origin != "" && c.allows(origin)
		if allowed {
			header.Set("Access-Control-Allow-Origin", origin)
			if len(c.Exposed) > 0 {
				header.Set("Access-Control-Expose-Headers", strings.Join(c.Exposed, ", "))
			}
		}
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		header.Add("Vary", "Access-Control-Request-Headers")
		if allowed {
			c.permit(header, r.Header.Get("Access-Control-Request-Headers"))
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// permit says what a page may do.
func (c CORS) permit(header http.Header, asked string) {
	header.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
	if len(c.Headers) > 0 {
		asked = strings.Join(c.Headers, ", ")
	}
	if asked != "" {
		header.Set("Access-Control-Allow-Headers", asked)
	}
	if c.MaxAge > 0 {
		header.Set("Access-Control-Max-Age", strconv.Itoa(c.MaxAge))
	}
}

func (c CORS) allows(origin string) bool {
	if c.Origins == nil {
		return true
	}
	for _, pattern := range c.Origins {
		before, after, wild := strings.Cut(pattern, "*")
		if !wild && strings.EqualFold(pattern, origin) ||
			wild && len(origin) >= len(before)+len(after) && strings.HasPrefix(origin, before) && strings.HasSuffix(origin, after) {
			return true
		}
	}
	return false
}
