// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/wire"
)

const oneScore = `{"batch":[{"id":"e","type":"score-create","body":{"id":"s","name":"n","value":1}}]}`

// Who misbehaves never says yes to what it has not kept.
func TestBehaviours(t *testing.T) {
	for name, tc := range map[string]struct {
		Behaviour
		status int // 0 is none
		want   Deliveries
	}{
		"well":           {Behaviour{}, http.StatusMultiStatus, Deliveries{Kept: 1, Answered: 1}},
		"status":         {Behaviour{Status: http.StatusTeapot}, http.StatusTeapot, Deliveries{}},
		"cut":            {Behaviour{Cut: true}, 0, Deliveries{}},
		"kept and cut":   {Behaviour{Cut: true, Keep: true}, 0, Deliveries{Kept: 1}},
		"hangs":          {Behaviour{Hang: true}, 0, Deliveries{}},
		"kept and hangs": {Behaviour{Hang: true, Keep: true}, 0, Deliveries{Kept: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New()
			require.NoError(t, err)
			reached := make(chan struct{})
			s.Behave = func(*http.Request, Content) Behaviour {
				close(reached)
				return tc.Behaviour
			}
			require.NoError(t, s.Listen())
			go func() {
				<-reached
				if tc.Hang {
					s.Close() // ends what hangs, and not with a yes
				}
			}()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
			status := 0
			if answer, err := client.Post(s.URL()+wire.PathIngestion, "application/json", strings.NewReader(oneScore)); err == nil {
				status = answer.StatusCode
				_, err = io.Copy(io.Discard, answer.Body) // who leaves before the end has not heard it
				require.NoError(t, err)
				require.NoError(t, answer.Body.Close())
			}
			assert.Equal(t, tc.status, status)
			s.Close()
			require.Eventually(t, func() bool { return s.Scores()["s"] == tc.want }, time.Minute, time.Millisecond, "%v", s.Scores())
			if tc.Status != 0 {
				assert.Equal(t, map[string]int{"s": tc.Status}, s.Refused())
			} else {
				assert.Empty(t, s.Refused())
			}
			assert.Empty(t, s.Faults())
		})
	}
}
