#!/usr/bin/env bash
# Holds the server to a gate: scripts/gate.sh NAME. Starts `vertx run hello`, opens very many TLS
# connections to it, holds them idle, then asks on all of them at once, twice. Prints one JSON line with
# the verdict, every limit and every figure on stdout; the rest goes to stderr.
#
# Names: c10k (10,000 connections).
# Exit codes: 0 PASS, 1 FAIL, 2 wrong usage, 3 the machine, the port or the build does not allow a run.
#
#   ROOST_GATE_CONNECTIONS        connections to hold
#   ROOST_GATE_BYTES_MAX          most server memory (resident + swap, held - idle) per open connection
#   ROOST_GATE_TOTAL_BYTES_MAX    most server memory in all while they are held
#   ROOST_GATE_RAMP_SECONDS_MAX   longest time to open them all (60)
#   ROOST_GATE_HOLD_SECONDS       time they stay idle (30)
#   ROOST_GATE_ROUND_SECONDS_MAX  longest time for one round of requests (60)
#   ROOST_GATE_QUIET_SECONDS      rest after the warm-up, before the idle memory is read (5)
#   ROOST_GATE_IN_FLIGHT          most handshakes at once (256)
#   ROOST_GATE_PORT               port of the server under test (20443)
#
# Any other ROOST_ variable (such as ROOST_PROFILE) and JAVA_OPTS reach the server as always, so that
# every profile can be gated.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
readonly start_seconds_max=60 stop_seconds_max=30 warm_up=1000

say() { echo "gate: $*" >&2; }

unable() {
  say "$*"
  exit 3
}

case "${1:-}" in
  c10k)
    connections=10000
    bytes_max=5600
    total_max=180000000
    ;;
  '' | -h | --help)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    [ $# -gt 0 ] && exit 0
    exit 2
    ;;
  *)
    say "unknown gate '$1'; known: c10k"
    exit 2
    ;;
esac
name=$1

connections=${ROOST_GATE_CONNECTIONS:-$connections}
bytes_max=${ROOST_GATE_BYTES_MAX:-$bytes_max}
total_max=${ROOST_GATE_TOTAL_BYTES_MAX:-$total_max}
ramp=${ROOST_GATE_RAMP_SECONDS_MAX:-60}
hold=${ROOST_GATE_HOLD_SECONDS:-30}
round=${ROOST_GATE_ROUND_SECONDS_MAX:-60}
quiet=${ROOST_GATE_QUIET_SECONDS:-5}
in_flight=${ROOST_GATE_IN_FLIGHT:-256}
port=${ROOST_GATE_PORT:-20443}
for number in "$connections" "$bytes_max" "$total_max" "$ramp" "$hold" "$round" "$quiet" "$in_flight" "$port"; do
  case "$number" in
    '' | *[!0-9]*)
      say "'$number' is no whole number; see the variables with scripts/gate.sh --help"
      exit 2
      ;;
  esac
done
# The server refuses ROOST_ variables that are no settings of its own.
unset "${!ROOST_GATE_@}"

# Client and server are two processes: each needs one descriptor for each connection, and some more.
needed=$((connections + 1000))
hard=$(ulimit -Hn)
if [ "$hard" != unlimited ] && [ "$hard" -lt "$needed" ]; then
  unable "the hard limit of open files is $hard, needed are $needed (ulimit -Hn, limits.conf, prlimit)"
fi
ulimit -Sn "$hard"

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

folder=$(mktemp -d "${TMPDIR:-/tmp}/roost-gate.XXXXXX")
server=''
client=''

stop_server() {
  [ -n "$server" ] || return 0
  kill -TERM "$server" 2> /dev/null || true
  local tenths=$((stop_seconds_max * 10))
  while kill -0 "$server" 2> /dev/null && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  if kill -0 "$server" 2> /dev/null; then
    say "the server did not stop within $stop_seconds_max s, killing it"
    kill -KILL "$server" 2> /dev/null || true
  fi
  wait "$server" 2> /dev/null || say "the server ended with exit code $?"
  server=''
}

clean_up() {
  if [ -n "$client" ]; then
    kill -TERM "$client" 2> /dev/null || true
  fi
  stop_server
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Above everything the run may take, so that no connection is closed for being idle.
keep_alive=$((ramp + hold + 2 * round + quiet + 60))
settings=(--set "server.port=$port" --set management.port=0 --set "data.dir=$folder/data"
  --set "http.keep-alive-timeout=${keep_alive}s")
"$home/scripts/vertx" run hello "${settings[@]}" > "$folder/log" 2>&1 &
server=$! # scripts/vertx becomes the JVM

tenths=$((start_seconds_max * 10))
until answers; do
  if ! kill -0 "$server" 2> /dev/null || [ "$tenths" -eq 0 ]; then
    tail -n 20 "$folder/log" >&2
    unable "the server did not start; its last lines are above"
  fi
  sleep 0.1
  tenths=$((tenths - 1))
done
say "$(tail -n 1 "$folder/log")"

# The client's own heap may collect as it likes: only the server is measured. It runs in the background
# so that a signal ends the run at once, not after the client.
"$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xms16m -Xmx512m \
  -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -Dio.netty.handler.ssl.openssl.bioNonApplicationBufferSize=128 \
  -cp "$home/verticles/gate/target/classes:$home/launcher/target/lib/*" \
  dev.roost.gate.cli.GateCommand --name "$name" --port "$port" --pid "$server" \
  --server "vertx run hello${ROOST_PROFILE:+, profile $ROOST_PROFILE}${JAVA_OPTS:+, JAVA_OPTS $JAVA_OPTS}" \
  --connections "$connections" --bytes-max "$bytes_max" \
  --total-bytes-max "$total_max" --ramp-seconds-max "$ramp" \
  --hold-seconds "$hold" --round-seconds-max "$round" --quiet-seconds "$quiet" \
  --in-flight "$in_flight" --warm-up "$((connections < warm_up ? connections : warm_up))" &
client=$!
wait "$client" # the last command: its exit code is ours
