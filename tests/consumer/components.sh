#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# components.sh <cmake> <prefix> <work>: find_package() with the components that there are, and with one that is none; and what the
# package's functions refuse.
set -euo pipefail
cmake=$1 prefix=$2 work=$3/components
rm -rf "$work" && mkdir "$work"
then_run='message(STATUS "found: ${backplane_FOUND} ${backplane_cpp_FOUND}")'
configure() { # <arguments of find_package...>
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(c LANGUAGES C)\nfind_package(backplane %s)\n%s\n' "$*" "$then_run" \
    >"$work/CMakeLists.txt"
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

refuses() { # <command> <words of the message>
  then_run=$1
  if said=$(configure REQUIRED); then exit 1; fi
  echo "$said"
  [[ $(tr -s ' \n' ' ' <<<"$said") == *"$2"* ]]
}
refuses 'backplane_add_plugin(ac-me a.c)' "'ac-me' can be no kind of device: 1 to 31 letters and '_'"
refuses 'backplane_add_plugin(acme)' 'backplane_add_plugin(acme): it has no sources'
refuses 'backplane_place_plugins(c KINDS acme)' "there is no plugin for 'acme': neither a target backplane_acme nor a file"
refuses 'backplane_place_plugins(c acme)' "'acme' is neither KINDS nor one of them"
