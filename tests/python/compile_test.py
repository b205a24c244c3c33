# SPDX-License-Identifier: Apache-2.0
"""compile: programs compute what calls compute, hold what they read, and fall back with a word about it."""

import copy
import os
import subprocess
import sys
import textwrap
import warnings
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest
from backplane import autograd
from backplane.torch import nn

F = nn.functional


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tolist() == b.tolist()


def chain(x):
    e = bp.exp(x - bp.max(x, axis=1, keepdims=True))
    return e / bp.sum(e, axis=1, keepdims=True)


def test_computes_what_calls_compute(device):
    f = bp.compile(chain)
    for seed in range(4):
        bp.manual_seed(seed)
        x = bp.asarray(bp.randn(17, 33), device=device)
        assert same(f(x), chain(x))
    assert len(f.programs) == 1
    x = bp.asarray(bp.randn(2, 3), device=device)
    assert same(f(x), chain(x)) and len(f.programs) == 2


LOOPS = textwrap.dedent("""
    import backplane as bp, backplane.torch as torch, numpy as np

    def bits(t):
        a = np.asarray(t)
        return np.where(np.isnan(a), np.uint32(0x7FC00000), a.view(np.uint32)) if a.dtype == np.float32 else a

    def check(name, f, x):
        program = bp.compile(f)
        program(x)  # records
        assert (bits(program(x)) == bits(f(x))).all(), (name, x.shape)

    random = np.random.default_rng(3)
    edges = [0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 1.2e-38, 3.4e38, 1, -1, .5, -20, 88.7, 89, -103, -104, 9, 2, -1e-8]
    some = random.integers(0, 2**32, 5000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    x = bp.asarray(np.concatenate([np.float32(edges), some, np.float32(random.standard_normal(3000))]))
    F = torch.nn.functional
    functions = [bp.exp, torch.exp2, bp.expm1, bp.log, bp.log2, bp.log10, bp.log1p, bp.tanh, torch.sigmoid, F.silu, F.gelu, torch.erf,
                 bp.sin, bp.cos, bp.tan, bp.asin, bp.acos, bp.atan, bp.sign, lambda v: bp.where(bp.isnan(v), 1.0, v),
                 lambda v: bp.where(bp.isfinite(v), v, 2.0), lambda v: bp.where(bp.isinf(v), v, 3.0)]
    for i, f in enumerate(functions):
        for n in [*range(1, 70), x.shape[0]]:
            check(i, lambda v: -f(v * 1.5), x[:n])
    check("far angles", lambda v: bp.where(v > 0, bp.sin(v) * bp.cos(v), bp.exp(v)) + bp.tan(v) * v, x)
    check("many", lambda v: torch.erf(bp.log(bp.exp(v) + bp.tanh(v))) * bp.atan(v / 3.0) - torch.sigmoid(v), x)
    for dtype in (np.uint8, np.int8, np.uint16, np.int16):
        every = bp.asarray(np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1).astype(dtype))
        for by in (255.0, 127.5, 3.0, -7.0, 0.1, 1e-30, 1e30, 0.0, np.inf, 1e-40, 65535.0, 128.0):
            check((dtype, by), lambda v: bp.astype(v, bp.float32) / by - 1.0, every)
        check(("narrow", dtype), lambda v: bp.astype(bp.tanh(bp.astype(v, bp.float32) / 9.0) * 100.0, v.dtype), every)
    check("truths", lambda v: bp.where(v, bp.exp(bp.astype(v, bp.float32)), 0.5), x > 0)

    # Rows, whose reductions come in between.
    def over(reduce, v):
        return reduce(v, axis=-1, keepdims=True)

    def layer_norm(v):
        off = v - over(bp.mean, v)
        return off / bp.sqrt(over(bp.mean, off * off) + 1e-5) * v[0] + v[1]

    def softmax(v):
        e = bp.exp(v - over(bp.max, v))
        return e / over(bp.sum, e)

    def log_sum(v):
        most = bp.max(v, axis=-1)
        return bp.log(bp.sum(bp.exp(v - bp.expand_dims(most, -1)), axis=-1)) + most

    def masked(v):
        y = bp.where(v > over(bp.mean, v), v, v[1])
        return bp.where(y > over(bp.max, y) - 0.5, over(bp.min, v * v), over(bp.sum, y) * v) + over(bp.min, y)

    def in_place(v):
        w = v + 1.0
        w *= over(bp.sum, w)
        y = v * over(bp.mean, w)  # needs what it needs of v once more, when v has been overwritten
        v -= 1.0
        return y * over(bp.max, v)

    def of_two_lengths(v):
        s = over(bp.sum, v)
        w = bp.reshape(v * s, (-1, v.shape[-1]))[: v.shape[0] // 2 * 2]
        pairs = bp.reshape(w, (-1, 2, v.shape[-1]))
        return bp.sum(pairs * over(bp.max, pairs), axis=(1, 2)) + over(bp.mean, bp.sum(pairs, axis=(1, 2)))

    for f in (layer_norm, softmax, log_sum, masked, in_place, of_two_lengths):
        for width in (16, 17, 24, 31, 33, 40, 63, 64, 65, 72, 88, 90, 95, 96, 97, 128, 255, 256, 300, 1024, 1025, 1040, 1088, 2100, 4100):
            x = bp.asarray(random.standard_normal((2 + width % 5, width), dtype=np.float32))
            program = bp.compile(f)
            program(x + 0.0)
            got, wanted = program(x + 0.0), f(x + 0.0)
            assert (bits(got) == bits(wanted)).all(), (f, width)
    """)


