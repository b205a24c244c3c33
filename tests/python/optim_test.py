# SPDX-License-Identifier: Apache-2.0
"""Optimisers, schedules and clipping from Python: PyTorch's signatures, numbers, groups and state dicts."""

import json
import math
import pathlib
import threading

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.torch import optim
from backplane.torch.optim import lr_scheduler

NUMBERS = json.loads((pathlib.Path(__file__).parent.parent / "api" / "data" / "optim_numbers.json").read_text())
SHAPES = [(3, 2), (3,)]


def tensor(values, shape, device, dtype="float64"):
    return torch.tensor(values, dtype=getattr(torch, dtype), device=device).reshape(shape)


class Task:
    def __init__(self, device, dtype="float64"):
        made = {key: [tensor(v, s, device, dtype) for v, s in zip(NUMBERS[key], SHAPES, strict=True)] for key in "pac"}
        self.params = [p.requires_grad_() for p in made["p"]]
        self.a, self.c = made["a"], made["c"]

    def give_grads(self):
        for p, a, c in zip(self.params, self.a, self.c, strict=True):
            p.grad = a * (p.detach() - c)

    def values(self):
        return [p.detach().cpu().flatten().tolist() for p in self.params]


def pythons(options):
    out = dict(options)
    if "beta1" in out:
        out["betas"] = (out.pop("beta1"), out.pop("beta2"))
    return out


@pytest.mark.parametrize("record", NUMBERS["optimizers"], ids=lambda r: r["kind"] + "-" + "-".join(map(str, r["options"])))
def test_steps_are_pytorchs(record, device):
    task = Task(device)
    optimizer = getattr(optim, record["kind"])(task.params, **pythons(record["options"]))
    for k in range(1, 21):
        task.give_grads()
        optimizer.step()
        if str(k) in record["params"]:
            for got, wanted in zip(task.values(), record["params"][str(k)], strict=True):
                assert got == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("record", NUMBERS["schedules"], ids=lambda r: r["class"])
def test_rates_are_pytorchs(record):
    optimizer = optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5, momentum=0.9)
    schedule = getattr(lr_scheduler, record["class"])(optimizer, **record["options"])
    rates = []
    for _ in record["lr"]:
        rates.append(optimizer.param_groups[0]["lr"])
        assert schedule.get_last_lr() == [rates[-1]]
        if len(rates) < len(record["lr"]):
            schedule.step()
    assert rates == pytest.approx(record["lr"], rel=1e-13)
    assert optimizer.param_groups[0]["momentum"] == pytest.approx(record["momentum"][-1], rel=1e-13)


def composed(which, optimizer):
    if which == "lambda":
        return lr_scheduler.LambdaLR(optimizer, lambda e: 0.95**e)
    if which == "chained":
        return lr_scheduler.ChainedScheduler([lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2),
                                              lr_scheduler.ExponentialLR(optimizer, gamma=0.9)])  # fmt: skip
    return lr_scheduler.SequentialLR(optimizer, [
        lr_scheduler.LinearLR(optimizer, start_factor=0.2, total_iters=4), lr_scheduler.CosineAnnealingLR(optimizer, T_max=6),
        lr_scheduler.StepLR(optimizer, 2, gamma=0.5)], milestones=[4, 10])  # fmt: skip


@pytest.mark.parametrize("which", ["lambda", "chained", "sequential"])
def test_schedules_of_schedules(which):
    optimizer = optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)
    schedule = composed(which, optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(19):
        schedule.step()
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx(NUMBERS["composed"][which], rel=1e-12)


def test_a_schedule_that_is_loaded_goes_on():
    one, other = (optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5) for _ in range(2))
    first, second = composed("sequential", one), composed("sequential", other)
    for _ in range(7):
        first.step()
    second.load_state_dict(first.state_dict())
    other.load_state_dict(one.state_dict())
    for _ in range(8):
        first.step(), second.step()
        assert first.get_last_lr() == second.get_last_lr() and first.last_epoch == second.last_epoch
    assert other.param_groups[0]["lr"] == one.param_groups[0]["lr"]


def test_groups_are_dicts_that_are_live():
    p, q = (torch.ones(1, requires_grad=True) for _ in range(2))
    optimizer = optim.SGD([{"params": [p]}, {"params": q, "lr": 0.25, "name": "slow"}], lr=0.5)
    first, second = optimizer.param_groups
    assert (first["lr"], second["lr"], second["name"], second["params"][0] is q) == (0.5, 0.25, "slow", True)
    first["lr"] = 0.125
    first["note"] = "mine"
    p.grad, q.grad = torch.ones(1), torch.ones(1)
    optimizer.step()
    assert (p.item(), q.item()) == (0.875, 0.75)
    assert dict(first)["note"] == "mine" and "betas" not in first
    with pytest.raises(bp.InvalidArgumentError, match=r"Invalid learning rate: -1\.0"):
        first["lr"] = -1.0
    optimizer.add_param_group({"params": torch.zeros(2, requires_grad=True), "lr": 1})
    assert len(optimizer.param_groups) == 3
    adam = optim.Adam([p], betas=(0.5, 0.75))
    assert adam.param_groups[0]["betas"] == (0.5, 0.75)
    adam.param_groups[0]["betas"] = (0.25, 0.5)
    assert adam.param_groups[0]["betas"] == (0.25, 0.5)
    assert repr(optimizer).startswith("SGD (\nParameter Group 0\n    dampening: 0.0\n")


