#!/usr/bin/env bash
# Measures Roost beside nginx and a bare Vert.x server, on this machine, over loopback TLS, in one run:
# requests per second and server CPU time per request of `hello` (HTTP/1.1 and HTTP/2, by h2load), time
# from start to first answer, idle memory. Prints a Markdown table; every sample goes as a JSON line into
# bench-results/. Takes about three minutes. Only figures of one run may be compared with each other.
#
#   ROOST_BENCH_ROUNDS     alternating rounds of load; the median counts (3)
#   ROOST_BENCH_SECONDS    load of one sample (3)
#   ROOST_BENCH_WARM_UP    longest load before the first round, for each server and protocol (15)
#   ROOST_BENCH_STARTS     starts of each server, fewer if they take long; the median counts (3)
#   ROOST_BENCH_CLIENTS    connections of h2load (32)
#   ROOST_BENCH_STREAMS    streams at once on each HTTP/2 connection (8)
#
# Needs h2load (Debian: nghttp2-client), nginx, openssl and python3. Exit code 3: something is missing.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

case "${1:-}" in
  '') ;;
  *)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    case "$1" in -h | --help) exit 0 ;; *) exit 2 ;; esac
    ;;
esac

PATH=$PATH:/usr/sbin # where Debian keeps nginx
for tool in h2load:nghttp2-client nginx:nginx openssl:openssl python3:python3; do
  if ! command -v "${tool%%:*}" > /dev/null; then
    echo "bench: ${tool%%:*} is missing; install it (Debian: apt-get install ${tool#*:})" >&2
    exit 3
  fi
done

if [ ! -d "$home/launcher/target/lib" ]; then
  echo "bench: building" >&2
  "$home/scripts/mvn" -q -B -Dmaven.test.skip=true -pl launcher -am package >&2 || exit 3
fi
# shellcheck source=scripts/jdk.sh
. "$home/scripts/jdk.sh"
find_jdk
ulimit -Sn "$(ulimit -Hn)"

exec python3 -B "$home/scripts/bench/bench.py" "$home"
