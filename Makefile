# Everything one does with this repository. `make` alone lists it.
# Needed: Go, a C compiler and make. The tools come by `go tool` from tools.mod, at the versions written there.

BINARY    := _build/weir
COPY      := _build/weir-copy
STATIC    := _build/static/weir
CONFIG    ?= configs/local.yaml
ENGINE    ?= duckdb
FUZZTIME  ?= 10s
REQUESTS  ?= 500
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
LINTERS   := test/deploy/.venv

TOOL  := go tool -modfile=tools.mod
TESTS := $(TOOL) gotestsum --format=pkgname --format-hide-empty-pkg --

# The packages that harm a running binary.
HARM := /weir/test/(load|chaos|hostile)$$

# What the binary is made of, embedded files included; not tests, not documentation.
SOURCES := $(sort $(shell find exporter processor receiver extension internal -type f \
	! -name '*_test.go' ! -name '*.md' ! -path '*/testdata/*' ! -path '*test/*' 2>/dev/null))

.DEFAULT_GOAL := help

##@ Use

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: $(BINARY) $(COPY) ## Build the distribution into _build/weir, and weir-copy, which moves a store to ClickHouse, beside it

$(BINARY): $(SOURCES) _build/.sources go.mod go.sum tools.mod builder-config.yaml
	$(TOOL) builder --config=builder-config.yaml --skip-strict-versioning=false
	@touch $@

# It reads the embedded store, so it needs cgo too.
$(COPY): $(SOURCES) _build/.sources go.mod go.sum
	CGO_ENABLED=1 go build -trimpath -tags=grpcnotrace -ldflags='-s -w' -o $@ ./extension/langfusestoreextension/cmd/weir-copy

.PHONY: build-static
build-static: $(STATIC) ## Build it without cgo, so without the embedded store, into _build/static/weir: one static file

$(STATIC): $(SOURCES) _build/.sources go.mod go.sum tools.mod builder-config.yaml
	@mkdir -p $(@D)
	@sed -e 's/cgo_enabled: true/cgo_enabled: false/' -e 's|output_path: ./_build|&/static|' builder-config.yaml > $(@D)/builder-config.yaml
	$(TOOL) builder --config=$(@D)/builder-config.yaml --skip-strict-versioning=false
	@touch $@

# The names of the sources, rewritten only when one comes or goes: by times alone, make would not notice a deleted file.
_build/.sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(SOURCES) | cmp -s - $@ || printf '%s\n' $(SOURCES) > $@

.PHONY: FORCE
FORCE:

.PHONY: run
run: build ## Build and start it (CONFIG=configs/local.yaml)
	$(BINARY) --config=$(CONFIG)

.PHONY: validate-configs
validate-configs: build ## Check configs/ and every YAML block of the documentation with the built binary
	WEIR_REQUIRE_BINARY=1 go test -count=1 -run='^(TestConfigs|TestDocumentation)$$' ./test/house

.PHONY: clean
clean: ## Remove what the other targets wrote
	rm -rf _build $(LINTERS) test/python/.venv test/js/node_modules
	find . -name '*.test' -type f -delete

##@ Test

.PHONY: test
test: test-code test-harm ## Run all Go tests, those that start the built binary too

.PHONY: test-code
test-code: build build-static deploy-tools ## Run all Go tests but those of test-harm
	WEIR_REQUIRE_BINARY=1 $(TESTS) -timeout=20m $(TESTFLAGS) $$(go list ./... | grep -vE '$(HARM)|/weir/test/clickhouse$$')

# One after the other: they watch how the binary does while they harm it, and two at once would harm each other.
.PHONY: test-harm
test-harm: build ## Run load, chaos and hostile in short
	WEIR_REQUIRE_BINARY=1 $(TESTS) -p=1 -timeout=20m $(TESTFLAGS) $$(go list ./... | grep -E '$(HARM)')

