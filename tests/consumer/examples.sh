#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples.sh <cmake> <prefix> <work> <configure arguments...>: the installed examples, which are a project of their own.
set -euo pipefail
cmake=$1 prefix=$2 work=$3/examples
shift 3
rm -rf "$work"
"$cmake" -S "$prefix/share/backplane/examples" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" "$@"
"$cmake" --build "$work"
"$work/hello_c"
"$work/hello_cpp"
