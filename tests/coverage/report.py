#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what llvm-cov exported (lcov's format) and prints the share of lines and of branches that the tests reached, by room.
The lines that no test reached go to a file, by source. Whatever is below its bound makes the exit code 1."""

import argparse
import collections
import os
import re
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
# What is asked for in percent of the lines. The others are printed: hardware alone reaches most of cuda's and hip's.
BOUNDS = {"core": 95.0, "plugins/cpu": 95.0, "plugins/gpu": 90.0}


class Counts:
    def __init__(self) -> None:
        self.lines = self.reached = self.branches = self.taken = 0

    def __iadd__(self, other: "Counts") -> Self:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


def percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def room(path: Path) -> str:
    """core/tensor, plugins/cpu/kernels; sources that lie in core or in a plugin itself belong to that."""
    deep = 2 if path.parts[0] == "core" else 3
    return "/".join(path.parts[:-1][:deep])


class Source:
    def __init__(self) -> None:
        self.lines: dict[int, int] = collections.defaultdict(int)
        self.branches: dict[str, int] = collections.defaultdict(int)
        self.functions: set[int] = set()  # their first lines

    def leave_out_what_compiles(self, text: list[str]) -> None:
        """What is constexpr runs while the library is compiled, where nothing is counted: such a function without a count is left
        out, up to the next function or to a line that ran."""
        inside = False
        for number in sorted(self.lines):
            if number in self.functions:
                head = " ".join(text[max(number - 2, 0) : number])
                inside = bool(re.search(r"\b(constexpr|consteval)\b", head)) and self.lines[number] == 0
            if inside and self.lines[number] == 0:
                del self.lines[number]
            else:
                inside = False

    def counts(self) -> Counts:
        of = Counts()
        of.lines, of.reached = len(self.lines), sum(n > 0 for n in self.lines.values())
        of.branches, of.taken = len(self.branches), sum(n > 0 for n in self.branches.values())
        return of


def read(exported: Path) -> dict[Path, Source]:
    """A source may stand there several times, by another path to it or for another library, and a template's branches once for
    each instance: what one of them reached is reached."""
    sources: dict[Path, Source] = collections.defaultdict(Source)
    source = Source()
    for line in exported.read_text().splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            path = Path(os.path.normpath(value))
            ours = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("core", "plugins")
            source = sources[path.relative_to(ROOT)] if ours else Source()
        elif kind == "DA":
            number, count = (int(n) for n in value.split(",")[:2])
            source.lines[number] += count
        elif kind == "FN":
            source.functions.add(int(value.split(",")[0]))
        elif kind == "BRDA":
            where, taken = value.rsplit(",", 1)
            line_of, _, branch = where.split(",")
            source.branches[f"{line_of},{branch}"] += 0 if taken == "-" else int(taken)
    for path, of in sources.items():
        of.leave_out_what_compiles((ROOT / path).read_text().splitlines())
    return sources


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exported", type=Path)
    parser.add_argument("unreached", type=Path)
    asked = parser.parse_args()
    sources = read(asked.exported)
    rooms: dict[str, Counts] = collections.defaultdict(Counts)
    for path, source in sources.items():
        for name in {room(path), *(name for name in ("core", "/".join(path.parts[:2])) if path.is_relative_to(name))}:
            rooms[name] += source.counts()
    print(f"{'':32} {'lines':>8} {'reached':>8} {'':7} {'branches':>9} {'taken':>8}")
    failed = 0
    for name, of in sorted(rooms.items()):
        lines, bound = percent(of.reached, of.lines), BOUNDS.get(name)
        below = bound is not None and lines < bound
        failed += below
        note = "" if bound is None else f"  FAILED: at least {bound} % is asked for" if below else f"  (at least {bound} %)"
        print(f"{name:32} {of.lines:8} {of.reached:8} {lines:6.2f}% {of.branches:9} {percent(of.taken, of.branches):7.2f}%{note}")
    with asked.unreached.open("w") as out:
        for path, source in sorted(sources.items()):
            text = (ROOT / path).read_text().splitlines()
            out.writelines(f"{path}:{n}: {text[n - 1].strip()}\n" for n, count in sorted(source.lines.items()) if count == 0)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
