# SPDX-License-Identifier: Apache-2.0
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
from .distributed import Group
from .tensor import Tensor

__all__ = ["Replicas", "all_reduce", "replicate", "scatter"]


def all_reduce(tensors: Sequence[Tensor], *, mean: builtins.bool = False) -> None:
    """Makes each of the tensors, one on each device, the sum of all of them, or their mean.

    >>> bp.parallel.all_reduce([bp.ones(2)])
    """
    _core.all_reduce(list(tensors), mean)


def replicate(params: Iterable[Tensor], devices: Sequence[Any]) -> list[list[Tensor]]:
    """Returns the parameters for each device, as leaves of their own with the same values. A parameter that is on the device
    already is returned itself.

    >>> bp.parallel.replicate([bp.ones(2).requires_grad_()], ["cpu"])[0][0].shape
    (2,)
    """
    params = list(params)
    flat = _core.replicate(params, list(devices))
    return [flat[i : i + len(params)] for i in range(0, len(flat), len(params))]


def scatter(batch: Tensor, devices: Sequence[Any]) -> list[Tensor]:
    """Returns equal parts of the batch along the first dimension, each on its device.

    >>> [t.shape for t in bp.parallel.scatter(bp.ones((4, 2)), ["cpu"])]
    [(4, 2)]
    """
    return _core.scatter_batch(batch, list(devices))


class Replicas:
    """Averages gradients over devices. params[device][i] are as replicate() returns them.

    >>> there = bp.parallel.replicate([bp.ones(2).requires_grad_()], ["cpu"])
    >>> together = bp.parallel.Replicas(there)
    """

    def __init__(self, params: Sequence[Sequence[Tensor]], bucket_mb: float = 25) -> None:
        flat = [p for device in params for p in device]
        self._handle = _core.ReplicasHandle(flat, len(params), int(bucket_mb * (1 << 20)))

    def join(self, group: Group) -> None:
        """Averages over all devices of all members of the group from now on. All members call it, with the same parameters, whose
        values become those of member 0's first device; InvalidArgumentError: they differ.

        >>> together = bp.parallel.Replicas(bp.parallel.replicate([bp.ones(2).requires_grad_()], ["cpu"]))
        >>> with bp.distributed.join() as group:
        ...     together.join(group)
        """
        self._handle.join(group._handle)

    def hold(self, on: builtins.bool) -> None:
        """While on, backwards add up gradients and exchange nothing.

        >>> together = bp.parallel.Replicas(bp.parallel.replicate([bp.ones(2).requires_grad_()], ["cpu"]))
        >>> together.hold(True)
        """
        self._handle.hold(on)

    def finish(self) -> None:
        """Completes the averages after backward: what comes next on the devices sees them.

        >>> there = bp.parallel.replicate([bp.ones(2).requires_grad_()], ["cpu"])
        >>> together = bp.parallel.Replicas(there)
        >>> there[0][0].sum().backward()
        >>> together.finish()
        """
        self._handle.finish()
