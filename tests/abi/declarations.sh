#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# declarations.sh <include directory> <compiler>: what the public headers declare, after the preprocessor and without the
# system's headers: the text that abi1.golden kept when ABI 1 was frozen.
set -euo pipefail
include=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/stdint.h" "$work/stddef.h"
for header in "$include"/c_*.h; do printf '#include "%s"\n' "${header##*/}"; done >"$work/all.c"
"$cc" -E -P -nostdinc -I"$work" -I"$include" "$work/all.c"
