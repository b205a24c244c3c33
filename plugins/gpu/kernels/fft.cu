// SPDX-License-Identifier: Apache-2.0
// fft.cu: Fourier transforms of any length. With m groups left of `radix` numbers that lie m apart,
// a pass with stride s makes
//   y[q + s (radix p + k)] = w^(k p) sum over j < radix of x[q + s (p + m j)] w^(k m j),  w of order m * radix,
// as Stockham's do. What lies at q + s p is a column. A block takes columns into shared memory and
// transforms them there in steps, so that global memory is passed once for a radix. A line of up to
// 4096 numbers of c64 or 2048 of c128, or half of that with odd factors, is one column: it is read
// once and written once. A prime that is too large for a block has passes of its own, plainly: a
// thread makes a number at a time as a sum over the factor. A length costs n times the sum of its
// odd prime factors: fine for what is composed of small ones, and n^2 for a prime. f32 is computed
// in f32, with roots that are right to the last bits; sums over odd factors are made in f64.
#include <bit>

#include "gpu/block.h"
#include "gpu/divider.h"
#include "gpu/fourier.h"
#include "gpu/walk.h"

namespace bp_gpu {
namespace {

// Complex lines, real ones, and halves of Hermitian ones.
enum class Form : int32_t { kWhole, kReal, kHalf };

// A place that a pass reads or writes: lines of `width` elements, seen as n numbers.
template <class T>
struct Side {
  T* data;
  int64_t width;
  Form form;

  bool is_plain(int64_t n) const {  // n whole numbers that move in one piece
    return form == Form::kWhole && width == n &&
           reinterpret_cast<uintptr_t>(data) % sizeof(Number<T>) == 0;
  }
};

template <bool kPlain, class T>
GPU_FN Number<T> load(const Side<T>& s, int64_t row, int64_t n, int64_t t) {
  if constexpr (kPlain) return reinterpret_cast<const Number<T>*>(s.data)[row * n + t];
  if (s.form == Form::kReal) return {s.data[row * s.width + t], 0};
  const bool mirrored = s.form == Form::kHalf && t > n / 2;
  const T* p = s.data + 2 * (row * s.width + (mirrored ? n - t : t));
  const bool real = s.form == Form::kHalf && (t == 0 || 2 * t == n);
  return {p[0], real ? 0 : mirrored ? -p[1] : p[1]};
}

template <bool kPlain, class T>
GPU_FN void store(const Side<T>& s, int64_t row, int64_t o, Number<T> v) {
  if constexpr (kPlain) {
    reinterpret_cast<Number<T>*>(s.data)[row * s.width + o] = v;
  } else if (o < s.width) {
    const int64_t i = row * s.width + o;
    if (s.form == Form::kReal)
      s.data[i] = v.re;
    else
      s.data[2 * i] = v.re, s.data[2 * i + 1] = v.im;
  }
}

// ---- large primes ----

template <class T>
struct Pass {
  Side<T> x, y;
  int64_t rows, n, radix, m, stride;
  double sign, scale;
  GPU_FN void operator()(const Place& at) const {
    const int64_t order = m * radix;
    const double turn = sign * 6.283185307179586476925286766559 / static_cast<double>(order);
    for (int64_t i = at.index(); i < rows * n; i += at.count()) {
      const int64_t row = i / n, o = i - row * n, q = o % stride, group = o / stride,
                    p = group / radix, k = group % radix;
      double re = 0, im = 0;
      for (int64_t t = p; t < order; t += m) {
        const Number<T> v = load<false>(x, row, n, q + stride * t);
        const double angle = turn * static_cast<double>(k * t % order), c = cos(angle),
                     s = sin(angle);
        re += static_cast<double>(v.re) * c - static_cast<double>(v.im) * s;
        im += static_cast<double>(v.re) * s + static_cast<double>(v.im) * c;
      }
      store<false>(y, row, o, Number<T>{static_cast<T>(re * scale), static_cast<T>(im * scale)});
    }
  }
};

// ---- tiles ----

// How many numbers a tile has, at most; with sums there are two of half the size in shared memory.
template <class T>
constexpr int32_t kTileNumbers = sizeof(T) == 4 ? 4096 : 2048;
template <class T>
constexpr int32_t kSumNumbers = kTileNumbers<T> / 2;
// A radix of columns, of which a tile has 16 or more, and an odd factor.
template <class T>
constexpr int32_t kMostRadix = kTileNumbers<T> / 16;
template <class T>
constexpr int32_t kMostSum = kSumNumbers<T> / 16;
// The largest transform within a thread: more would take too many registers.
template <class T>
constexpr int32_t kMostWithin = sizeof(T) == 4 ? 16 : 8;
constexpr int32_t kMostFactors = 8;

// The factors of a length's next pass: powers of two, then odd primes. The first reads from global
// memory and the last writes there, both along it: where they could not, a factor of 1 only moves
// numbers. A prime that is too large stands alone.
template <class T>
struct Factors {
  int64_t radix = 1;
  int32_t n = 0, factor[kMostFactors];
  bool sums = false, fits = true;

