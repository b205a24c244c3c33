# SPDX-License-Identifier: Apache-2.0
"""header_examples.py <source tree> <work folder> <C compiler> <C++ compiler>: compiles the examples that headers open with.

An example is a block of lines in a header's opening comment that are indented by three spaces, below an empty line, and whose last line ends in `;`
or `}`; other blocks are tables and have no such line. `// ...` beside code is a remark, `...` alone stands for code that is
left out. A block that opens with a function, a type, a template or a static constant is compiled at namespace scope, any other
one inside a function. examples/<language>.h declares the names that examples use without saying what they are: a tensor t, a
device, an error err. In C++ each header has a namespace there, for names that mean something else in its example alone.
"""
import pathlib
import re
import subprocess
import sys

PREAMBLES = pathlib.Path(__file__).resolve().parent / "examples"

# Which headers each language's preamble serves, how they are compiled, and the folders that are searched for includes.
LANGUAGES = {
    "c": (["include/c_*.h"], "c11", ["include"]),
    "cpp": (["bindings/cpp/*.hpp"], "c++17", ["include", "bindings/cpp"]),
    "core": (["core/**/*.h"], "c++20", ["include", "."]),
    "plugins": (["plugins/kit/*.h", "plugins/gpu/*.h", "plugins/gpu/functors/*.h"], "c++20", ["include", "plugins", "plugins/sim"]),
}
OUTSIDE = re.compile(r"(template|static|constexpr|inline)\b|(struct|class) \w+[^;=]*\{|(void|bp_status) \w+\(.*\{")


def opening_comment(path):
    """(line number, text without the comment's marks) of the lines before the first that is no comment."""
    in_block = False
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if line.startswith("//"):
            yield number, line[2:]
        elif line.startswith("/*") or in_block:
            in_block = "*/" not in line
            yield number, re.sub(r"^(/\*| \*)|\*/$", "", line)
        else:
            return


def without_remark(code):
    return re.sub(r"\s*// .*$", "", code)


def examples(path, faults):
    """The examples of a header: lists of (line number, code)."""
    found, block, before = [], [], ""
    for number, text in [*opening_comment(path), (0, "")]:
        continued, before = bool(block) or not before.strip(), text
        if text.startswith("   ") and continued:
            block.append((number, text[3:]))
            continue
        ends = [without_remark(code).endswith((";", "}")) for _, code in block]
        if ends and ends[-1]:
            found.append(block)
        elif any(ends):
            faults.append(f"{path}:{block[-1][0]}: error: an example ends in ';' or '}}', a table has no line that does")
        block = []
    return found


def filled(code):
    """Code without its remark and without the `...` that stands for more."""
    return re.sub(r'(?<![\w"])\.\.\.(?!\w)', "", without_remark(code))


def unit(source, language, headers):
    """A translation unit: the headers, the preamble, and each header's examples."""
    is_c = language == "c"
    lines = [*(f'#include "{source / header}"' for header in headers), f'#include "{PREAMBLES / language}.h"']
    n = 0
    for header, found in headers.items():
        outside, inside = [], []
        for block in found:
            code = [f'#line {number} "{header}"\n{filled(code)}' for number, code in block]
            if OUTSIDE.match(block[0][1]):
                outside += code
            else:
                n += 1
                inside += [f"{'static bp_status' if is_c else '[[maybe_unused]] static auto'} example_{n}() {{", *code, "}"]
        name = re.sub(r"\W", "_", str(header.with_suffix("")))
        lines += [*outside, *inside] if is_c else [f"namespace examples::{name} {{", *outside, *inside, "}"]
    return "\n".join(lines) + "\n"


def write_units(source, work, faults):
    """(language, files): of C a file for each header, for it has no namespaces."""
    for language, (patterns, _, _) in LANGUAGES.items():
        paths = sorted(path for pattern in patterns for path in source.glob(pattern))
        headers = {p.relative_to(source): e for p in paths if (e := examples(p, faults))}
        if not headers:
            faults.append(f"no example was found in {' '.join(patterns)}")
        parts = [{h: e} for h, e in headers.items()] if language == "c" else [headers]
        files = []
        for i, part in enumerate(parts):
            files.append(work / f"{language}_{i}.{'c' if language == 'c' else 'cc'}")
            files[-1].write_text(unit(source, language, part))
        print(f"{language}: the examples of {len(headers)} headers")
        yield language, files


def main(source, work, cc, cxx):
    source, work = pathlib.Path(source).resolve(), pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    faults, runs = [], []
    for language, files in write_units(source, work, faults):
        _, standard, folders = LANGUAGES[language]
        command = [cc if language == "c" else cxx, f"-std={standard}", "-fsyntax-only", "-w", *(f"-I{source / f}" for f in folders)]
        runs.append(subprocess.Popen([*command, *map(str, files)], cwd=source, stderr=subprocess.STDOUT))
    print("\n".join(faults), flush=True)
    return 1 if sum(abs(run.wait()) for run in runs) or faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
