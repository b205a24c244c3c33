#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# imports.sh <library> <test program>: each function of the C library that the library calls either fails on demand in the test
# program, which has one of its own (failing_files.cc), or stands in touches_no_file.txt. So no call about files escapes the tests.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
escaped=0
own=$(nm -D --defined-only "$2" | awk '{print $NF}' | sed 's/@.*//')
for name in $(nm -D --undefined-only "$1" | grep '@GLIBC_' | awk '{print $NF}' | sed 's/@.*//' | sort -u); do
  if ! grep -qxF "$name" <<<"$own" && ! grep -v '^#' "$here/touches_no_file.txt" | grep -qxF "$name"; then
    echo "$name: $1 calls it; let failing_files.cc have it fail, or say in touches_no_file.txt that it touches no file"
    escaped=1
  fi
done
exit "$escaped"
