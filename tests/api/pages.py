# SPDX-License-Identifier: Apache-2.0
"""pages.py <source tree> <work folder> <library> <C++ compiler> <page...>: the C++ of pages compiles, runs and prints what they say.

A block that begins with `#include` is a program; a page's other blocks go on in one main. A line that prints has what it prints in a
remark at its end, or in the lines below it that are remarks alone; ` ...` at a remark's end stands for the rest. In a table under a
heading "Coming from ...", each piece of code in the last column is compiled and run by itself, over the names of NAMES.
"""
import pathlib
import re
import subprocess
import sys

HEAD = """#include <backplane.hpp>
#include <iostream>
#include <vector>
#if __has_include(<span>)
#include <span>
#endif
namespace bp = backplane;
namespace nn = bp::nn;
namespace optim = bp::optim;
"""
NAMES = """using bp::Slice;
bp::Tensor x = bp::tensor({{1.0, 2.0}, {3.0, 4.0}}), y = x + 1;
bp::Tensor w = bp::ones({2, 2}, {.requires_grad = true});
float p[4] = {};
nn::Linear net(2, 2);
(void)p;
"""


def printed(code):
    """What the remarks beside and below printing lines say, in order."""
    lines, printing = [], False
    for line in code.splitlines():
        remark = re.match(r"\s*//( (.*))?$", line)
        if remark and printing:
            lines.append(remark[2] or "")
        elif not remark:
            printing = "std::cout" in line
            beside = re.search(r";(?: })?\s+// (?!in C\+\+17)(.*)$", line)
            if printing and beside:
                lines.append(beside[1])
    return lines


def rows(text):
    for part in re.findall(r"^## Coming from .*?(?=^## |\Z)", text, flags=re.S | re.M):
        for line in re.findall(r"^\|(.+)\|$", part, flags=re.M)[2:]:
            yield from re.findall(r"`([^`]+)`", line.rsplit(" | ", 1)[1])


def programs(page):
    text = page.read_text()
    blocks = re.findall(r"```cpp\n(.*?)```", text, flags=re.S)
    for code in blocks:
        if code.startswith("#include"):
            yield code, printed(code)
    rest = [code for code in blocks if not code.startswith("#include")]
    if rest:
        yield f"{HEAD}int main() {{\n{''.join(rest)}}}\n", [line for code in rest for line in printed(code)]
    table = list(rows(text))
    if table:
        yield f"{HEAD}int main() {{\n{NAMES}" + "".join(f"{{ {code}; }}\n" for code in table) + "}\n", []


def says(text, wanted):
    lines = [line.rstrip() for line in text.splitlines()]
    if wanted and wanted[-1].endswith(" ..."):
        return "\n".join(lines).startswith("\n".join(wanted)[: -len(" ...")])
    return not wanted or lines == wanted


def main(source, work, library, cxx, *pages):
    source, work, library = pathlib.Path(source).resolve(), pathlib.Path(work).resolve(), pathlib.Path(library).resolve()
    work.mkdir(parents=True, exist_ok=True)
    faults, all_programs = [], []
    for page in pages:
        found = list(programs(source / page))
        if not found:
            faults.append(f"{page}: no C++ was found")
        for i, (code, wanted) in enumerate(found):
            name = work / f"{pathlib.Path(page).stem}_{i}"
            name.with_suffix(".cc").write_text(code)
            headers = [f"-I{source / folder}" for folder in ("bindings/cpp", "include")]
            command = [cxx, "-std=c++20", "-O0", "-Wall", "-Wno-unused", "-Werror", *headers, str(name.with_suffix(".cc"))]
            command += ["-o", str(name), str(library), f"-Wl,-rpath,{library.parent}"]
            all_programs.append((page, name, wanted, subprocess.Popen(command, stderr=subprocess.PIPE, text=True)))
    for page, name, wanted, build in all_programs:
        said = build.communicate()[1]
        if build.returncode:
            faults.append(f"{page}: {said}")
            continue
        run = subprocess.run([name], cwd=work, capture_output=True, text=True)
        if run.returncode or not says(run.stdout, wanted):
            said = f"{run.stdout}{run.stderr}\nwanted\n" + "\n".join(wanted)
            faults.append(f"{page}: {name.name} ended with {run.returncode} and said\n{said}")
    print("\n".join(faults) or f"{len(all_programs)} programs of {len(pages)} pages say what they should")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
