# Shared by the scripts in this directory; see docs/chaos.md. Not to be run itself.
set -u

readonly here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
readonly root="$(dirname "$here")"
readonly home="$here/target/chaos"
readonly script="$(basename "$(cd "$(dirname "$0")" && pwd -P)")/$(basename "$0")"

fail() {
  echo "$script: $1" >&2
  exit 2
}

notice() {
  echo "$script: NOTICE: $1" >&2
}

# The lines of the comment at the top of the script that say how to call it.
usage() {
  sed -n "s|^#   $script|usage: $script|p" "$0" >&2
  exit 2
}

require_tools() {
  local tool
  for tool in java mvn; do
    type -P "$tool" >/dev/null || fail "$tool is needed"
  done
}

# Builds when a source is newer than what was built.
build() {
  local stamp="$home/built"
  if [ -f "$stamp" ] && [ -z "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main -newer "$stamp" -print -quit)" ]; then
    return
  fi
  [ -z "${CHAOS_SKIP_BUILD:-}" ] || [ ! -f "$stamp" ] || return 0
  echo "$script: building" >&2
  mkdir -p "$home" || fail "cannot write to $home"
  local started="$home/.started"
  : >"$started"
  # Tests are compiled, as one module's test classes are another's; not run.
  (cd "$root" && mvn -B -ntp -q -Pquick -Dmaven.test.skip=false -DskipTests -pl chaos -am package) >"$home/build.log" 2>&1 </dev/null ||
    fail "the build failed; $home/build.log has the whole story"
  mv "$started" "$stamp"
}

install_missing() {
  local missing=()
  type -P ip >/dev/null || missing+=(iproute2)
  type -P nft >/dev/null || missing+=(nftables)
  find_faketime >/dev/null || missing+=(faketime)
  [ ${#missing[@]} -eq 0 ] && return
  type -P apt-get >/dev/null || return
  echo "$script: installing ${missing[*]}" >&2
  if ! DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -q "${missing[@]}" >/dev/null 2>&1; then
    timeout 300 apt-get update -q >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -q "${missing[@]}" >/dev/null 2>&1 ||
      notice "apt-get could not install ${missing[*]}"
  fi
}

find_faketime() {
  local library
  for library in /usr/lib/*/faketime/libfaketimeMT.so.1 /usr/lib/faketime/libfaketimeMT.so.1; do
    if [ -e "$library" ]; then
      echo "$library"
      return 0
    fi
  done
  return 1
}

isolate=(unshare)
[ "$(id -u)" -eq 0 ] || isolate+=(--user --map-root-user)
isolate+=(--mount --net --pid --ipc --fork --kill-child --mount-proc --)

# Whether namespaces can be made, with a bridge and a packet filter in one of them.
can_isolate() {
  local tool
  for tool in unshare setpriv nsenter ip nft; do
    type -P "$tool" >/dev/null || return 1
  done
  "${isolate[@]}" sh -c '
    mount --make-rprivate / && mount -t tmpfs chaos /run && mount -t tmpfs chaos /dev/shm &&
    ip link add probe type bridge && ip netns add probe &&
    nft "add table ip probe; add chain ip probe in { type filter hook input priority 0; }"' >/dev/null 2>&1
}

directory=""
isolated=""
child=""
harness=""
options=()

# Installs what is missing, builds, and makes a directory for the run with a copy of the jars: another build must not change
# what runs.
prepare() {
  require_tools
  case "$root" in
    /dev/shm | /dev/shm/* | /run | /run/*) fail "a run hides /dev/shm and /run from its processes; check out elsewhere" ;;
  esac
  [ "$(id -u)" -ne 0 ] || install_missing
  build
  directory="$here/target/runs/$(date +%Y%m%d-%H%M%S)-$$"
  mkdir -p "$directory" || fail "cannot write to $directory"
  cp -r "$home/lib" "$directory/lib" || fail "cannot copy $home/lib"
  options=(--sources "$root" --directory "$directory")
  # Class data sharing: processes are started over and over, and this halves what a start costs.
  local jars
  jars="$(LC_ALL=C; printf ':%s' "$directory"/lib/*.jar)"
  timeout 120 java -XX:ArchiveClassesAtExit="$directory/classes.jsa" -Xlog:disable -Xlog:all=off -XX:+UseSerialGC \
    -XX:-UsePerfData -cp "${jars#:}" io.holdfast.cli.ArchiveTraining >/dev/null 2>&1 </dev/null || rm -f "$directory/classes.jsa"
}

# The harness ends its processes when told to. If it does not in time, its namespace does; without one, their numbers and
# start times are on record.
finish() {
  trap '' INT TERM HUP
  if [ -n "$child" ] && kill -0 "$child" 2>/dev/null; then
    kill -TERM "${harness:-$child}" 2>/dev/null
    for _ in $(seq 100); do
      kill -0 "$child" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$child" 2>/dev/null
    wait "$child" 2>/dev/null
  fi
  [ -n "$isolated" ] || kill_recorded
  rm -rf "$directory/lib" "$directory/tmp" "$directory/classes.jsa"
}

kill_recorded() {
  local pid started
  [ -f "$directory/log/pids" ] || return 0
  while read -r pid started; do
    if [ "$(awk '{ sub(/^.*\) /, ""); print $20 }' "/proc/$pid/stat" 2>/dev/null)" = "$started" ]; then
      kill -KILL "$pid" 2>/dev/null
    fi
  done <"$directory/log/pids"
}

# launch CLASS WHAT-CANNOT-BE-DONE-WITHOUT-NAMESPACES ARGUMENTS…: runs the harness, in namespaces of its own if that is
# possible, and exits with its status. The directory is kept unless all was well, or if --keep is among the arguments.
launch() {
  local class="$1" without="$2" status
  shift 2
  local command=(java -XX:+UseSerialGC -XX:-UsePerfData -Xmx1g "-Djava.io.tmpdir=$directory" -cp "$directory/lib/*" "$class")
  trap 'finish; echo "$script: interrupted, nothing was judged" >&2; exit 130' INT TERM HUP
  if can_isolate; then
    isolated=1
    # If this script is killed, setpriv's signal ends unshare, and that everything inside.
    setpriv --pdeathsig KILL "${isolate[@]}" sh -c '
      mount --make-rprivate / && mount -t tmpfs chaos /run && mount -t tmpfs chaos /dev/shm && ip link set lo up && exec "$@"' sh \
      "${command[@]}" --root "${options[@]}" "$@" </dev/null &
    child=$!
    for _ in $(seq 20); do
      read -r harness _ 2>/dev/null <"/proc/$child/task/$child/children" && [ -n "$harness" ] && break
      sleep 0.1
    done
  else
    notice "no namespaces here (root is needed)$without"
    "${command[@]}" "${options[@]}" "$@" </dev/null &
    child=$!
  fi
  wait "$child"
  status=$?
  finish
  if [ "$status" -eq 2 ] || { [ "$status" -eq 0 ] && [[ " $* " != *" --keep "* ]]; }; then
    rm -rf "$directory"
  else
    echo "$script: logs are in $directory" >&2
  fi
  exit "$status"
}
