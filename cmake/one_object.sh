#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# one_object.sh <out.o> <nm> <objcopy> <objects...> -- <C++ compiler> <flags...>: links the core's objects into one, of which only the
# C API can be seen, and that only within the program or library that it is linked into:
#   - An archive of many objects would give a program those that it refers to; one object comes as a whole, initialisers included.
#   - What else the core defines becomes local, so that the program may have a {fmt}, a JSON parser or a `namespace bp` of its own.
#   - The functions are hidden. A library that exported them would be called by whatever else in the process has the core, and
#     its own calls might go to another copy.
set -euo pipefail
out=$1 nm=$2 objcopy=$3
shift 3
objects=()
while [[ $1 != -- ]]; do
  objects+=("$1")
  shift
done
shift
# The linker gives a symbol the narrowest visibility that one of its objects asks for.
{
  "$nm" --defined-only "${objects[@]}" | awk '$2 == "T" && $3 ~ /^bp_/ { print ".hidden " $3 }'
  echo '.section .note.GNU-stack,"",%progbits'
} >"$out.hidden.s"
"$@" -c -x assembler "$out.hidden.s" -o "$out.hidden.o"
# Groups are resolved here: one whose name is local may still be dropped for a group of that name elsewhere.
"$@" -r -nostdlib -Wl,--force-group-allocation "${objects[@]}" "$out.hidden.o" -o "$out"
# Only a weak symbol becomes local, not one that is unique in the process.
"$nm" --defined-only "$out" | awk '$2 == "u" { print $3 }' >"$out.unique"
"$objcopy" --weaken-symbols="$out.unique" "$out"
"$objcopy" --wildcard --keep-global-symbol='bp_*' "$out"
