# SPDX-License-Identifier: Apache-2.0
"""mypy knows the package: a program's types are those it has."""

import os
import pathlib
import re
import subprocess
import sys

import backplane

PROGRAM = """
import backplane as bp
import backplane.torch as torch
from backplane import ops
x = bp.asarray([1.0, 2.0], device="sim:0")
reveal_type(x + 1)  # backplane.tensor.Tensor
reveal_type(1 - x)  # backplane.tensor.Tensor
reveal_type(x.sum(dim=0))  # backplane.tensor.Tensor
reveal_type(ops.sort(x))  # tuple[backplane.tensor.Tensor, backplane.tensor.Tensor]
reveal_type(x.device.index)  # int | None
reveal_type(x[0].dtype.name)  # str
reveal_type(bp.mean(x, axis=0, keepdims=True))  # backplane.tensor.Tensor
reveal_type(torch.zeros_like(x))  # backplane.torch.tensor.Tensor
reveal_type(torch.zeros_like(x).sqrt_())  # backplane.tensor.Tensor
reveal_type(bp.cuda.device_count())  # int
x.sum(axes="a")  # error
bp.zeros()  # error
"""


def test_a_program_has_the_types_it_should(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    package = pathlib.Path(backplane.__file__).parent
    installed = package.is_relative_to(sys.prefix)  # mypy then finds it, and refuses to be shown the way
    out = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, tmp_path / "program.py"], capture_output=True,
                         text=True, env=os.environ if installed else {**os.environ, "MYPYPATH": str(package.parent)})
    said = {int(n): text for n, text in re.findall(r"program.py:(\d+): (?:note|error): (.*)", out.stdout)[::-1]}
    for n, line in enumerate(PROGRAM.splitlines(), 1):
        if "  # " not in line:
            continue
        wanted = line.split("  # ")[1]
        if wanted == "error":
            assert n in said, line
        else:
            assert re.sub(r"builtins\.", "", said[n].split('"')[1]) == wanted, (line, said[n])
