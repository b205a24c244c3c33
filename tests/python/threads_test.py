# SPDX-License-Identifier: Apache-2.0
"""Threads over one module: a change of its tensors waits until no other thread works with them.

BACKPLANE_THREADS_ROUNDS has each test do so many times as much.
"""

import gc
import os
import threading
import time
from typing import Any

import backplane.torch as torch
from backplane.torch import nn

ROUNDS = 100 * int(os.environ.get("BACKPLANE_THREADS_ROUNDS", "1"))
WIDTH = 512  # so large that a matrix goes back to the system when it is freed


def beside(work: Any, change: Any, rounds: int = ROUNDS, n: int = 3) -> int:
    """Runs work() in n threads, again and again, while this one calls change(i); counts what worked."""
    stop, failed, done = threading.Event(), [], [0] * n

    def body(i: int) -> None:
        try:
            while not stop.is_set():
                done[i] += work()
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    try:
        for i in range(rounds):
            change(i)
        while not all(done) and not failed:  # each has worked, whatever the machine's load
            time.sleep(0.001)
    finally:
        stop.set()
        for t in threads:
            t.join()
    assert not failed, failed[0]
    return sum(done)


def ones(dtype: Any, device: str = "cpu") -> Any:
    net = nn.Sequential(nn.Linear(WIDTH, WIDTH, bias=False), nn.ReLU(), nn.Linear(WIDTH, WIDTH, bias=False)).to(device, dtype)
    for p in net.parameters():
        p.data.fill_(1)
    return net


def gives_all(net: Any, x: Any, refusal: str) -> bool:
    """Whether net took x; if so, with the weights of one moment. It may be of x's kind only before or after."""
    try:
        y = net(x)
    except RuntimeError as e:  # of another kind, in its first layer or from one to the next
        assert refusal in str(e), e
        return False
    assert y.shape == (2, WIDTH)
    assert y.min().item() == y.max().item() == WIDTH * WIDTH
    return True


def test_a_module_is_converted_beside_its_forward() -> None:
    net = ones(torch.float32)
    xs = [torch.ones(2, WIDTH, dtype=t) for t in (torch.float32, torch.float64)]
    assert beside(lambda: sum(gives_all(net, x, "dtype") for x in xs), lambda i: net.double() if i % 2 == 0 else net.float())


def test_a_module_is_moved_beside_its_forward() -> None:
    net = ones(torch.float32)
    xs = [torch.ones(2, WIDTH, device=d) for d in ("cpu", "sim:0")]
    assert beside(lambda: sum(gives_all(net, x, "device") for x in xs), lambda i: net.to("sim:0" if i % 2 == 0 else "cpu"))


def test_data_is_exchanged_beside_forward_and_backward() -> None:
    p = nn.Parameter(torch.ones(WIDTH, WIDTH))
    x = torch.ones(2, WIDTH)

    def train() -> bool:
        w = torch.ones(WIDTH, WIDTH, requires_grad=True)
        y = (x @ (w * p.detach())).sum()
        assert y.item() == 2 * WIDTH * WIDTH
        try:
            y.backward()
        except RuntimeError as e:  # what was saved is not what p is now
            assert "modified by an inplace operation" in str(e), e
        else:
            assert w.grad.shape == (WIDTH, WIDTH)
        return True

    def exchange(_: int) -> None:
        p.data = torch.ones(WIDTH, WIDTH)
        gc.collect(0)

    assert beside(train, exchange)


def test_parameters_and_children_are_exchanged_beside_forward() -> None:
    net = ones(torch.float32)
    x = torch.ones(2, WIDTH)

    def forward() -> bool:
        y = net(x)
        assert y.min().item() == y.max().item() == WIDTH * WIDTH
        return True

    def exchange(i: int) -> None:
        if i % 2:
            net[0].weight = nn.Parameter(torch.ones(WIDTH, WIDTH))
        else:
            net[2] = ones(torch.float32)[2]

    assert beside(forward, exchange)


def test_a_hook_may_move_the_module_that_calls_it() -> None:
    net = ones(torch.float32)
    x = torch.ones(2, WIDTH)
    inner = net[2]
    net[0].register_forward_hook(lambda *_: inner.to("cpu", torch.float32) and None)
    moved = [0]

    def forward() -> bool:
        moved[0] += 1
        return net(x).min().item() == WIDTH * WIDTH

    assert beside(forward, lambda i: inner.to("cpu"))
    assert moved[0]


def test_hooks_come_and_go_beside_backward() -> None:
    net = ones(torch.float32)
    x = torch.ones(2, WIDTH)
    called, kept = [0], []

    def hook(g: Any) -> Any:
        called[0] += 1
        return g

    def train() -> bool:
        net(x).sum().backward()
        return True

    def exchange(_: int) -> None:
        kept.append(net[0].weight.register_hook(hook))
        if len(kept) > 3:
            kept.pop(0).remove()

    assert beside(train, exchange)
    assert called[0]


def test_gradients_are_taken_away_beside_backward() -> None:
    net = ones(torch.float32)
    x = torch.ones(2, WIDTH)
    weights = list(net.parameters())

    def train() -> bool:
        net(x).sum().backward()
        g = weights[0].grad
        if g is not None:  # each backward adds the same, and one may be adding just now
            assert (g % (2 * WIDTH)).max().item() == 0
        return True

    def take(i: int) -> None:
        if i % 2:
            net.zero_grad()
        else:
            weights[i // 2 % 2].grad = None

    assert beside(train, take)


def test_a_module_is_moved_beside_loaders_of_its_buffer() -> None:
    net = nn.Module()
    net.register_buffer("table", torch.ones(64, WIDTH))
    dataset = torch.utils.data.TensorDataset(net.table)

    def read() -> bool:
        seen = 0
        for (batch,) in torch.utils.data.DataLoader(dataset, batch_size=16, num_workers=1):
            assert batch.min().item() == batch.max().item() == 1
            seen += batch.shape[0]
        return seen == 64

    assert beside(read, lambda i: net.to("sim:0" if i % 2 == 0 else "cpu"))