@pytest.mark.parametrize("isa", ["", "avx2", "base"])
def test_loops_give_the_bits_of_the_calls_at_any_length(isa):
    subprocess.run([sys.executable, "-W", "error", "-c", LOOPS], check=True, env={**os.environ, "CPU_ISA": isa})


def test_arguments_and_results_of_any_structure():
    @bp.compile
    def f(pair, scale=1, *, more):
        return {"sum": pair[0] + pair[1], "rest": (pair[0] * scale, [more["x"], None, "text"])}

    for scale in (2, 2, 3):
        a, b, c = bp.ones(2), bp.full((2,), float(scale)), bp.zeros(1)
        made = f((a, b), scale, more={"x": c})
        assert made["sum"].tolist() == [1 + scale] * 2 and made["rest"][0].tolist() == [scale] * 2
        assert made["rest"][1][0].tolist() == [0] and made["rest"][1][1:] == [None, "text"]
    assert len(f.programs) == 2


def training(kind, compiled, device, seed=3):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(16, 8), nn.Dropout(0.3), nn.ReLU(), nn.Linear(8, 3)).to(device)  # fmt: skip
    optimizer = kind(net.parameters())

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run: Any = torch.compile(step) if compiled else step
    torch.manual_seed(seed + 1)
    data = [(torch.randn(6, 1, 4, 4).to(device), torch.randint(0, 3, (6,)).to(device)) for _ in range(6)]
    losses = [run(x, y).item() for x, y in data]
    if compiled:
        assert len(run.programs) == 1
    return losses, [p.tolist() for p in net.parameters()], [b.tolist() for b in net.buffers()], optimizer


@pytest.mark.parametrize("kind", [lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), lambda p: torch.optim.AdamW(p, lr=1e-2)],
                         ids=["SGD", "AdamW"])  # fmt: skip
def test_a_training_step_is_one_program(kind, device):
    eager, programmed = (training(kind, compiled, device) for compiled in (False, True))
    assert eager[:3] == programmed[:3]
    steps = [[s.get("step") for s in o.state_dict()["state"].values()] for o in (eager[3], programmed[3])]
    assert repr(steps[0]) == repr(steps[1])


def test_modules_follow_their_modes():
    net = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))
    f = torch.compile(net)
    x = torch.ones(4, 3)
    with torch.no_grad():
        net.eval()
        assert same(f(x), net(x)) and same(f(x), net(x)) and len(f.programs) == 1
        net.train()
        torch.manual_seed(1)
        f(x)
        mine = f(x)
        torch.manual_seed(1)
        net(x)
        assert same(mine, net(x)) and len(f.programs) == 2
        with torch.no_grad():
            net[0].weight.zero_()  # is read where it is
        net.eval()
        assert same(f(x), net(x))
    assert len(list(f.parameters())) == 2


