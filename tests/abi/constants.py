#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""constants.py <declarations> <compiler>: every enumerator and its value, one a line, except those that grow with what they
count. The compiler computes the values."""

import re
import subprocess
import sys
import tempfile

declarations, compiler = sys.argv[1:]
GROW = {"BP_DTYPE_COUNT", "BP_PLUGIN_ABI_MAX"}

with open(declarations, encoding="utf-8") as file:
    text = file.read()
names = set()
for block in re.findall(r"\benum\s*\{([^}]*)\}", text):
    names.update(re.findall(r"(?:^|,)\s*(BP_\w+)", block))
if len(names) < 100:
    sys.exit(f"only {len(names)} constants were found in {declarations}")
prints = "".join(f'  printf("{n} %lld\\n", (long long){n});\n' for n in sorted(names - GROW))
program = f"#include <stdint.h>\n#include <stdio.h>\n{text}\nint main(void) {{\n{prints}  return 0;\n}}\n"
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([compiler, "-o", f"{folder}/constants", "-xc", "-"], check=True, input=program, text=True)
    subprocess.run([f"{folder}/constants"], check=True)
