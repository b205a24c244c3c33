"""x[key] where the key holds arrays: integers and masks, alone and among slices, None, Ellipsis and numbers.

_core sees to keys without arrays, which give views. The others give copies, by PyTorch's rules, which are NumPy's with one
exception: a number takes its dimension away before the arrays are looked at. What the arrays give stands where the first of
them stood, or in front when a slice is between them. Negative indices count from the end; an index that does not exist is
an IndexError on the CPU."""

from __future__ import annotations

import math
from typing import Any, List, Tuple

from . import _core, dtypes, ops

TensorBase = _core.TensorBase


def _as_index(key: Any, device: Any) -> Any:
    """Lists and arrays as tensors; the rest as it is."""
    if key is None or key is Ellipsis or isinstance(key, (slice, bool, int)):
        return key
    if not isinstance(key, TensorBase):
        if hasattr(key, "__index__") and not hasattr(key, "__len__"):
            return key.__index__()
        if type(key).__name__ in ("bool", "bool_"):  # NumPy's
            return bool(key)
        if isinstance(key, (str, bytes)) or not hasattr(key, "__len__"):
            raise IndexError("only integers, slices (`:`), ellipsis (`...`), None and arrays of integers or bools are valid "
                             f"indices (got {type(key).__name__})")
        if isinstance(key, (list, tuple)) and not key:
            return _core.empty(0, dtypes.int64, device)
        key = _core.asarray(key, None, device, None)
    if key.dtype.kind not in "iub":
        raise IndexError(f"tensors used as indices must be integers or bools, not {key.dtype!r}")
    return key


def _is_mask(key: Any) -> bool:
    return isinstance(key, TensorBase) and key.dtype is dtypes.bool


