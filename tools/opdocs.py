#!/usr/bin/env python
# SPDX-License-Identifier: Apache-2.0
"""opdocs.py: prints what the docstrings of ops say beside the op table's own sentence: dtypes, shapes, errors and an example.

    PYTHONPATH=build/release/python build/python/bin/python tools/opdocs.py [--check]

tools/op_examples.txt has a call of each op and what it gives, each of which a person has looked at; T[1, 2] there is short for
bp.asarray([1, 2]). The sentences about dtypes and errors are found by calling the op as in its example, with tensors of each dtype,
with shapes that do not fit and with an axis that is not there, so that they say what the library does. The result is
bindings/python/backplane/_op_docs.py, which is imported when somebody asks an op for its docstring. `./dev print` runs this program,
and tests/python/docstrings_test.py fails on drift and runs the examples."""

from __future__ import annotations

import ast
import pathlib
import sys
from typing import Any

import backplane as bp

ROOT = pathlib.Path(__file__).parents[1]
EXAMPLES = ROOT / "tools/op_examples.txt"
PRINTED = ROOT / "bindings/python/backplane/_op_docs.py"
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/opdocs.py); do not edit.
"""What the docstrings of ops say of dtypes, shapes and errors, and an example of each op, by name."""

DOCS = {
'''
KINDS = {"bools": [bp.bool], "integers": [bp.uint8, bp.int32, bp.int64],
         "floating numbers": [bp.float16, bp.bfloat16, bp.float32, bp.float64],
         "complex numbers": [bp.complex64, bp.complex128]}  # fmt: skip
INDEX = {"index", "mask", "condition"}  # operands whose dtype is not the call's
INDEX_OF = {"embedding": {"input"}, "nll_loss": {"target"}, "cross_entropy": {"target"}}


def expanded(text: str) -> str:
    """The text with T[...] as bp.asarray([...])."""
    out, at = "", 0
    while (found := text.find("T[", at)) >= 0:
        depth, end = 1, found + 2
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        out += text[at:found] + f"bp.asarray({expanded(text[found + 1 : end])})"
        at = end
    return out + text[at:]


def examples() -> dict[str, tuple[str, str]]:
    """(call, result) by the op's name."""
    found = {}
    for line in EXAMPLES.read_text().splitlines():
        if line and line[0] != "#":
            call, _, result = line.partition(" -> ")
            found[call.partition("(")[0]] = (f"bp.ops.{expanded(call)}", result)
    return found


class Probe:
    """The call of an op's example, made again with other operands."""

    def __init__(self, name: str, call: str) -> None:
        self.op = getattr(bp.ops, name)
        node: Any = ast.parse(call, mode="eval").body
        while not (isinstance(node, ast.Call) and ast.unparse(node.func) == f"bp.ops.{name}"):
            node = node.func if isinstance(node, ast.Call) else node.value
        self.args = [self.value(a) for a in node.args]
        if self.op.elementwise and len(self.op.inputs) > 1:  # a number would take part in what the dtype is
            self.args = [bp.asarray([a]) if i < len(self.op.inputs) and isinstance(a, (int, float)) else a for i, a in enumerate(self.args)]
        self.keywords = {k.arg: self.value(k.value) for k in node.keywords}
        fixed = INDEX | INDEX_OF.get(name, set())
        self.operands = [i for i, (a, n) in enumerate(zip(self.args, self.op.inputs, strict=False)) if n not in fixed and tensors_in(a)]

    @staticmethod
    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), "example", "eval"), {"bp": bp, "float": float})

    def run(self, change: Any, **keywords: Any) -> Any:
        """The results, or the class of the error."""
        args = [mapped(a, change) if i in self.operands else a for i, a in enumerate(self.args)]
        try:
            results = self.op(*args, **{**self.keywords, **keywords})
        except (bp.Error, TypeError, OverflowError) as e:
            return type(e)
        return results if isinstance(results, tuple) else (results,)


def tensors_in(value: Any) -> list[Any]:
    return [value] if isinstance(value, bp.Tensor) else [t for t in value if isinstance(t, bp.Tensor)] if isinstance(value, list) else []


def mapped(value: Any, change: Any) -> Any:
    return [change(t) for t in value] if isinstance(value, list) else change(value)


def listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def dtypes_text(probe: Probe) -> str:
    """What each kind of dtype gives, the kinds of the same outcome in one clause."""
    gave = {}
    for dtype in (t for dtypes in KINDS.values() for t in dtypes):
        got = probe.run(lambda t, dtype=dtype: t.to(dtype))
        gave[dtype] = got.__name__ if isinstance(got, type) else tuple(t.dtype for t in got)
    said = {}
    for dtypes in KINDS.values():
        for dtype in dtypes:
            same = [t for t in dtypes if t is not dtype and gave[t] == (t,)]  # others of the kind that stay what they are
            fixed = any(gave[t] == gave[dtype] for t in gave if t is not dtype) and not same  # such as the int64 of positions
            said[dtype] = outcome(dtype, gave[dtype], fixed)
    clauses: dict[str, list[str]] = {}
    for kind, dtypes in KINDS.items():
        if len({said[t] for t in dtypes}) == 1:
            clauses.setdefault(said[dtypes[0]], []).append(kind)
        else:
            for t in dtypes:
                clauses.setdefault(said[t], []).append(t.name)
    return "; ".join(f"{listed(kinds)} {clause}" for clause, kinds in clauses.items())


def outcome(dtype: Any, got: Any, fixed: bool) -> str:
    if isinstance(got, str):
        return f"are refused ({got})"
    each = ["stay" if t is dtype and not fixed else "give float32, the default" if t is bp.float32 and dtype.kind in "biu"
            else f"give {t.name}" for t in got]
    return each[0] if len(set(each)) == 1 else f"give {listed([t.name for t in got])}"


def shapes_text(op: Any, probe: Probe) -> str:
    if op.creates:
        return ""
    if op.elementwise and len(op.inputs) == 1:
        return f"{op.inputs[0]} has any shape, which is the result's."
    if op.elementwise:
        return f"{listed(list(op.inputs))} broadcast to the result's shape."
    given = [t.shape for a in (*probe.args, *probe.keywords.values()) for t in tensors_in(a)]
    results = probe.run(lambda t: t)
    return f"as in the example, {listed([str(list(s)) for s in given])} give {listed([str(list(t.shape)) for t in results])}."


def errors_text(op: Any, probe: Probe) -> list[str]:
    found = []
    if (probe.operands and len(probe.op.inputs) > 1) or op.takes_list:
        sizes = iter(range(5, 30))
        got = probe.run(lambda t: bp.ones((next(sizes), next(sizes), next(sizes)), dtype=t.dtype))
        if isinstance(got, type):
            found.append(f"shapes that do not fit raise {got.__name__}")
    for axis in ("axis", "axes"):
        if axis in op.attrs and op.inputs:
            at = len(op.inputs) + list(op.attrs).index(axis)
            args = list(probe.args)
            try:
                if at < len(args):
                    args[at] = 9
                    op(*args, **probe.keywords)
                else:
                    op(*args, **{k: v for k, v in probe.keywords.items() if k not in ("axis", "axes", "dim")}, **{axis: 9})
            except (bp.Error, TypeError) as e:
                found.append(f"an axis that is not there raises {type(e).__name__}")
    return found


def doc(name: str, call: str, result: str) -> str:
    op = getattr(bp.ops, name)
    probe = Probe(name, call)
    parts = []
    if probe.operands and name not in ("cast",):
        parts.append(f"Dtypes: {dtypes_text(probe)}.")
    if shapes := shapes_text(op, probe):
        parts.append(f"Shapes: {shapes}")
    if errors := errors_text(op, probe):
        parts.append(f"Errors: {'; '.join(errors)}.")
    return "\n\n".join(["\n".join(parts), f">>> {call}\n{result}"]).strip()


def text() -> str:
    lines = []
    for name, (call, result) in examples().items():
        lines.append(f"    {name!r}: {doc(name, call, result)!r},")
    return HEAD + "\n".join(lines) + "\n}\n"


def main() -> int:
    wanted = [op for op in bp.ops.__all__ if "." not in op]
    if missing := sorted(set(wanted) - set(examples())):
        print(f"tools/op_examples.txt has no example of {', '.join(missing)}", file=sys.stderr)
        return 1
    new = text()
    if PRINTED.exists() and PRINTED.read_text() == new:
        return 0
    if "--check" in sys.argv:
        print("bindings/python/backplane/_op_docs.py differs from what the ops do; run ./dev print", file=sys.stderr)
        return 1
    PRINTED.write_text(new)
    print("printed bindings/python/backplane/_op_docs.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
