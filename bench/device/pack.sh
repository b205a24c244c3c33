#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pack.sh <build folder> <folder> [--cpu-libraries]: makes <folder>/backplane-gpu, which runs anywhere with glibc and bash,
# and <folder>/backplane-gpu.tar.gz of it. Every library that ours need and glibc does not have is in it, found relative
# to who needs it. --cpu-libraries: also oneDNN and OpenBLAS, which the cpu's matmul is fast with.
set -euo pipefail
build=$1 out=$2 here=$(dirname "${BASH_SOURCE[0]}")
folder=$out/backplane-gpu
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib/backplane"

cp "$build"/bin/{backplane,gpu_check,conformance,torch_peer.py} "$folder/bin"
cp -L "$build/lib/libbackplane.so.1" "$folder/lib"
for kind in cpu null sim cuda hip; do
  for place in "$build/lib/on_demand" "$build/lib/backplane"; do
    if [[ -e $place/libbackplane_$kind.so ]]; then cp "$place/libbackplane_$kind.so" "$folder/lib/backplane"; fi
  done
done
if [[ ${3:-} == --cpu-libraries ]]; then
  for name in libdnnl.so.2 libopenblas.so.0; do
    file=$(ldconfig -p | awk -v name=$name '$1 == name { print $NF; exit }')
    cp -L "${file:?$name is not installed}" "$folder/lib"
  done
fi

# "path" of every library of those files that is not glibc's.
foreign() { ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libmvec|libdl|librt|libpthread|libresolv|libutil|ld-linux[^/]*)\.so[.0-9]*$' |
  grep -v '/libbackplane' || true; }
binaries=("$folder"/bin/{backplane,gpu_check,conformance})
mapfile -t libraries < <(foreign "${binaries[@]}" "$folder"/lib/*.so* "$folder"/lib/backplane/*.so)
cp -L "${libraries[@]}" "$folder/lib"

strip --strip-unneeded "${binaries[@]}" "$folder"/lib/*.so* "$folder"/lib/backplane/*.so
for file in "${binaries[@]}"; do patchelf --set-rpath '$ORIGIN/../lib' "$file"; done
for file in "$folder"/lib/*.so*; do patchelf --set-rpath '$ORIGIN' "$file"; done
for file in "$folder"/lib/backplane/*.so; do patchelf --set-rpath '$ORIGIN/..' "$file"; done

glibc=$(objdump -T "${binaries[@]}" "$folder"/lib/*.so* "$folder"/lib/backplane/*.so |
  grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
sed "s/@GLIBC@/${glibc#GLIBC_}/" "$here/gpu-check.sh" >"$folder/gpu-check.sh"
chmod +x "$folder/gpu-check.sh"
tar -C "$out" --owner=0 --group=0 -cf - backplane-gpu | gzip -9 >"$out/backplane-gpu.tar.gz"

echo "backends: $(cd "$folder/lib/backplane" && echo libbackplane_*.so | sed -E 's/libbackplane_|\.so//g'); needs glibc ${glibc#GLIBC_}"
find "$folder" -type f -printf '%s %P\n' | sort -rn | awk '{ printf "%9.1f KiB  %s\n", $1 / 1024, $2 }'
echo "$folder: $(du -sh --apparent-size "$folder" | cut -f1); $out/backplane-gpu.tar.gz: $(du -h --apparent-size "$out/backplane-gpu.tar.gz" | cut -f1)"