def _keys(x: Any, key: Any) -> list:
    """One entry for each thing in the key, without the ellipsis."""
    keys = [_as_index(k, x.device) for k in (key if isinstance(key, tuple) else (key,))]
    used = 0
    for k in keys:
        used += k.ndim if _is_mask(k) else k is not None and k is not Ellipsis and not isinstance(k, bool)
    if used > x.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    dots = [i for i, k in enumerate(keys) if k is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    for i in dots:
        keys[i:i + 1] = [slice(None)] * (x.ndim - used)
    return keys


def _columns(mask: Any, x: Any, dim: int) -> list:
    """A mask as an array of indices for each of its dimensions."""
    for i, n in enumerate(mask.shape):
        if n != x.shape[dim + i]:
            raise IndexError(f"The shape of the mask {list(mask.shape)} at index {i} does not match the shape of the indexed "
                             f"tensor {list(x.shape)} at index {dim + i}")
    at = ops.nonzero(mask)
    return [_core.select(at, 1, i) for i in range(mask.ndim)]


def _plan(x: Any, key: Any) -> Tuple[Any, List[int], list]:
    """The view that the key's simple parts give, and the array for each dimension of it that has one."""
    dim, dims, arrays = 0, [], []
    for k in _keys(x, key):
        if k is None:
            x = _core.unsqueeze(x, dim)
        elif isinstance(k, slice):
            x = TensorBase.__getitem__(x, (slice(None),) * dim + (k,))
        elif isinstance(k, bool) or _is_mask(k) and k.ndim == 0:  # a dimension of one element, or of none
            x = _core.unsqueeze(x, dim)
            dims.append(dim)
            arrays.append(_core.zeros(int(bool(k)), dtypes.int64, x.device))
        elif _is_mask(k):
            dims += range(dim, dim + k.ndim)
            arrays += _columns(k, x, dim)
            dim += k.ndim - 1
        elif isinstance(k, TensorBase) and k.ndim > 0:
            dims.append(dim)
            arrays.append(k)
        else:
            x = _core.select(x, dim, int(k))
            continue
        dim += 1
    return x, dims, _broadcast(arrays)


def _broadcast(arrays: list) -> list:
    rank = max(a.ndim for a in arrays)
    shape = [1] * rank
    for a in arrays:
        for d, n in enumerate(a.shape, rank - a.ndim):
            if n != 1 and shape[d] not in (1, n):
                raise IndexError("shape mismatch: indexing tensors could not be broadcast together with shapes "
                                 + ", ".join(str(list(b.shape)) for b in arrays))
            shape[d] = n if shape[d] == 1 else shape[d]
    return [_core.expand(a, shape) for a in arrays]


def _from_start(index: Any, size: int, dim: int) -> Any:
    """Negative ones counted from the end. On the CPU it is looked whether they exist; elsewhere that would wait."""
    if index.dtype.kind == "i" or index.device.type == "cpu":
        index = _core.to(index, None, dtypes.int64, False, False)
        if index.device.type == "cpu" and index.size:
            low, high = int(ops.min(index)), int(ops.max(index))
            if low < -size or high >= size:
                wrong = low if low < -size else high
                raise IndexError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")
            if low >= 0:
                return index
        return ops.where(ops.lt(index, 0), ops.add(index, size), index)
    return _core.to(index, None, dtypes.int64, False, False)


def _lines(x: Any, dims: List[int], arrays: list) -> Tuple[list, Any]:
    """Order that brings the indexed dimensions to the front, and the index into them as if they were one."""
    order = dims + [d for d in range(x.ndim) if d not in dims]
    index = None
    for d, a in zip(dims, arrays):
        a = _from_start(a, x.shape[d], d)
        index = a if index is None else ops.add(ops.mul(index, x.shape[d]), a)
    return order, _core.reshape(index, (-1,))


def _place(dims: List[int]) -> int:
    """Where the arrays' dimensions stand in the result."""
    return dims[0] if dims == list(range(dims[0], dims[0] + len(dims))) else 0


def _result_order(place: int, n_array: int, rank: int) -> list:
    """From [arrays' dimensions, others] to the result's."""
    others = list(range(n_array, rank))
    return others[:place] + list(range(n_array)) + others[place:]


def getitem(x: Any, key: Any) -> Any:
    if _is_mask(key) and key.ndim == x.ndim > 0 and key.shape == x.shape:
        return ops.masked_select(x, key)
    x, dims, arrays = _plan(x, key)
    shape = arrays[0].shape
    if len(dims) == 1:
        (d,) = dims
        index = _core.reshape(_from_start(arrays[0], x.shape[d], d), (-1,))
        return _core.reshape(ops.index_select(x, index, d), x.shape[:d] + shape + x.shape[d + 1:])
    order, index = _lines(x, dims, arrays)
    x = _core.permute(x, order)
    sizes, rest = x.shape[:len(dims)], x.shape[len(dims):]
    out = ops.index_select(_core.reshape(x, (math.prod(sizes), *rest)), index, 0)
    out, place = _core.reshape(out, shape + rest), _place(dims)
    return _core.permute(out, _result_order(place, len(shape), out.ndim)) if place else out


def _fitting(value: Any, x: Any, shape: tuple) -> Any:
    """The value in x's dtype, on its device, broadcast to the shape."""
    if isinstance(value, TensorBase):
        value = _core.to(value, x.device, x.dtype, False, False)
    else:
        value = _core.to(_core.asarray(value, None, x.device, None), None, x.dtype, False, False)
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = _core.select(value, 0, 0)
    for n, wanted in zip(value.shape[::-1], shape[::-1]):
        if n not in (1, wanted) or value.ndim > len(shape):
            raise ValueError(f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to indexing "
                             f"result of shape {list(shape)}")
    return _core.expand(value, shape)


def setitem(x: Any, key: Any, value: Any) -> None:
    if _is_mask(key) and key.ndim and (not isinstance(value, TensorBase) or value.ndim == 0) and not hasattr(value, "__len__"):
        if key.shape != x.shape[:key.ndim]:
            _columns(key, x, 0)
        mask = _core.reshape(key, key.shape + (1,) * (x.ndim - key.ndim))
        ops.masked_fill(x, mask, _fitting(value, x, ()), out=x)
        return
    x, dims, arrays = _plan(x, key)
    order, index = _lines(x, dims, arrays)
    front = _core.permute(x, order)
    sizes, rest = front.shape[:len(dims)], front.shape[len(dims):]
    shape, place = arrays[0].shape, _place(dims)
    whole = rest[:place] + shape + rest[place:]
    value = _fitting(value, x, whole)
    back = list(range(place, place + len(shape))) + [d for d in range(len(whole)) if not place <= d < place + len(shape)]
    value = _core.reshape(_core.permute(value, back), (index.size, *rest))
    lines = (math.prod(sizes), *rest)
    if len(dims) == 1:
        ops.index_copy(front, index, value, 0, out=front)
        return
    try:
        target = _core.view(front, lines)
    except _core.Error:  # its lines have no single stride: through a copy
        target = _core.reshape(_core.contiguous(front), lines)
        ops.index_copy(target, index, value, 0, out=target)
        _core.copy_(front, _core.reshape(target, front.shape), False)
        return
    ops.index_copy(target, index, value, 0, out=target)


_core.set_indexing(getitem, setitem)
