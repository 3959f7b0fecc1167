// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Grant is what an address is good for.
type Grant struct {
	// Method is that of HTTP: who may read must not write.
	Method  string
	Project string
	ID      string
	// Expires is in whole seconds.
	Expires time.Time
}

// The errors of an address.
var (
	ErrForged  = errors.New("the address was not signed here")
	ErrExpired = errors.New("the address has expired")
)

// Sign gives a grant its end and the signature that goes with it.
func (s *Store) Sign(grant Grant) (expires time.Time, signature string) {
	grant.Expires = s.settings.Now().Add(s.settings.Lifetime).Truncate(time.Second)
	return grant.Expires.UTC(), base64.RawURLEncoding.EncodeToString(s.mac(grant))
}

// Verify tells whether a grant was signed here and is still good.
func (s *Store) Verify(grant Grant, signature string) error {
	given, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	switch {
	case err != nil || !hmac.Equal(given, s.mac(grant)):
		return ErrForged
	case !s.settings.Now().Before(grant.Expires):
		return ErrExpired
	default:
		return nil
	}
}

// mac signs the fields of a grant, quoted so that no two grants read the same.
func (s *Store) mac(grant Grant) []byte {
	mac := hmac.New(sha256.New, s.key)
	for _, field := range []string{"media", grant.Method, grant.Project, grant.ID, strconv.FormatInt(grant.Expires.Unix(), 10)} {
		mac.Write(strconv.AppendQuote(nil, field))
	}
	return mac.Sum(nil)
}

const (
	keyFile = "signing.key"
	keySize = 32
)

// loadKey reads the key that signs addresses. It is made once: addresses that are out stay good when the process restarts.
func (s *Store) loadKey() ([]byte, error) {
	path := filepath.Join(s.settings.Dir, keyFile)
	text, err := os.ReadFile(path) //nolint:gosec // a fixed name in a folder of ours
	if errors.Is(err, os.ErrNotExist) {
		return s.makeKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read the key that signs addresses of media: %w", err)
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%s holds no key: delete it, and a new one is made; addresses of media that are out stop working", path)
	}
	return key, nil
}

// makeKey makes a key, unless another process that shares the folder was faster.
func (s *Store) makeKey(path string) ([]byte, error) {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	file, err := os.CreateTemp(filepath.Join(s.settings.Dir, unfinished), keyFile+"-*")
	if err != nil {
		return nil, fmt.Errorf("failed to make the key that signs addresses of media: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(hex.EncodeToString(key) + "\n")
	if err == nil {
		err = s.settle(file, path, os.Link) // which fails where there is one, as a rename does not
	}
	switch {
	case errors.Is(err, os.ErrExist):
		return s.loadKey()
	case err != nil:
		return nil, fmt.Errorf("failed to make the key that signs addresses of media: %w", err)
	}
	return key, nil
}
