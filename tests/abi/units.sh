#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# units.sh <source tree>: every unit of core/ (a header, a source or both) has a test of its own,
# tests/unit/<room>/<unit>_test.cc, or a line in tests/unit/elsewhere.txt; every such test has a unit, every line is needed.
set -euo pipefail
cd "$1"
readonly LIST=tests/unit/elsewhere.txt
faults=0
fault() {
  echo "$*"
  faults=1
}

mapfile -t units < <(find core -mindepth 2 '(' -name '*.h' -o -name '*.cc' ')' -printf '%P\n' | sed -E 's/\.(h|cc)$//' | sort -u)
((${#units[@]} > 0)) || fault "core/ has no units"

declare -A tested=()  # <room>/<unit>, chambers left out
untested=()
for unit in "${units[@]}"; do
  own=${unit%%/*}/${unit##*/}
  if [[ -f tests/unit/${own}_test.cc ]]; then tested[$own]=1; else untested+=("$unit"); fi
done
while read -r own; do
  [[ -n ${tested[$own]-} ]] || fault "tests/unit/${own}_test.cc tests no unit of core/"
done < <(find tests/unit -name '*_test.cc' -printf '%P\n' | sed 's/_test\.cc$//')

patterns=()
while read -r pattern where why; do
  patterns+=("$pattern")
  [[ -e tests/$where ]] || fault "$LIST: there is no tests/$where"
  [[ -n $why ]] || fault "$LIST: '$pattern' has no reason"
  needed=
  for unit in "${untested[@]}"; do [[ $unit == $pattern ]] && needed=1; done
  [[ -n $needed ]] || fault "$LIST: no unit needs '$pattern'"
done < <(grep -v '^#' "$LIST")
for unit in "${untested[@]}"; do
  found=
  for pattern in "${patterns[@]}"; do [[ $unit == $pattern ]] && found=1; done
  [[ -n $found ]] || fault "core/$unit has no tests/unit/${unit%%/*}/${unit##*/}_test.cc, nor a line in $LIST"
done
exit "$faults"
