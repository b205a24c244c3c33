#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exports.sh <shared library>: the names it exports, one a line.
set -euo pipefail
nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed 's/@.*//'
