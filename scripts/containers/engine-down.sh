#!/usr/bin/env bash
# Removes containers, volumes and the product's image that tests left, and ends the service that engine-up.sh
# started. The base images stay: the next run needs them again.
set -uo pipefail
cd "$(dirname "$0")"

state_dir=${PIQUET_ENGINE_DIR:-/run/piquet-engine}
run=${PIQUET_TEST_RUN:-}
export CONTAINERS_CONF=$PWD/containers.conf
unset CONTAINER_HOST CONTAINER_CONNECTION

end_service() {
  local pid
  pid=$(cat "$state_dir/service.pid")
  # A number of long ago may be another process by now.
  grep --quiet --text "$state_dir/podman.sock" "/proc/$pid/cmdline" 2>/dev/null || return
  kill "$pid" 2>/dev/null
  for _ in $(seq 50); do
    kill -0 "$pid" 2>/dev/null || return
    sleep 0.2
  done
  kill -KILL "$pid" 2>/dev/null
}

if command -v podman >/dev/null; then
  timeout --foreground 60 podman ps --all --quiet --filter "label=piquet-test${run:+=$run}" |
    xargs --no-run-if-empty timeout 60 podman rm --force --time 1 --volumes >/dev/null
  [ -z "$run" ] || timeout --foreground 60 podman rmi --force "localhost/piquet-test:$run" >/dev/null 2>&1
fi
[ ! -s "$state_dir/service.pid" ] || end_service
# Others that run on this machine have their namespaces there.
if [ -e "$state_dir/netns-is-ours" ] && mountpoint --quiet /run/netns && [ -z "$(ls -A /run/netns)" ]; then
  umount /run/netns
fi
rm -rf "$state_dir"
