#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gpu-check.sh [kind] [options]: checks this machine's accelerators (kind: cuda) with what lies beside this script. Needs
# the driver, glibc and bash; nothing is installed, nothing is written but gpu-check.json (--json FILE) and files in /tmp.
# Prints a table; exit code 0: all is well, 1: something failed. --short: a minute; --help: the other options.
set -u
here=${BASH_SOURCE[0]%/*}
[[ $here != "${BASH_SOURCE[0]}" ]] || here=.
here=$(cd "$here" && pwd)
shopt -s nullglob

# NVIDIA's libraries, if any: the driver's or the system's folders are searched anyway; then those of a toolkit, then
# those of Python environments.
places=(${CUDA_HOME:+"$CUDA_HOME"/lib64} ${CUDA_PATH:+"$CUDA_PATH"/lib64} /usr/local/cuda/lib64 /usr/local/cuda-*/lib64
  /usr/local/cuda/targets/*/lib /opt/cuda/lib64)
sites=(${VIRTUAL_ENV:+"$VIRTUAL_ENV"/lib/python3*/site-packages} ${CONDA_PREFIX:+"$CONDA_PREFIX"/lib/python3*/site-packages}
  "${HOME:-/root}"/.local/lib/python3*/site-packages /usr/local/lib/python3*/*-packages /usr/lib/python3/dist-packages
  /opt/*/lib/python3*/site-packages)
if command -v python3 >/dev/null; then
  mapfile -t -O "${#sites[@]}" sites < <(python3 -c 'import sys; print("\n".join(p for p in sys.path if p))' 2>/dev/null)
fi
for site in "${sites[@]}"; do places+=("$site"/nvidia/*/lib); done

path=$here/lib
for place in "${places[@]}"; do
  libraries=("$place"/libcublas.so.* "$place"/libnccl.so.* "$place"/libcudnn.so.*)
  if ((${#libraries[@]} > 0)) && [[ :$path: != *:$place:* ]]; then path+=:$place; fi
done

export GPU_CHECK_LIBRARY_PATH_BEFORE=${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if ! said=$("$here/bin/gpu_check" --help 2>&1); then
  echo "gpu-check: the programs do not start on this machine (glibc @GLIBC@ or later is needed): $said" >&2
  exit 1
fi
exec "$here/bin/gpu_check" "$@"
