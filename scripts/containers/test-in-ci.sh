#!/usr/bin/env bash
# The tests in containers as CI runs them: puts up an engine, builds the images, tests, and takes all of it down
# again, after a failure or a signal too. A missing engine is a failure here.
#
#   scripts/containers/test-in-ci.sh [report.json [seconds for all of it]]
set -euo pipefail
cd "$(dirname "$0")/../.."

export PIQUET_REQUIRE_CONTAINERS=1
# Of this run alone, so that another on the same machine keeps its own.
PIQUET_ENGINE_DIR=$(mktemp -d /tmp/piquet-engine.XXXXXX)
PIQUET_TEST_RUN=$(basename "$PIQUET_ENGINE_DIR")
export PIQUET_ENGINE_DIR PIQUET_TEST_RUN
variables=$PIQUET_ENGINE_DIR/variables

step() {
  echo "== $1 ($SECONDS s)"
}

limit_seconds=${2:-2400}
child=
# In the background, since a signal would have to wait for what runs in the foreground.
limited() {
  timeout --kill-after=30 $((limit_seconds > SECONDS ? limit_seconds - SECONDS : 1)) "$@" </dev/null &
  child=$!
  wait "$child"
  child=
}

finish() {
  local status=$?
  [ -z "$child" ] || kill "$child" 2>/dev/null || true
  # Standard output may be that of a step.
  step "taking the engine down" >&2
  timeout --kill-after=30 180 scripts/containers/engine-down.sh </dev/null || echo "the engine was not taken down whole" >&2
  step "containers done, exit code $status" >&2
  exit "$status"
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

step "container engine"
limited scripts/containers/engine-up.sh >"$variables"
. "$variables"
podman --version

step "program and ClickHouse"
limited make build setup-engines

step "images"
limited scripts/containers/build-images.sh --from-debian >"$variables"
. "$variables"
podman images

step "tests in containers"
limited make test-container REPORT="${1:-}"
