#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py <page.md>: prints a page of the repository as Doxygen wants to read it; Doxygen calls it for each page.

Titles get labels, which end in the anchors that a forge gives them. Links to pages and headers become references to
them. A link to any other file becomes its text, because the reference stands without the repository.
"""
import os
import re
import sys
from collections import Counter

FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")


def label(page, anchor=None):
    name = "mainpage" if page == "README.md" else re.sub(r"\W", "_", page)
    return f"{name}-{anchor}" if anchor else name


def titled(match):
    level, title = match.groups()
    if level == "#":
        return f"# {title} {{#{label(path)}}}"
    anchor = re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))
    seen[anchor] += 1
    if seen[anchor] > 1:
        anchor += f"-{seen[anchor] - 1}"
    if path == "README.md":  # the navigation would show its sections among the guides
        return f"@anchor {label(path, anchor)}\n{match[0]}"
    return f"{level} {title} {{#{label(path, anchor)}}}"


def linked(match):
    text, target, anchor = match.groups()
    target = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
    if target.endswith(".md"):
        return f"[{text}](@ref {label(target, anchor)})"
    if target.endswith((".h", ".hpp")):
        return f"[{text}](@ref {re.sub(r'[^0-9A-Za-z]+', '_', os.path.basename(target))})"
    return text


path = os.path.relpath(sys.argv[1])
seen = Counter()
with open(path, encoding="utf-8") as file:
    parts = FENCED.split(file.read())
parts[::2] = [LINK.sub(linked, re.sub(r"^(#+) (.*)$", titled, part, flags=re.MULTILINE)) for part in parts[::2]]
sys.stdout.write("".join(parts))
