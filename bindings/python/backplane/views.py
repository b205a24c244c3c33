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
        """Returns the elements in another shape of as many, as a view where one is possible: reshape(2, 3), reshape((2,
        3)). One size may be -1. A shape that does not fit raises InvalidArgumentError.

        >>> bp.arange(6).reshape(2, -1).shape
        (2, 3)
        """
        return _core.reshape(self, sizes(shape))

    def view(self: Any, *shape: Any) -> Tensor:
        """Returns a view in another shape of as many elements; one size may be -1. Where strides allow no view, it raises
        InvalidArgumentError.

        >>> bp.arange(6).view(3, 2).shape
        (3, 2)
        """
        return _core.view(self, sizes(shape))

    def view_as(self: Any, other: Tensor) -> Tensor:
        """Returns a view in the shape of the other tensor.

        >>> bp.arange(6).view_as(bp.ones((2, 3))).shape
        (2, 3)
        """
        return _core.view(self, other.shape)

    def permute(self: Any, *dims: Any) -> Tensor:
        """Returns a view with the dimensions in that order.

        >>> bp.ones((2, 3, 4)).permute(2, 0, 1).shape
        (4, 2, 3)
        """
        return _core.permute(self, sizes(dims))

    def transpose(self: Any, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Returns a view in which two dimensions have changed places.

        >>> bp.ones((2, 3)).transpose(0, 1).shape
        (3, 2)
        """
        return _core.transpose(self, dim0, dim1)

    swapaxes = transpose

    def t(self: Any) -> Tensor:
        """Returns the transpose of a matrix as a view; vectors stay. More dimensions raise RuntimeError.

        >>> bp.ones((2, 3)).t().shape
        (3, 2)
        """
        if self.ndim > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
        return _core.transpose(self, 0, 1) if self.ndim == 2 else self

    @property
    def T(self: Any) -> Tensor:
        """The transpose of a matrix, as a view; another number of dimensions raises ValueError.

        >>> bp.ones((2, 3)).T.shape
        (3, 2)
        """
        if self.ndim != 2:
            raise ValueError(f"T is of matrices, and this has {self.ndim} dimensions; see mT and permute_dims")
        return _core.transpose(self, 0, 1)

    @property
    def mT(self: Any) -> Tensor:
        """The transposes of a stack of matrices, [..., M, N] as [..., N, M], as a view.

        >>> bp.ones((5, 2, 3)).mT.shape
        (5, 3, 2)
        """
        if self.ndim < 2:
            raise ValueError(f"mT is of (stacks of) matrices, and this has {self.ndim} dimensions")
        return _core.transpose(self, -2, -1)

    @property
    def mH(self: Any) -> Tensor:
        """The transpose of the conjugate.

        >>> bp.asarray([[1j, 2]]).mH.shape
        (2, 1)
        """
        return self.conj().mT if self.dtype.is_complex else self.mT

    def view_as_real(self: Any) -> Tensor:
        """Returns complex numbers as real ones with a last dimension of 2.

        >>> bp.asarray([1 + 2j]).view_as_real()
        tensor([[1., 2.]])
        """
        return _core.view_as_real(self)

    def view_as_complex(self: Any) -> Tensor:
        """Returns pairs of real numbers, whose last dimension is of size 2, as complex ones, as a view.

        >>> bp.asarray([[1.0, 2.0]]).view_as_complex()
        tensor([1.+2.j])
        """
        return _core.view_as_complex(self)

    def expand(self: Any, *shape: Any) -> Tensor:
        """Returns a view that repeats along dimensions of size 1 and new ones at the front; -1 keeps a size.

        >>> bp.ones((1, 3)).expand(2, 3).shape
        (2, 3)
        """
        return _core.expand(self, sizes(shape))

    def expand_as(self: Any, other: Tensor) -> Tensor:
        """Returns a view that repeats to the shape of the other tensor.

        >>> bp.ones((1, 3)).expand_as(bp.ones((2, 3))).shape
        (2, 3)
        """
        return _core.expand(self, other.shape)

    def squeeze(self: Any, dim: Axis = None) -> Tensor:
        """Returns a view without dim, or without those of dim, or without any dimension, where they have the size 1.

        >>> bp.ones((1, 3, 1)).squeeze().shape
        (3,)
        """
        if isinstance(dim, (tuple, list)) and not dim:
            return _core.expand(self, self.shape)
        return _core.squeeze(self, () if dim is None else dim)

    def unsqueeze(self: Any, dim: builtins.int) -> Tensor:
        """Returns a view with a new dimension of size 1 at dim.

        >>> bp.ones(3).unsqueeze(0).shape
        (1, 3)
        """
        return _core.unsqueeze(self, dim)

    def diagonal(self: Any, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Returns a view whose last dimension is the diagonal of the two dimensions.

        >>> bp.asarray([[1, 2], [3, 4]]).diagonal()
        tensor([1, 4])
        """
        return _core.diagonal(self, offset, dim1, dim2)

    def flatten(self: Any, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """Returns dimensions start_dim to end_dim as one.

        >>> bp.ones((2, 3, 4)).flatten(1).shape
        (2, 12)
        """
        return _core.flatten(self, start_dim, end_dim)

    def ravel(self: Any) -> Tensor:
        """Returns all elements in one dimension.

        >>> bp.ones((2, 3)).ravel().shape
        (6,)
        """
        return _core.reshape(self, (-1,))

    def flip(self: Any, *dims: Any) -> Tensor:
        """Returns a view with negative strides. PyTorch copies.

        >>> bp.asarray([1, 2, 3]).flip(0)
        tensor([3, 2, 1])
        """
        return _core.flip(self, sizes(dims))

    def narrow(self: Any, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """Returns a view of length elements along dim from start on; what lies outside raises IndexOutOfRangeError.

        >>> bp.arange(5).narrow(0, 1, 3)
        tensor([1, 2, 3])
        """
        return _core.narrow(self, dim, start, length)

    def select(self: Any, dim: builtins.int, index: builtins.int) -> Tensor:
        """Returns a view of the slice at index along dim, without that dimension.

        >>> bp.asarray([[1, 2], [3, 4]]).select(0, 1)
        tensor([3, 4])
        """
        return _core.select(self, dim, index)

    def as_strided(self: Any, size: Sequence[builtins.int], stride: Sequence[builtins.int],
                   storage_offset: builtins.int | None = None) -> Tensor:
        """Returns a view of the storage of that size, with these steps in elements and that offset; one that leaves the
        storage raises InvalidArgumentError.

        >>> bp.arange(4).as_strided((2, 2), (2, 1)).tolist()
        [[0, 1], [2, 3]]
        """
        return _core.as_strided(self, size, stride, self._offset if storage_offset is None else storage_offset)

    def unbind(self: Any, dim: builtins.int = 0) -> tuple[Any, ...]:
        """Returns the slices along dim, as views without it.

        >>> [t.item() for t in bp.asarray([1, 2]).unbind()]
        [1, 2]
        """
        return tuple([_core.select(self, dim, i) for i in range(self.shape[dim])])

    def split(self: Any, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Any, ...]:
        """Returns views of split_size elements each along dim, the last of the rest, or of the sizes in a list, whose sum
        is the dimension's size.

        >>> [t.tolist() for t in bp.arange(5).split(2)]
        [[0, 1], [2, 3], [4]]
        """
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
        """Returns at most so many views of equal size along dim; the last may be smaller.

        >>> [t.tolist() for t in bp.arange(5).chunk(2)]
        [[0, 1, 2], [3, 4]]
        """
        if chunks < 1:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        return self.split(max(1, math.ceil(self.shape[dim] / chunks)), dim)
