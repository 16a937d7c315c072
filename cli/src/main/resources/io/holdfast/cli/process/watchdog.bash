# Stands beside the child of `holdfast lock`, in a session of its own, and ends the child's group when its wrapper
# cannot: killed (end of input) or stopped (its word does not come in time). Reads from the wrapper:
#
#   group N          the child leads session and group N
#   lease T A        the lease runs T more seconds before TERM, then A before KILL; an empty A means KILL at once
#   signal NAME      pass a signal on; the wrapper says `lease` again after it
#   term A           TERM now unless sent already, KILL after A seconds
#   kill             KILL now
#   done             the group is gone
#
# Ends with 0, or 5 if it had to act on its own because the lease ran out.
trap '' HUP INT QUIT TERM USR1 USR2 PIPE
group=''
left=''
after=''
termed=0
status=0

# Every group of the child's session: a shell with job control makes groups of its own.
end_all() {
  local stat line fields
  kill "-$1" -- "-$group" 2>/dev/null
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    fields=(${line##*) })
    if [ "${fields[3]}" = "$group" ] && [ "${fields[2]}" != "$group" ]; then
      kill "-$1" -- "-${fields[2]}" 2>/dev/null
    fi
  done
}

# A stopped process acts on TERM only when it goes on.
term() {
  if [ "$termed" = 0 ]; then
    termed=1
    end_all TERM
    end_all CONT
  fi
}

while :; do
  word=''
  if [ -n "$left" ]; then
    read -r -t "$left" word first second
  else
    read -r word first second
  fi
  result=$?
  if [ -z "$group" ] && [ "$word" != group ]; then
    # Nothing runs yet; at end of input nothing ever will.
    [ "$result" = 0 ] && [ "$word" != "done" ] && continue
    exit 0
  fi
  if [ "$result" -gt 128 ]; then
    status=5
    if [ -n "$after" ] && [ "$termed" = 0 ]; then
      left="$after"
      after=''
      term
    else
      end_all KILL
      left=0.2
    fi
  elif [ "$result" != 0 ]; then
    end_all KILL
    exit 0
  else
    case "$word" in
      group) group="$first" ;;
      lease) [ "$status" = 0 ] && left="$first" after="$second" ;;
      signal) kill "-$first" -- "-$group" 2>/dev/null ;;
      term)
        left="$first"
        after=''
        term
        ;;
      kill) end_all KILL ;;
      done) exit "$status" ;;
    esac
  fi
done
