// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
	"github.com/weirhq/weir/test/internal/weirbin"
)

func documentation(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(weirbin.Root(t), "docs", "clickhouse.md"))
	require.NoError(t, err)
	return string(page)
}

// documented are the SQL blocks below a heading of the documentation, each as its statements.
func documented(t *testing.T, heading string) (blocks [][]string) {
	t.Helper()
	_, section, found := strings.Cut(documentation(t), "\n## "+heading+"\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	for {
		_, after, isMore := strings.Cut(section, "```sql\n")
		if !isMore {
			return blocks
		}
		block, rest, _ := strings.Cut(after, "```")
		blocks, section = append(blocks, strings.Split(strings.TrimSuffix(block, ";\n"), ";\n")), rest
	}
}

// Statements within the text can be run as they stand there.
func TestDocumentedStatements(t *testing.T) {
	servers, settings := documentedServers(t, 1)
	openDocumented(t, settings)
	conn := connect(t, servers[0].Address, "default")
	statements := regexp.MustCompile("`((?:SELECT|OPTIMIZE) [^`]+)`").FindAllStringSubmatch(documentation(t), -1)
	require.NotEmpty(t, statements)
	for _, statement := range statements {
		require.NoError(t, conn.Exec(t.Context(), statement[1]), statement[1])
	}
}

// documentedServers are servers on which the user weir has the documented rights and no others, with a disk for backups.
func documentedServers(t *testing.T, shards int) ([]*clickhouseserver.Server, engine.Settings) {
	t.Helper()
	blocks := documented(t, "Start")
	require.Len(t, blocks, 3, "those for all, for a cluster, for a replicated one")
	grants := blocks[0]
	settings := engine.Settings{Username: "weir", Password: "secret"}
	if shards > 1 {
		grants = append(grants, blocks[1]...)
		settings.Cluster = clickhouseserver.ClusterName
	}
	var users strings.Builder
	users.WriteString("<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>" +
		"<default><password/><networks><ip>::/0</ip></networks></default>" +
		"<weir><password>secret</password><networks><ip>::/0</ip></networks><grants>")
	for _, statement := range grants {
		if grant, isOne := strings.CutSuffix(statement, " TO weir"); isOne {
			users.WriteString("<query>" + grant + "</query>")
		}
	}
	users.WriteString("</grants></weir></users></clickhouse>")
	file := filepath.Join(t.TempDir(), "users.xml")
	require.NoError(t, os.WriteFile(file, []byte(users.String()), 0o600))
	servers := clickhouseserver.StartConfigured(t, shards, "<users_config>"+file+"</users_config>"+
		"<storage_configuration><disks><backups><type>local</type><path>{dir}/backups/</path></backups></disks></storage_configuration>"+
		"<backups><allowed_disk>backups</allowed_disk></backups>")
	for _, server := range servers {
		settings.Endpoints = append(settings.Endpoints, server.Address)
	}
	return servers, settings
}

// onDocumented runs a test on one server and on two shards.
func onDocumented(t *testing.T, test func(*testing.T, []*clickhouseserver.Server, engine.Settings)) {
	for name, shards := range map[string]int{"one server": 1, "two shards": 2} {
		t.Run(name, func(t *testing.T) {
			servers, settings := documentedServers(t, shards)
			test(t, servers, settings)
		})
	}
}

func openDocumented(t *testing.T, settings engine.Settings) store.Store {
	t.Helper()
	s, err := engine.Open(t.Context(), settings)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.WithoutCancel(t.Context())) })
	return s
}

func settleLater(t *testing.T, s store.Store) {
	t.Helper()
	require.NoError(t, s.(interface {
		Settle(ctx context.Context, now time.Time) error
	}).Settle(t.Context(), time.Now().Add(10*time.Minute)))
}

// The documented rights are enough for all that a store does.
func TestDocumentedGrants(t *testing.T) {
	onDocumented(t, func(t *testing.T, _ []*clickhouseserver.Server, settings engine.Settings) {
		settings.Retention = time.Hour
		s := openDocumented(t, settings)
		r := storetest.NewRows(1)
		old, young := r.Trace(10), r.Trace(10)
		for i := range young {
			young[i].Start, young[i].End = time.Now(), time.Time{}
		}
		for range 2 {
			require.NoError(t, s.WriteObservations(t.Context(), project, append(old, young...)))
		}
		require.NoError(t, s.WriteScores(t.Context(), project, []model.Score{r.Score("score")}))
		require.NoError(t, s.WriteDocuments(t.Context(), project, []store.DocumentChange{{Document: store.Document{Kind: "k", ID: "d"}, Expect: store.AnyRevision}}))
		require.NoError(t, s.DeleteScores(t.Context(), project, []string{"score"}))
		settleLater(t, s)
		page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 100, Groups: query.GroupAll})
		require.NoError(t, err)
		assert.Len(t, page.Rows, 10, "what is older than the retention is deleted")
		stats, err := s.Stats(t.Context())
		require.NoError(t, err)
		assert.Equal(t, int64(10), stats.Observations)
		openDocumented(t, settings) // once more, with a schema that is there
	})
}
