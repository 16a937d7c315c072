# Stands beside the child of `holdfast lock`, in a session of its own, and ends the child's group when its wrapper
# cannot: killed (end of input) or stopped (its word does not come in time). Reads from the wrapper:
#
#   expect W T A     a child is about to start, with HOLDFAST_WATCHDOG=W in its environment; T and A as for `lease`
#   group N T A      the child leads session and group N; the gate opens
#   lease T A        the lease runs T more seconds before TERM, then A before KILL; an empty A means KILL at once; an
#                    empty T that nothing is to be done when it ends
#   signal NAME      pass a signal on; the time that is left begins anew with it, so the wrapper says `lease` before and after
#   term A           TERM now unless sent already, KILL after A seconds
#   kill             KILL now
#   done             the group is gone
#
# Says one letter when it is up: `g` if there is a gate, else `n`. The gate is a lock on a deleted file. It is held through
# descriptor 9 until the group is known; the child opens the file as /proc/<this>/fd/8 and waits for the lock before it
# becomes the command.
#
# Ends with 0, or 5 if it had to act on its own because the lease ran out; what it does after `term` is not on its own.
trap '' HUP INT QUIT TERM USR1 USR2 PIPE
expected=''
group=''
left=''
after=''
termed=0
judged=0 # the wrapper had TERM sent: whether the lease is over is its to say
tries=0
status=0

make_gate() {
  local directory
  [ -e /proc/self/fd ] || return 1
  for directory in "$TMPDIR" "$XDG_RUNTIME_DIR" /dev/shm /tmp /var/tmp; do
    [ -n "$directory" ] && make_gate_in "$directory" && return 0
  done
  return 1
}

# It must be a place where files can be made and locked.
make_gate_in() {
  local file="$1/holdfast-gate.$$.$RANDOM$RANDOM" made
  set -o noclobber
  { exec 9>"$file"; } 2>/dev/null
  made=$?
  set +o noclobber
  [ "$made" = 0 ] || return 1
  exec 8<"$file" && flock --no-fork "$file" true && flock -n 9
  made=$?
  rm -f "$file"
  [ "$made" = 0 ] || exec 8<&- 9>&-
  return "$made"
}

# The wrapper was stopped or killed between starting the child and telling its group. Only a leader counts: before the child
# has made its session it is in the wrapper's, which is none of our business.
find_group() {
  local environment pid line fields
  for environment in $(grep -lzsxF "HOLDFAST_WATCHDOG=$expected" /proc/[0-9]*/environ); do
    pid="${environment#/proc/}"
    pid="${pid%/environ}"
    { read -r line <"/proc/$pid/stat"; } 2>/dev/null || continue
    fields=(${line##*) })
    if [ "${fields[3]}" = "$pid" ]; then
      group="$pid"
      return 0
    fi
  done
  return 1
}

# Kills the group, then every other group of the child's session: a shell with job control makes groups of its own.
kill_all() {
  local stat line fields
  kill -KILL -- "-$group" 2>/dev/null
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    fields=(${line##*) })
    if [ "${fields[3]}" = "$group" ] && [ "${fields[2]}" != "$group" ]; then
      kill -KILL -- "-${fields[2]}" 2>/dev/null
    fi
  done
}

# A stopped process acts on TERM only when it goes on. Must be quick: the time to KILL runs from its end.
term() {
  if [ "$termed" = 0 ]; then
    termed=1
    kill -TERM -- "-$group" 2>/dev/null
    kill -CONT -- "-$group" 2>/dev/null
  fi
}

if make_gate; then
  echo g
else
  echo n
fi
exec >/dev/null

while :; do
  word=''
  if [ -n "$left" ]; then
    read -r -t "$left" word first second third
  else
    read -r word first second third
  fi
  result=$?
  if [ "$result" != 0 ] && [ -z "$group" ]; then
    # Before a child is expected, the end of input only means that there will be none.
    [ -n "$expected" ] || exit 0
    left=0.1
    if ! find_group; then
      if [ "$result" -le 128 ]; then
        # A child that was being started when the wrapper died shows up within a moment, or never. Nobody comes to the gate
        # any more once it is taken away; who stood there before is found by one more look.
        [ -e /proc/self/fd/8 ] || [ "$tries" -lt 20 ] || exit 0
        tries=$((tries + 1))
        [ "$tries" -lt 20 ] || exec 8<&-
        sleep 0.1
      fi
      continue
    fi
  fi
  if [ "$result" -gt 128 ]; then
    [ "$judged" = 1 ] || status=5
    if [ -n "$after" ] && [ "$termed" = 0 ]; then
      left="$after"
      after=''
      term
    else
      kill_all
      left=0.2
    fi
  elif [ "$result" != 0 ]; then
    kill_all
    exit 0
  else
    case "$word" in
      expect) expected="$first" left="$second" after="$third" ;;
      group)
        group="$first" left="$second" after="$third"
        exec 9>&-
        ;;
      lease) [ "$status" = 0 ] && left="$first" after="$second" ;;
      signal) kill "-$first" -- "-$group" 2>/dev/null ;;
      term)
        judged=1
        left="$first"
        after=''
        term
        ;;
      kill) kill_all ;;
      done) exit "$status" ;;
    esac
  fi
done
