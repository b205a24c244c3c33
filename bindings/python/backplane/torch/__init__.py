# SPDX-License-Identifier: Apache-2.0
"""PyTorch's names and results over Backplane's tensors: ``import backplane.torch as torch``.

Programs find what they use on devices and tensors under PyTorch's spelling (dim=, keepdim=, size(), sort() and max(dim)
giving pairs, var with n - 1). The tensors are Backplane's: as_tensor() of one shares its memory, and ops take both. What
differs from PyTorch is in docs/torch.md. The files of this package have the names of one subject each; this one gathers them."""

from __future__ import annotations

from math import e, inf, nan, pi
from typing import Any

from .. import _core, accelerator, ops, standard
from .._core import (
    Generator, OutOfMemoryError, device, get_default_device, get_default_dtype, get_num_threads, set_default_device,
    set_default_dtype, set_num_threads,
)
from .._core import version as __version__
from ..accelerator import gpu, num_gpus, try_all_gpus, try_gpu
from ..autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from ..dtypes import (
    bfloat16, bool, complex64, complex128, dtype, finfo, float16, float32, float64, iinfo, int8, int16, int32, int64, uint8,
    uint16, uint32, uint64,
)
from ..printing import set_printoptions
from ..random import manual_seed
from ..runtime import get_matmul_precision as get_float32_matmul_precision
from ..runtime import set_matmul_precision as set_float32_matmul_precision
from . import autograd, distributed, fft, linalg, nn, optim, return_types, utils
from .creation import (
    arange, as_tensor, asarray, empty, empty_like, eye, from_dlpack, from_numpy, full, full_like, linspace, ones, ones_like,
    normal, rand, rand_like, randint, randn, randn_like, randperm, tensor, zeros, zeros_like,
)
from .data_types import can_cast, is_tensor, promote_types, result_type
from .extremes import amax, amin, aminmax, cummax, cummin
from .files import load, save
from .histograms import bincount, histc
from .indexing import index_add, index_copy, index_fill, nonzero, scatter, scatter_add, searchsorted, take_along_dim, unique, where
from .kinds import torch_module_of as _module_of
from .legacy import legacy_classes as _legacy_classes
from .legacy import set_default_tensor_type
from .linalg import det, slogdet
from .linalg import inv as inverse
from .linalg import pinv as pinverse
from .manipulation import cat, concat, concatenate, meshgrid, repeat_interleave, roll, stack
from .names import functions as _functions
from .networks import batch_norm, dropout, embedding, group_norm, layer_norm, rms_norm
from .order_statistics import kthvalue, median, mode, nanmedian, nanquantile, quantile
from .products import cross, einsum, tensordot, trace
from .programs import compile
from .random import bernoulli, multinomial
from .size import Size
from .sums import add, addbmm, addcdiv, addcmul, addmm, addmv, baddbmm, sub
from .tensor import Tensor

half, float, double, cfloat, cdouble = float16, float32, float64, complex64, complex128
short, int, long = int16, int32, int64
movedim = standard.moveaxis
cpu, cuda, hip, sim = map(_module_of, ("cpu", "cuda", "hip", "sim"))
for _name, _thing in {**_legacy_classes("cpu"), **_functions()}.items():
    globals().setdefault(_name, _thing)


def __getattr__(name: str) -> Any:
    """Modules of other kinds of devices."""
    if not name.startswith("_") and name in _core.kinds():
        return _module_of(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
