// run.h: what the printed functions of c_ops.cc are made of: arguments checked and packed, outputs handed over.
#pragma once
#include <array>
#include <vector>

#include "c_api.h"
#include "core/base/guard.h"
#include "core/infer.h"
#include "core/invoke.h"

namespace bp {

inline bp_value tensor_arg(const bp_tensor* t, const char* name) { return tensor_value(checked(t, name)); }

inline bp_value number_arg(const bp_value* v, const char* name) {
  need(v, name);
  if (v->kind < BP_VALUE_TENSOR || v->kind > BP_VALUE_BOOL)
    fail(BP_INVALID_ARGUMENT, "{} has kind {}, expected a number", name, v->kind);
  if (v->kind == BP_VALUE_TENSOR) checked(v->as.tensor, name);
  return *v;
}

inline bp_attr ints_arg(const int64_t* p, uint32_t n, const char* name) {
  if (n > BP_MAX_RANK) fail(BP_INVALID_ARGUMENT, "{} has {} values, at most {} are possible", name, n, +BP_MAX_RANK);
  if (n) need(p, name);
  return ints_value({p, n});
}

inline Span shape_span(int32_t rank, const int64_t* shape) {
  if (rank < 0 || rank > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "rank {} is not within 0 to {}", rank, +BP_MAX_RANK);
  if (rank) need(shape, "shape");
  return {shape, static_cast<size_t>(rank)};
}
inline bp_attr shape_arg(int32_t rank, const int64_t* shape) { return ints_value(shape_span(rank, shape)); }

template <class... V>
std::array<bp_value, sizeof...(V)> inputs(V... v) {
  return {v...};
}
template <class... A>
std::array<bp_attr, sizeof...(A)> attrs(A... a) {
  return {a...};
}
std::vector<bp_value> list_arg(bp_tensor* const* tensors, uint32_t n, const char* name);

void run(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs, bp_tensor** out);
// For ops with several results: outs, in the row's order.
void run_several(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::initializer_list<bp_tensor**> outs);
void run_into(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs, bp_tensor* out);
// For ops without a tensor operand: the result is made on device (0: the default device).
void run_created(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs, bp_device device,
                 bp_tensor** out);

}  // namespace bp
