#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pack_for_card.sh <build folder of the preset cuda> <archive.tar.gz>: what on_card.sh needs on a machine with a card.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/card-compare"
cp "$(dirname "$0")/on_card.sh" "$1"/bin/cuda_{machine_tests,runtime_tests,fault} "$folder/card-compare"
strip "$folder"/card-compare/cuda_*
tar -C "$folder" -czf "$2" card-compare
