// SPDX-License-Identifier: Apache-2.0
#include "core/c_api/lists.h"

namespace bp {

std::vector<Tensor*> tensor_list(bp_tensor* const* list, uint32_t n, const char* name,
                                 Nulls nulls) {
  constexpr uint32_t kMostTensors = 1u << 20;
  if (n > kMostTensors)
    fail(BP_INVALID_ARGUMENT, "{} has {} tensors, at most {} are possible", name, n, kMostTensors);
  const bool optional = nulls == Nulls::kAllowed;
  if (n && !optional) need(list, name);
  std::vector<Tensor*> out;
  for (uint32_t i = 0; list && i < n; ++i)
    out.push_back(optional && !list[i] ? nullptr : &checked(list[i], name));
  return out;
}

std::span<const bp_attr> attr_list(const bp_attr* attrs, uint32_t n) {
  if (n > BP_MAX_ATTRS)
    fail(BP_INVALID_ARGUMENT, "{} attributes, at most {} are possible", n, +BP_MAX_ATTRS);
  if (n) need(attrs, "attrs");
  return {attrs, n};
}

}  // namespace bp
