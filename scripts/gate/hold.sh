# shellcheck shell=bash
# shellcheck disable=SC2154 # home, gate, hard and port are those of scripts/gate.sh
# The gates of scripts/gate.sh that hold very many connections.
# shellcheck source=scripts/gate/server.sh
. "$home/scripts/gate/server.sh"
# shellcheck source=scripts/gate/namespaces.sh
. "$home/scripts/gate/namespaces.sh"
readonly warm_up=1000
# Descriptors of a process for anything but held connections, and for what the kernel's hash gives it above
# its fair share.
readonly files_reserved=2000
readonly client_connections_max=25000

client=''

clean_up() {
  if [ -n "$client" ]; then
    kill -TERM "$client" 2> /dev/null || true
    wait "$client" 2> /dev/null || true
  fi
  stop_server
  remove_namespaces
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

verticle=hello
protocol=h1
bytes_max=none bytes_after_max=none total_max=none
ramp=60
marks=''
body=()
park=${ROOST_TLS_PARK:-}
case "$gate" in
  c10k)
    connections=10000
    case "${ROOST_MODE:-reactor}/${park:-engine}" in
      classic/*) ;; # rounds whole and nothing dropped; bytes are reported
      */lean) bytes_max=800 total_max=135000000 ;;
      *) bytes_max=5600 total_max=180000000 ;;
    esac
    ;;
  c10k-h2) connections=10000 protocol=h2 ;;
  board-c10k | board-c100k)
    connections=10000 verticle=board protocol=h2 body=(--body-end "</html>")
    if [ "$gate" = board-c100k ]; then connections=100000 ramp=600 marks=10000; fi
    ;;
  c100k) connections=100000 ramp=300 bytes_max=1500 bytes_after_max=1500 park=${park:-lean} ;;
  c1m) connections=1000000 ramp=3600 bytes_max=1500 bytes_after_max=1500 park=${park:-lean} ;;
esac
connections=$(setting CONNECTIONS "$connections")
case "$gate" in
  c100k) total_max=$((connections * 10000)) ;; # 1,000 MB for 100,000
  c1m) total_max=$((connections * 9000)) ;;    # 900 MB for each 100,000
esac

files=$((hard - files_reserved))
[ "$files" -gt 0 ] || unable "the hard limit of open files is $hard, needed are more than $files_reserved (ulimit -Hn)"
# A client has ports too: no more than the smallest usual range holds.
client_files=$((files < client_connections_max ? files : client_connections_max))
processes=$(setting PROCESSES "$(((connections + files - 1) / files))")
clients=$(setting CLIENTS "$(((connections + client_files - 1) / client_files))")
if [ "$processes" -lt 1 ] || [ "$clients" -lt 1 ]; then
  say "ROOST_GATE_PROCESSES and ROOST_GATE_CLIENTS are 1 or more"
  exit 2
fi

# A machine's descriptors are those of all processes: a connection has two.
file_max=$(cat /proc/sys/fs/file-max)
if [ "$file_max" -lt $((connections * 2 + 100000)) ]; then
  unable "the machine may open $file_max files (fs.file-max), needed are $((connections * 2 + 100000))"
fi

spread=(--clients "$clients" --processes "$processes")
if [ "$gate" = c1m ]; then
  namespaces_wanted=$(setting NAMESPACES "$(may_make_namespaces && echo 1 || echo 0)")
  if [ "$namespaces_wanted" = 1 ]; then
    make_namespaces "$clients" || unable "the network namespaces could not be made"
    spread+=(--addresses "$namespace_server" --client-prefix "ip netns exec roost-gate-%d")
  fi
fi
if [ "$clients" -gt 1 ] && [ "$namespaces" -eq 0 ]; then
  sources=127.1.0.1
  for ((number = 2; number <= clients; number++)); do sources+=",127.1.0.$number"; done
  spread+=(--sources "$sources")
fi

ramp=$(setting RAMP_SECONDS_MAX "$ramp")
hold=$(setting HOLD_SECONDS 30)
round=$(setting ROUND_SECONDS_MAX 60)
quiet=$(setting QUIET_SECONDS 5)
in_flight=$(setting IN_FLIGHT 256)
total_max=$(setting TOTAL_BYTES_MAX "$total_max" none)
after_max=$(setting BYTES_AFTER_MAX "$bytes_after_max" none)
bytes_max=$(setting BYTES_MAX "$bytes_max" none)

# Above everything the run may take, so that no connection is closed for being idle.
keep_alive=$((ramp + 4 * hold + 2 * round + quiet + 60))
settings=("http.keep-alive-timeout=${keep_alive}s")
[ "$processes" -eq 1 ] || settings+=("processes=$processes")

# Measures the server as the gate $1 with at most $2 bytes per connection; $3 is tls.park, empty for
# whatever holds. The exit code is the verdict's; the line is on stdout and in $folder/line.
run() {
  local started=("${settings[@]}")
  [ -z "$3" ] || started+=("tls.park=$3")
  start_server "$verticle" "${started[@]}"
  local text="vertx run $verticle${3:+, tls.park $3}${ROOST_MODE:+, mode $ROOST_MODE}"
  text+="${ROOST_PROFILE:+, profile $ROOST_PROFILE}${JAVA_OPTS:+, JAVA_OPTS $JAVA_OPTS}"
  # A client's own heap may collect as it likes: only the server is measured. It runs in the background so
  # that a signal ends the run at once, not after the client.
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xms16m -Xmx512m \
    -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Dio.netty.handler.ssl.openssl.bioNonApplicationBufferSize=128 \
    -cp "$home/verticles/gate/target/classes:$home/launcher/target/lib/*" \
    dev.roost.gate.cli.GateCommand --name "$1" --port "$port" --pid "$server" --server "$text" \
    --protocol "$protocol" "${body[@]}" "${spread[@]}" --marks "$marks" \
    --connections "$connections" --bytes-max "$2" --bytes-after-max "$after_max" \
    --total-bytes-max "$total_max" --ramp-seconds-max "$ramp" \
    --hold-seconds "$hold" --round-seconds-max "$round" --quiet-seconds "$quiet" \
    --in-flight "$in_flight" --warm-up "$((connections < warm_up ? connections : warm_up))" \
    > "$folder/line" &
  client=$!
  local verdict=0
  wait "$client" || verdict=$?
  client=''
  cat "$folder/line"
  stop_server
  return "$verdict"
}

if [ "$gate" != c10k-h2 ]; then
  run "$gate" "$bytes_max" "$park"
else
  run c10k-h2-unparked none off
  unparked=$(sed -n 's/.*"bytes_per_connection":\([0-9]*\),.*/\1/p' "$folder/line")
  run c10k-h2 "$((unparked * $(setting PART_MAX 50) / 100))" "$park"
fi
