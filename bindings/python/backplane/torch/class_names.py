# SPDX-License-Identifier: Apache-2.0
"""PyTorch's old names of tensor types: a float32 tensor is a "FloatTensor"."""

from __future__ import annotations

from .. import dtypes

CLASS_NAMES = {
    dtypes.float32: "FloatTensor", dtypes.float64: "DoubleTensor", dtypes.float16: "HalfTensor", dtypes.bfloat16: "BFloat16Tensor",
    dtypes.uint8: "ByteTensor", dtypes.int8: "CharTensor", dtypes.int16: "ShortTensor", dtypes.int32: "IntTensor",
    dtypes.int64: "LongTensor", dtypes.bool: "BoolTensor", dtypes.complex64: "ComplexFloatTensor",
    dtypes.complex128: "ComplexDoubleTensor", dtypes.uint16: "UInt16Tensor", dtypes.uint32: "UInt32Tensor",
    dtypes.uint64: "UInt64Tensor",
}  # fmt: skip


def dtype_named(name: str) -> dtypes.dtype:
    """The dtype of a type's name, which may be qualified: "torch.cuda.FloatTensor"."""
    for dtype, class_name in CLASS_NAMES.items():
        if name.rpartition(".")[2] == class_name:
            return dtype
    raise ValueError(f"invalid type: '{name}'")
