// SPDX-License-Identifier: Apache-2.0
// registry.h: where kernel sources put their records.
//
//   void add_fill(Registry& r) { r.add(BP_OP_FILL, kAllDtypes, run_fill); }
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_kit {

constexpr uint64_t bit(bp_dtype d) { return uint64_t{1} << d; }
constexpr uint64_t kAllDtypes = bit(BP_DTYPE_COUNT) - 1;

// What arithmetic is registered for. A new dtype is in none of these until kernels compute in it.
constexpr uint64_t kSigned = bit(BP_I8) | bit(BP_I16) | bit(BP_I32) | bit(BP_I64);
constexpr uint64_t kUnsigned = bit(BP_U8) | bit(BP_U16) | bit(BP_U32) | bit(BP_U64);
constexpr uint64_t kIntegers = kSigned | kUnsigned;
constexpr uint64_t kHalves = bit(BP_F16) | bit(BP_BF16);
constexpr uint64_t kFloats = kHalves | bit(BP_F32) | bit(BP_F64);
constexpr uint64_t kReals = kIntegers | kFloats;
constexpr uint64_t kComplex = bit(BP_C64) | bit(BP_C128);
constexpr uint64_t kArithmetic = bit(BP_BOOL) | kReals | kComplex;

using Run = bp_status (*)(const bp_launch* launch, bp_error** err);
using Workspace = bp_status (*)(const bp_launch* launch, uint64_t* bytes, bp_error** err);

class Registry {
 public:
  Registry() = default;
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // `dtypes` is a mask over the row's key operand. `small` is as in bp_kernel.
  void add(uint32_t op, uint64_t dtypes, Run run, uint32_t flags = 0, Workspace workspace = nullptr,
           uint32_t small = 0);
  void clear();

  const bp_kernel* records() const { return records_; }
  uint32_t count() const { return count_; }
  bool complete() const { return complete_; }  // false when memory ran out

 private:
  bp_kernel* records_ = nullptr;
  uint32_t count_ = 0, room_ = 0;
  bool complete_ = true;
};

}  // namespace bp_kit
