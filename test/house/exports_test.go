// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// A component is used through its factory and its configuration. Everything else it exported would be a promise.
func TestExportsOfComponents(t *testing.T) {
	for _, folder := range components(t) {
		names, err := filepath.Glob(filepath.Join(weirbin.Root(t), folder, "*.go"))
		require.NoError(t, err)
		var sources []string
		for _, name := range names {
			source, err := os.ReadFile(name)
			require.NoError(t, err)
			if !strings.HasSuffix(name, "_test.go") && !isGenerated(string(source)) {
				sources = append(sources, string(source))
			}
		}
		for _, problem := range exportProblems(t, sources...) {
			t.Errorf("%s: %s", folder, problem)
		}
	}
}

func TestExportProblems(t *testing.T) {
	const head = "package p\nfunc NewFactory() {}\n"
	for name, tc := range map[string]struct{ source, want string }{
		"factory and config":     {head + "type Config struct{ A string }", ""},
		"type of a field":        {head + "type Config struct{ A Part }; type Part struct{}", ""},
		"through other types":    {head + "type Config struct{ A o.Optional[*Part] }; type Part struct{ b map[string][]Leaf }; type Leaf int", ""},
		"through a private type": {head + "type Config struct{ a part }; type part struct{ B Leaf }; type Leaf int", ""},
		"config methods":         {head + "type Config struct{}; func (*Config) Validate() error { return nil }", ""},
		"private type's methods": {head + "type Config struct{}; type exporter struct{}; func (*exporter) Start() {}", ""},
		"constant of a field":    {head + "type Config struct{ M Mode }; type Mode int; const ( ModeA Mode = iota; ModeB )", ""},
		"converted constant":     {head + "type Config struct{ M Mode }; type Mode string; const ModeA = Mode(`a`)", ""},

		"no factory":          {"package p\ntype Config struct{}", "has no NewFactory"},
		"no config":           {head, "has no Config"},
		"function":            {head + "type Config struct{}; func Helper() {}", "exports func Helper"},
		"variable":            {head + "type Config struct{}; var ErrX = 1", "exports var ErrX"},
		"unreachable type":    {head + "type Config struct{}; type Exporter struct{}", "exports type Exporter"},
		"alias":               {head + "type Config struct{}; type Exporter = int", "exports type Exporter"},
		"plain constant":      {head + "type Config struct{}; const Limit = 1", "exports const Limit"},
		"after a typed const": {head + "type Config struct{ M Mode }; type Mode int; const ( ModeA Mode = 1; Limit = 2 )", "exports const Limit"},
		"foreign constant":    {head + "type Config struct{}; const Wait time.Duration = 1", "exports const Wait"},
		"only a field's name": {head + "type Config struct{ Part int }; type Part struct{}", "exports type Part"},
		"another package's":   {head + "type Config struct{ A other.Part }; type Part struct{}", "exports type Part"},
		"only in a method":    {head + "type Config struct{}; func (Config) Get() Part { return Part{} }; type Part struct{}", "exports type Part"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, strings.Join(exportProblems(t, tc.source), "; "))
		})
	}
}

// exportProblems names what the sources of one component package export beyond NewFactory, Config,
// the types one can reach from Config's fields, and constants of these types.
func exportProblems(t *testing.T, sources ...string) []string {
	t.Helper()
	var decls []ast.Decl
	types := map[string]ast.Expr{}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		require.NoError(t, err)
		decls = append(decls, file.Decls...)
	}
	for _, decl := range decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			for _, spec := range gen.Specs {
				types[spec.(*ast.TypeSpec).Name.Name] = spec.(*ast.TypeSpec).Type
			}
		}
	}

	configTypes := map[string]bool{}
	reach("Config", types, configTypes)
	var exported []string
	for _, decl := range decls {
		exported = append(exported, exportedNames(decl, configTypes)...)
	}

	var problems []string
	if !slices.Contains(exported, "func NewFactory") {
		problems = append(problems, "has no NewFactory")
	}
	if !configTypes["Config"] {
		problems = append(problems, "has no Config")
	}
	for _, name := range exported {
		if kind, typeName, _ := strings.Cut(name, " "); name == "func NewFactory" || kind == "type" && configTypes[typeName] {
			continue
		}
		problems = append(problems, "exports "+name)
	}
	return problems
}

// reach adds the type and all types of the package that its definition mentions.
func reach(name string, types map[string]ast.Expr, reached map[string]bool) {
	definition, ok := types[name]
	if !ok || reached[name] {
		return
	}
	reached[name] = true
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr: // a type of another package
			return false
		case *ast.Field: // its type counts, its name does not
			ast.Inspect(node.Type, visit)
			return false
		case *ast.Ident:
			reach(node.Name, types, reached)
		}
		return true
	}
	ast.Inspect(definition, visit)
}

// exportedNames lists what one declaration exports, as "func F", without methods and without constants of the given types.
func exportedNames(decl ast.Decl, constantTypes map[string]bool) []string {
	var names []string
	add := func(kind string, ident *ast.Ident) {
		if ident.IsExported() {
			names = append(names, fmt.Sprintf("%s %s", kind, ident.Name))
		}
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			add("func", decl.Name)
		}
	case *ast.GenDecl:
		allowed := false
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add("type", spec.Name)
			case *ast.ValueSpec:
				// In a group of constants one without type and value repeats the one above it.
				if spec.Type != nil || spec.Values != nil {
					allowed = decl.Tok == token.CONST && constantTypes[typeName(spec)]
				}
				for _, ident := range spec.Names {
					if !allowed {
						add(decl.Tok.String(), ident)
					}
				}
			}
		}
	}
	return names
}

// typeName returns the type of `const A T = 1` and of `const A = T(1)`, or nothing.
func typeName(spec *ast.ValueSpec) string {
	expr := spec.Type
	if expr == nil && len(spec.Values) == 1 {
		if call, ok := spec.Values[0].(*ast.CallExpr); ok {
			expr = call.Fun
		}
	}
	if ident, ok := expr.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}
