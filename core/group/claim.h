// SPDX-License-Identifier: Apache-2.0
// claim.h: what a member says that it is about to exchange. Members send each other their claims as
// bytes before an exchange, and each finds the same disagreement, if there is one. Pure.
//
//   std::vector<Claim> all(2);   // one from each member, by rank
//   if (const std::string why = disagreement(all); !why.empty()) fail_text(BP_INVALID_ARGUMENT, why);
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "c_group.h"
#include "c_plugin_group.h"
#include "core/value/shape.h"

namespace bp {

// What members call beside the exchanges of c_plugin_group.h.
inline constexpr int32_t kSplit = 11, kUseDevice = 12;

struct Claim {
  uint64_t number = 0;              // of the exchange in its group, from 1
  int32_t kind = 0, operation = 0;  // BP_EXCHANGE_*, BP_REDUCE_*; -1 of what reduces nothing
  bp_dtype dtype = BP_DTYPE_NONE;   // of a barrier none
  uint32_t peer = 0;                // the root; 0 where there is none
  uint32_t rank = 0;                // of a part's shape
  uint32_t is_bytes = 0;            // a call of bytes, which have no shape
  uint32_t is_unchecked = 0;        // one of the members' introduction, which comes before checks
  uint32_t on_device = 0;           // the members' devices exchange, and not their hosts
  int64_t shape[8] = {};            // its first sizes
  uint64_t all_sizes = 0;           // and a hash of all of them
  bool operator==(const Claim&) const = default;
};
static_assert(std::is_trivially_copyable_v<Claim>);
static_assert(std::has_unique_object_representations_v<Claim>);

void set_shape(Claim& c, Span shape);
const char* exchange_name(int32_t kind) noexcept;  // "all_reduce"
// "sum", of what reduces nothing nullptr; "root", "receiver" or "sender", where there is no peer
// nullptr; "float32[2, 3]", of a barrier and of bytes "".
const char* operation_name(const Claim& c) noexcept;
const char* peer_name(const Claim& c) noexcept;
std::string shape_text(const Claim& c);
// "all_reduce(sum) of float32 [2, 3]".
std::string text_of(const Claim& c);
// "" when all claim the same, else who claims what: "the members' calls do not agree: ranks 0, 2
// call all_reduce(sum) of float32 [3]; rank 1 calls all_reduce(sum) of float32 [4]".
std::string disagreement(std::span<const Claim> by_rank);
// "rank 3", "ranks 1, 2 and 5", "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 12 more".
std::string ranks_text(std::span<const uint32_t> ranks);

}  // namespace bp
