# shellcheck shell=bash
# Network namespaces for the clients of scripts/gate.sh c1m: each has an address, ports and a table of
# connections of its own, as machines have. Needs root and ip(8). All are named roost-gate-N and removed
# at the end.
readonly namespace_server=10.199.255.1
namespaces=0

# Makes $1 namespaces; client N comes from 10.199.N.2 and reaches the server at $namespace_server.
make_namespaces() {
  ip addr add "$namespace_server/32" dev lo
  local number
  for ((number = 0; number < $1; number++)); do
    ip netns add "roost-gate-$number"
    namespaces=$((number + 1))
    ip link add "roost-gate-$number" type veth peer name gate0 netns "roost-gate-$number"
    ip addr add "10.199.$number.1/30" dev "roost-gate-$number"
    ip link set "roost-gate-$number" up
    ip -n "roost-gate-$number" addr add "10.199.$number.2/30" dev gate0
    ip -n "roost-gate-$number" link set lo up
    ip -n "roost-gate-$number" link set gate0 up
    ip -n "roost-gate-$number" route add default via "10.199.$number.1"
  done
}

# The link of a namespace goes with it.
remove_namespaces() {
  local number
  for ((number = 0; number < namespaces; number++)); do
    ip netns del "roost-gate-$number" 2> /dev/null || true
  done
  if [ "$namespaces" -gt 0 ]; then
    ip addr del "$namespace_server/32" dev lo 2> /dev/null || true
  fi
  namespaces=0
}

# Whether this user may, and none of another run is there.
may_make_namespaces() {
  command -v ip > /dev/null && [ "$(id -u)" = 0 ] &&
    ip netns add roost-gate-0 2> /dev/null && ip netns del roost-gate-0
}
