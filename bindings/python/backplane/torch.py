"""PyTorch's names and results over Backplane's tensors: ``import backplane.torch as torch``.

What a program on devices and tensors uses is here under PyTorch's spelling (dim=, keepdim=, size(), sort() and max(dim)
giving pairs, var with n - 1). The tensors are Backplane's: as_tensor() of one shares its memory, and ops take both. What
differs is in docs/torch.md."""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import sys
from collections import namedtuple
from typing import Any, Optional, Sequence, Union

from . import _core, accelerator, autograd, ops, optim, standard, torch_fft, torch_linalg, torch_ops  # noqa: F401
from . import random as _random
from ._core import OutOfMemoryError, device, get_default_device, get_default_dtype  # noqa: F401
from ._core import set_default_device, set_default_dtype  # noqa: F401
from ._types import Device, DType
from .accelerator import gpu, num_gpus, try_all_gpus, try_gpu  # noqa: F401
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled  # noqa: F401
from .dtypes import (  # noqa: F401
    bfloat16, complex64, complex128, dtype, finfo, float16, float32, float64, iinfo, int8, int16, int32, int64, uint8,
    uint16, uint32, uint64,
)  # fmt: skip
from .dtypes import bool as bool  # noqa: F401
from .kinds import module_of
from .products import einsum  # noqa: F401
from .tensor import Tensor as _Base
from .tensor import _sizes, set_printoptions  # noqa: F401

half, float, double, cfloat, cdouble = float16, float32, float64, complex64, complex128
short, int, long = int16, int32, int64
__version__ = _core.version
Generator = _core.Generator
e, inf, nan, pi = math.e, math.inf, math.nan, math.pi


class Size(tuple):
    """A shape, as PyTorch prints it."""

    __slots__ = ()

    def numel(self) -> builtins.int:
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


def _pair(name: str) -> Any:
    """A named pair that prints as PyTorch's do."""

    def text(self) -> str:
        return f"torch.return_types.{name}(\nvalues={self[0]!r},\nindices={self[1]!r})"

    return type(name, (namedtuple(name, ["values", "indices"]),), {"__slots__": (), "__repr__": text})


_max, _min, _sort, _topk, _cummax, _cummin = map(_pair, ("max", "min", "sort", "topk", "cummax", "cummin"))
_get_shape = _core.TensorBase.shape.__get__


def _own(t: Any) -> Any:
    return t if type(t) is Tensor else _core.as_class(t, Tensor)


def _numpy_names(f: Any) -> Any:
    """f with axis= and keepdims= for dim= and keepdim=, as PyTorch takes them."""

    @functools.wraps(f)
    def function(*args, **kwargs):
        for numpys, own in (("axis", "dim"), ("keepdims", "keepdim")):
            if numpys in kwargs:
                kwargs[own] = kwargs.pop(numpys)
        return f(*args, **kwargs)

    return function


def _extreme(name: str, pair: Any) -> Any:
    def extreme(self, dim=None, keepdim=False):
        if isinstance(dim, _core.TensorBase):
            return getattr(ops, name + "imum")(self, dim)
        if dim is None:
            return getattr(ops, name)(self)
        return pair(getattr(ops, name)(self, axis=dim, keepdims=keepdim),
                    getattr(ops, "arg" + name)(self, axis=dim, keepdims=keepdim))

    extreme.__name__ = name
    extreme.__doc__ = f"{name}(): of all; {name}(dim): a pair of values and indices; {name}(other): of each two elements."
    return extreme


