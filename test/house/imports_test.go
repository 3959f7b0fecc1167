// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// importRule says what of ours a folder and all below it may import, tests aside.
// Where several rules match a package, the one with the longest folder counts.
type importRule struct {
	folder string   // a * stands for any one name
	may    []string // folders; with /... everything below too; ./ is the rule's own folder
	not    []string // exceptions from may

	standardLibraryOnly bool
}

// Only the extension knows which engines there are; all others see the contract in internal/store.
var engines = []string{"internal/store/duckdb/...", "internal/store/clickhouse/..."}

var importRules = []importRule{
	// Components use internal packages and never one another.
	{folder: "exporter/*", may: []string{"./...", "internal/..."}, not: engines},
	{folder: "processor/*", may: []string{"./...", "internal/..."}, not: engines},
	{folder: "receiver/*", may: []string{"./...", "internal/..."}, not: engines},
	{folder: "extension/*", may: []string{"./...", "internal/..."}},

	// The API speaks to the contract of the store, not to what is behind it.
	{folder: "receiver/langfusereceiver/internal/api", may: []string{
		"./...", "receiver/langfusereceiver/internal/web", "receiver/langfusereceiver/internal/apidoc",
		"internal/blobs", "internal/catalog", "internal/query", "internal/store", "internal/model", "internal/pricing", "internal/validation", "internal/wire",
	}},

	// The description of the API stands for itself: it is held against the server, not made from it.
	{folder: "receiver/langfusereceiver/internal/apidoc", may: []string{"./..."}},
	{folder: "receiver/langfusereceiver/internal/apidoc/apidoctest", may: []string{"receiver/langfusereceiver/internal/apidoc"}},

	// Names and rows are the ground: they stand on nothing.
	{folder: "internal/model", standardLibraryOnly: true},
	{folder: "internal/wire"},

	{folder: "internal/pricing", may: []string{"./...", "internal/model"}},
	{folder: "internal/convert", may: []string{"./...", "internal/model", "internal/wire", "internal/pricing"}},
	{folder: "internal/scorelog", may: []string{"./...", "internal/model", "internal/wire"}},

	{folder: "internal/disk", standardLibraryOnly: true},
	{folder: "internal/validation", standardLibraryOnly: true},
	{folder: "internal/query", may: []string{"./...", "internal/model", "internal/validation"}},
	{folder: "internal/store", may: []string{"internal/query", "internal/model"}},
	{folder: "internal/store/sqlstore", may: []string{"./...", "internal/store", "internal/query", "internal/model", "internal/wire"}},
	{folder: "internal/store/storetest", may: []string{"./...", "internal/store", "internal/query", "internal/model"}},
	{folder: "internal/store/turns", may: []string{"internal/store"}},
	{folder: "internal/store/duckdb", may: []string{"./...", "internal/disk", "internal/store", "internal/store/sqlstore", "internal/store/turns", "internal/query", "internal/model"}},
	{folder: "internal/store/clickhouse", may: []string{"./...", "internal/store", "internal/store/sqlstore", "internal/store/turns", "internal/query", "internal/model"}},

	// What is no signal: rules on top of the contract of the store.
	{folder: "internal/catalog", may: []string{"internal/store", "internal/query", "internal/model", "internal/pricing", "internal/wire"}},

	// Contents of media, which go when nothing in the catalog refers to them.
	{folder: "internal/blobs", may: []string{"internal/disk", "internal/store", "internal/catalog", "internal/query"}},

	// How components find the extension that owns the store.
	{folder: "internal/storeprovider", may: []string{"internal/store", "internal/catalog", "internal/blobs"}},

	// Programs that try the whole thing from outside.
	{folder: "test", may: []string{"./...", "internal/..."}, not: engines},
	{folder: "test/bench/store", may: []string{"./...", "internal/...", "test/internal/..."}},
}

// testModules are for tests: nothing that the program is made of imports them.
var testModules = []string{"github.com/getkin/kin-openapi", "github.com/stretchr/testify"}

func TestImports(t *testing.T) {
	for _, name := range walkFiles(t, ".go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", readFile(t, name), parser.ImportsOnly)
		require.NoError(t, err, name)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if problem := importProblem(path.Dir(name), imported); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
	}
}

