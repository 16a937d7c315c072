# Sets classpath to the compiled modules that the simulation runs; compiles them if a source is newer. Sourced.
modules=(model raft cell protocol storage replica client proxy simulation)
stale=""
for module in "${modules[@]}"; do
    classes="$root/$module/target/classes"
    if [[ ! -d "$classes" ]] || [[ -n "$(find "$root/$module/src/main" -newer "$classes" -type f -print -quit)" ]]; then
        stale="$module"
    fi
done
if [[ -n "$stale" ]]; then
    echo "compiling (${stale} has changed) ..." >&2
    (cd "$root" && mvn -q -B -pl simulation -am compile -Dmaven.test.skip=true >&2)
    for module in "${modules[@]}"; do touch "$root/$module/target/classes"; done
fi
jspecify="$(find "${HOME}/.m2/repository/org/jspecify/jspecify" -name 'jspecify-*.jar' ! -name '*-sources.jar' | sort -V | tail -1)"
classpath="$jspecify"
for module in "${modules[@]}"; do classpath="$classpath:$root/$module/target/classes"; done
