// SPDX-License-Identifier: Apache-2.0
// index.cc: indexing by tensors; declared in c_api.h.
#include "c_api.h"
#include "core/base/guard.h"
#include "core/base/small_vec.h"
#include "core/ops/index/advanced_index.h"

using namespace bp;

namespace {

SmallVec<Tensor*, 4> checked_indices(bp_tensor* const* indices, uint32_t n) {
  if (n > BP_MAX_RANK)
    fail(BP_INDEX_OUT_OF_RANGE, "{} indices, at most {} are possible", n, +BP_MAX_RANK);
  if (n) need(indices, "indices");
  SmallVec<Tensor*, 4> out;
  for (uint32_t i = 0; i < n; ++i)
    out.push_back(indices[i] ? &checked(indices[i], "an index") : nullptr);
  return out;
}

}  // namespace

extern "C" {

bp_status bp_tensor_index(bp_tensor* x, bp_tensor* const* indices, uint32_t n_indices,
                          bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    Tensor& t = checked(x, "x");
    need(out, "out");
    const auto at = checked_indices(indices, n_indices);
    *out = index(t, {at.data(), at.size()}).release();
  });
}

bp_status bp_tensor_index_put(bp_tensor* x, bp_tensor* const* indices, uint32_t n_indices,
                              bp_tensor* values, uint32_t accumulate, bp_error** err) {
  return guard(err, [&] {
    Tensor &t = checked(x, "x"), &v = checked(values, "values");
    const auto at = checked_indices(indices, n_indices);
    index_put(t, {at.data(), at.size()}, v, accumulate != 0);
  });
}

}  // extern "C"
