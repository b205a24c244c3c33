# SPDX-License-Identifier: Apache-2.0
"""Schedules of learning rates: PyTorch's ``torch.optim.lr_scheduler``.

    schedule = lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=100)
    ...  optimizer.step(); schedule.step()
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from . import _core

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "ExponentialLR", "LRScheduler",
           "LambdaLR", "LinearLR", "MultiStepLR", "OneCycleLR", "PolynomialLR", "SequentialLR", "StepLR"]  # fmt: skip


class LRScheduler:
    """What the schedules have in common."""

    _handle: Any
    optimizer: Any
    _made_of: tuple[Any, ...]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made._made_of = (args, kwargs)
        return made

    def _again(self, optimizer: Any) -> Any:
        """Returns a new schedule made of the same arguments, for another optimizer."""

        def other(value: Any) -> Any:
            if value is self.optimizer:
                return optimizer
            if isinstance(value, (list, tuple)) and value and all(isinstance(s, LRScheduler) for s in value):
                return [s._again(optimizer) for s in value]
            return value

        args, kwargs = self._made_of
        return type(self)(*map(other, args), **{name: other(value) for name, value in kwargs.items()})

    def _begin(self, optimizer: Any, handle: Any, last_epoch: builtins.int = -1) -> None:
        if last_epoch != -1:
            raise ValueError("a schedule is resumed by load_state_dict(); last_epoch must be -1")
        self.optimizer, self._handle = optimizer, handle

    def step(self) -> None:
        self._handle.step()

    def get_last_lr(self) -> list[Any]:
        return [self._handle.last_lr(g) for g in range(len(self.optimizer.param_groups))]

    @property
    def last_epoch(self) -> builtins.int:
        return self._handle.epoch()

    def state_dict(self) -> dict[str, Any]:
        return self._handle.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._handle.load_state_dict(state_dict)


_LRScheduler = LRScheduler


class StepLR(LRScheduler):
    """Multiplies the rate by gamma every step_size epochs."""

    def __init__(self, optimizer: Any, step_size: builtins.int, gamma: float = 0.1, last_epoch: builtins.int = -1) -> None:
        attrs = {"step_size": step_size, "gamma": gamma}
        self._begin(optimizer, _core.new_schedule("step", optimizer._handle, attrs), last_epoch)


class MultiStepLR(LRScheduler):
    """Multiplies the rate by gamma at each of the milestones."""

    def __init__(self, optimizer: Any, milestones: Sequence[builtins.int], gamma: float = 0.1,
                 last_epoch: builtins.int = -1) -> None:
        attrs = {"milestones": list(milestones), "gamma": gamma}
        self._begin(optimizer, _core.new_schedule("multi_step", optimizer._handle, attrs), last_epoch)


class ExponentialLR(LRScheduler):
    """Multiplies the rate by gamma every epoch."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: builtins.int = -1) -> None:
        self._begin(optimizer, _core.new_schedule("exponential", optimizer._handle, {"gamma": gamma}), last_epoch)


class ConstantLR(LRScheduler):
    """Multiplies the rate by factor until epoch total_iters."""

    def __init__(self, optimizer: Any, factor: float = 1.0 / 3, total_iters: builtins.int = 5,
                 last_epoch: builtins.int = -1) -> None:
        attrs = {"factor": factor, "total_iters": total_iters}
        self._begin(optimizer, _core.new_schedule("constant", optimizer._handle, attrs), last_epoch)


class LinearLR(LRScheduler):
    """Goes from start_factor to end_factor times the rate in total_iters epochs: a warm-up."""

    def __init__(self, optimizer: Any, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
                 total_iters: builtins.int = 5, last_epoch: builtins.int = -1) -> None:
        attrs = {"start_factor": start_factor, "end_factor": end_factor, "total_iters": total_iters}
        self._begin(optimizer, _core.new_schedule("linear", optimizer._handle, attrs), last_epoch)


