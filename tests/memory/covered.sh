#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the public headers that returns a status, and so can fail, is named in a call of this folder, or in what makes
# the calls, so that none is forgotten; that each of its allocations fails is what the tests see to. Two kinds are not named: the
# ops' own functions (c_ops.h), which bp_invoke stands for, and the ends of a push, which need no memory and are called by the
# tests' destructors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
missing=0
for name in $(grep -hoE 'BP_API bp_status bp_[a-z0-9_]+\(' $(ls ../../include/c_*.h | grep -v /c_ops.h) | grep -oE 'bp_[a-z0-9_]+\(' | tr -d '(' | sort -u); do
  if ! grep -qw "$name" ./*.cc ../kit/each_point.cc; then
    echo "$name: no call of this folder names it"
    missing=1
  fi
done
exit "$missing"
