#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh <cmake> <prefix> <work> <skeleton> <configure arguments...>: builds package/ against the installed tree, with
# a copy of the skeleton that calls itself `acme`.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=$1 prefix=$2 work=$3 skeleton=$4
shift 4
rm -rf "$work/acme" "$work/build"
cp -r "$skeleton" "$work/acme"
sed -i 's/"null"/"acme"/' "$work"/acme/*.c
"$cmake" -S "$here/package" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DACME="$work/acme" "$@"
"$cmake" --build "$work/build"
