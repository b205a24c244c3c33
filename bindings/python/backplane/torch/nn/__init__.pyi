# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from collections.abc import Sequence
from typing import Any
from typing_extensions import Self
from . import (
    functional as functional, init as init, module as module, parallel as parallel, parameter as parameter, utils as utils,
)
from .. import Tensor
from ... import nn as _nn
from ..._types import DType, Device
from ...tensor import Tensor as _Base
from .module import Module as Module
from .parameter import Parameter as Parameter, UninitializedParameter as UninitializedParameter

class Sequential(Module, _nn.Sequential):
    """Calls its children one after the other, each with the result of the one before: Sequential(a, b),
    Sequential(OrderedDict(first=a, second=b)).

    >>> net = bp.nn.Sequential(bp.nn.Linear(3, 8), bp.nn.ReLU(), bp.nn.Linear(8, 2))
    >>> net(bp.ones((4, 3))).shape
    (4, 2)"""
    def __init__(self, *modules: Any) -> None: ...

class ModuleList(Module, _nn.ModuleList):
    """A list of children, which has no forward.

    >>> layers = bp.nn.ModuleList([bp.nn.Linear(2, 2), bp.nn.ReLU()])
    >>> len(layers)
    2"""
    def __init__(self, modules: Any = ()) -> None: ...

class ModuleDict(Module, _nn.ModuleDict):
    """A dict of children.

    >>> parts = bp.nn.ModuleDict({"hidden": bp.nn.Linear(3, 2)})
    >>> parts["hidden"](bp.ones(3)).shape
    (2,)"""
    def __init__(self, modules: Any = None) -> None: ...

class ParameterList(Module, _nn.ParameterList):
    """A list of parameters.

    >>> numbers = bp.nn.ParameterList([bp.ones(2), bp.ones(3)])
    >>> len(list(numbers.parameters()))
    2"""
    def __init__(self, values: Any = ()) -> None: ...

class ParameterDict(Module, _nn.ParameterDict):
    """A dict of parameters.

    >>> numbers = bp.nn.ParameterDict({"scale": bp.ones(2)})
    >>> numbers["scale"].requires_grad
    True"""
    def __init__(self, values: Any = None) -> None: ...

class TransformerEncoder(Module, _nn.TransformerEncoder):
    """Calls num_layers copies of a layer one after the other.

    >>> encoder = bp.nn.TransformerEncoder(bp.nn.TransformerEncoderLayer(4, 2), num_layers=2)
    >>> encoder(bp.ones((3, 1, 4))).shape
    (3, 1, 4)"""
    def __init__(self, encoder_layer: Any, num_layers: int, norm: Any = None, enable_nested_tensor: bool = True, mask_check: bool = True) -> None: ...

class Upsample(Module, _nn.Upsample):
    """interpolate as a module.

    >>> bp.nn.Upsample(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)"""
    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> None: ...

class UpsamplingBilinear2d(Module, _nn.UpsamplingBilinear2d):
    """Upsample of images with mode="bilinear" and align_corners=True.

    >>> bp.nn.UpsamplingBilinear2d(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)"""
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...

class UpsamplingNearest2d(Module, _nn.UpsamplingNearest2d):
    """Upsample of images with mode="nearest".

    >>> bp.nn.UpsamplingNearest2d(scale_factor=2)(bp.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 6)"""
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...

