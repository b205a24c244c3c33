#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# environment.sh <source tree>: every place of core/, plugins/, tools/ and bindings/ that asks for the environment, or that has a
# program found by PATH, stands in tests/abi/environment.txt with how often it does and why a privileged program may do so. A
# plain read where the list has a secure one is a place that the list does not know.
set -euo pipefail
cd "$1"
readonly LIST=tests/abi/environment.txt
readonly READS='getenv|secure_getenv|getenvb|environ|environb|read_env|read_secure_env|temp_directory_path|tempnam|wordexp|GLOB_TILDE'
readonly RUNS='expandvars|expanduser|find_library|execvpe?|execlp|posix_spawnp|popen|(std::|os\.)system\b|subprocess\.|tempfile\.'
faults=0
fault() {
  echo "$*"
  faults=1
}

# "<file> <call> <count>" for each; what a comment says is no call. tree and dist are what packing the Python package leaves.
found=$(grep -rlE --exclude-dir={build,dist,tree} --include='*.'{c,cc,cu,cuh,h,hpp,py} "$READS|$RUNS" core plugins tools bindings |
  while read -r file; do
    sed -E -e 's/(^|[[:space:]])(\/\/|#[[:space:]]|\*[[:space:]]).*//' "$file" | grep -oE "\b($READS)\b|\b($RUNS)" |
      sort | uniq -c | awk -v file="$file" '{ print file, $2, $1 }' || true
  done | sort)
[[ -n $found ]] || fault "nothing asks for the environment"
while read -r place call count; do
  grep -qE "^$place +$call +$count +[A-Za-z]" "$LIST" || fault "$place has $call $count times, which $LIST does not know"
done <<<"$found"
while read -r place call count why; do
  grep -qxF "$place $call $count" <<<"$found" || fault "$LIST: $place does not have $call $count times"
  [[ -n $why ]] || fault "$LIST: $place $call has no reason"
done < <(grep -v '^#' "$LIST")
exit $faults
