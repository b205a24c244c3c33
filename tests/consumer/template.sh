#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# template.sh <prefix> <work> <C compiler> <generator>: a backend from `backplane new-plugin` to three added kernels, by the
# installed command and its page alone: what is run is what the page says to run. What this prints is the whole way.
set -euo pipefail
prefix=$1 work=$2/template
export PATH=$prefix/bin:$PATH CC=$3 CMAKE_GENERATOR=$4
unset BACKPLANE_PLUGIN_PATH
rm -rf "$work" && mkdir "$work" && cd "$work"
say_and_run() {
  printf '%s\n' "$1" | sed 's/^/$ /'
  eval "$1"
}
block() { awk -v language="$1" -v n="$2" '/^```/ { inside = $0 == "```" language && ++seen == n; next } inside' README.md; }
passed() { sed -nE 's/^acme conforms: ([0-9]+) checks passed$/\1/p' "$1"; }
fails() { # <command...>; errexit does not see what `!` inverts
  if "$@"; then exit 1; fi
}

say_and_run "backplane new-plugin acme my/acme"
cd my/acme
fails grep -rnE 'null|Null|NULL[_-]' .
say_and_run "$(block sh 1)"
say_and_run "$(block sh 2)" | tee "$work/first"
passed "$work/first" | grep -q .

block c 1 >"$work/kernels"
block c 2 >"$work/records"
sed -i -e "/^static const bp_kernel kRecords/{
  e cat $work/kernels; echo
  r $work/records
}" kernels.c
say_and_run "$(block sh 3)" | tee "$work/second"
(($(passed "$work/second") > $(passed "$work/first")))
[[ -z $(block sh 4) && -z $(block c 3) ]]

# The page shows a relu that is wrong for NaN alone, and what is said of it.
sed -i 's/v < 0 ? 0 : v/v > 0 ? v : 0/' kernels.c
say_and_run "cmake --build build"
fails say_and_run "backplane verify build/libbackplane_acme.so --ops relu --part records" >"$work/third"
cat "$work/third"
grep -F "$(block text 1)" "$work/third"
fails grep -E '^FAILED .*(mul|sum)' "$work/third"

# What C's mathematics needs at the linker is seen to.
sed -i -e 's/v > 0 ? v : 0/expf(v)/' -e 's/BP_OP_RELU/BP_OP_EXP/' -e 's/#include <string.h>/#include <math.h>\n&/' kernels.c
say_and_run "cmake --build build"
say_and_run "backplane verify build/libbackplane_acme.so --ops exp --part records"

# Where it is installed, and without CMake.
say_and_run "cmake --install build --prefix $work/there"
[[ -f $(echo "$work"/there/lib*/backplane/libbackplane_acme.so) ]]
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name backplane-plugin.pc)")
mkdir by_hand
"$CC" -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -fvisibility=hidden -Wl,-z,defs \
  -Wl,--version-script="$(pkg-config --variable=plugin_map backplane-plugin)" \
  $(pkg-config --cflags backplane-plugin) ./*.c $(pkg-config --libs backplane-plugin) -o by_hand/libbackplane_acme.so
backplane verify by_hand/libbackplane_acme.so --part handshake
[[ $(nm -D --defined-only by_hand/libbackplane_acme.so | awk '{print $3}') == bp_plugin_query ]]