# Linters that come as Python packages. Without Python the tests that use them are skipped and say so; where it is at hand and
# the packages cannot be had, so too on a machine of one's own, but not in CI.
.PHONY: deploy-tools
deploy-tools: ## Install what test/deploy checks the Dockerfile, manifests and unit with (needs Python 3.11)
	@if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo 'deploy-tools: SKIPPED, there is no Python 3.11 or later with venv; so are the tests of test/deploy that need them'; \
	elif ! $(LINTERS)/bin/python -c pass 2>/dev/null || ! cmp -s test/deploy/requirements.txt $(LINTERS)/installed; then \
		python3 -m venv --clear $(LINTERS) && \
		$(LINTERS)/bin/pip install --quiet --disable-pip-version-check --requirement=test/deploy/requirements.txt && \
		cp test/deploy/requirements.txt $(LINTERS)/installed || { \
			echo 'deploy-tools: pip could not install them; the tests of test/deploy that need them are skipped'; test "$$CI" != true; }; \
	fi

# test/ is left out: its tests watch another process, where the race detector sees nothing.
.PHONY: test-race
test-race: ## Run the Go tests of components and internal packages with the race detector
	$(TESTS) -race -timeout=20m $(TESTFLAGS) $$(go list ./... | grep -v '/weir/test/')

.PHONY: e2e
e2e: build build-static ## Run only the tests that drive the built binary from outside
	WEIR_REQUIRE_BINARY=1 $(TESTS) -count=1 -timeout=20m $(TESTFLAGS) ./test/e2e/...

# Flags of the program: make load FLAGS='-seconds 60 -rate 2000'; make load FLAGS=-knee
.PHONY: load
load: build ## Drive the binary with the traffic of agents, and tell what it took (FLAGS=-knee goes beyond what it can)
	go run ./test/load $(FLAGS)

.PHONY: chaos
chaos: build ## Kill the binary under load, or its ClickHouse, fill its disk, set its clock and the like; count what is lost
	go run ./test/chaos $(FLAGS)

.PHONY: hostile
hostile: build ## Attack the binary, look for secrets, and ask the API many generated requests (REQUESTS=500 for each route)
	WEIR_REQUIRE_BINARY=1 $(TESTS) -count=1 -timeout=20m $(TESTFLAGS) ./test/hostile
	WEIR_API_REQUESTS=$(REQUESTS) $(TESTS) -count=1 -timeout=60m -run='^Test(GeneratedRequests|Injection.*|NobodyReachesAnotherProject)$$' \
		./receiver/langfusereceiver/internal/api

# Tests that are given this run on a ClickHouse that is started for them.
ifeq ($(ENGINE),clickhouse)
WITH_ENGINE = go run ./test/clickhouse/with
NEEDS_ENGINE = clickhouse
endif

.PHONY: conformance
conformance: build $(NEEDS_ENGINE) ## Run the real client libraries, Python and JS, against the built binary (ENGINE=clickhouse: on ClickHouse)
	$(WITH_ENGINE) go run ./test/conformance $(CONFORMANCEFLAGS)

# A ClickHouse for tests is a library from npm, and a program of ours that makes a server of it.
CLICKHOUSE := test/clickhouse/server

.PHONY: clickhouse
clickhouse: _build/clickhouse ## Install a ClickHouse server for tests beside them (needs Node; Linux on x64)

_build/clickhouse: $(CLICKHOUSE)/server.c $(CLICKHOUSE)/package-lock.json
	npm ci --prefix $(CLICKHOUSE) --ignore-scripts --loglevel=error
	@mkdir -p $(@D)
	$(CC) -O1 -Wall -o $@ $(CLICKHOUSE)/server.c -ldl

# The API tests include the property tests. Of the client libraries one Python generation and JS are enough: what they try twice
# is how a client encodes, not how a store reads.
.PHONY: test-clickhouse
test-clickhouse: ## Run the store, the API, the binary and the client libraries on real ClickHouse servers (needs Node; SHORT=1)
	@if ! command -v npm > /dev/null; then echo "The tests on ClickHouse did not run: they need Node with npm."; \
	elif [ "$$(uname -sm)" != "Linux x86_64" ]; then echo "The tests on ClickHouse did not run: their server is for Linux on x64."; \
	else $(MAKE) --no-print-directory build build-static clickhouse test-on-clickhouse; fi

