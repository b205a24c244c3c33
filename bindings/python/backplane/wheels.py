# SPDX-License-Identifier: Apache-2.0
"""Backends that were installed as wheels: an entry point of the group ``backplane.plugins`` names a package, and that package's
folder holds ``libbackplane_<kind>.so``. The folder is found without running any of the package's code. ``backend_wheel.py`` in
the sources makes such wheels."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import warnings

GROUP = "backplane.plugins"


@functools.cache
def folders() -> list[str]:
    """Returns the folders that hold the backends of wheels, in the order of sys.path."""
    found: list[str] = []
    for entry in (line for text in _entry_points() for line in _lines_of(text)):
        name, _, value = (part.strip() for part in entry.partition("="))
        package = value.partition(":")[0].strip()
        places = [place for place in _places(package) if any(_is_backend(name) for name in _names(place))]
        if not places:
            warnings.warn(f"the entry point {name!r} of {GROUP} names the package {package!r}, in whose folder there is no "
                          "libbackplane_<kind>.so", RuntimeWarning, stacklevel=2)
        for place in places:
            if ":" in place:
                warnings.warn(f"the backend in {place} is not found: ':' divides folders of backends", RuntimeWarning, stacklevel=2)
            elif place not in found:
                found.append(place)
    return found


def _entry_points() -> list[str]:
    """Returns the texts that mention the group. importlib.metadata reads the same, and its import takes longer than this does."""
    texts = []
    paths = [path or "." for path in sys.path if isinstance(path, (str, os.PathLike))]  # no import looks at others
    for folder in dict.fromkeys(paths):
        for name in sorted(name for name in _names(folder) if name.endswith("-info")):
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                    text = file.read()
            except (OSError, UnicodeDecodeError):
                continue
            if GROUP in text:
                texts.append(text)
    return texts


def _names(folder: str) -> list[str]:
    """Returns what is in the folder; nothing where it is none, as an archive on sys.path."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _is_backend(name: str) -> bool:
    return name.startswith("libbackplane_") and name.endswith(".so")


def _lines_of(text: str) -> list[str]:
    """Returns the lines of the group's section that say `name = package`."""
    _, _, section = f"\n{text}".partition(f"\n[{GROUP}]")
    lines = section.partition("\n[")[0].splitlines()
    return [line for line in lines if "=" in line and not line.lstrip().startswith(("#", ";"))]


def _places(package: str) -> list[str]:
    top, *below = package.split(".")
    if not all(map(str.isidentifier, (top, *below))):
        return []  # no package's name: part of a path, perhaps
    try:
        spec = importlib.util.find_spec(top)  # which runs a package's code only to find something below it
    except Exception:  # what the finders of others raise says nothing of our backends
        spec = None
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [os.path.abspath(os.path.join(place, *below)) for place in spec.submodule_search_locations]
