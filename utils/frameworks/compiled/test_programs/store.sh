#!/bin/sh
# sh store.sh PROGRAM ARGUMENTS: runs a program of tests, and stores it with its arguments and its folder in $PROGRAMS,
# as a line of the shell that runs it again: what starts it, go test or cargo, takes longer than most tests.
quoted() { printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
at="$PROGRAMS/$$"
if cp "$1" "$at" 2>/dev/null; then
  {
    # What cargo tells the tests of their package; what takes several lines is left out.
    export -p | grep -E "^export CARGO_(PKG_|MANIFEST_|CRATE_)[A-Z_]*='[^']*'$"
    printf 'cd %s && ' "$(quoted "$PWD")"
    [ -z "$LD_LIBRARY_PATH" ] || printf 'LD_LIBRARY_PATH=%s ' "$(quoted "$LD_LIBRARY_PATH")"
    quoted "$at"
    program=$1
    shift
    for one in "$@"; do quoted "$one"; done
    set -- "$program" "$@"
  } > "$at.sh"
fi
"$@"