# SHORT=1 leaves out of the run on two shards what differs in nothing but the columns and functions of a statement, which the
# run on one server has tried.
ifdef SHORT
SKIPPED := -skip='^TestConformanceOnTwoShards$$/^one_store$$/^(columns|readings|groups|types|large|document_.*|score_lists|experiments|metrics|traces)$$|^TestRandomOnTwoShards$$'
endif

.PHONY: test-on-clickhouse
test-on-clickhouse:
	WEIR_REQUIRE_BINARY=1 WEIR_REQUIRE_CLICKHOUSE=1 $(TESTS) -count=1 -timeout=60m $(TESTFLAGS) $(SKIPPED) ./test/clickhouse
	WEIR_REQUIRE_BINARY=1 WEIR_REQUIRE_CLICKHOUSE=1 $(TESTS) -count=1 -timeout=20m $(TESTFLAGS) -run='^TestCluster' ./test/e2e
	WEIR_REQUIRE_BINARY=1 WEIR_REQUIRE_CLICKHOUSE=1 $(TESTS) -count=1 -timeout=20m $(TESTFLAGS) -run='^TestFaults$$/^clickhouse$$' ./test/chaos
	go run ./test/clickhouse/with $(TESTS) -count=1 -timeout=20m $(TESTFLAGS) ./receiver/langfusereceiver/internal/api
	$(MAKE) --no-print-directory conformance ENGINE=clickhouse CONFORMANCEFLAGS='-only=5,JS'

# A time may end in "context deadline exceeded" though nothing was found (golang.org/issue/75804, mended in Go 1.27);
# a number of runs, FUZZTIME=20000x, does not.
.PHONY: fuzz
fuzz: ## Run every Fuzz function for FUZZTIME (10s)
	@grep -rEo --include='*_test.go' --exclude-dir=_build --exclude-dir=node_modules '^func Fuzz[A-Za-z0-9_]+' . | sort | \
	while IFS=: read -r file func; do \
		name=$${func#func }; dir=$$(dirname "$$file"); \
		echo "== $$name in $$dir"; \
		go test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s "$$dir" || exit 1; \
	done

.PHONY: bench
bench: build $(NEEDS_ENGINE) ## Run the Go benchmarks, the binary against the stock exporter, the store (ENGINE=clickhouse: only that, there)
ifneq ($(ENGINE),clickhouse)
	go test -run='^$$' -bench=. -benchmem ./...
	go run ./test/bench/export
endif
	go run ./test/bench/store -engine=$(ENGINE) $(BENCHFLAGS)

# With the flags of build-static, so that neither compiles again what the other has.
.PHONY: cross
cross: ## Compile without cgo for PLATFORMS (linux, darwin, windows; amd64, arm64)
	@for platform in $(PLATFORMS); do \
		echo "== $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go build -trimpath -tags=grpcnotrace ./... || exit 1; \
	done

##@ Keep in order

.PHONY: fmt
fmt: ## Format the Go code
	$(TOOL) golangci-lint fmt

.PHONY: lint
lint: ## Report what the linters find, wrong formatting included
	$(TOOL) golangci-lint run

.PHONY: generate
generate: ## Write the files that mdatagen makes from metadata.yaml
	go generate ./...

# tools.mod stands beside our sources but has nothing to do with them: tidied in place it would collect their imports.
# Alone in an empty folder only its tool lines count.
TIDY_TOOLS = dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && cp tools.mod "$$dir/go.mod" && cp tools.sum "$$dir/go.sum"

.PHONY: tidy
tidy: ## Bring go.mod and tools.mod in line with what is used
	go mod tidy
	@$(TIDY_TOOLS) && (cd "$$dir" && go mod tidy) && cp "$$dir/go.mod" tools.mod && cp "$$dir/go.sum" tools.sum

.PHONY: check-tidy
check-tidy: ## Fail when make tidy would change something
	go mod tidy -diff
	@$(TIDY_TOOLS) && cd "$$dir" && go mod tidy -diff

.PHONY: vuln
vuln: ## Look for known vulnerabilities (asks the Go vulnerability database)
	$(TOOL) govulncheck ./...

# Formatting is part of lint, and test/house, part of test, says whether generated files are current.
.PHONY: check
check: check-tidy lint test ## What must be green before a change is sent

.PHONY: ci
ci: ## Exactly what CI runs, from a clean clone
	.ci/run
