# SPDX-License-Identifier: Apache-2.0
"""check.py <source tree> blocks|links|count: each block of code on each page is run by a test or says why not; each link leads to a
file that is there and each anchor to a heading. `count` prints how many blocks there are, and what becomes of them.
"""

import collections
import pathlib
import re
import sys

import blocks

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]*)\)")


def unsettled(root):
    for page in blocks.pages(root):
        for block in blocks.blocks(root, page):
            if not block.ready:
                yield f"{block}: nothing runs it, and its first line says no reason (tests/pages/blocks.py)"
    for (page, _), test in blocks.ELSEWHERE.items():
        if pathlib.Path(page).name not in (root / test).read_text():
            yield f"{test} does not speak of {page}, whose blocks it is said to run"


def broken(root):
    sys.path.append(str(root / "docs/reference"))
    import pages

    anchors = {page: set(pages.anchors(blocks.outside_of_code((root / page).read_text()))) for page in blocks.pages(root)}
    for page in anchors:
        for number, line in enumerate(blocks.outside_of_code((root / page).read_text()).splitlines(), 1):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                path, _, anchor = target.partition("#")
                if re.match(r"https://", target):
                    continue
                there = ((root / page).parent / path).resolve() if path else root / page
                if not there.exists():
                    yield f"{page}:{number}: ({target}) leads to nothing"
                elif anchor and anchor not in anchors.get(str(there.relative_to(root)), ()):
                    yield f"{page}:{number}: ({target}) has no such heading"


def count(root):
    kinds = collections.Counter((block.language, block.ready) for page in blocks.pages(root) for block in blocks.blocks(root, page))
    for (language, ready), n in sorted(kinds.items()):
        print(f"{n:4} {language:8} {ready}")
    return ()


def main(root, what):
    faults = list({"blocks": unsettled, "links": broken, "count": count}[what](pathlib.Path(root).resolve()))
    print("\n".join(faults) or f"{what}: nothing is wrong")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
