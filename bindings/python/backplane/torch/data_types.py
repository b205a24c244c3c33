# SPDX-License-Identifier: Apache-2.0
"""What dtype comes of which."""

from __future__ import annotations

from typing import Any

from .. import _core, ops, standard
from ..dtypes import dtype


def is_tensor(obj: Any) -> bool:
    """Whether the object is a tensor, of this namespace or of backplane.

    >>> torch.is_tensor(torch.ones(2)), torch.is_tensor(2)
    (True, False)
    """
    return isinstance(obj, _core.TensorBase)


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The dtype of an op of the two. Tensors without dimensions and numbers give way to tensors with dimensions.

    >>> torch.result_type(torch.ones(2), 1).name
    'float32'
    """
    both = [_core.empty((0,) if t.ndim else (), t.dtype, "cpu") if is_tensor(t) else t for t in (tensor1, tensor2)]
    result = ops.add(*both) if any(map(is_tensor, both)) else _core.asarray(tensor1 + tensor2, None, None, None)
    return result.dtype


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The dtype of an op of the two dtypes.

    >>> torch.promote_types(torch.int32, torch.float32).name
    'float32'
    """
    return standard.result_type(type1, type2)


def can_cast(from_: dtype, to: dtype) -> bool:
    """False from complex to real, from floating to whole, and from numbers to bool.

    >>> torch.can_cast(torch.float32, torch.int32)
    False
    """
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    return order[from_.kind] <= order[to.kind]
