# SPDX-License-Identifier: Apache-2.0
"""Automatic differentiation of Backplane's tensors. The names are those of torch.autograd.

    x = bp.asarray([2.0, 3.0]).requires_grad_()
    (x * x).sum().backward()
    x.grad                                            # tensor([4., 6.])
"""

from __future__ import annotations

import builtins
import contextlib
import gc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from .tensor import Tensor

__all__ = ["Function", "backward", "enable_grad", "grad", "gradcheck", "inference_mode", "is_grad_enabled", "no_grad",
           "set_grad_enabled"]  # fmt: skip

is_grad_enabled = _core.grad_enabled

gc.callbacks.append(_core.collect_gradients)  # a gradient that was recorded itself may hold its leaf, which holds it


class _Recording(contextlib.ContextDecorator):
    """Sets whether this thread records, for a with block or a function."""

    _on = False

    def __init__(self, *args: Any) -> None:
        self._before: list[Any] = []

    def __enter__(self) -> None:
        self._before.append(_core.set_grad_enabled(self._on))

    def __exit__(self, *exc: Any) -> None:
        _core.set_grad_enabled(self._before.pop())

    def __new__(cls, *args: Any) -> Any:
        if len(args) == 1 and callable(args[0]):  # the decorator without brackets: @no_grad
            return cls()(args[0])
        return super().__new__(cls)


class no_grad(_Recording):
    """Inside of it nothing is recorded: the results of ops require no gradient.

    >>> x = bp.ones(2).requires_grad_()
    >>> with bp.no_grad(): y = x * 2
    ...
    >>> y.requires_grad
    False
    """


class inference_mode(_Recording):
    """The same as no_grad.

    >>> x = bp.ones(2).requires_grad_()
    >>> with bp.inference_mode(): y = x * 2
    ...
    >>> y.requires_grad
    False
    """

    def __init__(self, mode: builtins.bool = True) -> None:
        super().__init__()
        self._on = not mode and _core.grad_enabled()


class enable_grad(_Recording):
    """Inside of it ops are recorded, also within no_grad.

    >>> x = bp.ones(2).requires_grad_()
    >>> with bp.no_grad(), bp.enable_grad(): y = x * 2
    ...
    >>> y.requires_grad
    True
    """

    _on = True


class set_grad_enabled(_Recording):
    """Sets whether ops are recorded: for a with block, or, called as a function, until it is called again.

    >>> x = bp.ones(2).requires_grad_()
    >>> with bp.set_grad_enabled(False): y = x * 2
    ...
    >>> y.requires_grad
    False
    """

    def __init__(self, mode: builtins.bool) -> None:
        super().__init__()
        self._on = bool(mode)
        self._before.append(_core.set_grad_enabled(self._on))
        self._entered = False

    def __enter__(self) -> None:
        if self._entered:
            super().__enter__()
        self._entered = True
        _core.set_grad_enabled(self._on)


def _listed(x: Any) -> list[Any]:
    return [x] if isinstance(x, _core.TensorBase) else list(x)


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: builtins.bool | None = None,
             create_graph: builtins.bool = False) -> None:
    """Adds the derivatives of the tensors to the gradients of all leaves that they were made of.

    >>> x = bp.ones(2).requires_grad_()
    >>> bp.autograd.backward((x * 3).sum())
    >>> x.grad
    tensor([3., 3.])
    """
    grads = [] if grad_tensors is None else [grad_tensors] if isinstance(grad_tensors, _core.TensorBase) else list(grad_tensors)
    _core.backward(_listed(tensors), grads, create_graph if retain_graph is None else retain_graph, create_graph)


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: builtins.bool | None = None,
         create_graph: builtins.bool = False, allow_unused: builtins.bool | None = None,
         materialize_grads: builtins.bool = False) -> tuple[Any, ...]:
    """Returns the gradients of the inputs, whose grad stays as it is. With allow_unused the gradient of an input on which the
    outputs do not depend is None; without it such an input is an error.

    >>> x = bp.asarray([2.0]).requires_grad_()
    >>> bp.autograd.grad((x * x).sum(), [x])
    (tensor([4.]),)
    """
    if allow_unused is None:
        allow_unused = materialize_grads
    grads = [] if grad_outputs is None else [grad_outputs] if isinstance(grad_outputs, _core.TensorBase) else list(grad_outputs)
    wanted = _listed(inputs)
    found = _core.grads_of(_listed(outputs), grads, wanted, create_graph if retain_graph is None else retain_graph, create_graph,
                           allow_unused)  # fmt: skip
    if materialize_grads:
        found = tuple(_core.zeros_like(x) if g is None else g for g, x in zip(found, wanted, strict=True))
    return found


