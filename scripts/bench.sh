#!/usr/bin/env bash
# Measures Roost beside nginx, bare Netty and bare Vert.x on this machine, over loopback TLS, in one run.
# Prints Markdown tables; every sample goes as a JSON line into bench-results/. Takes half an hour.
# Only figures of one run may be compared with each other. Name the sections you want; none is all:
#
#   http      requests per second and server CPU time per request of `hello`, by h2load: HTTP/1.1,
#             pipelined, HTTP/2; time from start to first answer, idle memory
#   sockets   WebSocket echo: messages per second, CPU time per message, p50 and p99
#   streams   event streams: CPU time per delivered event, p50 and p99 from publication to receipt
#   probe     p50 and p99 of a request whose event loop carries a stalled reader and a pipelining client
#   modes     p50 and p99 of bursts of requests in mode reactor and mode classic
#   parking   CPU per request and per MiB on woken connections, on never-parked ones and without parking;
#             with tls.park lean the record layer of ours, else BoringSSL's
#   density   very many idle connections held by nginx, HAProxy if it is installed, bare Netty, bare
#             Vert.x and Roost: memory; takes ten minutes more
#
#   ROOST_BENCH_ROUNDS       alternating rounds of load; the median counts (3)
#   ROOST_BENCH_SECONDS      load of one sample (3)
#   ROOST_BENCH_WARM_UP      http: longest load before the first round, for each server and protocol (15)
#   ROOST_BENCH_STARTS       http: starts of each server, fewer if they take long; the median counts (2)
#   ROOST_BENCH_CLIENTS      http: connections of h2load (32)
#   ROOST_BENCH_STREAMS      http: streams at once on each HTTP/2 connection (8)
#   ROOST_BENCH_PIPELINED    http: requests in flight on each connection where they are pipelined (16)
#   ROOST_BENCH_SOCKETS      sockets: connections (1000)
#   ROOST_BENCH_SUBSCRIBERS  streams: connections (5000); client and server need as many open files each
#   ROOST_BENCH_EVENTS       streams: events published in a second (4); at more, see that no core is full
#   ROOST_BENCH_BURST        modes: requests of one burst (200)
#   ROOST_BENCH_HELD         density: connections (10000); client and server need as many open files each
#
# Needs h2load (Debian: nghttp2-client), nginx, openssl and python3. Exit code 3: something is missing.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

for section; do
  case "$section" in
    http | sockets | streams | probe | modes | parking | density) ;;
    *)
      sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
      case "$section" in -h | --help) exit 0 ;; *) exit 2 ;; esac
      ;;
  esac
done

PATH=$PATH:/usr/sbin # where Debian keeps nginx
for tool in h2load:nghttp2-client nginx:nginx openssl:openssl python3:python3; do
  if ! command -v "${tool%%:*}" > /dev/null; then
    echo "bench: ${tool%%:*} is missing; install it (Debian: apt-get install ${tool#*:})" >&2
    exit 3
  fi
done

if [ ! -d "$home/launcher/target/lib" ] || [ ! -d "$home/verticles/gate/target/classes/dev" ]; then
  echo "bench: building" >&2
  "$home/scripts/mvn" -q -B -Dmaven.test.skip=true -pl launcher,verticles/gate -am package >&2 || exit 3
fi
# shellcheck source=scripts/jdk.sh
. "$home/scripts/jdk.sh"
find_jdk
ulimit -Sn "$(ulimit -Hn)"

exec python3 -B "$home/scripts/bench/bench.py" "$home" "$@"
