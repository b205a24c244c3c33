// SPDX-License-Identifier: Apache-2.0
// run.h: what the printed functions of c_ops.cc are made of: arguments checked and packed, outputs
// handed over.
#pragma once
#include <array>
#include <vector>

#include "c_api.h"
#include "core/base/guard.h"
#include "core/call/invoke.h"
#include "core/value/infer.h"

namespace bp {

// An operand as it was given. Turning it into a value checks it; calls of tensors alone try the
// short path first, where one look at all of them is enough.
struct TensorArg {
  const bp_tensor* tensor;
  const char* name;
  // NOLINTNEXTLINE: implicit by design
  operator bp_value() const { return tensor_value(checked(tensor, name)); }
};
inline TensorArg tensor_arg(const bp_tensor* t, const char* name) { return {t, name}; }

inline bp_value optional_arg(const bp_tensor* t, const char* name) {
  return t ? tensor_arg(t, name) : bp_value{};
}

inline bp_value number_arg(const bp_value* v, const char* name) {
  need(v, name);
  if (v->kind < BP_VALUE_TENSOR || v->kind > BP_VALUE_C128)
    fail(BP_INVALID_ARGUMENT, "{} has kind {}, expected a number", name, v->kind);
  if (v->kind == BP_VALUE_TENSOR) checked(v->as.tensor, name);
  return *v;
}

inline bp_attr ints_arg(const int64_t* p, uint32_t n, const char* name) {
  if (n > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "{} has {} values, at most {} are possible", name, n, +BP_MAX_RANK);
  if (n) need(p, name);
  return ints_value({p, n});
}

inline bp_attr str_arg(const char* s, const char* name) {
  need(s, name);
  return str_value(s);
}

inline Span shape_span(int32_t rank, const int64_t* shape) {
  if (rank < 0 || rank > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "rank {} is not within 0 to {}", rank, +BP_MAX_RANK);
  if (rank) need(shape, "shape");
  return {shape, static_cast<size_t>(rank)};
}
inline bp_attr shape_arg(int32_t rank, const int64_t* shape) {
  return ints_value(shape_span(rank, shape));
}

template <class... V>
std::array<bp_value, sizeof...(V)> inputs(V... v) {
  return {v...};
}
inline std::array<TensorArg, 1> inputs(TensorArg a) { return {a}; }
inline std::array<TensorArg, 2> inputs(TensorArg a, TensorArg b) { return {a, b}; }
template <class... A>
std::array<bp_attr, sizeof...(A)> attrs(A... a) {
  return {a...};
}
std::vector<bp_value> list_arg(bp_tensor* const* tensors, uint32_t n, const char* name);

void run(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
         bp_tensor** out);
// For ops with several results: outs, in the row's order.
void run_several(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::initializer_list<bp_tensor**> outs);
void run_into(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
              bp_tensor* out);
// For ops without a tensor operand: the result is made on device (0: the default device).
void run_created(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 bp_device device, bp_tensor** out);

// ---- tensors alone: without attributes the short path comes first; it refuses what is not as it
// should be, and the way with all checks says what that was ----
[[gnu::always_inline]] inline Tensor* short_call(uint32_t op, std::array<TensorArg, 1> in,
                                                 Tensor* out) {
  return short_path(op, in[0].tensor, out);
}
[[gnu::always_inline]] inline Tensor* short_call(uint32_t op, std::array<TensorArg, 2> in,
                                                 Tensor* out) {
  return op == BP_OP_MATMUL ? short_product(in[0].tensor, in[1].tensor, out)
                            : short_path(op, in[0].tensor, in[1].tensor, out);
}
template <size_t N>
std::array<bp_value, N> packed(std::array<TensorArg, N> in) {
  std::array<bp_value, N> values;
  for (size_t i = 0; i < N; ++i) values[i] = in[i];
  return values;
}
// Out of line: a call that takes the short path should not pay for their stack.
template <size_t N, size_t M>
[[gnu::noinline]] void run_packed(uint32_t op, std::array<TensorArg, N> in,
                                  std::array<bp_attr, M> attrs, bp_tensor** out) {
  const auto values = packed(in);
  run(op, std::span<const bp_value>(values), attrs, out);
}
template <size_t N, size_t M>
[[gnu::noinline]] void run_into_packed(uint32_t op, std::array<TensorArg, N> in,
                                       std::array<bp_attr, M> attrs, bp_tensor* out) {
  const auto values = packed(in);
  run_into(op, std::span<const bp_value>(values), attrs, out);
}
template <size_t N, size_t M>
[[gnu::always_inline]] inline void run(uint32_t op, std::array<TensorArg, N> in,
                                       std::array<bp_attr, M> attrs, bp_tensor** out) {
  if constexpr (M == 0) {
    if (Tensor* made = out ? short_call(op, in, nullptr) : nullptr) {
      *out = made;
      return;
    }
  }
  run_packed(op, in, attrs, out);
}
template <size_t N, size_t M>
[[gnu::always_inline]] inline void run_into(uint32_t op, std::array<TensorArg, N> in,
                                            std::array<bp_attr, M> attrs, bp_tensor* out) {
  if constexpr (M == 0)
    if (out && short_call(op, in, out)) return;
  run_into_packed(op, in, attrs, out);
}
template <size_t N, size_t M>
void run_several(uint32_t op, std::array<TensorArg, N> in, std::array<bp_attr, M> attrs,
                 std::initializer_list<bp_tensor**> outs) {
  const auto values = packed(in);
  run_several(op, std::span<const bp_value>(values), attrs, outs);
}

}  // namespace bp
