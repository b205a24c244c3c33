"""backplane.Tensor: operators, indexing and the buffer protocol are in _core; the rest is here."""

from __future__ import annotations

import builtins
import math
from typing import Any, Iterator, Optional, Sequence, Union

from . import _core, dtypes
from ._types import Axis, Device, DType, Number, Operand, Shape
from .autograd import GradMethods
from .exchange import ExchangeMethods
from .ops import OpMethods

_print = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None) -> None:
    """How tensors print; PyTorch's options."""
    if profile is not None:
        _print.update(
            {
                "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
                "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
                "full": {"precision": 4, "threshold": 2**62, "edgeitems": 3, "linewidth": 80},
            }[profile]
        )
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _print.update({k: int(min(v, 2**62)) for k, v in given.items() if v is not None})
    _print["sci_mode"] = sci_mode


def _sizes(args: tuple) -> Any:
    """(2, 3) of f(2, 3) and of f((2, 3))."""
    return args[0] if len(args) == 1 and not isinstance(args[0], int) else args


def _rebuild(cls, data: bytes, shape, dtype, device, requires_grad=False):
    t = _core.as_class(_core.to(_core.frombytes(data, shape, dtype), device, None, False, False), cls)
    return t.requires_grad_() if requires_grad else t


class Tensor(_core.TensorBase, GradMethods, ExchangeMethods, OpMethods):
    """An array of one dtype on one device. Factories, conversions and the results of ops are Tensors."""

    __slots__ = ()
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

    def stride(self, dim: Optional[builtins.int] = None) -> Any:
        """Steps between elements, in elements."""
        return self._strides if dim is None else self._strides[dim]

    def storage_offset(self) -> builtins.int:
        return self._offset

    def get_device(self) -> builtins.int:
        """Index of its device; -1 on the CPU."""
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
        """Address of the first element, in the device's own memory. Waits for writes under way."""
        return _core.data_ptr(self)

    def __repr__(self) -> str:
        p = _print
        sci = -1 if p["sci_mode"] is None else int(p["sci_mode"])
        return _core.format(self, p["precision"], p["threshold"], p["edgeitems"], p["linewidth"], sci)

    def __format__(self, spec: str) -> str:
        if self.ndim == 0 and spec:
            return format(self.item(), spec)
        return format(repr(self), spec)

    # ---- values ----------------------------------------------------------------------------------------------------

    def item(self) -> Any:
        """The one element as a Python number."""
        return _core.item(self)

    def tolist(self) -> Any:
        return _core.tolist(self)

    def tobytes(self) -> bytes:
        """The elements in row-major order."""
        return _core.tobytes(self)

    def __complex__(self) -> complex:
        return complex(self.item())

    def __len__(self) -> builtins.int:
        return _core.TensorBase.__len__(self)

    def __iter__(self) -> Iterator["Tensor"]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return map(self.__getitem__, range(self.shape[0]))

    def __contains__(self, value: Operand) -> builtins.bool:
        return bool((self == value).any())

    # ---- other devices and dtypes ----------------------------------------------------------------------------------

    def to(self, *args, device=None, dtype=None, non_blocking=False, copy=False) -> "Tensor":
        """to(device), to(dtype), to(device, dtype), to(other): itself when it has that device and dtype already."""
        for a in args:
            if isinstance(a, _core.TensorBase):
                device, dtype = a.device, a.dtype
            elif isinstance(a, bool):
                non_blocking = a
            elif isinstance(a, (str, _core.device)):
                device = a
            elif a is not None:
                dtype = a
        return _core.to(self, device, dtype, copy, non_blocking)

    def to_device(self, device: Device, /, *, stream: Any = None) -> "Tensor":
        """The array API standard's: its data on that device; itself when it is there already."""
        if stream is None:
            return _core.to(self, device, None, False, False)
        with stream:
            return _core.to(self, device, None, False, True)

    def cpu(self) -> "Tensor":
        return _core.to(self, "cpu", None, False, False)

    def cuda(self, device: Union[Device, int, None] = None, non_blocking: builtins.bool = False) -> "Tensor":
        """On that CUDA device; None: the current one."""
        if device is None:
            device = "cuda"
        elif isinstance(device, int):
            device = _core.device("cuda", device)
        if _core.device(device).type != "cuda":
            raise RuntimeError(f"Invalid device, must be cuda device, got {device}")
        return _core.to(self, device, None, False, non_blocking)

    def pin_memory(self, device: Optional[Device] = None) -> "Tensor":
        """Itself, or a copy, in memory that an accelerator copies to and from beside the program's work."""
        if device is None:
            from .accelerator import current_accelerator

            device = current_accelerator()
            if device is None:
                raise RuntimeError("Need an accelerator to pin memory for, and there is none")
        return _core.pin_memory(self, device)

    def record_stream(self, stream: Any) -> None:
        """That stream uses its memory: it is not reused before what is in the stream then is done."""
        _core.record_stream(self, stream._stream)

    def type_as(self, other: "Tensor") -> "Tensor":
        return self.to(other)

    def astype(self, dtype: DType, copy: builtins.bool = True) -> "Tensor":
        return _core.to(self, None, dtype, copy, False)

    def bool(self) -> "Tensor":
        return self.to(dtypes.bool)

    def byte(self) -> "Tensor":
        return self.to(dtypes.uint8)

    def char(self) -> "Tensor":
        return self.to(dtypes.int8)

    def short(self) -> "Tensor":
        return self.to(dtypes.int16)

    def int(self) -> "Tensor":
        return self.to(dtypes.int32)

    def long(self) -> "Tensor":
        return self.to(dtypes.int64)

    def half(self) -> "Tensor":
        return self.to(dtypes.float16)

    def bfloat16(self) -> "Tensor":
        return self.to(dtypes.bfloat16)

    def float(self) -> "Tensor":
        return self.to(dtypes.float32)

    def double(self) -> "Tensor":
        return self.to(dtypes.float64)

    def clone(self) -> "Tensor":
        return _core.clone(self)

    def contiguous(self) -> "Tensor":
        return _core.contiguous(self)

    # ---- views -----------------------------------------------------------------------------------------------------

    def reshape(self, *shape) -> "Tensor":
        return _core.reshape(self, _sizes(shape))

    def view(self, *shape) -> "Tensor":
        return _core.view(self, _sizes(shape))

    def view_as(self, other: "Tensor") -> "Tensor":
        return _core.view(self, other.shape)

    def permute(self, *dims) -> "Tensor":
        return _core.permute(self, _sizes(dims))

    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> "Tensor":
        return _core.transpose(self, dim0, dim1)

    swapaxes = transpose

    def t(self) -> "Tensor":
        if self.ndim > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
        return _core.transpose(self, 0, 1) if self.ndim == 2 else self

    @property
    def T(self) -> "Tensor":
        if self.ndim != 2:
            raise ValueError(f"T is of matrices, and this has {self.ndim} dimensions; see mT and permute_dims")
        return _core.transpose(self, 0, 1)

    @property
    def mT(self) -> "Tensor":
        if self.ndim < 2:
            raise ValueError(f"mT is of (stacks of) matrices, and this has {self.ndim} dimensions")
        return _core.transpose(self, -2, -1)

    @property
    def mH(self) -> "Tensor":
        """mT of the conjugate."""
        return self.conj().mT if self.dtype.is_complex else self.mT

    @property  # type: ignore[override]
    def real(self) -> "Tensor":
        """The real parts, as a view; of real numbers itself."""
        return self.view_as_real().select(-1, 0) if self.dtype.is_complex else self

    @real.setter
    def real(self, value: Operand) -> None:
        self.real[...] = value

    @property  # type: ignore[override]
    def imag(self) -> "Tensor":
        """The imaginary parts of complex numbers, as a view."""
        if not self.dtype.is_complex:
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
        return self.view_as_real().select(-1, 1)

    @imag.setter
    def imag(self, value: Operand) -> None:
        self.imag[...] = value

    def view_as_real(self) -> "Tensor":
        """Complex numbers as reals with a last dimension of 2."""
        return _core.view_as_real(self)

    def view_as_complex(self) -> "Tensor":
        return _core.view_as_complex(self)

    def expand(self, *shape) -> "Tensor":
        return _core.expand(self, _sizes(shape))

    def expand_as(self, other: "Tensor") -> "Tensor":
        return _core.expand(self, other.shape)

    def squeeze(self, dim: Axis = None) -> "Tensor":
        return _core.squeeze(self, () if dim is None else dim)

    def unsqueeze(self, dim: builtins.int) -> "Tensor":
        return _core.unsqueeze(self, dim)

    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> "Tensor":
        """A view: the two dimensions' diagonal as the last one."""
        return _core.diagonal(self, offset, dim1, dim2)

    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> "Tensor":
        return _core.flatten(self, start_dim, end_dim)

    def ravel(self) -> "Tensor":
        return _core.reshape(self, (-1,))

    def flip(self, *dims) -> "Tensor":
        """A view with negative strides (PyTorch copies)."""
        return _core.flip(self, _sizes(dims))

    def narrow(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> "Tensor":
        return _core.narrow(self, dim, start, length)

    def select(self, dim: builtins.int, index: builtins.int) -> "Tensor":
        return _core.select(self, dim, index)

    def as_strided(self, size: Sequence[builtins.int], stride: Sequence[builtins.int],
                   storage_offset: Optional[builtins.int] = None) -> "Tensor":
        return _core.as_strided(self, size, stride, self._offset if storage_offset is None else storage_offset)

    def unbind(self, dim: builtins.int = 0) -> tuple:
        return tuple(_core.select(self, dim, i) for i in range(self.shape[dim]))

    def split(self, split_size: Union[builtins.int, Sequence[builtins.int]], dim: builtins.int = 0) -> tuple:
        n, start, parts = self.shape[dim], 0, []
        if isinstance(split_size, builtins.int):
            split_size = [min(split_size, n - i) for i in range(0, n, split_size)] or [0]
        for length in split_size:
            parts.append(_core.narrow(self, dim, start, length))
            start += length
        if start != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), "
                f"but got split_sizes={list(split_size)}"
            )
        return tuple(parts)

    def chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple:
        return self.split(max(1, math.ceil(self.shape[dim] / chunks)), dim)

    # ---- in place --------------------------------------------------------------------------------------------------

    def copy_(  # type: ignore[override]
        self, src: "Tensor", non_blocking: builtins.bool = False
    ) -> "Tensor":
        """Broadcasts src into it, converts, between any devices."""
        _core.copy_(self, src, non_blocking)
        return self

    def fill_(self, value: Operand) -> "Tensor":
        _core.fill_(self, value)
        return self

    def zero_(self) -> "Tensor":
        return self.fill_(0)

    # ---- like it ---------------------------------------------------------------------------------------------------

    def new_empty(self, *size, dtype=None, device=None) -> "Tensor":
        return self._like(_core.empty(_sizes(size), dtype or self.dtype, device or self.device))

    def new_zeros(self, *size, dtype=None, device=None) -> "Tensor":
        return self._like(_core.zeros(_sizes(size), dtype or self.dtype, device or self.device))

    def new_ones(self, *size, dtype=None, device=None) -> "Tensor":
        return self._like(_core.ones(_sizes(size), dtype or self.dtype, device or self.device))

    def new_full(self, size: Shape, fill_value: Number, *, dtype=None, device=None) -> "Tensor":
        return self._like(_core.full(size, fill_value, dtype or self.dtype, device or self.device))

    def new_tensor(self, data: Any, *, dtype=None, device=None) -> "Tensor":
        return self._like(_core.asarray(data, dtype or self.dtype, device or self.device, True))

    def _like(self, t: "Tensor") -> "Tensor":
        return _core.as_class(t, type(self))

    # ---- protocols -------------------------------------------------------------------------------------------------

    def __array_namespace__(self, *, api_version: Optional[str] = None) -> Any:
        import backplane

        if api_version not in (None, "2021.12", "2022.12", "2023.12"):
            raise ValueError(f"version {api_version!r} of the array API is not known")
        return backplane

    def __copy__(self) -> "Tensor":
        return _core.as_class(self, type(self))

    def __deepcopy__(self, memo: dict) -> "Tensor":
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
            )
        copy = memo[id(self)] = _core.as_class(_core.clone(_core.detach(self)), type(self))
        if self.requires_grad:
            copy.requires_grad_()
            copy.grad = None if self.grad is None else _core.clone(self.grad)
        return copy

    def __reduce__(self):
        return _rebuild, (type(self), self.tobytes(), self.shape, self.dtype, str(self.device), self.requires_grad)


_core.set_tensor_class(Tensor)
