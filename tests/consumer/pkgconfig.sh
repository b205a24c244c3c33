#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pkgconfig.sh <package> <program> <compiler> <libdir> <work>: a program in C or C++ by pkg-config alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=$1 program=$2 compiler=$3 libdir=$4 work=$5
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra flags < <(pkg-config --cflags --libs "$package")
standard=c99
[[ $program == *.c ]] || standard=c++17
"$compiler" -std=$standard -Wall -Wextra -Wpedantic -Werror "$here/$program" "${flags[@]}" -Wl,-rpath,"$libdir" -o "$work/use_$package"
plugins=$(pkg-config --variable=plugindir "$package")
[[ -d $plugins ]]
if [[ $package == backplane-static ]]; then
  [[ $(readelf -dW "$work/use_$package") != *libbackplane* ]]
  export BACKPLANE_PLUGIN_PATH=$plugins
fi
"$work/use_$package"
