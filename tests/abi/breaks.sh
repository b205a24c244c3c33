#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# breaks.sh <abi1.golden> <include directory> <compiler>: types.sh refuses headers that break ABI 1, and names what broke; it
# accepts those that only grew.
set -euo pipefail
frozen=$1 include=$2 cc=$3
here=$(dirname "${BASH_SOURCE[0]}")
command -v abidiff >/dev/null || { echo "abidiff is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0

seed() { # <what> <header> <sed script> <word of the answer, "" when it is none> [<ignore file>]
  local said status=0
  rm -rf "$work/include" && cp -r "$include" "$work/include"
  sed -i -E "$3" "$work/include/$2"
  ! cmp -s "$include/$2" "$work/include/$2" || { echo "$1: nothing was seeded"; faults=1; return; }
  said=$("$here/types.sh" "$frozen" "$work/include" "$cc" "${5:-$here/grown.abignore}" 2>&1) || status=$?
  if [[ -z $4 ]] && ((status != 0)); then
    printf '%s: was refused:\n%s\n' "$1" "$said"
    faults=1
  elif [[ -n $4 ]] && { ((status == 0)) || [[ $said != *"$4"* ]]; }; then
    printf '%s: status %d, and no word of %s in:\n%s\n' "$1" "$status" "$4" "$said"
    faults=1
  fi
}
seed 'a field inserted' c_plugin.h 's/^(  uint64_t memory_bytes;.*)/  uint64_t seeded;\n\1/' memory_bytes
seed 'a slot moved' c_plugin.h '/^  void \(\*mem_free\)/d; s/^(  void \(\*stream_close\).*)/\1\n  void (*mem_free)(bp_pdev *d, void *ptr, uint64_t bytes);/' mem_free
seed 'a function removed' c_api.h '/^BP_API int32_t bp_get_num_threads/d' bp_get_num_threads
seed 'an argument of another type' c_api.h 's/^(BP_API bp_status bp_set_num_threads)\(int32_t/\1(int64_t/' bp_set_num_threads
seed 'a field of another type' c_api.h 's/^  const char \*allow;/  const int32_t *allow;/' allow
seed 'a field that nobody allowed at the end' c_api.h 's/^(  void \*log_user;.*)/\1\n  uint64_t seeded;/' seeded
cp "$here/grown.abignore" "$work/grown"
printf '[suppress_type]\nname = bp_init_desc\nhas_data_member_inserted_at = end\n' >>"$work/grown"
seed 'a field that was allowed' c_api.h 's/^(  void \*log_user;.*)/\1\n  uint64_t seeded;/' '' "$work/grown"
seed 'a function added' c_api.h 's/^(BP_API int32_t bp_get_num_threads.*)/\1\nBP_API int32_t bp_seeded(void);/' ''
exit "$faults"
