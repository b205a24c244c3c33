# SPDX-License-Identifier: Apache-2.0
"""cpp_reach.py <source tree>: every function that the public headers declare is used by a header of the C++ binding.

A function is used where its name stands in the code of bindings/cpp/*.hpp, outside of comments. EXCEPTIONS may name some that are
not, each with its reason; one that is reached after all, or that no header declares, fails too.
"""
import pathlib
import re
import sys

EXCEPTIONS: dict[str, str] = {}


def code(path):
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)
    return re.sub(r"//[^\n]*", " ", text)


def main(source):
    source = pathlib.Path(source)
    headers = [p for p in sorted(source.glob("include/c_*.h")) if p.name not in ("c_plugin.h", "c_plugin_foreign.h", "c_plugin_fuse.h", "c_plugin_wide.h", "c_collective.h")]
    declared = {name for p in headers for name in re.findall(r"BP_API\b[^;(]*?\b(bp_\w+)\s*\(", code(p))}
    used = {name for p in source.glob("bindings/cpp/*.hpp") for name in re.findall(r"\bbp_\w+", code(p))}
    golden = {line.strip() for line in (source / "tests/abi/symbols.golden").read_text().splitlines() if line.startswith("bp_")}
    faults = [f"{name} is exported, and was not found in a header" for name in sorted(golden - declared)]
    faults += [f"{name} is not reached by the C++ binding" for name in sorted(declared - used - set(EXCEPTIONS))]
    faults += [f"{name} is no exception: the C++ binding reaches it" for name in sorted(set(EXCEPTIONS) & used)]
    faults += [f"{name} is an exception that no header declares" for name in sorted(set(EXCEPTIONS) - declared)]
    print("\n".join(faults) or f"the C++ binding reaches {len(declared & used)} of {len(declared)} functions")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
