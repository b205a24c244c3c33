#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh <cmake> <prefix> <work> <configure arguments...>: builds package/ against the installed tree, with a backend
# that the installed command began.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=$1 prefix=$2 work=$3
shift 3
rm -rf "$work/acme" "$work/build"
"$prefix/bin/backplane" new-plugin acme "$work/acme"
"$cmake" -S "$here/package" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DACME="$work/acme" "$@"
"$cmake" --build "$work/build"
