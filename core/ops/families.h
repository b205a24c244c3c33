// families.h: the rows, one array per file of this folder; table.cc joins them in id order.
// Grammar of this folder: <family>.cc holds one constexpr array of rows and nothing that knows a
// backend; a pair of .h and .cc is made of rows and is none.
#pragma once
#include <span>

#include "core/value/op_def.h"

namespace bp::ops {
std::span<const OpRow> unary();
std::span<const OpRow> binary();
std::span<const OpRow> activation();
std::span<const OpRow> convert();
std::span<const OpRow> reduce();
std::span<const OpRow> rows();
std::span<const OpRow> statistics();
std::span<const OpRow> linear();
std::span<const OpRow> linalg();
std::span<const OpRow> fft();
std::span<const OpRow> products();
std::span<const OpRow> indexing();
std::span<const OpRow> creation();
std::span<const OpRow> random();
std::span<const OpRow> manipulate();
std::span<const OpRow> scatter();
std::span<const OpRow> selecting();
std::span<const OpRow> loss();
std::span<const OpRow> normalize();
std::span<const OpRow> network();
std::span<const OpRow> convolution();
std::span<const OpRow> pooling();
std::span<const OpRow> resample();
std::span<const OpRow> einsum();
std::span<const OpRow> complex_parts();
std::span<const OpRow> foreach ();
}  // namespace bp::ops
