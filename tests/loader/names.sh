#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# names.sh <core>: the core names no backend but the cpu: kinds come from BP_KNOWN_KINDS and from file names.
set -euo pipefail
names='cuda|hip|sim|null|rocm|opencl|vulkan|metal|oneapi|webgpu|hexagon|maia|trn'
# Comments may give examples; literals may not.
found=$(grep -rnE --include='*.h' --include='*.cc' "\"($names)(:[0-9*]+)?\"" "$1" | grep -vE ':[0-9]+: *//' | grep -vE '// .*"' || true)
[[ -z $found ]] || { echo "a backend is named here:"; echo "$found"; exit 1; }
