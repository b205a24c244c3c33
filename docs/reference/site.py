#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""site.py layout|folders: what Doxygen is told of the pages. Each heading of docs/index.md is a group of the navigation, with
the pages that stand below it, in their order; a page of docs/ or of the other places below that stands nowhere there is an error.
`layout` prints layout.xml with this navigation, `folders` the line of the configuration that names the folders of docs/.
"""
import glob
import os
import re
import sys
from xml.sax.saxutils import quoteattr

from pages import LINK, MAIN, anchors, reference

PLACES = "*.md", "docs/**/*.md", "plugins/*/*.md", "examples/**/*.md"
# What Doxygen makes itself, for the group that leads to the headers.
LISTS = {"Reference": '<tab type="modules" title="Headers"/><tab type="classlist" title="Classes"/><tab type="globals" title="Index"/>'}


def groups():
    """(heading, [(title, path)]) of docs/index.md."""
    with open(MAIN, encoding="utf-8") as file:
        parts = re.split(r"^## (.*)$", file.read(), flags=re.MULTILINE)[1:]
    for heading, text in zip(parts[::2], parts[1::2]):
        yield heading, [(title, path) for title, path, _ in LINK.findall(text)]


def navigation():
    placed, out = {MAIN}, ['<tab type="mainpage" title="Backplane"/>']
    for heading, links in groups():
        (anchor,) = anchors(f"## {heading}")
        url = quoteattr(reference(MAIN, "", anchor))
        out.append(f'<tab type="usergroup" url={url} title={quoteattr(heading)}>{LISTS.get(heading, "")}')
        for title, path in links:
            page = os.path.normpath(os.path.join("docs", path))
            if page.endswith(".md") and page not in placed:
                out.append(f'<tab type="user" url={quoteattr(reference(MAIN, path))} title={quoteattr(title)}/>')
                placed.add(page)
        out.append("</tab>")
    missing = sorted({page for place in PLACES for page in glob.glob(place, recursive=True)} - placed)
    if missing:
        sys.exit(f"{MAIN} has no place for {', '.join(missing)}")
    return f"<navindex>{''.join(out)}</navindex>"


if __name__ == "__main__":
    if sys.argv[1] == "layout":
        with open("docs/reference/layout.xml", encoding="utf-8") as file:
            print(file.read().replace("<navindex/>", navigation()))
    else:
        print("INPUT +=", *sorted({os.path.dirname(path) for path in glob.glob("docs/*/*.md")}))
