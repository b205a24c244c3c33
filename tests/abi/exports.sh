#!/usr/bin/env bash
# exports.sh <shared library>: the names it exports, one a line.
set -euo pipefail
nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed 's/@.*//'
