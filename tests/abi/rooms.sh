#!/usr/bin/env bash
# rooms.sh <source tree>: includes stay in their rooms. Core, plugins and bindings each see only include/; nobody
# outside the core sees the core, except its unit tests and opgen; core's own headers form no circle.
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

circle=$(mktemp)
trap 'rm -f "$circle"' EXIT
while read -r file include; do
  [[ $include =~ ^core/ || $include =~ $public ]] || fault "$file" "$include" "core includes core/... or a public header"
  [[ $file == core/base/* && $include =~ ^core/ && $include != core/base/* ]] && fault "$file" "$include" "base knows only base"
  [[ $include == core/c_api/* && $file != core/c_api/* ]] && fault "$file" "$include" "c_api is the highest room"
  [[ $include == core/ops/* && $file != core/ops/* && $file != core/c_api/* ]] &&
    fault "$file" "$include" "rows are reached through op_table()"
  if [[ $file == *.h && $include == core/* ]]; then echo "$file $include" >>"$circle"; fi
done < <(quoted core/**/*.{h,cc})
tsort "$circle" >/dev/null || faults=1

exit "$faults"
