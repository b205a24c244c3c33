# SPDX-License-Identifier: Apache-2.0
"""The pages of this repository, the blocks of code on them, and what becomes of each block.

A page's blocks stand in one folder, one after the other, as a reader would type them:
  sh             Runs in bash, in the page's folder, with the installed `backplane`, compilers, CMake and Python at hand.
  text           Is no code. Right below a block that runs it is what that prints; `...` stands for whatever is there.
  python         With `>>>`: `python -m doctest` runs the page. Without: it is a program, which runs.
  c, cpp         With `main` it is a program, which is compiled and runs. Without, a page's blocks of that language go on in
                 one main, which around/ may hold for that page; around/any.cc serves every page.
  any language   Where the first line is a remark with a file's name (`# CMakeLists.txt`, `// app.cc`), or the line above the block
                 ends in one (... `net.json`:), and another block speaks of that file: it is written there, and not run by itself.
A line that prints may have what it prints in a remark beside it or in the remarks below it.

A block is not run where its first line is a remark `not run here: <reason>`, for each reader to see, and where ELSEWHERE says
which test runs it.
"""

import pathlib
import re
from dataclasses import dataclass

# The tests that take a page's blocks of these languages. Each of them names the page.
ELSEWHERE = {
    ("docs/install.md", "cmake"): "tests/consumer/fetch.sh",  # which compiles the library
    ("plugins/null/README.md", "sh c text"): "tests/consumer/template.sh",
    ("plugins/reference/README.md", "sh c"): "tests/reference/command_test.cc",
}
REMARK = {"c": r"(?://|/\*) ?(.*?)(?: *\*/)?$", "cpp": "// ?(.*)$", "python": "# ?(.*)$", "sh": "# ?(.*)$", "cmake": "# ?(.*)$"}
PRINTS = {"c": r"\b(?:puts|printf)\(", "cpp": "std::cout", "python": r"^\s*print\("}
FILE = r"[\w./-]+\.\w+"


@dataclass
class Block:
    page: str
    line: int
    language: str
    code: str
    above: str  # the last line of text before it
    below: bool = False  # a block of `text` that belongs to the block before it
    ready: str = ""  # file, run, fragment, doctest, told, elsewhere or reason; empty where nothing runs it
    name: str = ""

    def __str__(self):
        return f"{self.page}:{self.line}: the block of '{self.language}'"

    def remark(self):
        found = re.match(REMARK.get(self.language, r"$."), self.code.split("\n", 1)[0])
        return found[1] if found else ""

    def printed(self):
        """What the remarks beside and below printing lines say, in order."""
        lines, printing = [], False
        for line in self.code.splitlines():
            remark = re.match(r"\s*" + REMARK[self.language], line)
            if remark and printing:
                lines.append(remark[1])
            elif not remark:
                printing = re.search(PRINTS[self.language], line) is not None
                beside = re.search(r"[;)}]\s+" + REMARK[self.language], line)
                if printing and beside and not beside[1].startswith("in C++17"):
                    lines.append(beside[1])
        return lines


def pages(root):
    found = [path for where in ("*.md", "docs/**/*.md", "plugins/**/*.md", "examples/**/*.md") for path in root.glob(where)]
    return sorted(str(path.relative_to(root)) for path in found)


def outside_of_code(text):
    """The text with each fenced block as empty lines."""
    return re.sub(r"^```.*?^```$", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)


def blocks(root, page):
    found, inside, above, since = [], None, "", 0
    for number, line in enumerate((root / page).read_text().splitlines(), 1):
        if inside is None and line.startswith("```"):
            inside = Block(page, number, line[3:].strip(), "", above)
            inside.below = bool(found) and since == 0 and inside.language == "text"
        elif line == "```" and inside:
            found.append(inside)
            inside, since = None, 0
        elif inside:
            inside.code += line + "\n"
        elif line.strip():
            above, since = line, since + 1
    if inside:
        raise SystemExit(f"{inside} has no end")
    for block in found:
        settle(root, block, found)
    return found


def settle(root, block, all_blocks):
    language = block.language
    named = block.remark() if re.fullmatch(FILE, block.remark()) else ""
    if not named and (told := re.search(rf"`({FILE})`:$", block.above)):
        named = told[1]
    spoken_of = [other for other in all_blocks if other is not block and named and pathlib.Path(named).name in other.code]
    if named == "CMakeLists.txt":
        spoken_of = [other for other in all_blocks if other.language == "sh" and re.search(r"\bcmake\b", other.code)]
    if any(page == block.page and language in languages.split() for page, languages in ELSEWHERE):
        block.ready = "elsewhere"
    elif re.match("not run here: .", block.remark()):
        block.ready = "reason"
    elif spoken_of:
        block.ready, block.name = "file", named
    elif language == "text":
        block.ready = "told"
    elif language == "python" and ">>> " in block.code:
        block.ready = "doctest"
    elif language in ("sh", "python") or (language in ("c", "cpp") and re.search(r"\bmain\(", block.code)):
        block.ready = "run"
    elif language in ("c", "cpp") and around(root, block.page, language):
        block.ready = "fragment"


def around(root, page, language):
    """The program in which the blocks of a page go on."""
    for stem in (re.sub(r"\W", "_", page.removesuffix(".md")), "any"):
        path = root / "tests/pages/around" / f"{stem}.{'cc' if language == 'cpp' else 'c'}"
        if path.exists():
            return path
    return None


def within(program, code):
    """A program of around/, with code in the place of its line `// ...`."""
    before, after = re.split(r"^ *// \.\.\.\n", program.read_text(), flags=re.M)
    return before + code + after