  // Of a line of `left` numbers, or of the columns that are left of a longer one.
  Factors(int64_t left, bool whole) {
    const int64_t twos = left & -left;
    whole = whole && (left == twos ? left <= kTileNumbers<T> : left <= kSumNumbers<T>);
    int32_t odds = 0, odd[kMostFactors];
    int64_t prime = 3, rest = left / twos;
    while (rest > 1) {
      while (rest % prime) prime = prime * prime > rest ? rest : prime + 2;
      if (prime > kMostSum<T> || (!whole && radix * prime > kMostSum<T>)) break;
      odd[odds++] = static_cast<int32_t>(prime);
      radix *= prime;
      rest /= prime;
    }
    const int64_t even = whole && rest == 1 ? twos
                         : left == twos     ? share(twos)
                                            : kMostSum<T> / radix;
    int32_t power = 1;
    while (2 * power <= even && twos % (2 * power) == 0) power *= 2;
    if (radix * power == 1 && left > 1) {
      radix = left, fits = false;
      return;
    }
    radix *= power;
    sums = odds > 0;
    const bool alone = power <= kMostWithin<T> && odds == 0;
    if (alone || power == 1) factor[n++] = 1;
    for (int32_t within; power > 1; power /= within)
      factor[n++] = within = power < kMostWithin<T> ? power : kMostWithin<T>;
    for (int32_t i = 0; i < odds; ++i) factor[n++] = odd[i];
    if (alone || sums) factor[n++] = 1;
  }

 private:
  // A power of two is cut in equal parts.
  static int64_t share(int64_t twos) {
    const int32_t bits = std::countr_zero(static_cast<uint64_t>(twos)),
                  most = std::countr_zero(static_cast<uint64_t>(kMostRadix<T>)),
                  parts = (bits + most - 1) / most;
    return bits == 0 ? 1 : int64_t{1} << (bits + parts - 1) / parts;
  }
};

template <class T>
struct Step {
  int32_t factor;
  Divider by_factor, by_span;  // span: how far its numbers lie apart
  Roots<T> roots, turns;       // of what is left, of the factor
};

// Numbers in shared memory: a card's banks, 16 of 8 bytes, get those that are a power of two apart.
GPU_FN constexpr int32_t padded(int32_t i) { return i + (i >> 4) + (i >> 8); }

// A tile has lines (a line is then a column), or columns of one. Number t of a column lies at
// (line * radix + t) * width + column. Each step replaces the numbers that it reads; in the end the
// place of result k has k's digits in reverse.
template <class T, bool kPlain>
struct TilePass {
  Side<T> x, y;
  int64_t rows, tiles;
  int32_t n, radix, columns, stride;  // columns: of a line
  int32_t width, log_width;           // columns of a tile, a power of two
  int32_t lines, line_tiles;          // lines of a tile, tiles of a line: one of these is 1
  int32_t room;                       // of a tile, padded
  T sign, scale;
  Roots<T> between;  // of the numbers that columns still have to be joined to
  Divider by_stride, by_line_tiles, by_last;  // last: results of a column by the last factor
  int32_t n_steps;
  Step<T> steps[kMostFactors];

  struct Tile {
    int64_t row;
    int32_t column, lines, columns;  // the first column; how many there are
  };
  GPU_FN Tile tile(int64_t i) const {
    if (line_tiles == 1)
      return {i * lines, 0, static_cast<int32_t>(least<int64_t>(lines, rows - i * lines)),
              least(width, columns)};
    const int64_t row = by_line_tiles.quotient(static_cast<uint32_t>(i));
    const int32_t column = static_cast<int32_t>(i - row * line_tiles) * width;
    return {row, column, 1, least(width, columns - column)};
  }

