# SPDX-License-Identifier: Apache-2.0
"""The table of a module's layers, with the shape of each one's result for given inputs, also where a forward is Python's."""

from __future__ import annotations

import re
from typing import Any

from .. import _core
from ..autograd import no_grad


def _results(model: Any, inputs: tuple[Any, ...]) -> dict[int, str]:
    """Returns the shape of each module's first result, by the module's id()."""
    shapes: dict[int, str] = {}

    def note(module: Any, args: tuple[Any, ...], result: Any) -> None:
        while isinstance(result, (tuple, list)) and result:
            result = result[0]
        if isinstance(result, _core.TensorBase):
            shapes[id(module)] = str(list(result.shape))

    modules = list(model.modules())
    modes = [(m, m.training) for m in modules]
    own = [m for m in modules if "_called_back" not in m.__dict__]
    hooks = [m.register_forward_hook(note) for m in modules]
    try:
        model.eval()
        with no_grad():
            model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
        for m in own:
            del m.__dict__["_called_back"]
            if m._handle.kind:
                m._handle.set_forward(None)
        for m, mode in modes:
            m.training = mode
    return shapes


def summary(model: Any, inputs: tuple[Any, ...]) -> str:
    """Returns the library's table. With inputs its second column has the shapes of results."""
    if not inputs:
        return model._handle.summary(())
    shapes = _results(model, inputs)
    head, *lines, total = model._handle.summary(()).splitlines()
    rows = [re.split("  +", head)]
    for line, module in zip(lines, model.modules(), strict=False):
        cells = re.split("  +", line.strip())
        indent = line[: len(line) - len(line.lstrip())]
        rows.append([indent + cells[0], shapes.get(id(module), "-"), *cells[2:]])
    last = re.split("  +", total)
    rows.append([last[0], "", *last[-3:]])
    rows[0][1] = "result"
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "".join(
        f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d:>{widths[3]}}  {e}\n" for a, b, c, d, e in rows)
