// SPDX-License-Identifier: Apache-2.0
// arrange.h: from tensors as the caller gave them to operands as a kernel wants them, by the row's
// layout (op_def.h). Strides and shapes change, data does not move.
#pragma once
#include <memory>

#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

// One operand on its way to the kernel: a tensor under shape and strides, a number, or nothing.
struct Slot {
  Tensor* tensor = nullptr;  // the caller's, or `made`
  Ref<Tensor> made;
  bp_value number{};
  bp_dtype dtype = BP_DTYPE_NONE;
  Dims shape, strides;

  void hold(Ref<Tensor> t) {
    made = std::move(t);
    tensor = made.get();
  }
  void see(Span s, Span st) {
    shape = Dims(s);
    strides = Dims(st);
  }
};

constexpr uint32_t kMaxSlots = 5 + kMaxOutputs;  // inputs and outputs; lists are always composed

// The slots of a call; those that it does not have are not made.
struct Slots {
  const uint32_t n_in, n_out;
  union {
    Slot slot[kMaxSlots];
  };

  Slots(uint32_t inputs, uint32_t outputs) : n_in(inputs), n_out(outputs) {
    std::uninitialized_default_construct_n(slot, size());
  }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  ~Slots() { std::destroy_n(slot, size()); }
  Slot& in(size_t i) { return slot[i]; }
  Slot& out(size_t i) { return slot[n_in + i]; }
  uint32_t size() const { return n_in + n_out; }
};

// Fills in every slot's shape and strides.
void arrange(const OpRow& row, std::span<const bp_attr> attrs, Slots& slots);
// The strides of one dense run.
inline constexpr int64_t kOneStride[] = {1};
// Returns a number, or nothing, as a kernel's argument.
bp_arg as_number(const bp_value& v, bp_dtype dtype);
// Returns the slot as the kernel's argument, which points into the slot.
bp_arg to_arg(const Slot& slot);

}  // namespace bp
