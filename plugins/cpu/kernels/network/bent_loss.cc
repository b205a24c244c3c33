// SPDX-License-Identifier: Apache-2.0
// bent_loss.cc: huber_loss and smooth_l1_loss, which bend where the distance reaches delta or beta.
// A block is read, computed and summed before the next one, where the composition takes each of its
// seven steps over all of memory. Pieces of a fixed length are summed in f64 and joined pairwise.
#include <cstring>

#include "device/registry.h"
#include "driver/operand.h"
#include "kernels/network/moments.h"
#include "kernels/network/operands.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kBlock = 1024;  // elements

// Two operands of one dtype, broadcast against each other, as dense blocks of A.
template <class A>
class Pair {
 public:
  struct Buffer {
    alignas(64) char stored[kBlock * sizeof(A)];
    A wide[kBlock];
  };

  explicit Pair(const bp_launch& l) : load_(narrow_loader(l.args[0].dtype)) {
    const bp_arg &x = l.args[0], &t = l.args[1];
    space_.rank = x.rank > t.rank ? x.rank : t.rank;
    for (int d = 0; d < space_.rank; ++d) space_.size[d] = 1;
    for (const bp_arg* a : {&x, &t})
      for (int d = 0; d < a->rank; ++d)
        if (a->shape[d] != 1) space_.size[space_.rank - a->rank + d] = a->shape[d];
    for (int d = 0; d < space_.rank; ++d) count_ *= space_.size[d];
    for (int i = 0; i < 2; ++i) {
      const bp_arg& a = l.args[i];
      Operand& o = of_[i];
      o.data = static_cast<char*>(a.data);
      o.bytes = kItemBytes[a.dtype];
      const int missing = space_.rank - a.rank;
      for (int d = 0; d < space_.rank; ++d)
        o.stride[d] = d < missing || a.shape[d - missing] == 1 ? 0 : a.strides[d - missing];
      o.way = count_of(a) == count_ ? Way::kDense : Way::kBlock;
    }
  }
  int64_t count() const { return count_; }

  // Elements [first, first + n) of operand i.
  const A* block(int i, int64_t first, int64_t n, Buffer* b) const {
    const void* p = of_[i].data + first * of_[i].bytes;
    if (of_[i].way == Way::kBlock) {
      gather(space_, of_[i], first, n, b->stored);
      p = b->stored;
    }
    if (std::is_same_v<A, double> || !load_) return static_cast<const A*>(p);
    load_(reinterpret_cast<float*>(b->wide), p, n);
    return b->wide;
  }

 private:
  const NarrowLoad load_;
  Space space_;
  Operand of_[2];
  int64_t count_ = 1;
};

// d^2 / 2 where d = |x - t| is below `at`, else at (d - at / 2): both are m (d - m / 2), where m is
// the smaller of d and `at`.
template <class A>
void bend(const A* x, const A* t, int64_t n, A at, A* out) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const A difference = x[i] - t[i], d = difference < 0 ? -difference : difference;
    const A m = d < at ? d : at;
    out[i] = m * (d - m * A(0.5));
  }
}
template <class A>
void distances(const A* x, const A* t, int64_t n, A* out) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const A difference = x[i] - t[i];
    out[i] = difference < 0 ? -difference : difference;
  }
}

// Writes n numbers as elements of the dtype.
template <class A>
void store(bp_dtype dtype, const A* from, int64_t n, void* to) {
  if constexpr (std::is_same_v<A, float>)
    if (const NarrowStore narrow = narrow_storer(dtype)) return narrow(to, from, n);
  std::memcpy(to, from, static_cast<size_t>(n) * sizeof(A));
}

template <class A>
bp_status run(const bp_launch* launch, bp_error** err) {
  const Pair<A> pair(*launch);
  const bp_attr& reduction = launch->attrs[BP_ATTR_HUBER_LOSS_REDUCTION];
  const auto is = [&](const char* name) {
    return reduction.count == std::strlen(name) &&
           std::memcmp(reduction.value.str, name, reduction.count) == 0;
  };
  const bool none = is("none"), smooth = launch->op == BP_OP_SMOOTH_L1_LOSS;
  const A at = static_cast<A>(launch->attrs[BP_ATTR_HUBER_LOSS_DELTA].value.f64);
  const bp_arg& out = launch->args[2];
  const int64_t n = pair.count(), pieces = (n + kPiece - 1) / kPiece;
  Scratch scratch(*launch, static_cast<uint64_t>(pieces) * sizeof(double));
  auto* sums = scratch.as<double>();
  if (!sums) return scratch.fail(err);
  parallel_chunks(n, kPiece, kGrain / kPiece, [&](int64_t piece, int64_t begin, int64_t end) {
    typename Pair<A>::Buffer of_x, of_t;
    A losses[kBlock];
    LaneSums<1, A> sum;
    for (int64_t i = begin; i < end; i += kBlock) {
      const int64_t count = smaller(kBlock, end - i);
      const A *x = pair.block(0, i, count, &of_x), *t = pair.block(1, i, count, &of_t);
      if (smooth && at == 0)
        distances(x, t, count, losses);
      else
        bend(x, t, count, at, losses);
      if (smooth && at != 0 && at != 1)
        for (int64_t k = 0; k < count; ++k) losses[k] /= at;
      if (none)
        store(out.dtype, losses, count, static_cast<char*>(out.data) + i * kItemBytes[out.dtype]);
      else
        add_run(sum, 0, count, [&](const auto& r, int64_t k, Register<A>* terms) {
          terms[0] = r.load(losses + k);
        });
    }
    sums[piece] = sum.total(0);
  });
  if (none) return BP_OK;
  const double sum = n ? pairwise(0, pieces, [&](int64_t p) { return sums[p]; }) : 0;
  const A loss = static_cast<A>(is("mean") ? sum / static_cast<double>(n) : sum);
  store(out.dtype, &loss, 1, out.data);
  return BP_OK;
}

}  // namespace

void add_bent_loss(Registry& r) {
  static_assert(int{BP_ATTR_HUBER_LOSS_REDUCTION} == int{BP_ATTR_SMOOTH_L1_LOSS_REDUCTION} &&
                int{BP_ATTR_HUBER_LOSS_DELTA} == int{BP_ATTR_SMOOTH_L1_LOSS_BETA});
  for (const uint32_t op : {BP_OP_HUBER_LOSS, BP_OP_SMOOTH_L1_LOSS}) {
    r.add(op, kHalves | bit(BP_F32), run<float>, BP_KERNEL_CONTIGUOUS);
    r.add(op, bit(BP_F64), run<double>, BP_KERNEL_CONTIGUOUS);
  }
}

}  // namespace bp_cpu::BP_ISA
