#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# structs.sh <include directory> <layout.c>: every struct of the public headers has its size asserted in layout.c.
set -euo pipefail
missing=0
while read -r name; do
  grep -q "^SIZE($name, " "$2" || { echo "layout.c says nothing about $name"; missing=1; }
done < <(sed -nE 's/^typedef struct (bp_[a-z_0-9]+) \{.*/\1/p' "$1"/c_*.h)
exit "$missing"
