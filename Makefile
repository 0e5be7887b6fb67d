SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Workers and the program itself are built from all of these.
SOURCES := $(shell find pipeline schema -name '*.ts') package.json tsconfig.json tsconfig.build.json
INSTALLED := node_modules/.package-lock.json
BUILT := dist/.built
ENGINES := test/engines/node_modules/.package-lock.json
TEST_RESULT := .test-result.json
TORTURE_TALLY := .torture-tally.jsonl

# Set by CI to the file that a run of the tests is reported in.
REPORT :=
reporting = $(if $(REPORT),--reporter=default --reporter=json --outputFile.json=$(REPORT))

.PHONY: help ingest test test-report test-engines test-container setup setup-engines build format format-check lint types torture nights golden docs bench check clean

help: ## print what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

ingest: $(BUILT) ## load your sessions and show their spend (SESSIONS=folder, DB=file)
	@node scripts/ingest.mjs

test: $(BUILT) ## run all tests
	npx vitest run

test-container: $(BUILT) ## test the image, and publishing to S3, in containers (Docker or Podman)
	@[ -n "$${PIQUET_TEST_IMAGE:-}" ] || { images=$$(scripts/containers/build-images.sh) && eval "$$images"; }; \
	npx vitest run --config test/container/vitest.config.ts $(reporting)

test-engines: $(BUILT) $(ENGINES) ## compare with ClickHouse, an S3 server and another reader of Parquet (installs 0.6 GB)
	npx vitest run --config test/engines/vitest.config.ts $(reporting)

setup: $(INSTALLED) ## install what the lock file names

setup-engines: $(ENGINES)

build: $(BUILT) ## compile to dist

format: $(INSTALLED) ## format TypeScript, JSON and SQL
	npm run --silent format

format-check: $(INSTALLED)
	npm run --silent format:check

lint: $(INSTALLED) ## look for mistakes, floating promises among them
	npm run --silent lint

types: $(INSTALLED) ## check types, of tests too
	npm run --silent types

torture: $(BUILT) ## try faults and hostile files in large numbers, and count them (SEED=number for others)
	@rm -f $(TORTURE_TALLY); status=0; \
	PIQUET_TORTURE_MUTANTS=$${PIQUET_TORTURE_MUTANTS:-200000} PIQUET_TORTURE_KILLS=$${PIQUET_TORTURE_KILLS:-100} \
	PIQUET_TORTURE_TALLY=$(abspath $(TORTURE_TALLY)) $(if $(SEED),PIQUET_TORTURE_SEED=$(SEED)) \
	npx vitest run --testTimeout=600000 test/torture test/read-files.test.ts test/load/migrate.test.ts || status=$$?; \
	node scripts/torture-table.mjs $(TORTURE_TALLY); exit $$status

nights: $(BUILT) ## simulate nightly loads and compare each with a ledger (NIGHTS="--nights 5")
	node scripts/simulate-nights.mjs $(NIGHTS)

golden: $(BUILT) ## write golden files again: base tables and the contract of v1
	node scripts/generate.mjs golden

docs: $(BUILT) ## write the data dictionary again
	node scripts/generate.mjs docs

bench: $(BUILT) ## measure a load against plain DuckDB SQL (PIQUET_TEST_DATA, or bench/run.mjs --corpus FOLDER)
	node bench/run.mjs

check: format-check lint types build test-report ## everything that CI runs

# Tests compare golden files and generated documents; with CI set nothing is written where one is missing. The
# tests build for themselves, so that with --keep-going they run in spite of what failed before.
test-report: $(INSTALLED)
	@rm -f $(TEST_RESULT)
	CI=true npx vitest run --reporter=default --reporter=json --outputFile.json=$(TEST_RESULT)

clean: ## remove what was built
	rm -rf dist coverage .test-result*.json $(TORTURE_TALLY)

$(INSTALLED): package.json package-lock.json
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); if (a < 20 || (a === 20 && b < 19)) { console.error("Node 20.19 or later is needed, this is " + process.version); process.exit(1); }'
	npm ci --no-audit --no-fund
	@touch $@

# `npm ci` refuses where a registry lacks the builds for other systems.
$(ENGINES): test/engines/package.json test/engines/package-lock.json
	npm install --prefix test/engines --no-save --no-audit --no-fund
	@touch $@

$(BUILT): $(INSTALLED) $(SOURCES)
	npm run --silent build
