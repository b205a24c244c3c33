"""One model on several devices of a kind.

    there = parallel.replicate(params, devices)              # there[device][i]
    together = parallel.Replicas(there)
    for x in batches:
        losses = [loss(p, part) for p, part in zip(there, parallel.scatter(x, devices))]
        autograd.backward(losses); together.finish(); optimizer.step()

Gradients are averaged over the devices while backward still computes."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from .tensor import Tensor

__all__ = ["Replicas", "all_reduce", "replicate", "scatter"]


def all_reduce(tensors: Sequence[Tensor], *, mean: builtins.bool = False) -> None:
    """Each of the tensors, one on each device, becomes the sum of all, or their mean."""
    _core.all_reduce(list(tensors), mean)


def replicate(params: Iterable[Tensor], devices: Sequence[Any]) -> list[list[Tensor]]:
    """For each device the parameters with their values, as leaves of their own; itself where one is there already."""
    params = list(params)
    flat = _core.replicate(params, list(devices))
    return [flat[i : i + len(params)] for i in range(0, len(flat), len(params))]


def scatter(batch: Tensor, devices: Sequence[Any]) -> list[Tensor]:
    """Equal parts of batch along the first dimension, each on its device."""
    return _core.scatter_batch(batch, list(devices))


class Replicas:
    """Averages gradients over devices; params[device][i] as replicate() gives them."""

    def __init__(self, params: Sequence[Sequence[Tensor]], bucket_mb: float = 25) -> None:
        flat = [p for device in params for p in device]
        self._handle = _core.ReplicasHandle(flat, len(params), int(bucket_mb * (1 << 20)))

    def finish(self) -> None:
        """After backward: what comes next on the devices sees the averaged gradients."""
        self._handle.finish()
