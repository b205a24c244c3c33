# SPDX-License-Identifier: Apache-2.0
"""Schedules of learning rates: PyTorch's ``torch.optim.lr_scheduler``.

    schedule = lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=100)
    ...  optimizer.step(); schedule.step()

The classes whose arguments are the library's attributes are made from its list of schedules."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import _core

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "ExponentialLR", "LRScheduler",
           "LambdaLR", "LinearLR", "MultiStepLR", "OneCycleLR", "PolynomialLR", "SequentialLR", "StepLR"]  # fmt: skip


class LRScheduler:
    """What the schedules have in common.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> isinstance(bp.optim.lr_scheduler.StepLR(optimizer, step_size=1), bp.optim.lr_scheduler.LRScheduler)
    True
    """

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
        """Sets the rates of the next epoch, or of the next step where the schedule counts steps.

        >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
        >>> schedule = bp.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
        """
        self._handle.step()

    def get_last_lr(self) -> list[Any]:
        """Returns the rate of each group of parameters.

        >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
        >>> bp.optim.lr_scheduler.StepLR(optimizer, step_size=2).get_last_lr()
        [1.0]
        """
        return [self._handle.last_lr(g) for g in range(len(self.optimizer.param_groups))]

    @property
    def last_epoch(self) -> builtins.int:
        """How often step() was called.

        >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
        >>> bp.optim.lr_scheduler.StepLR(optimizer, step_size=2).last_epoch
        0
        """
        return self._handle.epoch()

    def state_dict(self) -> dict[str, Any]:
        """Returns what load_state_dict needs to go on.

        >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
        >>> state = bp.optim.lr_scheduler.StepLR(optimizer, step_size=2).state_dict()
        """
        return self._handle.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Goes on where state_dict was taken, of a schedule of the same kind.

        >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
        >>> schedule = bp.optim.lr_scheduler.StepLR(optimizer, step_size=2)
        >>> schedule.load_state_dict(schedule.state_dict())
        """
        self._handle.load_state_dict(state_dict)

    def __reduce__(self) -> Any:
        args, kwargs = self._made_of
        return _restored, (type(self), args, kwargs, self.optimizer, self.optimizer.state_dict(), self.state_dict())


def _restored(cls: type, args: Any, kwargs: Any, optimizer: Any, rates: dict[str, Any], state: dict[str, Any]) -> Any:
    made = cls(*args, **kwargs)
    made.load_state_dict(state)
    optimizer.load_state_dict(rates)  # because making the schedule changed its rates
    return made


_LRScheduler = LRScheduler


_KINDS = _core.schedule_kinds()


_RATES = {
    "StepLR": "[1.0, 0.5, 0.25]",
    "MultiStepLR": "[1.0, 0.5, 0.5]",
    "ExponentialLR": "[1.0, 0.5, 0.25]",
    "ConstantLR": "[0.5, 0.5, 1.0]",
    "LinearLR": "[0.5, 0.75, 1.0]",
    "PolynomialLR": "[1.0, 0.5, 0.0]",
    "CosineAnnealingLR": "[1.0, 0.5, 0.0]",
    "CosineAnnealingWarmRestarts": "[1.0, 0.5, 1.0]",
}


def _example(title: str, arguments: str) -> list[str]:
    """The lines of a docstring that show the rates of the first epochs."""
    return [">>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)",
            f">>> schedule = bp.optim.lr_scheduler.{title}(optimizer, {arguments})",
            ">>> rates = schedule.get_last_lr()",
            ">>> for epoch in range(2):",
            "...     optimizer.step()",
            "...     schedule.step()",
            "...     rates += schedule.get_last_lr()",
            ">>> [round(rate, 3) for rate in rates]",
            _RATES[title]]  # fmt: skip


class _OfKind(LRScheduler):
    """A schedule whose arguments are those that the library lists for its kind."""

    _class_kind = ""

    def __init_subclass__(cls, kind: str, example: str) -> None:
        cls._class_kind = kind
        doc, attrs = _KINDS[kind]
        parameter, positional = inspect.Parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature(
            [parameter("self", positional), parameter("optimizer", positional)]
            + [parameter(name, positional, default=parameter.empty if required else default)
               for name, _, default, required, _ in attrs]
            + [parameter("last_epoch", positional, default=-1)]
        )  # fmt: skip

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            given = signature.bind(self, *args, **kwargs).arguments
            values = {name: given[name] for name, *_ in attrs if name in given}
            handle = _core.new_schedule(kind, given["optimizer"]._handle, values)
            self._begin(given["optimizer"], handle, given.get("last_epoch", -1))

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        cls.__init__ = __init__  # type: ignore[method-assign]
        lines = [doc, "", *(f"    {name}: {text}" for name, _, _, _, text in attrs), "", *_example(cls.__name__, example)]
        cls.__doc__ = "\n".join(lines) + "\n"


class StepLR(_OfKind, kind="step", example="step_size=1, gamma=0.5"): ...


class MultiStepLR(_OfKind, kind="multi_step", example="milestones=[1], gamma=0.5"): ...


class ExponentialLR(_OfKind, kind="exponential", example="gamma=0.5"): ...


class ConstantLR(_OfKind, kind="constant", example="factor=0.5, total_iters=2"): ...


class LinearLR(_OfKind, kind="linear", example="start_factor=0.5, total_iters=2"): ...


class PolynomialLR(_OfKind, kind="polynomial", example="total_iters=2"): ...


class CosineAnnealingLR(_OfKind, kind="cosine", example="T_max=2"): ...


class CosineAnnealingWarmRestarts(_OfKind, kind="cosine_restarts", example="T_0=2"): ...


class OneCycleLR(LRScheduler):
    """Goes up to max_lr and then down far below the start, while momentum goes the other way.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> schedule = bp.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2.0, total_steps=10, cycle_momentum=False)
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [1.04]
    """

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
    """Sets the rate to the first one times lr_lambda(epoch).

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=1.0)
    >>> schedule = bp.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
    >>> optimizer.step()
    >>> schedule.step()
    >>> [round(rate, 3) for rate in schedule.get_last_lr()]
    [0.5]
    """

    def __init__(self, optimizer: Any, lr_lambda: Callable[[builtins.int], float], last_epoch: builtins.int = -1) -> None:
        self._begin(optimizer, _core.new_lambda_schedule(optimizer._handle, lr_lambda), last_epoch)


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

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Any = None) -> None:
        parts = list(schedulers)
        handle = _core.new_chained_schedule([s._handle for s in parts])
        self._schedulers = parts
        self._begin(parts[0].optimizer, handle)


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
