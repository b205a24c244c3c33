# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
import builtins
from collections.abc import Callable, Sequence
from typing import Any
__all__ = ['ChainedScheduler', 'ConstantLR', 'CosineAnnealingLR', 'CosineAnnealingWarmRestarts', 'ExponentialLR', 'LRScheduler', 'LambdaLR', 'LinearLR', 'MultiStepLR', 'OneCycleLR', 'PolynomialLR', 'SequentialLR', 'StepLR']

class LRScheduler:
    """What the schedules have in common.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> isinstance(bp.optim.lr_scheduler.StepLR(optimizer, step_size=1), bp.optim.lr_scheduler.LRScheduler)
    True
    """
    _handle: Any
    optimizer: Any
    _made_of: tuple[Any, ...]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any: ...

    def _again(self, optimizer: Any) -> Any: ...

    def _begin(self, optimizer: Any, handle: Any, last_epoch: builtins.int=-1) -> None: ...

    def step(self) -> None: ...

    def get_last_lr(self) -> list[Any]: ...

    @property
    def last_epoch(self) -> builtins.int: ...

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None: ...

    def __reduce__(self) -> Any: ...
_LRScheduler = LRScheduler
_RATES = {'StepLR': '[1.0, 0.5, 0.25]', 'MultiStepLR': '[1.0, 0.5, 0.5]', 'ExponentialLR': '[1.0, 0.5, 0.25]', 'ConstantLR': '[0.5, 0.5, 1.0]', 'LinearLR': '[0.5, 0.75, 1.0]', 'PolynomialLR': '[1.0, 0.5, 0.0]', 'CosineAnnealingLR': '[1.0, 0.5, 0.0]', 'CosineAnnealingWarmRestarts': '[1.0, 0.5, 1.0]'}

class _OfKind(LRScheduler):
    """A schedule whose arguments are those that the library lists for its kind."""
    _class_kind = ''

class StepLR(_OfKind):
    """Times gamma every step_size epochs.

    step_size: epochs between
    gamma: what the rate is multiplied by

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 0.25]"""

    def __init__(self, optimizer: Any, step_size: int, gamma: float=0.1, last_epoch: int=-1) -> None: ...

class MultiStepLR(_OfKind):
    """Times gamma at each of milestones.

    milestones: epochs
    gamma: what the rate is multiplied by

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1], gamma=0.5)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 0.5]"""

    def __init__(self, optimizer: Any, milestones: Sequence[int], gamma: float=0.1, last_epoch: int=-1) -> None: ...

class ExponentialLR(_OfKind):
    """Times gamma every epoch.

    gamma: what the rate is multiplied by

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 0.25]"""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int=-1) -> None: ...

class ConstantLR(_OfKind):
    """Times factor until total_iters.

    factor: what the rate is multiplied by
    total_iters: epochs

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[0.5, 0.5, 1.0]"""

    def __init__(self, optimizer: Any, factor: float=0.3333333333333333, total_iters: int=5, last_epoch: int=-1) -> None: ...

class LinearLR(_OfKind):
    """From start_factor to end_factor of the rate in total_iters epochs: a warm-up.

    start_factor: at first
    end_factor: in the end
    total_iters: epochs

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=2)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[0.5, 0.75, 1.0]"""

    def __init__(self, optimizer: Any, start_factor: float=0.3333333333333333, end_factor: float=1.0, total_iters: int=5, last_epoch: int=-1) -> None: ...

class PolynomialLR(_OfKind):
    """Down to 0 in total_iters epochs, by a power.

    total_iters: epochs
    power: of the polynomial

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=2)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 0.0]"""

    def __init__(self, optimizer: Any, total_iters: int=5, power: float=1.0, last_epoch: int=-1) -> None: ...

class CosineAnnealingLR(_OfKind):
    """From the rate to eta_min along half a cosine of T_max epochs, and back.

    T_max: epochs of half a period
    eta_min: the lowest rate

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 0.0]"""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float=0.0, last_epoch: int=-1) -> None: ...

class CosineAnnealingWarmRestarts(_OfKind):
    """Half a cosine down, then again from the top, each time T_mult as long (Loshchilov and Hutter 2017).

    T_0: epochs of the first time
    T_mult: how much longer the next one is
    eta_min: the lowest rate

>>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
>>> schedule = bp.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
>>> rates = schedule.get_last_lr()
>>> for epoch in range(2):
...     optimizer.step()
...     schedule.step()
...     rates += schedule.get_last_lr()
>>> [round(rate, 3) for rate in rates]
[1.0, 0.5, 1.0]"""

    def __init__(self, optimizer: Any, T_0: int, T_mult: int=1, eta_min: float=0.0, last_epoch: int=-1) -> None: ...

class OneCycleLR(LRScheduler):
    """Goes up to max_lr and then down far below the start, while momentum goes the other way.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> schedule = bp.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2.0, total_steps=10, cycle_momentum=False)
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [1.04]
    """

    def __init__(self, optimizer: Any, max_lr: float, total_steps: builtins.int | None=None, epochs: builtins.int | None=None, steps_per_epoch: builtins.int | None=None, pct_start: float=0.3, anneal_strategy: str='cos', cycle_momentum: builtins.bool=True, base_momentum: float=0.85, max_momentum: float=0.95, div_factor: float=25.0, final_div_factor: float=10000.0, three_phase: builtins.bool=False, last_epoch: builtins.int=-1) -> None: ...

class LambdaLR(LRScheduler):
    """Sets the rate to the first one times lr_lambda(epoch).

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> schedule = bp.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [0.5]
    """

    def __init__(self, optimizer: Any, lr_lambda: Callable[[builtins.int], float], last_epoch: builtins.int=-1) -> None: ...

class ChainedScheduler(LRScheduler):
    """Steps all of the schedulers at each step.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> halves = bp.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> schedule = bp.optim.lr_scheduler.ChainedScheduler([halves])
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [0.5]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Any=None) -> None: ...

class SequentialLR(LRScheduler):
    """Uses one scheduler after the other. The next one begins at the next of the milestones.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> first = bp.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5)
    >>> then = bp.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> schedule = bp.optim.lr_scheduler.SequentialLR(optimizer, [first, then], milestones=[1])
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [1.0]
    """

    def __init__(self, optimizer: Any, schedulers: Sequence[LRScheduler], milestones: Sequence[builtins.int], last_epoch: builtins.int=-1) -> None: ...
