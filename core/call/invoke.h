// SPDX-License-Identifier: Apache-2.0
// invoke.h: THE path of a call: check -> infer -> allocate -> arrange -> find the kernel (or
// compose) -> launch. Every way into an op ends here: bp_invoke, the printed functions,
// compositions, copies, factories. The core calls an op by its id, with tensors and numbers as they
// are; compositions have short names for most (core/ops/made_of.h).
//
//   Ref<Tensor> y = invoke(BP_OP_ADD, {t, 1.5});
//   invoke(BP_OP_FILL, {0}, {ints_value(y->shape), dtype_value(y->dtype)}, {&y, 1});
#pragma once
#include <concepts>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/call/launch.h"
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

inline bp_value tensor_value(const Tensor& t) {
  bp_value v{};
  v.kind = BP_VALUE_TENSOR;
  v.as.tensor = const_cast<Tensor*>(&t);
  return v;
}
inline bp_value number(int64_t x) {
  bp_value v{};
  v.kind = BP_VALUE_I64;
  v.as.i64 = x;
  return v;
}
inline bp_value number(double x) {
  bp_value v{};
  v.kind = BP_VALUE_F64;
  v.as.f64 = x;
  return v;
}
inline bp_value number(double re, double im) {
  bp_value v{};
  v.kind = BP_VALUE_C128;
  v.as.c128[0] = re;
  v.as.c128[1] = im;
  return v;
}
inline bp_attr int_value(int64_t x) { return {nullptr, BP_ATTR_I64, 1, {.i64 = x}, 0}; }
inline bp_attr float_value(double x) { return {nullptr, BP_ATTR_F64, 1, {.f64 = x}, 0}; }
inline bp_attr flag_value(bool x) { return {nullptr, BP_ATTR_BOOL, 1, {.i64 = x}, 0}; }
inline bp_attr dtype_value(bp_dtype x) { return {nullptr, BP_ATTR_DTYPE, 1, {.i64 = x}, 0}; }
inline bp_attr str_value(std::string_view x) {
  return {nullptr, BP_ATTR_STR, static_cast<uint32_t>(x.size()), {.str = x.data()}, 0};
}
inline bp_attr ints_value(std::span<const int64_t> x) {
  return {nullptr, BP_ATTR_INTS, static_cast<uint32_t>(x.size()), {.ints = x.data()}, 0};
}

// An operand of a call: a tensor, a number or none. It keeps a tensor that was made for the call
// until the call is over; one that is passed as Tensor& lives elsewhere.
struct Value {
  bp_value value;
  Ref<Tensor> kept{};
  Value(const bp_value& v) : value(v) {}              // NOLINT: implicit by design
  Value(const Tensor& t) : value(tensor_value(t)) {}  // NOLINT
  Value(Ref<Tensor> t) : value(tensor_value(*t)), kept(std::move(t)) {}  // NOLINT
  Value(double x) : value(number(x)) {}                                  // NOLINT
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T x) : value(number(static_cast<int64_t>(x))) {}  // NOLINT
};

// The attributes of a call: written out, or those that another call has.
struct AttrList : std::span<const bp_attr> {
  // NOLINTNEXTLINE: implicit by design
  AttrList(std::initializer_list<bp_attr> written) : span(written.begin(), written.size()) {}
  template <std::convertible_to<std::span<const bp_attr>> R>
  AttrList(const R& held) : span(held) {}  // NOLINT
};

// `attrs` has every attribute of the row, in row order (AttrValues arranges named ones). An empty
// out[i] is allocated, a given one is written. A call that is not of the simple kind of launch.h
// takes the long path.
void invoke(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
            std::span<Ref<Tensor>> out);
// For whoever has tried the simple kind.
void invoke_long(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::span<Ref<Tensor>> out);
void invoke(uint32_t op, std::initializer_list<Value> in, AttrList attrs,
            std::span<Ref<Tensor>> out);
// For a row with one result, which is new.
Ref<Tensor> invoke(uint32_t op, std::initializer_list<Value> in, AttrList attrs = {});

// Sets every element of t to v.
void fill(Tensor& t, const Value& v);

// With `composes` the composition runs, whose parts have gradients, and not the kernel.
void long_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
               std::span<Ref<Tensor>> out, bool composes);
// Thrown by a call for which the backend lacks a kernel: `missing` is the row without one, `asked`
// the outermost row that was being composed of it, or the same.
class MissingKernel final : public Error {
 public:
  MissingKernel(const OpRow& asked, bp_dtype asked_dtype, const OpRow& missing, bp_dtype dtype,
                const Device& device);
  // Says that `row` was to be composed.
  [[noreturn, gnu::cold]] void throw_for(const OpRow& row, bp_dtype row_dtype) const;

 private:
  const OpRow* missing_;
  const Device* device_;
  bp_dtype dtype_;
};
[[noreturn, gnu::cold]] void no_kernel(const OpRow& row, const Device& device, bp_dtype dtype);
// Runs a row's composition. What it lacks is reported by the name of the row.
void run_composition(Compose how, Composer& c);

// Returns what a call would make: compute dtype, output dtypes and shapes. Throws as it would.
Inference infer(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs);

}  // namespace bp
