#!/usr/bin/env bash
# Builds the images of the container tests and prints the variables that name them.
#
#   eval "$(scripts/containers/build-images.sh)"                 from node:20-slim, with Docker or Podman
#   eval "$(scripts/containers/build-images.sh --from-debian)"   no image registry and no network inside: from
#                                                                Debian packages, this machine's Node, npm's cache
set -euo pipefail
cd "$(dirname "$0")/../.."

images=test/container/images
product=localhost/piquet-test:latest

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_from_debian=$([ "${1:-}" = --from-debian ] && echo yes || echo no)
engine=${PIQUET_ENGINE:-$(command -v docker || command -v podman || true)}
if [ "$is_from_debian" = yes ]; then engine=podman; fi

# The tests then skip, and say why.
if [ -z "$engine" ] || ! timeout 60 "$engine" info >/dev/null 2>&1; then
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
  timeout 1200 "$engine" build --quiet --tag "$tag" "$@" "$context" >/dev/null
}

exists() {
  "$engine" image inspect "$1" >/dev/null 2>&1
}

# The packages in npm's cache, so that a build finds them without a network.
fill_npm_cache() {
  mkdir "$work/cache"
  cp "$@" "$work/cache"
  (cd "$work/cache" && timeout 600 npm ci --ignore-scripts --no-audit --no-fund --silent)
  rm -rf "$work/cache"
}

build_base() {
  mkdir "$work/base"
  log "unpacking Debian"
  timeout 900 mmdebstrap --quiet --variant=essential --include=libstdc++6,ca-certificates \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/base/debian.tar" >&2
  cp "$(node --print process.execPath)" "$work/base/node"
  cp --recursive "$(npm root --global)/npm" "$work/base/npm"
  cp "$images/base/Dockerfile" "$work/base"
  build "$base" "$work/base" "${offline[@]}"
}

base=node:20-slim
offline=()
options=()
if [ "$is_from_debian" = yes ]; then
  inputs=$(node --version && npm --version && cat /etc/debian_version "$images/base/Dockerfile")
  base=localhost/piquet-test-base:$(hash_of <<<"$inputs")
  offline=(--network none --format docker)
  exists "$base" || build_base
  options=(
    "${offline[@]}"
    --volume "$(npm config get cache):/root/.npm:O"
    --build-arg npm_config_offline=true
    # The cache goes by address.
    --build-arg "npm_config_registry=$(npm config get registry)"
  )
fi

s3=localhost/piquet-test-s3:$({ echo "$base" && cat "$images"/s3/*; } | hash_of)
if ! exists "$s3"; then
  [ ${#offline[@]} = 0 ] || fill_npm_cache "$images"/s3/package*.json
  build "$s3" "$images/s3" --build-arg "BASE=$base" "${options[@]}"
fi

# Builds again what changed.
build "$product" . --build-arg "BASE=$base" "${options[@]}"
log "images are there"

cat <<VARIABLES
export PIQUET_TEST_IMAGE=$product
export PIQUET_TEST_S3_IMAGE=$s3
VARIABLES