def test_parameters_and_buffers_that_are_put_in_place_of_others_are_read():
    net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).eval()
    f = torch.compile(net, fullgraph=True)
    x = torch.ones(4, 3)
    for _ in range(2):
        assert same(f(x), net(x))
        net[0].weight = nn.Parameter(torch.randn(3, 3))
        assert same(f(x), net(x)) and same(f(x), net(x))
        net[1].running_mean = torch.full((3,), 2.0)
        assert same(f(x), net(x)) and same(f(x), net(x))
    assert len(f.programs) == 5  # where a new one lies at an old one's address, that one is kept


def test_modules_that_hold_one_another_and_arguments_that_hold_themselves():
    net: Any = nn.Module()
    net.inner = nn.Linear(2, 2)
    net.again = net.inner
    net.forward = lambda x: net.again(net.inner(x))
    f = torch.compile(net)
    assert same(f(torch.ones(1, 2)), net(torch.ones(1, 2))) and same(f(torch.ones(1, 2)), net(torch.ones(1, 2)))
    around: list[Any] = []
    around.append(around)
    with pytest.raises(RecursionError):
        f(around)


def test_what_cannot_be_recorded_runs_call_by_call():
    calls = []

    @bp.compile
    def f(x):
        calls.append(1)
        return x * 2 if float(bp.sum(x)) > 0 else x

    with pytest.warns(RuntimeWarning, match="reading the values of a tensor cannot be recorded in a program.*run one by one"):
        for _ in range(4):
            assert f(bp.ones(2)).tolist() == [2, 2]
    assert len(calls) == 4 and not f.programs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(bp.ones(2)).tolist() == [2, 2]  # warned once
    strict = bp.compile(lambda x: bp.nonzero(x)[0], fullgraph=True)
    with pytest.raises(bp.BadStateError, match="nonzero cannot be recorded in a program: the shape of its result depends"):
        strict(bp.ones(2))
    assert (bp.ones(2) + 1).tolist() == [2, 2]  # nothing records any more


def test_an_exception_ends_the_recording():
    f = bp.compile(lambda x: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        f(bp.ones(2))
    assert bp.compile(lambda x: x + 1)(bp.ones(2)).tolist() == [2, 2]


def test_a_bounded_number_of_signatures():
    f = bp.compile(lambda x: x + 1)
    for n in range(1, 9):
        f(bp.ones(n))
    with pytest.warns(RuntimeWarning, match="8 signatures were recorded.*the tensors' dtypes, shapes or devices"):
        assert f(bp.ones(9)).shape == (9,)
    assert len(f.programs) == 8


def test_a_compiled_function_inside_another():
    inner = bp.compile(lambda x: x * 2)
    outer = bp.compile(lambda x: inner(x) + 1)
    for _ in range(3):
        assert outer(bp.ones(2)).tolist() == [3, 3]
    assert len(outer.programs) == 1


def test_misuse():
    with pytest.raises(TypeError, match="compile\\(\\) expected a function or a module, got int"):
        bp.compile(3)  # type: ignore[arg-type]
    f = bp.compile(lambda x, y: x)
    with pytest.warns(RuntimeWarning, match="an argument cannot be part of a signature"):
        assert f(bp.ones(1), {1, 2}).tolist() == [1]


# ---- gradients ----


def test_a_function_has_its_gradient():
    w = bp.asarray([1.0, 2.0, 3.0]).requires_grad_()

    def f(x):
        return bp.exp(bp.sin(x) * w) / (1 + x * x)

    def gradients(h, k):
        w.grad = None
        x = bp.asarray([0.1 * k, 0.5, -1.0]).requires_grad_()
        y = h(x)
        (y * y).sum().backward()
        return y.tolist(), x.grad.tolist(), w.grad.tolist()

    g = bp.compile(f, fullgraph=True)
    for k in range(4):
        assert gradients(g, k) == gradients(f, k)
    assert len(g.programs) == 1


@pytest.mark.parametrize("where", ["cpu", "sim:0"])
def test_modules_train_with_a_compiled_forward(where):
    def trained(compiled):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2)).to(where)
        sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        x, y = torch.randn(32, 4).to(where), torch.randint(0, 2, (32,)).to(where)
        f = torch.compile(net, fullgraph=True) if compiled else net
        losses = []
        torch.manual_seed(5)
        for _ in range(6):
            sgd.zero_grad()
            loss = nn.functional.cross_entropy(f(x), y)
            loss.backward()
            sgd.step()
            losses.append(loss.item())
        return losses, [p.tolist() for p in net.parameters()], net[1].running_mean.tolist()

    assert trained(True) == trained(False)


