// SPDX-License-Identifier: Apache-2.0
// scan_product.cu: cumprod. A thread takes a row from its beginning to its end: products of parts
// would overflow where the whole does not. Integers and bools go modulo 2^64; f32 and halves are
// multiplied in f64.
#include "gpu/walk.h"

namespace bp_gpu {
namespace {

template <class T>
constexpr bool kWhole = std::is_integral_v<T> || std::is_same_v<T, Bool>;

template <class T>
struct ScanProduct {
  using Acc = std::conditional_t<kWhole<T>, uint64_t, double>;
  using Out = std::conditional_t<kWhole<T>, uint64_t, T>;
  Walk walk;
  const T* in;
  Out* out;
  int64_t n, rows;
  GPU_FN void operator()(const Place& place) const {
    for (int64_t row = place.index(); row < rows; row += place.count()) {
      const Walk::At first = walk.output(row);
      Acc product = 1;
      for (int64_t p = 0; p < n; ++p) {
        product *= convert<Acc>(in[first.in + walk.in_step(p)]);
        out[first.out + walk.out_step(p)] = convert<Out>(product);
      }
    }
  }
};

bp_status run_cumprod(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &out = l.args[1];
  Walk walk = walk_of(x, out, x.rank - 1);
  turn_across(&walk);
  const int64_t n = x.shape[x.rank - 1], all = numel(x);
  if (all == 0) return BP_OK;
  return with_type_of<kReals | bit(BP_BOOL)>(x.dtype, [&](auto t) {
    using T = decltype(t);
    using Kernel = ScanProduct<T>;
    const Kernel kernel{walk, static_cast<const T*>(x.data),
                        static_cast<typename Kernel::Out*>(out.data), n, all / n};
    return launch(l, cover(kernel.rows), kernel, err);
  });
}

}  // namespace

void add_scan_product(Registry& r) {
  r.add(BP_OP_CUMPROD, kReals | bit(BP_BOOL), entry<run_cumprod>);
}

}  // namespace bp_gpu
