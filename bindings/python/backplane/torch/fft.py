# SPDX-License-Identifier: Apache-2.0
"""``torch.fft``: backplane.fft with PyTorch's names, arguments and defaults."""

from __future__ import annotations

from collections.abc import Sequence

from .. import fft as standard
from .. import ops
from .._types import Device, DType
from ..fft import Axes, _size
from ..tensor import Tensor
from .tensor import own

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]
Sizes = Sequence[int] | None


def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.fft(input, n=_size(n), axis=dim, norm=norm or "backward")


def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.ifft(input, n=_size(n), axis=dim, norm=norm or "backward")


def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.rfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.irfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.hfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    return ops.ihfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def fftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    return ops.fftn(input, s=s, axes=dim, norm=norm or "backward")


def ifftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    return ops.ifftn(input, s=s, axes=dim, norm=norm or "backward")


def rfftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    return ops.rfftn(input, s=s, axes=dim, norm=norm or "backward")


def irfftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    return ops.irfftn(input, s=s, axes=dim, norm=norm or "backward")


def fft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    return fftn(input, s, dim, norm)


def ifft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    return ifftn(input, s, dim, norm)


def rfft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    return rfftn(input, s, dim, norm)


def irfft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    return irfftn(input, s, dim, norm)


def fftfreq(n: int, d: float = 1.0, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(standard.fftfreq(n, d=d, dtype=dtype, device=device))


def rfftfreq(n: int, d: float = 1.0, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(standard.rfftfreq(n, d=d, dtype=dtype, device=device))


def fftshift(input: Tensor, dim: Axes = None) -> Tensor:
    return standard.fftshift(input, axes=dim)


def ifftshift(input: Tensor, dim: Axes = None) -> Tensor:
    return standard.ifftshift(input, axes=dim)
