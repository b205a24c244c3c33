#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# frozen.sh <abi1.golden> <include directory> <compiler> <core library>: the constants that ABI 1 was frozen with have their
# values, its functions have the symbol version BP_1, and what came later has another.
set -euo pipefail
export LC_ALL=C
frozen=$1 include=$2 cc=$3 library=$4
here=$(dirname "${BASH_SOURCE[0]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0
"$here/declarations.sh" "$include" "$cc" >"$work/today.h"
python3 "$here/constants.py" "$frozen" "$cc" | sort >"$work/was"
python3 "$here/constants.py" "$work/today.h" "$cc" | sort >"$work/is"
if changed=$(comm -23 "$work/was" "$work/is") && [[ -n $changed ]]; then
  printf 'constants of ABI 1 that are gone or have another value:\n%s\n' "$changed"
  faults=1
fi
nm -D --defined-only "$library" | sed -nE 's/.* T ([^@]+)@@(.*)/\1 \2/p' | sort >"$work/exports"
grep -oE '\bbp_[a-z0-9_]+\(' "$frozen" | tr -d '(' | sort -u | grep -v '^bp_plugin_query$' | sed 's/$/ BP_1/' >"$work/functions"
if gone=$(comm -13 "$work/exports" "$work/functions") && [[ -n $gone ]]; then
  printf 'functions of ABI 1 that are not exported with their version:\n%s\n' "$gone"
  faults=1
fi
if late=$(comm -23 "$work/exports" "$work/functions" | grep ' BP_1$'); then
  printf 'functions that ABI 1 did not have; give them a version of their own in core/backplane.map:\n%s\n' "$late"
  faults=1
fi
exit "$faults"
