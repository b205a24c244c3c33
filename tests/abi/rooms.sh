#!/usr/bin/env bash
# rooms.sh <source tree>: includes stay in their rooms. Core, plugins and bindings each see only include/; nobody
# outside the core sees the core, except its unit tests and opgen; inside it includes point downward, in the order of
# core/rooms.txt, and headers form no circle. One source of the core has one header of the plugins, see below.
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
  [[ $(resolve "$file" "$include" "$folder") =~ ^(|include/c_(plugin|plugin_foreign|collective|types|op_ids)\.h|plugins/(kit|gpu)/.*|$folder/.*)$ ]] ||
    fault "$file" "$include" "a plugin sees c_plugin.h, c_plugin_foreign.h, c_collective.h, its own folder, plugins/kit and plugins/gpu"
done < <(quoted plugins/**/*.{h,c,cc,cu,cuh})

# bindings/python/tree is what the sdist packs: a copy of everything, left where a wheel was built.
outside=(bindings/cpp bindings/python/src bindings/python/backplane tools examples bench tests/abi tests/loader tests/cli tests/conformance tests/consumer)
for room in "${outside[@]}"; do
  while read -r file include; do
    [[ $include =~ ^(core|plugins)/ && $file != tools/opgen.cc ]] &&
      fault "$file" "$include" "only the public headers are seen from $room"
  done < <(quoted "$room"/**/*.{h,hpp,c,cc})
done

# core/rooms.txt lists the rooms bottom up: a file of the core sees its own room and those below.
declare -A floor=()
while read -r room; do floor[$room]=${#floor[@]}; done < <(grep '^[a-z]' core/rooms.txt)
((${#floor[@]} > 0)) || { echo "core/rooms.txt lists no room"; exit 1; }
for path in core/*; do
  name=${path#core/}
  if [[ -d $path ]]; then
    [[ -n ${floor[$name]-} ]] || { echo "$path is no room of core/rooms.txt"; faults=1; }
  elif [[ ! $name =~ ^(CMakeLists\.txt|rooms\.txt|backplane\.map)$ ]]; then
    echo "$path lies in no room"
    faults=1
  fi
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
  room=${file#core/} seen=${include#core/}
  room=${room%%/*} seen=${seen%%/*}
  [[ -f $include ]] || { fault "$file" "$include" "there is no such file"; continue; }
  ((${floor[$seen]} <= ${floor[$room]})) || fault "$file" "$include" "$room lies below $seen in core/rooms.txt"
  [[ $include =~ ^core/ops/ && ! $file =~ ^core/(ops|c_api)/ ]] &&
    fault "$file" "$include" "rows are reached through op_table()"
  if [[ $file == *.h ]]; then echo "$file $include" >>"$circle"; fi
done < <(quoted core/**/*.{h,cc})
tsort "$circle" >/dev/null || faults=1

exit "$faults"
