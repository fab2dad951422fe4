#!/usr/bin/env bash
# Runs the whole suite: scripts/test.sh [Maven options]. As root it first installs the Debian packages
# that tests need; otherwise it names what is missing, and what is skipped without it.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# command, Debian package, what is skipped without it
tools=(
  "mvn maven everything"
  "chromium chromium the pages in a real browser"
  "shellcheck shellcheck the check of the shell scripts"
  "promtool prometheus the check of the metrics' names"
)
# command, what is skipped without it: Debian has none, or one that is too old
elsewhere=(
  "kubectl the manifests under k8s/ (1.21 or newer, see kubernetes.io/docs/tasks/tools)"
)

missing=()
for tool in "${tools[@]}"; do
  read -r command package skipped <<< "$tool"
  command -v "$command" > /dev/null && continue
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

exec "$home/scripts/mvn" -B -ntp verify "$@"
