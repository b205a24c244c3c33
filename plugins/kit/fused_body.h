// SPDX-License-Identifier: Apache-2.0
// fused_body.h: neighbouring launches of a group of "bp.fuse/1" that one loop may do together, as a
// list of steps in which each value is made once. What runs the list says by its rules which
// launches it knows, and makes a piece of the body: machine code, a kernel's program. A body of
// rows has reductions of these among its steps.
//
//   uint32_t n = 0;
//   const auto piece = longest_piece(group, first, {}, rules, &n, make_loop);
#pragma once
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kit/fused_space.h"

namespace bp_kit {

struct Body {
  // Memory that the steps read or write, by an argument of the group.
  struct Pointer {
    bp_dtype dtype;
    uint32_t launch, argument;
    std::vector<int64_t> strides;                    // in bytes, by the dims of the space
    bool is_one() const { return strides[0] == 0; }  // the same element for a whole row
    int64_t row_bytes() const { return strides.size() > 1 ? strides[1] : 0; }
  };
  struct Value {
    enum class Kind : uint8_t { kLoaded, kNumber, kComputed } kind;
    bp_dtype dtype;
    uint32_t pointer = 0;  // of kLoaded
    uint32_t bits = 0;     // of kNumber, as the rules say
    bool is_one = false;   // the same for a whole row
  };
  struct Step {
    uint32_t launch;  // of the group, counted from the body's first
    uint32_t op;      // BP_OP_*
    uint32_t in[3], n_in, out;
    int32_t store = -1;  // the pointer to which the result goes
    bool reduces = false;
  };
  Space space;
  Rows rows;
  std::vector<Pointer> pointers;
  std::vector<Value> values;
  std::vector<Step> steps;
};

// What may become a body.
struct BodyRules {
  bool (*knows)(const bp_launch& launch);
  // How many operands a step has of a launch, at most 3. Those beyond the launch's inputs are its
  // attributes, as numbers.
  uint32_t (*operands)(const bp_launch& launch);
  uint32_t (*number)(const bp_launch& launch, uint32_t i);  // the bits of operand i
  // Whether an argument may go so many bytes from one element of the innermost dim to the next.
  bool (*walks)(bp_dtype dtype, int64_t stride);
  int64_t shortest_row;  // of the innermost dim, where there are others
  size_t most_pointers, most_dims;
};

// Which launches of a group read each of its memories: the first of them and the last.
class Readers {
 public:
  explicit Readers(const bp_fused& group);
  bool any_beyond(uint32_t memory, uint32_t first, uint32_t n) const;  // [first, first + n)

 private:
  std::unordered_map<uint32_t, std::pair<uint32_t, uint32_t>> of_;
};

// The launches from this one on that make a body; 0 where its own kernel must run.
uint32_t count_of_body(const bp_fused& group, const Readers& readers, uint32_t first,
                       const Rows& rows, const BodyRules& rules);
// Makes the body of launches [first, first + n), or returns false where they are none.
bool make_body(const bp_fused& group, const Readers& readers, uint32_t first, uint32_t n,
               const Rows& rows, const BodyRules& rules, Body& body);

// Makes a piece of the longest body that begins with this launch, and says how many launches it
// takes. make(body, &fits) returns nullptr where the body is too much for it, with *fits the number
// of launches that it may do with, or 0. Returns nullptr where the launch's own kernel must run.
template <class Make>
auto longest_piece(const bp_fused& group, uint32_t first, const Rows& rows, const BodyRules& rules,
                   uint32_t* n, const Make& make) -> decltype(make(Body{}, n)) {
  decltype(make(Body{}, n)) piece;
  const Readers readers(group);
  for (uint32_t most = count_of_body(group, readers, first, rows, rules), fits = 0;
       most > 0 && !piece;) {
    Body body;
    if (!make_body(group, readers, first, most, rows, rules, body)) break;
    fits = 0;
    piece = make(body, &fits);
    *n = piece ? most : *n;
    most = fits;
  }
  return piece;
}

}  // namespace bp_kit
