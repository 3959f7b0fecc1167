// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import "net/http"

// withCORS lets web pages of any origin call the API with a key, as browsers' client libraries need it. No cookie is
// ever looked at, so that the key is what protects, here as elsewhere.
func withCORS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if origin != "" {
			header.Set("Access-Control-Allow-Origin", origin)
		}
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		header.Add("Vary", "Access-Control-Request-Headers")
		header.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			header.Set("Access-Control-Allow-Headers", asked)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
