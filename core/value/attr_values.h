// SPDX-License-Identifier: Apache-2.0
// attr_values.h: the attributes of one op, module, optimiser or schedule, complete: what the caller
// named, in any order, and the defaults of the rest. Everywhere they are the values in the order of
// their list, and read by checked name.
//
//   const AttrValues values("step", kStep, given);
//   int64_t size = values.i64(kStep["step_size"]);
#pragma once
#include "core/value/attr_spec.h"

namespace bp {

// Returns the attribute with its default, which points into the spec. A required one is 0 or empty.
bp_attr default_attr(const AttrSpec& spec);

// Puts what is given in the place of what `values` holds, which is in the order of `specs`. Returns
// a bit for each place that was given. Whole numbers and flags stand for each other and for
// numbers, an integer for a list of one. `owner` opens the messages. Lists and texts are pointed
// to, never copied. Throws NOT_FOUND for a name that is not in the list, and INVALID_ARGUMENT for
// one that comes twice and for a value of another kind.
uint32_t take_attrs(std::string_view owner, const AttrSpecs& specs, std::span<const bp_attr> given,
                    std::span<bp_attr> values);

class AttrValues : public AttrReader {
 public:
  // Throws as take_attrs does, and INVALID_ARGUMENT where a required attribute is not given.
  AttrValues(std::string_view owner, const AttrSpecs& specs, std::span<const bp_attr> given);
  AttrValues(const AttrValues&) = delete;
  AttrValues& operator=(const AttrValues&) = delete;

 private:
  std::array<bp_attr, AttrSpecs::kMost> values_;  // what attrs reads
};

}  // namespace bp
