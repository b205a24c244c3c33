# SPDX-License-Identifier: Apache-2.0
"""The functions of modules, as functions of tensors: PyTorch's torch.nn.functional over the library's ops."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, ops, standard
from ..tensor import Tensor
from .upsampling import interpolate

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "conv1d", "conv2d", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "cross_entropy", "dropout", "elu",
    "embedding", "fold", "gelu", "group_norm", "hardsigmoid", "hardswish", "hardtanh", "huber_loss", "instance_norm",
    "interpolate", "kl_div", "l1_loss", "layer_norm",
    "leaky_relu", "linear", "log_softmax", "logsigmoid", "max_pool1d", "max_pool2d", "max_pool3d", "mish", "mse_loss",
    "nll_loss", "normalize", "one_hot", "pad", "relu", "relu6", "rms_norm", "scaled_dot_product_attention", "sigmoid",
    "silu", "smooth_l1_loss", "softmax", "softplus", "tanh", "unfold",
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
    """Returns x where it is above 0, else alpha (exp(x) - 1), of a floating dtype and any shape.

    >>> bp.nn.functional.elu(bp.asarray([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    return ops.elu(input, alpha=alpha)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Returns x where it is above 0, else negative_slope times x.

    >>> bp.nn.functional.leaky_relu(bp.asarray([-1.0, 2.0]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    return ops.leaky_relu(input, negative_slope=negative_slope)


def gelu(input: Any, approximate: str = "none") -> Tensor:
    """Returns x times the normal distribution's share below x, exactly or, with approximate="tanh", nearly. Another word
    raises RuntimeError.

    >>> bp.nn.functional.gelu(bp.asarray([-1.0, 1.0]))
    tensor([-0.1587,  0.8413])
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return ops.gelu_tanh(input) if approximate == "tanh" else ops.gelu(input)


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Returns x, limited to [min_val, max_val].

    >>> bp.nn.functional.hardtanh(bp.asarray([-2.0, 0.5]))
    tensor([-1.0000,  0.5000])
    """
    return ops.hardtanh(input, min_val=min_val, max_val=max_val)


def logsigmoid(input: Any) -> Tensor:
    """Returns log(1 / (1 + exp(-x))).

    >>> bp.nn.functional.logsigmoid(bp.asarray([0.0]))
    tensor([-0.6931])
    """
    return ops.neg(ops.softplus(ops.neg(input)))


def softmax(input: Any, dim: int = -1, dtype: Any = None) -> Tensor:
    """Returns exp(x) over its sum along dim, in the dtype where one is given.

    >>> bp.nn.functional.softmax(bp.asarray([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """
    return ops.softmax(input if dtype is None else input.to(dtype), axis=dim)


def log_softmax(input: Any, dim: int = -1, dtype: Any = None) -> Tensor:
    """Returns the logarithm of softmax along dim, in the dtype where one is given.

    >>> bp.nn.functional.log_softmax(bp.asarray([0.0, 0.0]))
    tensor([-0.6931, -0.6931])
    """
    return ops.log_softmax(input if dtype is None else input.to(dtype), axis=dim)


def linear(input: Any, weight: Any, bias: Any = None) -> Tensor:
    """Returns x weight^T + bias: [..., in] with a weight [out, in] is [..., out]. Other sizes or dtypes raise an error.

    >>> bp.nn.functional.linear(bp.ones((2, 3)), bp.ones((4, 3))).shape
    (2, 4)
    """
    if bias is not None and len(weight.shape) == 2 and bias.shape == weight.shape[:1]:
        return ops.linear(input, weight, bias)
    y = ops.matmul(input, _core.transpose(weight, 0, 1))
    if bias is None:
        return y
    if bias.dtype is not y.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {bias.dtype._title} and {y.dtype._title}")
    return ops.add(y, bias)


def embedding(input: Any, weight: Any) -> Tensor:
    """Returns the rows of weight, [n, width], at the indices: [...] is [..., width]. An index outside raises
    IndexOutOfRangeError on the CPU.

    >>> bp.nn.functional.embedding(bp.asarray([1, 0]), bp.asarray([[1.0], [2.0]])).tolist()
    [[2.0], [1.0]]
    """
    return ops.embedding(input, weight)


def one_hot(tensor: Any, num_classes: int = -1) -> Tensor:
    """Returns int64 with a new last dimension: 1 at the class that the integer names, else 0. Without num_classes there are
    as many as the largest needs.

    >>> bp.nn.functional.one_hot(bp.asarray([0, 2])).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """
    if num_classes == -1:
        num_classes = int(ops.max(tensor)) + 1 if tensor._numel else 0
    return ops.one_hot(tensor, num_classes)


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Returns x with elements set to 0 with probability p, and the others divided by 1 - p; without training x itself. A p
    outside [0, 1] raises ValueError.

    >>> bp.nn.functional.dropout(bp.ones(3), training=False)
    tensor([1., 1., 1.])
    """
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return ops.dropout(input, p=p) if training and p else input


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Returns x with elements before and after: pad has two numbers for the last dimension, then for the one before it.
    mode is constant, reflect, replicate or circular.

    >>> bp.nn.functional.pad(bp.asarray([1.0, 2.0]), (1, 1))
    tensor([0., 1., 2., 0.])
    """
    if mode != "constant" and value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    return ops.pad(input, pad, mode=mode, value=0.0 if value is None else value)


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Returns x less its mean over its root variance, both of the last dimensions, whose sizes normalized_shape has; times
    weight, plus bias.

    >>> bp.nn.functional.layer_norm(bp.asarray([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    return ops.layer_norm(input, weight, bias, normalized_shape=normalized_shape, eps=eps)


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Returns x, [N, C, ...], with each of num_groups groups of channels less its mean over its root variance; times
    weight, plus bias.

    >>> bp.nn.functional.group_norm(bp.ones((1, 4, 2)), 2).shape
    (1, 4, 2)
    """
    return ops.group_norm(input, weight, bias, num_groups=num_groups, eps=eps)


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Tensor:
    """Returns x over its root mean square of the last dimensions, whose sizes normalized_shape has; times weight.

    >>> bp.nn.functional.rms_norm(bp.asarray([3.0, 4.0]), (2,))
    tensor([0.8485, 1.1314])
    """
    more: Any = {} if eps is None else {"eps": eps}
    return ops.rms_norm(input, weight, normalized_shape=normalized_shape, **more)


def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
               momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """In training, updates the running statistics, where they are given, by those of the batch.

    >>> bp.nn.functional.batch_norm(bp.asarray([[1.0], [3.0]]), bp.zeros(1), bp.ones(1)).shape
    (2, 1)
    """
    if not training:
        return ops.batch_norm(input, running_mean, running_var, weight, bias, training=False, eps=eps)
    y = ops.batch_norm(input, None, None, weight, bias, training=True, eps=eps)
    if running_mean is not None:
        mean, var = ops.batch_norm_running(input.detach(), running_mean, running_var, momentum=momentum)
        _core.copy_(running_mean, mean, False)
        _core.copy_(running_var, var, False)
    return y


def instance_norm(input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
                  use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Returns x, [N, C, *], with each channel of each element of the batch less its mean over its root variance, or less the running
    ones; times weight, plus bias. It updates the running statistics, where they are given, by those of the batch.

    >>> bp.nn.functional.instance_norm(bp.asarray([[[1.0, 3.0]]])).tolist()
    [[[-0.9999949932098389, 0.9999949932098389]]]
    """
    if (running_mean is None) != (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    if not use_input_stats:
        if running_mean is None:
            raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
        return ops.batch_norm(input, running_mean, running_var, weight, bias, training=False, eps=eps)
    n, channels, *size = input.shape
    if math.prod(size) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if running_mean is not None:  # the mean over the batch of what each instance would make of them
        instances = _core.reshape(input.detach(), (1, n * channels, *size))
        mean, var = (_core.reshape(_core.expand(t, (n, channels)), (-1,)) for t in (running_mean, running_var))
        both = ops.batch_norm_running(instances, mean, var, momentum=momentum)
        for kept, made in zip((running_mean, running_var), both, strict=True):
            _core.copy_(kept, ops.mean(_core.reshape(made, (n, channels)), axis=0), False)
    return ops.group_norm(input, weight, bias, num_groups=channels, eps=eps)


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Returns x over its p-norm along dim, which counts as eps where it is less.

    >>> bp.nn.functional.normalize(bp.asarray([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    return ops.div(input, ops.maximum(ops.vector_norm(input, axis=dim, keepdims=True, ord=p), eps))


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Returns the cosine of the angle between x1 and x2, which broadcast, along dim. Whole numbers and a negative eps raise
    RuntimeError.

    >>> bp.nn.functional.cosine_similarity(bp.asarray([[1.0, 0.0]]), bp.asarray([[1.0, 1.0]]))
    tensor([0.7071])
    """
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
    """Returns softmax(query key^T scale + mask) value: [..., L, E], [..., S, E] and [..., S, V] are [..., L, V]. A
    dropout_p raises NotImplementedError.

    >>> bp.nn.functional.scaled_dot_product_attention(bp.ones((3, 4)), bp.ones((5, 4)), bp.ones((5, 2))).shape
    (3, 2)
    """
    if dropout_p:
        raise NotImplementedError("scaled_dot_product_attention has no dropout; MultiheadAttention does")
    more: Any = {} if scale is None else {"scale": scale}
    return ops.scaled_dot_product_attention(query, key, value, attn_mask, is_causal=is_causal, **more)


# ---- windows ----


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Returns the windows of images, [N, C, H, W] or [C, H, W], as columns, [N, C * kernel, windows].

    >>> bp.nn.functional.unfold(bp.ones((1, 2, 4, 4)), 3).shape
    (1, 18, 4)
    """
    return ops.im2col(input, kernel_size, dilation=dilation, padding=padding, stride=stride)


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Returns images of output_size, to which columns as unfold's are added up where windows overlap.

    >>> bp.nn.functional.fold(bp.ones((1, 4, 2)), (2, 3), 2).tolist()
    [[[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]]
    """
    return ops.col2im(input, output_size, kernel_size, dilation=dilation, padding=padding, stride=stride)


# ---- losses ----


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Tensor:
    """Returns the squares of input - target, of one shape, as their mean, their sum, or with reduction="none" each.

    >>> bp.nn.functional.mse_loss(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(2.5000)
    """
    return ops.mse_loss(input, target, reduction)


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Tensor:
    """Returns the distances of input and target, of one shape, as their mean, their sum, or with reduction="none" each.

    >>> bp.nn.functional.l1_loss(bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0]))
    tensor(1.5000)
    """
    return ops.l1_loss(input, target, reduction=reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """Returns half the squares of distances up to delta, and beyond it what goes on in a line, as their mean, sum, or each.

    >>> bp.nn.functional.huber_loss(bp.asarray([0.5, 3.0]), bp.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    return ops.huber_loss(input, target, reduction=reduction, delta=delta)


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Returns the Huber loss over beta, as its mean, sum, or each.

    >>> bp.nn.functional.smooth_l1_loss(bp.asarray([0.5, 3.0]), bp.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    return ops.smooth_l1_loss(input, target, reduction=reduction, beta=beta)


def kl_div(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Returns target (log target - input), which is 0 where target is 0, as the mean, the sum, with reduction="batchmean" the sum over
    the first size, or each. With log_target the target's logarithm is given.

    >>> bp.nn.functional.kl_div(bp.log(bp.asarray([[0.5, 0.5]])), bp.asarray([[1.0, 0.0]]), reduction="batchmean")
    tensor(0.6931)
    """
    if reduction not in ("none", "mean", "sum", "batchmean"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if input.dtype.kind not in "fc" or target.dtype.kind not in "fc":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = ops.mul(ops.exp(target), ops.sub(target, input))
    else:
        nothing = ops.eq(target, 0)
        log = ops.log(ops.where(nothing, 1, target))
        loss = ops.mul(target, ops.sub(ops.where(nothing, 0, log), input))
    if reduction == "none":
        return loss
    if reduction == "mean":
        return ops.mean(loss)
    total = ops.sum(loss)
    return ops.div(total, input.shape[0]) if reduction == "batchmean" and input.ndim else total


def nll_loss(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> Tensor:
    """Returns what log-probabilities, [N, C, ...] or [C], say against the classes target, [N, ...], as the weighted mean,
    sum, or each.

    >>> bp.nn.functional.nll_loss(bp.asarray([[-0.5, -1.0]]), bp.asarray([0]))
    tensor(0.5000)
    """
    return ops.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


def cross_entropy(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
                  label_smoothing: float = 0.0) -> Tensor:
    """Returns nll_loss of log_softmax of the scores, [N, C, ...] or [C], against classes, [N, ...], or probabilities of the
    scores' shape.

    >>> bp.nn.functional.cross_entropy(bp.zeros((1, 2)), bp.asarray([0]))
    tensor(0.6931)
    """
    return ops.cross_entropy(input, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)


def binary_cross_entropy(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Tensor:
    """Returns -(target log(input) + (1 - target) log(1 - input)) of probabilities, as the mean, sum, or each.

    >>> bp.nn.functional.binary_cross_entropy(bp.asarray([0.5]), bp.asarray([1.0]))
    tensor(0.6931)
    """
    return ops.binary_cross_entropy(input, target, weight, reduction=reduction)


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, reduction: str = "mean",
                                     pos_weight: Any = None) -> Tensor:
    """Returns binary_cross_entropy of the scores' sigmoid; pos_weight counts the ones that much more.

    >>> bp.nn.functional.binary_cross_entropy_with_logits(bp.asarray([0.0]), bp.asarray([1.0]))
    tensor(0.6931)
    """
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction=reduction)
