// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

func load(settings map[string]any) (*Config, error) {
	cfg := createDefaultConfig().(*Config)
	if err := confmap.NewFromStringMap(settings).Unmarshal(cfg); err != nil {
		return nil, err
	}
	return cfg, confmap.Validate(cfg)
}

func TestConfigFile(t *testing.T) {
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	sub, err := conf.Sub("langfuse")
	require.NoError(t, err)
	cfg := createDefaultConfig().(*Config)
	require.NoError(t, sub.Unmarshal(cfg))
	require.NoError(t, confmap.Validate(cfg))
	assert.Equal(t, "0.0.0.0:443", cfg.NetAddr.Endpoint)
	assert.True(t, cfg.TrustForwardedHeaders)
	assert.Equal(t, []string{"https://app.example"}, cfg.CORS.Get().AllowedOrigins)
	assert.Equal(t, LimitsConfig{DecompressedSize: 1000, CompressionRatio: 10, BytesInFlight: 5000, ConcurrentRequests: 3, ResponseSize: 4000}, cfg.Limits)
	assert.Equal(t, []string{"shop", "desk"}, []string{cfg.Projects[0].ID, cfg.Projects[1].ID})
	assert.Equal(t, []string{"write"}, cfg.Projects[1].Keys[0].Access)
}

func oneProject(changes map[string]any) map[string]any {
	project := map[string]any{"id": "p", "keys": []any{map[string]any{"public_key": "pk", "secret_key": "sk"}}}
	maps.Copy(project, changes)
	return map[string]any{"projects": []any{project}}
}

func TestDefaults(t *testing.T) {
	cfg, err := load(oneProject(nil))
	require.NoError(t, err)
	assert.Equal(t, "localhost:3000", cfg.NetAddr.Endpoint)
	assert.EqualValues(t, 32<<20, cfg.MaxRequestBodySize)
	assert.Equal(t, time.Minute, cfg.ReadTimeout)
	assert.Equal(t, 10*time.Second, cfg.ReadHeaderTimeout)
	assert.Equal(t, 2*time.Minute, cfg.WriteTimeout)
	assert.Equal(t, "langfuse", cfg.Service)
	assert.Equal(t, component.MustNewID("langfuse_store"), cfg.Store)
	assert.False(t, cfg.storeIsMeant)
	assert.False(t, cfg.TrustForwardedHeaders)
	assert.True(t, cfg.LegacyReads)
	assert.Equal(t, LimitsConfig{DecompressedSize: 128 << 20, CompressionRatio: 500, BytesInFlight: 512 << 20, ConcurrentRequests: 256, ResponseSize: 64 << 20}, cfg.Limits)

	projects, keys := cfg.tenants()
	want := &web.Project{ID: "p", Name: "p", OrganizationID: "default", OrganizationName: "default", Metadata: json.RawMessage("{}")}
	assert.Equal(t, []*web.Project{want}, projects)
	assert.Equal(t, []web.Key{{Project: want, PublicKey: "pk", SecretKey: "sk", MayRead: true, MayWrite: true}}, keys)
}

func TestProjectSettings(t *testing.T) {
	cfg, err := load(map[string]any{
		"store": "langfuse_store/other", "legacy_reads": false,
		"projects": []any{map[string]any{
			"id": "p", "name": "Shop", "organization": map[string]any{"id": "o", "name": "Acme"}, "metadata": map[string]any{"team": "a"},
			"keys": []any{
				map[string]any{"public_key": "pk-1", "secret_key": "sk-1", "access": []any{"read"}},
				map[string]any{"public_key": "pk-2", "secret_key": "sk-2", "access": []any{"write"}},
			},
		}},
	})
	require.NoError(t, err)
	assert.True(t, cfg.storeIsMeant)
	assert.False(t, cfg.LegacyReads)
	assert.Equal(t, component.MustNewIDWithName("langfuse_store", "other"), cfg.Store)
	projects, keys := cfg.tenants()
	want := &web.Project{ID: "p", Name: "Shop", OrganizationID: "o", OrganizationName: "Acme", Metadata: json.RawMessage(`{"team":"a"}`)}
	assert.Equal(t, []*web.Project{want}, projects)
	assert.Equal(t, []web.Key{
		{Project: want, PublicKey: "pk-1", SecretKey: "sk-1", MayRead: true},
		{Project: want, PublicKey: "pk-2", SecretKey: "sk-2", MayWrite: true},
	}, keys)
	assert.NotContains(t, fmt.Sprintf("%v", cfg.Projects), "sk-1")
}

