# Shared by the scripts in this directory; see docs/benchmarks.md. Not to be run itself.
set -euo pipefail

bench_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
bench_java=""
bench_data=""
bench_keep=""

bench_fail() {
  echo "bench: $1" >&2
  exit 1
}

# The comment at the top of the script that was called.
bench_help() {
  sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p;}' "$0"
}

# Builds what is missing or older than its sources: Holdfast itself, the benchmarks, the peers.
bench_build() {
  [ -z "${BENCH_SKIP_BUILD:-}" ] || return 0
  "$bench_root/holdfast" version >/dev/null || bench_fail "Holdfast itself does not build"
  local stamp="$bench_root/bench/target/built"
  if [ -f "$stamp" ] && [ -z "$(find "$bench_root/bench" "$bench_root"/{model,protocol,client}/src/main \
    -name target -prune -o -type f \( -name '*.java' -o -name '*.proto' -o -name 'pom.xml' \) -newer "$stamp" -print -quit)" ]; then
    return 0
  fi
  echo "bench: building" >&2
  mkdir -p "$bench_root/bench/target"
  local started="$bench_root/bench/target/.started"
  : >"$started"
  (cd "$bench_root" && mvn -B -ntp -q -Pquick -pl bench,bench/peers -am package) \
    >"$bench_root/bench/target/build.log" 2>&1 </dev/null ||
    bench_fail "the build failed; bench/target/build.log has the whole story"
  mv "$started" "$stamp"
}

# Ends what is left of this run, by pid, if it is the process that was started under that pid.
bench_end() {
  trap - EXIT INT TERM
  if [ -n "$bench_java" ] && kill -TERM "$bench_java" 2>/dev/null; then
    wait "$bench_java" 2>/dev/null || true
  fi
  local pid start line fields
  if [ -n "$bench_data" ] && [ -f "$bench_data/pids" ]; then
    while read -r pid start; do
      line="$(cat "/proc/$pid/stat" 2>/dev/null)" || continue
      read -r -a fields <<<"${line##*) }"
      [ "${fields[19]}" = "$start" ] && kill -KILL "$pid" 2>/dev/null
    done <"$bench_data/pids"
  fi
  if [ -n "$bench_data" ] && [ -z "$bench_keep" ]; then
    rm -rf "$bench_data"
  fi
}

# bench_main NAME ARGUMENTS…: runs the benchmark of that name with the arguments of the script.
bench_main() {
  local name="$1" parent="" words=() status=0
  shift
  while [ $# -gt 0 ]; do
    case "$1" in
      -h | --help)
        bench_help
        exit 0
        ;;
      --data)
        [ $# -ge 2 ] || bench_fail "--data needs a directory"
        parent="$2"
        shift
        ;;
      --keep) bench_keep=1 ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  local java="java"
  [ -z "${JAVA_HOME:-}" ] || java="$JAVA_HOME/bin/java"
  bench_build
  trap bench_end EXIT
  trap 'bench_end; exit 130' INT
  trap 'bench_end; exit 143' TERM
  if [ -n "$parent" ]; then
    mkdir -p "$parent"
    bench_data="$(mktemp -d "$(cd "$parent" && pwd -P)/holdfast-bench.XXXXXX")"
  else
    bench_data="$(mktemp -d "${TMPDIR:-/tmp}/holdfast-bench.XXXXXX")"
  fi
  "$java" -Xmx256m -XX:+UseSerialGC -cp "$bench_root/bench/target/holdfast-bench.jar:$bench_root/bench/target/lib/*" \
    io.holdfast.bench.run.Main "$name" --root "$bench_root" --data "$bench_data" ${words[@]+"${words[@]}"} &
  bench_java=$!
  wait "$bench_java" || status=$?
  bench_java=""
  if [ "$status" -ne 0 ] && [ "$status" -ne 2 ] && [ "$name" != disk ]; then
    bench_keep=1
    echo "bench: logs are kept in $bench_data" >&2
  fi
  exit "$status"
}
