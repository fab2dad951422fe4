#!/usr/bin/env bash
# Holds the server to a gate: scripts/gate.sh NAME. Prints one JSON line with the verdict, every limit and
# every figure on stdout for each server measured; the rest goes to stderr. Memory is resident + swap of
# the server's whole process tree; nobody forces a collection. The limits of the machine are checked first.
#
# Gates that open very many TLS connections, hold them idle, then ask on all of them at once, twice:
#   c10k         10,000 in one process. ROOST_TLS_PARK=lean and ROOST_MODE=classic have limits of their own
#   c10k-h2      10,000 over HTTP/2, with tls.park off and then on: at most half of it
#   c100k        100,000 over as many processes as the open-file limit asks for, lean
#   c1m          1,000,000 likewise, lean; as root from clients in network namespaces of their own
#   board-c10k, board-c100k   the board's home over HTTP/2: all answered, totals and growth reported
# Gates under load (they need python3 and h2load, Debian: nghttp2-client):
#   rss          the same mixed load twice: the second round grows nothing
#   soak         ten minutes of mixed keep-alive and churn with parking: no errors, no growth, no drift
#   handshake    CPU of full handshakes and of resumptions beside bare Netty's
# Exit codes: 0 PASS, 1 FAIL, 2 wrong usage, 3 the machine, the port or the build does not allow a run.
#
# Of the gates that hold; memory in bytes, or `none` for a figure that is only reported:
#   ROOST_GATE_CONNECTIONS        connections to hold
#   ROOST_GATE_BYTES_MAX          most server memory (held - idle) per open connection; from half of the
#                                 connections to all of them too
#   ROOST_GATE_BYTES_AFTER_MAX    the same after the rounds and one more hold
#   ROOST_GATE_TOTAL_BYTES_MAX    most server memory in all while they are held
#   ROOST_GATE_RAMP_SECONDS_MAX   longest time to open them all
#   ROOST_GATE_HOLD_SECONDS       time they stay idle: at half, with all, after the rounds (30)
#   ROOST_GATE_ROUND_SECONDS_MAX  longest time for one round of requests (60)
#   ROOST_GATE_QUIET_SECONDS      rest after the warm-up, before the idle memory is read (5)
#   ROOST_GATE_IN_FLIGHT          most handshakes at once (256)
#   ROOST_GATE_PROCESSES          worker processes of the server
#   ROOST_GATE_CLIENTS            client processes
#   ROOST_GATE_FILES              open files of each process of the server (the hard limit; root may ask for more)
#   ROOST_GATE_NAMESPACES         c1m: 1 if clients get network namespaces, else 0
#   ROOST_GATE_PART_MAX           c10k-h2: most bytes with parking, in percent of those without (50)
# Of those under load:
#   ROOST_GATE_SECONDS            soak: how long (600)
#   ROOST_GATE_GROWTH_MAX         rss, soak: most growth of memory in percent (10)
#   ROOST_GATE_GROWTH_BYTES_MAX   rss: growth that is allowed in any case (8388608)
#   ROOST_GATE_DRIFT_MAX          soak: most growth of the 99th percentile in percent (20)
#   ROOST_GATE_HANDSHAKES         handshake: of each kind in one run (2000)
#   ROOST_GATE_RUNS               handshake: alternating runs, the median counts (5)
#   ROOST_GATE_CPU_MAX            handshake: most CPU in percent of bare Netty's, engine (135)
#   ROOST_GATE_CPU_LEAN_MAX       the same, lean (120)
# Of all:
#   ROOST_GATE_PORT               port of the server under test (20443), of more than one the first
#
# Any other ROOST_ variable (such as ROOST_PROFILE) and JAVA_OPTS reach the server as always, so that
# every profile can be gated.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
readonly home

say() { echo "gate: $*" >&2; }

unable() {
  say "$*"
  exit 3
}

# The value of ROOST_GATE_$1, else $2. A whole number; `none` too where $3 says so.
setting() {
  local variable=ROOST_GATE_$1
  local value=${!variable:-$2}
  case "$value" in
    "${3:-0}") ;;
    '' | *[!0-9]*)
      say "$variable is '$value', which is no whole number; see scripts/gate.sh --help"
      exit 2
      ;;
  esac
  printf '%s' "$value"
}

gate=${1:-}
case "$gate" in
  c10k | c10k-h2 | c100k | c1m | board-c10k | board-c100k) part=hold ;;
  rss | soak | handshake) part=load ;;
  '' | -h | --help)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    [ $# -gt 0 ] && exit 0
    exit 2
    ;;
  *)
    say "unknown gate '$gate'; known: c10k c10k-h2 c100k c1m board-c10k board-c100k rss soak handshake"
    exit 2
    ;;
esac

hard=$(ulimit -Hn)
[ "$hard" = unlimited ] && hard=$(cat /proc/sys/fs/nr_open)
hard=$(setting FILES "$hard")
ulimit -n "$hard" 2> /dev/null || unable "$hard open files are above the hard limit, $(ulimit -Hn) (ulimit -Hn, limits.conf, prlimit)"
port=$(setting PORT 20443)

answers() { (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; }
# With SO_REUSEPORT a server left over from an earlier run would take its share of the connections.
if answers; then
  unable "port $port already answers; stop what listens there or set ROOST_GATE_PORT"
fi

if [ ! -d "$home/launcher/target/lib" ] || [ ! -d "$home/verticles/gate/target/classes/dev" ]; then
  say "building"
  "$home/scripts/mvn" -q -B -Dmaven.test.skip=true -pl launcher,verticles/gate -am package >&2 ||
    unable "the build failed"
fi
# shellcheck source=scripts/jdk.sh
. "$home/scripts/jdk.sh"
find_jdk

# shellcheck source=scripts/gate/hold.sh
# shellcheck source=scripts/gate/load.sh
. "$home/scripts/gate/$part.sh"
