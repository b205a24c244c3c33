#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pkgconfig.sh <package> <C compiler> <libdir> <work>: a C program by pkg-config alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=$1 compiler=$2 libdir=$3 work=$4
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra flags < <(pkg-config --cflags --libs "$package")
"$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror "$here/use.c" "${flags[@]}" -Wl,-rpath,"$libdir" -o "$work/use_$package"
plugins=$(pkg-config --variable=plugindir "$package")
[[ -d $plugins ]]
if [[ $package == backplane-static ]]; then
  [[ $(readelf -dW "$work/use_$package") != *libbackplane* ]]
  export BACKPLANE_PLUGIN_PATH=$plugins
fi
"$work/use_$package"
