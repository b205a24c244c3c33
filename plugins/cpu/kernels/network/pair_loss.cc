// SPDX-License-Identifier: Apache-2.0
// pair_loss.cc: losses of the difference of two tensors: mse_loss, l1_loss, and huber_loss and
// smooth_l1_loss, which bend where the distance reaches delta or beta. A block is read, computed
// and summed before the next one, where a composition takes each of its three to seven steps over
// all of memory. Pieces of a fixed length are summed in f64 and joined pairwise.
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
void squares(const A* x, const A* t, int64_t n, A* out) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const A difference = x[i] - t[i];
    out[i] = difference * difference;
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

// The loss of each element, as the launch's op and attributes have it.
template <class A>
class Loss {
 public:
  explicit Loss(const bp_launch& l) : op_(l.op) {
    if (bends()) at_ = static_cast<A>(l.attrs[BP_ATTR_HUBER_LOSS_DELTA].value.f64);
  }
  void operator()(const A* x, const A* t, int64_t n, A* out) const {
    if (op_ == BP_OP_MSE_LOSS) return squares(x, t, n, out);
    if (op_ == BP_OP_L1_LOSS || (smooth() && at_ == 0)) return distances(x, t, n, out);
    bend(x, t, n, at_, out);
    if (smooth() && at_ != 1)
      for (int64_t i = 0; i < n; ++i) out[i] /= at_;
  }

 private:
  bool smooth() const { return op_ == BP_OP_SMOOTH_L1_LOSS; }
  bool bends() const { return smooth() || op_ == BP_OP_HUBER_LOSS; }
  uint32_t op_;
  A at_ = 0;
};

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
  const bp_attr& reduction = launch->attrs[BP_ATTR_MSE_LOSS_REDUCTION];
  const auto is = [&](const char* name) {
    return reduction.count == std::strlen(name) &&
           std::memcmp(reduction.value.str, name, reduction.count) == 0;
  };
  const bool none = is("none");
  const Loss<A> loss_of(*launch);
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
      loss_of(x, t, count, losses);
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

void add_pair_loss(Registry& r) {
  static_assert(BP_ATTR_MSE_LOSS_REDUCTION == 0 && BP_ATTR_L1_LOSS_REDUCTION == 0 &&
                BP_ATTR_HUBER_LOSS_REDUCTION == 0 && BP_ATTR_SMOOTH_L1_LOSS_REDUCTION == 0 &&
                int{BP_ATTR_HUBER_LOSS_DELTA} == int{BP_ATTR_SMOOTH_L1_LOSS_BETA});
  for (const uint32_t op :
       {BP_OP_MSE_LOSS, BP_OP_L1_LOSS, BP_OP_HUBER_LOSS, BP_OP_SMOOTH_L1_LOSS}) {
    r.add(op, kHalves | bit(BP_F32), run<float>, BP_KERNEL_CONTIGUOUS);
    r.add(op, bit(BP_F64), run<double>, BP_KERNEL_CONTIGUOUS);
  }
}

}  // namespace bp_cpu::BP_ISA
