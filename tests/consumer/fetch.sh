#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fetch.sh <cmake> <source tree> <build folder> <configure arguments...>: the project that docs/install.md shows, in an empty folder,
# takes Backplane in and builds it: its program, with what that needs and nothing more. It runs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=$1 tree=$2 build=$3
shift 3
unset BACKPLANE_PLUGIN_PATH
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1 # as ./dev has it
fails() { # <command...>; errexit does not see what `!` inverts
  if "$@"; then exit 1; fi
}
rm -rf "$build"
mkdir -p "$build/source"
awk '/^```/ { inside = $0 == "```cmake" && ++seen == 1; next } inside' "$tree/docs/install.md" >"$build/source/CMakeLists.txt"
cp "$here/fetch/main.cc" "$build/source"
configure() { "$cmake" -S "$build/source" -B "$build" -G Ninja "$@"; }
configure -DFETCHCONTENT_SOURCE_DIR_BACKPLANE="$tree" -DCMAKE_PROJECT_app_INCLUDE="$here/fetch/around.cmake" "$@"
[[ ! -e $build/compile_commands.json ]]
all=$(ninja -C "$build" -t inputs all)
fails grep -E 'plugins/(sim|null|gpu)/|core/backplane\.o$|/tools/|/examples/|conformance' <<<"$all"
for component in Backplane_Runtime Backplane_Development; do
  "$cmake" --install "$build" --prefix "$build/nothing" --component "$component"
done
[[ ! -e $build/nothing ]]

runs() { # <program>
  said=$(cd / && "$build/$1")
  printf '%s\n' "$said"
  [[ $said == *'[15., 22.]'*cpu ]]
}
start=$SECONDS
"$cmake" --build "$build" --target app
echo "built in $((SECONDS - start)) s"
[[ $(cd "$build/_deps/backplane-build/lib/backplane" && echo *) == libbackplane_cpu.so ]]
runs app
"$cmake" --build "$build" --target app_static
runs static/app_static
[[ $(readelf -dW "$build/static/app_static") != *libbackplane* ]]

# With BUILD_SHARED_LIBS=OFF the same program has the core inside.
configure -DBUILD_SHARED_LIBS=OFF >/dev/null
needed=$(ninja -C "$build" -t inputs app)
grep -q 'libbackplane\.a$' <<<"$needed"
fails grep 'libbackplane\.so' <<<"$needed"

# Flags by which the kernels would be wrong are refused.
if said=$(configure -DCMAKE_CXX_FLAGS='-O2 -ffast-math' 2>&1); then exit 1; fi
[[ $said == *'-ffast-math'*"('-O2 -ffast-math')"* ]]
