// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configauth"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/confmap"
	"go.uber.org/zap/zapcore"
)

func TestCredentialsRefusedAndAcceptedAgain(t *testing.T) {
	no := reply{status: 401, body: `{"message":"Invalid credentials. Confirm that you've configured the correct host."}`}
	service := newFakeService(t, no, no, no, no)
	h := newHarness(t)
	e := h.traces(testConfig(service.URL))
	for i := range 3 {
		require.NoError(t, e.ConsumeTraces(t.Context(), spans(i*4, 4)))
	}
	assert.Equal(t, once(0, 12), service.arrived())
	assert.Equal(t, map[string]int64{"": 1}, h.metric("auth_state"))

	assert.Equal(t, 1, h.logged("The service does not take data from here."), "once, not with each attempt")
	assert.Equal(t, 1, h.logged("The service accepts the credentials again."))
	assert.Zero(t, h.logged("Exporting failed"), "nor does the retry loop speak of it")
	sentence := h.logs.FilterMessage("The service does not take data from here.").All()[0].ContextMap()["error"].(string)
	assert.Equal(t, "the service answered 401 Unauthorized: Invalid credentials. Confirm that you've configured the correct host.: "+
		"check `public_key` and `secret_key`, and that `endpoint` is the region or installation in which the project lives; "+
		"everything is kept and sent again until then", sentence)

	require.Len(t, h.host.events, 2)
	assert.Equal(t, componentstatus.StatusRecoverableError, h.host.events[0].Status())
	assert.EqualError(t, h.host.events[0].Err(), sentence)
	assert.Equal(t, componentstatus.StatusOK, h.host.events[1].Status())
}

func TestAuthStateWhileRefused(t *testing.T) {
	service := newFakeService(t, reply{status: 403})
	h := newHarness(t)
	e := h.traces(testConfig(service.URL, func(c *Config) { c.RetryConfig.Enabled = false }))
	assert.Empty(t, h.metric("auth_state"), "unknown until the service spoke")
	require.Error(t, e.ConsumeTraces(t.Context(), spans(0, 1)))
	assert.Equal(t, map[string]int64{"": 0}, h.metric("auth_state"))
	assert.Contains(t, h.host.events[0].Err().Error(), "use a project key with write access")
}

// The signals of one exporter share what they know: it is verified once, told once, and reported for both.
func TestSignalsShareTheService(t *testing.T) {
	service := newFakeService(t)
	h := newHarness(t)
	cfg := testConfig(service.URL, func(c *Config) { c.Verify = true })
	factory := NewFactory()
	traces, err := factory.CreateTraces(t.Context(), h.set, cfg)
	require.NoError(t, err)
	logs, err := factory.CreateLogs(t.Context(), h.set, cfg)
	require.NoError(t, err)
	h.startAndStop(traces)
	h.startAndStop(logs)
	require.Eventually(t, func() bool { return h.logged("The service accepts the keys.") == 1 }, 10*time.Second, time.Millisecond)

	service.script = []reply{{status: 401}, {status: 401}}
	require.NoError(t, traces.ConsumeTraces(t.Context(), spans(0, 1)))
	require.NoError(t, logs.ConsumeLogs(t.Context(), scoreLogs(numbered(1)...)))
	assert.Equal(t, 1, h.logged("The service does not take data from here."))
	assert.Len(t, h.host.events, 4, "two changes, for two signals")
	assert.Len(t, service.seen(), 1+3+1, "one look at the project, three attempts for spans, one for scores")
	assert.Equal(t, map[string]int64{"": 1}, h.metric("auth_state"))
}

// Another server at that address says nothing about credentials either.
func TestOnlySuccessIsAcceptance(t *testing.T) {
	service := newFakeService(t, reply{status: 401}, reply{status: 404})
	h := newHarness(t)
	require.Error(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 1)))
	assert.Equal(t, map[string]int64{"": 0}, h.metric("auth_state"))
	assert.Zero(t, h.logged("The service accepts the credentials again."))
}

