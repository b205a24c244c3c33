// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/cached_tensor.h"

namespace bp {

void delete_kept(bp_tensor* t) noexcept { delete t; }

[[gnu::noinline]] bool put_cached_first(Tensor& t) noexcept {
  return cache_for(*t.storage->stream) && put_cached(t);
}

}  // namespace bp
