# SPDX-License-Identifier: Apache-2.0
"""Functions of networks in the main namespace. Where their arguments differ from those of nn.functional, they do in PyTorch."""

from __future__ import annotations

from typing import Any

from .. import ops
from ..nn import functional
from ..nn.functional import group_norm, layer_norm, rms_norm
from ..tensor import Tensor

__all__ = ["batch_norm", "dropout", "embedding", "group_norm", "layer_norm", "rms_norm"]


def batch_norm(input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float,
               eps: float, cudnn_enabled: bool = True) -> Tensor:
    """input, [N, C, ...], less the mean over the root variance of each channel, of the batch in training, else the running
    ones; times weight, plus bias.

    >>> torch.batch_norm(torch.ones(2, 1), None, None, torch.zeros(1), torch.ones(1), False, 0.1, 1e-5).shape
    torch.Size([2, 1])
    """
    return functional.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def dropout(input: Any, p: float, train: bool) -> Tensor:
    """input with elements set to 0 with probability p, and the others divided by 1 - p; without train input itself.

    >>> torch.dropout(torch.ones(3), 0.5, False)
    tensor([1., 1., 1.])
    """
    return ops.dropout(input, p=p) if train and p else input


def embedding(weight: Any, indices: Any, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:
    """The rows of weight at indices. The last three arguments concern gradients; here nn.Embedding takes them.

    >>> torch.embedding(torch.tensor([[1.0], [2.0]]), torch.tensor([1])).tolist()
    [[2.0]]
    """
    return ops.embedding(indices, weight)