def test_what_is_refused():
    p = torch.ones(2, requires_grad=True)
    with pytest.raises(bp.InvalidArgumentError, match=r"Invalid learning rate: -1\.0"):
        optim.SGD([p], lr=-1.0)
    with pytest.raises(ValueError, match="empty parameter list"):
        optim.SGD([], lr=0.1)
    with pytest.raises(TypeError, match="should be an iterable"):
        optim.SGD(p, lr=0.1)
    with pytest.raises(TypeError, match="can only optimize Tensors, but one of the params is int"):
        optim.SGD([3], lr=0.1)
    with pytest.raises(bp.Error, match="can't optimize a non-leaf Tensor"):
        optim.SGD([p * 2], lr=0.1)
    with pytest.raises(TypeError):
        optim.Adam([p], momentum=0.5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="a class with zero_grad"):
        optim.Optimizer([p], {})


def test_zero_grad_and_closures():
    p = torch.ones(2, requires_grad=True)
    optimizer = optim.SGD([p], lr=0.5)

    def closure():
        optimizer.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert optimizer.step(closure).item() == 2
    assert p.tolist() == [0, 0]
    optimizer.zero_grad(set_to_none=False)
    assert p.grad.tolist() == [0, 0]
    optimizer.zero_grad()
    assert p.grad is None


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_a_resumed_run_continues_bit_for_bit(kind, device):
    options = {"lr": 0.1, "momentum": 0.9} if kind in ("SGD", "RMSprop") else {"lr": 0.1}
    straight, resumed = Task(device, "float32"), Task(device, "float32")
    one = getattr(optim, kind)(straight.params, **options)
    for _ in range(5):
        straight.give_grads(), one.step()
    kept = one.state_dict()
    assert kept["param_groups"][0]["params"] == [0, 1] and sorted(kept["state"]) == [0, 1]
    other = getattr(optim, kind)(resumed.params, lr=1)
    with torch.no_grad():
        for to, of in zip(resumed.params, straight.params, strict=True):
            to.copy_(of)
    other.load_state_dict(kept)
    for _ in range(5):
        straight.give_grads(), one.step()
        resumed.give_grads(), other.step()
    assert straight.values() == resumed.values()


def test_state_is_by_parameter():
    p = torch.ones(2, requires_grad=True)
    optimizer = optim.Adam([p])
    assert p not in optimizer.state and optimizer.state[p] == {}
    p.grad = torch.ones(2)
    optimizer.step()
    assert optimizer.state[p]["step"] == 1
    assert optimizer.state[p]["exp_avg"].tolist() == pytest.approx([0.1, 0.1])
    assert type(optimizer.state[p]["exp_avg"]) is torch.Tensor


def test_training_a_line(device):
    torch.manual_seed(3)
    x = torch.randn(64, 1, device=device)
    y = 3 * x - 1
    w, b = torch.zeros(1, 1, device=device, requires_grad=True), torch.zeros(1, device=device, requires_grad=True)
    optimizer = optim.Adam([w, b], lr=0.1)
    for _ in range(300):
        optimizer.zero_grad()
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        total = optim.clip_grad_norm_([w, b], 10.0)
        optimizer.step()
    assert total.device == w.device
    assert w.item() == pytest.approx(3, abs=1e-2) and b.item() == pytest.approx(-1, abs=1e-2)


def test_clipping(device):
    p, q = torch.zeros(2, device=device, requires_grad=True), torch.zeros(1, device=device, requires_grad=True)
    p.grad, q.grad = torch.tensor([3.0, 4.0], device=device), torch.tensor([12.0], device=device)
    assert optim.clip_grad_norm_([p, q], 6.5).item() == pytest.approx(13)
    assert p.grad.tolist() == pytest.approx([1.5, 2.0]) and q.grad.item() == pytest.approx(6)
    assert optim.clip_grad_norm_(p, 100, norm_type=math.inf).item() == pytest.approx(2)
    optim.clip_grad_value_([p], 0.25)
    assert p.grad.tolist() == [0.25, 0.25]
    p.grad = torch.tensor([math.nan, 1.0], device=device)
    with pytest.raises(bp.Error, match="non-finite, so it cannot be clipped"):
        optim.clip_grad_norm_([p], 1.0, error_if_nonfinite=True)


def test_a_schedules_function_raises_its_own_exception():
    optimizer = optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)

    def factor(epoch):
        if epoch:
            raise KeyError("mine")
        return 1

    schedule = lr_scheduler.LambdaLR(optimizer, factor)
    with pytest.raises(KeyError, match="mine"):
        schedule.step()
    assert schedule.last_epoch == 0


def test_threads_may_share_an_optimizer():
    params = [torch.zeros(1, requires_grad=True)]
    optimizer = optim.SGD(params, lr=0.5)
    schedule = lr_scheduler.LambdaLR(optimizer, lambda e: 1 / (1 + e))

    def work():
        for _ in range(50):
            schedule.step()
            optimizer.param_groups[0]["lr"]
            optimizer.step()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert schedule.last_epoch == 200


def test_ops_over_lists_are_no_functions():
    assert not hasattr(bp.ops, "foreach_adam")
