// SPDX-License-Identifier: Apache-2.0
// Reductions of rows within a loop. Sums are those of the kernels, addition by addition: of long
// rows as in kernels/reduction/dense_runs.h, where four registers take turns with a block's
// elements, and go on in f64 after each block; of short ones as in cascade.h, in f32.
#include <cmath>

#include "fusion/assembler.h"

#if defined(BP_HAS_XBYAK)
namespace bp_cpu {

using namespace Xbyak;

namespace {

constexpr int kAccumulators = 4, kAddsInLane = 16, kLeastDense = 96;  // as there

bool is_sum(uint32_t op) { return op == BP_OP_SUM || op == BP_OP_MEAN; }

}  // namespace

// The rows in memory come first, then two registers in f64 for each sum.
int32_t Assembler::kept_bytes() const {
  const auto n = static_cast<int32_t>(body_.rows.length);
  return (n + 2 * width_.lanes - 1) / width_.lanes * width_.lanes * 4;
}
int32_t Assembler::frame_bytes() const {
  size_t n_sums = 0;
  for (const Phase& p : phases_.list) n_sums = std::max(n_sums, p.reductions.size());
  const size_t bytes = static_cast<size_t>(phases_.n_kept) * static_cast<size_t>(kept_bytes()) +
                       n_sums * 2 * static_cast<size_t>(width_.lanes) * 4;
  return static_cast<int32_t>(std::min<size_t>(bytes, kMostKept + 1));
}
Address Assembler::wide_sum(size_t k, int half) const {
  return ptr[rsp + phases_.n_kept * kept_bytes() +
             (2 * static_cast<int>(k) + half) * width_.lanes * 4];
}
Xmm Assembler::accumulator(size_t k, int u) const {
  return vector_of(width_.registers - 1 - sums_ - kAccumulators * static_cast<int>(k) - u);
}

bool Assembler::is_short() const { return body_.rows.length < kLeastDense; }

void Assembler::emit_reduction(size_t copies) {
  const size_t n = phase_->reductions.size();
  sums_ = n_pinned_;
  n_pinned_ += kAccumulators * static_cast<int>(n);
  is_short() ? take_short_row() : take_long_row(copies);
  busy_ = 0;
  std::vector<Vector> totals;
  for (size_t k = 0; k < n; ++k) totals.push_back(total(k));
  n_pinned_ = sums_;
  for (size_t k = 0; k < n; ++k) {
    const Step& s = phase_->reductions[k];
    if (s.store >= 0) store_one(totals[k], static_cast<uint32_t>(s.store));
    put(s.out, totals[k].getIdx());
    keep_for_row(s.out);
  }
}

void Assembler::begin_extremes() {
  for (size_t k = 0; k < phase_->reductions.size(); ++k) {
    const uint32_t op = phase_->reductions[k].op;
    for (int u = 0; u < kAccumulators && !is_sum(op); ++u)
      broadcast(accumulator(k, u),
                std::bit_cast<uint32_t>(op == BP_OP_MAX ? -kInfinity : kInfinity));
  }
}
void Assembler::begin_sums() {
  for (size_t k = 0; k < phase_->reductions.size(); ++k)
    for (int u = 0; u < kAccumulators && is_sum(phase_->reductions[k].op); ++u) {
      const Vector a = accumulator(k, u);
      vxorps(a, a, a);
    }
}

// 64 lanes: what lies beyond is added to the first of them, and then the upper half to the lower
// one, again and again. So registers of 8 lanes go in the order 0, 8, 4 to the first accumulator.
void Assembler::take_short_row() {
  const auto row = static_cast<int>(body_.rows.length), lanes = width_.lanes;
  begin_extremes();
  begin_sums();
  xor_(eax, eax);
  const auto take_register = [&](int q) {
    if (q * lanes >= row) return;
    ahead_ = static_cast<size_t>(q);
    if ((q + 1) * lanes <= row) return emit_body();
    in_tail_ = true;
    mov(edx, row - q * lanes);
    emit_tail();
    in_tail_ = false;
  };
  for (int u = 0; u < kAccumulators; ++u)
    for (const int q : {u, u + 8, u + 4}) take_register(q);
  ahead_ = 0;
}

void Assembler::take_long_row(size_t copies) {
  const int lanes = width_.lanes;
  const auto row = static_cast<int32_t>(body_.rows.length);
  const int32_t whole = row / lanes * lanes, in_fours = whole / (4 * lanes) * (4 * lanes);
  const int32_t block = kAccumulators * kAddsInLane * lanes;
  begin_extremes();
  is_first_sum_ = whole <= block;
  for (size_t k = 0; k < phase_->reductions.size() && !is_first_sum_; ++k) {
    if (!is_sum(phase_->reductions[k].op)) continue;
    const Vector zero = accumulator(k, 0);
    vxorps(zero, zero, zero);
    for (int half = 0; half < 2; ++half) vmovups(wide_sum(k, half), zero);
  }
  Label blocks, fours, singles, joined;
  xor_(eax, eax);
  L(blocks);
  begin_sums();
  if (whole > block && in_fours < whole) {
    cmp(eax, in_fours);
    jge(singles, T_NEAR);
  }
  align(32);
  L(fours);
  for (ahead_ = 0; ahead_ < kAccumulators; ahead_ += copies) {
    copies_ = copies;
    emit_body();
  }
  ahead_ = 0;
  copies_ = 1;
  add(eax, 4 * lanes);
  if (in_fours >= block) {
    test(eax, block - 1);
    jz(joined, T_NEAR);
  }
  cmp(eax, in_fours);
  jl(fours, T_NEAR);
  if (in_fours < whole) {
    L(singles);
    emit_body();
    add(eax, lanes);
    cmp(eax, whole);
    jl(singles, T_NEAR);
  }
  L(joined);
  finish_sums();
  if (whole > block) {
    cmp(eax, whole);
    jl(blocks, T_NEAR);
  }
  if (whole < row) {
    in_tail_ = true;
    mov(edx, row - whole);
    emit_tail();
    in_tail_ = false;
  }
}

// Takes the elements at hand, of the copy at hand.
void Assembler::accumulate() {
  const int u = static_cast<int>(ahead_ + copy_) % kAccumulators;
  for (size_t k = 0; k < phase_->reductions.size(); ++k) {
    const Step& s = phase_->reductions[k];
    launch_ = s.launch;
    const Vector v = vector(s.in[0]), a = accumulator(k, u);
    if (in_tail_) {
      const Vector t = vector_of(take());
      if (is_sum(s.op)) {
        vxorps(t, t, t);
        within(t, v, t);
        is_short() ? vaddps(a, a, t) : add_wide(k, t);
      } else {
        extreme(t, a, v, s.op == BP_OP_MAX);
        within(a, t, a);
      }
      give(t);
    } else if (is_sum(s.op)) {
      vaddps(a, a, v);
    } else {
      extreme(a, v, a, s.op == BP_OP_MAX);
    }
    used(s.in[0]);
  }
}

// Goes on in f64 with the sums of a block.
void Assembler::finish_sums() {
  busy_ = 0;
  for (size_t k = 0; k < phase_->reductions.size(); ++k) {
    if (!is_sum(phase_->reductions[k].op)) continue;
    const Vector t = vector_of(take()), other = accumulator(k, 2);
    vaddps(t, accumulator(k, 0), accumulator(k, 1));
    vaddps(other, other, accumulator(k, 3));
    vaddps(t, t, other);
    add_wide(k, t);
    give(t);
  }
  is_first_sum_ = false;
}
void Assembler::add_wide(size_t k, const Vector& v) {
  const auto half_of = [&](const Vector& r) -> Xmm {
    return width_.lanes == 16 ? Xmm(Ymm(r.getIdx())) : Xmm(r.getIdx());
  };
  const Vector wide = vector_of(take()), part = vector_of(take());
  for (int half = 0; half < 2; ++half) {
    if (half) upper_half(part, v, width_.lanes / 2);
    vcvtps2pd(wide, half_of(half ? part : v));
    if (!is_first_sum_) vaddpd(wide, wide, wide_sum(k, half));
    vmovups(wide_sum(k, half), wide);
  }
  give(wide);
  give(part);
}
// The upper one of two parts of so many lanes.
void Assembler::upper_half(const Vector& out, const Vector& a, int lanes) {
  const int to = out.getIdx(), from = a.getIdx();
  switch (lanes) {
    case 8: return vextractf64x4(Ymm(to), Zmm(from), 1);
    case 4:
      if (width_.lanes == 16) return vextractf32x4(Xmm(to), Ymm(from), 1);
      return vextractf128(Xmm(to), Ymm(from), 1);
    case 2: return vunpckhpd(Xmm(to), Xmm(from), Xmm(from));
    default: return vmovshdup(Xmm(to), Xmm(from));
  }
}

// Combines all lanes, the upper half onto the lower one again and again; all lanes get the result.
Xmm Assembler::total(size_t k) {
  const Step& s = phase_->reductions[k];
  const Vector a = vector_of(take()), b = vector_of(take());
  const Xmm one(a.getIdx()), by(b.getIdx());
  if (is_sum(s.op)) {
    if (is_short()) {
      vaddps(a, accumulator(k, 0), accumulator(k, 2));
      vaddps(b, accumulator(k, 1), accumulator(k, 3));
      vaddps(a, a, b);
    } else {
      vmovups(a, wide_sum(k, 0));
      vaddpd(a, a, wide_sum(k, 1));
    }
    for (int lanes = width_.lanes / 2; lanes > (is_short() ? 0 : 1); lanes /= 2) {
      upper_half(b, a, lanes);
      is_short() ? vaddps(a, a, b) : vaddpd(a, a, b);
    }
    if (s.op == BP_OP_MEAN) {
      const auto n = static_cast<double>(body_.rows.length);
      int exponent = 0;
      const bool is_power = std::frexp(n, &exponent) == 0.5;  // whose inverse is exact
      mov(rdx, std::bit_cast<uint64_t>(is_power ? 1 / n : n));
      vmovq(by, rdx);
      if (is_short()) vcvtss2sd(one, one, one);
      is_power ? vmulsd(one, one, by) : vdivsd(one, one, by);
    }
    if (s.op == BP_OP_MEAN || !is_short()) vcvtsd2ss(one, one, one);
  } else {
    const bool greater = s.op == BP_OP_MAX;
    extreme(a, accumulator(k, 0), accumulator(k, 1), greater);
    for (int u = 2; u < kAccumulators; ++u) extreme(a, accumulator(k, u), a, greater);
    for (int lanes = width_.lanes / 2; lanes > 0; lanes /= 2) {
      upper_half(b, a, lanes);
      extreme(a, b, a, greater);
    }
  }
  vbroadcastss(a, Xmm(a.getIdx()));
  give(b);
  return a;
}

}  // namespace bp_cpu
#endif
