// SPDX-License-Identifier: Apache-2.0
// scratch.h: memory for one call, from the host, or from the stack when it is little. It is freed
// when it goes out of scope.
//
//   Scratch scratch(*launch, n * sizeof(float));
//   float* p = scratch.as<float>();
//   if (!p) return scratch.fail(err);
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

class Scratch {
 public:
  Scratch(const bp_launch& launch, uint64_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Returns memory that is 64-byte aligned, or nullptr when memory is exhausted.
  template <class T>
  __attribute__((always_inline)) T* as() const {
    return static_cast<T*>(data_);
  }
  bp_status fail(bp_error** err) const;

 private:
  alignas(64) char small_[1024];
  const bp_launch& launch_;
  uint64_t bytes_;
  void* data_;
};

}  // namespace bp_cpu
