// SPDX-License-Identifier: Apache-2.0
// fft_move.h: copies between lines in memory and the arrays of the passes, [n, kLanes]. Lines of
// neighbouring numbers are transposed in registers, and so are lines that lie next to one another;
// any other goes number by number.
//
// A line is n complex numbers whose parts lie `step` elements apart; a missing part is read as 0
// and not written.
#pragma once
#include "kernels/fourier/fft_passes.h"
#include "kernels/shuffles.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T>
struct Line {
  T *re, *im;
  int64_t step;
  Line exchanged() const { return {im, re, step}; }
  // Whether the parts of a number are neighbours, and whether the imaginary one comes first.
  bool paired() const { return re && im && (im - re == 1 || re - im == 1); }
  bool swapped() const { return re && im && re - im == 1; }
};

// ---- registers ----

// Transposes a square of vectors: each round zips its halves, so that the rows' numbers move one
// bit to the left.
template <class T>
inline __attribute__((always_inline)) void transpose(
    typename Lanes<T>::V (&rows)[Lanes<T>::kCount]) {
  using V = typename Lanes<T>::V;
  constexpr int kCount = Lanes<T>::kCount;
  for (int round = 1; round < kCount; round *= 2) {
    V next[kCount];
    unroll<kCount / 2>([&](auto i) {
      next[2 * i] = zip_lower<T>(rows[i], rows[i + kCount / 2]);
      next[2 * i + 1] = zip_upper<T>(rows[i], rows[i + kCount / 2]);
    });
    unroll<kCount>([&](auto i) { rows[i] = next[i]; });
  }
}

// Loads and stores as many neighbours as there are lanes, or n where they are fewer; memory beyond
// them is not touched.
template <class T>
inline typename Lanes<T>::V load_some(const T* p, int64_t n) {
  using L = Lanes<T>;
  if (n >= L::kCount) return L::load(p);
  return n > 0 ? L::load_part(L::part(n), p) : L::zero();
}
template <class T>
inline void store_some(T* p, typename Lanes<T>::V x, int64_t n) {
  using L = Lanes<T>;
  if (n >= L::kCount)
    L::store(p, x);
  else if (n > 0)
    L::store_part(L::part(n), p, x);
}
// The same of n complex numbers.
template <class T>
inline Numbers<T> load_pairs(const T* p, int64_t n) {
  const auto a = load_some(p, 2 * n), b = load_some(p + Lanes<T>::kCount, 2 * n - Lanes<T>::kCount);
  return {even_lanes<T>(a, b), odd_lanes<T>(a, b)};
}
template <class T>
inline void store_pairs(T* p, Numbers<T> x, int64_t n) {
  store_some(p, zip_lower<T>(x.re, x.im), 2 * n);
  store_some(p + Lanes<T>::kCount, zip_upper<T>(x.re, x.im), 2 * n - Lanes<T>::kCount);
}

// Calls f(j) for blocks [j, j + width) that cover [0, n); the last one may overlap another.
template <class F>
inline void each_block(int64_t n, int64_t width, const F& f) {
  for (int64_t j = 0; j < n; j += width) f(j + width <= n ? j : n - width);
}

// ---- squares: rows[l] + j for l < kLanes, to or from place(j) + l ----

template <class T, class Place>
void transpose_in(const T* const* rows, int64_t n, const Place& place) {
  using L = Lanes<T>;
  each_block(n, L::kCount, [&](int64_t j) {
    for (int64_t l = 0; l < kLanes; l += L::kCount) {
      typename L::V square[L::kCount];
      unroll<L::kCount>([&](auto i) { square[i] = L::load(rows[l + i] + j); });
      transpose<T>(square);
      unroll<L::kCount>([&](auto i) { L::store(place(j + i) + l, square[i]); });
    }
  });
}
template <class T, class Place>
void transpose_out(T* const* rows, int64_t count, int64_t n, T scale, const Place& place) {
  using L = Lanes<T>;
  const auto factor = L::set(scale);
  each_block(n, L::kCount, [&](int64_t j) {
    for (int64_t l = 0; l < count; l += L::kCount) {
      typename L::V square[L::kCount];
      unroll<L::kCount>([&](auto i) { square[i] = L::load(place(j + i) + l) * factor; });
      transpose<T>(square);
      for (int64_t i = 0; i < L::kCount && l + i < count; ++i) L::store(rows[l + i] + j, square[i]);
    }
  });
}

// ---- lines ----

template <class T>
struct LineGroup {
  Line<T> line[kLanes];
  int64_t count = 0;