class PolynomialLR(LRScheduler):
    """Goes down to 0 in total_iters epochs, by a power."""

    def __init__(self, optimizer: Any, total_iters: builtins.int = 5, power: float = 1.0,
                 last_epoch: builtins.int = -1) -> None:
        attrs = {"total_iters": total_iters, "power": power}
        self._begin(optimizer, _core.new_schedule("polynomial", optimizer._handle, attrs), last_epoch)


class CosineAnnealingLR(LRScheduler):
    """Goes down to eta_min along half a cosine of T_max epochs, and back."""

    def __init__(self, optimizer: Any, T_max: builtins.int, eta_min: float = 0.0, last_epoch: builtins.int = -1) -> None:
        attrs = {"T_max": T_max, "eta_min": eta_min}
        self._begin(optimizer, _core.new_schedule("cosine", optimizer._handle, attrs), last_epoch)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Goes down along half a cosine, then again from the top, each time T_mult times as long."""

    def __init__(self, optimizer: Any, T_0: builtins.int, T_mult: builtins.int = 1, eta_min: float = 0.0,
                 last_epoch: builtins.int = -1) -> None:
        attrs = {"T_0": T_0, "T_mult": T_mult, "eta_min": eta_min}
        self._begin(optimizer, _core.new_schedule("cosine_restarts", optimizer._handle, attrs), last_epoch)


class OneCycleLR(LRScheduler):
    """Goes up to max_lr and then down far below the start, while momentum goes the other way."""

    def __init__(self, optimizer: Any, max_lr: float, total_steps: builtins.int | None = None,
                 epochs: builtins.int | None = None, steps_per_epoch: builtins.int | None = None,
                 pct_start: float = 0.3, anneal_strategy: str = "cos", cycle_momentum: builtins.bool = True,
                 base_momentum: float = 0.85, max_momentum: float = 0.95, div_factor: float = 25.0,
                 final_div_factor: float = 1e4, three_phase: builtins.bool = False, last_epoch: builtins.int = -1) -> None:
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
            total_steps = epochs * steps_per_epoch
        attrs = {"max_lr": max_lr, "total_steps": total_steps, "pct_start": pct_start, "anneal_strategy": anneal_strategy,
                 "cycle_momentum": cycle_momentum, "base_momentum": base_momentum, "max_momentum": max_momentum,
                 "div_factor": div_factor, "final_div_factor": final_div_factor, "three_phase": three_phase}  # fmt: skip
        self._begin(optimizer, _core.new_schedule("one_cycle", optimizer._handle, attrs), last_epoch)


class LambdaLR(LRScheduler):
    """Sets the rate to the first one times lr_lambda(epoch)."""

    def __init__(self, optimizer: Any, lr_lambda: Callable[[builtins.int], float], last_epoch: builtins.int = -1) -> None:
        self._begin(optimizer, _core.new_lambda_schedule(optimizer._handle, lr_lambda), last_epoch)


class ChainedScheduler(LRScheduler):
    """Steps all of the schedulers at each step."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Any = None) -> None:
        parts = list(schedulers)
        handle = _core.new_chained_schedule([s._handle for s in parts])
        self._schedulers = parts
        self._begin(parts[0].optimizer, handle)


class SequentialLR(LRScheduler):
    """Uses one scheduler after the other. The next one begins at the next of the milestones."""

    def __init__(self, optimizer: Any, schedulers: Sequence[LRScheduler], milestones: Sequence[builtins.int],
                 last_epoch: builtins.int = -1) -> None:
        parts = list(schedulers)
        for i, s in enumerate(parts):
            if s.optimizer is not optimizer:
                raise ValueError("Sequential Schedulers expects all schedulers to belong to the same optimizer, but got "
                                 f"schedulers at index {i} to be different than the optimizer passed in.")  # fmt: skip
        handle = _core.new_sequential_schedule([s._handle for s in parts], list(milestones))
        self._schedulers = parts
        self._begin(optimizer, handle, last_epoch)
