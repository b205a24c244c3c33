# SPDX-License-Identifier: Apache-2.0
"""backplane.Tensor. Its operators, indexing and the buffer protocol are in _core, its views, gradients and exchange with other
libraries in files of their own; the rest is here."""

from __future__ import annotations

import builtins
import html
from collections.abc import Iterator
from typing import Any, ClassVar

from . import _core, accelerator, dtypes
from ._types import Device, DType, Number, Operand, Shape
from .autograd import GradMethods
from .exchange import ExchangeMethods
from .ops import OpMethods
from .printing import text_of
from .sizes import sizes
from .views import ViewMethods


def _rebuild(cls: type, data: bytes, shape: Any, dtype: DType, device: Device, requires_grad: bool = False) -> Any:
    t = _core.as_class(_core.to(_core.frombytes(data, shape, dtype), device, None, False, False), cls)
    return t.requires_grad_() if requires_grad else t


class Tensor(_core.TensorBase, ViewMethods, GradMethods, ExchangeMethods, OpMethods):
    """An array of one dtype on one device. Factories, conversions and the results of ops are Tensors."""

    __slots__ = ()
    _namespace: ClassVar[Any] = None  # the package, which sets it at the end of its own import
    _is_torch: ClassVar[builtins.bool] = False  # True for backplane.torch.Tensor
    __array_priority__ = 1000  # so that NumPy's scalars leave `scalar * tensor` to the tensor

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def is_cuda(self) -> builtins.bool:
        return self.device.type == "cuda"

    @property
    def is_cpu(self) -> builtins.bool:
        return self.device.type == "cpu"

    @property
    def itemsize(self) -> builtins.int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> builtins.int:
        return self._numel * self.dtype.itemsize

    def dim(self) -> builtins.int:
        return self.ndim

    def numel(self) -> builtins.int:
        return self._numel

    def element_size(self) -> builtins.int:
        return self.dtype.itemsize

    def stride(self, dim: builtins.int | None = None) -> Any:
        """Returns the steps between neighbours, in elements, for all dimensions or one."""
        return self._strides if dim is None else self._strides[dim]

    def storage_offset(self) -> builtins.int:
        return self._offset

    def get_device(self) -> builtins.int:
        """Returns the index of the tensor's device, or -1 on the CPU."""
        index = self.device.index
        return -1 if self.is_cpu or index is None else index

    def is_contiguous(self) -> builtins.bool:
        return _core.is_contiguous(self)

    def is_pinned(self) -> builtins.bool:
        return _core.is_pinned(self)

    def is_floating_point(self) -> builtins.bool:
        return self.dtype.is_floating_point

    def is_complex(self) -> builtins.bool:
        return self.dtype.is_complex

    def data_ptr(self) -> builtins.int:
        """Returns the address of the first element, in the device's own memory. This waits for writes under way."""
        return _core.data_ptr(self)

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        """Returns what a notebook shows: the text, under a line with shape, dtype and device."""
        about = f"{tuple(self.shape)}, {self.dtype.name}, {self.device}"
        return f"<div><small>{about}</small><pre>{html.escape(repr(self))}</pre></div>"

    def __format__(self, spec: str) -> str:
        if self.ndim == 0 and spec:
            return format(self.item(), spec)
        return format(repr(self), spec)

    # ---- values ----------------------------------------------------------------------------------------------------

    def item(self) -> Any:
        """Returns the one element as a Python number."""
        return _core.item(self)

    def tolist(self) -> Any:
        return _core.tolist(self)

    def tobytes(self) -> bytes:
        """Returns the elements in row-major order."""
        return _core.tobytes(self)

    def __complex__(self) -> complex:
        return complex(self.item())

    def __len__(self) -> builtins.int:
        return _core.TensorBase.__len__(self)

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return map(self.__getitem__, range(self.shape[0]))

    def __contains__(self, value: Operand) -> builtins.bool:
        return bool((self == value).any())

    # ---- other devices and dtypes ----------------------------------------------------------------------------------

    def to(self, *args: Any, device: Device | None = None, dtype: DType | None = None, non_blocking: builtins.bool = False,
           copy: builtins.bool = False) -> Tensor:
        """Returns the tensor on a device and in a dtype, itself if they are its own: to(device), to(dtype), to(device, dtype),
        to(other)."""
        for a in args:
            if isinstance(a, _core.TensorBase):
                device, dtype = a.device, a.dtype
            elif isinstance(a, bool):
                non_blocking = a
            elif isinstance(a, (str, _core.device)) and not dtypes.is_name(a):
                device = a
            elif a is not None:
                dtype = a
        return _core.to(self, device, dtype, copy, non_blocking)

    def to_device(self, device: Device, /, *, stream: Any = None) -> Tensor:
        """Returns the tensor on that device, itself if it is there already. This is the array API standard's method."""
        if stream is None:
            return _core.to(self, device, None, False, False)
        with stream:
            return _core.to(self, device, None, False, True)

    def cpu(self) -> Tensor:
        return _core.to(self, "cpu", None, False, False)

    def cuda(self, device: Device | int | None = None, non_blocking: builtins.bool = False) -> Tensor:
        """Returns the tensor on that CUDA device, by default the current one."""
        if device is None:
            device = "cuda"
        elif isinstance(device, int):
            device = _core.device("cuda", device)
        if _core.device(device).type != "cuda":
            raise RuntimeError(f"Invalid device, must be cuda device, got {device}")
        return _core.to(self, device, None, False, non_blocking)

    def pin_memory(self, device: Device | None = None) -> Tensor:
        """Returns the tensor, or a copy, in memory that an accelerator copies to and from beside the program's work."""
        if device is None:
            device = accelerator.current_accelerator()
            if device is None:
                raise RuntimeError("Need an accelerator to pin memory for, and there is none")
        return _core.pin_memory(self, device)

    def record_stream(self, stream: Any) -> None:
        """Notes that the stream uses the tensor's memory, which is then not reused before the work that is in the stream at the
        tensor's release is done."""
        _core.record_stream(self, stream._stream)

    def type_as(self, other: Tensor) -> Tensor:
        return self.to(other)

    def astype(self, dtype: DType, copy: builtins.bool = True) -> Tensor:
        return _core.to(self, None, dtype, copy, False)

    def bool(self) -> Tensor:
        return self.to(dtypes.bool)

    def byte(self) -> Tensor:
        return self.to(dtypes.uint8)

    def char(self) -> Tensor:
        return self.to(dtypes.int8)

    def short(self) -> Tensor:
        return self.to(dtypes.int16)

    def int(self) -> Tensor:
        return self.to(dtypes.int32)

    def long(self) -> Tensor:
        return self.to(dtypes.int64)

    def half(self) -> Tensor:
        return self.to(dtypes.float16)

    def bfloat16(self) -> Tensor:
        return self.to(dtypes.bfloat16)

    def float(self) -> Tensor:
        return self.to(dtypes.float32)

    def double(self) -> Tensor:
        return self.to(dtypes.float64)

    def clone(self) -> Tensor:
        return _core.clone(self)

    def contiguous(self) -> Tensor:
        return _core.contiguous(self)

    # ---- parts of complex numbers ----------------------------------------------------------------------------------

    @property  # type: ignore[override]
    def real(self) -> Tensor:
        """The real parts, as a view; for real numbers the tensor itself."""
        return self.view_as_real().select(-1, 0) if self.dtype.is_complex else self

    @real.setter
    def real(self, value: Operand) -> None:
        self.real[...] = value

    @property  # type: ignore[override]
    def imag(self) -> Tensor:
        """The imaginary parts of complex numbers, as a view."""
        if not self.dtype.is_complex:
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
        return self.view_as_real().select(-1, 1)

    @imag.setter
    def imag(self, value: Operand) -> None:
        self.imag[...] = value

    # ---- in place --------------------------------------------------------------------------------------------------

    def copy_(  # type: ignore[override]
        self, src: Tensor, non_blocking: builtins.bool = False
    ) -> Tensor:
        """Copies src into the tensor: broadcasts it, converts its dtype and moves it from any device."""
        _core.copy_(self, src, non_blocking)
        return self

    def fill_(self, value: Operand) -> Tensor:
        _core.fill_(self, value)
        return self

    def zero_(self) -> Tensor:
        return self.fill_(0)

    # ---- like it ---------------------------------------------------------------------------------------------------

    def new_empty(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return self._like(_core.empty(sizes(size), dtype or self.dtype, device or self.device))

    def new_zeros(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return self._like(_core.zeros(sizes(size), dtype or self.dtype, device or self.device))

    def new_ones(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return self._like(_core.ones(sizes(size), dtype or self.dtype, device or self.device))

    def new_full(self, size: Shape, fill_value: Number, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return self._like(_core.full(size, fill_value, dtype or self.dtype, device or self.device))

    def new_tensor(self, data: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return self._like(_core.asarray(data, dtype or self.dtype, device or self.device, True))

    def _like(self, t: Tensor) -> Tensor:
        return _core.as_class(t, type(self))

    # ---- protocols -------------------------------------------------------------------------------------------------

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
            raise ValueError(f"version {api_version!r} of the array API is not known")
        return self._namespace

    def __copy__(self) -> Tensor:
        return _core.as_class(self, type(self))

    def __deepcopy__(self, memo: dict[builtins.int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
            )
        copy = memo[id(self)] = _core.as_class(_core.clone(_core.detach(self)), type(self))
        if self.requires_grad:
            copy.requires_grad_()
            copy.grad = None if self.grad is None else _core.clone(self.grad)
        return copy

    def __reduce__(self) -> Any:
        return _rebuild, (type(self), self.tobytes(), self.shape, self.dtype, str(self.device), self.requires_grad)


_core.set_tensor_class(Tensor)
