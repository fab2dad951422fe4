#!/usr/bin/env bash
# Builds what is missing or older than its sources, then serves the board: scripts/run.sh [options].
# The options are those of `vertx run board` (scripts/vertx run --help).
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
stamp=$home/launcher/target/built

# Whether a pom, a source or a folder of sources is newer than the last build. A folder is newer when
# something in it came or went.
stale() {
  [ -f "$stamp" ] || return 0
  [ -n "$(find "$home/pom.xml" "$home"/verticles/pom.xml "$home"/verticles/*/pom.xml \
    "$home/launcher/pom.xml" "$home"/verticles/*/src/main "$home/launcher/src/main" \
    -newer "$stamp" -print -quit 2> /dev/null)" ]
}

if stale; then
  if [ -f "$stamp" ]; then
    echo "roost: sources changed, building" >&2
  else
    echo "roost: building, the first time takes some minutes" >&2
  fi
  mkdir -p "$home/launcher/target"
  touch "$home/launcher/target/building" # before the build, so that what is edited meanwhile counts
  # in the background, so that a signal to this script ends the build too
  "$home/scripts/mvn" -q -B -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true \
    -pl launcher -am package >&2 &
  build=$!
  trap 'kill "$build" 2> /dev/null; wait "$build"; exit 143' TERM
  trap 'kill "$build" 2> /dev/null; wait "$build"; exit 130' INT
  wait "$build"
  trap - TERM INT
  mv "$home/launcher/target/building" "$stamp"
fi

exec "$home/scripts/vertx" run board "$@"
