#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# on_card.sh: the cases of the software CUDA machine on a real card, from what pack_for_card.sh packed.
#   on_card.sh               all parts: rows, faults, runtime; differences first, then counts
#   on_card.sh rows          one of them
# Each part has a time limit; nothing is written but in a temporary folder.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
jobs=$(nproc)
export CUDA_CACHE_DISABLE=1 here dir

# gtest's failures as one line each.
failures() { awk '/: Failure$|^unknown file/{t="";on=1;next} on&&/^$|^\[/{if(t!="")print substr(t,1,420);on=0;t="";next} on&&!/^(Value of: right|  Actual: false|Expected: true)$/{t=t (t==""?"":" | ") $0}'; }

rows() {
  : > "$dir/ended"
  for k in $(seq 0 $((jobs - 1))); do
    CUDA_ROWS=card CUDA_ROWS_SHARE=$k/$jobs timeout 60 "$here/cuda_machine_tests" --gtest_brief=1 \
      --gtest_filter='*/Rows.*:Operands.*:Carries.*' > "$dir/rows.$k" 2>&1 || echo "share $k: exit code $?" >> "$dir/ended" &
  done
  wait
  for f in "$dir"/rows.*; do failures < "$f"; done > "$dir/lines"
  # The first difference of each opcode is enough to read.
  sed 's/^@!*on //' "$dir/lines" | awk '{split($1,a,/[,:]/)} !seen[a[1]]++' > "$dir/short"
  echo "rows: $(wc -l < "$dir/lines") differences or refusals, of $(wc -l < "$dir/short") opcodes; shares that ended badly: $(wc -l < "$dir/ended") of $jobs"
  head -25 "$dir/short" | cut -c1-180
  grep -hE 'CUDA_ERROR|terminate|Killed' "$dir"/rows.* | cut -c1-120 | sort | uniq -c | sort -rn | head -4
  awk '{print $NF}' "$dir/ended" | sort | uniq -c | sed 's/$/ (exit code)/'
}

# One fault or its right kernel under its tool: its first lines that say something.
fault() {
  out=$(timeout -k 2 20 "$sanitizer" --tool "$2" --error-exitcode 9 "$here/cuda_fault" "$1" "$3" 2>&1)
  code=$?
  said=$(grep -E 'Invalid|Uninitialized|hazard|Barrier|Divergent|Missing|error|Error|CUDA_ERROR' <<< "$out" | sed 's/^=* *//' | head -2 | tr '\n' ' ' | cut -c1-110)
  [ $code = 124 ] && said="hangs. $said"
  echo "$1 $3 [$2] ${said:-nothing (exit code $code)}"
}
faults() {
  sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)
  [ -n "$sanitizer" ] || { echo "faults: there is no compute-sanitizer"; return; }
  export sanitizer
  export -f fault
  "$here/cuda_fault" > "$dir/faults"
  while read -r name tool _; do printf '%s %s wrong\n%s %s right\n' "$name" "$tool" "$name" "$tool"; done < "$dir/faults" |
    timeout 120 xargs -P 12 -L 1 bash -c 'fault "$@"' _ > "$dir/said"
  echo "faults: compute-sanitizer's verdict (the machine names every wrong one and no right one)"
  grep ' wrong ' "$dir/said" | sort -k3
  echo "right kernels of which it says something:"
  grep ' right ' "$dir/said" | grep -v 'nothing (exit code 0)' | sort
}

runtime_case() {
  timeout -k 2 25 "$here/cuda_runtime_tests" --gtest_filter="$1" > "$dir/case.${1//\//.}" 2>&1
  echo "$1 $?" >> "$dir/cases"
}
runtime() {
  real=${CUDART:-/usr/local/cuda/lib64/libcudart.so.13}
  [ -e "$real" ] || real=$(ldconfig -p | awk '/libcudart.so.13 /{print $NF; exit}')
  [ -n "$real" ] || { echo "runtime: there is no libcudart.so.13; CUDART says where it is"; return; }
  export -f runtime_case
  LD_LIBRARY_PATH=$(dirname "$real")
  export LD_LIBRARY_PATH
  "$here/cuda_runtime_tests" --gtest_list_tests | awk '/^[^ ]/{s=$1} /^ /{print s $1}' |
    timeout 150 xargs -P 8 -I{} bash -c 'runtime_case {}'
  echo "runtime: $(wc -l < "$dir/cases") cases over $real; passed or skipped: $(grep -c ' 0$' "$dir/cases"), skipped: $(cat "$dir"/case.* | grep -c '^\[  SKIPPED \].* ms)')"
  grep -v ' 0$' "$dir/cases" | sort | while read -r name code; do
    echo "$name: exit code $code"
    failures < "$dir/case.${name//\//.}" | cut -c1-230 | head -6
  done
}

if ! ldconfig -p | grep -q 'libcuda\.so\.1' && [ -z "${CUDA_DRIVER:-}" ]; then
  echo "on_card.sh: there is no driver (libcuda.so.1)"
  exit 1
fi
if [ $# = 0 ]; then set -- rows faults runtime; fi
for part; do
  begin=$SECONDS
  $part 2>&1 | cut -c1-260 | head -c 4000
  echo "-- $part: $((SECONDS - begin)) s"
done