class Tensor(_Base):
    """A tensor with PyTorch's methods. Tensor(2, 3) is uninitialised, Tensor([1, 2]) holds these numbers."""

    __slots__ = ()

    def __new__(cls, *data: Any, device: Optional[Device] = None) -> "Tensor":
        return _legacy(_core.get_default_dtype(), device, data)

    @property
    def shape(self) -> Size:
        return Size(_get_shape(self))

    def size(self, dim: Optional[builtins.int] = None) -> Any:  # type: ignore[override]
        return Size(_get_shape(self)) if dim is None else _get_shape(self)[dim]

    @property
    def T(self) -> "Tensor":
        return _core.permute(self, range(self.ndim - 1, -1, -1))

    max = _extreme("max", _max)
    min = _extreme("min", _min)

    def sort(self, dim=-1, descending=False, stable=False):
        return _sort(*ops.sort(self, axis=dim, descending=descending))

    def topk(self, k, dim=-1, largest=True, sorted=True):
        return _topk(*ops.topk(self, k, axis=dim, largest=largest))

    def var(self, dim=None, unbiased=None, keepdim=False, *, correction=1):
        if unbiased is not None:
            correction = builtins.int(unbiased)
        return ops.var(self, axis=dim, keepdims=keepdim, correction=correction)

    def std(self, dim=None, unbiased=None, keepdim=False, *, correction=1):
        if unbiased is not None:
            correction = builtins.int(unbiased)
        return ops.std(self, axis=dim, keepdims=keepdim, correction=correction)

    def norm(self, p=2, dim=None, keepdim=False):
        if p == 1:
            return ops.sum(ops.abs(self), axis=dim, keepdims=keepdim)
        if p == math.inf:
            return ops.max(ops.abs(self), axis=dim, keepdims=keepdim)
        if p != 2 and p != "fro":
            return ops.pow(ops.sum(ops.pow(ops.abs(self), p), axis=dim, keepdims=keepdim), 1 / p)
        return ops.sqrt(ops.sum(ops.square(self), axis=dim, keepdims=keepdim))

    def gather(self, dim, index):
        return ops.gather(self, index, dim)

    def index_select(self, dim, index):
        return ops.index_select(self, index, dim)

    def where(self, condition, other):
        return ops.where(condition, self, other)

    def clamp(self, min=None, max=None):
        out = self if min is None else ops.maximum(self, min)
        return out if max is None else ops.minimum(out, max)

    def softmax(self, dim, dtype=None):
        return ops.softmax(self if dtype is None else self.to(dtype), axis=dim)

    def log_softmax(self, dim, dtype=None):
        return ops.log_softmax(self if dtype is None else self.to(dtype), axis=dim)

    def flip(self, *dims):
        return _core.contiguous(_core.flip(self, _sizes(dims)))

    def repeat(self, *sizes):
        return standard.tile(self, _sizes(sizes))

    def equal(self, other):
        return tuple(self.shape) == tuple(other.shape) and builtins.bool(ops.all(ops.eq(self, other)))

    def isclose(self, other, rtol=1e-05, atol=1e-08):
        close = ops.le(ops.abs(ops.sub(self, other)), ops.add(ops.mul(ops.abs(other), rtol), atol))
        return ops.logical_or(close, ops.eq(self, other))

    def allclose(self, other, rtol=1e-05, atol=1e-08):
        return builtins.bool(ops.all(self.isclose(other, rtol, atol)))

    def mm(self, other):
        return ops.matmul(self, other)

    dot = mv = bmm = mm

    def type(self, dtype=None):
        """Without dtype: the name of its class, such as 'torch.cuda.FloatTensor'."""
        if dtype is not None:
            return self.to(_legacy_dtype(dtype) if isinstance(dtype, str) else dtype)
        kind = "" if self.is_cpu else f"{self.device.type}."
        return f"torch.{kind}{_CLASSES[self.dtype]}"

    def nonzero(self, *, as_tuple=False):
        return nonzero(self, as_tuple=as_tuple)

    def unique(self, sorted=True, return_inverse=False, return_counts=False):
        return unique(self, sorted, return_inverse, return_counts)

    data = property(lambda self: self.detach(), lambda self, value: _core.set_data(self, value),
                    doc="The same data, without what made it. Assigning gives the tensor other data.")
    __array_namespace__ = None  # type: ignore[assignment] # its methods are PyTorch's; the standard's namespace is backplane


def _in_place(f: Any) -> Any:
    return functools.wraps(f)(lambda self, *args, **kwargs: f(self, *args, out=self, **kwargs))


for _name in torch_ops.METHODS:
    setattr(Tensor, _name, getattr(torch_ops, _name))
for _name in torch_ops.IN_PLACE:
    setattr(Tensor, _name + "_", _in_place(getattr(torch_ops, _name)))
for _name, _f in list(vars(Tensor).items()):
    if inspect.isfunction(_f) and "dim" in inspect.signature(_f).parameters:
        setattr(Tensor, _name, _numpy_names(_f))
_core.set_torch_class(Tensor)

# ---- creation ------------------------------------------------------------------------------------------------------


def tensor(data: Any, *, dtype: Optional[DType] = None, device: Optional[Device] = None,
           pin_memory: builtins.bool = False) -> Tensor:
    """A copy, without what made data."""
    data = _core.detach(data) if isinstance(data, _core.TensorBase) else data
    t = _own(_core.asarray(data, dtype, device, True))
    return t.pin_memory() if pin_memory else t


