"""The Python array API standard (2023.12), as far as the op table reaches: names, signatures and results.

What the standard names as the table does (sqrt, matmul, concat, ...) is the op itself. Here are the names that differ, the
ops whose results differ (PyTorch's unbiased var, sign of NaN, sums of unsigned integers), and what is made of several."""

from __future__ import annotations

import builtins
import math
from typing import Any, Optional, Sequence, Union

from . import _core, dtypes, ops
from ._types import Axis, Device, DType, Number, Operand, Shape
from .tensor import Tensor

e, inf, nan, newaxis, pi = math.e, math.inf, math.nan, None, math.pi

# The standard's names of ops that are called otherwise in the table.
RENAMED = {
    "bitwise_invert": "bitwise_not", "divide": "div", "equal": "eq", "greater": "gt", "greater_equal": "ge",
    "less": "lt", "less_equal": "le", "multiply": "mul", "negative": "neg", "not_equal": "ne", "subtract": "sub",
    "take_along_axis": "take_along",
}  # fmt: skip


# ---- creation ------------------------------------------------------------------------------------------------------


def asarray(obj: Any, /, *, dtype: Optional[DType] = None, device: Optional[Device] = None,
            copy: Optional[builtins.bool] = None) -> Tensor:
    """A tensor of numbers, nested lists, a tensor, or anything with a buffer, such as a NumPy array, whose memory is
    shared where it can be. copy: True always, False never, None when it must be."""
    return _core.asarray(obj, dtype, device, copy)


def from_dlpack(x: Any, /, *, device: Optional[Device] = None, copy: Optional[builtins.bool] = None) -> Tensor:
    """A tensor over the memory of another library's array; copy=True copies, and so does another device."""
    if isinstance(x, _core.TensorBase):
        return _core.as_class(x if not copy else _core.clone(x), Tensor).to(device=device)
    try:
        capsule = x.__dlpack__(max_version=(1, 0), copy=copy)
    except TypeError:  # a library from before DLPack 1.0
        capsule = x.__dlpack__()
    t = _core.from_dlpack(capsule)
    if device is None:
        return t
    moved = _core.to(t, device, None, False, False)
    if moved is not t and copy is False:
        raise ValueError("another device needs a copy, and copy=False was asked for")
    return moved


def arange(start: Number, /, stop: Optional[Number] = None, step: Number = 1, *, dtype: Optional[DType] = None,
           device: Optional[Device] = None) -> Tensor:
    if stop is None:
        start, stop = 0, start
    if step and (stop - start) / step < 0:
        return _core.empty(0, dtype or ops.arange(start, start, -step).dtype, device)
    return ops.arange(start, stop, step, dtype=dtype, device=device)


