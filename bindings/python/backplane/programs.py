# SPDX-License-Identifier: Apache-2.0
"""Functions whose calls are recorded once and run again: ``compile``."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from . import _core
from .autograd import is_grad_enabled
from .nn import Module

__all__ = ["Compiled", "compile"]

LIMIT = 8  # signatures of a function that are recorded


def _built(structure: Any, tensors: Iterator[Any]) -> Any:
    """The way back: a value of that structure with these tensors."""
    if structure is _TENSOR:
        return next(tensors)
    if isinstance(structure, tuple) and len(structure) == 2 and isinstance(structure[0], type):
        kind, parts = structure
        if kind is dict:
            return {k: _built(v, tensors) for k, v in parts}
        items = [_built(v, tensors) for v in parts]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    return structure


class _Tensor:
    def __repr__(self) -> str:
        return "a tensor"


_TENSOR = _Tensor()


def _modules(value: Any) -> Iterator[Any]:
    """The modules that a function is, is bound to, or has around it."""
    if isinstance(value, Module):
        yield value
        return
    yield from _modules_in(getattr(value, "__self__", None))
    f = getattr(value, "__func__", value)
    for cell in getattr(f, "__closure__", None) or ():
        yield from _modules_in(_content(cell))
    names = getattr(getattr(f, "__code__", None), "co_names", ())
    around = getattr(f, "__globals__", {})
    for name in names:
        yield from _modules_in(around.get(name))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return None


def _modules_in(value: Any) -> Iterator[Any]:
    if isinstance(value, Module):
        yield value


class Compiled:
    """A function whose calls are recorded and run again; ``compile`` makes it.

    >>> f = bp.compile(lambda x: bp.exp(x) * 2)
    >>> f(bp.zeros(2))
    tensor([2., 2.])
    >>> f(bp.ones(2)) is not None and len(f.programs)
    1
    """

    def __init__(self, f: Callable[..., Any], fullgraph: bool = False) -> None:
        self._f, self._fullgraph = f, fullgraph
        self._programs: dict[Any, Any] = {}  # by signature: the program, its result's structure, and what the signature names
        self._eager: dict[Any, int] = {}  # signatures that could not be recorded, and how often that was tried
        self._warned: set[str] = set()
        self._watched = list(_modules(f))
        functools.update_wrapper(self, f, updated=())

    def __getattr__(self, name: str) -> Any:
        """What else the function or the module has: ``parameters()``, ``state_dict()``."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._f, name)

    @property
    def programs(self) -> list[Any]:
        """The recorded programs, one for each signature. ``text()`` prints one, ``facts()`` says what it takes."""
        return [program for program, _, _ in self._programs.values()]

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            warnings.warn(f"compile: {text}", RuntimeWarning, stacklevel=4)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        key, tensors = _core.signature_of(_TENSOR, args, kwargs, self._watched, is_grad_enabled())
        try:
            found = self._programs.get(key)
        except TypeError as problem:
            if self._fullgraph:
                raise TypeError(f"compile: an argument cannot be part of a signature: {problem}") from None
            self._warn(f"an argument cannot be part of a signature, so that calls run one by one: {problem}")
            return self._f(*args, **kwargs)
        if found is None:
            return self._record(key, tensors, args, kwargs)
        program, result, _ = found
        made = program.run(tensors)
        return made[0] if result is _TENSOR else _built(result, iter(made))

    def _record(self, key: Any, tensors: list[Any], args: Any, kwargs: Any) -> Any:
        if _core.program_recording() or self._eager.get(key, 0) > 1:
            return self._f(*args, **kwargs)
        if len(self._programs) >= LIMIT:
            self._warn(f"{LIMIT} signatures were recorded, and further ones run call by call: {self._changing()}")
            return self._f(*args, **kwargs)
        held = [t for m in self._watched for t in (*m.parameters(), *m.buffers())]
        _core.program_begin(tensors, not self._fullgraph, is_grad_enabled())
        try:
            value = self._f(*args, **kwargs)
        except BaseException:
            _core.program_abandon()
            raise
        result, outputs = _core.structure_of(_TENSOR, value)
        try:
            program = _core.program_end(outputs, 0)
        except _core.BadStateError as refused:
            return self._refused(key, value, str(refused))
        self._programs[key] = program, result, held
        return value

    def _refused(self, key: Any, value: Any, problem: str) -> Any:
        if self._fullgraph:
            raise _core.BadStateError(f"compile: {problem}")
        # An optimiser's first step makes its states; the second may be recorded.
        self._eager[key] = self._eager.get(key, 0) + 1
        if self._eager[key] > 1:
            self._warn(f"{problem}. The calls run one by one")
        return value

    def _changing(self) -> str:
        """Says which part of the signatures differs."""
        names = ("the arguments that are no tensors", "the tensors' dtypes, shapes or devices", "the modules' modes",
                 "which parameters require a gradient", "the modules' parameters and buffers", "the gradient mode")
        keys = list(self._programs)
        return "what changes is " + ", ".join(n for i, n in enumerate(names) if len({k[i] for k in keys}) > 1)


def compile(f: Callable[..., Any] | None = None, /, *, fullgraph: bool = False) -> Any:
    """Makes a function that records its calls once and runs them again, faster: nothing is looked up or checked again, memory in
    between is planned once, and chains of elementwise ops and reductions over rows go through memory in one pass.

    ``f`` is a function, a module, or a whole training step (forward, backward, the optimiser's step). There is one program for
    each signature: the dtypes, shapes and devices of the tensors among the arguments, the other arguments, the modes of the
    modules that it reads, which parameters and buffers they have, and whether gradients are on. Arguments that are tensors are
    its inputs; whatever else it reads is read, and written in place, where it is: weights, states, running statistics. Branches
    are decided once for each signature.

    What cannot be recorded (reading a value, a shape that depends on data) falls back to ordinary calls, with one warning that
    names it, or raises with ``fullgraph=True``. A result that requires a gradient has one: the way back is recorded too, and is a
    program that ``backward`` runs. Its gradient has no gradient itself. What requires one is decided with the signature.

    >>> @bp.compile
    ... def gelu(x):
    ...     return 0.5 * x * (1 + bp.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))
    >>> gelu(bp.zeros(3))
    tensor([0., 0., 0.])
    """
    if f is None:
        return functools.partial(compile, fullgraph=fullgraph)
    if not callable(f):
        raise TypeError(f"compile() expected a function or a module, got {type(f).__name__}")
    return Compiled(f, fullgraph)
