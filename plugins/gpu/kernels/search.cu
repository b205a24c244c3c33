// SPDX-License-Identifier: Apache-2.0
// search.cu: searchsorted: a binary search for each value; NaN is the largest.
#include "gpu/kernel.h"

namespace bp_gpu {
namespace {

template <class T>
GPU_FN bool before(T a, T b) {
  return a < b || (b != b && a == a);
}

template <class T>
struct Search {
  using A = std::conditional_t<std::is_same_v<T, Bool>, uint8_t, Calc<T>>;
  const T* sorted;
  const T* values;
  int64_t* out;
  int64_t length, n;
  bool right;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const A wanted = convert<A>(values[i]);
      int64_t low = 0, high = length;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const A there = convert<A>(sorted[middle]);
        if (right ? !before(wanted, there) : before(there, wanted))
          low = middle + 1;
        else
          high = middle;
      }
      out[i] = low;
    }
  }
};

bp_status run_searchsorted(const bp_launch& l, bp_error** err) {
  const bp_arg &sorted = l.args[0], &values = l.args[1], &out = l.args[2];
  return with_type_of<kReals | bit(BP_BOOL)>(sorted.dtype, [&](auto t) {
    using T = decltype(t);
    const Search<T> kernel{static_cast<const T*>(sorted.data),
                           static_cast<const T*>(values.data),
                           static_cast<int64_t*>(out.data),
                           sorted.shape[0],
                           numel(out),
                           l.attrs[BP_ATTR_SEARCHSORTED_RIGHT].value.i64 != 0};
    return launch(l, cover(kernel.n), kernel, err);
  });
}

}  // namespace

void add_search(Registry& r) {
  r.add(BP_OP_SEARCHSORTED, kReals | bit(BP_BOOL), entry<run_searchsorted>, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_gpu
