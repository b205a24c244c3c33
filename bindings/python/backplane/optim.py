# SPDX-License-Identifier: Apache-2.0
"""Optimisers: PyTorch's ``torch.optim`` over Backplane's tensors. ``backplane.torch.optim`` has the same classes.

    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    optimizer.zero_grad(); loss.backward(); optimizer.step()

A step changes all parameters of a device by one kernel and waits for nothing. ``lr_scheduler`` has the schedules. The
classes are made from the library's own list of optimisers, which has beta1 and beta2 for PyTorch's pair of betas."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, ClassVar

from . import _core, lr_scheduler
from .autograd import enable_grad
from .tensor import Tensor

__all__ = ["Optimizer", "clip_grad_norm_", "clip_grad_value_", "lr_scheduler"]

# PyTorch's constructors take these to choose the implementation of a step. They make no difference here.
_IGNORED = {"foreach": None, "capturable": False, "differentiable": False, "fused": None}


def _plain(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns PyTorch's keywords as the library's attributes."""
    out = dict(attrs)
    for name in _IGNORED:
        out.pop(name, None)
    if "betas" in out:
        betas = tuple(out.pop("betas"))
        if len(betas) != 2:
            raise ValueError(f"betas must be a pair, got {betas}")
        out["beta1"], out["beta2"] = betas
    return {name: value.item() if isinstance(value, Tensor) else value for name, value in out.items()}


