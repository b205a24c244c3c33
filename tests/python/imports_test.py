# SPDX-License-Identifier: Apache-2.0
"""The package's modules import each other in one direction, and at their heads."""

import ast
import graphlib
import pathlib

ROOT = pathlib.Path(__file__).parents[2] / "bindings/python"
FILES = {}
for path in (ROOT / "backplane").rglob("*.py"):
    parts = path.relative_to(ROOT).with_suffix("").parts
    FILES[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
MODULES = {*FILES, "backplane._core"}


def imported(module, statement):
    """The package's modules that the statement of that module imports."""
    if isinstance(statement, ast.Import):
        return {alias.name for alias in statement.names} & MODULES
    package = module.split(".") if FILES[module].name == "__init__.py" else module.split(".")[:-1]
    base = package[: len(package) - statement.level + 1] if statement.level else []
    source = ".".join([*base, *([statement.module] if statement.module else [])])
    return {name if (name := f"{source}.{alias.name}") in MODULES else source for alias in statement.names} & MODULES


def imports(module, node, in_function=False):
    """(module, whether a function imports it) for the imports in node. What only type checkers see is left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield from ((name, in_function) for name in imported(module, child))
        elif not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from imports(module, child, in_function or isinstance(child, ast.FunctionDef))


IMPORTS = {module: list(imports(module, ast.parse(path.read_text()))) for module, path in FILES.items()}


def test_no_module_imports_itself_by_way_of_others():
    graph = {module: {name for name, in_function in found if not in_function} for module, found in IMPORTS.items()}
    assert len(graph["backplane.torch"]) > 20 and len(graph["backplane.tensor"]) > 5
    list(graphlib.TopologicalSorter(graph).static_order())  # of a circle, raises with its modules


def test_no_function_imports_a_module_of_the_package():
    assert {module: names for module, found in IMPORTS.items() if (names := [name for name, in_function in found if in_function])} == {}
