# SPDX-License-Identifier: Apache-2.0
"""load_program: what a recorded program's save wrote runs without what it was recorded from, on any device."""

import os
import pathlib
import subprocess
import sys

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.torch import nn

DIGITS = pathlib.Path(__file__).parents[2] / "examples/data/digits.csv"


def same(a, b):
    return bool(bp.all(a == b))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "program.safetensors"


def test_a_function_runs_from_its_file(path):
    weight = bp.asarray([[1.0, 2.0], [3.0, 4.0]])
    f = bp.compile(lambda x: bp.exp(x @ weight))
    x = bp.asarray([[0.1, 0.2]])
    wanted = f(x)
    f.programs[0].save(path)
    for given in (path, str(path), bytes(path)):
        assert same(bp.load_program(given)(x), wanted)
    g = bp.load_program(path, device="sim:0")
    assert g(x.to("sim:0")).device == bp.device("sim:0")
    assert bool(bp.all(bp.abs(g(x.to("sim:0")).to("cpu") - wanted) < 1e-6))


def test_several_results_are_a_tuple(path):
    f = bp.compile(lambda x: (x + 1, -x))
    f(bp.ones(2))
    f.programs[0].save(path)
    more, less = bp.load_program(path)(bp.zeros(2))
    assert same(more, bp.ones(2)) and same(less, bp.zeros(2))


def test_results_are_of_the_inputs_class(path):
    f = bp.compile(lambda x: x * 2)
    f(bp.ones(2))
    f.programs[0].save(path)
    g = bp.load_program(path)
    assert type(g(torch.ones(2))) is torch.Tensor
    assert type(g(bp.ones(2))) is type(bp.ones(2))


def digits(n):
    rows = [[int(field) for field in line.split(",")] for line in DIGITS.read_text().splitlines()[:n]]
    return torch.tensor([row[:64] for row in rows], dtype=torch.float32).reshape(n, 1, 8, 8) / 16, torch.tensor([row[64] for row in rows])


def test_the_digits_net_learns_as_one_program_and_goes_on_in_c(path):
    def training():
        torch.manual_seed(3)
        net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                            nn.Dropout(0.3), nn.Linear(256, 10))  # fmt: skip
        adam = torch.optim.Adam(net.parameters(), lr=2e-3)

        def step(x, y):
            adam.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            adam.step()
            return loss.detach()

        return step

    images, labels = digits(512)
    batches = [(images[i : i + 64], labels[i : i + 64]) for i in range(0, 512, 64)] * 4
    eager, program = training(), torch.compile(training())
    losses = []
    for step in (eager, program):
        torch.manual_seed(4)
        losses.append([step(x, y).item() for x, y in batches])
    assert losses[0] == losses[1]
    assert losses[0][-1] < 0.5 * losses[0][0]

    program.programs[0].save(path)
    bp.io.save_file({"images": images[:64], "labels": labels[:64]}, str(path) + ".data")
    torch.manual_seed(67280421310721)  # as a process begins
    wanted = [program(*batches[0]).item() for _ in range(4)]
    for where, bound in (("cpu", 0), ("sim:0", 1e-6)):
        done = subprocess.run([os.environ["BP_RUN_PROGRAM"], path, str(path) + ".data", where, "4"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert [float(line) for line in done.stdout.splitlines()] == pytest.approx(wanted, abs=bound, rel=0)


def test_a_training_step_goes_on_in_another_process(path):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    adam = torch.optim.Adam(net.parameters(), lr=0.05)

    @torch.compile
    def step(x, y):
        adam.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        adam.step()
        return loss.detach()

    x = torch.rand(16, 4)
    y = x.sum(1, keepdim=True)
    for _ in range(5):
        step(x, y)
    step.programs[0].save(path)
    bp.io.save_file({"x": x, "y": y}, str(path) + ".data")
    wanted = [step(x, y).item() for _ in range(4)]
    code = f"""
import backplane as bp
data = bp.io.load_file({str(path) + ".data"!r})
for device in ("cpu", "sim:1"):
    step = bp.load_program({str(path)!r}, device=device)
    print(*[float(step(data["x"].to(device), data["y"].to(device)).to("cpu")) for _ in range(4)])
"""
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    here, there = ([float(word) for word in line.split()] for line in said.splitlines())
    assert here == wanted
    assert there == pytest.approx(wanted, abs=1e-6)


def test_a_loaded_program_is_saved_with_what_it_holds_now(path):
    total = torch.zeros(2)
    count = torch.compile(lambda x: total.add_(x) * 1)
    count(torch.ones(2))
    count.programs[0].save(path)
    first = bp.load_program(path)
    assert [first(torch.ones(2)).tolist()[0] for _ in range(2)] == [2.0, 3.0]
    first.save(str(path) + "-again")
    assert first(torch.ones(2)).tolist() == [4.0, 4.0]
    assert bp.load_program(str(path) + "-again")(torch.ones(2)).tolist() == [4.0, 4.0]
    assert count(torch.ones(2)).tolist() == [2.0, 2.0]


def test_what_is_wrong_is_said(path):
    f = bp.compile(lambda x: x * 2)
    f(bp.ones(2))
    f.programs[0].save(path)
    with pytest.raises(FileNotFoundError, match="absent"):
        bp.load_program(str(path) + "-absent")
    with pytest.raises(bp.InvalidArgumentError, match=r"uses 1 devices .cpu., and 2 are given"):
        bp.load_program(path, device=["cpu", "sim:0"])
    path.write_bytes(path.read_bytes().replace(b'version\\":1', b'version\\":2'))
    with pytest.raises(bp.UnsupportedError, match="it is of version 2, and this library reads version 1"):
        bp.load_program(path)
    bp.io.save_file({"x": bp.ones(2)}, path)
    with pytest.raises(bp.InvalidArgumentError, match="it holds no program"):
        bp.load_program(path)
    with pytest.raises(TypeError):
        bp.load_program(7.5)  # type: ignore[arg-type]
