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
    """The discrete Fourier transform of n elements along dim, complex: input is cut, or followed by zeros.

    >>> torch.fft.fft(torch.ones(2)).real
    tensor([2., 0.])
    """
    return ops.fft(input, n=_size(n), axis=dim, norm=norm or "backward")


def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of fft.

    >>> torch.fft.ifft(torch.tensor([2 + 0j, 0j])).real
    tensor([1., 1.])
    """
    return ops.ifft(input, n=_size(n), axis=dim, norm=norm or "backward")


def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first n // 2 + 1 numbers of fft of real ones.

    >>> torch.fft.rfft(torch.ones(8)).shape
    torch.Size([5])
    """
    return ops.rfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of rfft: n real numbers, by default 2 (m - 1) of m.

    >>> torch.fft.irfft(torch.tensor([4 + 0j, 0j, 0j]))
    tensor([1., 1., 1., 1.])
    """
    return ops.irfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real fft of Hermitian numbers of which input is the first half.

    >>> torch.fft.hfft(torch.ones(3)).shape
    torch.Size([4])
    """
    return ops.hfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of hfft.

    >>> torch.fft.ihfft(torch.ones(4)).shape
    torch.Size([3])
    """
    return ops.ihfft(input, n=_size(n), axis=dim, norm=norm or "backward")


def fftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    """fft along each of dim, by default all or the last as many as s has.

    >>> torch.fft.fftn(torch.ones(2, 2)).shape
    torch.Size([2, 2])
    """
    return ops.fftn(input, s=s, axes=dim, norm=norm or "backward")


def ifftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    """The inverse of fftn.

    >>> torch.fft.ifftn(torch.ones(2, 2)).shape
    torch.Size([2, 2])
    """
    return ops.ifftn(input, s=s, axes=dim, norm=norm or "backward")


def rfftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    """rfft along the last of dim and fft along the others.

    >>> torch.fft.rfftn(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return ops.rfftn(input, s=s, axes=dim, norm=norm or "backward")


def irfftn(input: Tensor, s: Sizes = None, dim: Axes = None, norm: str | None = None) -> Tensor:
    """The inverse of rfftn.

    >>> torch.fft.irfftn(torch.ones(2, 3)).shape
    torch.Size([2, 4])
    """
    return ops.irfftn(input, s=s, axes=dim, norm=norm or "backward")


def fft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """fftn along the last two dimensions.

    >>> torch.fft.fft2(torch.ones(2, 2)).shape
    torch.Size([2, 2])
    """
    return fftn(input, s, dim, norm)


def ifft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of fft2.

    >>> torch.fft.ifft2(torch.ones(2, 2)).shape
    torch.Size([2, 2])
    """
    return ifftn(input, s, dim, norm)


def rfft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """rfftn along the last two dimensions.

    >>> torch.fft.rfft2(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return rfftn(input, s, dim, norm)


def irfft2(input: Tensor, s: Sizes = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of rfft2.

    >>> torch.fft.irfft2(torch.ones(2, 3)).shape
    torch.Size([2, 4])
    """
    return irfftn(input, s, dim, norm)


def fftfreq(n: int, d: float = 1.0, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """The frequencies of fft's results, for n elements at the distance d.

    >>> torch.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    return own(standard.fftfreq(n, d=d, dtype=dtype, device=device))


def rfftfreq(n: int, d: float = 1.0, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """The frequencies of rfft's results, for n elements at the distance d.

    >>> torch.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
    return own(standard.rfftfreq(n, d=d, dtype=dtype, device=device))


def fftshift(input: Tensor, dim: Axes = None) -> Tensor:
    """The elements with those of frequency 0 in the middle of dim, or of all.

    >>> torch.fft.fftshift(torch.tensor([0, 1, -2, -1]))
    tensor([-2, -1,  0,  1])
    """
    return standard.fftshift(input, axes=dim)


def ifftshift(input: Tensor, dim: Axes = None) -> Tensor:
    """Undoes fftshift.

    >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1]))
    tensor([ 0,  1, -2, -1])
    """
    return standard.ifftshift(input, axes=dim)
