# SPDX-License-Identifier: Apache-2.0
"""Tensor's methods that give views: other shapes, strides and offsets over the same memory."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._types import Axis
from .sizes import sizes

if TYPE_CHECKING:
    from .tensor import Tensor


class ViewMethods:
    """Tensor's methods of this kind. reshape, flatten and ravel copy where no view is possible."""

    __slots__ = ()

    def reshape(self: Any, *shape: Any) -> Tensor:
        return _core.reshape(self, sizes(shape))

    def view(self: Any, *shape: Any) -> Tensor:
        return _core.view(self, sizes(shape))

    def view_as(self: Any, other: Tensor) -> Tensor:
        return _core.view(self, other.shape)

    def permute(self: Any, *dims: Any) -> Tensor:
        return _core.permute(self, sizes(dims))

    def transpose(self: Any, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        return _core.transpose(self, dim0, dim1)

    swapaxes = transpose

    def t(self: Any) -> Tensor:
        if self.ndim > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
        return _core.transpose(self, 0, 1) if self.ndim == 2 else self

    @property
    def T(self: Any) -> Tensor:
        if self.ndim != 2:
            raise ValueError(f"T is of matrices, and this has {self.ndim} dimensions; see mT and permute_dims")
        return _core.transpose(self, 0, 1)

    @property
    def mT(self: Any) -> Tensor:
        if self.ndim < 2:
            raise ValueError(f"mT is of (stacks of) matrices, and this has {self.ndim} dimensions")
        return _core.transpose(self, -2, -1)

    @property
    def mH(self: Any) -> Tensor:
        """The transpose of the conjugate."""
        return self.conj().mT if self.dtype.is_complex else self.mT

    def view_as_real(self: Any) -> Tensor:
        """Returns complex numbers as real ones with a last dimension of 2."""
        return _core.view_as_real(self)

    def view_as_complex(self: Any) -> Tensor:
        return _core.view_as_complex(self)

    def expand(self: Any, *shape: Any) -> Tensor:
        return _core.expand(self, sizes(shape))

    def expand_as(self: Any, other: Tensor) -> Tensor:
        return _core.expand(self, other.shape)

    def squeeze(self: Any, dim: Axis = None) -> Tensor:
        """Returns a view without dim, or without those of dim, or without any dimension, where they have the size 1."""
        if isinstance(dim, tuple | list) and not dim:
            return _core.expand(self, self.shape)
        return _core.squeeze(self, () if dim is None else dim)

    def unsqueeze(self: Any, dim: builtins.int) -> Tensor:
        return _core.unsqueeze(self, dim)

    def diagonal(self: Any, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Returns a view whose last dimension is the diagonal of the two dimensions."""
        return _core.diagonal(self, offset, dim1, dim2)

    def flatten(self: Any, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        return _core.flatten(self, start_dim, end_dim)

    def ravel(self: Any) -> Tensor:
        return _core.reshape(self, (-1,))

    def flip(self: Any, *dims: Any) -> Tensor:
        """Returns a view with negative strides. PyTorch copies."""
        return _core.flip(self, sizes(dims))

    def narrow(self: Any, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        return _core.narrow(self, dim, start, length)

    def select(self: Any, dim: builtins.int, index: builtins.int) -> Tensor:
        return _core.select(self, dim, index)

    def as_strided(self: Any, size: Sequence[builtins.int], stride: Sequence[builtins.int],
                   storage_offset: builtins.int | None = None) -> Tensor:
        return _core.as_strided(self, size, stride, self._offset if storage_offset is None else storage_offset)

    def unbind(self: Any, dim: builtins.int = 0) -> tuple[Any, ...]:
        return tuple(_core.select(self, dim, i) for i in range(self.shape[dim]))

    def split(self: Any, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Any, ...]:
        n, start, parts = self.shape[dim], 0, []
        if isinstance(split_size, builtins.int):
            if split_size < 0:
                raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
            if split_size == 0 and n:
                raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
            split_size = [min(split_size, n - i) for i in range(0, n, max(split_size, 1))] or [0]
        for length in split_size:
            parts.append(_core.narrow(self, dim, start, length))
            start += length
        if start != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), "
                f"but got split_sizes={list(split_size)}"
            )
        return tuple(parts)

    def chunk(self: Any, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Any, ...]:
        if chunks < 1:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        return self.split(max(1, math.ceil(self.shape[dim] / chunks)), dim)
