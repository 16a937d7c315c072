# Stands beside the child of `holdfast lock`, in a session of its own, and ends the child's group when its wrapper
# cannot: killed (end of input) or stopped (its word does not come in time). Reads from the wrapper:
#
#   expect W T A     a child is about to start, with HOLDFAST_WATCHDOG=W in its environment; T and A as for `lease`
#   group N T A      the child leads session and group N; the gate opens, unless the lease was over before that
#   lease T A        the lease runs T more seconds before TERM, then A before KILL; an empty A means KILL at once; an
#                    empty T that nothing is to be done when it ends
#   signal NAME      pass a signal on
#   term A           TERM now unless sent already, KILL after A seconds or when the lease ends
#   kill             KILL now
#   done             the group is gone
#
# Says one letter when it is up: `g` if there is a gate, else `n`. The gate is a lock on a deleted file. It is held through
# descriptor 9 until the group is known; the child opens the file as /proc/<this>/fd/8 and waits for the lock before it
# becomes the command.
#
# Times are kept in milliseconds of `now`, and a word that comes too late is no better than none: this process and the
# child may both have been stopped until after the next one holds (R1.3).
#
# Ends with 0, or 5 if it had to act on its own because the lease ran out; what it does after `term` is not on its own.
trap '' HUP INT QUIT TERM USR1 USR2 PIPE
expected=''
group=''
now=0
next=''   # when something is due; empty if nothing is
kill_at=0 # when TERM is not enough any more
late=0    # the lease was over before the group was known: there must be no command
termed=0
judged=0 # the wrapper had TERM sent: whether the lease is over is its to say
status=0

# Time since boot: it counts sleep and nobody can set it. Where it cannot be had, `now` only counts what was waited for in
# vain, so the time that is left begins anew with each word.
tick() {
  local up rest
  { read -r up rest </proc/uptime; } 2>/dev/null || return
  now=$((10#${up/./} * 10))
}

# Waits for a word, but looks at the clock ten times a second while something is to come: the timeout of `read` stands still
# while this process is stopped, or the machine asleep. Only the first byte is waited for in this way. The rest of the line
# is there with it, and a `read` whose time is over just then may hand over half a line, or a whole one as if it were half.
await_word() {
  local start='' rest='' millis seconds
  word=''
  if [ -z "$next" ]; then
    IFS='' read -r -N 1 start
    result=$?
  else
    tick
    millis=$((next > now + 100 ? 100 : next > now ? next - now : 1))
    printf -v seconds '0.%03d' "$millis"
    IFS='' read -r -N 1 -t "$seconds" start
    result=$?
    [ -z "$start" ] && [ "$result" -gt 128 ] && now=$((now + millis))
  fi
  if [ -n "$start" ]; then
    IFS='' read -r rest
    result=$?
    if [ "$result" = 0 ]; then
      set -- $start$rest
      word="$1" first="${2-}" second="${3-}"
    fi
  fi
  tick
}

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
# Returns whether any of it was still alive, the child included that has not made its session yet.
kill_all() {
  local stat line fields alive=1
  kill -KILL -- "-$group" 2>/dev/null
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    fields=(${line##*) })
    case "${fields[0]}" in Z | X) continue ;; esac
    if [ "${fields[3]}" = "$group" ]; then
      alive=0
      [ "${fields[2]}" = "$group" ] || kill -KILL -- "-${fields[2]}" 2>/dev/null
    elif [ "$stat" = "/proc/$group/stat" ]; then
      alive=0
    fi
  done
  return "$alive"
}

# A stopped process acts on TERM only when it goes on. Must be quick: the time to KILL is running.
term() {
  if [ "$termed" = 0 ]; then
    termed=1
    kill -TERM -- "-$group" 2>/dev/null
    kill -CONT -- "-$group" 2>/dev/null
  fi
}

know_lease() {
  next=''
  if [ -n "$1" ]; then
    next=$((now + 10#${1/./}))
    kill_at=$((next + 10#0${2/./}))
  fi
}

# TERM, and KILL when the time for that is over; at once if it is over already, as after a stop of this process too.
lease_is_over() {
  if [ -z "$group" ]; then
    late=1
    next=$((now + 100))
    find_group || return
  fi
  [ "$judged" = 1 ] || status=5
  if [ "$termed" = 0 ] && [ "$now" -lt "$kill_at" ]; then
    term
    next="$kill_at"
  else
    end_now
  fi
}

end_now() {
  termed=1
  kill_all
  next=$((now + 200)) # and again, until the wrapper says `done`
}

# A child that was being started when the wrapper died shows up within a moment, or never. Nobody comes to the gate any more
# once it is taken away; who stood there before is found by one more look.
await_group() {
  local look
  for ((look = 0; look < 20; look++)); do
    find_group && return 0
    sleep 0.1
  done
  exec 8<&-
  find_group
}

# Before a child is expected, the end of input only means that there will be none. KILL is repeated until nothing is left: a
# group may be made, inside the session or by the child itself, while the others are being killed.
wrapper_is_dead() {
  local round
  [ -n "$group" ] || { [ -n "$expected" ] && await_group; } || exit 0
  for ((round = 0; round < 100; round++)); do
    kill_all || exit 0
    sleep 0.1
  done
  exit 0
}

if make_gate; then
  echo g
else
  echo n
fi
exec >/dev/null

while :; do
  await_word
  [ "$word" != done ] || exit "$status"
  if [ -n "$next" ] && [ "$now" -ge "$next" ]; then
    lease_is_over
  fi
  [ "$result" -gt 128 ] && continue
  [ "$result" = 0 ] || wrapper_is_dead
  case "$word" in
    expect)
      expected="$first"
      know_lease "$second" "$third"
      ;;
    group)
      group="$first"
      if [ "$late" = 1 ]; then
        status=5
        end_now
      else
        know_lease "$second" "$third"
        exec 9>&-
      fi
      ;;
    lease) [ "$termed" = 1 ] || know_lease "$first" "$second" ;;
    signal) kill "-$first" -- "-$group" 2>/dev/null ;;
    term)
      judged=1
      first=$((now + 10#${first/./}))
      [ -n "$next" ] && [ "$kill_at" -lt "$first" ] || kill_at="$first"
      term
      next="$kill_at"
      ;;
    kill) kill_all ;;
  esac
done
