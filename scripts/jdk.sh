# Finds the JDK for the other scripts, which source it. Sets JAVA_HOME, or ends with one line that
# names what to install. Looked at, in this order: JAVA_HOME, /usr/lib/jvm, SDKMAN, macOS.
# shellcheck shell=bash

jdk_wanted=25

# Prints the feature version of the JDK in the folder $1, or nothing if there is none.
jdk_version() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release" | head -n 1
}

# Sets JAVA_HOME to JAVA_HOME if that is new enough, else to the oldest JDK that is.
find_jdk() {
  local folder version best='' best_version=''
  if [ -n "${JAVA_HOME:-}" ]; then
    version=$(jdk_version "$JAVA_HOME")
    if [ "${version:-0}" -ge "$jdk_wanted" ]; then
      export JAVA_HOME
      return
    fi
  fi
  for folder in /usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    version=$(jdk_version "$folder")
    if [ "${version:-0}" -ge "$jdk_wanted" ] && [ "$version" -lt "${best_version:-1000}" ]; then
      best=$folder
      best_version=$version
    fi
  done
  if [ -z "$best" ]; then
    echo "roost: no JDK $jdk_wanted or newer found; install one (for example Temurin, or Debian's openjdk-$jdk_wanted-jdk)" \
      "or point JAVA_HOME to it" >&2
    exit 1
  fi
  export JAVA_HOME=$best
}
