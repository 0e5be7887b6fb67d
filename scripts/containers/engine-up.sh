#!/usr/bin/env bash
# Puts a container engine on a Debian machine for the tests: installs Podman where it is missing, starts its
# Docker-compatible service, and prints the variables that lead to it. Needs root; may run any number of times.
#
#   eval "$(scripts/containers/engine-up.sh)"
set -euo pipefail
cd "$(dirname "$0")"

packages=(podman runc netavark aardvark-dns iptables catatonit mmdebstrap ca-certificates)
state_dir=${PIQUET_ENGINE_DIR:-/run/piquet-engine}
socket=$state_dir/podman.sock
# By variable, so that the machine's own settings stay as they are.
export CONTAINERS_CONF=$PWD/containers.conf

fail() {
  echo "no container engine: $1" >&2
  exit 1
}

is_up() {
  timeout 20 podman --url "unix://$socket" version >/dev/null 2>&1
}

is_installed() {
  local states
  states=$(dpkg-query --show --showformat '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null) || return 1
  ! grep --quiet --invert-match --line-regexp installed <<<"$states"
}

install_packages() {
  command -v apt-get >/dev/null || fail "Podman is installed with apt-get, which this machine has not"
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  export DEBIAN_FRONTEND=noninteractive
  # The lock on the package lists has no time-out of its own.
  for _ in 1 2 3 4 5 6; do
    timeout 300 "${apt[@]}" update >&2 && break
    sleep 10
  done
  timeout 900 "${apt[@]}" install --yes --no-install-recommends "${packages[@]}" >&2 || fail "apt-get install"
}

start_service() {
  mkdir -p "$state_dir"
  rm -f "$socket"
  # It ends by itself when nobody has asked for anything for an hour, should nobody take it down.
  setsid podman system service --time=3600 "unix://$socket" </dev/null >"$state_dir/service.log" 2>&1 &
  echo $! >"$state_dir/service.pid"
  for _ in $(seq 50); do
    is_up && return
    sleep 0.2
  done
  tail -n 5 "$state_dir/service.log" >&2
  fail "Podman's service does not answer"
}

[ "$(id -u)" = 0 ] || fail "Podman is set up here by root alone"
is_installed || install_packages
is_up || start_service

# Containers are reached from here, whatever address the engine gives. The helper that would remove what tests
# leave comes from a registry; engine-down.sh does its work.
cat <<VARIABLES
export CONTAINERS_CONF='$CONTAINERS_CONF'
export DOCKER_HOST='unix://$socket'
export TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
export TESTCONTAINERS_RYUK_DISABLED=true
VARIABLES
