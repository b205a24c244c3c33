#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# instruction_sets.sh <nm> <object>...: kernels are compiled once per instruction set, and share nothing. Of a weak
# symbol the linker keeps one copy, which may be the AVX-512 one; on an older machine that is an illegal instruction.
set -euo pipefail
nm=$1
shift
(($#)) || { echo "no objects given"; exit 1; }
faults=0
for object; do
  # Inside a set's namespace is fine. The personality's reference and clang's terminate call bear no vectors.
  shared=$("$nm" "$object" | awk '$2 ~ /^[WVu]$/ { print $3 }' |
    grep -vE 'isa_(base|avx2|avx512)|^DW\.ref\.|^__clang_call_terminate$' || true)
  [[ -z $shared ]] || { echo "$object shares: $shared"; faults=1; }
done
exit $faults
