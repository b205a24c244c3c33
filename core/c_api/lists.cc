// SPDX-License-Identifier: Apache-2.0
#include "core/c_api/lists.h"

#include "core/value/attr_values.h"

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

void put_attr(std::string_view owner, const AttrSpecs& specs, uint32_t i, bp_attr_info* out) {
  if (i >= specs.size())
    fail(BP_INDEX_OUT_OF_RANGE, "{}: attribute {} of {}", owner, i, specs.size());
  const AttrSpec& spec = specs.at(i);
  bp_attr_info info{};
  info.flags = (spec.required ? +BP_ATTR_FLAG_REQUIRED : 0u) |
               (spec.text_too ? +BP_ATTR_FLAG_OR_TEXT : 0u) |
               (spec.any_length ? +BP_ATTR_FLAG_ANY_LENGTH : 0u);
  info.doc = spec.doc;
  info.default_value = default_attr(spec);
  put_struct(info, out, "out");
}

}  // namespace bp
