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


_NAMES = dtypes.NAMES


class Tensor(_core.TensorBase, ViewMethods, GradMethods, ExchangeMethods, OpMethods):
    """An array of one dtype on one device. Factories, conversions and the results of ops are Tensors.

    >>> x = bp.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> isinstance(x + 1, bp.Tensor)
    True
    """

    __slots__ = ()
    _namespace: ClassVar[Any] = None  # the package, which sets it at the end of its own import
    _is_torch: ClassVar[builtins.bool] = False  # True for backplane.torch.Tensor
    __array_priority__ = 1000  # so that NumPy's scalars leave `scalar * tensor` to the tensor

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def is_cuda(self) -> builtins.bool:
        """Whether the tensor is on a CUDA device.

        >>> bp.ones(2).is_cuda
        False
        """
        return self.device.type == "cuda"

    @property
    def is_cpu(self) -> builtins.bool:
        """Whether the tensor is on the CPU.

        >>> bp.ones(2, device="cpu").is_cpu
        True
        """
        return self.device.type == "cpu"

    @property
    def itemsize(self) -> builtins.int:
        """The bytes of an element.

        >>> bp.ones(2, dtype=bp.float64).itemsize
        8
        """
        return self.dtype.itemsize

    @property
    def nbytes(self) -> builtins.int:
        """The bytes of all elements.

        >>> bp.ones((2, 3), dtype=bp.float32).nbytes
        24
        """
        return self._numel * self.dtype.itemsize

    def dim(self) -> builtins.int:
        """Returns the number of dimensions.

        >>> bp.ones((2, 3)).dim()
        2
        """
        return self.ndim

    def numel(self) -> builtins.int:
        """Returns the number of elements.

        >>> bp.ones((2, 3)).numel()
        6
        """
        return self._numel

    def element_size(self) -> builtins.int:
        """Returns the bytes of an element.

        >>> bp.ones(2, dtype=bp.int16).element_size()
        2
        """
        return self.dtype.itemsize

    def stride(self, dim: builtins.int | None = None) -> Any:
        """Returns the steps between neighbours, in elements, for all dimensions or one.

        >>> bp.ones((2, 3)).stride()
        (3, 1)
        """
        return self._strides if dim is None else self._strides[dim]

    def storage_offset(self) -> builtins.int:
        """Returns how many elements of the storage lie before the first one.

        >>> bp.arange(4)[1:].storage_offset()
        1
        """
        return self._offset

    def get_device(self) -> builtins.int:
        """Returns the index of the tensor's device, or -1 on the CPU.

        >>> bp.ones(2, device="cpu").get_device()
        -1
        """
        index = self.device.index
        return -1 if self.is_cpu or index is None else index

    def is_contiguous(self) -> builtins.bool:
        """Returns whether the elements lie in row-major order without gaps.

        >>> bp.ones((2, 3)).T.is_contiguous()
        False
        """
        return _core.is_contiguous(self)

    def is_pinned(self) -> builtins.bool:
        """Returns whether the tensor is in pinned host memory.

        >>> bp.ones(2).is_pinned()
        False
        """
        return _core.is_pinned(self)

    def is_floating_point(self) -> builtins.bool:
        """Returns whether the dtype is a floating one.

        >>> bp.ones(2).is_floating_point()
        True
        """
        return self.dtype.is_floating_point

    def is_complex(self) -> builtins.bool:
        """Returns whether the dtype is a complex one.

        >>> bp.ones(2).is_complex()
        False
        """
        return self.dtype.is_complex

    def data_ptr(self) -> builtins.int:
        """Returns the address of the first element, in the device's own memory. This waits for writes under way.

        >>> bp.ones(2).data_ptr() != 0
        True
        """
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
        """Returns the one element as a Python number.

        >>> bp.asarray([2.5]).item()
        2.5
        """
        return _core.item(self)

    def tolist(self) -> Any:
        """Returns the elements as nested lists of Python numbers; without dimensions, as one number.

        >>> bp.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return _core.tolist(self)

    def tobytes(self) -> bytes:
        """Returns the elements in row-major order.

        >>> list(bp.asarray([1, 2], dtype=bp.uint8).tobytes())
        [1, 2]
        """
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
        to(other).

        >>> bp.asarray([1, 2]).to(bp.float32)
        tensor([1., 2.])
        """
        for a in args:
            if isinstance(a, _core.TensorBase):
                device, dtype = a.device, a.dtype
            elif isinstance(a, str):
                if a in _NAMES:
                    dtype = a
                else:
                    device = a
            elif isinstance(a, bool):
                non_blocking = a
            elif isinstance(a, _core.device):
                device = a
            elif a is not None:
                dtype = a
        return _core.to(self, device, dtype, copy, non_blocking)

    def to_device(self, device: Device, /, *, stream: Any = None) -> Tensor:
        """Returns the tensor on that device, itself if it is there already. This is the array API standard's method.

        >>> bp.ones(2).to_device("cpu")
        tensor([1., 1.])
        """
        if stream is None:
            return _core.to(self, device, None, False, False)
        with stream:
            return _core.to(self, device, None, False, True)

    def cpu(self) -> Tensor:
        """Returns the tensor on the CPU, itself if it is there.

        >>> bp.ones(2).cpu()
        tensor([1., 1.])
        """
        return _core.to(self, "cpu", None, False, False)

    def cuda(self, device: Device | int | None = None, non_blocking: builtins.bool = False) -> Tensor:
        """Returns the tensor on that CUDA device, by default the current one.

        >>> x = bp.ones(2).cuda() if bp.cuda.is_available() else bp.ones(2)
        """
        if device is None:
            device = "cuda"
        elif isinstance(device, int):
            device = _core.device("cuda", device)
        if _core.device(device).type != "cuda":
            raise RuntimeError(f"Invalid device, must be cuda device, got {device}")
        return _core.to(self, device, None, False, non_blocking)

    def pin_memory(self, device: Device | None = None) -> Tensor:
        """Returns the tensor, or a copy, in memory that an accelerator copies to and from beside the program's work.

        >>> x = bp.ones(2).pin_memory() if bp.num_gpus() else bp.ones(2)
        """
        if device is None:
            device = accelerator.current_accelerator()
            if device is None:
                raise RuntimeError("Need an accelerator to pin memory for, and there is none")
        return _core.pin_memory(self, device)

    def record_stream(self, stream: Any) -> None:
        """Notes that the stream uses the tensor's memory, which is then not reused before the work that is in the stream at the
        tensor's release is done.

        >>> x = bp.ones(2)
        >>> x.record_stream(bp.cpu.current_stream())
        """
        _core.record_stream(self, stream._stream)

    def type_as(self, other: Tensor) -> Tensor:
        """Returns the tensor in the dtype and on the device of the other one.

        >>> bp.asarray([1, 2]).type_as(bp.ones(1))
        tensor([1., 2.])
        """
        return self.to(other)

    def astype(self, dtype: DType, copy: builtins.bool = True) -> Tensor:
        """Returns the tensor in the dtype; with copy=False itself if that is its own.

        >>> bp.asarray([1.5, 2.5]).astype(bp.int64)
        tensor([1, 2])
        """
        return _core.to(self, None, dtype, copy, False)

    def bool(self) -> Tensor:
        """Returns the tensor in bool: whether elements are not zero.

        >>> bp.asarray([0, 2]).bool()
        tensor([False,  True])
        """
        return self.to(dtypes.bool)

    def byte(self) -> Tensor:
        """Returns the tensor in uint8.

        >>> bp.ones(2).byte().dtype.name
        'uint8'
        """
        return self.to(dtypes.uint8)

    def char(self) -> Tensor:
        """Returns the tensor in int8.

        >>> bp.ones(2).char().dtype.name
        'int8'
        """
        return self.to(dtypes.int8)

    def short(self) -> Tensor:
        """Returns the tensor in int16.

        >>> bp.ones(2).short().dtype.name
        'int16'
        """
        return self.to(dtypes.int16)

    def int(self) -> Tensor:
        """Returns the tensor in int32.

        >>> bp.ones(2).int().dtype.name
        'int32'
        """
        return self.to(dtypes.int32)

    def long(self) -> Tensor:
        """Returns the tensor in int64.

        >>> bp.ones(2).long()
        tensor([1, 1])
        """
        return self.to(dtypes.int64)

    def half(self) -> Tensor:
        """Returns the tensor in float16.

        >>> bp.ones(2).half().dtype.name
        'float16'
        """
        return self.to(dtypes.float16)

    def bfloat16(self) -> Tensor:
        """Returns the tensor in bfloat16.

        >>> bp.ones(2).bfloat16().dtype.name
        'bfloat16'
        """
        return self.to(dtypes.bfloat16)

    def float(self) -> Tensor:
        """Returns the tensor in float32.

        >>> bp.asarray([1, 2]).float()
        tensor([1., 2.])
        """
        return self.to(dtypes.float32)

    def double(self) -> Tensor:
        """Returns the tensor in float64.

        >>> bp.ones(2).double().dtype.name
        'float64'
        """
        return self.to(dtypes.float64)

    def clone(self) -> Tensor:
        """Returns a copy, through which gradients go back.

        >>> bp.asarray([1, 2]).clone()
        tensor([1, 2])
        """
        return _core.clone(self)

    def contiguous(self) -> Tensor:
        """Returns the tensor if its elements lie in row-major order without gaps, else a copy in that order.

        >>> bp.ones((2, 3)).T.contiguous().is_contiguous()
        True
        """
        return _core.contiguous(self)

    # ---- parts of complex numbers ----------------------------------------------------------------------------------

    @property  # type: ignore[override]
    def real(self) -> Tensor:
        """The real parts, as a view; for real numbers the tensor itself.

        >>> bp.asarray([1 + 2j]).real
        tensor([1.])
        """
        return self.view_as_real().select(-1, 0) if self.dtype.is_complex else self

    @real.setter
    def real(self, value: Operand) -> None:
        self.real[...] = value

    @property  # type: ignore[override]
    def imag(self) -> Tensor:
        """The imaginary parts of complex numbers, as a view.

        >>> bp.asarray([1 + 2j]).imag
        tensor([2.])
        """
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
        """Copies src into the tensor: broadcasts it, converts its dtype and moves it from any device.

        >>> x = bp.zeros(2)
        >>> x.copy_(bp.asarray([1, 2]))
        tensor([1., 2.])
        """
        _core.copy_(self, src, non_blocking)
        return self

    def fill_(self, value: Operand) -> Tensor:
        """Sets all elements to the value, a number or a tensor without dimensions, and returns the tensor.

        >>> bp.zeros(2).fill_(3)
        tensor([3., 3.])
        """
        _core.fill_(self, value)
        return self

    def zero_(self) -> Tensor:
        """Sets all elements to 0 and returns the tensor.

        >>> bp.ones(2).zero_()
        tensor([0., 0.])
        """
        return self.fill_(0)

    # ---- like it ---------------------------------------------------------------------------------------------------

    def new_empty(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        """Returns a tensor of that size whose elements are not set, by default of this tensor's dtype and on its device.

        >>> bp.ones(2).new_empty(2, 3).shape
        (2, 3)
        """
        return self._like(_core.empty(sizes(size), dtype or self.dtype, device or self.device))

    def new_zeros(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        """Returns zeros of that size, by default of this tensor's dtype and on its device.

        >>> bp.ones(2).new_zeros(3)
        tensor([0., 0., 0.])
        """
        return self._like(_core.zeros(sizes(size), dtype or self.dtype, device or self.device))

    def new_ones(self, *size: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        """Returns ones of that size, by default of this tensor's dtype and on its device.

        >>> bp.zeros(2).new_ones(3)
        tensor([1., 1., 1.])
        """
        return self._like(_core.ones(sizes(size), dtype or self.dtype, device or self.device))

    def new_full(self, size: Shape, fill_value: Number, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        """Returns a tensor of that size whose elements are fill_value, by default of this tensor's dtype and on its device.

        >>> bp.ones(2).new_full((2,), 7)
        tensor([7., 7.])
        """
        return self._like(_core.full(size, fill_value, dtype or self.dtype, device or self.device))

    def new_tensor(self, data: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        """Returns a copy of data, by default in this tensor's dtype and on its device.

        >>> bp.ones(2).new_tensor([1, 2])
        tensor([1., 2.])
        """
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
