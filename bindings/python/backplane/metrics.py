# SPDX-License-Identifier: Apache-2.0
"""Metrics that are summed up where their tensors are. add() queues work and waits for nothing, value() fetches the sums.

    loss, right = metrics.Mean(), metrics.Accuracy()
    for x, y in loader:
        scores = net(x)
        loss.add(cross_entropy(scores, y), weight=len(y)); right.add(scores, y)
    print(loss.value(), right.value())

Tensors of several devices may be added to one metric. No gradient goes back through it."""

from __future__ import annotations

from typing import Any

from . import _core

__all__ = ["Accuracy", "Mean"]


class _Metric:
    _handle: Any

    def value(self) -> float:
        """Returns the metric, or NaN when nothing was added. This waits for the devices.

        >>> mean = bp.metrics.Mean()
        >>> mean.add(bp.asarray([2.0]))
        >>> float(mean.value())
        2.0
        """
        return self._handle.value()

    def reset(self) -> None:
        """Forgets what was added.

        >>> mean = bp.metrics.Mean()
        >>> mean.add(bp.asarray([2.0]))
        >>> mean.reset()
        >>> mean.add(bp.asarray([4.0]))
        >>> float(mean.value())
        4.0
        """
        self._handle.reset()


class Mean(_Metric):
    """The mean of all elements that were added.

    >>> mean = bp.metrics.Mean()
    >>> mean.add(bp.asarray([1.0, 2.0, 3.0]))
    >>> mean.value()
    2.0
    """

    def __init__(self) -> None:
        self._handle = _core.MetricHandle(False)

    def add(self, x: Any, weight: float = 1.0) -> None:
        """Adds the elements of x, each of which counts weight times. The mean loss of a batch has the weight of its size.

        >>> mean = bp.metrics.Mean()
        >>> mean.add(bp.asarray([1.0, 3.0]))
        >>> float(mean.value())
        2.0
        """
        self._handle.add(x, None, weight)


class Accuracy(_Metric):
    """The share of examples whose largest score is that of the right class. scores are [..., classes], targets integers [...].

    >>> right = bp.metrics.Accuracy()
    >>> right.add(bp.asarray([[0.1, 0.9], [0.8, 0.2]]), bp.asarray([1, 1]))
    >>> right.value()
    0.5
    """

    def __init__(self) -> None:
        self._handle = _core.MetricHandle(True)

    def add(self, scores: Any, target: Any) -> None:
        """Counts the examples: scores are [..., classes], and target has the right ones, [...].

        >>> accuracy = bp.metrics.Accuracy()
        >>> accuracy.add(bp.asarray([[0.1, 0.9]]), bp.asarray([1]))
        >>> float(accuracy.value())
        1.0
        """
        self._handle.add(scores, target, 1.0)
