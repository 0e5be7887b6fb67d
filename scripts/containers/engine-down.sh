#!/usr/bin/env bash
# Removes containers and volumes that tests left, and ends the service that engine-up.sh started. Images stay:
# the next run needs them again.
set -uo pipefail
cd "$(dirname "$0")"

state_dir=${PIQUET_ENGINE_DIR:-/run/piquet-engine}
export CONTAINERS_CONF=$PWD/containers.conf

[ -s "$state_dir/service.pid" ] || exit 0
timeout 60 podman ps --all --quiet --filter label=org.testcontainers=true |
  xargs --no-run-if-empty timeout 60 podman rm --force --volumes >/dev/null
kill "$(cat "$state_dir/service.pid")" 2>/dev/null
rm -rf "$state_dir"