class RemovableHandle:
    """Removes its hook, by remove() or at the end of a with block.

    >>> x = bp.ones(2).requires_grad_()
    >>> hook = x.register_hook(lambda grad: grad * 3)
    >>> hook.remove()
    """

    def __init__(self, tensor: Any, id: builtins.int) -> None:
        self.id = id
        self._tensor: Any | None = tensor

    def remove(self) -> None:
        tensor, self._tensor = self._tensor, None
        if tensor is not None:
            _core.remove_hook(tensor, self.id)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.remove()


class GradFn:
    """The op that made a tensor.

    >>> x = bp.ones(2).requires_grad_()
    >>> isinstance((x * 2).grad_fn, bp.autograd.GradFn)
    True
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<{self._name} object at {id(self):#x}>"


class FunctionCtx:
    """Holds what a Function's forward leaves for its backward.

    >>> class Twice(bp.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.factor = 2
    ...         return x * ctx.factor
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * ctx.factor
    >>> x = bp.ones(2).requires_grad_()
    >>> Twice.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    def __init__(self) -> None:
        self._saved: tuple[Any, ...] = ()
        self._unpacked: Sequence[Any] | None = None
        self._fixed: set[Any] = set()
        self._materialize = True
        self.needs_input_grad: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self._saved = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        return tuple(self._saved if self._unpacked is None else self._unpacked)

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self._fixed.update(map(id, tensors))

    def mark_dirty(self, *tensors: Any) -> None:
        raise RuntimeError("a Function that changes its inputs is not supported; give back a new tensor")

    def set_materialize_grads(self, value: builtins.bool) -> None:
        self._materialize = value


class Function:
    """A function with a derivative of its own, by the static methods forward(ctx, *args) and backward(ctx, *grads). apply()
    calls it.

    >>> class Twice(bp.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * 2
    >>> x = bp.ones(2).requires_grad_()
    >>> Twice.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the results; a class of one's own overrides it.

        >>> class Twice(bp.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        ...
        >>> Twice.apply(bp.ones(2))
        tensor([2., 2.])
        """
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(*args: Any, **kwargs: Any) -> Any:
        """Returns the gradients of forward's arguments for those of its results; a class of one's own overrides it.

        >>> class Twice(bp.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        ...
        >>> x = bp.ones(2).requires_grad_()
        >>> Twice.apply(x).sum().backward()
        >>> x.grad
        tensor([2., 2.])
        """
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function.")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Calls forward with the arguments, and records backward for the tensors among them.

        >>> class Twice(bp.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        ...
        >>> Twice.apply(bp.ones(2))
        tensor([2., 2.])
        """
        ctx = FunctionCtx()
        places = [i for i, a in enumerate(args) if isinstance(a, _core.TensorBase)]
        ctx.needs_input_grad = tuple(i in places and _core.requires_grad(args[i]) for i in range(len(args)))
        with no_grad():
            setup = getattr(cls, "setup_context", None)
            result = cls.forward(*args) if setup else cls.forward(ctx, *args)
            if setup:
                setup(ctx, args, result)
        several = isinstance(result, (tuple, list))
        outputs = list(result) if several else [result]
        given = {id(args[i]) for i in places}
        for i, out in enumerate(outputs):
            if id(out) in given:  # an input that is returned as it came becomes another object
                outputs[i] = _core.as_class(_core.detach(out), type(out))
        # An output is saved as the object that is returned, so that the graph does not hold itself.
        new = {id(old): out for old, out in zip(list(result) if several else [result], outputs, strict=True)}
        saved = [new.get(id(t), t) for t in ctx._saved if t is not None]
        made = [o for o in outputs if isinstance(o, _core.TensorBase) and id(o) not in ctx._fixed]
        shapes = [(o.shape, o.dtype, o.device) for o in made]
        absent = [t is None for t in ctx._saved]
        ctx._saved = ()
        every = list(outputs)

        def way_back(unpacked: list[Any], grads: list[Any]) -> list[Any]:
            parts = iter(unpacked)
            ctx._unpacked = [None if none else next(parts) for none in absent]
            if ctx._materialize:
                grads = [_core.zeros(*shape) if g is None else g for g, shape in zip(grads, shapes, strict=True)]
            waiting = iter(grads)
            of_all = [next(waiting) if is_made else None for is_made in made_places]
            found = cls.backward(ctx, *of_all)
            ctx._unpacked = None
            found = found if isinstance(found, (tuple, list)) else (found,)
            if len(found) < len(args) or any(g is not None for g in found[len(args):]):
                raise RuntimeError(f"function {cls.__name__}Backward returned an incorrect number of gradients (expected "
                                   f"{len(args)}, got {len(found)})")  # fmt: skip
            return [found[i] for i in places]

        made_places = [isinstance(o, _core.TensorBase) and id(o) not in ctx._fixed for o in every]
        del every
        if places and made:
            _core.grad_function(f"{cls.__name__}Backward", saved, [args[i] for i in places], made, way_back)
        return tuple(outputs) if several else outputs[0]


def gradcheck(func: Callable[..., Any], inputs: Any, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
              raise_exception: builtins.bool = True) -> builtins.bool:
    """Compares the gradients of func at the inputs, which are float64 and require a gradient, with central differences.

    >>> x = bp.ones(2, dtype=bp.float64).requires_grad_()
    >>> bp.autograd.gradcheck(lambda x: x * x, [x])
    True
    """
    inputs = tuple(_listed(inputs))
    results = [r for r in _listed(func(*inputs)) if isinstance(r, _core.TensorBase) and _core.requires_grad(r)]
    for n, result in enumerate(results):
        for at in range(result._numel):
            probe = [0.0] * result._numel
            probe[at] = 1.0
            weight = _core.to(_core.reshape(_core.asarray(probe, result.dtype), result.shape), result.device, None, False, False)
            wanted = [x for x in inputs if isinstance(x, _core.TensorBase) and _core.requires_grad(x)]
            found = grad(result, wanted, weight, retain_graph=True, allow_unused=True)
            for x, g in zip(wanted, found, strict=True):
                values = _core.tolist(_core.reshape(_core.detach(x), (-1,)))
                got = [0.0] * x._numel if g is None else _core.tolist(_core.reshape(g, (-1,)))
                for i, value in enumerate(values):
                    sides = []
                    for step in (eps, -eps):
                        moved = list(values)
                        moved[i] = value + step
                        data = _core.to(_core.reshape(_core.asarray(moved, x.dtype), x.shape), x.device, None, False, False)
                        with no_grad():
                            again = _listed(func(*[data if other is x else other for other in inputs]))
                        sides.append(_core.tolist(_core.reshape(again[n], (-1,)))[at])
                    want = (sides[0] - sides[1]) / (2 * eps)
                    if abs(got[i] - want) > atol + rtol * abs(want):
                        if raise_exception:
                            raise RuntimeError(f"Jacobian mismatch for output {n} with respect to an input at {i}: numerical "
                                               f"{want}, analytical {got[i]}")  # fmt: skip
                        return False
    return True


class GradMethods:
    """Tensor's methods for it.

    >>> isinstance(bp.ones(2), bp.autograd.GradMethods)
    True
    """

    __slots__ = ()

    @property
    def requires_grad(self) -> builtins.bool:
        """True if ops that read the tensor are recorded, so that its gradient can be computed.

        >>> bp.ones(2).requires_grad
        False
        """
        return _core.requires_grad(self)

    @requires_grad.setter
    def requires_grad(self, on: builtins.bool) -> None:
        _core.set_requires_grad(self, on)

    def requires_grad_(self: Any, requires_grad: builtins.bool = True) -> Tensor:
        """Sets whether ops that read the tensor are recorded, and returns it. Only floating and complex dtypes can be.

        >>> bp.ones(2).requires_grad_().requires_grad
        True
        """
        _core.set_requires_grad(self, requires_grad)
        return self

    @property
    def is_leaf(self) -> builtins.bool:
        """Whether no recorded op made the tensor, so that backward adds to its grad.

        >>> bp.ones(2).requires_grad_().is_leaf
        True
        """
        return _core.is_leaf(self)

    @property
    def grad(self) -> Tensor | Any:
        """The sum of what backward has added, or None if nothing was added yet.

        >>> x = bp.ones(2).requires_grad_()
        >>> (x * 3).sum().backward()
        >>> x.grad
        tensor([3., 3.])
        """
        return _core.grad(self)

    @grad.setter
    def grad(self, value: Any) -> None:
        _core.set_grad(self, value)

    @grad.deleter
    def grad(self) -> None:
        _core.set_grad(self, None)

    @property
    def grad_fn(self) -> GradFn | None:
        """The op that made the tensor, or None of a leaf.

        >>> (bp.ones(2).requires_grad_() * 2).grad_fn.name()
        'MulBackward0'
        """
        name = _core.grad_fn(self)
        return None if name is None else GradFn(name)

    def backward(self, gradient: Any = None, retain_graph: builtins.bool | None = None,
                 create_graph: builtins.bool = False, inputs: Any = None) -> None:
        """Adds the derivatives of the tensor to the gradients of all leaves that it was made of, or of inputs alone. gradient
        has the tensor's shape; a tensor of one element needs none, for it is 1 then.

        >>> x = bp.asarray([1.0, 2.0]).requires_grad_()
        >>> (x * x).backward(bp.ones(2))
        >>> x.grad
        tensor([2., 4.])
        """
        if inputs is None:
            backward(self, gradient, retain_graph, create_graph)
            return
        wanted = _listed(inputs)
        for x, g in zip(wanted, grad(self, wanted, gradient, retain_graph, create_graph, allow_unused=True), strict=True):
            if g is not None:
                _core.set_grad(x, g if _core.grad(x) is None else _core.grad(x) + g)

    def retain_grad(self) -> None:
        """Makes the tensor keep its gradient although it is no leaf.

        >>> x = bp.ones(2).requires_grad_()
        >>> y = x * 2
        >>> y.retain_grad()
        >>> y.sum().backward()
        >>> y.grad
        tensor([1., 1.])
        """
        _core.retain_grad(self)

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(grad) with the tensor's gradient. The hook may return another gradient in its place.

        >>> x = bp.ones(2).requires_grad_()
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
        return RemovableHandle(self, _core.register_hook(self, hook))

    def register_post_accumulate_grad_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(tensor) whenever a backward has added to the tensor's gradient.

        >>> x = bp.ones(2).requires_grad_()
        >>> handle = x.register_post_accumulate_grad_hook(lambda t: print(t.grad))
        >>> x.sum().backward()
        tensor([1., 1.])
        """
        return RemovableHandle(self, _core.register_accumulated_hook(self, hook))

    def detach(self) -> Tensor:
        """Returns a tensor over the same data through which no gradient goes back.

        >>> x = bp.ones(2).requires_grad_()
        >>> x.detach().requires_grad
        False
        """
        return _core.detach(self)
