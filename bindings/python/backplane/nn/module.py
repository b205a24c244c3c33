# SPDX-License-Identifier: Apache-2.0
"""Module, the base of all modules. The library knows what it holds, so that C programs may run, move and save it.

Parameters, buffers and children are in dicts that tell the library of each change (entries.py)."""

from __future__ import annotations

import builtins
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from .. import _core, dtypes
from .._types import Device, DType
from .entries import Entries, Hooks, RemovableHandle
from .listing import Listing
from .parameter import Parameter, UninitializedParameter
from .state import State
from .summary import summary

if TYPE_CHECKING:
    from typing_extensions import Self

_EMPTY, _DUPLICATES = 4, 2


class Module(Listing, State):
    """The base class of modules, those of the library and your own:

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.hidden = nn.Linear(784, 256)
                self.out = nn.Linear(256, 10)

            def forward(self, x):
                return self.out(ops.relu(self.hidden(x)))

    >>> class Double(bp.nn.Module):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Double()(bp.ones(2))
    tensor([2., 2.])
    """

    _parameter_class: Any = Parameter
    _lazy_class: Any = UninitializedParameter
    _is_torch = False
    _classes: ClassVar[dict[str, type]] = {}  # the classes of the kinds, by the kinds' names
    _kind: str | None = None

    _handle: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._adopt(_core.module_custom(type(self).__name__, weakref.ref(self)))

    def _adopt(self, handle: Any) -> None:
        """Takes the handle for this object's own, and makes Python objects of what is in it."""
        d = self.__dict__
        d["_handle"] = handle
        d["_persistent"] = set()
        d["_parameters"] = Entries(handle.set_parameter, handle.remove)
        persistent = d["_persistent"]
        d["_buffers"] = Entries(lambda name, t: handle.set_buffer(name, t, name in persistent), handle.remove)
        d["_modules"] = Entries(lambda name, m: handle.set_child(name, None if m is None else m._handle), handle.remove)
        d["_forward_hooks"], d["_forward_pre_hooks"] = Hooks(), Hooks()
        for name, p in handle.parameters(_EMPTY, self._parameter_class):
            if p is not None and _core.is_uninitialized(p):
                p = _core.as_class(p, self._lazy_class)
            dict.__setitem__(d["_parameters"], name, p)
        plain = self._parameter_class.__bases__[-1]
        for name, b in handle.buffers(_EMPTY, plain):
            persistent.add(name)
            dict.__setitem__(d["_buffers"], name, b)
        for name, c in handle.children():
            cls: Any = self._classes.get(c.kind, Module)
            child = cls.__new__(cls)
            child._adopt(c)
            child._note_attrs()
            dict.__setitem__(d["_modules"], name, child)

    def _note_attrs(self) -> None:
        """Makes the attributes of the library's kind, such as in_features, attributes of this object."""
        for name, value in self._handle.attrs().items():
            if name not in self._parameters and name not in self._buffers:
                self.__dict__[name] = value

    # ---- attributes ----

    def __setattr__(self, name: str, value: Any) -> None:
        d = self.__dict__
        entries = d.get("_parameters")
        if isinstance(value, (Parameter, self._parameter_class)):
            if entries is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, entries)
            self.register_parameter(name, value)
        elif entries is not None and name in entries:
            if value is not None:
                raise TypeError(f"cannot assign '{_type_text(value)}' as parameter '{name}' "
                                f"({self._library()}.nn.Parameter or None expected)")
            entries[name] = None
        elif isinstance(value, Module):
            if entries is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, d["_modules"])
            d["_modules"][name] = value
        elif entries is not None and name in d["_modules"]:
            if value is not None:
                raise TypeError(f"cannot assign '{_type_text(value)}' as child module '{name}' "
                                f"({self._library()}.nn.Module or None expected)")
            d["_modules"][name] = None
        elif entries is not None and name in d["_buffers"]:
            if value is not None and not isinstance(value, _core.TensorBase):
                raise TypeError(f"cannot assign '{_type_text(value)}' as buffer '{name}' "
                                f"({self._library()}.Tensor or None expected)")
            d["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def _library(self) -> str:
        """Returns what errors call the library: PyTorch's name in its namespace."""
        return "torch" if self._is_torch else "backplane"

    def _forget(self, name: str, keep: dict[str, Any]) -> None:
        self.__dict__.pop(name, None)
        for entries in (self._parameters, self._buffers, self._modules):
            if entries is not keep and name in entries:
                del entries[name]

    def __getattr__(self, name: str) -> Any:
        d = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            entries = d.get(kind)
            if entries is not None and name in entries:
                return entries[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for entries in (self._parameters, self._buffers, self._modules):
            if name in entries:
                del entries[name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[Any]:
        return sorted({*super().__dir__(), *self._parameters, *self._buffers, *self._modules})

    @property
    def training(self) -> builtins.bool:
        """Whether the module is in training mode, in which dropout drops.

        >>> bp.nn.Dropout().training
        True
        """
        return self._handle.training

    @training.setter
    def training(self, mode: builtins.bool) -> None:
        self._handle.set_training(bool(mode))

    def register_parameter(self, name: str, param: Any) -> None:
        """Adds a Parameter, or None, under the name. Something else raises TypeError, and a name that is taken KeyError.

        >>> net = bp.nn.Module()
        >>> net.register_parameter("w", bp.nn.Parameter(bp.ones(2)))
        >>> [name for name, _ in net.named_parameters()]
        ['w']
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        if param is not None and not isinstance(param, (Parameter, self._parameter_class)):
            raise TypeError(f"cannot assign '{_type_text(param)}' object to parameter '{name}' "
                            f"({self._library()}.nn.Parameter or None required)")
        self._check_name(name, self._parameters, "parameter")
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: builtins.bool = True) -> None:
        """Adds a tensor, or None, that is moved and, where it is persistent, saved with the module but not learned.

        >>> net = bp.nn.Module()
        >>> net.register_buffer("mean", bp.zeros(2))
        >>> list(net.state_dict())
        ['mean']
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        if tensor is not None and not isinstance(tensor, _core.TensorBase):
            raise TypeError(f"cannot assign '{_type_text(tensor)}' object to buffer '{name}' "
                            f"({self._library()} Tensor or None required)")
        self._check_name(name, self._buffers, "buffer")
        (self._persistent.add if persistent else self._persistent.discard)(name)
        self._buffers[name] = tensor

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a child under the name. Something else raises TypeError, and a name that is taken KeyError.

        >>> net = bp.nn.Module()
        >>> net.add_module("layer", bp.nn.ReLU())
        >>> net.layer
        ReLU()
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_text(module)} is not a Module subclass")
        self._check_name(name, self._modules, "module")
        self._modules[name] = module

    register_module = add_module

    def _check_name(self, name: str, own: dict[str, Any], what: str) -> None:
        if name not in own and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    # ---- running ----

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        handle = self._handle
        token = handle.enter()
        try:
            for hook in tuple(self._forward_pre_hooks.values()):
                given = hook(self, args)
                if given is not None:
                    args = given if isinstance(given, tuple) else (given,)
            result = self.forward(*args, **kwargs)
            for hook in tuple(self._forward_hooks.values()):
                other = hook(self, args, result)
                if other is not None:
                    result = other
            return result
        except _core.Error as e:
            if not getattr(e, "in_module", False):
                e.args = (f"{_core.module_where()}: {e.args[0] if e.args else ''}", *e.args[1:])
                e.in_module = True  # type: ignore[attr-defined]
            raise
        finally:
            _core.module_leave(token)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the result: a class of one's own overrides it; a layer of the library runs its kind. Without either it
        raises NotImplementedError.

        >>> bp.nn.ReLU().forward(bp.asarray([-1.0, 2.0]))
        tensor([0., 2.])
        """
        if self._handle.kind:
            if kwargs:
                raise TypeError(f"{type(self).__name__}.forward() got an unexpected keyword argument '{next(iter(kwargs))}'")
            return self._handle.kind_forward(args, 1)
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def _call_python(self) -> None:
        """Makes C call this object's forward from now on, not the kind's own."""
        self.__dict__["_called_back"] = True
        self._handle.set_forward(weakref.ref(self))

    def register_forward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, args, output) after each call of the module. The hook may return another output.

        >>> net = bp.nn.ReLU()
        >>> handle = net.register_forward_hook(lambda m, args, y: y + 1)
        >>> net(bp.asarray([-1.0]))
        tensor([1.])
        """
        return self._add_hook(self._forward_hooks, hook)

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, args) before each call of the module. The hook may return other arguments.

        >>> net = bp.nn.ReLU()
        >>> handle = net.register_forward_pre_hook(lambda m, args: (args[0] + 3,))
        >>> net(bp.asarray([-1.0]))
        tensor([2.])
        """
        return self._add_hook(self._forward_pre_hooks, hook)

    def _add_hook(self, hooks: dict[int, Any], hook: Callable[..., Any]) -> RemovableHandle:
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        self._call_python()
        return handle

    # ---- for all that is inside ----

    def apply(self, fn: Callable[..., Any]) -> Self:
        """Calls fn with every module inside, children first, and then with this one.

        >>> net = bp.nn.Sequential(bp.nn.ReLU()).apply(lambda m: print(type(m).__name__))
        ReLU
        Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: builtins.bool = True) -> Self:
        """Sets the training mode of the module and of all inside it, and returns it. Something else than a bool raises
        ValueError.

        >>> bp.nn.Dropout().train(False).training
        False
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Ends the training mode of the module and of all inside it, and returns it.

        >>> bp.nn.Dropout().eval()(bp.ones(2))
        tensor([1., 1.])
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: builtins.bool = True) -> Self:
        """Sets whether the parameters inside are learned, and returns the module.

        >>> [p.requires_grad for p in bp.nn.Linear(2, 1).requires_grad_(False).parameters()]
        [False, False]
        """
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: builtins.bool = True) -> None:
        """Removes the gradients of the parameters inside, or fills them with zeros.

        >>> net = bp.nn.Linear(2, 1)
        >>> net(bp.ones(2)).backward()
        >>> net.zero_grad()
        >>> net.weight.grad is None
        True
        """
        for p in self.parameters():
            if p.grad is not None:
                if set_to_none:
                    p.grad = None
                else:
                    _core.init_constant(p.grad, 0.0)

    def to(self, *args: Any, device: Device | None = None, dtype: DType | None = None, non_blocking: builtins.bool = False) -> Self:
        """Moves and converts the module in place: to(device), to(dtype), to(device, dtype), to(tensor). Every parameter stays the
        same object.

        >>> bp.nn.Linear(2, 1).to(bp.float64).weight.dtype.name
        'float64'
        """
        for a in args:
            if isinstance(a, _core.TensorBase):
                device, dtype = a.device, a.dtype
            elif isinstance(a, bool):
                non_blocking = a
            elif isinstance(a, int):
                device = _core.device("cuda", a)
            elif isinstance(a, _core.device) or (isinstance(a, str) and a not in dtypes.NAMES):
                device = a
            elif a is not None:
                dtype = a
        self._handle.to(device, dtype, non_blocking)
        return self

    def cuda(self, device: Any = None) -> Self:
        """Moves the module to that CUDA device, by default the current one, in place. Without one it raises an error.

        >>> net = bp.nn.Linear(2, 1).cuda() if bp.cuda.is_available() else bp.nn.Linear(2, 1)
        """
        if device is None:
            device = "cuda"
        elif isinstance(device, int):
            device = _core.device("cuda", device)
        return self.to(device)

    def cpu(self) -> Self:
        """Moves the module to the CPU, in place.

        >>> bp.nn.Linear(2, 1).cpu().weight.device.type
        'cpu'
        """
        return self.to("cpu")

    def double(self) -> Self:
        """Makes the floating parameters and buffers float64, in place.

        >>> bp.nn.Linear(2, 1).double().weight.dtype.name
        'float64'
        """
        return self.to(dtype=dtypes.float64)

    def float(self) -> Self:
        """Makes the floating parameters and buffers float32, in place.

        >>> bp.nn.Linear(2, 1).float().weight.dtype.name
        'float32'
        """
        return self.to(dtype=dtypes.float32)

    def half(self) -> Self:
        """Makes the floating parameters and buffers float16, in place.

        >>> bp.nn.Linear(2, 1).half().weight.dtype.name
        'float16'
        """
        return self.to(dtype=dtypes.float16)

    def bfloat16(self) -> Self:
        """Makes the floating parameters and buffers bfloat16, in place.

        >>> bp.nn.Linear(2, 1).bfloat16().weight.dtype.name
        'bfloat16'
        """
        return self.to(dtype=dtypes.bfloat16)

    # ---- text ----

    def extra_repr(self) -> str:
        """Returns what stands in brackets where the module prints.

        >>> bp.nn.Linear(2, 1).extra_repr()
        'in_features=2, out_features=1, bias=True'
        """
        return self._handle.extra() if self._handle.kind else ""

    def _get_name(self) -> str:
        kind = self._handle.kind
        return self._handle.title if kind and type(self) is self._classes.get(kind) else type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr().split("\n") if self.extra_repr() else []
        children = [f"({name}): {_indented(repr(m))}" for name, m in self._child_texts()]
        if not children and len(extra) <= 1:
            return f"{self._get_name()}({''.join(extra)})"
        return "\n  ".join([f"{self._get_name()}(", *extra, *children]) + "\n)"

    def _child_texts(self) -> Any:
        return self._modules.items()

    def summary(self, *inputs: Any) -> str:
        """Returns a table of the layers: the shapes of their results for these inputs, or of their parameters without inputs, and
        their parameters, bytes and devices.

        >>> "Linear" in bp.nn.Linear(2, 1).summary()
        True
        """
        return summary(self, inputs)


def _type_text(value: Any) -> str:
    if isinstance(value, _core.TensorBase) and hasattr(value, "type"):
        return value.type()
    cls = type(value)
    return f"{cls.__module__}.{cls.__qualname__}".replace("builtins.", "").replace("backplane.torch", "torch")


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
