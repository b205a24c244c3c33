#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# archive.sh <static library>: the names that it defines for others, one a line. Each must be hidden, so that it is seen within what
# the library is linked into and nowhere else.
set -euo pipefail
readelf -sW "$1" | awk '
  ($5 == "GLOBAL" || $5 == "WEAK" || $5 == "UNIQUE") && $7 != "UND" {
    print $8
    if ($6 != "HIDDEN") { print $8 " is visible from outside" >"/dev/stderr"; bad = 1 }
  }
  END { exit bad }'
