# SPDX-License-Identifier: Apache-2.0
"""One model on several devices, from Python."""

import backplane as bp
import backplane.torch as torch
import pytest
from backplane import parallel
from backplane.torch import optim

DEVICES = ["sim:0", "sim:1", "sim:2"]


def test_all_reduce():
    tensors = [torch.full((5,), float(i + 1), device=d) for i, d in enumerate(DEVICES)]
    parallel.all_reduce(tensors, mean=True)
    assert [t.tolist() for t in tensors] == [[2.0] * 5] * 3
    with pytest.raises(bp.DeviceMismatchError, match="devices of several kinds, sim:0 and cpu"):
        parallel.all_reduce([tensors[0], torch.ones(5)])


def train(devices):
    torch.manual_seed(7)
    x, y = torch.randn(24, 3), torch.randn(24, 1)
    w = torch.zeros(3, 1, device=devices[0], requires_grad=True)
    there = parallel.replicate([w], devices)
    assert there[0][0] is w and all(p.requires_grad and p.is_leaf for (p,) in there)
    together = parallel.Replicas(there)
    optimizer = optim.SGD([p for (p,) in there], lr=0.1, momentum=0.9)
    for _ in range(20):
        optimizer.zero_grad()
        losses = [((a @ p - b) ** 2).mean()
                  for (p,), a, b in zip(there, parallel.scatter(x, devices), parallel.scatter(y, devices), strict=True)]  # fmt: skip
        bp.autograd.backward(losses)
        together.finish()
        optimizer.step()
    values = [p.detach().cpu().flatten().tolist() for (p,) in there]
    assert all(v == values[0] for v in values)
    return values[0]


def test_several_devices_train_as_one_does():
    assert train(DEVICES) == pytest.approx(train(["cpu"]), abs=1e-5)
