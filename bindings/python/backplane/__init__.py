"""Backplane: tensors on any device.

    import backplane as bp
    x = bp.asarray([[1.0, 2.0], [3.0, 4.0]], device="cpu")
    y = bp.matmul(x, x) + 1

Names and results are the Python array API standard's wherever it names a thing; ``backplane.torch`` is the same tensors
with PyTorch's spellings; ``backplane.ops`` is the op table as it stands."""

from __future__ import annotations

import builtins
from typing import Any, Optional

from . import _core, accelerator, autograd, dtypes, fft, indexing, io, linalg, ops, optim, parallel, standard  # noqa: F401
from ._core import (
    BadStateError,
    DeviceLostError,
    DeviceMismatchError,
    DTypeMismatchError,
    Error,
    IndexOutOfRangeError,
    InvalidArgumentError,
    NotFoundError,
    OutOfHostMemoryError,
    OutOfMemoryError,
    UnavailableError,
    UnsupportedError,
    device,
    get_default_device,
    get_default_dtype,
    get_num_threads,
    set_default_device,
    set_default_dtype,
    set_num_threads,
)
from ._types import Device, DType, Shape
from .accelerator import gpu, num_gpus, try_all_gpus, try_gpu  # noqa: F401
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled  # noqa: F401
from .dtypes import *  # noqa: F403
from .dtypes import dtype, finfo, iinfo, isdtype
from .kinds import module_of
from .listing import devices, doctor  # noqa: F401
from .products import einsum  # noqa: F401
from .random import Generator, manual_seed, rand, rand_like, randint, randn, randn_like
from .standard import *  # noqa: F403
from .standard import __array_namespace_info__, asarray  # noqa: F401
from .streams import Event, Stream
from .tensor import Tensor, set_printoptions
from . import nn  # noqa: E402, F401 # over Tensor
from . import board, data, metrics, train  # noqa: E402, F401 # over nn
from .board import Board  # noqa: E402, F401
from .train import Trainer  # noqa: E402, F401

__version__ = _core.version
__array_api_version__ = "2023.12"

cpu, cuda, hip, sim = map(module_of, ("cpu", "cuda", "hip", "sim"))


def init(*, options: Optional[str] = None, visible_devices: Optional[str] = None, alias: Optional[str] = None,
         plugin_dirs: Optional[str] = None, allow: Optional[str] = None, debug_allocator: builtins.bool = False,
         synchronous: builtins.bool = False) -> None:
    """Starts the runtime with options, before anything uses it: ``init(options="sim.device_count=2;cpu.isa=avx2")``.
    Without it the runtime starts by itself. allow: kinds that may load; plugin_dirs: searched first for backends."""
    _core.init(plugin_dirs, allow, options, visible_devices, alias, 2 * debug_allocator + 4 * synchronous)


def tensor(data: Any, *, dtype: Optional[DType] = None, device: Optional[Device] = None,
           pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> Tensor:
    """A copy of data, without what made it; asarray() shares memory where it can."""
    data = _core.detach(data) if isinstance(data, _core.TensorBase) else data
    t = _core.asarray(data, dtype, device, True)
    t = t.pin_memory() if pin_memory else t
    return t.requires_grad_() if requires_grad else t


def empty_pinned(shape: Shape, *, dtype: Optional[DType] = None, device: Device) -> Tensor:
    """Host memory that the device copies to and from beside the program's work (non_blocking=True)."""
    return _core.empty_pinned(shape, dtype, device)


def synchronize(device: Device) -> None:
    """Waits for all that is queued on the device."""
    _core.synchronize(device)


def set_visible_devices(spec: Optional[str]) -> None:
    """Replaces BACKPLANE_VISIBLE_DEVICES for kinds of which no device was opened yet."""
    _core.set_visible_devices(spec)


def _complete() -> None:
    """Ops under their own names where the standard has none."""
    names = globals()
    for op in ops.__all__:
        names.setdefault(op, getattr(ops, op))


_complete()


def __getattr__(name: str) -> Any:
    """Modules of other kinds of devices; ops that were registered meanwhile."""
    if not name.startswith("_"):
        if name in _core.kinds():
            return module_of(name)
        try:
            return getattr(ops, name)
        except AttributeError:
            pass
    raise AttributeError(f"module 'backplane' has no attribute '{name}'")
