// SPDX-License-Identifier: Apache-2.0
// moments.h: means and deviations of groups of elements, as normalisations need them. A group is
// cut into pieces of a fixed length, whose sums are added pairwise, so that the result does not
// depend on the number of threads. The variance is that about the rounded mean, less the square of
// what rounding changed.
//
//   each_group<float>(*launch, rows, {.centred = true, .eps = 1e-5}, [&](int64_t g) { return Group<float>{x + g * n, n, n, n}; },
//                     [&](int64_t g, int64_t begin, int64_t end, const Moments& m) { write(g, begin, end, m); }, err);
#pragma once
#include <cmath>

#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/reduction/registers.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kPiece = 8192;     // elements: in f32 a first-level cache
constexpr int64_t kManyGroups = 16;  // so many are shared among threads whole
constexpr int64_t kGrain = 16384;    // elements that are worth a thread

// Runs of `run` elements, `step` apart; n elements together.
template <class T>
struct Group {
  const T* first;
  int64_t run, step, n;

  int64_t pieces() const { return (n + kPiece - 1) / kPiece; }
  // Calls fn(p, count) for the runs of positions [begin, end).
  template <class F>
  HWY_INLINE void each_run(int64_t begin, int64_t end, const F& fn) const {
    for (int64_t p = begin; p < end;) {
      const int64_t in_run = p % run, count = smaller(end - p, run - in_run);
      fn(first + p / run * step + in_run, count);
      p += count;
    }
  }
};

struct Moments {
  double mean = 0, squares = 0;  // the mean square about the mean, or about 0
  double scale = 0;              // 1 / sqrt(squares + eps)
};

struct How {
  bool centred;  // else the mean counts as 0
  double eps;
};

template <class T>
HWY_INLINE double piece_sum(const Group<T>& g, int64_t piece) {
  using A = Calc<T>;
  LaneSums<1, A> sums;
  g.each_run(piece * kPiece, smaller(g.n, (piece + 1) * kPiece), [&](const T* x, int64_t n) {
    add_run(sums, 0, n, [&](const auto& r, int64_t at, Register<A>* t) { t[0] = r.load(x + at); });
  });
  return sums.total(0);
}
template <class T>
HWY_INLINE double piece_squares(const Group<T>& g, int64_t piece, double mean) {
  using A = Calc<T>;
  const auto centre = hn::Set(Tag<A>(), static_cast<A>(mean));
  LaneSums<1, A> sums;
  g.each_run(piece * kPiece, smaller(g.n, (piece + 1) * kPiece), [&](const T* x, int64_t n) {
    add_run(sums, 0, n, [&](const auto& r, int64_t at, Register<A>* t) {
      const Register<A> distance = hn::Sub(r.load(x + at), centre);
      t[0] = hn::Mul(distance, distance);
    });
  });
  return sums.total(0);
}

// The moments of a group from the sums of its pieces: sum(piece) and squares(piece, mean).
template <class A, class Sum, class Squares>
Moments moments_of(int64_t n, int64_t pieces, const How& how, const Sum& sum,
                   const Squares& squares) {
  const auto count = static_cast<double>(n);
  Moments m;
  if (how.centred) m.mean = pairwise(0, pieces, sum) / count;
  const double rounding = m.mean - static_cast<double>(static_cast<A>(m.mean));
  m.squares = pairwise(0, pieces, [&](int64_t p) { return squares(p, m.mean); }) / count;
  if (rounding * rounding < m.squares) m.squares -= rounding * rounding;
  m.scale = 1 / ::sqrt(m.squares + how.eps);
  return m;
}
template <class T>
Moments moments_of(const Group<T>& g, const How& how) {
  return moments_of<Calc<T>>(
      g.n, g.pieces(), how, [&](int64_t p) { return piece_sum(g, p); },
      [&](int64_t p, double mean) { return piece_squares(g, p, mean); });
}

// Calls finish(g, begin, end, moments) for all positions of all groups, which are equally long:
// whole groups, or pieces of them where there are too few groups for the threads.
template <class T, class GroupOf, class Finish>
bp_status each_group(const bp_launch& launch, int64_t groups, const How& how,
                     const GroupOf& group_of, const Finish& finish, bp_error** err) {
  if (groups == 0) return BP_OK;
  const int64_t n = group_of(0).n, pieces = group_of(0).pieces();
  if (n == 0) return BP_OK;
  if (groups >= kManyGroups || pieces == 1) {
    parallel_for(groups, kGrain / n + 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) finish(g, int64_t{0}, n, moments_of(group_of(g), how));
    });
    return BP_OK;
  }
  Scratch scratch(launch, static_cast<uint64_t>(groups * (pieces + 1)) * 2 * sizeof(double));
  auto* sums = scratch.as<double>();
  if (!sums) return scratch.fail(err);
  double* squares = sums + groups * pieces;
  auto* moments = reinterpret_cast<double*>(squares + groups * pieces);
  const auto of = [&](int64_t g) {
    return moments_of<Calc<T>>(
        n, pieces, how, [&](int64_t p) { return sums[g * pieces + p]; },
        [&](int64_t p, double) { return squares[g * pieces + p]; });
  };
  if (how.centred)
    parallel_for(groups * pieces, 2, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) sums[i] = piece_sum(group_of(i / pieces), i % pieces);
    });
  for (int64_t g = 0; g < groups; ++g)
    moments[g] = how.centred
                     ? pairwise(0, pieces, [&](int64_t p) { return sums[g * pieces + p]; }) /
                           static_cast<double>(n)
                     : 0;
  parallel_for(groups * pieces, 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      squares[i] = piece_squares(group_of(i / pieces), i % pieces, moments[i / pieces]);
  });
  parallel_for(groups * pieces, 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t g = i / pieces, from = i % pieces * kPiece;
      finish(g, from, smaller(n, from + kPiece), of(g));
    }
  });
  return BP_OK;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
