# SPDX-License-Identifier: Apache-2.0
"""Images and signals at other sizes: the function, and the modules that call it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ops
from ..tensor import Tensor
from .module import Module

__all__ = ["UPSAMPLINGS", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d", "interpolate"]

_MODES = {"nearest": (1, 2, 3), "nearest-exact": (1, 2, 3), "area": (1, 2, 3), "linear": (1,), "bilinear": (2,), "bicubic": (2,),
          "trilinear": (3,)}  # and for how many spatial dims each is there
_PLAIN = ("nearest", "area", "nearest-exact")

Sizes = int | Sequence[int] | None
Scales = float | Sequence[float] | None


def _for_each(name: str, given: Any, input: Any) -> list[Any]:
    """Returns a number for each spatial dim of input."""
    n = input.ndim - 2
    if not isinstance(given, (list, tuple)):
        return [given] * n
    if len(given) != n:
        what = "output size" if name == "size" else "scale_factor"
        letters = "o" if name == "size" else "s"
        raise ValueError(
            f"Input and {what if name == 'scale_factor' else 'output'} must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {list(input.shape[2:])} and {what} of {'shape ' if name == 'scale_factor' else ''}{given}. Please "
            f"provide input tensor in (N, C, d1, d2, ...,dK) format and {what} in ({letters}1, {letters}2, ...,{letters}K) format.")
    return list(given)


def interpolate(input: Any, size: Sizes = None, scale_factor: Scales = None, mode: str = "nearest", align_corners: bool | None = None,
                recompute_scale_factor: bool | None = None, antialias: bool = False) -> Tensor:
    """Returns input, [N, C, *], at other spatial sizes, size or scale_factor times its own. mode is nearest, nearest-exact, area,
    linear (of one dimension), bilinear, bicubic (of two) or trilinear (of three). antialias raises NotImplementedError.

    >>> bp.nn.functional.interpolate(bp.asarray([[[1.0, 2.0]]]), scale_factor=2, mode="linear").tolist()
    [[[1.0, 1.25, 1.75, 2.0]]]
    """
    if mode in _PLAIN and align_corners is not None:
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    n = input.ndim - 2
    dims = _MODES.get(mode, ())
    if n not in dims:
        if len(dims) == 1 and n in (1, 2, 3) and mode != "bicubic":
            raise NotImplementedError(f"Got {n + 2}D input, but {mode} mode needs {dims[0] + 2}D input")
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {n + 2}D) for the modes: nearest | linear | bilinear | bicubic "
            f"| trilinear | lanczos | area | nearest-exact (got {mode})")
    if antialias:
        raise NotImplementedError("interpolate has no antialias")
    wanted, scales = _for_each("size", size, input), [0.0] * n
    if scale_factor is not None:
        factors = [float(f) for f in _for_each("scale_factor", scale_factor, input)]
        wanted = [int(s * f) for s, f in zip(input.shape[2:], factors, strict=True)]
        if not recompute_scale_factor and mode != "area":
            scales = [0.0 if s * f == w else f for s, f, w in zip(input.shape[2:], factors, wanted, strict=True)]
    if any(scales):
        d, h, w = [0.0] * (3 - n) + scales
        return ops.interpolate_v2(input, wanted, mode=mode, align_corners=bool(align_corners), scale_d=d, scale_h=h, scale_w=w)
    return ops.interpolate(input, wanted, mode=mode, align_corners=bool(align_corners))


class Upsample(Module):
    """interpolate as a module.

    >>> bp.nn.Upsample(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
                 recompute_scale_factor: bool | None = None) -> None:
        super().__init__()
        self.size, self.mode, self.align_corners, self.recompute_scale_factor = size, mode, align_corners, recompute_scale_factor
        if isinstance(scale_factor, (list, tuple)):
            self.scale_factor: Any = tuple(map(float, scale_factor))
        elif isinstance(scale_factor, (int, float)):
            self.scale_factor = float(scale_factor)
        else:
            self.scale_factor = None

    def forward(self, input: Any) -> Any:
        return interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)

    def extra_repr(self) -> str:
        what = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{what}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Upsample of images with mode="nearest".

    >>> bp.nn.UpsamplingNearest2d(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Upsample of images with mode="bilinear" and align_corners=True.

    >>> bp.nn.UpsamplingBilinear2d(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


UPSAMPLINGS = (Upsample, UpsamplingNearest2d, UpsamplingBilinear2d)
