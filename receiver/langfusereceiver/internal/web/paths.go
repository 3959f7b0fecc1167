// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-chi/chi/v5"
)

// onEscapedPath routes on the path as it was sent, so that a name with an escaped slash stays one part. One client
// library doubles the first slash when its base address ends in one.
func onEscapedPath(router *chi.Mux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/")
		routing := chi.NewRouteContext()
		routing.RoutePath = path
		if short := strings.TrimRight(path, "/"); short != path && short != "" {
			if !router.Match(chi.NewRouteContext(), r.Method, path+"x") && router.Match(chi.NewRouteContext(), r.Method, short) {
				redirect(w, r, short)
				return
			}
		}
		routed := r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, routing))
		router.ServeHTTP(w, routed)
		r.Pattern = routed.Pattern // whoever measures requests sees this one
	})
}

// redirect sends a caller from a path with a slash at its end to the one without. Where something with a name could
// follow the slash, an empty name is meant, and not the list of all.
func redirect(w http.ResponseWriter, r *http.Request, path string) {
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, path, http.StatusPermanentRedirect) //nolint:gosec // a path of ours: it has a route
}

// IsLoopback tells whether a host, with a port or without, is the own machine.
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// onLoopbackHosts refuses requests that name another host than the own machine. A page from elsewhere can make a browser
// send such requests here, by giving its own name the address of the machine.
func onLoopbackHosts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if IsLoopback(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		denied := forbidden("The keys for development are good on the own machine only, and the request was sent to " + r.Host + ": call localhost, or set keys of your own")
		reply := Reply{Status: denied.Status, Value: StyleMessage.body(denied)}
		_ = reply.write(w, r, nil)
	})
}
