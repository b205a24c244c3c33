"""Functions of ``backplane.torch`` whose arguments PyTorch has in another order, or under other names, than the op table; and
what it makes of other ops. METHODS are methods of its tensors, too; those that IN_PLACE names also with an underscore."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence, Union

from . import _core, ops, standard
from .nn import functional
from .nn.functional import group_norm, layer_norm, rms_norm  # noqa: F401 # in torch's own order

METHODS = ["cummax", "cummin", "index_add", "index_copy", "repeat_interleave", "roll", "scatter", "scatter_add", "take_along_dim"]
IN_PLACE = ["index_add", "index_copy", "scatter", "scatter_add"]
__all__ = [*METHODS, "batch_norm", "cross", "dropout", "embedding", "group_norm", "layer_norm", "rms_norm", "searchsorted",
           "tensordot", "trace"]  # fmt: skip

Dims = Union[int, Sequence[int], None]


# ---- networks --------------------------------------------------------------------------------------------------------


def batch_norm(input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float,
               eps: float, cudnn_enabled: bool = True) -> Any:
    return functional.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def dropout(input: Any, p: float, train: bool) -> Any:
    return ops.dropout(input, p=p) if train and p else input


def embedding(weight: Any, indices: Any, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False) -> Any:
    """Rows of weight. The last three have to do with gradients, and are modules' here."""
    return ops.embedding(indices, weight)


# ---- indices ---------------------------------------------------------------------------------------------------------


def _source(input: Any, index: Any, src: Any) -> Any:
    return src if isinstance(src, _core.TensorBase) else _core.full(index.shape, src, input.dtype, input.device)


def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, out: Any = None) -> Any:
    """src, or the number, at index along dim."""
    return ops.scatter(input, index, _source(input, index, value if src is None else src), dim, out=out)


def scatter_add(input: Any, dim: int, index: Any, src: Any, *, out: Any = None) -> Any:
    return ops.scatter_add(input, index, src, dim, out=out)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: float = 1, out: Any = None) -> Any:
    return ops.index_add(input, index, source, dim, alpha=alpha, out=out)


def index_copy(input: Any, dim: int, index: Any, source: Any, *, out: Any = None) -> Any:
    return ops.index_copy(input, index, source, dim, out=out)


def take_along_dim(input: Any, indices: Any, dim: Optional[int] = None) -> Any:
    return ops.take_along(_core.reshape(input, (-1,)), _core.reshape(indices, (-1,)), 0) if dim is None else \
        ops.take_along(input, indices, dim)


def searchsorted(sorted_sequence: Any, input: Any, *, out_int32: bool = False, right: bool = False, side: Optional[str] = None,
                 sorter: Any = None) -> Any:
    """Where each of input would go; of sequences along the last dim those of the same row."""
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    number = not isinstance(input, _core.TensorBase)
    values = _core.full((1,), input, sorted_sequence.dtype, sorted_sequence.device) if number else input
    ordered = sorted_sequence if sorter is None else ops.take_along(sorted_sequence, sorter, -1)
    dtype = standard.result_type(ordered, values)
    ordered, values, right = ordered.to(dtype), values.to(dtype), right or side == "right"
    if ordered.ndim == 1:
        found = ops.searchsorted(ordered, values, right=right)
    else:
        if tuple(ordered.shape[:-1]) != tuple(values.shape[:-1]):
            raise RuntimeError(
                "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
                f"and input value tensor must match, but we got boundaries tensor {list(ordered.shape)} and input value tensor "
                f"{list(values.shape)}"
            )
        rows, wanted = (_core.reshape(t, (math.prod(t.shape[:-1]), t.shape[-1])) for t in (ordered, values))
        each = [ops.searchsorted(rows[i], wanted[i], right=right) for i in range(rows.shape[0])]
        found = _core.reshape(ops.stack(each, axis=0), values.shape)
    found = _core.reshape(found, ()) if number and ordered.ndim == 1 else found
    return found.int() if out_int32 else found


# ---- moving ----------------------------------------------------------------------------------------------------------


def roll(input: Any, shifts: Union[int, Sequence[int]], dims: Dims = None) -> Any:
    """Without dims the elements as one line."""
    dims = None if dims in ((), []) else dims
    n_shifts, n_dims = (1 if isinstance(n, int) else 0 if n is None else len(n) for n in (shifts, dims))
    if n_dims and n_shifts != n_dims:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {n_shifts}, dims:{n_dims}")
    return standard.roll(input, shifts, axis=dims)


def repeat_interleave(input: Any, repeats: Any, dim: Optional[int] = None) -> Any:
    """Each element, or slice of dim, in a row; repeats: a number or one for each."""
    return standard.repeat(input, repeats, axis=dim)


# ---- sums and the like -----------------------------------------------------------------------------------------------


def _running(input: Any, dim: int, keeps: Any) -> tuple:
    """The extreme of what comes up to each place along dim, and the last place where it is: every place looks back twice as
    far each time."""
    x = _core.unsqueeze(input, 0) if input.ndim == 0 else input
    n = x.shape[dim]
    place = [1] * x.ndim
    place[dim] = n
    at = _core.contiguous(_core.expand(_core.reshape(ops.arange(0, n, 1, device=x.device), place), x.shape))
    step = 1
    while step < n:
        (before, here), (at_before, at_here) = ((_core.narrow(t, dim, 0, n - step), _core.narrow(t, dim, step, n - step))
                                                for t in (x, at))
        stays = keeps(here, before)
        stays = ops.logical_or(stays, ops.isnan(here)) if input.dtype.is_floating_point else stays
        x, at = (ops.concat([_core.narrow(t, dim, 0, step), ops.where(stays, new, old)], axis=dim)
                 for t, new, old in ((x, here, before), (at, at_here, at_before)))
        step *= 2
    return (_core.reshape(x, ()), _core.reshape(at, ())) if input.ndim == 0 else (x, at)


def cummax(input: Any, dim: int) -> Any:
    """The largest so far along dim, and where it is."""
    from .torch import _cummax

    return _cummax(*_running(input, dim, ops.ge))


def cummin(input: Any, dim: int) -> Any:
    from .torch import _cummin

    return _cummin(*_running(input, dim, ops.le))


def trace(input: Any) -> Any:
    if input.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return ops.trace(input)


def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    return standard.tensordot(a, b, axes=dims)


def cross(input: Any, other: Any, dim: Optional[int] = None) -> Any:
    """Without dim along the first one of size 3."""
    if dim is None:
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.cross(input, other, dim)
