#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# components.sh <cmake> <prefix> <work>: find_package() with the components that there are, and with one that is none.
set -euo pipefail
cmake=$1 prefix=$2 work=$3/components
rm -rf "$work" && mkdir "$work"
configure() { # <arguments of find_package...>
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(c LANGUAGES C)\nfind_package(backplane %s)\n%s\n' "$*" \
    'message(STATUS "found: ${backplane_FOUND} ${backplane_cpp_FOUND}")' >"$work/CMakeLists.txt"
  "$cmake" -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" 2>&1
}
[[ $(configure COMPONENTS cpp plugin) == *'found: 1 TRUE'* ]]
[[ $(configure 0.1 REQUIRED COMPONENTS backplane cpp static cpp_static plugin) == *'found: 1 TRUE'* ]]
said=$(configure COMPONENTS cpp fortran)
echo "$said"
[[ $said == *'found: FALSE TRUE'* || $said == *'found: 0 TRUE'* ]]
if said=$(configure REQUIRED COMPONENTS fortran); then exit 1; fi
echo "$said"
[[ $(tr -s ' \n' ' ' <<<"$said") == *"no component 'fortran': there are backplane, cpp, static, cpp_static and plugin"* ]]
[[ $(configure OPTIONAL_COMPONENTS fortran) == *'found: 1'* ]]