class Identity(Module, _nn.Identity):
    """x itself.

    The result has the input's shape.

    >>> bp.nn.Identity()(bp.asarray([-1.0, 2.0]))
    tensor([-1.,  2.])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Flatten(Module, _nn.Flatten):
    """Dimensions start_dim to end_dim as one.

        start_dim: the first dimension that is joined
        end_dim: the last one

    >>> bp.nn.Flatten()(bp.ones((2, 3, 4))).shape
    (2, 12)"""
    start_dim: int
    end_dim: int
    def __init__(self, start_dim: int = 1, end_dim: int = -1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Unflatten(Module, _nn.Unflatten):
    """One dimension as several.

        dim: the dimension that is taken apart
        unflattened_size: what it becomes; one size may be -1

    >>> bp.nn.Unflatten(1, (3, 4))(bp.ones((2, 12))).shape
    (2, 3, 4)"""
    dim: int
    unflattened_size: tuple[int, ...]
    def __init__(self, dim: int, unflattened_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Linear(Module, _nn.Linear):
    """x weight^T + bias.

        in_features: size of each input's last dimension
        out_features: size of each result's last dimension
        bias: whether there is a learned bias

    [*, in_features] gives [*, out_features].

    >>> bp.nn.Linear(3, 2)(bp.ones((4, 3))).shape
    (4, 2)"""
    weight: Parameter
    bias: Parameter
    in_features: int
    out_features: int
    def __init__(self, in_features: int, out_features: int, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LazyLinear(Module, _nn.LazyLinear):
    """A linear that takes in_features from its first input, and is one from then on.

        out_features: size of each result's last dimension
        bias: whether there is a learned bias

    [*, in_features] gives [*, out_features].

    >>> bp.nn.LazyLinear(2)(bp.ones((4, 3))).shape
    (4, 2)"""
    weight: Parameter
    bias: Parameter
    out_features: int
    def __init__(self, out_features: int, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Bilinear(Module, _nn.Bilinear):
    """x1 weight x2 + bias.

        in1_features: size of the first input's last dimension
        in2_features: size of the second input's last dimension
        out_features: size of each result's last dimension
        bias: whether there is a learned bias

    [*, in1_features] and [*, in2_features] give [*, out_features].

    >>> bp.nn.Bilinear(2, 3, 4)(bp.ones((5, 2)), bp.ones((5, 3))).shape
    (5, 4)"""
    weight: Parameter
    bias: Parameter
    in1_features: int
    in2_features: int
    out_features: int
    def __init__(self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class Conv1d(Module, _nn.Conv1d):
    """Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.Conv1d(3, 2, 3)(bp.ones((1, 3, 8))).shape
    (1, 2, 6)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Conv2d(Module, _nn.Conv2d):
    """Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.Conv2d(3, 2, 3)(bp.ones((1, 3, 8, 8))).shape
    (1, 2, 6, 6)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Conv3d(Module, _nn.Conv3d):
    """Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.Conv3d(3, 2, 3)(bp.ones((1, 3, 8, 8, 8))).shape
    (1, 2, 6, 6, 6)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LazyConv1d(Module, _nn.LazyConv1d):
    """A convolution that takes in_channels from its first input, and is one from then on.

        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.LazyConv1d(2, 3)(bp.ones((1, 3, 8))).shape
    (1, 2, 6)"""
    weight: Parameter
    bias: Parameter
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LazyConv2d(Module, _nn.LazyConv2d):
    """A convolution that takes in_channels from its first input, and is one from then on.

        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.LazyConv2d(2, 3)(bp.ones((1, 3, 8, 8))).shape
    (1, 2, 6, 6)"""
    weight: Parameter
    bias: Parameter
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LazyConv3d(Module, _nn.LazyConv3d):
    """A convolution that takes in_channels from its first input, and is one from then on.

        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: added on both sides; or "valid" (none), "same" (as the input)
        dilation: steps between a kernel's elements
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        padding_mode: zeros, reflect, replicate or circular

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) // stride + 1.

    >>> bp.nn.LazyConv3d(2, 3)(bp.ones((1, 3, 8, 8, 8))).shape
    (1, 2, 6, 6, 6)"""
    weight: Parameter
    bias: Parameter
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    groups: int
    padding_mode: str
    def __init__(self, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0, dilation: int | Sequence[int] = 1, groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ConvTranspose1d(Module, _nn.ConvTranspose1d):
    """The gradient of a convolution towards its input, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: taken from both sides of the result
        output_padding: added to one side of the result
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        dilation: steps between a kernel's elements

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s - 1) stride - 2 padding + dilation (kernel_size - 1) + output_padding + 1.

    >>> bp.nn.ConvTranspose1d(3, 2, 3)(bp.ones((1, 3, 6))).shape
    (1, 2, 8)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    dilation: tuple[int, ...]
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, bias: bool = True, dilation: int | Sequence[int] = 1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ConvTranspose2d(Module, _nn.ConvTranspose2d):
    """The gradient of a convolution towards its input, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: taken from both sides of the result
        output_padding: added to one side of the result
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        dilation: steps between a kernel's elements

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s - 1) stride - 2 padding + dilation (kernel_size - 1) + output_padding + 1.

    >>> bp.nn.ConvTranspose2d(3, 2, 3)(bp.ones((1, 3, 6, 6))).shape
    (1, 2, 8, 8)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    dilation: tuple[int, ...]
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, bias: bool = True, dilation: int | Sequence[int] = 1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ConvTranspose3d(Module, _nn.ConvTranspose3d):
    """The gradient of a convolution towards its input, plus bias.

        in_channels: channels of the input
        out_channels: channels of the result
        kernel_size: sizes of the kernel, or one for all
        stride: steps of the kernel
        padding: taken from both sides of the result
        output_padding: added to one side of the result
        groups: groups of channels that do not meet
        bias: whether there is a learned bias
        dilation: steps between a kernel's elements

    [N, in_channels, *] gives [N, out_channels, *], each size s of * as (s - 1) stride - 2 padding + dilation (kernel_size - 1) + output_padding + 1.

    >>> bp.nn.ConvTranspose3d(3, 2, 3)(bp.ones((1, 3, 6, 6, 6))).shape
    (1, 2, 8, 8, 8)"""
    weight: Parameter
    bias: Parameter
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    dilation: tuple[int, ...]
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | Sequence[int], stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, bias: bool = True, dilation: int | Sequence[int] = 1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class BatchNorm1d(Module, _nn.BatchNorm1d):
    """Each channel by the batch's mean and variance in training, else by the running ones.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: the mean of all batches
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.BatchNorm1d(3)(bp.ones((4, 3))).shape
    (4, 3)"""
    weight: Parameter
    bias: Parameter
    running_mean: Tensor
    running_var: Tensor
    num_batches_tracked: Tensor
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class BatchNorm2d(Module, _nn.BatchNorm2d):
    """Each channel by the batch's mean and variance in training, else by the running ones.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: the mean of all batches
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.BatchNorm2d(3)(bp.ones((4, 3, 2, 2))).shape
    (4, 3, 2, 2)"""
    weight: Parameter
    bias: Parameter
    running_mean: Tensor
    running_var: Tensor
    num_batches_tracked: Tensor
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class BatchNorm3d(Module, _nn.BatchNorm3d):
    """Each channel by the batch's mean and variance in training, else by the running ones.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: the mean of all batches
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.BatchNorm3d(3)(bp.ones((4, 3, 2, 2, 2))).shape
    (4, 3, 2, 2, 2)"""
    weight: Parameter
    bias: Parameter
    running_mean: Tensor
    running_var: Tensor
    num_batches_tracked: Tensor
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class InstanceNorm1d(Module, _nn.InstanceNorm1d):
    """Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: none
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.InstanceNorm1d(3)(bp.ones((4, 3, 2))).shape
    (4, 3, 2)"""
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = False, track_running_stats: bool = False, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class InstanceNorm2d(Module, _nn.InstanceNorm2d):
    """Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: none
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.InstanceNorm2d(3)(bp.ones((4, 3, 2, 2))).shape
    (4, 3, 2, 2)"""
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = False, track_running_stats: bool = False, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class InstanceNorm3d(Module, _nn.InstanceNorm3d):
    """Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.

        num_features: channels
        eps: added to the variance
        momentum: share of a batch in the running statistics; NaN: none
        affine: whether weight and bias are learned
        track_running_stats: whether there are running statistics
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.InstanceNorm3d(3)(bp.ones((4, 3, 2, 2, 2))).shape
    (4, 3, 2, 2, 2)"""
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool
    def __init__(self, num_features: int, eps: float | None = 1e-05, momentum: float | None = 0.1, affine: bool = False, track_running_stats: bool = False, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LayerNorm(Module, _nn.LayerNorm):
    """The last dimensions by their mean and variance.

        normalized_shape: sizes of the last dimensions
        eps: added to the variance
        elementwise_affine: whether weight and bias are learned
        bias: whether there is a bias

    The result has the input's shape.

    >>> bp.nn.LayerNorm(3)(bp.ones((2, 3))).shape
    (2, 3)"""
    weight: Parameter
    bias: Parameter
    normalized_shape: tuple[int, ...]
    eps: float
    elementwise_affine: bool
    def __init__(self, normalized_shape: int | Sequence[int], eps: float | None = 1e-05, elementwise_affine: bool = True, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class RMSNorm(Module, _nn.RMSNorm):
    """The last dimensions by the root of their mean square.

        normalized_shape: sizes of the last dimensions
        eps: added to the mean square; NaN: the dtype's epsilon
        elementwise_affine: whether weight is learned

    The result has the input's shape.

    >>> bp.nn.RMSNorm(3)(bp.ones((2, 3))).shape
    (2, 3)"""
    weight: Parameter
    normalized_shape: tuple[int, ...]
    eps: float
    elementwise_affine: bool
    def __init__(self, normalized_shape: int | Sequence[int], eps: float | None = None, elementwise_affine: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class GroupNorm(Module, _nn.GroupNorm):
    """Groups of channels by their mean and variance.

        num_groups: groups of channels
        num_channels: channels
        eps: added to the variance
        affine: whether weight and bias are learned
        bias: whether there is a bias, where affine

    The result has the input's shape.

    >>> bp.nn.GroupNorm(2, 4)(bp.ones((1, 4, 3))).shape
    (1, 4, 3)"""
    weight: Parameter
    bias: Parameter
    num_groups: int
    num_channels: int
    eps: float
    affine: bool
    def __init__(self, num_groups: int, num_channels: int, eps: float | None = 1e-05, affine: bool = True, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ReLU(Module, _nn.ReLU):
    """max(x, 0).

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.ReLU()(bp.asarray([-1.0, 2.0]))
    tensor([0., 2.])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ReLU6(Module, _nn.ReLU6):
    """min(max(x, 0), 6).

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.ReLU6()(bp.asarray([-1.0, 2.0]))
    tensor([0., 2.])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class GELU(Module, _nn.GELU):
    """x times the normal distribution function of x.

        approximate: none, or tanh: a polynomial's

    The result has the input's shape.

    >>> bp.nn.GELU()(bp.asarray([-1.0, 2.0]))
    tensor([-0.1587,  1.9545])"""
    approximate: str
    def __init__(self, approximate: str = 'none', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class SiLU(Module, _nn.SiLU):
    """x sigmoid(x).

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.SiLU()(bp.asarray([-1.0, 2.0]))
    tensor([-0.2689,  1.7616])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ELU(Module, _nn.ELU):
    """x, below 0 alpha (exp(x) - 1).

        alpha: what it falls to, negated
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.ELU()(bp.asarray([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])"""
    alpha: float
    inplace: bool
    def __init__(self, alpha: float | None = 1.0, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class SELU(Module, _nn.SELU):
    """elu, scaled so that layers keep mean 0 and variance 1.

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.SELU()(bp.asarray([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class CELU(Module, _nn.CELU):
    """x, below 0 alpha (exp(x / alpha) - 1).

        alpha: what it falls to, negated
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.CELU()(bp.asarray([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])"""
    alpha: float
    inplace: bool
    def __init__(self, alpha: float | None = 1.0, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LeakyReLU(Module, _nn.LeakyReLU):
    """x, below 0 negative_slope x.

        negative_slope: slope below 0
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.LeakyReLU()(bp.asarray([-1.0, 2.0]))
    tensor([-0.0100,  2.0000])"""
    negative_slope: float
    inplace: bool
    def __init__(self, negative_slope: float | None = 0.01, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class PReLU(Module, _nn.PReLU):
    """x, below 0 a learned slope times x.

        num_parameters: 1, or the number of channels
        init: the slope at first

    The result has the input's shape.

    >>> bp.nn.PReLU()(bp.asarray([-1.0, 2.0])).detach()
    tensor([-0.2500,  2.0000])"""
    weight: Parameter
    num_parameters: int
    init: float
    def __init__(self, num_parameters: int = 1, init: float | None = 0.25, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Softplus(Module, _nn.Softplus):
    """log(1 + exp(beta x)) / beta.

        beta: scale
        threshold: beta x above which the result is x itself

    The result has the input's shape.

    >>> bp.nn.Softplus()(bp.asarray([-1.0, 2.0]))
    tensor([0.3133, 2.1269])"""
    beta: float
    threshold: float
    def __init__(self, beta: float | None = 1.0, threshold: float | None = 20.0, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Softsign(Module, _nn.Softsign):
    """x / (1 + |x|).

    The result has the input's shape.

    >>> bp.nn.Softsign()(bp.asarray([-1.0, 2.0]))
    tensor([-0.5000,  0.6667])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Tanh(Module, _nn.Tanh):
    """tanh(x).

    The result has the input's shape.

    >>> bp.nn.Tanh()(bp.asarray([-1.0, 2.0]))
    tensor([-0.7616,  0.9640])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Tanhshrink(Module, _nn.Tanhshrink):
    """x - tanh(x).

    The result has the input's shape.

    >>> bp.nn.Tanhshrink()(bp.asarray([-1.0, 2.0]))
    tensor([-0.2384,  1.0360])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Sigmoid(Module, _nn.Sigmoid):
    """1 / (1 + exp(-x)).

    The result has the input's shape.

    >>> bp.nn.Sigmoid()(bp.asarray([-1.0, 2.0]))
    tensor([0.2689, 0.8808])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LogSigmoid(Module, _nn.LogSigmoid):
    """log(sigmoid(x)).

    The result has the input's shape.

    >>> bp.nn.LogSigmoid()(bp.asarray([-1.0, 2.0]))
    tensor([-1.3133, -0.1269])"""
    def __init__(self, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Hardswish(Module, _nn.Hardswish):
    """x relu6(x + 3) / 6.

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Hardswish()(bp.asarray([-1.0, 2.0]))
    tensor([-0.3333,  1.6667])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Hardsigmoid(Module, _nn.Hardsigmoid):
    """relu6(x + 3) / 6.

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Hardsigmoid()(bp.asarray([-1.0, 2.0]))
    tensor([0.3333, 0.8333])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Hardtanh(Module, _nn.Hardtanh):
    """x within min_val and max_val.

        min_val: the least result
        max_val: the largest
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Hardtanh()(bp.asarray([-1.0, 2.0]))
    tensor([-1.,  1.])"""
    min_val: float
    max_val: float
    inplace: bool
    def __init__(self, min_val: float | None = -1.0, max_val: float | None = 1.0, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Mish(Module, _nn.Mish):
    """x tanh(softplus(x)).

        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Mish()(bp.asarray([-1.0, 2.0]))
    tensor([-0.3034,  1.9440])"""
    inplace: bool
    def __init__(self, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Threshold(Module, _nn.Threshold):
    """x above threshold, else value.

        threshold: above which x stays
        value: in its place else
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Threshold(0.5, 9.0)(bp.asarray([-1.0, 2.0]))
    tensor([9., 2.])"""
    threshold: float
    value: float
    inplace: bool
    def __init__(self, threshold: float | None = 0.0, value: float | None = 0.0, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class GLU(Module, _nn.GLU):
    """The first half of a dimension times sigmoid of the second.

        dim: the dimension that is halved

    >>> bp.nn.GLU(dim=0)(bp.asarray([2.0, 0.0]))
    tensor([1.])"""
    dim: int
    def __init__(self, dim: int = -1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Softmax(Module, _nn.Softmax):
    """exp(x) over its sum along dim.

        dim: along which the sum is 1; none: as PyTorch chooses

    The result has the input's shape.

    >>> bp.nn.Softmax(dim=0)(bp.asarray([-1.0, 2.0]))
    tensor([0.0474, 0.9526])"""
    dim: tuple[int, ...]
    def __init__(self, dim: int | Sequence[int] | None = None, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LogSoftmax(Module, _nn.LogSoftmax):
    """log of softmax.

        dim: along which the sum is 1; none: as PyTorch chooses

    The result has the input's shape.

    >>> bp.nn.LogSoftmax(dim=0)(bp.asarray([-1.0, 2.0]))
    tensor([-3.0486, -0.0486])"""
    dim: tuple[int, ...]
    def __init__(self, dim: int | Sequence[int] | None = None, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class MaxPool1d(Module, _nn.MaxPool1d):
    """The largest of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: added on both sides, never the largest
        dilation: steps between a window's elements
        return_indices: whether the places are a second result
        ceil_mode: whether windows may go beyond the end

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.MaxPool1d(2)(bp.ones((1, 3, 8))).shape
    (1, 3, 4)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    return_indices: bool
    ceil_mode: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base) -> Any: ...
    def __call__(self, input: _Base) -> Any: ...

class MaxPool2d(Module, _nn.MaxPool2d):
    """The largest of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: added on both sides, never the largest
        dilation: steps between a window's elements
        return_indices: whether the places are a second result
        ceil_mode: whether windows may go beyond the end

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.MaxPool2d(2)(bp.ones((1, 3, 8, 6))).shape
    (1, 3, 4, 3)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    return_indices: bool
    ceil_mode: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base) -> Any: ...
    def __call__(self, input: _Base) -> Any: ...

class MaxPool3d(Module, _nn.MaxPool3d):
    """The largest of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: added on both sides, never the largest
        dilation: steps between a window's elements
        return_indices: whether the places are a second result
        ceil_mode: whether windows may go beyond the end

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.MaxPool3d(2)(bp.ones((1, 3, 8, 6, 4))).shape
    (1, 3, 4, 3, 2)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    return_indices: bool
    ceil_mode: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base) -> Any: ...
    def __call__(self, input: _Base) -> Any: ...

class AvgPool1d(Module, _nn.AvgPool1d):
    """The mean of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: zeros added on both sides
        ceil_mode: whether windows may go beyond the end
        count_include_pad: whether these zeros count

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.AvgPool1d(2)(bp.ones((1, 3, 8))).shape
    (1, 3, 4)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AvgPool2d(Module, _nn.AvgPool2d):
    """The mean of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: zeros added on both sides
        ceil_mode: whether windows may go beyond the end
        count_include_pad: whether these zeros count

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.AvgPool2d(2)(bp.ones((1, 3, 8, 6))).shape
    (1, 3, 4, 3)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AvgPool3d(Module, _nn.AvgPool3d):
    """The mean of each window.

        kernel_size: sizes of the windows, or one for all
        stride: steps; none: kernel_size
        padding: zeros added on both sides
        ceil_mode: whether windows may go beyond the end
        count_include_pad: whether these zeros count

    [N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.

    >>> bp.nn.AvgPool3d(2)(bp.ones((1, 3, 8, 6, 4))).shape
    (1, 3, 4, 3, 2)"""
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveAvgPool1d(Module, _nn.AdaptiveAvgPool1d):
    """Means of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveAvgPool1d(2)(bp.ones((1, 3, 8))).shape
    (1, 3, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveAvgPool2d(Module, _nn.AdaptiveAvgPool2d):
    """Means of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveAvgPool2d(2)(bp.ones((1, 3, 8, 6))).shape
    (1, 3, 2, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveAvgPool3d(Module, _nn.AdaptiveAvgPool3d):
    """Means of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveAvgPool3d(2)(bp.ones((1, 3, 8, 6, 4))).shape
    (1, 3, 2, 2, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveMaxPool1d(Module, _nn.AdaptiveMaxPool1d):
    """The largest of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveMaxPool1d(2)(bp.ones((1, 3, 8))).shape
    (1, 3, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveMaxPool2d(Module, _nn.AdaptiveMaxPool2d):
    """The largest of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveMaxPool2d(2)(bp.ones((1, 3, 8, 6))).shape
    (1, 3, 2, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveMaxPool3d(Module, _nn.AdaptiveMaxPool3d):
    """The largest of so many windows as the result has places.

        output_size: sizes of the result, or one for all

    [N, C, *] gives [N, C, *output_size].

    >>> bp.nn.AdaptiveMaxPool3d(2)(bp.ones((1, 3, 8, 6, 4))).shape
    (1, 3, 2, 2, 2)"""
    output_size: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Unfold(Module, _nn.Unfold):
    """The windows of images as columns.

        kernel_size: sizes of the windows, or one for both
        dilation: steps between a window's elements
        padding: zeros added on both sides
        stride: steps of the windows

    [N, C, H, W] gives [N, C * kernel, windows], and without N the same without it.

    >>> bp.nn.Unfold(3)(bp.ones((1, 2, 4, 4))).shape
    (1, 18, 4)"""
    kernel_size: tuple[int, ...]
    dilation: tuple[int, ...]
    padding: tuple[int, ...]
    stride: tuple[int, ...]
    def __init__(self, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Fold(Module, _nn.Fold):
    """Columns added up, where windows overlap, to images.

        output_size: sizes of the images, or one for both
        kernel_size: sizes of the windows, or one for both
        dilation: steps between a window's elements
        padding: zeros added on both sides
        stride: steps of the windows

    [N, C * kernel, windows] gives [N, C, *output_size], and without N the same without it.

    >>> bp.nn.Fold((4, 4), 3)(bp.ones((1, 18, 4))).shape
    (1, 2, 4, 4)"""
    output_size: tuple[int, ...]
    kernel_size: tuple[int, ...]
    dilation: tuple[int, ...]
    padding: tuple[int, ...]
    stride: tuple[int, ...]
    def __init__(self, output_size: int | Sequence[int], kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Embedding(Module, _nn.Embedding):
    """The vector of each index.

        num_embeddings: how many vectors
        embedding_dim: their size
        padding_idx: a vector that starts as zeros and does not learn

    Whole numbers of any shape [*] give [*, embedding_dim].

    >>> bp.nn.Embedding(5, 2)(bp.asarray([0, 4])).shape
    (2, 2)"""
    weight: Parameter
    num_embeddings: int
    embedding_dim: int
    padding_idx: Any
    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | Sequence[int] | None = None, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...
    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None) -> Self: ...

class Dropout(Module, _nn.Dropout):
    """In training elements become 0 with probability p, the others 1 / (1 - p) times as large.

        p: share of elements that become 0
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Dropout(0.5).eval()(bp.asarray([1.0, 2.0]))
    tensor([1., 2.])"""
    p: float
    inplace: bool
    def __init__(self, p: float | None = 0.5, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Dropout1d(Module, _nn.Dropout1d):
    """In training whole channels become 0 with probability p, the others 1 / (1 - p) times as large.

        p: share of elements that become 0
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Dropout1d(0.5)(bp.ones((2, 3, 4))).shape
    (2, 3, 4)"""
    p: float
    inplace: bool
    def __init__(self, p: float | None = 0.5, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Dropout2d(Module, _nn.Dropout2d):
    """In training whole channels become 0 with probability p, the others 1 / (1 - p) times as large.

        p: share of elements that become 0
        inplace: accepted; the result is a new tensor all the same

    The result has the input's shape.

    >>> bp.nn.Dropout2d(0.5)(bp.ones((2, 3, 4, 4))).shape
    (2, 3, 4, 4)"""
    p: float
    inplace: bool
    def __init__(self, p: float | None = 0.5, inplace: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class RNN(Module, _nn.RNN):
    """h = tanh(W_ih x + b_ih + W_hh h + b_hh) along a sequence. Inputs x, h0; results y, h.

        input_size: size of each input
        hidden_size: size of the state
        num_layers: layers, each on the results of the one before
        bias: whether there are learned biases
        batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
        dropout: share of the results left out between layers in training
        bidirectional: whether the sequence is also read from its end
        nonlinearity: tanh or relu

    [L, N, input_size], with batch_first [N, L, input_size], gives [L, N, hidden_size] and the last states, [num_layers, N, hidden_size].

    >>> y, h = bp.nn.RNN(3, 4)(bp.ones((5, 2, 3)))
    >>> y.shape, h.shape
    ((5, 2, 4), (1, 2, 4))"""
    weight_ih_l0: Parameter
    weight_hh_l0: Parameter
    bias_ih_l0: Parameter
    bias_hh_l0: Parameter
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    nonlinearity: str
    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float | None = 0.0, bidirectional: bool = False, nonlinearity: str = 'tanh', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: _Base | None = None) -> tuple[Tensor, Tensor]: ...
    def __call__(self, input: _Base, hx: _Base | None = None) -> tuple[Tensor, Tensor]: ...

class LSTM(Module, _nn.LSTM):
    """Long short-term memory along a sequence. Inputs x, h0, c0; results y, h, c.

        input_size: size of each input
        hidden_size: size of the state
        num_layers: layers, each on the results of the one before
        bias: whether there are learned biases
        batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
        dropout: share of the results left out between layers in training
        bidirectional: whether the sequence is also read from its end

    [L, N, input_size], with batch_first [N, L, input_size], gives [L, N, hidden_size] and the last states, [num_layers, N, hidden_size]. The states are h and c.

    >>> y, (h, c) = bp.nn.LSTM(3, 4)(bp.ones((5, 2, 3)))
    >>> y.shape, h.shape, c.shape
    ((5, 2, 4), (1, 2, 4), (1, 2, 4))"""
    weight_ih_l0: Parameter
    weight_hh_l0: Parameter
    bias_ih_l0: Parameter
    bias_hh_l0: Parameter
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float | None = 0.0, bidirectional: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: tuple[_Base, _Base] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]: ...
    def __call__(self, input: _Base, hx: tuple[_Base, _Base] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]: ...

class GRU(Module, _nn.GRU):
    """Gated recurrent units along a sequence. Inputs x, h0; results y, h.

        input_size: size of each input
        hidden_size: size of the state
        num_layers: layers, each on the results of the one before
        bias: whether there are learned biases
        batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
        dropout: share of the results left out between layers in training
        bidirectional: whether the sequence is also read from its end

    [L, N, input_size], with batch_first [N, L, input_size], gives [L, N, hidden_size] and the last states, [num_layers, N, hidden_size].

    >>> y, h = bp.nn.GRU(3, 4)(bp.ones((5, 2, 3)))
    >>> y.shape, h.shape
    ((5, 2, 4), (1, 2, 4))"""
    weight_ih_l0: Parameter
    weight_hh_l0: Parameter
    bias_ih_l0: Parameter
    bias_hh_l0: Parameter
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float | None = 0.0, bidirectional: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: _Base | None = None) -> tuple[Tensor, Tensor]: ...
    def __call__(self, input: _Base, hx: _Base | None = None) -> tuple[Tensor, Tensor]: ...

class RNNCell(Module, _nn.RNNCell):
    """One step of an rnn: [N, input_size] or [input_size]. Inputs x, h; result h.

        input_size: size of each input
        hidden_size: size of the state
        bias: whether there are learned biases
        nonlinearity: tanh or relu

    [N, input_size] or [input_size], and a state of hidden_size where one is given, give the next state.

    >>> bp.nn.RNNCell(3, 4)(bp.ones((5, 3))).shape
    (5, 4)"""
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter
    bias_hh: Parameter
    input_size: int
    hidden_size: int
    bias: bool
    nonlinearity: str
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = 'tanh', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: _Base | None = None) -> Tensor: ...
    def __call__(self, input: _Base, hx: _Base | None = None) -> Tensor: ...

class LSTMCell(Module, _nn.LSTMCell):
    """One step of an lstm: [N, input_size] or [input_size]. Inputs x, h, c; results h, c.

        input_size: size of each input
        hidden_size: size of the state
        bias: whether there are learned biases

    [N, input_size] or [input_size], and a state of hidden_size where one is given, give the next state. The states are h and c.

    >>> h, c = bp.nn.LSTMCell(3, 4)(bp.ones((5, 3)))
    >>> h.shape, c.shape
    ((5, 4), (5, 4))"""
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter
    bias_hh: Parameter
    input_size: int
    hidden_size: int
    bias: bool
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: tuple[_Base, _Base] | None = None) -> tuple[Tensor, Tensor]: ...
    def __call__(self, input: _Base, hx: tuple[_Base, _Base] | None = None) -> tuple[Tensor, Tensor]: ...

class GRUCell(Module, _nn.GRUCell):
    """One step of a gru: [N, input_size] or [input_size]. Inputs x, h; result h.

        input_size: size of each input
        hidden_size: size of the state
        bias: whether there are learned biases

    [N, input_size] or [input_size], and a state of hidden_size where one is given, give the next state.

    >>> bp.nn.GRUCell(3, 4)(bp.ones((5, 3))).shape
    (5, 4)"""
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter
    bias_hh: Parameter
    input_size: int
    hidden_size: int
    bias: bool
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: _Base, hx: _Base | None = None) -> Tensor: ...
    def __call__(self, input: _Base, hx: _Base | None = None) -> Tensor: ...

class MultiheadAttention(Module, _nn.MultiheadAttention):
    """Inputs query, key, value, key_padding_mask, attn_mask (bool: true is left out; else added). Results: attended, and the weights' mean over heads.

        embed_dim: size of queries and results
        num_heads: heads, which share embed_dim
        dropout: share of the weights left out in training
        bias: whether projections have biases
        add_bias_kv: whether a learned key and value join each sequence
        add_zero_attn: whether a key and a value of zeros join
        kdim: size of keys; none: embed_dim
        vdim: size of values; none: embed_dim
        batch_first: whether sequences are [N, L, ..], not [L, N, ..]

    Query [L, N, E], key and value [S, N, E] give [L, N, E] and the weights [N, L, S]; with batch_first N comes first.

    >>> x = bp.ones((3, 1, 4))
    >>> y, weights = bp.nn.MultiheadAttention(4, 2)(x, x, x)
    >>> y.shape, weights.shape
    ((3, 1, 4), (1, 3, 3))"""
    in_proj_weight: Parameter
    q_proj_weight: Any
    k_proj_weight: Any
    v_proj_weight: Any
    in_proj_bias: Parameter
    bias_k: Any
    bias_v: Any
    embed_dim: int
    num_heads: int
    dropout: float
    bias: bool
    add_bias_kv: bool
    add_zero_attn: bool
    kdim: tuple[int, ...]
    vdim: tuple[int, ...]
    batch_first: bool
    def __init__(self, embed_dim: int, num_heads: int, dropout: float | None = 0.0, bias: bool = True, add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | Sequence[int] | None = None, vdim: int | Sequence[int] | None = None, batch_first: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, query: _Base, key: _Base, value: _Base, key_padding_mask: _Base | None = None, need_weights: bool = True, attn_mask: _Base | None = None, average_attn_weights: bool = True, is_causal: bool = False) -> tuple[Tensor, Tensor | None]: ...
    def __call__(self, query: _Base, key: _Base, value: _Base, key_padding_mask: _Base | None = None, need_weights: bool = True, attn_mask: _Base | None = None, average_attn_weights: bool = True, is_causal: bool = False) -> tuple[Tensor, Tensor | None]: ...

class TransformerEncoderLayer(Module, _nn.TransformerEncoderLayer):
    """Attention of a sequence to itself, then two linear layers, each added to what it got. Inputs src, src_mask, src_key_padding_mask.

        d_model: size of inputs and results
        nhead: heads of attention
        dim_feedforward: size between the two linear layers
        dropout: share left out in training
        activation: relu or gelu
        layer_norm_eps: of the normalizations
        batch_first: whether sequences are [N, L, E], not [L, N, E]
        norm_first: whether normalization comes before attention and the linear layers
        bias: whether there are biases

    [L, N, d_model], with batch_first [N, L, d_model], gives the same shape.

    >>> bp.nn.TransformerEncoderLayer(4, 2)(bp.ones((3, 1, 4))).shape
    (3, 1, 4)"""
    d_model: int
    nhead: int
    dim_feedforward: int
    dropout: float
    activation: str
    layer_norm_eps: float
    batch_first: bool
    norm_first: bool
    bias: bool
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float | None = 0.1, activation: str = 'relu', layer_norm_eps: float | None = 1e-05, batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, src: _Base, src_mask: _Base | None = None, src_key_padding_mask: _Base | None = None, is_causal: bool = False) -> Tensor: ...
    def __call__(self, src: _Base, src_mask: _Base | None = None, src_key_padding_mask: _Base | None = None, is_causal: bool = False) -> Tensor: ...

class CrossEntropyLoss(Module, _nn.CrossEntropyLoss):
    """Of the logarithms of softmax(input) those of the targets' classes, negated; buffer weight: of each class.

        ignore_index: a target that does not count
        reduction: none, mean or sum
        label_smoothing: share of the uniform distribution in targets

    [N, C] or [N, C, *] and classes [N] or [N, *] give one number, or with reduction="none" one for each of these.

    >>> bp.nn.CrossEntropyLoss()(bp.zeros((2, 3)), bp.asarray([0, 2]))
    tensor(1.0986)"""
    weight: Any
    ignore_index: int
    reduction: str
    label_smoothing: float
    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float | None = 0.0, *, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class NLLLoss(Module, _nn.NLLLoss):
    """Of input those of the targets' classes, negated; buffer weight: of each class.

        ignore_index: a target that does not count
        reduction: none, mean or sum

    [N, C] or [N, C, *] and classes [N] or [N, *] give one number, or with reduction="none" one for each of these.

    >>> bp.nn.NLLLoss()(bp.asarray([[-1.0, -2.0], [-3.0, -0.5]]), bp.asarray([0, 1]))
    tensor(0.7500)"""
    weight: Any
    ignore_index: int
    reduction: str
    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', *, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class MSELoss(Module, _nn.MSELoss):
    """(input - target)^2.

        reduction: none, mean or sum

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.MSELoss()(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(2.5000)"""
    reduction: str
    def __init__(self, reduction: str = 'mean', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class L1Loss(Module, _nn.L1Loss):
    """|input - target|.

        reduction: none, mean or sum

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.L1Loss()(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(1.5000)"""
    reduction: str
    def __init__(self, reduction: str = 'mean', device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class BCELoss(Module, _nn.BCELoss):
    """Binary cross entropy of probabilities; buffer weight.

        reduction: none, mean or sum

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.BCELoss()(bp.asarray([0.5, 0.5]), bp.asarray([1.0, 0.0]))
    tensor(0.6931)"""
    weight: Any
    reduction: str
    def __init__(self, weight: Tensor | None = None, reduction: str = 'mean', *, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class BCEWithLogitsLoss(Module, _nn.BCEWithLogitsLoss):
    """Binary cross entropy of sigmoid(input); buffers weight, pos_weight.

        reduction: none, mean or sum

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.BCEWithLogitsLoss()(bp.zeros(2), bp.asarray([1.0, 0.0]))
    tensor(0.6931)"""
    weight: Any
    pos_weight: Any
    reduction: str
    def __init__(self, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: str = 'mean', *, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class HuberLoss(Module, _nn.HuberLoss):
    """(input - target)^2 / 2, linear from delta on.

        reduction: none, mean or sum
        delta: from where on it is linear

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.HuberLoss()(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(1.)"""
    reduction: str
    delta: float
    def __init__(self, reduction: str = 'mean', delta: float | None = 1.0, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class SmoothL1Loss(Module, _nn.SmoothL1Loss):
    """Huber's loss over beta.

        reduction: none, mean or sum
        beta: from where on it is linear

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.SmoothL1Loss()(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(1.)"""
    reduction: str
    beta: float
    def __init__(self, reduction: str = 'mean', beta: float | None = 1.0, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...

class KLDivLoss(Module, _nn.KLDivLoss):
    """target (log target - input); reduction may be batchmean.

        reduction: none, mean or sum
        log_target: whether the target is a logarithm

    Input and target of one shape give one number, or with reduction="none" one for each element.

    >>> bp.nn.KLDivLoss(reduction="sum")(bp.log(bp.asarray([0.5, 0.5])), bp.asarray([0.5, 0.5]))
    tensor(0.)"""
    reduction: str
    log_target: bool
    def __init__(self, reduction: str = 'mean', log_target: bool = False, device: Device | None = None, dtype: DType | None = None) -> None: ...
    def forward(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
    def __call__(self, input: Tensor, input1: Tensor, /) -> Tensor: ...
