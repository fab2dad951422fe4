# shellcheck shell=bash
# shellcheck disable=SC2154 # home, gate, hard and port are those of scripts/gate.sh
# The server under test of scripts/gate.sh: started, waited for, stopped. Sets `server`, its process id.
readonly start_seconds_max=120 stop_seconds_max=60
server=''
folder=$(mktemp -d "${TMPDIR:-/tmp}/roost-gate.XXXXXX")

# Starts `vertx run $1` with the settings that follow, and waits until it answers.
start_server() {
  local verticle=$1
  shift
  local settings=(--set "server.port=$port" --set management.port=0 --set "data.dir=$folder/data-$verticle")
  local pair
  for pair; do settings+=(--set "$pair"); done
  # The server refuses ROOST_ variables that are no settings of its own.
  (
    unset "${!ROOST_GATE_@}"
    exec "$home/scripts/vertx" run "$verticle" "${settings[@]}"
  ) > "$folder/log" 2>&1 &
  server=$! # scripts/vertx becomes the JVM

  local tenths=$((start_seconds_max * 10))
  until answers; do
    if ! kill -0 "$server" 2> /dev/null || [ "$tenths" -eq 0 ]; then
      tail -n 20 "$folder/log" >&2
      unable "the server did not start; its last lines are above"
    fi
    sleep 0.1
    tenths=$((tenths - 1))
  done
  say "$(tail -n 1 "$folder/log")"
}

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
