// SPDX-License-Identifier: Apache-2.0
// tensor.h: what cases need of the C API; a failure throws.
#pragma once
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>

#include "c_api.h"

namespace bench {

using TensorPtr = std::shared_ptr<bp_tensor>;

// Throws the error, if any, and releases it. `e` is taken by reference because it is evaluated
// before the call that sets it.
inline void check(bp_status s, bp_error* const& e = nullptr) {
  if (s >= 0) return;
  const std::string text = e ? bp_error_message(e, nullptr) : bp_status_name(s);
  bp_error_release(e);
  throw std::runtime_error(text);
}

inline bp_device cpu() { return bp_device_make(BP_KIND_CPU, -1); }

inline TensorPtr ones(std::initializer_list<int64_t> shape, bp_device device = cpu()) {
  bp_tensor* t = nullptr;
  check(bp_tensor_ones(static_cast<int32_t>(shape.size()), shape.begin(), BP_F32, device, &t,
                       nullptr));
  return TensorPtr(t, bp_tensor_release);
}

inline float* data(const TensorPtr& t) {
  void* p = nullptr;
  check(bp_tensor_data(t.get(), &p, nullptr));
  return static_cast<float*>(p);
}

}  // namespace bench
