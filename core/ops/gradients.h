// SPDX-License-Identifier: Apache-2.0
// gradients.h: the functions that take gradients back through a row, which the row names in its
// field grad. The ops that they are made of have gradients themselves, so that a gradient has one.
//
//   constexpr OpRow kSine{.id = 12, .name = "sin", .grad = {"SinBackward0", sin_back, kIn0}};
//   void sin_back(GradCall& c) { c.give(0, mul(c.grad(), cosine(c.in(0)))); }
#pragma once
#include "core/value/op_def.h"

namespace bp::ops {

// Shared by several rows, in elementwise/gradient_unary.cc: copy_back gives the gradient as it is,
// zero_back gives 0, because the op is flat wherever it is smooth.
GradientFunction copy_back, zero_back;

// elementwise/gradient_unary.cc
GradientFunction neg_back, abs_back, sign_back, conj_back, complex_back, polar_back, sqrt_back,
    rsqrt_back, square_back, reciprocal_back, exp_back, exp2_back, expm1_back, log_back, log1p_back,
    log2_back, log10_back, sin_back, cos_back, tan_back, asin_back, acos_back, atan_back, sinh_back,
    cosh_back, tanh_back, asinh_back, acosh_back, atanh_back, sigmoid_back, erf_back, relu_back,
    gelu_back, gelu_tanh_back, silu_back, mish_back, softplus_back, elu_back, leaky_relu_back,
    hardsigmoid_back, hardswish_back, hardtanh_back, relu6_back;
// elementwise/gradient_binary.cc
GradientFunction add_back, sub_back, mul_back, div_back, pow_back, maximum_back, minimum_back,
    atan2_back, hypot_back, logaddexp_back, copysign_back, nextafter_back, remainder_back,
    fmod_back, where_back, clip_back, lerp_back, addcmul_back, addcdiv_back;
// reduction/gradient_reduce.cc
GradientFunction sum_back, sum_square_back, mean_back, prod_back, extreme_back, var_back, std_back,
    vector_norm_back, cumsum_back, cumprod_back, softmax_back, log_softmax_back;
// index/gradient_moving.cc
GradientFunction concat_back, stack_back, gather_back, index_select_back, scatter_back,
    scatter_add_back, index_add_back, index_copy_back, sort_back, topk_back, kthvalue_back;
// linalg/gradient_linear.cc and gradient_linalg.cc
GradientFunction matmul_back, linear_back, cholesky_back, lu_factor_back, solve_triangular_back,
    solve_back, inv_back, det_back, slogdet_back, qr_back, svd_back, svdvals_back, eigh_back,
    eigvalsh_back, pinv_back, lstsq_back, eig_back, eigvals_back;
// fourier/gradient_fft.cc
GradientFunction fft_c2c_back, fft_r2c_back, fft_c2r_back;
// network/gradient_loss.cc
GradientFunction mse_back, l1_back, huber_back, smooth_l1_back, binary_cross_entropy_back;
// network/gradient_normalize.cc
GradientFunction layer_norm_back, rms_norm_back, batch_norm_back, group_norm_back;
// network/gradient_recurrent.cc
GradientFunction lstm_gates_back, gru_gates_back, rnn_gates_back;
// network/gradient_window.cc
GradientFunction convolution_back, convolution_input_grad_back, convolution_weight_grad_back,
    max_pool_back, max_pool_grad_back;

}  // namespace bp::ops
