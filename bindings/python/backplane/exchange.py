# SPDX-License-Identifier: Apache-2.0
"""A tensor's memory as other libraries see it: NumPy's array, DLPack's capsule, CUDA's array interface. They do not copy."""

from __future__ import annotations

import builtins
import importlib
from typing import Any

from . import _core


def _in_numpy(t: _core.dtype) -> builtins.bool:
    """Says whether NumPy has the dtype: its floats are those of IEEE 754, whose names say no more than their size."""
    return t.kind != "f" or t.name == f"float{8 * t.itemsize}"


def _bits_as(t: Any) -> Any:
    """Returns an array over t's memory, of the dtype that ml_dtypes has under its name."""
    import numpy

    try:
        dtype = getattr(importlib.import_module("ml_dtypes"), t.dtype.name)
    except (ImportError, AttributeError):
        raise TypeError(f"Got unsupported ScalarType {t.dtype._title}: NumPy has no {t.dtype.name}. With the package ml_dtypes it has "
                        "(pip install ml_dtypes), and Tensor.float() converts") from None  # fmt: skip
    return numpy.asarray(memoryview(_core.bits(t))).view(dtype)


class ExchangeMethods:
    """Tensor's methods of this kind."""

    __slots__ = ()

    def numpy(self: Any, *, force: builtins.bool = False) -> Any:
        """Returns a NumPy array over the same memory. With force=True it is a copy where the tensor is on another device. A dtype that
        NumPy has not, such as bfloat16, is that of the package ml_dtypes; TypeError says so where it is not installed.

        >>> bp.asarray([1, 2]).numpy().tolist()
        [1, 2]
        """
        import numpy

        if _core.requires_grad(self) and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if not self.is_cpu:
            if not force:
                raise TypeError(
                    f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                    "host memory first."
                )
            return self.cpu().numpy(force=True)
        if not _in_numpy(self.dtype):
            return _bits_as(self)
        return numpy.asarray(memoryview(_core.detach(self) if _core.requires_grad(self) else self))

    def __array__(self: Any, dtype: Any = None, copy: builtins.bool | None = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("another dtype needs a copy, and copy=False was asked for")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self: Any, *, stream: Any = None, max_version: tuple[Any, ...] | None = None, dl_device: tuple[Any, ...] | None = None,
                   copy: builtins.bool | None = None) -> Any:
        """Returns a capsule over the tensor's memory. This waits for writes under way, so that any stream may read the memory,
        unless stream is -1: then the caller orders the streams itself."""
        if stream is not None:
            if self.is_cpu:
                raise ValueError(f"a tensor on the CPU has no streams: stream must be None, got {stream!r}")
            if stream == 0 and self.device.type != "hip":  # which the array API standard forbids
                raise ValueError("stream 0 may be the default stream or the thread's own; 1 is the former and 2 the latter")
        source = self
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            if tuple(dl_device) != (1, 0) or copy is False:
                raise BufferError(f"a tensor on {self.device} goes out to its own device, or copied to the CPU")
            source = self.cpu()
        elif copy:
            source = _core.clone(self)
        versioned = max_version is not None and max_version[0] >= 1
        capsule = _core.to_dlpack(source, versioned, source is not self, stream != -1, dl_device is not None)
        if capsule is None:
            raise BufferError(f"the memory of {self.device}, a simulated device, is nothing that other libraries know; Tensor.cpu() copies "
                              f"the tensor, and dl_device={self.__dlpack_device__()} says that the caller knows it")  # fmt: skip
        return capsule

    def __dlpack_device__(self) -> tuple[Any, ...]:
        """Returns the device's type and index by DLPack's numbers. A simulated device is of the type for extensions, 12."""
        return _core.dlpack_device(self)

    @property
    def __cuda_array_interface__(self: Any) -> dict[str, Any]:
        """Version 3 of the interface, for Numba, CuPy and others. Only tensors on real CUDA devices have it. This waits for
        writes under way, and so names no stream."""
        if not self.is_cuda or _core.device_info(self.device)["simulated"]:
            raise AttributeError(
                f"Can't get __cuda_array_interface__ on non-CUDA tensor type: it is on {self.device}. If CUDA data is "
                "required use tensor.cuda() to copy tensor to device memory."
            )
        return _cuda_array(self, self.data_ptr())


def _cuda_array(x: Any, address: int) -> dict[str, Any]:
    if _core.requires_grad(x):
        raise RuntimeError(
            "Can't get __cuda_array_interface__ on Variable that requires grad. If gradients aren't required, use "
            "var.detach() to get Variable that doesn't require grad."
        )
    if not _in_numpy(x.dtype):
        raise TypeError(f"__cuda_array_interface__ has no name for {x.dtype}")
    strides = None if x.is_contiguous() else tuple(step * x.itemsize for step in x.stride())
    typestr = f"{'<' if x.itemsize > 1 else '|'}{x.dtype.kind}{x.itemsize}"  # as NumPy writes it: "<f4", "|b1"
    return {"shape": tuple(x.shape), "typestr": typestr, "data": (address if x.numel() else 0, False), "strides": strides,
            "stream": None, "version": 3}