  // How far apart the lines lie, or 0 where it differs.
  int64_t pitch() const {
    const auto place = [&](int64_t l) { return line[l].re ? line[l].re : line[l].im; };
    if (count < 2) return 0;
    for (int64_t l = 2; l < count; ++l)
      if (place(l) - place(l - 1) != place(1) - place(0)) return 0;
    return place(1) - place(0);
  }
  // The first of a number's two elements, where they are neighbours.
  T* low(int64_t l) const { return line[l].swapped() ? line[l].im : line[l].re; }
};

// Lanes without a line hold zeros, or another line.
template <class T>
void load_lines(const LineGroup<T>& g, int64_t n, Parts<T> to) {
  using L = Lanes<T>;
  const Line<T>& first = g.line[0];
  const int64_t pitch = g.pitch(), step = first.step;
  if (first.paired() && (step == 2 || pitch == 2)) {
    const Parts<T> low = first.swapped() ? to.exchanged() : to;
    if (pitch == 2) {
      const T* p = g.low(0);
      for (int64_t j = 0; j < n; ++j, p += step)
        for (int64_t l = 0; l < kLanes; l += L::kCount)
          load_pairs(p + 2 * l, g.count - l).store(low, j * kLanes + l);
      return;
    }
    if (2 * n >= L::kCount) {
      const T* rows[kLanes];
      for (int64_t l = 0; l < kLanes; ++l) rows[l] = g.low(l < g.count ? l : 0);
      transpose_in(rows, 2 * n,
                   [&](int64_t j) { return (j & 1 ? low.im : low.re) + j / 2 * kLanes; });
      return;
    }
  }
  const auto part = [&](T* block, auto of) {
    if (!of(first)) {
      for (int64_t i = 0; i < n * kLanes; ++i) block[i] = 0;
    } else if (pitch == 1) {
      const T* p = of(first);
      for (int64_t j = 0; j < n; ++j, p += step)
        for (int64_t l = 0; l < kLanes; l += L::kCount)
          L::store(block + j * kLanes + l, load_some(p + l, g.count - l));
    } else if (step == 1 && n >= L::kCount) {
      const T* rows[kLanes];
      for (int64_t l = 0; l < kLanes; ++l) rows[l] = of(g.line[l < g.count ? l : 0]);
      transpose_in(rows, n, [&](int64_t j) { return block + j * kLanes; });
    } else {
      for (int64_t l = 0; l < kLanes; ++l) {
        const T* p = of(g.line[l < g.count ? l : 0]);
        for (int64_t j = 0; j < n; ++j) block[j * kLanes + l] = p[j * step];
      }
    }
  };
  part(to.re, [](const Line<T>& l) { return l.re; });
  part(to.im, [](const Line<T>& l) { return l.im; });
}

template <class T>
void store_lines(Parts<T> from, const LineGroup<T>& g, int64_t n, T scale) {
  using L = Lanes<T>;
  const Line<T>& first = g.line[0];
  const int64_t pitch = g.pitch(), step = first.step;
  const auto factor = L::set(scale);
  if (first.paired() && (step == 2 || pitch == 2)) {
    const Parts<T> low = first.swapped() ? from.exchanged() : from;
    if (pitch == 2) {
      T* p = g.low(0);
      for (int64_t j = 0; j < n; ++j, p += step)
        for (int64_t l = 0; l < g.count; l += L::kCount) {
          const Numbers<T> x = Numbers<T>::load(low, j * kLanes + l);
          store_pairs(p + 2 * l, Numbers<T>{x.re * factor, x.im * factor}, g.count - l);
        }
      return;
    }
    if (2 * n >= L::kCount) {
      T* rows[kLanes];
      for (int64_t l = 0; l < g.count; ++l) rows[l] = g.low(l);
      transpose_out(rows, g.count, 2 * n, scale,
                    [&](int64_t j) { return (j & 1 ? low.im : low.re) + j / 2 * kLanes; });
      return;
    }
  }
  const auto part = [&](const T* block, auto of) {
    if (!of(first)) return;
    if (pitch == 1) {
      T* p = of(first);
      for (int64_t j = 0; j < n; ++j, p += step)
        for (int64_t l = 0; l < g.count; l += L::kCount)
          store_some(p + l, L::load(block + j * kLanes + l) * factor, g.count - l);
    } else if (step == 1 && n >= L::kCount) {
      T* rows[kLanes];
      for (int64_t l = 0; l < g.count; ++l) rows[l] = of(g.line[l]);
      transpose_out(rows, g.count, n, scale, [&](int64_t j) { return block + j * kLanes; });
    } else {
      for (int64_t l = 0; l < g.count; ++l) {
        T* p = of(g.line[l]);
        for (int64_t j = 0; j < n; ++j) p[j * step] = block[j * kLanes + l] * scale;
      }
    }
  };
  part(from.re, [](const Line<T>& l) { return l.re; });
  part(from.im, [](const Line<T>& l) { return l.im; });
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
