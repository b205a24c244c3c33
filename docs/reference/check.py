#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py <XML folder> <symbols.golden>: fails when a function of the C API is missing in Doxygen's output or stands
there without a word.
"""
import glob
import sys
from xml.etree import ElementTree

folder, golden = sys.argv[1:]
described = set()
for path in glob.glob(f"{folder}/group__c__*.xml"):
    for member in ElementTree.parse(path).iter("memberdef"):
        texts = [member.find("briefdescription"), member.find("detaileddescription")]
        if "".join("".join(text.itertext()) for text in texts).strip():
            described.add(member.findtext("name"))
with open(golden, encoding="utf-8") as file:
    functions = file.read().split()
missing = [name for name in functions if name not in described]
print(f"{len(functions)} functions; missing or without a comment: {' '.join(missing) or 'none'}")
sys.exit(0 if functions and not missing else 1)
