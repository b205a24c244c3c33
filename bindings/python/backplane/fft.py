# SPDX-License-Identifier: Apache-2.0
"""The array standard's extension ``fft``: discrete Fourier transforms of any length: ``bp.fft.fft(x)``.

norm says which transforms are divided by the number n of elements: "backward" ones, "forward" ones, or with "ortho" both, by
the square root of n."""

from __future__ import annotations

from collections.abc import Sequence

from . import _core, ops, standard
from ._types import Device, DType
from .keywords import with_both_names
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


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.fft(x, n=_size(n), axis=axis, norm=norm)


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.ifft(x, n=_size(n), axis=axis, norm=norm)


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.rfft(x, n=_size(n), axis=axis, norm=norm)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.irfft(x, n=_size(n), axis=axis, norm=norm)


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.hfft(x, n=_size(n), axis=axis, norm=norm)


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    return ops.ihfft(x, n=_size(n), axis=axis, norm=norm)


def fftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
         norm: str = "backward") -> Tensor:
    return ops.fftn(x, s=s, axes=axes, norm=norm)


def ifftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    return ops.ifftn(x, s=s, axes=axes, norm=norm)


def rfftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    return ops.rfftn(x, s=s, axes=axes, norm=norm)


def irfftn(x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
           norm: str = "backward") -> Tensor:
    return ops.irfftn(x, s=s, axes=axes, norm=norm)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Returns the frequencies of fft's results, in cycles per unit of d: 0, 1, ..., -2, -1, over n * d."""
    _size(n)
    whole = standard.arange(-(n // 2), n - n // 2, device=device)
    return _over(ifftshift(whole), n * d, dtype)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Returns the frequencies of rfft's results: 0, 1, ..., n // 2, over n * d."""
    _size(n)
    return _over(standard.arange(n // 2 + 1, device=device), n * d, dtype)


def _over(whole: Tensor, length: float, dtype: DType | None) -> Tensor:
    t = _core.get_default_dtype() if dtype is None else dtype
    return ops.div(whole.to(t), length)


def _axes(x: Tensor, axes: Axes) -> Sequence[int]:
    return range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes


def fftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    """Moves frequency 0 to the middle."""
    along = list(_axes(x, axes))
    return standard.roll(x, [x.shape[a] // 2 for a in along], axis=along)


def ifftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    along = list(_axes(x, axes))
    return standard.roll(x, [-(x.shape[a] // 2) for a in along], axis=along)


with_both_names(globals())
