"""Schedules of learning rates: PyTorch's ``torch.optim.lr_scheduler``.

    schedule = lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=100)
    ...  optimizer.step(); schedule.step()

The classes whose arguments are the library's attributes are made from its list of schedules."""

from __future__ import annotations

import builtins
import inspect
from typing import Any, Callable, Optional, Sequence

from . import _core

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "ExponentialLR", "LRScheduler",
           "LambdaLR", "LinearLR", "MultiStepLR", "OneCycleLR", "PolynomialLR", "SequentialLR", "StepLR"]  # fmt: skip


class LRScheduler:
    """What the schedules have in common."""

    _handle: Any
    optimizer: Any
    _made_of: tuple

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made._made_of = (args, kwargs)
        return made

    def _again(self, optimizer: Any) -> Any:
        """A new one made of the same arguments, for another optimizer."""

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

    def get_last_lr(self) -> list:
        return [self._handle.last_lr(g) for g in range(len(self.optimizer.param_groups))]

    @property
    def last_epoch(self) -> builtins.int:
        return self._handle.epoch()

    def state_dict(self) -> dict:
        return self._handle.state_dict()

    def load_state_dict(self, state_dict: dict) -> None:
        self._handle.load_state_dict(state_dict)


_LRScheduler = LRScheduler


def _made(title: str, kind: str, doc: str, attrs: list) -> type:
    P = inspect.Parameter
    positional = P.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [P("self", positional), P("optimizer", positional)]
        + [P(name, positional, default=P.empty if required else default) for name, _, default, required, _ in attrs]
        + [P("last_epoch", positional, default=-1)]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = signature.bind(self, *args, **kwargs).arguments
        optimizer, last_epoch = given["optimizer"], given.pop("last_epoch", -1)
        values = {name: given[name] for name, *_ in attrs if name in given}
        self._begin(optimizer, _core.new_schedule(kind, optimizer._handle, values), last_epoch)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    about = "\n".join(f"    {name}: {text}" for name, _, _, _, text in attrs)
    return type(title, (LRScheduler,), {"__init__": __init__, "__doc__": f"{doc}\n\n{about}", "__module__": __name__})


_CLASSES = {"step": "StepLR", "multi_step": "MultiStepLR", "exponential": "ExponentialLR", "constant": "ConstantLR",
            "linear": "LinearLR", "polynomial": "PolynomialLR", "cosine": "CosineAnnealingLR",
            "cosine_restarts": "CosineAnnealingWarmRestarts"}  # fmt: skip
for _kind, (_doc, _attrs) in _core.schedule_kinds().items():
    if _kind in _CLASSES:
        globals()[_CLASSES[_kind]] = _made(_CLASSES[_kind], _kind, _doc, _attrs)


class OneCycleLR(LRScheduler):
    """Up to max_lr and down far below the start; momentum the other way round."""

    def __init__(self, optimizer: Any, max_lr: float, total_steps: Optional[builtins.int] = None,
                 epochs: Optional[builtins.int] = None, steps_per_epoch: Optional[builtins.int] = None,
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
    """The first rate times lr_lambda(epoch)."""

    def __init__(self, optimizer: Any, lr_lambda: Callable[[builtins.int], float], last_epoch: builtins.int = -1) -> None:
        self._begin(optimizer, _core.new_lambda_schedule(optimizer._handle, lr_lambda), last_epoch)


class ChainedScheduler(LRScheduler):
    """All schedulers at each step."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Any = None) -> None:
        parts = list(schedulers)
        handle = _core.new_chained_schedule([s._handle for s in parts])
        self._schedulers = parts
        self._begin(parts[0].optimizer, handle)


class SequentialLR(LRScheduler):
    """One scheduler after the other; the next one begins at the next of milestones."""

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
