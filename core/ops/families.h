// SPDX-License-Identifier: Apache-2.0
// families.h: the rows of the op table; table.cc joins them in id order. <chamber>/<family>.cc
// holds the rows of a family and gradient_<name>.cc what takes gradients back through them; rules
// and compositions with a file of their own have a header. Nothing in this room knows a backend.
#pragma once
#include <span>

#include "core/value/op_def.h"

namespace bp::ops {

std::span<const OpRow> unary_rows();
std::span<const OpRow> binary_rows();
std::span<const OpRow> activation_rows();
std::span<const OpRow> gamma_rows();
std::span<const OpRow> convert_rows();
std::span<const OpRow> complex_parts_rows();
std::span<const OpRow> reduce_rows();
std::span<const OpRow> along_axis_rows();
std::span<const OpRow> statistics_rows();
std::span<const OpRow> indexing_rows();
std::span<const OpRow> scatter_rows();
std::span<const OpRow> selecting_rows();
std::span<const OpRow> manipulate_rows();
std::span<const OpRow> linear_rows();
std::span<const OpRow> linalg_rows();
std::span<const OpRow> products_rows();
std::span<const OpRow> distance_rows();
std::span<const OpRow> einsum_rows();
std::span<const OpRow> fft_rows();
std::span<const OpRow> loss_rows();
std::span<const OpRow> normalize_rows();
std::span<const OpRow> recurrent_rows();
std::span<const OpRow> network_rows();
std::span<const OpRow> convolution_rows();
std::span<const OpRow> pooling_rows();
std::span<const OpRow> resample_rows();
std::span<const OpRow> unfold_rows();
std::span<const OpRow> creation_rows();
std::span<const OpRow> random_rows();
std::span<const OpRow> foreach_rows();

// The operands of many rows: one or two that promote, and one of any dtype.
constexpr InputSpecs kX{{{"x"}}}, kAB{{{"a"}, {"b"}}}, kAnyX{{{"x", Role::kAny}}};

}  // namespace bp::ops
