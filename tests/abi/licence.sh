#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# licence.sh <source tree>: each source, written or printed, names the project's licence in its first line, or in the
# second one where the first is a script's #!.
set -euo pipefail
cd "$1"

# bindings/python/tree and dist are what packing the Python package leaves behind.
mapfile -t sources < <(find dev .ci bench bindings cmake core docs examples include plugins tests tools \
  -regextype posix-extended '(' -name build -o -name dist -o -name tree -o -name __pycache__ ')' -prune -o \
  -type f -regex '.*(\.(h|hpp|c|cc|cu|cuh|py|pyi|sh|cmake)|/CMakeLists\.txt|/run|^dev)$' -print | sort)

awk -v line='SPDX-License-Identifier: Apache-2.0' '
  FNR == 1 && /^#!/ { next }
  { n++ }
  $0 != "// " line && $0 != "/* " line " */" && $0 != "# " line { print FILENAME " does not begin with " line; missing++ }
  { nextfile }
  END { exit missing > 0 || !n }' "${sources[@]}"
