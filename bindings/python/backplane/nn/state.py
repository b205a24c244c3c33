# SPDX-License-Identifier: Apache-2.0
"""What a module has learned, by path, and copies and pickles of modules."""

from __future__ import annotations

import builtins
import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

from .. import _core


class LoadResult(namedtuple("LoadResult", ["missing_keys", "unexpected_keys"])):
    """The names that load_state_dict missed, and those that it did not expect."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


class State:
    """Module's methods of this kind."""

    _handle: Any
    _adopt: Any
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _persistent: set[Any]
    _is_torch: builtins.bool
    training: builtins.bool

    def state_dict(self, *, destination: Any = None, prefix: str = "", keep_vars: builtins.bool = False) -> Any:
        """Returns the parameters and the persistent buffers by path. They share the module's memory.

        >>> list(bp.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        out = OrderedDict() if destination is None else destination
        for name, t in self._state(prefix):
            if not _core.is_uninitialized(t):
                out[name] = t if keep_vars else t.detach()
        return out

    def _state(self, prefix: str) -> Iterator[tuple[str, Any]]:
        for name, p in self._parameters.items():
            if p is not None:
                yield prefix + name, p
        for name, b in self._buffers.items():
            if b is not None and name in self._persistent:
                yield prefix + name, b
        for name, m in self._modules.items():
            if m is not None:
                yield from m._state(f"{prefix}{name}.")

    def load_state_dict(self, state_dict: Any, strict: builtins.bool = True, assign: builtins.bool = False) -> LoadResult:
        """Copies tensors by path into those of this module, which stay where they are. With assign=True they become the module's
        data themselves. PyTorch's tensors and NumPy's arrays will do too.

        >>> bp.nn.Linear(2, 1).load_state_dict(bp.nn.Linear(2, 1).state_dict())
        <All keys matched successfully>
        """
        own = list(self._state(""))
        names = {name for name, _ in own}
        missing = [name for name, _ in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in names]
        errors = []
        for name, to in own:
            if name in state_dict:
                error = _load_one(name, to, state_dict[name], assign, self._is_torch)
                errors += [error] if error else []
        if strict and unexpected:
            errors.insert(0, "Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in unexpected)))
        if strict and missing:
            errors.insert(0, "Missing key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in missing)))
        if errors:
            raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors)))
        return LoadResult(missing, unexpected)

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in ("_handle", "_parameters", "_buffers", "_modules")}
        handle = self._handle
        return {"kind": handle.kind, "attrs": handle.attrs(), "training": self.training, "rest": kept,
                "parameters": dict(self._parameters), "buffers": dict(self._buffers), "modules": dict(self._modules)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["kind"]:
            generator = _core.default_generator("cpu")
            before = generator.get_state()  # for the initial values that are drawn here serve nothing
            self._adopt(_core.module_create(state["kind"], _given(state["attrs"]), "cpu", None))
            generator.set_state(before)
            self._after_create()
        else:
            self._adopt(_core.module_custom(type(self).__name__, weakref.ref(self)))
        self.__dict__.update(state["rest"])
        for which in ("parameters", "buffers", "modules"):
            entries = self.__dict__["_" + which]
            for name in [n for n in entries if n not in state[which]]:
                del entries[name]
            for name, value in state[which].items():
                entries[name] = value
        self.training = state["training"]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _new, (type(self),), self.__getstate__()

    def _after_create(self) -> None:
        """Does nothing here; classes of the library's kinds override it."""


def _new(cls: Any) -> Any:
    return cls.__new__(cls)


def _given(attrs: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in attrs.items() if not (isinstance(v, tuple) and not v)}


def _load_one(name: str, to: Any, given: Any, assign: builtins.bool, is_torch: builtins.bool) -> str | None:
    if not isinstance(given, _core.TensorBase) and (hasattr(given, "__dlpack__") or hasattr(given, "__array_interface__")):
        given = _core.asarray(given.detach() if hasattr(given, "detach") else given, None, "cpu", None)
    if not isinstance(given, _core.TensorBase):
        return (f'While copying the parameter named "{name}", expected {"torch" if is_torch else "backplane"}.Tensor or '
                f"Tensor-like object from checkpoint but received {type(given)}")  # fmt: skip
    lazy = _core.is_uninitialized(to)
    if not lazy and tuple(to.shape) != tuple(given.shape):
        sizes = [f"torch.Size({list(t.shape)})" if is_torch else str(tuple(t.shape)) for t in (given, to)]
        return (f"size mismatch for {name}: copying a param with shape {sizes[0]} from checkpoint, the shape in current model is "
                f"{sizes[1]}.")
    wanted = lazy or to.requires_grad
    try:
        if assign:
            _core.set_data(to, given)
        elif lazy:
            _core.set_data(to, _core.to(_core.detach(given), to.device, to.dtype, True, False))
        else:
            on = _core.set_grad_enabled(False)
            try:
                _core.copy_(to, given, False)
            finally:
                _core.set_grad_enabled(on)
        if wanted:
            to.requires_grad_()
    except _core.Error as e:
        return (f'While copying the parameter named "{name}", whose dimensions in the model are {to.shape} and whose dimensions in '
                f"the checkpoint are {given.shape}, an exception occurred : {e.args}.")  # fmt: skip
    return None
