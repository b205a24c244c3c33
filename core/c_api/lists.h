// SPDX-License-Identifier: Apache-2.0
// lists.h: lists that cross the border: those that come in, a pointer and a count, are checked
// before anything reads them; those of attributes go out as data.
//
//   const std::vector<Tensor*> params = tensor_list(tensors, n, "params");
#pragma once
#include <span>
#include <vector>

#include "core/base/guard.h"
#include "core/tensor/tensor.h"
#include "core/value/attr_spec.h"

namespace bp {

enum class Nulls { kRefused, kAllowed };

// Every handle checked. With Nulls::kAllowed an entry, or the whole list, may be NULL; an entry is
// nullptr then.
std::vector<Tensor*> tensor_list(bp_tensor* const* list, uint32_t n, const char* name,
                                 Nulls nulls = Nulls::kRefused);
// At most BP_MAX_ATTRS.
std::span<const bp_attr> attr_list(const bp_attr* attrs, uint32_t n);

// Attribute i of an op or a kind, for the caller. Throws INDEX_OUT_OF_RANGE.
void put_attr(std::string_view owner, const AttrSpecs& specs, uint32_t i, bp_attr_info* out);

}  // namespace bp
