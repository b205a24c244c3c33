#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rooms.sh <source tree>: includes stay in their rooms. Core, plugins and bindings each see only include/; nobody
# outside the core sees the core, except its unit tests and opgen. Where a folder has a rooms.txt, includes inside it point
# downward in that order; the core's headers form no circle. One source of the core has one header of the plugins, see below.
set -euo pipefail
shopt -s globstar nullglob
cd "$1"
faults=0

# quoted <files...>: "file include" for each #include "..."
quoted() { grep -HnoE '^ *# *include *"[^"]+"' "$@" /dev/null | sed -E 's/^([^:]+):[0-9]+:[^"]*"([^"]+)"/\1 \2/'; }
fault() {
  echo "$1 includes \"$2\": $3"
  faults=1
}

# A folder's rooms.txt lists its rooms bottom up. What lies beside the rooms sees all of them.
declare -A floor=()
for list in core/rooms.txt plugins/*/rooms.txt; do
  house=${list%/*}
  while read -r room; do floor[$house/$room]=${#floor[@]}; done < <(grep '^[a-z]' "$list")
  for path in "$house"/*; do
    if [[ -d $path ]]; then
      [[ -n ${floor[$path]-} ]] || { echo "$path is no room of $list"; faults=1; }
    elif [[ ! $path =~ ^($house/(CMakeLists|rooms)\.txt|core/backplane\.map|plugins/cpu/(plugin\.cc|isa\.(h|cc)))$ ]]; then
      echo "$path lies in no room"
      faults=1
    fi
  done
done
((${#floor[@]} > 0)) || { echo "there is no rooms.txt that lists a room"; exit 1; }
find_room() {  # <path>: sets room to the one that the path lies in, or to ""
  room=$1
  while [[ $room == */* && -z ${floor[$room]-} ]]; do room=${room%/*}; done
  [[ $room == */* ]] || room=
}
points_down() {  # <file> <path of what it includes> <include>
  local from
  find_room "$1" && from=$room && find_room "$2"
  [[ -z $from || (-n $room && ${floor[$room]} -le ${floor[$from]}) ]] ||
    fault "$1" "$3" "${from##*/} lies below ${room##*/} in ${from%/*}/rooms.txt"
}

public='^c_[a-z_]+\.h$|^backplane[a-z_]*\.hpp$'

# What of this tree a plugin's include means; nothing for a vendor's header.
resolve() {  # <file> <include> <folder>
  local from
  for from in "$(dirname "$1")" "$3" include . core plugins; do
    [[ ! -f $from/$2 ]] || { realpath --relative-to . "$from/$2"; return; }
  done
}
while read -r file include; do
  folder=$(cut -d / -f 1-2 <<<"$file")
  seen=$(resolve "$file" "$include" "$folder")
  [[ $seen =~ ^(|include/c_(plugin|plugin_foreign|plugin_fuse|plugin_group|plugin_wide|collective|types|op_ids)\.h|plugins/(kit|gpu)/.*|$folder/.*)$ ]] ||
    fault "$file" "$include" "a plugin sees c_plugin.h, c_plugin_foreign.h, c_plugin_fuse.h, c_plugin_group.h, c_plugin_wide.h, c_collective.h, its own folder, plugins/kit and plugins/gpu"
  [[ $seen != "$folder"/* ]] || points_down "$file" "$seen" "$include"
done < <(quoted plugins/**/*.{h,c,cc,cu,cuh})

# bindings/python/tree is what the sdist packs: a copy of everything, left where a wheel was built.
outside=(bindings/cpp bindings/python/src bindings/python/backplane tools examples bench
  tests/{abi,api,cli,conformance,consumer,fuzz,gpu,hip,kit,loader,sim,verify})
for room in "${outside[@]}"; do
  while read -r file include; do
    [[ $include =~ ^(core|plugins)/ && $file != tools/opgen* && $file != tests/fuzz/inside/* ]] &&
      fault "$file" "$include" "only the public headers are seen from $room"
  done < <(quoted "$room"/**/*.{h,hpp,c,cc})
done

circle=$(mktemp)
trap 'rm -f "$circle"' EXIT
while read -r file include; do
  if [[ ! $include =~ ^core/ ]]; then
    # The steps of optimisers are one text for kernels and for the compositions that stand in for them.
    [[ "$file $include" == "core/ops/foreach.cc plugins/kit/optimizer_steps.h" ]] && continue
    [[ $include =~ $public ]] || fault "$file" "$include" "core includes core/... or a public header"
    continue
  fi
  [[ -f $include ]] || { fault "$file" "$include" "there is no such file"; continue; }
  points_down "$file" "$include" "$include"
  [[ $include =~ ^core/ops/ && ! $file =~ ^core/(ops|c_api)/ ]] &&
    fault "$file" "$include" "rows are reached through op_table()"
  if [[ $file == *.h ]]; then echo "$file $include" >>"$circle"; fi
done < <(quoted core/**/*.{h,cc})
tsort "$circle" >/dev/null || faults=1

exit "$faults"