func TestImportProblem(t *testing.T) {
	const own = ownModule + "/"
	allowed := "" // no problem
	for _, tc := range []struct{ folder, imported, want string }{
		{"exporter/langfuseexporter", "fmt", allowed},
		{"exporter/langfuseexporter", "go.uber.org/zap", allowed},
		{"exporter/langfuseexporter", own + "internal/wire", allowed},
		{"exporter/langfuseexporter", own + "exporter/langfuseexporter/internal/metadata", allowed},
		{"exporter/langfuseexporter/internal/x", own + "exporter/langfuseexporter/internal/metadata", allowed},
		{"exporter/langfuseexporter", own + "processor/langfuseprocessor", "must not import processor/langfuseprocessor"},
		{"exporter/langfuseexporter", own + "exporter/langfusestoreexporter", "must not import exporter/langfusestoreexporter"},
		{"exporter/langfuseexporter/internal/x", own + "exporter/langfusestoreexporter", "must not import exporter/langfusestoreexporter"},
		{"exporter/langfusestoreexporter", own + "internal/store", allowed},
		{"exporter/langfusestoreexporter", own + "internal/store/duckdb", "must not import internal/store/duckdb"},
		{"receiver/langfusereceiver", own + "internal/store/clickhouse/schema", "must not import internal/store/clickhouse/schema"},
		{"receiver/langfusereceiver", own + "receiver/langfusereceiver/internal/api", allowed},
		{"receiver/langfusereceiver", own + "test/internal/weirbin", "must not import test/internal/weirbin"},
		{"extension/langfusestoreextension", own + "internal/store/duckdb", allowed},
		{"receiver/langfusereceiver/internal/api", own + "internal/query", allowed},
		{"receiver/langfusereceiver/internal/api", own + "internal/store/sqlstore", "must not import internal/store/sqlstore"},
		{"receiver/langfusereceiver/internal/api", own + "internal/convert", "must not import internal/convert"},
		{"receiver/langfusereceiver/internal/api", own + "receiver/langfusereceiver", "must not import receiver/langfusereceiver"},
		{"receiver/langfusereceiver/internal/apidoc", own + "receiver/langfusereceiver/internal/api", "must not import receiver/langfusereceiver/internal/api"},
		{"receiver/langfusereceiver/internal/apidoc", "github.com/getkin/kin-openapi/openapi3", "must not import github.com/getkin/kin-openapi/openapi3, which is for tests"},
		{"receiver/langfusereceiver/internal/apidoc/apidoctest", "github.com/getkin/kin-openapi/openapi3", allowed},
		{"receiver/langfusereceiver/internal/apidoc/apidoctest", own + "receiver/langfusereceiver/internal/apidoc", allowed},
		{"test/internal/weirbin", "github.com/stretchr/testify/require", allowed},
		{"internal/model", "time", allowed},
		{"internal/model", "go.opentelemetry.io/collector/pdata/ptrace", "must import only the standard library, not go.opentelemetry.io/collector/pdata/ptrace"},
		{"internal/model", own + "internal/wire", "must not import internal/wire"},
		{"internal/wire", "go.opentelemetry.io/collector/pdata/pcommon", allowed},
		{"internal/wire", own + "internal/model", "must not import internal/model"},
		{"internal/scorelog", own + "internal/wire", allowed},
		{"internal/scorelog", own + "internal/query", "must not import internal/query"},
		{"internal/store", own + "internal/store/duckdb", "must not import internal/store/duckdb"},
		{"internal/store/duckdb", own + "internal/store/clickhouse", "must not import internal/store/clickhouse"},
		{"internal/query", own + "internal/store", "must not import internal/store"},
		{"internal/catalog", own + "internal/store", allowed},
		{"internal/catalog", own + "internal/store/duckdb", "must not import internal/store/duckdb"},
		{"internal/new", "fmt", "has no import rule; add one to test/house/imports_test.go"},
		{"internal/models", "fmt", "has no import rule; add one to test/house/imports_test.go"},
	} {
		assert.Equal(t, tc.want, importProblem(tc.folder, tc.imported), "%s imports %s", tc.folder, tc.imported)
	}
}

// importProblem says what is wrong with an import in a package of ours, or nothing.
func importProblem(folder, imported string) string {
	rule, home := importRuleFor(folder)
	if rule == nil {
		return "has no import rule; add one to test/house/imports_test.go"
	}
	target, ours := strings.CutPrefix(imported, ownModule+"/")
	switch {
	case ours && (!covers(rule.may, home, target) || covers(rule.not, home, target)):
		return fmt.Sprintf("must not import %s", target)
	case !ours && rule.standardLibraryOnly && strings.Contains(imported, "."):
		return fmt.Sprintf("must import only the standard library, not %s", imported)
	case !ours && isTestModule(imported) && !isForTests(folder):
		return fmt.Sprintf("must not import %s, which is for tests", imported)
	default:
		return ""
	}
}

func isTestModule(imported string) bool {
	return slices.ContainsFunc(testModules, func(module string) bool {
		return imported == module || strings.HasPrefix(imported, module+"/")
	})
}

// isForTests tells a folder that helps tests by its name, as the Makefile does.
func isForTests(folder string) bool {
	return strings.HasSuffix(folder, "test") || strings.HasPrefix(folder, "test/")
}

// importRuleFor returns the rule for a package, and the folder that the rule's pattern matched.
func importRuleFor(folder string) (rule *importRule, home string) {
	for i := range importRules {
		depth := strings.Count(importRules[i].folder, "/") + 1
		parts := strings.Split(folder, "/")
		if len(parts) < depth || rule != nil && depth <= strings.Count(rule.folder, "/")+1 {
			continue
		}
		head := path.Join(parts[:depth]...)
		if matched, err := path.Match(importRules[i].folder, head); err == nil && matched {
			rule, home = &importRules[i], head
		}
	}
	return rule, home
}

// covers tells whether one of the patterns names the folder.
func covers(patterns []string, home, folder string) bool {
	for _, pattern := range patterns {
		if below, ok := strings.CutPrefix(pattern, "./"); ok {
			pattern = home + "/" + below
		}
		tree, deep := strings.CutSuffix(pattern, "/...")
		if folder == tree || deep && strings.HasPrefix(folder, tree+"/") {
			return true
		}
	}
	return false
}
