# shellcheck shell=bash
# shellcheck disable=SC2154 # home, gate, hard and port are those of scripts/gate.sh
# The gates of scripts/gate.sh that put the server under load: scripts/gate/$gate.py, with the servers and
# clients of scripts/bench.
for tool in python3:python3 openssl:openssl h2load:nghttp2-client; do
  command -v "${tool%%:*}" > /dev/null || unable "${tool%%:*} is missing (Debian: apt-get install ${tool#*:})"
done
[ "$hard" -ge 4096 ] || unable "the hard limit of open files is $hard, needed are 4096 (ulimit -Hn)"
# A bad setting stops the gate before it takes time.
seconds=$(setting SECONDS 600)
growth_max=$(setting GROWTH_MAX 10)
growth_bytes_max=$(setting GROWTH_BYTES_MAX 8388608)
drift_max=$(setting DRIFT_MAX 20)
handshakes=$(setting HANDSHAKES 2000)
runs=$(setting RUNS 5)
cpu_max=$(setting CPU_MAX 135)
cpu_lean_max=$(setting CPU_LEAN_MAX 120)
unset "${!ROOST_GATE_@}"
export PYTHONPATH="$home/scripts/bench"
case "$gate" in
  rss) limits=("$growth_max" "$growth_bytes_max") ;;
  soak) limits=("$seconds" "$growth_max" "$drift_max") ;;
  handshake) limits=("$handshakes" "$runs" "$cpu_max" "$cpu_lean_max") ;;
esac
exec python3 -B "$home/scripts/gate/$gate.py" "$home" "$port" "${limits[@]}"
