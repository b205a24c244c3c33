// SPDX-License-Identifier: Apache-2.0
#include "gpu/attention.h"

#include <cmath>

#include "c_plugin.h"

namespace bp_gpu {
namespace {

using Operand = Attention::Operand;

// The strides of the last `rank` dims of `like`, in which x may be broadcast or have fewer dims.
int64_t stride(const bp_arg& x, int32_t from_last) {
  const int32_t d = x.rank - from_last;
  return d < 0 || x.shape[d] == 1 ? 0 : x.strides[d];
}

bool take_batch(const bp_arg& like, Attention* a) {
  a->batches = 1;
  a->n_dims = 0;
  for (int32_t d = 0; d < like.rank - 2; ++d) {
    if (like.shape[d] == 1) continue;
    if (a->n_dims == Attention::kDims) return false;
    a->shape[a->n_dims++] = like.shape[d];
    a->batches *= like.shape[d];
  }
  return true;
}

void take(const bp_arg& x, const bp_arg& like, Operand* o) {
  if (x.kind != BP_ARG_TENSOR) return;
  o->data = static_cast<char*>(x.data);
  o->row = stride(x, 2);
  o->column = stride(x, 1);
  int32_t n = 0;
  for (int32_t d = 0; d < like.rank - 2; ++d)
    if (like.shape[d] != 1) o->batch[n++] = stride(x, like.rank - d);
}

}  // namespace

bool describe(const bp_launch& l, Attention* a) {
  *a = {};
  const bp_arg &q = l.args[0], &k = l.args[1], &v = l.args[2], &mask = l.args[3],
               &out = l.args[l.n_in];
  a->dtype = q.dtype;
  a->queries = q.shape[q.rank - 2], a->width = q.shape[q.rank - 1];
  a->keys = k.shape[k.rank - 2], a->value_width = v.shape[v.rank - 1];
  a->causal = l.attrs[BP_ATTR_SCALED_DOT_PRODUCT_ATTENTION_IS_CAUSAL].value.i64 != 0;
  a->scale = l.attrs[BP_ATTR_SCALED_DOT_PRODUCT_ATTENTION_SCALE].value.f64;
  if (std::isnan(a->scale)) a->scale = 1 / std::sqrt(static_cast<double>(a->width));
  if (mask.kind == BP_ARG_TENSOR)
    a->mask = mask.dtype == BP_BOOL ? Attention::Mask::kTruth : Attention::Mask::kAdded;
  if (!take_batch(out, a) || a->width < 1 || a->width > Attention::kMostWidth ||
      a->value_width < 1 || a->value_width > Attention::kMostWidth)
    return false;
  for (int i = 0; i < 4; ++i) take(l.args[i], out, &a->operand[Attention::kQuery + i]);
  take(out, out, &a->operand[Attention::kOut]);
  return true;
}

}  // namespace bp_gpu
