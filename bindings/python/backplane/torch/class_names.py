# SPDX-License-Identifier: Apache-2.0
"""PyTorch's old names of tensor types: a float32 tensor is a "FloatTensor"."""

from __future__ import annotations

from .. import _core, dtypes

CLASS_NAMES = {t: f"{t._title}Tensor" for t in _core.dtypes}


def dtype_named(name: str) -> dtypes.dtype:
    """The dtype of a type's name, which may be qualified: "torch.cuda.FloatTensor"."""
    for dtype, class_name in CLASS_NAMES.items():
        if name.rpartition(".")[2] == class_name:
            return dtype
    raise ValueError(f"invalid type: '{name}'")
