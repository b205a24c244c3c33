// SPDX-License-Identifier: Apache-2.0
// lists.h: lists that come over the border: a pointer and a count, checked before anything reads
// them.
//
//   const std::vector<Tensor*> params = tensor_list(tensors, n, "params");
#pragma once
#include <span>
#include <vector>

#include "core/base/guard.h"
#include "core/tensor/tensor.h"

namespace bp {

enum class Nulls { kRefused, kAllowed };

// Every handle checked. With Nulls::kAllowed an entry, or the whole list, may be NULL; an entry is
// nullptr then.
std::vector<Tensor*> tensor_list(bp_tensor* const* list, uint32_t n, const char* name,
                                 Nulls nulls = Nulls::kRefused);
// At most BP_MAX_ATTRS.
std::span<const bp_attr> attr_list(const bp_attr* attrs, uint32_t n);

}  // namespace bp
