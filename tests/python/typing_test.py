# SPDX-License-Identifier: Apache-2.0
"""mypy and pyright know the package: a program's types are those it has."""

import json
import os
import pathlib
import re
import subprocess
import sys

import backplane
import pytest

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
reveal_type(bp.mean(x, dim=0, keepdim=True))  # backplane.tensor.Tensor
reveal_type(bp.squeeze(x, dim=0))  # backplane.tensor.Tensor
reveal_type(bp.fft.fft(x, dim=0))  # backplane.tensor.Tensor
reveal_type(bp.linalg.vector_norm(x, dim=0, keepdim=True))  # backplane.tensor.Tensor
reveal_type(bp.zeros(2, dtype="float32", requires_grad=True))  # backplane.tensor.Tensor
bp.squeeze(x)  # error
bp.mean(x, dims=0)  # error
reveal_type(bp.exp(x))  # backplane.tensor.Tensor
reveal_type(bp.nn.Linear(3, 4)(x))  # backplane.tensor.Tensor
reveal_type(bp.nn.Conv2d(1, 2, 3, padding="same").kernel_size)  # tuple[int, ...]
reveal_type(bp.nn.LSTM(3, 4)(x))  # tuple[backplane.tensor.Tensor, tuple[backplane.tensor.Tensor, backplane.tensor.Tensor]]
reveal_type(bp.optim.Adam([x], betas=(0.9, 0.99)).step)  # def (closure: (def (*Any, **Any) -> Any) | None =) -> Any
reveal_type(torch.zeros_like(x))  # backplane.torch.Tensor
reveal_type(torch.zeros_like(x).sqrt_())  # backplane.torch.Tensor
reveal_type(torch.zeros(2, 3).mean(dim=0) * 2)  # backplane.torch.Tensor
reveal_type(torch.zeros(2).size(0))  # int
reveal_type(torch.nn.functional.relu(torch.ones(2)))  # backplane.torch.Tensor
reveal_type(torch.nn.Linear(3, 4)(torch.ones(3)))  # backplane.torch.Tensor
bp.nn.Linear(3)  # error
bp.nn.MSELoss(reductions="sum")  # error
torch.optim.SGD([x], lr="fast")  # error
reveal_type(bp.cuda.device_count())  # int
x.sum(axes="a")  # error
bp.zeros()  # error
"""


TYPED = sorted((pathlib.Path(__file__).parent / "typed").glob("*.py"))
PACKAGE = pathlib.Path(backplane.__file__).parent
INSTALLED = PACKAGE.is_relative_to(sys.prefix)  # mypy then finds it, and refuses to be shown the way


def mypy(*arguments):
    return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, *arguments], capture_output=True, text=True,
                          env=os.environ if INSTALLED else {**os.environ, "MYPYPATH": str(PACKAGE.parent)})


def test_a_program_has_the_types_it_should(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    out = mypy(tmp_path / "program.py")
    said = {int(n): text for n, text in re.findall(r"program.py:(\d+): (?:note|error): (.*)", out.stdout)[::-1]}
    for n, line in enumerate(PROGRAM.splitlines(), 1):
        if "  # " not in line:
            continue
        wanted = line.split("  # ")[1]
        if wanted == "error":
            assert n in said, line
        else:
            assert re.sub(r"builtins\.", "", said[n].split('"')[1]) == wanted, (line, said[n])


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_a_typed_program_runs(path):
    assert 60 <= len(path.read_text().splitlines()) <= 150
    out = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert out.returncode == 0 and out.stdout, out.stderr


def test_mypy_in_its_strict_mode_finds_nothing_in_typed_programs():
    out = mypy("--strict", *TYPED)
    assert out.stdout == f"Success: no issues found in {len(TYPED)} source files\n", out.stdout + out.stderr


def test_pyright_in_its_strict_mode_finds_nothing_in_typed_programs(tmp_path):
    config = {"include": ["."], "typeCheckingMode": "strict", "extraPaths": [str(PACKAGE.parent)],
              "pythonVersion": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    for path in TYPED:  # the folder of its configuration is the only one in which pyright looks
        (tmp_path / path.name).write_text(path.read_text())
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    out = subprocess.run([sys.executable, "-m", "pyright", "-p", tmp_path, "--outputjson"], capture_output=True, text=True,
                         env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"})
    said = json.loads(out.stdout)
    assert said["summary"]["filesAnalyzed"] == len(TYPED)
    assert [(pathlib.Path(d["file"]).name, d["range"]["start"]["line"] + 1, d["message"]) for d in said["generalDiagnostics"]] == []
