#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# types.sh <abi1.golden> <include directory> <compiler> [<ignore file>]: every function and struct that ABI 1 was frozen with has the same
# types in today's headers, as abidiff of libabigail sees them. grown.abignore names the structs that have got fields since.
set -euo pipefail
frozen=$1 include=$2 cc=$3
command -v abidiff >/dev/null || { echo "abidiff is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/was" "$work/is"
cp "$frozen" "$work/was/declarations.h"
"$(dirname "${BASH_SOURCE[0]}")/declarations.sh" "$include" "$cc" >"$work/is/declarations.h"

# One variable of each function's and each struct's type is what abidiff needs to see the type.
functions=$(grep -oE '\bbp_[a-z0-9_]+\(' "$frozen" | tr -d '(' | sort -u)
structs=$(sed -nE 's/^typedef struct (bp_[a-z_0-9]+) \{.*/\1/p' "$frozen")
[[ -n $functions && -n $structs ]] || { echo "nothing is declared in $frozen"; exit 1; }
for side in was is; do
  {
    printf '#include <stddef.h>\n#include <stdint.h>\n#include "declarations.h"\n'
    for name in $functions; do printf '__typeof__(%s) *declared_%s;\n' "$name" "$name"; done
    for name in $structs; do printf 'struct %s *declared_%s;\n' "$name" "$name"; done
  } >"$work/$side/all.c"
  "$cc" -g -shared -fPIC -o "$work/$side/declared.so" "$work/$side/all.c" || {
    echo "something that ABI 1 had is not declared any more"
    exit 1
  }
done
abidiff --harmless --no-show-locs --suppressions "${4:-$(dirname "${BASH_SOURCE[0]}")/grown.abignore}" \
  "$work/was/declared.so" "$work/is/declared.so"
