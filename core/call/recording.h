// SPDX-License-Identifier: Apache-2.0
// recording.h: what the path of a call asks of automatic differentiation. It is declared here,
// below the room that knows graphs, and defined in core/grad/autograd.cc, so that a call includes
// nothing above itself. Any thread; whether a thread records is its own state.
//
//   if (must_record(in) && row.grad.run) return invoke_recorded(row, row.grad, in, attrs, out);
#pragma once
#include <cstdint>
#include <span>

#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

bool records() noexcept;               // whether this thread records, which it does at first
bool set_recording(bool on) noexcept;  // returns what was set before
// Sets whether the thread records for a scope.
class RecordGuard {
 public:
  explicit RecordGuard(bool on) noexcept;
  ~RecordGuard();
  RecordGuard(const RecordGuard&) = delete;
  RecordGuard& operator=(const RecordGuard&) = delete;

 private:
  bool before_;
};

// Whether this thread records and an operand wants a gradient.
bool must_record(std::span<const bp_value> in) noexcept;

// Runs the row without recording and makes the node of its results.
void invoke_recorded(const OpRow& row, const Gradient& gradient, std::span<const bp_value> in,
                     std::span<const bp_attr> attrs, std::span<Ref<Tensor>> out);
// For a row that has no gradient and is not composed: its results know, and refuse backward.
void invoke_underivable(const OpRow& row, std::span<const bp_value> in,
                        std::span<const bp_attr> attrs, std::span<Ref<Tensor>> out);

// Makes `made`, which a composition made of nothing that wants a gradient, a result with the
// gradient 0: the identity that is a matrix to the power of 0 depends on it all the same.
void record_constant(std::span<const bp_value> in, Tensor& made);

// While recording, refuses a given output that is no operand, a leaf that wants a gradient, or a
// view of a tensor that wants one.
void check_given_output(const OpRow& row, std::span<const bp_value> in, const Tensor& given);
// Puts what a composition made into a given output, with its way back.
void write_composed(Tensor& given, Tensor& made);

// All of t is about to be written with what wants no gradient, so that it loses its own. A leaf
// that wants one is refused while the thread records.
void overwritten(Tensor& t);
// Does dst.copy_(src) with its way back.
void copy_recorded(Tensor& dst, Tensor& src, bool non_blocking);

}  // namespace bp
