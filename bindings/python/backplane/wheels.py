# SPDX-License-Identifier: Apache-2.0
"""Backends that were installed as wheels: an entry point of the group ``backplane.plugins`` names a package, and that package's
folder holds ``libbackplane_<kind>.so``. The folder is found without running any of the package's code. ``backend_wheel.py`` in
the sources makes such wheels."""

from __future__ import annotations

import functools
import importlib.util
import pathlib
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
        places = [place for place in _places(package) if any(place.glob("libbackplane_*.so"))]
        if not places:
            warnings.warn(f"the entry point {name!r} of {GROUP} names the package {package!r}, in whose folder there is no "
                          "libbackplane_<kind>.so", RuntimeWarning, stacklevel=2)
        for place in places:
            if ":" in str(place):
                warnings.warn(f"the backend in {place} is not found: ':' divides folders of backends", RuntimeWarning, stacklevel=2)
            elif str(place) not in found:
                found.append(str(place))
    return found


def _entry_points() -> list[str]:
    """Returns the texts that mention the group. importlib.metadata reads the same, and takes as long to import as this package."""
    texts = []
    for folder in dict.fromkeys(map(pathlib.Path, sys.path)):
        try:
            files = sorted(folder.glob("*-info/entry_points.txt"))
        except OSError:
            continue
        for file in files:
            try:
                text = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if GROUP in text:
                texts.append(text)
    return texts


def _lines_of(text: str) -> list[str]:
    """Returns the lines of the group's section that say `name = package`."""
    _, _, section = f"\n{text}".partition(f"\n[{GROUP}]")
    lines = section.partition("\n[")[0].splitlines()
    return [line for line in lines if "=" in line and not line.lstrip().startswith(("#", ";"))]


def _places(package: str) -> list[pathlib.Path]:
    top, *below = package.split(".")
    try:
        spec = importlib.util.find_spec(top)  # which runs a package's code only to find something below it
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [pathlib.Path(place, *below).absolute() for place in spec.submodule_search_locations]
