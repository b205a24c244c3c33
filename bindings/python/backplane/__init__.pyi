# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from typing import Any
from . import (
    accelerator as accelerator, autograd as autograd, board as board, callbacks as callbacks, data as data, distributed as
    distributed, dtypes as dtypes, exchange as exchange, factories as factories, fft as fft, indexing as indexing, io as io,
    keywords as keywords, kinds as kinds, linalg as linalg, listing as listing, lr_scheduler as lr_scheduler, metrics as metrics,
    nn as nn, ops as ops, optim as optim, parallel as parallel, printing as printing, products as products, profiling as
    profiling, program_files as program_files, programs as programs, progress as progress, pt as pt, random as random, runtime as
    runtime, sizes as sizes, standard as standard, streams as streams, torch as torch, train as train, ufuncs as ufuncs, views as
    views, wheels as wheels,
)
from ._core import (
    BadStateError as BadStateError, DTypeMismatchError as DTypeMismatchError, DeviceLostError as DeviceLostError,
    DeviceMismatchError as DeviceMismatchError, Error as Error, IndexOutOfRangeError as IndexOutOfRangeError, InvalidArgumentError
    as InvalidArgumentError, NotFoundError as NotFoundError, OutOfHostMemoryError as OutOfHostMemoryError, OutOfMemoryError as
    OutOfMemoryError, UnavailableError as UnavailableError, UnsupportedError as UnsupportedError, device as device,
    get_default_device as get_default_device, get_default_dtype as get_default_dtype, get_num_threads as get_num_threads,
    set_default_device as set_default_device, set_default_dtype as set_default_dtype, set_num_threads as set_num_threads,
)
from .accelerator import gpu as gpu, num_gpus as num_gpus, try_all_gpus as try_all_gpus, try_gpu as try_gpu
from .autograd import (
    enable_grad as enable_grad, inference_mode as inference_mode, is_grad_enabled as is_grad_enabled, no_grad as no_grad,
    set_grad_enabled as set_grad_enabled,
)
from .board import Board as Board
from .dtypes import (
    bfloat16 as bfloat16, bool as bool, complex128 as complex128, complex64 as complex64, dtype as dtype, finfo as finfo, float16
    as float16, float32 as float32, float64 as float64, iinfo as iinfo, int16 as int16, int32 as int32, int64 as int64, int8 as
    int8, isdtype as isdtype, uint16 as uint16, uint32 as uint32, uint64 as uint64, uint8 as uint8,
)
from .factories import empty_pinned as empty_pinned, tensor as tensor
from .kinds import KindModule, module_of as module_of
from .listing import devices as devices, doctor as doctor
from .ops import (
    adaptive_avg_pool1d as adaptive_avg_pool1d, adaptive_avg_pool2d as adaptive_avg_pool2d, adaptive_avg_pool3d as
    adaptive_avg_pool3d, adaptive_max_pool1d as adaptive_max_pool1d, adaptive_max_pool2d as adaptive_max_pool2d,
    adaptive_max_pool3d as adaptive_max_pool3d, addcdiv as addcdiv, addcmul as addcmul, angle as angle, avg_pool1d as avg_pool1d,
    avg_pool2d as avg_pool2d, avg_pool3d as avg_pool3d, batch_norm as batch_norm, batch_norm_grad as batch_norm_grad,
    batch_norm_running as batch_norm_running, bernoulli as bernoulli, binary_cross_entropy as binary_cross_entropy,
    binary_cross_entropy_with_logits as binary_cross_entropy_with_logits, bincount as bincount, bitwise_not as bitwise_not, cast
    as cast, cdist as cdist, cholesky as cholesky, col2im as col2im, complex as complex, conv1d as conv1d, conv2d as conv2d,
    conv3d as conv3d, conv_transpose1d as conv_transpose1d, conv_transpose2d as conv_transpose2d, conv_transpose3d as
    conv_transpose3d, convolution as convolution, convolution_input_grad as convolution_input_grad, convolution_weight_grad as
    convolution_weight_grad, copy as copy, cross as cross, cross_entropy as cross_entropy, cumprod as cumprod, cumsum as cumsum,
    det as det, digamma as digamma, div as div, dropout as dropout, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as
    eigvalsh, elu as elu, embedding as embedding, eq as eq, erf as erf, exp2 as exp2, fft_c2c as fft_c2c, fft_c2r as fft_c2r,
    fft_r2c as fft_r2c, fftn as fftn, fill as fill, flat_nonzero as flat_nonzero, fmod as fmod, gather as gather, ge as ge, gelu
    as gelu, gelu_tanh as gelu_tanh, group_norm as group_norm, group_norm_grad as group_norm_grad, gru_gates as gru_gates,
    gru_gates_grad as gru_gates_grad, gt as gt, hardsigmoid as hardsigmoid, hardswish as hardswish, hardtanh as hardtanh, hfft as
    hfft, huber_loss as huber_loss, ifft as ifft, ifftn as ifftn, ihfft as ihfft, im2col as im2col, index_add as index_add,
    index_copy as index_copy, index_select as index_select, interpolate as interpolate, interpolate_v2 as interpolate_v2, inv as
    inv, irfft as irfft, irfftn as irfftn, kron as kron, kthvalue as kthvalue, l1_loss as l1_loss, layer_norm as layer_norm,
    layer_norm_grad as layer_norm_grad, le as le, leaky_relu as leaky_relu, lerp as lerp, lgamma as lgamma, linear as linear,
    log_softmax as log_softmax, logsumexp as logsumexp, lstm_gates as lstm_gates, lstm_gates_grad as lstm_gates_grad, lstsq as
    lstsq, lt as lt, lu_factor as lu_factor, masked_fill as masked_fill, masked_select as masked_select, matrix_norm as
    matrix_norm, matrix_power as matrix_power, matrix_rank as matrix_rank, max_pool1d as max_pool1d, max_pool1d_with_indices as
    max_pool1d_with_indices, max_pool2d as max_pool2d, max_pool2d_with_indices as max_pool2d_with_indices, max_pool3d as
    max_pool3d, max_pool3d_with_indices as max_pool3d_with_indices, max_pool_grad as max_pool_grad, mish as mish, mse_loss as
    mse_loss, mul as mul, nan_to_num as nan_to_num, ne as ne, neg as neg, nll_loss as nll_loss, normal as normal, one_hot as
    one_hot, outer as outer, pad as pad, pinv as pinv, polar as polar, qr as qr, relu as relu, relu6 as relu6, rfft as rfft, rfftn
    as rfftn, rms_norm as rms_norm, rms_norm_grad as rms_norm_grad, rnn_gates as rnn_gates, rnn_gates_grad as rnn_gates_grad, rope
    as rope, rsqrt as rsqrt, scaled_dot_product_attention as scaled_dot_product_attention, scatter as scatter, scatter_add as
    scatter_add, sigmoid as sigmoid, silu as silu, slogdet as slogdet, smooth_l1_loss as smooth_l1_loss, softmax as softmax,
    softplus as softplus, solve as solve, solve_triangular as solve_triangular, sub as sub, sum_square as sum_square, svd as svd,
    svdvals as svdvals, take_along as take_along, topk as topk, trace as trace, uniform as uniform, unique as unique, vector_norm
    as vector_norm,
)
from .printing import set_printoptions as set_printoptions
from .products import einsum as einsum
from .profiling import memory_snapshot as memory_snapshot, profile as profile, profile_range as profile_range
from .program_files import load_program as load_program
from .programs import compile as compile
from .random import (
    Generator as Generator, manual_seed as manual_seed, rand as rand, rand_like as rand_like, randint as randint, randn as randn,
    randn_like as randn_like,
)
from .runtime import (
    fallback as fallback, get_fallback as get_fallback, get_matmul_precision as get_matmul_precision, init as init, set_fallback
    as set_fallback, set_matmul_precision as set_matmul_precision, set_visible_devices as set_visible_devices, synchronize as
    synchronize,
)
from .standard import (
    __array_namespace_info__ as __array_namespace_info__, abs as abs, acos as acos, acosh as acosh, add as add, all as all, any as
    any, arange as arange, argmax as argmax, argmin as argmin, argsort as argsort, asarray as asarray, asin as asin, asinh as
    asinh, astype as astype, atan as atan, atan2 as atan2, atanh as atanh, bitwise_and as bitwise_and, bitwise_invert as
    bitwise_invert, bitwise_left_shift as bitwise_left_shift, bitwise_or as bitwise_or, bitwise_right_shift as
    bitwise_right_shift, bitwise_xor as bitwise_xor, broadcast_arrays as broadcast_arrays, broadcast_shapes as broadcast_shapes,
    broadcast_to as broadcast_to, can_cast as can_cast, ceil as ceil, clip as clip, concat as concat, conj as conj, constants as
    constants, copysign as copysign, cos as cos, cosh as cosh, count_nonzero as count_nonzero, creation as creation,
    cumulative_prod as cumulative_prod, cumulative_sum as cumulative_sum, data_types as data_types, diff as diff, divide as
    divide, e as e, elementwise as elementwise, empty as empty, empty_like as empty_like, equal as equal, exp as exp, expand_dims
    as expand_dims, expm1 as expm1, eye as eye, flip as flip, floor as floor, floor_divide as floor_divide, from_dlpack as
    from_dlpack, full as full, full_like as full_like, greater as greater, greater_equal as greater_equal, hypot as hypot, imag as
    imag, inf as inf, info as info, isfinite as isfinite, isin as isin, isinf as isinf, isnan as isnan, less as less, less_equal
    as less_equal, linear_algebra as linear_algebra, linspace as linspace, log as log, log10 as log10, log1p as log1p, log2 as
    log2, logaddexp as logaddexp, logical_and as logical_and, logical_not as logical_not, logical_or as logical_or, logical_xor as
    logical_xor, manipulation as manipulation, matmul as matmul, matrix_transpose as matrix_transpose, max as max, maximum as
    maximum, mean as mean, meshgrid as meshgrid, min as min, minimum as minimum, moveaxis as moveaxis, multiply as multiply, nan
    as nan, negative as negative, newaxis as newaxis, nextafter as nextafter, nonzero as nonzero, not_equal as not_equal, ones as
    ones, ones_like as ones_like, permute_dims as permute_dims, pi as pi, positive as positive, pow as pow, prod as prod, real as
    real, reciprocal as reciprocal, remainder as remainder, repeat as repeat, reshape as reshape, result_type as result_type, roll
    as roll, round as round, searching as searching, searchsorted as searchsorted, sets as sets, sign as sign, signbit as signbit,
    sin as sin, sinh as sinh, sort as sort, sqrt as sqrt, square as square, squeeze as squeeze, stack as stack, statistics as
    statistics, std as std, subtract as subtract, sum as sum, take as take, take_along_axis as take_along_axis, tan as tan, tanh
    as tanh, tensordot as tensordot, tile as tile, tril as tril, triu as triu, trunc as trunc, unique_all as unique_all,
    unique_counts as unique_counts, unique_inverse as unique_inverse, unique_values as unique_values, unstack as unstack, var as
    var, vecdot as vecdot, where as where, zeros as zeros, zeros_like as zeros_like,
)
from .streams import Event as Event, Stream as Stream
from .tensor import Tensor as Tensor
from .train import Trainer as Trainer

cpu: KindModule
cuda: KindModule
hip: KindModule
sim: KindModule
__version__: str
__array_api_version__: str

# Modules of other kinds of devices, and ops that a program registers.
def __getattr__(name: str) -> Any: ...