def as_tensor(data: Any, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _own(_core.asarray(data, dtype, device, None))


asarray = as_tensor


def from_numpy(array: Any) -> Tensor:
    """Over the same memory."""
    return _own(_core.asarray(array, None, "cpu", False))


def from_dlpack(ext_tensor: Any) -> Tensor:
    return _own(standard.from_dlpack(ext_tensor))


def _filled(name: str, like: builtins.bool = False) -> Any:
    make = getattr(_core, name)
    if like:
        def factory(input, *, dtype=None, device=None):
            return _own(make(input, dtype, device))
    else:
        def factory(*size,  # type: ignore[misc]
                    dtype=None, device=None, pin_memory=False):
            t = _own(make(_sizes(size), dtype, device))
            return t.pin_memory() if pin_memory else t
    factory.__name__ = name
    return factory


zeros, ones, empty = map(_filled, ("zeros", "ones", "empty"))
zeros_like, ones_like, empty_like = (_filled(name, like=True) for name in ("zeros_like", "ones_like", "empty_like"))


def full(size, fill_value, *, dtype=None, device=None) -> Tensor:
    return _own(_core.full(size, fill_value, dtype, device))


def full_like(input, fill_value, *, dtype=None, device=None) -> Tensor:
    return _own(_core.full_like(input, fill_value, dtype, device))


def eye(n, m=None, *, dtype=None, device=None) -> Tensor:
    return _own(_core.eye(n, n if m is None else m, dtype, device))


def arange(start, end=None, step=1, *, dtype=None, device=None) -> Tensor:
    if end is None:
        start, end = 0, start
    return _own(ops.arange(start, end, step, dtype=dtype, device=device))


def linspace(start, end, steps, *, dtype=None, device=None) -> Tensor:
    return _own(ops.linspace(start, end, steps, dtype=dtype, device=device))


def rand(*size, dtype=None, device=None, generator=None) -> Tensor:
    return _own(_random.rand(*size, dtype=dtype, device=device, generator=generator))


def randn(*size, dtype=None, device=None, generator=None) -> Tensor:
    return _own(_random.randn(*size, dtype=dtype, device=device, generator=generator))


def randint(low, high=None, size=None, *, dtype=None, device=None, generator=None) -> Tensor:
    return _own(_random.randint(low, high, size, dtype=dtype, device=device, generator=generator))


def rand_like(input, *, dtype=None, device=None) -> Tensor:
    return _own(_random.rand_like(input, dtype=dtype, device=device))


def randn_like(input, *, dtype=None, device=None) -> Tensor:
    return _own(_random.randn_like(input, dtype=dtype, device=device))


def _leaf(make: Any) -> Any:
    """make with requires_grad=, as PyTorch's factories take it."""

    @functools.wraps(make)
    def factory(*args, requires_grad: builtins.bool = False, **kwargs):
        t = make(*args, **kwargs)
        return t.requires_grad_() if requires_grad else t

    return factory


for _name in ("tensor", "zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like", "full", "full_like", "eye", "arange",
              "linspace", "rand", "randn", "rand_like", "randn_like"):  # fmt: skip
    globals()[_name] = _leaf(globals()[_name])
manual_seed = _random.manual_seed

# ---- types of old: FloatTensor(2, 3), 'torch.cuda.FloatTensor' -------------------------------------------------------

_CLASSES = {
    float32: "FloatTensor", float64: "DoubleTensor", float16: "HalfTensor", bfloat16: "BFloat16Tensor",
    uint8: "ByteTensor", int8: "CharTensor", int16: "ShortTensor", int32: "IntTensor", int64: "LongTensor",
    bool: "BoolTensor", complex64: "ComplexFloatTensor", complex128: "ComplexDoubleTensor",
    uint16: "UInt16Tensor", uint32: "UInt32Tensor", uint64: "UInt64Tensor",
}  # fmt: skip


def _legacy(dtype: Any, device: Optional[Device], data: tuple) -> Tensor:
    if len(data) == 1 and not isinstance(data[0], builtins.int):
        return _own(_core.asarray(data[0], dtype, device, True))
    return _own(_core.empty(data or 0, dtype, device))


def _legacy_class(dtype: Any, kind: str) -> Any:
    def make(*data):
        return _legacy(dtype, kind, data)

    make.__name__ = make.__qualname__ = _CLASSES[dtype]
    vars(make).update(dtype=dtype, kind=kind)
    return make


def _legacy_dtype(name: str) -> Any:
    for dtype, class_name in _CLASSES.items():
        if name.rpartition(".")[2] == class_name:
            return dtype
    raise ValueError(f"invalid type: '{name}'")


def set_default_tensor_type(t: Any) -> None:
    """The default dtype and device, by a type of old: 'torch.cuda.FloatTensor'."""
    if isinstance(t, str):
        if not t.startswith("torch."):
            raise TypeError(f"invalid type object: {t}")
        kind, dtype = t.split(".")[1] if t.count(".") == 2 else "cpu", _legacy_dtype(t)
    else:
        kind, dtype = t.kind, t.dtype
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if kind != "cpu":
        _core.require(kind)
    set_default_dtype(dtype)
    set_default_device(None if kind == "cpu" else kind)


def _kind(name: str) -> Any:
    module = module_of(name, __name__)
    for dtype, class_name in _CLASSES.items():
        setattr(module, class_name, _legacy_class(dtype, name))
    vars(module)["OutOfMemoryError"] = OutOfMemoryError
    return module


cpu, cuda, hip, sim = map(_kind, ("cpu", "cuda", "hip", "sim"))
for _dtype, _name in _CLASSES.items():
    globals()[_name] = _legacy_class(_dtype, "cpu")

# ---- functions -----------------------------------------------------------------------------------------------------


def is_tensor(obj: Any) -> builtins.bool:
    return isinstance(obj, _core.TensorBase)


@_numpy_names
def cat(tensors: Sequence[_Base], dim: builtins.int = 0) -> Any:
    return ops.concat(tensors, axis=dim)


concat = concatenate = cat


@_numpy_names
def stack(tensors: Sequence[_Base], dim: builtins.int = 0) -> Any:
    return ops.stack(tensors, axis=dim)


def where(condition: _Base, input: Any, other: Any) -> Any:
    return ops.where(condition, input, other)


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """Of an op of the two; tensors without dimensions and numbers give way to those with."""
    both = [_core.empty((0,) if t.ndim else (), t.dtype, "cpu") if is_tensor(t) else t for t in (tensor1, tensor2)]
    return ops.add(*both).dtype if builtins.any(map(is_tensor, both)) else asarray(tensor1 + tensor2).dtype


def promote_types(type1: dtype, type2: dtype) -> dtype:
    return standard.result_type(type1, type2)


def can_cast(from_: dtype, to: dtype) -> builtins.bool:
    """Not from complex to real, from floating to whole, from numbers to bool."""
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    return order[from_.kind] <= order[to.kind]


def unique(input: _Base, sorted: builtins.bool = True, return_inverse: builtins.bool = False,
           return_counts: builtins.bool = False) -> Any:
    """The different values, ascending; and, where asked for, which of them each element is, and how often each occurs."""
    if not (return_inverse or return_counts):
        return ops.unique(input)
    values, _, inverse, counts = ops.unique_all(input)
    return (values,) + (inverse,) * return_inverse + (counts,) * return_counts


def nonzero(input: _Base, *, as_tuple: builtins.bool = False) -> Any:
    return standard.nonzero(input) if as_tuple else ops.nonzero(input)


def meshgrid(*tensors, indexing: str = "ij") -> tuple:
    return tuple(standard.meshgrid(*_sizes(tensors), indexing=indexing))


def _complete() -> None:
    """Ops and methods as functions: torch.exp(x), torch.reshape(x, shape), torch.max(x, dim)."""
    names = globals()
    other_things = ("arange", "linspace", "cast", "copy", "fill", "uniform", "normal", "randint", "bernoulli", "one_hot",
                    "take_along", "svd", "qr", "lstsq", "solve", "eigh", *torch_fft.__all__)  # fmt: skip
    methods = vars(Tensor)
    for name in torch_ops.__all__:
        names[name] = getattr(torch_ops, name)
    for name in ops.__all__:
        if name not in other_things and name not in methods:
            names.setdefault(name, getattr(ops, name))
    for name in (
        "max min sort topk var std norm gather index_select clamp softmax log_softmax flip equal isclose allclose mm dot "
        "mv bmm reshape permute transpose swapaxes t squeeze unsqueeze flatten ravel narrow select unbind split chunk diagonal "
        "numel clone is_floating_point is_complex view_as_real view_as_complex"
    ).split():  # fmt: skip
        names.setdefault(name, getattr(Tensor, name))
    for name, op in (("true_divide", "div"), ("subtract", "sub"), ("multiply", "mul"), ("divide", "div"),
                     ("negative", "neg"), ("absolute", "abs"), ("greater", "gt"), ("less", "lt"), ("fix", "trunc"), ("sgn", "sign")):
        names.setdefault(name, getattr(ops, op))
    for name in ("isfinite", "broadcast_to", "tile", "moveaxis"):
        names.setdefault(name, getattr(standard, name))


_complete()
movedim = standard.moveaxis
inverse, pinverse, det, slogdet = torch_linalg.inv, torch_linalg.pinv, torch_linalg.det, torch_linalg.slogdet
linalg, fft = torch_linalg, torch_fft
sys.modules.update({f"{__name__}.optim": optim, f"{__name__}.optim.lr_scheduler": optim.lr_scheduler})
sys.modules.update({f"{__name__}.linalg": linalg, f"{__name__}.fft": fft})  # for import backplane.torch.fft


from . import torch_nn as nn  # noqa: E402, F401 # over what stands above
from . import torch_utils as utils  # noqa: E402, F401


def __getattr__(name: str) -> Any:
    """Modules of other kinds of devices."""
    if not name.startswith("_") and name in _core.kinds():
        return _kind(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
