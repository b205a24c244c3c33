// SPDX-License-Identifier: Apache-2.0
// kept.h: compositions and gradients, which launch a kernel for each step. A thread that makes a
// like call again records it, and from then on it runs as a program, of which neighbouring
// elementwise steps are one loop of the cpu or one launch of an accelerator (program/group.h). The
// results have the same bits. It is declared here, below the room that knows programs, and defined
// in program/kept.cc.
//
//   Likeness like(how, row.id);  // what distinguishes the call from others
//   like.reads(t);
//   run_kept(like, out, [&] { how(c); });
#pragma once
#include <functional>
#include <span>

#include "core/base/small_vec.h"
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

// All that the results of a call depend on, but for its operands' elements.
class Likeness {
 public:
  template <class F>
  explicit Likeness(F* how, uint32_t op = 0) {  // several rows may share a function
    word(reinterpret_cast<uintptr_t>(how));
    word(static_cast<uint64_t>(op) << 32 | static_cast<uint32_t>(default_dtype()));
  }
  void word(uint64_t w) { words_.push_back(w); }
  void number(const bp_value& v);
  void attributes(std::span<const bp_attr> attrs);
  // An operand, which lives until the call ends.
  void reads(Tensor& t);

  std::span<const uint64_t> words() const { return {words_.begin(), words_.end()}; }
  std::span<Tensor* const> operands() const { return {operands_.begin(), operands_.end()}; }

 private:
  SmallVec<uint64_t, 48> words_;
  SmallVec<Tensor*, 8> operands_;
};

// Whether a program may be worth it, for tensors of so many elements at most; and for what a row is
// composed of, or its gradient.
bool is_worth_keeping(const Device& device, int64_t count);
bool may_be_kept(const OpRow& row, const Device& device, int64_t count);
// Fills `out` as make() does, of which some entries may stay empty.
void run_kept(const Likeness& like, std::span<Ref<Tensor>> out, const std::function<void()>& make);
// Drops the programs of this thread.
void forget_kept() noexcept;

}  // namespace bp