def test_parameters_that_are_frozen_and_trained_again_have_a_program_each():
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    f = torch.compile(net, fullgraph=True)
    for frozen in (True, False, True, False):
        net[0].weight.requires_grad_(not frozen)
        net.zero_grad()
        f(torch.ones(1, 2)).sum().backward()
        assert (net[0].weight.grad is None) == frozen and net[2].weight.grad is not None
    assert len(f.programs) == 2


def test_what_the_way_back_reads_may_not_be_changed_before():
    w = bp.ones(3).requires_grad_()
    f = bp.compile(lambda x: bp.exp(x * w), fullgraph=True)
    x = bp.ones(3).requires_grad_()
    f(x)
    y = f(x)
    with bp.no_grad():
        w *= 2
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_the_way_back_goes_once_and_has_no_gradient():
    w = bp.ones(3).requires_grad_()
    f = bp.compile(lambda x: bp.exp(x * w), fullgraph=True)
    f(bp.ones(3))
    y = f(bp.ones(3)).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()
    with pytest.raises(RuntimeError, match="the gradient of a program's result has no gradient itself"):
        f(bp.ones(3)).sum().backward(create_graph=True)


def test_what_arrives_at_a_leaf_is_not_copied():
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    @torch.compile(fullgraph=True)
    def step(x):
        sgd.zero_grad()
        net(x).sum().backward()
        sgd.step()

    before = copy.deepcopy(net.state_dict())
    for _ in range(3):
        step(torch.ones(5, 3))
    assert "copy(" not in step.programs[0].text()
    compiled = [p.tolist() for p in net.parameters()]
    net.load_state_dict(before)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        sgd.zero_grad()
        net(torch.ones(5, 3)).sum().backward()
        sgd.step()
    assert [p.tolist() for p in net.parameters()] == compiled


def test_several_results_and_inputs_that_calls_made():
    w = bp.asarray([0.5, 1.5]).requires_grad_()

    def f(x):
        return x * w, bp.sum(x), bp.argmax(x), w

    def gradients(h):
        w.grad = None
        a = bp.asarray([1.0, 2.0]).requires_grad_()
        product, total, at, same = h(a * 3)
        (product.sum() + 2 * total).backward()
        return a.grad.tolist(), w.grad.tolist(), product.tolist(), total.item(), int(at), same.tolist()

    g = bp.compile(f, fullgraph=True)
    assert gradients(f) == gradients(g) == gradients(g)


def test_without_gradients_none_are_recorded():
    w = bp.ones(3).requires_grad_()
    f = bp.compile(lambda x: x * w, fullgraph=True)
    with bp.no_grad():
        assert not f(bp.ones(3)).requires_grad
    assert f(bp.ones(3)).requires_grad and f(bp.ones(3)).requires_grad
    assert len(f.programs) == 2


def test_a_program_with_gradients_is_not_saved(tmp_path):
    w = bp.ones(3).requires_grad_()
    f = bp.compile(lambda x: x * w, fullgraph=True)
    f(bp.ones(3))
    with pytest.raises(RuntimeError, match="a program whose results have gradients cannot be saved"):
        f.programs[0].save(tmp_path / "program.safetensors")
    with bp.no_grad():
        f(bp.ones(3))
    f.programs[1].save(tmp_path / "program.safetensors")


def test_what_has_no_gradient_runs_call_by_call():
    class Odd(autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("no way back")

    w = bp.ones(2).requires_grad_()
    f = bp.compile(lambda x: Odd.apply(x * w))
    with pytest.warns(RuntimeWarning, match="the way back from the program's results cannot be recorded: .*no way back"):
        for _ in range(3):
            assert f(bp.ones(2)).tolist() == [2, 2]
    with pytest.raises(ValueError, match="no way back"):
        f(bp.ones(2)).sum().backward()
