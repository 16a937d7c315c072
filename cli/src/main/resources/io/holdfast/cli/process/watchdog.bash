# Stands beside the child of `holdfast lock`, in a session of its own, and ends the child's group when its wrapper
# cannot: killed (end of input) or stopped (its word does not come in time). Reads from the wrapper:
#
#   expect S T A     a child is about to start, with HOLDFAST_SESSION=S in its environment; T and A as for `lease`
#   group N T A      the child leads session and group N
#   lease T A        the lease runs T more seconds before TERM, then A before KILL; an empty A means KILL at once; an
#                    empty T that nothing is to be done when it ends
#   signal NAME      pass a signal on; the wrapper says `lease` again after it
#   term A           TERM now unless sent already, KILL after A seconds
#   kill             KILL now
#   done             the group is gone
#
# Ends with 0, or 5 if it had to act on its own because the lease ran out.
trap '' HUP INT QUIT TERM USR1 USR2 PIPE
expected=''
group=''
left=''
after=''
termed=0
tries=0
status=0

# The wrapper was stopped or killed between starting the child and telling its group.
find_group() {
  local environment line fields
  environment="$(grep -lzsx "HOLDFAST_SESSION=$expected" /proc/[0-9]*/environ | head -n 1)"
  [ -n "$environment" ] || return 1
  { read -r line <"${environment%environ}stat"; } 2>/dev/null || return 1
  fields=(${line##*) })
  group="${fields[3]}"
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
    tries=$((tries + 1))
    left=0.1
    if ! find_group; then
      # A child that was being started when the wrapper died shows up within a moment, or never.
      [ "$result" -gt 128 ] || { [ "$tries" -lt 20 ] && sleep 0.1; } || exit 0
      continue
    fi
  fi
  if [ "$result" -gt 128 ]; then
    status=5
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
      group) group="$first" left="$second" after="$third" ;;
      lease) [ "$status" = 0 ] && left="$first" after="$second" ;;
      signal) kill "-$first" -- "-$group" 2>/dev/null ;;
      term)
        left="$first"
        after=''
        term
        ;;
      kill) kill_all ;;
      done) exit "$status" ;;
    esac
  fi
done