def empty(shape: Shape, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.empty(shape, dtype, device)


def zeros(shape: Shape, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.zeros(shape, dtype, device)


def ones(shape: Shape, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.ones(shape, dtype, device)


def full(shape: Shape, fill_value: Number, *, dtype: Optional[DType] = None,
         device: Optional[Device] = None) -> Tensor:
    return _core.full(shape, fill_value, dtype, device)


def empty_like(x: Tensor, /, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.empty_like(x, dtype, device)


def zeros_like(x: Tensor, /, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.zeros_like(x, dtype, device)


def ones_like(x: Tensor, /, *, dtype: Optional[DType] = None, device: Optional[Device] = None) -> Tensor:
    return _core.ones_like(x, dtype, device)


def full_like(x: Tensor, /, fill_value: Number, *, dtype: Optional[DType] = None,
              device: Optional[Device] = None) -> Tensor:
    return _core.full_like(x, fill_value, dtype, device)


def eye(n_rows: int, n_cols: Optional[int] = None, /, *, k: int = 0, dtype: Optional[DType] = None,
        device: Optional[Device] = None) -> Tensor:
    """Ones on the k-th diagonal."""
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0:
        return _core.eye(n_rows, n_cols, dtype, device)
    out = _core.zeros((n_rows, n_cols), dtype, device)
    start = k if k > 0 else -k * n_cols
    length = builtins.max(0, builtins.min(n_rows, n_cols - k, n_rows + k, n_cols))
    if length:
        _core.fill_(_core.as_strided(out, (length,), (n_cols + 1,), start), 1)
    return out


def linspace(start: float, stop: float, /, num: int, *, dtype: Optional[DType] = None,
             device: Optional[Device] = None, endpoint: builtins.bool = True) -> Tensor:
    if endpoint:
        return ops.linspace(start, stop, num, dtype=dtype, device=device)
    return ops.linspace(start, stop, num + 1, dtype=dtype, device=device)[:num]


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list:
    """Coordinate matrices: views."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    n = len(arrays)
    order = list(range(n))
    if indexing == "xy" and n > 1:
        order[:2] = [1, 0]
    shape = tuple(arrays[i].size for i in order)
    return [_core.expand(_core.reshape(a, [-1 if order[d] == i else 1 for d in range(n)]), shape)
            for i, a in enumerate(arrays)]


# ---- dtypes --------------------------------------------------------------------------------------------------------


def astype(x: Tensor, dtype: DType, /, *, copy: builtins.bool = True, device: Optional[Device] = None) -> Tensor:
    return _core.to(x, device, dtype, copy, False)


def result_type(*arrays_and_dtypes: Union[Tensor, Number, dtypes.dtype]) -> dtypes.dtype:
    """The dtype of an op of all these."""
    numbers = [x for x in arrays_and_dtypes if isinstance(x, (bool, int, float, complex))]
    found = []
    for x in arrays_and_dtypes:
        if isinstance(x, dtypes.dtype):
            found.append(_core.empty(0, x, "cpu"))
        elif isinstance(x, _core.TensorBase):
            found.append(_core.empty((0,) if x.ndim else (), x.dtype, "cpu"))
    if not found:
        raise ValueError("at least one array or dtype is required")
    result = found[0]
    for x in found[1:] + numbers:
        result = ops.maximum(result, x)
    return result.dtype


def can_cast(from_: Union[Tensor, dtypes.dtype], to: dtypes.dtype, /) -> bool:
    """True when to is what the two promote to."""
    source = getattr(from_, "dtype", from_)
    try:
        return result_type(source, to) is to
    except _core.Error:
        return False


# ---- elements ------------------------------------------------------------------------------------------------------


def positive(x: Tensor, /) -> Tensor:
    return _core.clone(x)


def bitwise_invert(x: Tensor, /) -> Tensor:
    return ~x


def isfinite(x: Tensor, /) -> Tensor:
    return ops.logical_not(ops.logical_or(ops.isinf(x), ops.isnan(x)))


def sign(x: Tensor, /) -> Tensor:
    """NaN of NaN, where ops.sign has 0 as PyTorch does."""
    return ops.where(ops.isnan(x), x, ops.sign(x)) if x.dtype.is_floating_point else ops.sign(x)


def clip(x: Tensor, /, min: Optional[Operand] = None, max: Optional[Operand] = None) -> Tensor:
    """Between the two, in x's dtype."""
    out = x if min is None else ops.maximum(x, min)
    out = out if max is None else ops.minimum(out, max)
    return _core.clone(x) if out is x else _core.to(out, None, x.dtype, False, False)


# ---- manipulation --------------------------------------------------------------------------------------------------


def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    return _core.expand(x, shape)


def broadcast_arrays(*arrays: Tensor) -> list:
    rank = builtins.max((a.ndim for a in arrays), default=0)
    shape = [1] * rank
    for a in arrays:
        for d, n in enumerate(a.shape, rank - a.ndim):
            shape[d] = n if shape[d] == 1 else shape[d]
    return [_core.expand(a, shape) for a in arrays]


def concat(arrays: Sequence[Tensor], /, *, axis: Optional[int] = 0) -> Tensor:
    if axis is None:
        arrays, axis = [_core.reshape(a, -1) for a in arrays], 0
    return ops.concat(arrays, axis=axis)


def expand_dims(x: Tensor, /, *, axis: int = 0) -> Tensor:
    return _core.unsqueeze(x, axis)


def flip(x: Tensor, /, *, axis: Axis = None) -> Tensor:
    return _core.flip(x, range(x.ndim) if axis is None else axis)


def moveaxis(x: Tensor, source: Union[int, Sequence[int]], destination: Union[int, Sequence[int]], /) -> Tensor:
    source = [source] if isinstance(source, int) else source
    destination = [destination] if isinstance(destination, int) else destination
    places = {d % x.ndim: s % x.ndim for s, d in zip(source, destination)}
    rest = iter([d for d in range(x.ndim) if d not in places.values()])
    return _core.permute(x, [places[d] if d in places else next(rest) for d in range(x.ndim)])


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    return _core.permute(x, axes)


def matrix_transpose(x: Tensor, /) -> Tensor:
    return x.mT


def reshape(x: Tensor, /, shape: Shape, *, copy: Optional[builtins.bool] = None) -> Tensor:
    if copy is False:
        return _core.view(x, shape)
    return _core.reshape(_core.clone(x) if copy else x, shape)


def roll(x: Tensor, /, shift: Union[int, Sequence[int]], *, axis: Axis = None) -> Tensor:
    if axis is None:
        return _core.reshape(roll(_core.reshape(x, -1), shift, axis=0), x.shape)
    shifts = [shift] if isinstance(shift, int) else shift
    axes = [axis] if isinstance(axis, int) else axis
    shifts = list(shifts) * len(axes) if len(shifts) == 1 else shifts
    for s, a in zip(shifts, axes):
        n = x.shape[a]
        s = s % n if n else 0
        if s:
            x = ops.concat([_core.narrow(x, a, n - s, s), _core.narrow(x, a, 0, n - s)], axis=a)
    return x


def squeeze(x: Tensor, /, axis: Union[int, Sequence[int]]) -> Tensor:
    axes = [axis] if isinstance(axis, int) else list(axis)
    for a in axes:
        if -x.ndim <= a < x.ndim and x.shape[a] != 1:
            raise ValueError(f"dimension {a} has size {x.shape[a]}, and only those of size 1 can be squeezed")
    return _core.squeeze(x, axes) if axes else x


def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    rank = builtins.max(x.ndim, len(repetitions))
    times = [1] * (rank - len(repetitions)) + list(repetitions)
    shape = [1] * (rank - x.ndim) + list(x.shape)
    pairs = _core.reshape(x, [n for size in shape for n in (1, size)])
    wide = _core.expand(pairs, [n for t, size in zip(times, shape) for n in (t, size)])
    return _core.reshape(wide, [t * n for t, n in zip(times, shape)])


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple:
    return x.unbind(axis)


def take(x: Tensor, indices: Tensor, /, *, axis: Optional[int] = None) -> Tensor:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed when there is more than one")
        axis = 0
    return ops.index_select(x, indices, axis)


# ---- linear algebra ------------------------------------------------------------------------------------------------


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: Union[int, Sequence[Sequence[int]]] = 2) -> Tensor:
    if isinstance(axes, int):
        axes = (range(x1.ndim - axes, x1.ndim), range(axes))
    inner1, inner2 = [a % x1.ndim for a in axes[0]], [a % x2.ndim for a in axes[1]]
    outer1 = [d for d in range(x1.ndim) if d not in inner1]
    outer2 = [d for d in range(x2.ndim) if d not in inner2]
    for a, b in zip(inner1, inner2):
        if x1.shape[a] != x2.shape[b]:
            raise ValueError(f"sizes {x1.shape[a]} and {x2.shape[b]} of the contracted axes {a} and {b} differ")
    k = math.prod(x1.shape[a] for a in inner1)
    left = [x1.shape[d] for d in outer1]
    right = [x2.shape[d] for d in outer2]
    a = _core.reshape(_core.permute(x1, outer1 + inner1), (math.prod(left), k))
    b = _core.reshape(_core.permute(x2, inner2 + outer2), (k, math.prod(right)))
    t = result_type(x1, x2)
    return _core.reshape(ops.matmul(a.to(t), b.to(t)), left + right)


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    t = result_type(x1, x2)
    return ops.sum(ops.mul(x1, x2), axis=axis, dtype=t)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    if x1.dtype is not x2.dtype:
        t = result_type(x1, x2)
        x1, x2 = x1.to(t), x2.to(t)
    return ops.matmul(x1, x2)


# ---- sorting and statistics ----------------------------------------------------------------------------------------


def sort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    return ops.sort(x, axis=axis, descending=descending)[0]


def argsort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False,
            stable: builtins.bool = True) -> Tensor:
    return ops.argsort(x, axis=axis, descending=descending)


def _sum_dtype(x: Tensor, dtype: Optional[DType]) -> Optional[DType]:
    return dtypes.uint64 if dtype is None and x.dtype.kind == "u" else dtype


def sum(x: Tensor, /, *, axis: Axis = None, dtype: Optional[DType] = None, keepdims: builtins.bool = False) -> Tensor:
    """Unsigned integers are summed in uint64, signed ones in int64."""
    return _reduce(ops.sum, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


def prod(x: Tensor, /, *, axis: Axis = None, dtype: Optional[DType] = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.prod, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


def cumulative_sum(x: Tensor, /, *, axis: Optional[int] = None, dtype: Optional[DType] = None,
                   include_initial: builtins.bool = False) -> Tensor:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed when there is more than one")
        axis = 0
    out = ops.cumsum(x, axis, dtype=_sum_dtype(x, dtype))
    if not include_initial:
        return out
    shape = list(x.shape)
    shape[axis] = 1
    return ops.concat([_core.zeros(shape, out.dtype, out.device), out], axis=axis)


def _reduce(op: Any, x: Tensor, axis: Axis, keepdims: builtins.bool, **attrs: Any) -> Tensor:
    """The standard's axis=() reduces nothing, the op's everything."""
    if axis == ():
        return op(_core.unsqueeze(x, 0), axis=0, **attrs)
    return op(x, axis=axis, keepdims=keepdims, **attrs)


def max(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.max, x, axis, keepdims)


def min(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.min, x, axis, keepdims)


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.mean, x, axis, keepdims)


def any(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.any, x, axis, keepdims)


def all(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce(ops.all, x, axis, keepdims)


def var(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """correction 0, where ops.var has 1 as PyTorch does."""
    return _reduce(ops.var, x, axis, keepdims, correction=correction)


def std(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    return ops.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


# ---- what there is -------------------------------------------------------------------------------------------------


class _Info:
    """What __array_namespace_info__ gives."""

    def capabilities(self) -> dict:
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 64}

    def default_device(self) -> _core.device:
        return _core.get_default_device()

    def default_dtypes(self, *, device: Optional[Device] = None) -> dict:
        floating = _core.get_default_dtype()
        return {
            "real floating": floating,
            "complex floating": dtypes.complex128 if floating is dtypes.float64 else dtypes.complex64,
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def dtypes(self, *, device: Optional[Device] = None, kind: Any = None) -> dict:
        standard = [t for t in _core.dtypes if t.name not in ("float16", "bfloat16")]
        return {t.name: t for t in standard if kind is None or dtypes.isdtype(t, kind)}

    def devices(self) -> list:
        found = [_core.device("cpu")]
        for kind in _core.kinds():
            if kind != "cpu":
                found += [_core.device(kind, i) for i in range(_core.device_count(kind))]
        return found


def __array_namespace_info__() -> _Info:
    return _Info()
