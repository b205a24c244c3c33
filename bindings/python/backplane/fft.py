# SPDX-License-Identifier: Apache-2.0
"""The array standard's extension ``fft``: discrete Fourier transforms of any length: ``bp.fft.fft(x)``.

norm says which transforms are divided by the number n of elements: "backward" ones, "forward" ones, or with "ortho" both, by
the square root of n."""

from __future__ import annotations

from collections.abc import Sequence

from . import _core, ops, standard
from ._types import Device, DType
from .keywords import plainly, with_both_names
from .tensor import Tensor

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
    "rfftfreq", "rfftn",
]

Axes = int | Sequence[int] | None


def _size(n: int | None) -> int:
    if n is not None and n < 1:
        raise ValueError(f"Invalid number of data points ({n}) specified")
    return -1 if n is None else n


@plainly(ops.fft, "x - axis norm")
def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the discrete Fourier transform of n elements along axis, complex: x is cut, or followed by zeros. float16 and
    an n below 1 are refused.

    >>> bp.fft.fft(bp.asarray([1.0, 0.0])).shape
    (2,)
    """
    return ops.fft(x, _size(n), axis, norm)


@plainly(ops.ifft, "x - axis norm")
def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the inverse of fft.

    >>> bp.fft.ifft(bp.asarray([2 + 0j, 0j])).real
    tensor([1., 1.])
    """
    return ops.ifft(x, _size(n), axis, norm)


@plainly(ops.rfft, "x - axis norm")
def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the first n // 2 + 1 numbers of fft of real ones.

    >>> bp.fft.rfft(bp.ones(8)).shape
    (5,)
    """
    return ops.rfft(x, _size(n), axis, norm)


@plainly(ops.irfft, "x - axis norm")
def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the inverse of rfft: n real numbers, by default 2 (m - 1) of m.

    >>> bp.fft.irfft(bp.asarray([4 + 0j, 0j, 0j]))
    tensor([1., 1., 1., 1.])
    """
    return ops.irfft(x, _size(n), axis, norm)


@plainly(ops.hfft, "x - axis norm")
def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the real fft of Hermitian numbers of which x is the first half.

    >>> bp.fft.hfft(bp.asarray([1 + 0j, 1 + 0j, 1 + 0j]))
    tensor([4., 0., 0., 0.])
    """
    return ops.hfft(x, _size(n), axis, norm)


@plainly(ops.ihfft, "x - axis norm")
def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Returns the inverse of hfft.

    >>> bp.fft.ihfft(bp.ones(4)).shape
    (3,)
    """
    return ops.ihfft(x, _size(n), axis, norm)


@plainly(ops.fftn, "x s axes norm")
def fftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
         norm: str = "backward") -> Tensor:
    """Returns fft along each of axes, by default all or the last as many as s has, of s elements each.

    >>> bp.fft.fftn(bp.ones((2, 2))).real.tolist()
    [[4.0, 0.0], [0.0, 0.0]]
    """
    return ops.fftn(x, s, axes, norm)


@plainly(ops.ifftn, "x s axes norm")
def ifftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    """Returns the inverse of fftn.

    >>> bp.fft.ifftn(bp.ones((2, 2))).real.tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    return ops.ifftn(x, s, axes, norm)


@plainly(ops.rfftn, "x s axes norm")
def rfftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    """Returns rfft along the last of axes and fft along the others.

    >>> bp.fft.rfftn(bp.ones((2, 4))).shape
    (2, 3)
    """
    return ops.rfftn(x, s, axes, norm)


@plainly(ops.irfftn, "x s axes norm")
def irfftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
           norm: str = "backward") -> Tensor:
    """Returns the inverse of rfftn.

    >>> bp.fft.irfftn(bp.ones((2, 3), dtype=bp.complex64)).shape
    (2, 4)
    """
    return ops.irfftn(x, s, axes, norm)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Returns the frequencies of fft's results, in cycles per unit of d: 0, 1, ..., -2, -1, over n * d.

    >>> bp.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    _size(n)
    whole = standard.arange(-(n // 2), n - n // 2, device=device)
    return _over(ifftshift(whole), n * d, dtype)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Returns the frequencies of rfft's results: 0, 1, ..., n // 2, over n * d.

    >>> bp.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
    _size(n)
    return _over(standard.arange(n // 2 + 1, device=device), n * d, dtype)


def _over(whole: Tensor, length: float, dtype: DType | None) -> Tensor:
    t = _core.get_default_dtype() if dtype is None else dtype
    return ops.div(whole.to(t), length)


def _axes(x: Tensor, axes: Axes) -> Sequence[int]:
    return range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes


def fftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    """Moves frequency 0 to the middle.

    >>> bp.fft.fftshift(bp.asarray([0, 1, -2, -1]))
    tensor([-2, -1,  0,  1])
    """
    along = list(_axes(x, axes))
    return ops.roll(x, [x.shape[a] // 2 for a in along], along)


def ifftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    """Undoes fftshift: moves the middle of axes, or of all, to their beginning.

    >>> bp.fft.ifftshift(bp.asarray([-2, -1, 0, 1]))
    tensor([ 0,  1, -2, -1])
    """
    along = list(_axes(x, axes))
    return ops.roll(x, [-(x.shape[a] // 2) for a in along], along)


with_both_names(globals())
