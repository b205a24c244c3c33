# SPDX-License-Identifier: Apache-2.0
"""The stubs are those that tools/stubs.py prints, and say of each name what it is at run time."""

import ast
import importlib
import inspect
import pathlib
import subprocess
import sys
from typing import Any

import backplane
import pytest
from backplane import _core

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(backplane.__file__).parent
SYNONYMS = {"axis", "axes", "dim", "keepdims", "keepdim"}  # an op takes each for the other
STUBS = {".".join(("backplane", *(part for part in path.relative_to(PACKAGE).with_suffix("").parts if part != "__init__"))): path
         for path in sorted(PACKAGE.rglob("*.pyi")) if "Printed by" in path.read_text()[:120]}  # fmt: skip
MODULES = {name: importlib.import_module(name) for name in STUBS}


def names(body):
    """The names that the statements of a stub make, with what makes them. Of the overloads of a function the last one counts."""
    found: dict[str, Any] = {}
    listed = "".join(ast.unparse(node) for node in body if "__all__" in ast.unparse(node)[:8])
    for node in body:
        if isinstance(node, ast.ImportFrom):
            found.update({a.asname or a.name: node for a in node.names if a.asname == a.name or f"'{a.asname or a.name}'" in listed})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = node
        elif isinstance(node, ast.Assign):
            found[ast.unparse(node.targets[0])] = node
    return found


def public(module):
    """What the module has: its __all__, or its public names; those with which it was written, such as Any, are no part of it."""
    if hasattr(module, "__all__"):
        return {name for name in module.__all__ if getattr(getattr(module, name), "id", 0) < 512}  # without ops that tests register
    return {name for name, value in vars(module).items() if not name.startswith("_")
            and not (name in ("annotations", "TYPE_CHECKING") or getattr(value, "__module__", None) in ("typing", "collections.abc"))
            and not (inspect.ismodule(value) and not value.__name__.startswith("backplane"))}


def defined():
    """(where, node, what it is at run time) for each function and each method that a stub defines."""
    for name, path in STUBS.items():
        for inner, node in names(ast.parse(path.read_text()).body).items():
            if isinstance(node, ast.FunctionDef) and inner != "__getattr__":
                yield f"{name}.{inner}", node, getattr(MODULES[name], inner)
            elif isinstance(node, ast.ClassDef):
                cls = getattr(MODULES[name], inner)
                for method, body in names(node.body).items():
                    if isinstance(body, ast.FunctionDef):
                        yield f"{name}.{inner}.{method}", body, inspect.getattr_static(cls, method)


def taken(node):
    """The parameters of a stub's function by name: whether each may be given by position, and whether it must be given."""
    a = node.args
    ordered = [*a.posonlyargs, *a.args]
    needed = len(ordered) - len(a.defaults)
    found = {p.arg: (True, i < needed) for i, p in enumerate(ordered)}
    return found | {p.arg: (False, d is None) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)}


def test_the_stubs_are_current():
    out = subprocess.run([sys.executable, ROOT / "tools/stubs.py", "--check"], capture_output=True, text=True)
    assert (out.returncode, out.stderr) == (0, "")
    assert len(STUBS) == 22


@pytest.mark.parametrize("module", STUBS)
def test_a_stub_has_the_names_that_there_are(module):
    stub = set(names(ast.parse(STUBS[module].read_text()).body))
    there = public(MODULES[module])
    assert there - stub == set() and {n for n in stub - there if not n.startswith("_") and not hasattr(MODULES[module], n)} == set()


def test_functions_take_what_their_stubs_say():
    wrong, n = [], 0
    for where, node, thing in defined():
        if isinstance(thing, property) or (where.rpartition(".")[2].startswith("__") and not where.endswith("__init__")):
            continue
        overloaded = any(ast.unparse(d) == "overload" for d in node.decorator_list)
        thing = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
        signature = inspect.signature(thing)
        if where.endswith("__init__"):
            module, cls, _ = where.rsplit(".", 2)
            signature = getattr(getattr(MODULES[module], cls), "__init_signature__", signature)
        ours, n = taken(node), n + 1
        accepted = signature.parameters
        if [p.kind.name for p in accepted.values() if p.name != "self"] in (["VAR_POSITIONAL"], ["VAR_POSITIONAL", "VAR_KEYWORD"]):
            continue  # forward(*args), whose number the library checks
        first = next(iter(ours), "")
        for p in accepted.values():
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or p.name == "self" or (first == "self" and p is next(iter(accepted.values()))):
                continue
            by_position, needed = ours.get(p.name, (None, None))
            if by_position is None and not (p.name == "out" and where.endswith("_")) and not (overloaded and p.name in SYNONYMS):
                wrong.append(f"{where} has no {p.name}")
            elif by_position is False and p.kind is not p.KEYWORD_ONLY:
                wrong.append(f"{where}: {p.name} may be given by position")
            elif needed and p.default is not p.empty and not overloaded:
                wrong.append(f"{where}: {p.name} has a default")
            elif needed is False and p.default is p.empty and p.name not in SYNONYMS and not isinstance(thing, _core.Op):
                wrong.append(f"{where}: {p.name} has no default")
        extra = set(ours) - set(accepted) - {"self", "cls"} - SYNONYMS
        if extra - {"requires_grad"}:
            wrong.append(f"{where} has no {sorted(extra)} at run time")
    assert wrong == [] and n > 900


def test_layers_have_the_attributes_of_their_stubs():
    for name in ("backplane.nn", "backplane.torch.nn"):
        module, n = MODULES[name], 0
        for title, node in names(ast.parse(STUBS[name].read_text()).body).items():
            cls = getattr(module, title)
            if not isinstance(node, ast.ClassDef) or not hasattr(cls, "_attrs"):
                continue
            made = cls(**{attr: [4] if attr == "unflattened_size" else 4 for attr, _, _, required, _ in cls._attrs if required})
            for attr, body in names(node.body).items():
                if isinstance(body, ast.AnnAssign):
                    value, n = getattr(made, attr), n + 1
                    said = ast.unparse(body.annotation)
                    known = {"Parameter": module.Parameter, "Tensor": backplane.Tensor, "Any": object, "int": int, "float": float,
                             "bool": bool, "str": str, "tuple[int, ...]": tuple, "tuple[int, ...] | str": tuple}  # fmt: skip
                    assert isinstance(value, known[said]), (title, attr, said, value)
        assert n > 100
