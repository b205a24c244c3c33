# SPDX-License-Identifier: Apache-2.0
"""Everything that can be called has a docstring, and the examples in docstrings print what they say."""

import doctest
import inspect
import pathlib
import subprocess
import sys
import types
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest
from backplane import autograd, data, distributed, fft, io, linalg, lr_scheduler, metrics, nn, optim, parallel, random, train

ROOT = pathlib.Path(__file__).parents[2]
MODULES: list[Any] = [
    bp, bp.ops, nn, nn.functional, nn.init, nn.utils, optim, lr_scheduler, data, train, io, linalg, fft, random, autograd, metrics,
    parallel, distributed, torch, torch.nn, torch.nn.parallel, torch.nn.functional, torch.linalg, torch.fft, torch.optim,
    torch.autograd, torch.utils.data, torch.distributed,
]  # fmt: skip
CLASSES: list[Any] = [
    bp.Tensor, bp.Trainer, bp.Stream, bp.Event, bp.Board, nn.Module, nn.Parameter, nn.Sequential, nn.ModuleList, nn.ModuleDict,
    optim.Optimizer, lr_scheduler.LRScheduler, data.DataLoader, data.Dataset, metrics.Accuracy, metrics.Mean, type(bp.cpu),
    parallel.Replicas, autograd.Function, torch.Tensor, torch.Size, distributed.Group, distributed.Work, torch.distributed.Work,
    torch.distributed.ProcessGroup, torch.nn.parallel.DistributedDataParallel, torch.utils.data.DistributedSampler,
]  # fmt: skip
# init() is possible once, before all other calls; three methods take no tensor that can hold their results; and a tuple has the
# last two.
NO_EXAMPLE = {"init", "complex_", "polar_", "imag_", "count", "index"}


def of(space):
    """(name, what it is) for what can be called or read of a module or a class that is the package's own."""
    for name in getattr(space, "__all__", None) or dir(space):
        if name.startswith("_"):
            continue
        thing = inspect.getattr_static(space, name) if isinstance(space, type) else getattr(space, name)
        home = getattr(thing, "__module__", None) or "backplane"
        if isinstance(thing, property):
            yield name, thing
        elif callable(getattr(space, name)) and not isinstance(thing, types.ModuleType) and home.startswith("backplane"):
            yield name, getattr(space, name)


def is_exception(thing):
    return isinstance(thing, type) and issubclass(thing, BaseException)


def title(space):
    return f"{space.__module__}.{space.__name__}" if isinstance(space, type) else space.__name__


EVERYTHING = {f"{title(space)}.{name}": thing for space in MODULES + CLASSES for name, thing in of(space)}


def test_nothing_that_can_be_called_is_without_a_docstring():
    assert sorted(name for name, thing in EVERYTHING.items() if not (thing.__doc__ or "").strip()) == []
    assert len(EVERYTHING) > 1500


def test_functions_ops_methods_and_classes_have_an_example():
    shown = {name for name, thing in EVERYTHING.items() if ">>> " in thing.__doc__ or is_exception(thing)}
    assert [name for name in EVERYTHING if name not in shown and name.rpartition(".")[2] not in NO_EXAMPLE] == []


@pytest.mark.parametrize("space", MODULES + CLASSES, ids=title)
def test_the_examples_print_what_they_say(space, tmp_path, monkeypatch):
    if "istributed" in title(space) + str(getattr(space, "DistributedDataParallel", "")) and not distributed.is_available():
        pytest.skip("no plugin for MPI, or no MPI")
    monkeypatch.chdir(tmp_path)  # some write files
    parser, runner, seen = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False), set()
    for name, thing in of(space):
        text = inspect.cleandoc(thing.__doc__ or "")
        if "distributed.join" in text and not distributed.is_available():
            continue
        if text not in seen and name not in NO_EXAMPLE:
            seen.add(text)
            globals_: dict[str, Any] = {"bp": bp, "torch": torch, "nn": nn, "optim": optim}
            runner.run(parser.get_doctest(text, globals_, name, None, 0))
    assert runner.summarize(verbose=False).failed == 0


def test_what_docstrings_of_ops_say_is_current():
    out = subprocess.run([sys.executable, ROOT / "tools/opdocs.py", "--check"], capture_output=True, text=True)
    assert (out.returncode, out.stderr) == (0, "")


def test_docstrings_of_ops_are_made_when_somebody_asks():
    code = "import sys, backplane, backplane.torch; print('backplane._op_docs' in sys.modules, len(backplane.exp.__doc__) > 100)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.stdout.split() == ["False", "True"]


def test_modules_of_devices_list_what_they_have():
    for module in (bp.cuda, bp.cpu, torch.cuda):
        assert {"device_count", "is_available", "synchronize", "memory_stats", "Stream", "device"} <= set(dir(module))
        assert all(hasattr(module, name) for name in dir(module))


def test_the_library_has_its_own_name_outside_of_its_torch():
    for name, space in (("backplane", bp), ("torch", torch)):
        assert repr(space.zeros(1, dtype=space.float64)) == f"tensor([0.], dtype={name}.float64)"
        net = space.nn.Linear(2, 1)
        with pytest.raises(TypeError, match=f"{name}.nn.Parameter or None expected"):
            net.weight = 3
        with pytest.raises(RuntimeError) as e:
            net.load_state_dict(space.nn.Linear(3, 1).state_dict())
        assert ("torch" in str(e.value)) == (space is torch)


def test_a_dtype_has_pytorchs_name_where_pytorchs_names_are_used():
    code = "import backplane as bp; print(bp.float32, bp.ones(1).dtype); import backplane.torch as torch; print(torch.float32, bp.float32)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["backplane.float32"] * 2 + ["torch.float32"] * 2
