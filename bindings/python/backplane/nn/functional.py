# SPDX-License-Identifier: Apache-2.0
"""The functions of modules, as functions of tensors: PyTorch's torch.nn.functional over the library's ops."""

from __future__ import annotations

from typing import Any

from .. import _core, ops, standard
from ..tensor import Tensor

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "conv1d", "conv2d", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "cross_entropy", "dropout", "elu",
    "embedding", "gelu", "group_norm", "hardsigmoid", "hardswish", "hardtanh", "huber_loss", "l1_loss", "layer_norm",
    "leaky_relu", "linear", "log_softmax", "logsigmoid", "max_pool1d", "max_pool2d", "max_pool3d", "mish", "mse_loss",
    "nll_loss", "normalize", "one_hot", "pad", "relu", "relu6", "rms_norm", "scaled_dot_product_attention", "sigmoid",
    "silu", "smooth_l1_loss", "softmax", "softplus", "tanh",
]

relu, relu6, silu, mish, hardswish, hardsigmoid = ops.relu, ops.relu6, ops.silu, ops.mish, ops.hardswish, ops.hardsigmoid
tanh, sigmoid, softplus = ops.tanh, ops.sigmoid, ops.softplus
conv1d, conv2d, conv3d = ops.conv1d, ops.conv2d, ops.conv3d
conv_transpose1d, conv_transpose2d, conv_transpose3d = ops.conv_transpose1d, ops.conv_transpose2d, ops.conv_transpose3d
max_pool1d, max_pool2d, max_pool3d = ops.max_pool1d, ops.max_pool2d, ops.max_pool3d
avg_pool1d, avg_pool2d, avg_pool3d = ops.avg_pool1d, ops.avg_pool2d, ops.avg_pool3d
adaptive_avg_pool1d, adaptive_avg_pool2d = ops.adaptive_avg_pool1d, ops.adaptive_avg_pool2d
adaptive_max_pool1d, adaptive_max_pool2d = ops.adaptive_max_pool1d, ops.adaptive_max_pool2d


def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return ops.elu(input, alpha=alpha)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return ops.leaky_relu(input, negative_slope=negative_slope)


def gelu(input: Any, approximate: str = "none") -> Tensor:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return ops.gelu_tanh(input) if approximate == "tanh" else ops.gelu(input)


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    return ops.hardtanh(input, min_val=min_val, max_val=max_val)


def logsigmoid(input: Any) -> Tensor:
    return ops.neg(ops.softplus(ops.neg(input)))


def softmax(input: Any, dim: int = -1, dtype: Any = None) -> Tensor:
    return ops.softmax(input if dtype is None else input.to(dtype), axis=dim)


def log_softmax(input: Any, dim: int = -1, dtype: Any = None) -> Tensor:
    return ops.log_softmax(input if dtype is None else input.to(dtype), axis=dim)


def linear(input: Any, weight: Any, bias: Any = None) -> Tensor:
    y = ops.matmul(input, _core.transpose(weight, 0, 1))
    if bias is None:
        return y
    if bias.dtype is not y.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {bias.dtype._title} and {y.dtype._title}")
    return ops.add(y, bias)


def embedding(input: Any, weight: Any) -> Tensor:
    return ops.embedding(input, weight)


def one_hot(tensor: Any, num_classes: int = -1) -> Tensor:
    if num_classes == -1:
        num_classes = int(ops.max(tensor)) + 1 if tensor._numel else 0
    return ops.one_hot(tensor, num_classes)


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return ops.dropout(input, p=p) if training and p else input


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    if mode != "constant" and value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    return ops.pad(input, pad, mode=mode, value=0.0 if value is None else value)


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    return ops.layer_norm(input, weight, bias, normalized_shape=normalized_shape, eps=eps)


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    return ops.group_norm(input, weight, bias, num_groups=num_groups, eps=eps)


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Tensor:
    more: Any = {} if eps is None else {"eps": eps}
    return ops.rms_norm(input, weight, normalized_shape=normalized_shape, **more)


def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
               momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """In training, updates the running statistics, where they are given, by those of the batch."""
    if not training:
        return ops.batch_norm(input, running_mean, running_var, weight, bias, training=False, eps=eps)
    y = ops.batch_norm(input, None, None, weight, bias, training=True, eps=eps)
    if running_mean is not None:
        mean, var = ops.batch_norm_running(input.detach(), running_mean, running_var, momentum=momentum)
        _core.copy_(running_mean, mean, False)
        _core.copy_(running_var, var, False)
    return y


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    return ops.div(input, ops.maximum(ops.vector_norm(input, axis=dim, keepdims=True, ord=p), eps))


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    if eps < 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps}")
    dtype = standard.result_type(x1, x2)
    if not dtype.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {dtype._title}")

    def unit(x: Any) -> Any:  # eps bounds the norm from below and leaves its gradient alone, as in PyTorch
        norm = ops.vector_norm(x, axis=dim, keepdims=True)
        return ops.div(x, ops.add(norm, ops.sub(ops.maximum(norm.detach(), eps), norm.detach())))

    x1, x2 = standard.broadcast_arrays(x1.to(dtype), x2.to(dtype))
    return ops.sum(ops.mul(unit(x1), unit(x2)), axis=dim)


def scaled_dot_product_attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
                                 is_causal: bool = False, scale: float | None = None) -> Any:
    if dropout_p:
        raise NotImplementedError("scaled_dot_product_attention has no dropout; MultiheadAttention does")
    more: Any = {} if scale is None else {"scale": scale}
    return ops.scaled_dot_product_attention(query, key, value, attn_mask, is_causal=is_causal, **more)


# ---- losses ----


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Tensor:
    return ops.mse_loss(input, target, reduction=reduction)


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Tensor:
    return ops.l1_loss(input, target, reduction=reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    return ops.huber_loss(input, target, reduction=reduction, delta=delta)


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    return ops.smooth_l1_loss(input, target, reduction=reduction, beta=beta)


def nll_loss(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> Tensor:
    return ops.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


def cross_entropy(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
                  label_smoothing: float = 0.0) -> Tensor:
    return ops.cross_entropy(input, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)


def binary_cross_entropy(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Tensor:
    return ops.binary_cross_entropy(input, target, weight, reduction=reduction)


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, reduction: str = "mean",
                                     pos_weight: Any = None) -> Tensor:
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction=reduction)
