// SPDX-License-Identifier: Apache-2.0
// owners.h: handles of the C API that release themselves, for programs without a test framework.
//
//   bp_tensor* out = nullptr;
//   bp_status status = bp_tensor_clone(x.get(), &out, nullptr);
//   T t(out);
#pragma once
#include <memory>

#include "c_api.h"

namespace bp_test {

template <class H, void (*kRelease)(H*)>
struct ReleasedBy {
  void operator()(H* handle) const { kRelease(handle); }
};
template <class H, void (*kRelease)(H*)>
using Handle = std::unique_ptr<H, ReleasedBy<H, kRelease>>;

using T = Handle<bp_tensor, bp_tensor_release>;

}  // namespace bp_test
