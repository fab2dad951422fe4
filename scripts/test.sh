#!/usr/bin/env bash
# Runs the whole suite: scripts/test.sh [Maven options]. As root it first installs the Debian packages
# that tests need; otherwise it names what is missing, and what is skipped without it.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# command or file, Debian package, what is skipped without it
tools=(
  "mvn maven everything"
  "chromium chromium the pages in a real browser"
  "shellcheck shellcheck the check of the shell scripts"
  "node nodejs WebSockets with the client ws"
  "npm npm WebSockets with the client ws"
  "/usr/lib/python3/dist-packages/websockets python3-websockets WebSockets with a client in Python"
  "openssl openssl TLS with a client of OpenSSL"
  "gnutls-cli gnutls-bin TLS with a client of GnuTLS"
  "python3 python3 TLS and WebSockets with clients in Python"
  "promtool prometheus the check of the metrics' names"
)
# command, what is skipped without it: Debian has none, or one that is too old
elsewhere=(
  "kubectl the manifests under k8s/ (1.21 or newer, see kubernetes.io/docs/tasks/tools)"
)

missing=()
for tool in "${tools[@]}"; do
  read -r command package skipped <<< "$tool"
  { command -v "$command" > /dev/null || [ -e "$command" ]; } && continue
  missing+=("$package")
  [ "$(id -u)" -eq 0 ] || echo "test.sh: $command is missing (Debian: $package), skipped: $skipped" >&2
done
if [ "${#missing[@]}" -gt 0 ] && [ "$(id -u)" -eq 0 ]; then
  if command -v apt-get > /dev/null; then
    echo "test.sh: installing ${missing[*]}" >&2
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
      apt-get -qq install -y --no-install-recommends "${missing[@]}" > /dev/null ||
      echo "test.sh: not all could be installed, tests that need them are skipped" >&2
    case " ${missing[*]} " in
      *" prometheus "*) systemctl --quiet disable --now prometheus 2> /dev/null || true ;; # only promtool is wanted
    esac
  else
    echo "test.sh: no apt-get here, please install: ${missing[*]}" >&2
  fi
fi

for tool in "${elsewhere[@]}"; do
  read -r command skipped <<< "$tool"
  command -v "$command" > /dev/null || echo "test.sh: $command is missing, skipped: $skipped" >&2
done

# a WebSocket client that others wrote, for PeersTest
peers=$home/target/peers
if command -v npm > /dev/null && [ ! -d "$peers/node_modules/ws" ]; then
  npm install --silent --prefix "$peers" --no-save ws@8 > /dev/null ||
    echo "test.sh: npm could not install ws, skipped: WebSockets with the client ws" >&2
fi

exec "$home/scripts/mvn" -B -ntp verify "$@"