class ParamGroup(MutableMapping[str, Any]):
    """A group of parameters. Its attributes are read from the library's optimiser and written to it.

    >>> optimizer = bp.optim.SGD([bp.ones(1).requires_grad_()], lr=0.5)
    >>> optimizer.param_groups[0]["lr"] = 0.25
    >>> optimizer.param_groups[0]["lr"]
    0.25
    """

    def __init__(self, optimizer: Optimizer, index: builtins.int, params: list[Any], own: dict[str, Any]) -> None:
        self._optimizer, self._index = optimizer, index
        self._own = {"params": params, **own}

    def _attrs(self) -> list[Any]:
        return self._optimizer._names

    def __getitem__(self, key: str) -> Any:
        handle = self._optimizer._handle
        if key == "betas" and "beta1" in self._optimizer._kind_names:
            return handle.get(self._index, "beta1"), handle.get(self._index, "beta2")
        if key in self._optimizer._kind_names:
            return handle.get(self._index, key)
        return self._own[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if key == "params":
            raise KeyError("the parameters of a group stay; add_param_group adds others")
        if key in self._attrs() or key in self._optimizer._kind_names:
            self._optimizer._handle.set(self._index, _plain({key: value}))
        else:
            self._own[key] = value

    def __delitem__(self, key: str) -> None:
        if key == "params" or key in self._attrs():
            raise KeyError(key)
        del self._own[key]

    def __iter__(self) -> Iterator[str]:
        yield "params"
        yield from self._attrs()
        yield from (key for key in self._own if key != "params")

    def __len__(self) -> builtins.int:
        return len(self._attrs()) + len(self._own)

    def __repr__(self) -> str:
        return repr(dict(self))


class _States(Mapping[Tensor, Any]):
    """The state that is kept for each parameter: ``optimizer.state[p]["exp_avg"]``."""

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    def _places(self) -> Iterator[tuple[Any, ...]]:
        for g, group in enumerate(self._optimizer.param_groups):
            for i, p in enumerate(group["params"]):
                yield p, g, i

    def __getitem__(self, param: Tensor) -> dict[str, Any]:
        for p, g, i in self._places():
            if p is param:
                return self._optimizer._state_of(p, g, i)
        return {}

    def __iter__(self) -> Iterator[Tensor]:
        return (p for p, g, i in self._places() if self._optimizer._state_of(p, g, i))

    def __len__(self) -> builtins.int:
        return sum(1 for _ in self)

    def __contains__(self, param: object) -> builtins.bool:
        return any(p is param for p in self)


class Optimizer:
    """What the optimisers have in common.

    >>> isinstance(bp.optim.SGD([bp.ones(1).requires_grad_()], lr=0.1), bp.optim.Optimizer)
    True
    """

    _kind = ""
    _kind_names: ClassVar[list[str]] = []  # the library's attributes
    _names: ClassVar[list[str]] = []  # PyTorch's
    _state_names: ClassVar[list[str]] = []
    defaults: dict[str, Any]

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if type(self)._kind == "":
            raise TypeError("an optimizer of one's own is a class with zero_grad() and step(); this one is made by the library")
        if isinstance(params, Tensor):
            raise TypeError(f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                            f"{type(params).__name__}")  # fmt: skip
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.defaults = defaults
        self.param_groups: list[Any] = []
        self._handle: Any = None
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group such as ``{"params": [...], "lr": 0.01}``. Attributes that are not given are those of the constructor.

        >>> a, b = (bp.ones(1).requires_grad_() for _ in range(2))
        >>> optimizer = bp.optim.SGD([a], lr=0.1)
        >>> optimizer.add_param_group({"params": [b], "lr": 0.01})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.01]
        """
        if not isinstance(param_group, dict):
            raise TypeError("param_group must be a dict")
        group = dict(param_group)
        params = group.pop("params")
        params = [params] if isinstance(params, Tensor) else list(params)
        given = {**self.defaults, **{name: value for name, value in group.items() if name in self._names}}
        own = {name: value for name, value in group.items() if name not in self._names and name not in _IGNORED}
        if self._handle is None:
            self._handle = _core.OptimizerHandle(self._kind, params, _plain(given))
        else:
            self._handle.add_group(params, _plain(given))
        self.param_groups.append(ParamGroup(self, len(self.param_groups), params, own))

    def zero_grad(self, set_to_none: builtins.bool = True) -> None:
        """Removes the gradients, or fills them with zeros.

        >>> x = bp.ones(1).requires_grad_()
        >>> (x * 2).backward()
        >>> bp.optim.SGD([x]).zero_grad()
        >>> x.grad is None
        True
        """
        self._handle.zero_grad(set_to_none)

    def step(self, closure: Callable[..., Any] | None = None) -> Any:
        """Changes the parameters by their gradients. A closure is called first, to compute the loss and the gradients.

        >>> x = bp.ones(1).requires_grad_()
        >>> (x * 2).backward()
        >>> bp.optim.SGD([x], lr=0.1).step()
        >>> x.detach()
        tensor([0.8000])
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self._handle.step()
        return loss

    def _state_of(self, p: Tensor, group: builtins.int, i: builtins.int) -> dict[str, Any]:
        kept = {}
        if steps := self._handle.steps(group, i):
            kept["step"] = steps
        for name in self._state_names:
            if (t := self._handle.state(group, i, name, p)) is not None:
                kept[name] = t
        return kept

    @property
    def state(self) -> _States:
        """What is kept for each parameter, by parameter.

        >>> x = bp.ones(1).requires_grad_()
        >>> (x * 2).backward()
        >>> optimizer = bp.optim.Adam([x])
        >>> optimizer.step()
        >>> optimizer.state[x]["step"]
        1
        """
        return _States(self)

    def state_dict(self) -> dict[str, Any]:
        """Returns ``{"state": {parameter's number: {...}}, "param_groups": [...]}``.

        >>> bp.optim.SGD([bp.ones(1).requires_grad_()], lr=0.1).state_dict()["param_groups"][0]["lr"]
        0.1
        """
        state, groups, at = {}, [], 0
        for g, group in enumerate(self.param_groups):
            own = {key: value for key, value in group.items() if key != "params"}
            own["params"] = list(range(at, at + len(group["params"])))
            groups.append(own)
            for i, p in enumerate(group["params"]):
                if kept := self._state_of(p, g, i):
                    state[at + i] = kept
            at += len(group["params"])
        _, texts = self._handle.state_dict()
        for g, own in enumerate(groups):
            if f"group.{g}.initial_lr" in texts:
                own["initial_lr"] = float(texts[f"group.{g}.initial_lr"])
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Copies the tensors to where the parameters are. PyTorch's own dicts, of NumPy arrays or tensors, will do too.

        >>> x = bp.ones(1).requires_grad_()
        >>> optimizer = bp.optim.SGD([x])
        >>> optimizer.load_state_dict(bp.optim.SGD([x], lr=0.5).state_dict())
        >>> optimizer.param_groups[0]["lr"]
        0.5
        """
        groups = state_dict["param_groups"]
        texts = {"kind": self._kind, "groups": str(len(groups))}
        for g, group in enumerate(groups):
            texts[f"group.{g}.params"] = str(len(group["params"]))
            known = self.param_groups[g] if g < len(self.param_groups) else {}
            values = {**{name: known[name] for name in self._names if name in known},
                      **{name: value for name, value in group.items() if name in self._names}}  # fmt: skip
            texts.update({f"group.{g}.{name}": repr(float(value)) for name, value in _plain(values).items()})
            if "initial_lr" in group:
                texts[f"group.{g}.initial_lr"] = repr(float(group["initial_lr"]))
        tensors = {}
        for i, kept in state_dict["state"].items():
            for name, value in kept.items():
                if value is None:
                    continue
                tensors[f"state.{i}.{name}"] = value if isinstance(value, Tensor) else _core.asarray(value, None, None, True)
        self._handle.load_state_dict(tensors, texts)
        for known, group in zip(self.param_groups, groups, strict=True):
            known._own.update({name: value for name, value in group.items()
                               if name not in self._names and name not in ("params", "initial_lr") and name not in _IGNORED})  # fmt: skip

    def __reduce__(self) -> Any:
        """Pickles and copies the parameters too. Those of a module that is pickled in the same call stay its own."""
        rest = {name: value for name, value in self.__dict__.items() if name not in ("_handle", "param_groups", "defaults")}
        return _again, (type(self), [dict(group) for group in self.param_groups], self.defaults, self.state_dict(), rest)

    def __repr__(self) -> str:
        lines = []
        for g, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {g}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return f"{type(self).__name__} (\n" + "\n".join(lines) + "\n)"


def _again(cls: type[Optimizer], groups: list[Any], defaults: dict[str, Any], state: dict[str, Any], rest: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    Optimizer.__init__(made, groups, defaults)
    made.load_state_dict(state)
    made.__dict__.update(rest)
    return made


def _names_of(attrs: list[Any]) -> list[Any]:
    names: list[Any] = []
    for name, *_ in attrs:
        name = "betas" if name in ("beta1", "beta2") else name
        if name not in names:
            names.append(name)
    return names


def _made(kind: str, doc: str, attrs: list[Any], states: list[Any]) -> type:
    defaults = {name: value for name, _, value, _, _ in attrs}
    if "beta1" in defaults:
        defaults["betas"] = (defaults.pop("beta1"), defaults.pop("beta2"))
    names = _names_of(attrs)
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter("self", positional), inspect.Parameter("params", positional)]
        + [inspect.Parameter(name, positional, default=defaults[name]) for name in names]
        + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in _IGNORED.items()]
    )

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        Optimizer.__init__(self, bound.arguments["params"], {name: bound.arguments[name] for name in names})

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    about = "\n".join(f"    {name}: {text} ({value})" for name, _, value, _, text in attrs)
    example = f""">>> w = bp.asarray([1.0]).requires_grad_()
