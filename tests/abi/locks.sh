#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# locks.sh <source tree>: every mutex that core/ declares stands in tests/abi/locks.txt, which says what a fork finds of it. A lock of
# core/base/locks.h needs no line.
set -euo pipefail
cd "$1"
readonly LIST=tests/abi/locks.txt
faults=0
fault() {
  echo "$*"
  faults=1
}

declared=$(grep -rnE --include='*.h' --include='*.cc' '^\s*(mutable |static )*(std::(recursive_|timed_|shared_)?mutex|SpinLock) \w+;' core |
  grep -v '^core/base/locks.h:' | sed -E 's/^core\/([^:]*):[0-9]+:.* (\w+);.*/\1 \2/' | sort)
[[ -n $declared ]] || fault "core/ declares no mutex"
while read -r place name; do
  grep -qE "^$place +$name +[a-z]" "$LIST" || fault "core/$place declares $name, which $LIST does not know"
done <<<"$declared"
while read -r place name why; do
  grep -qxF "$place $name" <<<"$declared" || fault "$LIST: core/$place declares no mutex $name"
  [[ -n $why ]] || fault "$LIST: core/$place $name has no reason"
done < <(grep -v '^#' "$LIST")
exit $faults
