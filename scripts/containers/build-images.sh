#!/usr/bin/env bash
# Builds the images of the container tests and prints the variables that name them.
#
#   eval "$(scripts/containers/build-images.sh)"                 from node:20-slim, with Docker or Podman
#   eval "$(scripts/containers/build-images.sh --from-debian)"   no image registry and no network inside: from
#                                                                Debian packages, this machine's Node, npm's cache
set -euo pipefail
cd "$(dirname "$0")/../.."

images=test/container/images
product=localhost/piquet-test:${PIQUET_TEST_RUN:-latest}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_from_debian=$([ "${1:-}" = --from-debian ] && echo yes || echo no)
engine=${PIQUET_ENGINE:-$(command -v docker || command -v podman || true)}
if [ "$is_from_debian" = yes ]; then engine=podman; fi

limited() {
  timeout --foreground --kill-after=10 "$@"
}

# The tests then skip, and say why.
if [ -z "$engine" ] || ! limited 60 "$engine" info >/dev/null 2>&1; then
  echo "no images are built: neither Docker nor Podman answers here" >&2
  exit "${PIQUET_REQUIRE_CONTAINERS:-0}"
fi

log() {
  echo "$(date +%T) $1" >&2
}

hash_of() {
  sha256sum | cut --characters 1-12
}

build() {
  local tag=$1 context=$2
  shift 2
  log "building $tag"
  limited 800 "$engine" build --quiet --tag "$tag" "$@" "$context" >/dev/null
}

exists() {
  "$engine" image inspect "$1" >/dev/null 2>&1
}

# The packages in npm's cache, so that a build finds them without a network.
fill_npm_cache() {
  log "filling npm's cache"
  mkdir "$work/cache"
  cp "$@" "$work/cache"
  (cd "$work/cache" && limited 300 npm ci --ignore-scripts --no-audit --no-fund --silent)
  rm -rf "$work/cache"
}

# The mirror that the machine's own packages come from, if that can be told, then Debian's.
unpack_debian() {
  local suite mirror
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" "Origin: Debian" | head -n 1 || true)
  for mirror in "$mirror" ""; do
    log "unpacking Debian"
    rm -f "$1"
    limited 400 mmdebstrap --quiet --variant=essential --include=libstdc++6,ca-certificates "$suite" "$1" \
      ${mirror:+"$mirror"} >&2 && return
  done
  return 1
}

build_base() {
  mkdir "$work/base"
  unpack_debian "$work/base/debian.tar"
  cp "$(node --print process.execPath)" "$work/base/node"
  cp --recursive "$(npm root --global)/npm" "$work/base/npm"
  cp "$images/base/Dockerfile" "$work/base"
  build "$base" "$work/base" "${offline[@]}"
}

# npm's cache for a build: a layer over it that is thrown away, or a copy where there are no such layers.
cache_volume() {
  local cache
  cache=$(npm config get cache)
  mkdir -p "$cache/_cacache"
  if [ "$("$engine" info --format '{{.Store.GraphDriverName}}')" = overlay ]; then
    echo "$cache:/root/.npm:O"
  else
    mkdir -p "$work/npm"
    cp --recursive "$cache/_cacache" "$work/npm"
    echo "$work/npm:/root/.npm"
  fi
}

base=node:20-slim
offline=()
if [ "$is_from_debian" = yes ]; then
  inputs=$(node --version && npm --version && cat /etc/debian_version "$images/base/Dockerfile")
  base=localhost/piquet-test-base:$(hash_of <<<"$inputs")
  # Stages that are kept would fill the disk, with no name to remove them by.
  offline=(--network none --format docker --layers=false --force-rm)
  exists "$base" || build_base
fi

build_from_cache() {
  # The cache goes by address.
  build "$1" "$2" --build-arg "BASE=$base" "${offline[@]}" --volume "$(cache_volume)" \
    --build-arg npm_config_offline=true --build-arg "npm_config_registry=$(npm config get registry)"
}

# A folder with the files that name the packages.
build_with_packages() {
  if [ "$is_from_debian" = no ]; then
    build "$1" "$2" --build-arg "BASE=$base"
  else
    build_from_cache "$1" "$2" || { fill_npm_cache "$2"/package*.json && build_from_cache "$1" "$2"; }
  fi
}

s3=localhost/piquet-test-s3:$({ echo "$base" && cat "$images"/s3/*; } | hash_of)
exists "$s3" || build_with_packages "$s3" "$images/s3"
build_with_packages "$product" .
log "images are there"

cat <<VARIABLES
export PIQUET_TEST_IMAGE=$product
export PIQUET_TEST_S3_IMAGE=$s3
VARIABLES
