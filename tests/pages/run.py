# SPDX-License-Identifier: Apache-2.0
"""run.py <source tree> <build tree> <work folder> <page>: runs what stands on a page, with the copy that tests/consumer installed and
the Python that has the package, and compares what is printed. blocks.py has the rules. The home is the work folder, and in it
lies `backplane`, the tree as somebody has it who built it in build/release.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import blocks

SECONDS = 120
# Each block of a page goes on where the one before it stood, with the variables that it exported.
SHELL = """trap '{ declare -px; printf "cd %q\\n" "$PWD"; } >"$HOME/.state"' EXIT
[[ ! -f $HOME/.state ]] || . "$HOME/.state"
set -eu
"""
faults = []


def environment(prefix, python, work):
    """What docs/install.md tells people to set for a prefix of their own, and where there is no make."""
    libraries = next(path.parent for path in prefix.glob("**/libbackplane.so"))
    places = {"PATH": f"{prefix}/bin:{python.parent}", "PKG_CONFIG_PATH": libraries / "pkgconfig", "LD_LIBRARY_PATH": libraries}
    env = {name: value for name, value in os.environ.items() if not name.startswith("BACKPLANE_")}
    for name, value in places.items():
        env[name] = f"{value}:{env[name]}" if env.get(name) else str(value)
    return {**env, "CMAKE_PREFIX_PATH": str(prefix), "CMAKE_GENERATOR": "Ninja", "OMP_WAIT_POLICY": "passive", "HOME": str(work)}


def place_tree(root, build, there):
    (there / "build").mkdir(parents=True)
    for path in root.iterdir():
        if path.name != "build":
            (there / path.name).symlink_to(path)
    (there / "build/release").symlink_to(build)


def ran(command, env, about, given=""):
    """What a command prints; that it fails, or takes too long, is a fault."""
    command = ["timeout", str(SECONDS), *command]
    said = subprocess.run(command, env=env, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if said.returncode:
        faults.append(f"{about} ended with {said.returncode}:\n{said.stdout[-4000:]}")
    return said.stdout


def compiled(code, name, language):
    """Begins to compile a program, with the newest standard that pages use."""
    source = pathlib.Path(f"{name}.{language}")
    source.write_text(code)
    compiler = ["cc", "-std=c11"] if language == "c" else ["c++", "-std=c++20"]
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "backplane"], capture_output=True, text=True, check=True).stdout.split()
    command = [*compiler, "-O0", "-Wall", "-Wno-unused", "-Werror", str(source), "-o", name, *flags]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def says(text, wanted):
    """Whether a program printed these lines; ` ...` at an end stands for the rest."""
    lines = [line.rstrip() for line in text.splitlines()]
    if wanted and wanted[-1].endswith(" ..."):
        return "\n".join(lines).startswith("\n".join(wanted)[: -len(" ...")])
    return not wanted or lines == wanted


def shows(text, wanted):
    """Whether the text of a block stands in what was printed; `...` stands for anything, and blanks count as one."""
    words = " ".join(wanted.split())
    return re.search(re.escape(words).replace(r"\.\.\.", ".*"), " ".join(text.split())) is not None


def rows(text):
    """The code in the last column of tables under a heading "Coming from ...", which stands in braces for the compiler."""
    for part in re.findall(r"^## Coming from .*?(?=^## |\Z)", text, flags=re.S | re.M):
        for line in re.findall(r"^\|(.+)\|$", part, flags=re.M)[2:]:
            yield from re.findall(r"`([^`]+)`", line.rsplit(" | ", 1)[1])


def programs(root, page, all_blocks):
    """(about, code, language, what it prints, block) of each program on the page."""
    for block in all_blocks:
        if block.ready == "run" and block.language in ("c", "cpp"):
            yield str(block), block.code, block.language, block.printed(), block
    for language in ("c", "cpp"):
        parts = [block for block in all_blocks if block.ready == "fragment" and block.language == language]
        if parts:
            code = "".join(block.code for block in parts)
            whole = blocks.within(blocks.around(root, page, language), code)
            yield f"{page}: its {language}", whole, language, [line for block in parts for line in block.printed()], None
    table = "".join(f"{{ {code}; }}\n" for code in rows((root / page).read_text()))
    if table:
        whole = blocks.within(root / "tests/pages/around/table.cc", table)
        yield f"{page}: its table", whole, "cpp", [], None


def run_programs(root, page, all_blocks, env):
    """Compiles the page's programs side by side and runs them; gives what each block's program printed, by the block's line."""
    said = {}
    building = [(what, compiled(what[1], f"program_{n}", what[2])) for n, what in enumerate(programs(root, page, all_blocks))]
    for n, ((about, _, _, wanted, block), process) in enumerate(building):
        errors = process.communicate()[1]
        if process.returncode:
            faults.append(f"{about}: {errors}")
            continue
        text = ran([f"./program_{n}"], env, about)
        said[block.line if block else about] = text
        if not says(text, wanted):
            faults.append(f"{about} said\n{text}wanted\n" + "\n".join(wanted))
    return said


def run_blocks(all_blocks, python, env, said):
    """Goes through the page from top to bottom: writes files, runs lines of shell and Python, compares what the page shows."""
    last = ""
    for block in all_blocks:
        if block.ready == "file":
            write = f"mkdir -p {pathlib.Path(block.name).parent}; cat >{block.name}"
            ran(["bash", "-c", SHELL + write], env, str(block), block.code)
        elif block.ready == "run" and block.language == "sh":
            said[block.line] = ran(["bash", "-c", SHELL + block.code], env, str(block))
        elif block.ready == "run" and block.language == "python":
            text = said[block.line] = ran([str(python), "-c", block.code], env, str(block))
            if not says(text, block.printed()):
                faults.append(f"{block} said\n{text}wanted\n" + "\n".join(block.printed()))
        elif block.ready == "told" and block.below and not shows(last, block.code):
            faults.append(f"{block} is not what was printed above it:\n{last}")
        elif not block.ready:
            faults.append(f"{block}: nothing runs it, and its first line says no reason (tests/pages/blocks.py)")
        last = said.get(block.line, "")


def main(root, build, work, page):
    root, build, work = (pathlib.Path(path).resolve() for path in (root, build, work))
    prefix, python = build / "tests/consumer/work/moved", build / "venv/bin/python"
    all_blocks = blocks.blocks(root, page)
    if not python.exists() and any(block.language == "python" for block in all_blocks):
        print(f"skipped: {python} is not there")
        return 0
    shutil.rmtree(work, ignore_errors=True)
    place_tree(root, build, work / "backplane")
    os.chdir(work)
    env = environment(prefix, python, work)
    os.environ.update(env)
    said = run_programs(root, page, all_blocks, env)
    run_blocks(all_blocks, python, env, said)
    if any(block.ready == "doctest" for block in all_blocks):
        said["doctest"] = ran([str(python), "-m", "doctest", str(root / page)], env, f"python -m doctest {page}")
    print("\n".join(faults) or f"{page}: {len(said)} ran, for {len(all_blocks)} blocks")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
