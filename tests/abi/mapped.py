# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin, `-p mapped --mapped <build tree>`: the run fails unless the core and the plugins that this process has in the end
are all of that tree. Where a package finds its library is no proof of what was loaded."""

import pathlib


def pytest_addoption(parser):
    parser.addoption("--mapped", type=pathlib.Path, required=True)


def pytest_sessionfinish(session):
    files = {line.split(maxsplit=5)[5].strip() for line in pathlib.Path("/proc/self/maps").read_text().splitlines()
             if "libbackplane" in line}  # fmt: skip
    tree = session.config.getoption("--mapped").resolve()
    others = [file for file in files if not pathlib.Path(file).is_relative_to(tree)]
    print("\nmapped:", *sorted(files), sep="\n  ")
    if others or not any("libbackplane.so" in file for file in files):
        print("not of", tree, *others)
        session.exitstatus = 1
