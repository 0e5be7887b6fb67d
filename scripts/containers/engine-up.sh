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
# Another engine that this shell has been told of.
others=(CONTAINER_HOST CONTAINER_CONNECTION DOCKER_CONTEXT DOCKER_TLS_VERIFY DOCKER_CERT_PATH)
unset "${others[@]}"

fail() {
  echo "no container engine: $1" >&2
  exit 1
}

is_up() {
  timeout --foreground --kill-after=5 20 podman --url "unix://$socket" version >/dev/null 2>&1
}

is_installed() {
  local states
  states=$(dpkg-query --show --showformat '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null) || return 1
  ! grep --quiet --invert-match --line-regexp installed <<<"$states"
}

apt() {
  # Nobody is there to answer a question about a changed settings file.
  timeout --foreground --kill-after=10 "$1" apt-get -qq --yes --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 \
    -o Acquire::Languages=none -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
    "${@:2}" >&2
}

# Lists of another repository may be out of reach, or the lock on them taken, which has no time-out of its own;
# what is there already may do.
update_lists() {
  local pause
  for pause in 5 15 0; do
    apt 120 update && return
    sleep "$pause"
  done
  echo "apt-get update failed, going on with what lists there are" >&2
}

install_packages() {
  command -v apt-get >/dev/null || fail "Podman is installed with apt-get, which this machine has not"
  export DEBIAN_FRONTEND=noninteractive
  update_lists
  apt 420 install "${packages[@]}" && return
  # After an installation that was cut off.
  timeout --foreground --kill-after=10 120 dpkg --configure --pending >&2 || true
  update_lists
  apt 420 install --fix-broken "${packages[@]}" || fail "apt-get install"
}

start_service() {
  mkdir -p "$state_dir"
  rm -f "$socket"
  # A mount point of network namespaces, which Podman leaves when it has made it.
  mountpoint --quiet /run/netns || touch "$state_dir/netns-is-ours"
  # It ends by itself when nobody has asked for anything for half an hour, should nobody take it down.
  setsid podman system service --time=1800 "unix://$socket" </dev/null >"$state_dir/service.log" 2>&1 &
  echo $! >"$state_dir/service.pid"
  for _ in $(seq 100); do
    is_up && return
    kill -0 "$(cat "$state_dir/service.pid")" 2>/dev/null || break
    sleep 0.3
  done
  tail -n 5 "$state_dir/service.log" >&2
  fail "Podman's service does not answer"
}

# Those of runs that were cut off; the tests of one that goes on are younger.
remove_left_overs() {
  timeout --foreground 60 podman ps --all --quiet --filter label=piquet-test --filter until=3h 2>/dev/null |
    xargs --no-run-if-empty timeout 60 podman rm --force --volumes >/dev/null 2>&1 || true
}

[ "$(id -u)" = 0 ] || fail "Podman is set up here by root alone"
is_installed || install_packages
is_up || start_service
remove_left_overs

# Containers are reached from here, whatever address the engine gives. The helper that would remove what tests
# leave comes from a registry; engine-down.sh does its work.
cat <<VARIABLES
unset ${others[*]}
export CONTAINERS_CONF='$CONTAINERS_CONF'
export DOCKER_HOST='unix://$socket'
export TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
export TESTCONTAINERS_RYUK_DISABLED=true
VARIABLES