func TestWhatIsPromised(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"everything is kept and sent again until then":                       func(*Config) {},
		"until then each batch is kept for 1ms":                              func(c *Config) { c.RetryConfig.MaxElapsedTime = time.Millisecond },
		"until then every batch is refused, since `retry_on_failure` is off": func(c *Config) { c.RetryConfig.Enabled = false },
	} {
		service := newFakeService(t, reply{status: 401})
		h := newHarness(t)
		_ = h.traces(testConfig(service.URL, change)).ConsumeTraces(t.Context(), spans(0, 1))
		assert.Contains(t, h.host.events[0].Err().Error(), want)
	}
}

// authenticator is an extension that signs requests in its own way.
type authenticator struct {
	component.StartFunc
	component.ShutdownFunc
}

func (authenticator) RoundTripper(base http.RoundTripper) (http.RoundTripper, error) {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		r.Header.Set("X-Signed", "yes")
		return base.RoundTrip(r)
	}), nil
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type hostWithExtension struct {
	component.Host
	id component.ID
}

func (h hostWithExtension) GetExtensions() map[component.ID]component.Component {
	return map[component.ID]component.Component{h.id: authenticator{}}
}

func TestAuthenticatorInsteadOfKeys(t *testing.T) {
	service := newFakeService(t)
	id := component.MustNewID("signer")
	cfg := testConfig(service.URL, func(c *Config) {
		c.PublicKey, c.SecretKey = "", ""
		c.ClientConfig.Auth = configoptional.Some(configauth.Config{AuthenticatorID: id})
	})
	require.NoError(t, confmap.Validate(cfg))
	e, err := NewFactory().CreateTraces(t.Context(), newHarness(t).set, cfg)
	require.NoError(t, err)
	require.NoError(t, e.Start(t.Context(), hostWithExtension{componenttest.NewNopHost(), id}))
	require.NoError(t, e.ConsumeTraces(t.Context(), spans(0, 1)))
	assert.Equal(t, "yes", service.seen()[0].header.Get("X-Signed"))
	assert.Empty(t, service.seen()[0].header.Get("Authorization"))
	require.NoError(t, e.Shutdown(t.Context()))
}

// A server in trouble says nothing about credentials, neither good nor bad.
func TestTroubleDoesNotChangeTheStanding(t *testing.T) {
	service := newFakeService(t, reply{status: 401}, reply{status: 503}, reply{cut: true}, reply{status: 401})
	h := newHarness(t)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 1)))
	assert.Equal(t, 1, h.logged("The service does not take data from here."))
	assert.Equal(t, 1, h.logged("The service accepts the credentials again."))
	assert.Equal(t, 2, h.logged("Exporting failed. Will retry the request after interval."), "of the trouble, the retry loop speaks")
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var thief http.Header
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { thief = r.Header }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		service := newFakeService(t, reply{status: status, header: map[string]string{"Location": elsewhere.URL + "/login"}})
		h := newHarness(t)
		require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 1)))
		assert.Nil(t, thief)
		assert.Equal(t, once(0, 1), service.arrived())
		sentence := h.host.events[0].Err().Error()
		assert.Contains(t, sentence, fmt.Sprintf("%d %s: it redirects to %q", status, http.StatusText(status), elsewhere.URL+"/login"))
		assert.Contains(t, sentence, "set `endpoint` to the final base address")
	}
}

func TestSecretsStayOutOfTheLogs(t *testing.T) {
	service := newFakeService(t, reply{status: 401}, reply{status: 503}, reply{cut: true}, reply{status: 400})
	h := newHarness(t)
	e := h.traces(testConfig(service.URL, func(c *Config) {
		c.PublicKey, c.SecretKey, c.Verify = "pk-canary", "sk-canary", true
	}))
	require.NoError(t, e.ConsumeTraces(t.Context(), spans(0, 4)))
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{MessageKey: "m"})
	for _, entry := range h.logs.All() {
		line, err := encoder.Clone().EncodeEntry(entry.Entry, entry.Context)
		require.NoError(t, err)
		assert.False(t, bytes.Contains(line.Bytes(), []byte("canary")), line.String())
	}
}
