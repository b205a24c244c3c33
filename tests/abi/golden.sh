#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# golden.sh <golden file> <what> <command...>: the lines the command prints must be those of the golden file.
# A line that is only in the file was removed or changed: that breaks programs that are already built. A line that is
# only in the output is new: GOLDEN_GROW=1 adds it (`./dev print` does).
set -euo pipefail
export LC_ALL=C
golden=$1 what=$2
shift 2
lines=$("$@" | sort -u)
[[ -n $lines ]] || { echo "no $what at all"; exit 1; }
gone=$(comm -23 <(sort -u "$golden") <(echo "$lines"))
new=$(comm -13 <(sort -u "$golden") <(echo "$lines"))
if [[ -n $gone ]]; then
  echo "$what in $golden and no longer there:"
  echo "$gone"
  exit 1
fi
if [[ -n $new && ${GOLDEN_GROW:-} == 1 ]]; then
  echo "$new" >> "$golden"
  sort -n "$golden" | uniq > "$golden.new"  # by id where lines start with one, else by name
  mv "$golden.new" "$golden"
elif [[ -n $new ]]; then
  echo "$what not in $golden (./dev print adds them):"
  echo "$new"
  exit 1
fi
