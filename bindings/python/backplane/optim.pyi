# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, ClassVar
from . import lr_scheduler
from .tensor import Tensor
__all__ = ["Optimizer", "clip_grad_norm_", "clip_grad_value_", "lr_scheduler", "SGD", "Adam", "AdamW", "RMSprop", "Adagrad"]

class ParamGroup(MutableMapping[str, Any]):
    """A group of parameters. Its attributes are read from the library's optimiser and written to it.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=0.5)
    >>> optimizer.param_groups[0]["lr"] = 0.25
    >>> optimizer.param_groups[0]["lr"]
    0.25
    """

    def __init__(self, optimizer: Optimizer, index: builtins.int, params: list[Any], own: dict[str, Any]) -> None: ...

    def _attrs(self) -> list[Any]: ...

    def __getitem__(self, key: str) -> Any: ...

    def __setitem__(self, key: str, value: Any) -> None: ...

    def __delitem__(self, key: str) -> None: ...

    def __iter__(self) -> Iterator[str]: ...

    def __len__(self) -> builtins.int: ...

    def __repr__(self) -> str: ...

class _States(Mapping[Tensor, Any]):
    """The state that is kept for each parameter: ``optimizer.state[p]["exp_avg"]``."""

    def __init__(self, optimizer: Optimizer) -> None: ...

    def _places(self) -> Iterator[tuple[Any, ...]]: ...

    def __getitem__(self, param: Tensor) -> dict[str, Any]: ...

    def __iter__(self) -> Iterator[Tensor]: ...

    def __len__(self) -> builtins.int: ...

    def __contains__(self, param: object) -> builtins.bool: ...

class Optimizer:
    """What the optimisers have in common.

    >>> isinstance(bp.optim.SGD([bp.ones(1).requires_grad_()], lr=0.1), bp.optim.Optimizer)
    True
    """
    _kind = ''
    _kind_names: ClassVar[list[str]] = []
    _names: ClassVar[list[str]] = []
    _state_names: ClassVar[list[str]] = []
    param_groups: list[Any]
    defaults: dict[str, Any]

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None: ...

    def add_param_group(self, param_group: dict[str, Any]) -> None: ...

    def zero_grad(self, set_to_none: builtins.bool=True) -> None: ...

    def step(self, closure: Callable[..., Any] | None=None) -> Any: ...

    def _state_of(self, p: Tensor, group: builtins.int, i: builtins.int) -> dict[str, Any]: ...

    @property
    def state(self) -> _States: ...

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None: ...

    def __reduce__(self) -> Any: ...

    def __repr__(self) -> str: ...

def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float=2.0, error_if_nonfinite: builtins.bool=False, foreach: Any=None) -> Tensor: ...

def clip_grad_value_(parameters: Any, clip_value: float, foreach: Any=None) -> None: ...

CLASSES: dict[str, type[Optimizer]]

class SGD(Optimizer):
    """Stochastic gradient descent with momentum (Sutskever et al. 2013).

        lr: learning rate (0.001)
        momentum: momentum factor (0.0)
        dampening: what the momentum leaves out of a new gradient (0.0)
        weight_decay: weight decay: adds this times the parameter to the gradient (0.0)
        nesterov: Nesterov's momentum (False)
        maximize: goes up the gradient instead of down (False)

    >>> w = bp.asarray([1.0]).requires_grad_()
    >>> optimizer = bp.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.item() < 1.0
    True"""
    def __init__(self, params: Iterable[Any], lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False, *, foreach: bool | None = None, capturable: bool = False, differentiable: bool = False, fused: bool | None = None) -> None: ...

class Adam(Optimizer):
    """Adam (Kingma and Ba 2015).

        lr: learning rate (0.001)
        beta1: how slowly the average of gradients changes (0.9)
        beta2: how slowly the average of their squares changes (0.999)
        eps: added to the denominator (1e-08)
        weight_decay: weight decay: adds this times the parameter to the gradient (0.0)
        amsgrad: divides by the largest average of squares so far (False)
        maximize: goes up the gradient instead of down (False)

    >>> w = bp.asarray([1.0]).requires_grad_()
    >>> optimizer = bp.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.item() < 1.0
    True"""
    def __init__(self, params: Iterable[Any], lr: float = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False, *, foreach: bool | None = None, capturable: bool = False, differentiable: bool = False, fused: bool | None = None) -> None: ...

class AdamW(Optimizer):
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019).

        lr: learning rate (0.001)
        beta1: how slowly the average of gradients changes (0.9)
        beta2: how slowly the average of their squares changes (0.999)
        eps: added to the denominator (1e-08)
        weight_decay: weight decay: takes lr times this off the parameter itself (0.01)
        amsgrad: divides by the largest average of squares so far (False)
        maximize: goes up the gradient instead of down (False)

    >>> w = bp.asarray([1.0]).requires_grad_()
    >>> optimizer = bp.optim.AdamW([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.item() < 1.0
    True"""
    def __init__(self, params: Iterable[Any], lr: float = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-08, weight_decay: float = 0.01, amsgrad: bool = False, maximize: bool = False, *, foreach: bool | None = None, capturable: bool = False, differentiable: bool = False, fused: bool | None = None) -> None: ...

class RMSprop(Optimizer):
    """RMSprop (Hinton 2012), centered as Graves 2013.

        lr: learning rate (0.01)
        alpha: how slowly the average of squares changes (0.99)
        eps: added to the denominator (1e-08)
        weight_decay: weight decay: adds this times the parameter to the gradient (0.0)
        momentum: momentum factor (0.0)
        centered: divides by the spread about the mean (False)
        maximize: goes up the gradient instead of down (False)

    >>> w = bp.asarray([1.0]).requires_grad_()
    >>> optimizer = bp.optim.RMSprop([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.item() < 1.0
    True"""
    def __init__(self, params: Iterable[Any], lr: float = 0.01, alpha: float = 0.99, eps: float = 1e-08, weight_decay: float = 0.0, momentum: float = 0.0, centered: bool = False, maximize: bool = False, *, foreach: bool | None = None, capturable: bool = False, differentiable: bool = False, fused: bool | None = None) -> None: ...

class Adagrad(Optimizer):
    """Adagrad (Duchi, Hazan and Singer 2011).

        lr: learning rate (0.01)
        lr_decay: how fast the learning rate falls with steps (0.0)
        weight_decay: weight decay: adds this times the parameter to the gradient (0.0)
        initial_accumulator_value: what the sums of squares start with (0.0)
        eps: added to the denominator (1e-10)
        maximize: goes up the gradient instead of down (False)

    >>> w = bp.asarray([1.0]).requires_grad_()
    >>> optimizer = bp.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w.item() < 1.0
    True"""
    def __init__(self, params: Iterable[Any], lr: float = 0.01, lr_decay: float = 0.0, weight_decay: float = 0.0, initial_accumulator_value: float = 0.0, eps: float = 1e-10, maximize: bool = False, *, foreach: bool | None = None, capturable: bool = False, differentiable: bool = False, fused: bool | None = None) -> None: ...
