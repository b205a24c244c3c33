#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# elf.sh core|plugin|cpu <shared library>: what a file must be so that it loads on every machine and disturbs nobody:
# it needs only the listed libraries, has no text relocations, no static TLS, no symbol that is unique in the process, and
# a plugin carries no search path of its own. The core is at most 3.5 MB when stripped.
set -euo pipefail
role=$1 file=$2
faults=0
fault() {
  echo "$(basename "$file"): $*"
  faults=1
}

dynamic=$(readelf -dW "$file")
allowed='libc\.so\.6|libm\.so\.6|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux-[a-z0-9_-]+\.so\.[0-9]|libdl\.so\.2|libpthread\.so\.0'
[[ $role == cpu ]] && allowed+='|libgomp\.so\.1|libomp\.so\.5'
while read -r needed; do
  [[ $needed =~ ^($allowed)$ ]] || fault "needs $needed, which may be missing; open it at probe instead"
done < <(sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' <<<"$dynamic")
! grep -q TEXTREL <<<"$dynamic" || fault "has text relocations"
! grep -q STATIC_TLS <<<"$dynamic" || fault "uses static TLS: it may fail to load late"
# Not R_X86_64_DTPOFF64, which is dynamic. No pipe into grep -q: it leaves early, and the writer's end counts (pipefail).
relocations=$(readelf -rW "$file")
! grep -Eq '_(GOT)?TPOFF|_TLS_TPREL' <<<"$relocations" || fault "has initial-exec TLS relocations"
! grep -Eq 'RPATH|RUNPATH' <<<"$dynamic" || [[ $role == core ]] || fault "carries a search path"
unique=$(nm -D --defined-only "$file" | awk '$2 == "u" {print $3}')
[[ -z $unique ]] || fault "has process-wide unique symbols: $unique"

if [[ $role == core ]]; then
  stripped=$(mktemp)
  trap 'rm -f "$stripped"' EXIT
  strip -o "$stripped" "$file"
  size=$(stat -c %s "$stripped")
  echo "stripped: $size bytes"
  ((size <= 7 * 512 * 1024)) || fault "is $size bytes when stripped, more than 3.5 MB"
else
  exports=$("$(dirname "${BASH_SOURCE[0]}")/exports.sh" "$file")
  [[ $exports == bp_plugin_query ]] || fault "must export bp_plugin_query and nothing else, exports: ${exports//$'\n'/ }"
fi
exit "$faults"
