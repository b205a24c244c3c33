// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/oracle.h"

namespace conformance {
namespace linear_specs {
namespace {

struct Matrix {
  const Array& array;
  Shape shape;  // with a 1-D operand made a row or a column
  Shape batch() const { return Shape(shape.begin(), shape.end() - 2); }
  size_t rows() const { return static_cast<size_t>(shape[shape.size() - 2]); }
  size_t cols() const { return static_cast<size_t>(shape.back()); }
};

Matrix as_matrix(const Array& a, bool row) {
  Shape shape = a.shape;
  if (shape.size() == 1) shape.insert(row ? shape.begin() : shape.end(), 1);
  return {a, shape};
}

struct Element {
  Real value, magnitude;
};

Element product(const Array& a, size_t a0, const Array& b, size_t b0, size_t step, size_t k) {
  if (is_float(a.dtype)) {
    Element e{0, 0};
    for (size_t j = 0; j < k; ++j) {
      const Real term = a.re[a0 + j] * b.re[b0 + j * step];
      e.value += term;
      e.magnitude += std::fabs(term);
    }
    return e;
  }
  uint64_t word = 0;
  for (size_t j = 0; j < k; ++j) {
    const uint64_t term = to_bits(a.re[a0 + j]) * to_bits(b.re[b0 + j * step]);
    word = is_bool(a.dtype) ? word | term : word + term;
  }
  return {from_bits(word, a.dtype), 0};
}

// The documented bound: (k + 2) * eps * (|a| x |b|), eps of the dtype accumulated in.
Answer matmul(const Call& call) {
  const Matrix a = as_matrix(call.in[0].array, true), b = as_matrix(call.in[1].array, false);
  const size_t m = a.rows(), k = a.cols(), n = b.cols();
  const Shape batch = broadcast(a.batch(), b.batch());
  Shape shape = batch;
  if (call.in[0].array.shape.size() > 1) shape.push_back(static_cast<int64_t>(m));
  if (call.in[1].array.shape.size() > 1) shape.push_back(static_cast<int64_t>(n));
  const bp_dtype t = a.array.dtype;
  const Real eps = std::ldexp(Real{1}, 1 - format_of(t == BP_F64 ? BP_F64 : BP_F32).precision);
  Expected e{Array{t, shape, {}, {}}, {}, true, {}};
  for (size_t g = 0; g < static_cast<size_t>(count_of(batch)); ++g) {
    const size_t a0 = position_in(a.batch(), batch, g) * m * k,
                 b0 = position_in(b.batch(), batch, g) * k * n;
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        const Element x = product(a.array, a0 + i * k, b.array, b0 + j, n, k);
        e.array.re.push_back(x.value);
        // What is accumulated in f32 is rounded once more when the result is narrow.
        const Real narrow =
            is_narrow(t) ? std::fabs(x.value) * std::ldexp(Real{1}, 1 - format_of(t).precision) : 0;
        e.tolerance.push_back(is_float(t) ? static_cast<Real>(k + 2) * eps * x.magnitude + narrow
                                          : 0);
      }
  }
  return {e};
}

// x weight^T + bias, and an activation.
Answer linear(const Call& call) {
  const Array &x = call.in[0].array, &w = call.in[1].array;
  const auto in = static_cast<size_t>(w.shape[1]), out = static_cast<size_t>(w.shape[0]);
  const bp_dtype t = x.dtype;
  const bool has_bias = !call.in[2].is_none();
  const Real eps = std::ldexp(Real{1}, 1 - format_of(t == BP_F64 ? BP_F64 : BP_F32).precision),
             unit = std::ldexp(Real{1}, 1 - format_of(t).precision);
  Expected e{Array{t, x.shape, {}, {}}, {}, true, {}};
  e.array.shape.back() = static_cast<int64_t>(out);
  const auto rows = static_cast<size_t>(count_of(Shape(x.shape.begin(), x.shape.end() - 1)));
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < out; ++j) {
      const Element sum = product(x, i * in, w, j * in, 1, in);
      const Real b = has_bias ? value_at(call.in[2].array, {static_cast<int64_t>(j)}) : 0;
      Real y = is_float(t) ? sum.value + b : from_bits(to_bits(sum.value) + to_bits(b), t);
      if (t == BP_BOOL) y = sum.value != 0 || b != 0;
      // A result of a product alone may be rounded before the bias is added.
      const Real narrow = is_narrow(t) ? std::fabs(sum.value) * unit : 0;
      e.tolerance.push_back(is_float(t) ? static_cast<Real>(in + 2) * eps * sum.magnitude + narrow +
                                              std::fabs(y) * unit
                                        : 0);
      e.array.re.push_back(call.str("activation", "none") == "relu" && y < 0 ? 0 : y);
    }
  return {e};
}

constexpr Spec kSpecs[] = {{"matmul", Family::kMatmul, kReals, matmul},
                           {"linear", Family::kComposed, kReals, linear}};

}  // namespace
}  // namespace linear_specs

std::span<const Spec> linear_oracles() { return linear_specs::kSpecs; }

}  // namespace conformance
