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

MAIN = "docs/index.md"
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
TITLE = re.compile(r"^(#+) (.*)$", re.MULTILINE)


def label(page, anchor=None):
    name = "mainpage" if page == MAIN else re.sub(r"\W", "_", page)
    return f"{name}-{anchor}" if anchor else name


def anchors(text):
    """What a forge calls the headings of a text, in order. A text has no blocks of code."""
    seen = Counter()
    for _, title in TITLE.findall(text):
        anchor = re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))
        seen[anchor] += 1
        yield anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor] - 1}"


def reference(page, path, anchor=None):
    """What Doxygen calls the target of a link on a page; None where the site does not have it."""
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if target.endswith(".md"):
        return f"@ref {label(target, anchor)}"
    if target.endswith((".h", ".hpp")):
        return f"@ref {re.sub(r'[^0-9A-Za-z]+', '_', os.path.basename(target))}"
    return None


def printed(page, text):
    parts = FENCED.split(text)
    names = anchors("".join(parts[::2]))

    def titled(match):
        level, title = match.groups()
        anchor = next(names)
        if page == MAIN and level != "#":  # the navigation would show its sections beside the groups that it has of them
            return f"@anchor {label(page, anchor)}\n{match[0]}"
        return f"{level} {title} {{#{label(page, None if level == '#' else anchor)}}}"

    def linked(match):
        text, path, anchor = match.groups()
        target = reference(page, path, anchor)
        return f"[{text}]({target})" if target else text

    parts[::2] = [LINK.sub(linked, TITLE.sub(titled, part)) for part in parts[::2]]
    return "".join(parts)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(printed(os.path.relpath(sys.argv[1]), file.read()))