  // Transforms N numbers that from(line, t, column, place) has, and hands them to to(place,
  // number).
  template <int32_t N, class From, class To>
  GPU_FN void within(const Place& at, const Tile& tile, const Step<T>& step, const From& from,
                     const To& to) const {
    const int32_t span = static_cast<int32_t>(step.by_span.by), m = span >> log_width;
    for_lanes(at, tile.lines * (radix / N) * width, [&](int32_t i) {
      const int32_t group = static_cast<int32_t>(step.by_span.quotient(static_cast<uint32_t>(i))),
                    rest = i - group * span, c = rest & (width - 1), p = rest >> log_width,
                    place = group * N * span + rest;
      if (c >= tile.columns) return;
      Number<T> v[N];
      unrolled<N>([&](int32_t j) { v[j] = from(group, p + j * m, c, place + j * span); });
      transform(v);
      if (N > 1 && m > 1)
        with_powers<N>(step.roots, p,
                       [&](int32_t k, Number<T> w) { v[spot<N>(k)] = v[spot<N>(k)] * w; });
      unrolled<N>([&](int32_t k) { to(place + k * span, v[spot<N>(k)]); });
    });
    at.barrier();
  }

  GPU_FN void read(const Place& at, const Tile& tile, Number<T>* to) const {
    with_factor(steps[0].factor, [&](auto factor) {
      within<factor()>(
          at, tile, steps[0],
          [&](int32_t line, int32_t t, int32_t c, int32_t) {
            const Number<T> v =
                load<kPlain>(x, tile.row + line, n, tile.column + c + int64_t{t} * columns);
            return Number<T>{v.re, v.im * sign};
          },
          [&](int32_t place, Number<T> v) { to[padded(place)] = v; });
    });
  }

  // Sums of an odd factor, to another room.
  GPU_FN void sum(const Place& at, const Tile& tile, const Step<T>& step, const Number<T>* from,
                  Number<T>* to, Number<T>* turns) const {
    const int32_t factor = step.factor, span = static_cast<int32_t>(step.by_span.by),
                  each = tile.lines * (radix / factor) * width;
    const Roots<T> turn = step.turns;
    for_lanes(at, factor, [&](int32_t i) { turns[i] = turn.of(i); });
    at.barrier();
    for_lanes(at, each * factor, [&](int32_t e) {
      const int32_t k = e / each, i = e - k * each,
                    group = static_cast<int32_t>(step.by_span.quotient(static_cast<uint32_t>(i))),
                    rest = i - group * span, place = group * factor * span + rest;
      if ((rest & (width - 1)) >= tile.columns) return;
      double re = 0, im = 0;
      for (int32_t j = 0, r = 0; j < factor; ++j) {
        const Number<T> v = from[padded(place + j * span)], w = turns[r];
        re += static_cast<double>(v.re) * w.re - static_cast<double>(v.im) * w.im;
        im += static_cast<double>(v.re) * w.im + static_cast<double>(v.im) * w.re;
        r += k;
        if (r >= factor) r -= factor;
      }
      to[padded(place + k * span)] = Number<T>{static_cast<T>(re), static_cast<T>(im)} *
                                     step.roots.of((rest >> log_width) * k);
    });
    at.barrier();
  }

  // The place of the first of the last step's numbers, whose results begin with `low`.
  GPU_FN int32_t reversed(int32_t low) const {
    int32_t place = 0;
    for (int32_t s = 0; s + 1 < n_steps; ++s) {
      const auto higher =
          static_cast<int32_t>(steps[s].by_factor.quotient(static_cast<uint32_t>(low)));
      place = (place - higher) * steps[s].factor + low;
      low = higher;
    }
    return place;
  }

