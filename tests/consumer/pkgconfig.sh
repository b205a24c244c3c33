#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pkgconfig.sh <C compiler> <libdir> <work>: a C program by pkg-config alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$1 libdir=$2 work=$3
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra flags < <(pkg-config --cflags --libs backplane)
"$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror "$here/use.c" "${flags[@]}" -Wl,-rpath,"$libdir" -o "$work/use_pkgconfig"
"$work/use_pkgconfig"
[[ -d $(pkg-config --variable=plugindir backplane) ]]
