#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# digits.sh <mpirun> <backplane>: four processes train on the digits with their optimiser's states in shards, and two and three
# go on from the checkpoint; what they leave gives the same predictions in one process.
set -euo pipefail
readonly MPIRUN=$1 BACKPLANE=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# train <processes> <arguments...>
train() {
  "$MPIRUN" -n "$1" "$BACKPLANE" train digits --group mpi --device cpu --quick "${@:2}" >log 2>&1 || {
    cat log
    exit 1
  }
  grep ' images right, in ' log
}
expect() {
  [[ $2 == "$3" ]] || {
    echo "$1: $2, expected $3"
    exit 1
  }
}

train 4 --epochs 2 --shard-states --out four.safetensors
expect "files of four processes" "$(ls | grep -c '^four-[0-9a-f]\{16\}-[0-3]-of-4.safetensors$')" 4
train 2 --epochs 3 --shard-states --resume four.safetensors --out two.safetensors
train 3 --epochs 3 --resume four.safetensors --out three.safetensors
train 1 --resume two.safetensors --epochs 4 --out one.safetensors
expect "files in all" "$(ls | grep -c safetensors)" 10
for run in four two three one; do
  "$BACKPLANE" eval $run.safetensors --device cpu | tee log
  expect "$run" "$(grep -c '355 of 355 predictions agree' log)" 1
done