  template <int32_t N>
  GPU_FN void write(const Place& at, const Tile& tile, const Number<T>* from) const {
    const int32_t apart = radix / N;  // results of a thread
    // Along memory: with a stride of 1 the results of a column lie side by side.
    const bool by_column = stride == 1;
    for_lanes(at, tile.lines * apart * width, [&](int32_t i) {
      const auto outer = static_cast<int32_t>(by_last.quotient(static_cast<uint32_t>(i)));
      const int32_t low = by_column ? i - outer * apart : i >> log_width,
                    line = width == 1 ? outer : 0,
                    c = width == 1  ? 0
                        : by_column ? outer
                                    : i & (width - 1);
      if (c >= tile.columns) return;
      const int32_t place = ((line * apart + reversed(low)) * N << log_width) + c;
      Number<T> v[N];
      unrolled<N>([&](int32_t j) { v[j] = from[padded(place + (j << log_width))]; });
      transform(v);
      const int32_t column = tile.column + c,
                    p = static_cast<int32_t>(by_stride.quotient(static_cast<uint32_t>(column))),
                    q = column - p * stride;
      if (p > 0) {
        const Number<T> first = between.of(int64_t{low} * p);
        v[0] = v[0] * first;
        with_powers<N>(between, int64_t{apart} * p, [&](int32_t k, Number<T> w) {
          v[spot<N>(k)] = v[spot<N>(k)] * (first * w);
        });
      }
      unrolled<N>([&](int32_t k) {
        const Number<T> r = v[spot<N>(k)];
        store<kPlain>(y, tile.row + line,
                      q + int64_t{stride} * (int64_t{radix} * p + low + k * apart),
                      Number<T>{r.re * scale, r.im * (scale * sign)});
      });
    });
    at.barrier();
  }

  GPU_FN void operator()(const Place& at) const {
    Number<T>*from = at.shared<Number<T>>(), *other = from + room, *const turns = other + room;
    for (int64_t i = at.block(); i < tiles; i += at.blocks()) {
      const Tile tile = this->tile(i);
      read(at, tile, from);
      for (int32_t s = 1; s + 1 < n_steps; ++s) {
        const Step<T>& step = steps[s];
        if (step.factor % 2 == 1) {
          sum(at, tile, step, from, other, turns);
          Number<T>* const done = other;
          other = from;
          from = done;
        } else {
          with_factor(step.factor, [&](auto factor) {
            within<factor()>(
                at, tile, step,
                [&](int32_t, int32_t, int32_t, int32_t place) { return from[padded(place)]; },
                [&](int32_t place, Number<T> v) { from[padded(place)] = v; });
          });
        }
      }
      with_factor(steps[n_steps - 1].factor, [&](auto factor) { write<factor()>(at, tile, from); });
    }
  }

  // Calls fn(the factor as a constant).
  template <class F>
  GPU_FN static void with_factor(int32_t factor, const F& fn) {
    switch (factor) {
      case 1: return fn(std::integral_constant<int32_t, 1>{});
      case 2: return fn(std::integral_constant<int32_t, 2>{});
      case 4: return fn(std::integral_constant<int32_t, 4>{});
      case 8: return fn(std::integral_constant<int32_t, 8>{});
      default:
        if constexpr (kMostWithin<T> == 16) fn(std::integral_constant<int32_t, 16>{});
    }
  }
};

// What a call asks for: how many lines, how long, and which way round.
struct Lines {
  int64_t rows = 1, n;
  Form from, to;
  double sign, scale;
};

Lines lines_of(const bp_launch& l) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  Lines f;
  for (int32_t d = 0; d + 1 < x.rank; ++d) f.rows *= x.shape[d];
  const bool to_half = l.op == BP_OP_FFT_R2C, from_half = l.op == BP_OP_FFT_C2R;
  f.n = from_half ? y.shape[y.rank - 1] : x.shape[x.rank - 1];
  f.from = to_half ? Form::kReal : from_half ? Form::kHalf : Form::kWhole;
  f.to = from_half ? Form::kReal : Form::kWhole;
  const bool turned = l.attrs[to_half     ? +BP_ATTR_FFT_R2C_CONJ
                              : from_half ? +BP_ATTR_FFT_C2R_CONJ
                                          : +BP_ATTR_FFT_C2C_INVERSE]
                          .value.i64 != 0;
  f.sign = turned != from_half ? 1 : -1;
  f.scale = l.attrs[to_half     ? +BP_ATTR_FFT_R2C_SCALE
                    : from_half ? +BP_ATTR_FFT_C2R_SCALE
                                : +BP_ATTR_FFT_C2C_SCALE]
                .value.f64;
  return f;
}

// Passes between the first and the last take turns with two buffers.
template <class T>
bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const Lines f = lines_of(*l);
  uint64_t between = 0;
  for (int64_t left = f.n / Factors<T>(f.n, /*whole=*/true).radix; left > 1 && between < 2;
       left /= Factors<T>(left, /*whole=*/false).radix)
    ++between;
  *bytes = between * static_cast<uint64_t>(f.rows * f.n) * 2 * sizeof(T);
  return BP_OK;
}

