# SPDX-License-Identifier: Apache-2.0
"""Joining and moving elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ops, standard
from ..tensor import Tensor
from .keywords import numpy_names


@numpy_names
def cat(tensors: Sequence[Any], dim: int = 0) -> Tensor:
    """The tensors one after the other along dim. Off it their sizes are the same, else an error is raised; dtypes promote.

    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    return ops.concat(tensors, axis=dim)


concat = concatenate = cat


@numpy_names
def stack(tensors: Sequence[Any], dim: int = 0) -> Tensor:
    """The tensors, all of one shape, along a new dimension.

    >>> torch.stack([torch.ones(3), torch.zeros(3)]).shape
    torch.Size([2, 3])
    """
    return ops.stack(tensors, axis=dim)


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Any, ...]:
    """The coordinates of a grid, a tensor for each of the given ones, which are views; indexing is ij or xy.

    >>> [t.shape for t in torch.meshgrid(torch.ones(2), torch.ones(3))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return standard.meshgrid(*given, indexing=indexing)


def roll(input: Any, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None) -> Tensor:
    """Without dims the elements move as one line.

    >>> torch.roll(torch.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    dims = None if dims in ((), []) else dims
    n_shifts, n_dims = (1 if isinstance(n, int) else 0 if n is None else len(n) for n in (shifts, dims))
    if n_dims and n_shifts != n_dims:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {n_shifts}, dims:{n_dims}")
    return standard.roll(input, shifts, axis=dims)


def repeat_interleave(input: Any, repeats: Any, dim: int | None = None) -> Tensor:
    """Repeats each element, or each slice of dim, in a row. repeats is a number, or a tensor with one for each.

    >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    return standard.repeat(input, repeats, axis=dim)
