// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"
)

// Access is what a route asks of a caller.
type Access int

const (
	// Open is for everybody.
	Open Access = iota
	// Signed is for everybody whose address the handler finds to be signed.
	Signed
	// Read is for key pairs that may read.
	Read
	// Write is for key pairs that may write.
	Write
	// WriteScores is Write, but the public key alone is enough.
	WriteScores
)

// Key is a key pair of a project and what it is good for.
type Key struct {
	Project   *Project
	PublicKey string
	SecretKey string
	MayRead   bool
	MayWrite  bool
}

// Keyring knows all key pairs. Secrets are kept as digests: these have one length, so that comparing takes the same time
// whatever was sent, and a dump of the memory shows none.
type Keyring struct {
	keys map[string]keyDigest
	// nobody is compared with when there is no such public key, so that this takes as long.
	nobody keyDigest
}

type keyDigest struct {
	Key
	secret [sha256.Size]byte
}

// NewKeyring makes a ring of keys with different public keys.
func NewKeyring(keys []Key) *Keyring {
	ring := &Keyring{keys: make(map[string]keyDigest, len(keys))}
	for _, key := range keys {
		digest := keyDigest{Key: key, secret: sha256.Sum256([]byte(key.SecretKey))}
		digest.SecretKey = ""
		ring.keys[key.PublicKey] = digest
	}
	return ring
}

// The texts that client libraries and their users know.
const (
	noHeader        = "No authorization header"
	otherScheme     = "Invalid authorization header"
	malformed       = "Invalid authorization header. Confirm that you've configured the correct host."
	wrongKeys       = "Invalid credentials. Confirm that you've configured the correct host."
	wrongPublicKey  = "Invalid public key. Confirm that you've configured the correct host."
	publicKeyDenied = "Access denied - insufficient permissions for this endpoint"
)

// errPublicKeyDenied is for who shows the public key alone where both are needed.
var errPublicKeyDenied = forbidden(publicKeyDenied)

func unauthorized(message string) *Error { return NewError(http.StatusUnauthorized, message) }
func forbidden(message string) *Error    { return NewError(http.StatusForbidden, message) }

// admit tells who is behind an Authorization header, if the route is for that caller.
func (k *Keyring) admit(header string, needs Access) (*Caller, error) {
	basic, isBasic := strings.CutPrefix(header, "Basic ")
	bearer, isBearer := strings.CutPrefix(header, "Bearer ")
	switch {
	case header == "":
		return nil, unauthorized(noHeader)
	case isBasic:
		return k.admitPair(basic, needs)
	case isBearer:
		return k.admitPublic(bearer, needs)
	default:
		return nil, unauthorized(otherScheme)
	}
}

func (k *Keyring) admitPair(encoded string, needs Access) (*Caller, error) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded) // strict: a pair has one spelling
	if err != nil {
		return nil, unauthorized(malformed)
	}
	public, secret, ok := strings.Cut(string(decoded), ":")
	if !ok || public == "" || secret == "" {
		return nil, unauthorized(malformed)
	}
	key, known := k.keys[public]
	if !known {
		key = k.nobody
	}
	digest := sha256.Sum256([]byte(secret))
	if subtle.ConstantTimeCompare(digest[:], key.secret[:]) != 1 || !known {
		return nil, unauthorized(wrongKeys)
	}
	return key.caller(needs, false)
}

func (k *Keyring) admitPublic(public string, needs Access) (*Caller, error) {
	key, known := k.keys[public]
	switch {
	case !known:
		return nil, unauthorized(wrongPublicKey)
	case needs != WriteScores:
		return nil, errPublicKeyDenied
	default:
		return key.caller(needs, true)
	}
}

func (k keyDigest) caller(needs Access, scoresOnly bool) (*Caller, error) {
	switch {
	case needs == Read && !k.MayRead:
		return nil, forbidden("Access denied - the key " + k.PublicKey + " may not read: add `read` to its `access`")
	case needs != Read && !k.MayWrite:
		return nil, forbidden("Access denied - the key " + k.PublicKey + " may not write: add `write` to its `access`")
	}
	return &Caller{Project: k.Project, PublicKey: k.PublicKey, ScoresOnly: scoresOnly}, nil
}