template <class T, bool kPlain>
bp_status launch_tiles(const bp_launch& l, const Lines& f, const Factors<T>& factors, int64_t m,
                       int64_t stride, const Side<T>& from, const Side<T>& to, bp_error** err) {
  const auto divider = [](int64_t by) { return Divider(static_cast<uint32_t>(by)); };
  const int32_t numbers = factors.sums ? kSumNumbers<T> : kTileNumbers<T>;
  TilePass<T, kPlain> p{};
  p.x = from, p.y = to, p.rows = f.rows;
  p.n = static_cast<int32_t>(f.n), p.radix = static_cast<int32_t>(factors.radix);
  p.columns = static_cast<int32_t>(m * stride), p.stride = static_cast<int32_t>(stride);
  p.sign = static_cast<T>(-f.sign), p.scale = static_cast<T>(m == 1 ? f.scale : 1);
  p.width = p.lines = p.line_tiles = 1;
  if (p.columns == 1) {
    p.lines = numbers / p.radix;
  } else {
    while (2 * p.width * p.radix <= numbers) p.width *= 2, ++p.log_width;
    p.line_tiles = (p.columns + p.width - 1) / p.width;
  }
  p.tiles = (f.rows + p.lines - 1) / p.lines * p.line_tiles;
  p.room = padded(p.lines * p.radix * p.width);
  p.between = Roots<T>(m * factors.radix);
  p.by_stride = divider(stride), p.by_line_tiles = divider(p.line_tiles);
  p.by_last = divider(p.radix / factors.factor[factors.n - 1]);
  p.n_steps = factors.n;
  int64_t left = factors.radix;
  for (int32_t i = 0; i < factors.n; ++i) {
    const int32_t factor = factors.factor[i];
    p.steps[i] = {factor, divider(factor), divider(left / factor * p.width), Roots<T>(left),
                  Roots<T>(factor)};
    left /= factor;
  }
  const int64_t room = factors.sums ? 2 * p.room + kMostSum<T> : p.room;
  return launch(l,
                {.blocks = least(p.tiles, kMostBlocks),
                 .shared_bytes = room * static_cast<int64_t>(sizeof(Number<T>))},
                p, err);
}

template <class T>
bp_status run(const bp_launch& l, bp_error** err) {
  constexpr int64_t kMost = (int64_t{1} << 31) - 1;  // what a Divider divides
  const Lines f = lines_of(l);
  const bp_arg &x = l.args[0], &y = l.args[1];
  T* buffer[2] = {static_cast<T*>(l.workspace), static_cast<T*>(l.workspace) + 2 * f.rows * f.n};
  Side<T> from{static_cast<T*>(x.data), x.shape[x.rank - 1], f.from};
  const Side<T> last{static_cast<T*>(y.data), y.shape[y.rank - 1], f.to};
  int64_t left = f.n, stride = 1;
  for (int which = 0;; which = 1 - which) {
    const Factors<T> factors(left, stride == 1);
    const int64_t m = left / factors.radix;
    const Side<T> to = m == 1 ? last : Side<T>{buffer[which], f.n, Form::kWhole};
    bp_status s;
    if (factors.fits && f.n <= kMost && f.rows <= kMost / f.n) {
      s = from.is_plain(f.n) && to.is_plain(f.n)
              ? launch_tiles<T, true>(l, f, factors, m, stride, from, to, err)
              : launch_tiles<T, false>(l, f, factors, m, stride, from, to, err);
    } else {
      const Pass<T> pass{
          from, to, f.rows, f.n, factors.radix, m, stride, f.sign, m == 1 ? f.scale : 1};
      s = launch(l, cover(f.rows * f.n), pass, err);
    }
    if (s || m == 1) return s;
    from = to;
    left = m;
    stride *= factors.radix;
  }
}

template <class T>
void add(Registry& r, bp_dtype real, bp_dtype complex) {
  r.add(BP_OP_FFT_C2C, bit(complex), entry<run<T>>, BP_KERNEL_CONTIGUOUS, workspace<T>);
  r.add(BP_OP_FFT_R2C, bit(real), entry<run<T>>, BP_KERNEL_CONTIGUOUS, workspace<T>);
  r.add(BP_OP_FFT_C2R, bit(complex), entry<run<T>>, BP_KERNEL_CONTIGUOUS, workspace<T>);
}

}  // namespace

void add_fft(Registry& r) {
  add<float>(r, BP_F32, BP_C64);
  add<double>(r, BP_F64, BP_C128);
}

}  // namespace bp_gpu
