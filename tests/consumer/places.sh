#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# places.sh <what> <prefix> <work> <libdir>: where a program with the core inside looks for plugins.
set -euo pipefail
what=$1 prefix=$2 work=$3 libdir=$4
program=$work/build/find_kind_static
place=$work/places/$what
rm -rf "$place" && mkdir -p "$place"
fails() { # <command...>; errexit does not see what `!` inverts
  if "$@"; then exit 1; fi
}
case $what in
  finds_plugins_beside_it)
    cp "$program" "$place/program"
    fails "$place/program" cpu
    ln -s "$prefix/$libdir/backplane" "$place/backplane"
    "$place/program" cpu
    ;;
  in_bin_finds_those_in_lib)
    cp "$program" "$prefix/bin/program" # where a file bears the name of the folder, the command
    said=$("$prefix/bin/program" cpu)
    echo "$said"
    [[ $said != *"Not a directory"* ]]
    ;;
  asks_the_kernel_where_it_lies) # and not its caller, who says the program's name
    mkdir -p "$place/far"
    cp "$program" "$place/far/program"
    cp "$program" "$place/program"
    ln -s "$work/build/plugins" "$place/backplane" # acme's, beside the name and not beside the program
    cd "$place"
    PATH=$place/far:$PATH
    fails program acme
    fails bash -c 'exec -a "$0" "$1" acme' "$place/program" "$place/far/program"
    mv backplane far/backplane
    program acme
    ;;
esac