func TestWrongSettings(t *testing.T) {
	key := func(public, secret string, access ...any) any {
		pair := map[string]any{"public_key": public, "secret_key": secret}
		if len(access) > 0 {
			pair["access"] = access
		}
		return pair
	}
	with := func(base map[string]any, name string, value any) map[string]any {
		base[name] = value
		return base
	}
	project := func(id string, keys ...any) any { return map[string]any{"id": id, "keys": keys} }
	development := oneProject(map[string]any{"keys": []any{key("pk-lf-weir-development", "sk-lf-weir-development")}})
	for name, tc := range map[string]struct {
		settings map[string]any
		want     string
	}{
		"no project":       {map[string]any{}, "`projects` must have at least one project with a pair of keys"},
		"no id":            {map[string]any{"projects": []any{project("", key("pk", "sk"))}}, "`projects::0::id` must not be empty"},
		"two of one id":    {map[string]any{"projects": []any{project("p", key("a", "b")), project("p", key("c", "d"))}}, "`projects::1::id` is \"p\", which is the id of another project too"},
		"no keys":          {map[string]any{"projects": []any{project("p")}}, "`projects::0::keys` must have at least one pair of keys"},
		"no public key":    {map[string]any{"projects": []any{project("p", key("", "sk"))}}, "`projects::0::keys::0::public_key` must not be empty"},
		"a colon in a key": {map[string]any{"projects": []any{project("p", key("a:b", "sk"))}}, "`projects::0::keys::0::public_key` must have no colon and no blank, or nobody could log in with it"},
		"no access":        {map[string]any{"projects": []any{project("p", map[string]any{"public_key": "a", "secret_key": "b", "access": []any{}})}}, "`projects::0::keys::0::access` must name `read` or `write`; leave it out for both"},
		"a large answer":   {with(oneProject(nil), "limits", map[string]any{"max_response_size": 1 << 40}), "`max_bytes_in_flight` (536870912) must be at least `max_response_size` (1099511627776)"},
		"no secret key":    {map[string]any{"projects": []any{project("p", key("pk", ""))}}, "`projects::0::keys::0::secret_key` must not be empty"},
		"a key twice":      {map[string]any{"projects": []any{project("p", key("a", "b")), project("q", key("a", "d"))}}, "`projects::1::keys::0::public_key` is there twice: a key pair belongs to one project"},
		"another access":   {map[string]any{"projects": []any{project("p", key("a", "b", "admin"))}}, "`projects::0::keys::0::access` is a list of `read` and `write`, found \"admin\""},
		"no endpoint":      {with(oneProject(nil), "endpoint", ""), "`endpoint` must be the address to listen at, such as localhost:3000"},
		"service":          {with(oneProject(nil), "service", "Lang Fuse"), "`service` must be a lower-case name"},
		"auth":             {with(oneProject(nil), "auth", map[string]any{"authenticator": "basicauth"}), "`auth` has no place here: the keys of `projects` let callers in"},
		"algorithms":       {with(oneProject(nil), "compression_algorithms", []any{"gzip"}), "`compression_algorithms` has no place here"},
		"a limit":          {with(oneProject(nil), "limits", map[string]any{"max_compression_ratio": 0}), "`max_compression_ratio` must be positive, found 0"},
		"bytes in flight":  {with(oneProject(nil), "limits", map[string]any{"max_bytes_in_flight": 1}), "`max_bytes_in_flight` (1) must be at least `max_decompressed_size` (134217728)"},
		"development keys": {with(development, "endpoint", "0.0.0.0:3000"), "`projects` has the keys for development, which everybody knows, and `endpoint` 0.0.0.0:3000 can be reached from other machines: set keys of your own"},
		"an unknown key":   {with(oneProject(nil), "project", 1), "has invalid keys: project"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(tc.settings)
			assert.ErrorContains(t, err, tc.want)
		})
	}
}

func TestDevelopmentKeysOnTheOwnMachine(t *testing.T) {
	for endpoint, fine := range map[string]bool{
		"localhost:3000": true, "127.0.0.1:3000": true, "127.0.0.53:3000": true, "[::1]:3000": true,
		"0.0.0.0:3000": false, ":3000": false, "[::]:3000": false, "192.168.1.2:3000": false, "weir.example:3000": false,
	} {
		for _, keys := range [][2]string{{developmentPublicKey, "own"}, {"own", developmentSecretKey}} {
			settings := oneProject(map[string]any{"keys": []any{map[string]any{"public_key": keys[0], "secret_key": keys[1]}}})
			settings["endpoint"] = endpoint
			_, err := load(settings)
			assert.Equal(t, fine, err == nil, "%s: %v", endpoint, err)
		}
	}
}

func TestWhichPagesMayCall(t *testing.T) {
	development := oneProject(map[string]any{"keys": []any{map[string]any{"public_key": developmentPublicKey, "secret_key": developmentSecretKey}}})
	cfg, err := load(development)
	require.NoError(t, err)
	assert.True(t, cfg.hasDevelopmentKeys())
	assert.Equal(t, web.CORS{Origins: loopbackOrigins}, cfg.cors())
	cfg, err = load(oneProject(nil))
	require.NoError(t, err)
	assert.Equal(t, web.CORS{}, cfg.cors(), "all")
	own := oneProject(nil)
	own["cors"] = map[string]any{"allowed_origins": []any{"https://app.example"}, "allowed_headers": []any{"*"}, "exposed_headers": []any{"X-Request-Id"}, "max_age": 5}
	cfg, err = load(own)
	require.NoError(t, err)
	assert.Equal(t, web.CORS{Origins: []string{"https://app.example"}, Exposed: []string{"X-Request-Id"}, MaxAge: 5}, cfg.cors())
	own["cors"] = map[string]any{}
	cfg, err = load(own)
	require.NoError(t, err)
	assert.Equal(t, []string{}, cfg.cors().Origins, "none")
}