>>> optimizer = bp.optim.{kind}([w], lr=0.1)
>>> (w * w).sum().backward()
>>> optimizer.step()
>>> w.item() < 1.0
True
"""
    return type(kind, (Optimizer,), {
        "__init__": __init__, "__doc__": f"{doc}\n\n{about}\n\n{example}", "__module__": __name__, "_kind": kind,
        "_kind_names": [name for name, *_ in attrs], "_names": names, "_state_names": list(states)})  # fmt: skip


def _grads_of(parameters: Any) -> list[Any]:
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0,
                    error_if_nonfinite: builtins.bool = False, foreach: Any = None) -> Tensor:
    """Scales the gradients so that the norm of all of them is at most max_norm, and returns the norm that they had.

    >>> x = bp.ones(2).requires_grad_()
    >>> (x * bp.asarray([3.0, 4.0])).sum().backward()
    >>> bp.optim.clip_grad_norm_([x], 1.0)
    tensor(5.)
    """
    return _core.clip_grad_norm(_grads_of(parameters), float(max_norm), float(norm_type), error_if_nonfinite)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: Any = None) -> None:
    """Clips every element of the gradients to [-clip_value, clip_value].

    >>> x = bp.ones(2).requires_grad_()
    >>> (x * bp.asarray([3.0, 0.5])).sum().backward()
    >>> bp.optim.clip_grad_value_([x], 1.0)
    >>> x.grad
    tensor([1.0000, 0.5000])
    """
    _core.clip_grad_value(_grads_of(parameters), float(clip_value))


CLASSES = {name: _made(name, *about) for name, about in _core.optimizer_kinds().items()}
globals().update(CLASSES)
__all__.extend(CLASSES)

if TYPE_CHECKING:  # the classes that the library lists, such as SGD

    def __getattr__(name: str) -> Any: ...
