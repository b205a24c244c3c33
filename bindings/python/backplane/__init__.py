# SPDX-License-Identifier: Apache-2.0
"""Backplane: tensors on any device.

    import backplane as bp
    x = bp.asarray([[1.0, 2.0], [3.0, 4.0]], device="cpu")
    y = bp.matmul(x, x) + 1

Names and results are the Python array API standard's wherever it names a thing; ``backplane.torch`` is the same tensors
with PyTorch's spellings; ``backplane.ops`` is the op table as it stands."""

from __future__ import annotations

import sys
from typing import Any

from . import (
    _core, accelerator, autograd, board, callbacks, data, distributed, dtypes, fft, indexing, io, linalg, metrics, nn, ops, optim, parallel,
    runtime, standard, train, ufuncs,
)
from ._core import (
    BadStateError, DeviceLostError, DeviceMismatchError, DTypeMismatchError, Error, IndexOutOfRangeError,
    InvalidArgumentError, NotFoundError, OutOfHostMemoryError, OutOfMemoryError, UnavailableError, UnsupportedError, device,
    get_default_device, get_default_dtype, get_num_threads, set_default_device, set_default_dtype, set_num_threads,
)
from .accelerator import gpu, num_gpus, try_all_gpus, try_gpu
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .board import Board
from .dtypes import *
from .dtypes import dtype, finfo, iinfo, isdtype
from .factories import empty_pinned, tensor
from .kinds import module_of
from .listing import devices, doctor
from .printing import set_printoptions
from .products import einsum
from .profiling import memory_snapshot, profile, profile_range
from .program_files import load_program
from .programs import compile
from .random import Generator, manual_seed, rand, rand_like, randint, randn, randn_like
from .runtime import (
    fallback, get_fallback, get_matmul_precision, init, set_fallback, set_matmul_precision, set_visible_devices, synchronize,
)
from .standard import *
from .standard import __array_namespace_info__, asarray
from .streams import Event, Stream
from .tensor import Tensor
from .train import Trainer

__version__ = _core.version
__array_api_version__ = "2025.12"

Tensor._namespace = sys.modules[__name__]
runtime.start()
cpu, cuda, hip, sim = map(module_of, ("cpu", "cuda", "hip", "sim"))


for _name in ops.__all__:  # an op has its own name where the standard does not use that name
    globals().setdefault(_name, getattr(ops, _name))


def __getattr__(name: str) -> Any:
    """Finds the module of another kind of device, and an op that was registered since the import."""
    if not name.startswith("_"):
        if name in _core.kinds():
            return module_of(name)
        try:
            return getattr(ops, name)
        except AttributeError:
            pass
    raise AttributeError(f"module 'backplane' has no attribute '{name}'")
