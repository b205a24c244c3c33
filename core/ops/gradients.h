// gradients.h: how gradients of rows go back, one array per file gradient_<family>.cc; gradients.cc
// finds them by op. A row without an entry that is made of others has the gradients of its parts;
// one that is not refuses backward.
//
//   void sin_back(GradCall& c) { c.give(0, mul(c.grad(), cos(c.in(0)))); }
//   {BP_OP_SIN, "SinBackward0", sin_back, kIn0, 0},
#pragma once
#include "core/grad/autograd.h"
#include "core/ops/made_of.h"

namespace bp::ops {

enum : uint32_t { kIn0 = 1, kIn1 = 2, kIn2 = 4, kOut0 = 1, kOut1 = 2, kOut2 = 4 };
constexpr uint32_t kBoth = kIn0 | kIn1;

std::span<const GradientRow> unary_gradients();
std::span<const GradientRow> binary_gradients();
std::span<const GradientRow> reduce_gradients();
// concat, gather, scatter, sort: elements that go elsewhere
std::span<const GradientRow> moving_gradients();
std::span<const GradientRow> linear_gradients();
std::span<const GradientRow> window_gradients();  // convolutions and pools
std::span<const GradientRow> linalg_gradients();
std::span<const GradientRow> fft_gradients();

// conj of a complex tensor, else the tensor.
inline Ref<Tensor> conjugate(const Ref<Tensor>& t) {
  return is_complex(t->dtype) ? made(BP_OP_CONJ, t) : t;
}
inline Ref<Tensor> zeros_like(const Ref<Tensor>& t) {
  return filled(t->shape, t->dtype, zero_of(t->dtype), t->device());
}

// Along the last axis, of each element the product of all others, zeros included: of those before
// it times those behind it.
Ref<Tensor> products_of_others(const Ref<Tensor>& x);

}  // namespace bp::ops
