// SPDX-License-Identifier: Apache-2.0
// session.h: running calls through the C API: handles that release themselves, tensors put into a
// layout on a device, results read back.
//
//   Session s(bp_device_make(BP_KIND_CPU, -1));
//   Outcome o = s.run(op, call);
//   if (o.status == BP_OK) compare(o.results[0], ...);
#pragma once
#include <string>
#include <vector>

#include "call.h"
#include "kit/owners.h"

namespace conformance {

using Handle = bp_test::T;

struct Outcome {
  bp_status status = BP_OK;
  std::string message{};
  std::vector<Array> results{};
  std::vector<Handle> made{};  // the outputs that the call allocated
};

// A tensor of a's values lying as `layout` says. Throws std::runtime_error with the library's
// message.
Handle put(const Array& a, Layout layout, bp_device device);
Array get(bp_tensor* t);
// An uninitialised-looking output: every element is a pattern that no expected result has by
// accident.
Handle scratch(const Shape& shape, bp_dtype dtype, Layout layout, bp_device device);

// What bp_invoke takes. The attribute's name, list and text are those of `a`.
bp_value value_of(const Operand& x, bp_tensor* handle);
bp_attr attr_of(const Attribute& a);

class Session {
 public:
  explicit Session(bp_device device) : device_(device) {}
  bp_device device() const { return device_; }

  Outcome run(uint32_t op, const Call& call) const;
  // outputs: given tensors, or NULL entries that are allocated. inputs: the operands' own handles
  // (for calls in place).
  Outcome run(uint32_t op, const Call& call, const std::vector<bp_tensor*>& inputs,
              std::vector<bp_tensor*> outputs) const;
  std::vector<Handle> put_inputs(const Call& call) const;

 private:
  bp_device device_;
};

// The last device of every kind that has devices, or of the kind that CONFORMANCE_KIND names.
// Throws std::runtime_error when there is none.
std::vector<bp_device> all_devices();
// The dtypes that CONFORMANCE_DTYPES names, "f32,i64", or all.
uint32_t asked_dtypes();
std::string text_of_device(bp_device d);

struct Op {
  uint32_t id;
  std::string name;
  bp_op_info info;
};
// The built-in rows, but for those over lists (foreach_test.cc).
const std::vector<Op>& all_ops();
const Op& op_named(const std::string& name);
bool supported(uint32_t op, bp_dtype key, bp_device device);

}  // namespace conformance
