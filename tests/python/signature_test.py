# SPDX-License-Identifier: Apache-2.0
"""Every name of the array API standard is there, with its signature. array_api_2025_12.txt is the standard's list."""

import inspect
import pathlib
from typing import Any

import backplane as bp
import pytest

# What is not there yet. A name that is there may not stand here.
MISSING: list[Any] = []

LINES = [line for line in (pathlib.Path(__file__).parent / "array_api_2025_12.txt").read_text().splitlines()
         if line and line[0] != "#"]  # fmt: skip


def found(name):
    """The object of that name, or None."""
    place, _, last = name.rpartition(".")
    home = {"": bp, "array": bp.Tensor, "info": bp.__array_namespace_info__()}.get(place, getattr(bp, place, None))
    return getattr(home, last, AttributeError)


def parameters(signature, method):
    given = list(signature.parameters.values())
    return given[1:] if method and given and given[0].name in ("self", "$self") else given


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split("(")[0])
def test_the_name_has_the_standards_signature(line):
    name, bracket, rest = line.partition("(")
    thing = found(name)
    if name in MISSING:
        pytest.xfail("not there yet") if thing is AttributeError else pytest.fail(f"{name} is there: take it off MISSING")
    assert thing is not AttributeError, f"{name} is not there"
    if not bracket:
        return
    scope: dict[str, Any] = {}
    exec(f"def wanted({rest}: pass", scope)
    wanted = parameters(inspect.signature(scope["wanted"]), True)
    ours = parameters(inspect.signature(thing), name.startswith("array."))
    slot = isinstance(thing, type(int.__add__))  # an operator: its operands have no keywords
    for ours_, wanted_ in zip(ours, wanted, strict=False):
        assert ours_.kind is wanted_.kind and (slot or ours_.name == wanted_.name), (ours_, wanted_)
        assert ours_.default == wanted_.default or ours_.default is wanted_.default, (ours_, wanted_)
    assert len(ours) >= len(wanted)
    for more in () if slot else ours[len(wanted):]:  # such as out=
        assert more.kind is inspect.Parameter.KEYWORD_ONLY and more.default is not inspect.Parameter.empty, more


def test_the_list_is_whole():
    assert len(LINES) == len(set(LINES)) == 265 and set(MISSING) <= {line.split("(")[0] for line in LINES}
