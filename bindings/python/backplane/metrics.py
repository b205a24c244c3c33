"""Figures that are summed up where their tensors are: add() queues work and waits for nobody, value() fetches the sums.

    loss, right = metrics.Mean(), metrics.Accuracy()
    for x, y in loader:
        scores = net(x)
        loss.add(cross_entropy(scores, y), weight=len(y)); right.add(scores, y)
    print(loss.value(), right.value())

Tensors of several devices may be added to one; no gradient goes back."""

from __future__ import annotations

from typing import Any

from . import _core

__all__ = ["Accuracy", "Mean"]


class _Metric:
    _handle: Any

    def value(self) -> float:
        """NaN when nothing was added. Waits for the devices."""
        return self._handle.value()

    def reset(self) -> None:
        self._handle.reset()


class Mean(_Metric):
    """The mean of all elements that were added."""

    def __init__(self) -> None:
        self._handle = _core.MetricHandle(False)

    def add(self, x: Any, weight: float = 1.0) -> None:
        """Each element counts weight times: the mean loss of a batch by the size of the batch."""
        self._handle.add(x, None, weight)


class Accuracy(_Metric):
    """How often the largest score stands where the target says: scores [..., classes], target integers [...]."""

    def __init__(self) -> None:
        self._handle = _core.MetricHandle(True)

    def add(self, scores: Any, target: Any) -> None:
        self._handle.add(scores, target, 1.0)
