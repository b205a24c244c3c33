// SPDX-License-Identifier: Apache-2.0
// fft.cu: Fourier transforms of any length by Stockham's passes. With m groups left of `radix`
// numbers that lie m apart, a pass with stride s makes
//   y[q + s (radix p + k)] = w^(k p) sum over j < radix of x[q + s (p + m j)] w^(k m j),  w of order m * radix.
// What lies at q + s p is a column. A radix is a product of small factors; a block takes up to
// kColumns columns of one, or whole lines, into shared memory, where passes of the single factors
// follow each other in the same way, so that global memory is passed once for all of them. A prime
// that is too large for that has passes of its own, plainly: a thread makes a number at a time as a
// sum over the factor. A length costs n times the sum of its prime factors: fine for what is
// composed of small ones, and n^2 for a prime. f32 is computed in f32, with roots that are right to
// the last bit or two; sums over odd factors are made in f64.
#include "gpu/block.h"
#include "gpu/divider.h"
#include "gpu/turn.h"
#include "gpu/walk.h"
#include "kit/complex.h"

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
};

template <class T>
GPU_FN void load(const Side<T>& s, int64_t row, int64_t n, int64_t t, double* re, double* im) {
  if (s.form == Form::kReal) {
    *re = s.data[row * s.width + t];
    *im = 0;
    return;
  }
  const bool mirrored = s.form == Form::kHalf && t > n / 2;
  const T* p = s.data + 2 * (row * s.width + (mirrored ? n - t : t));
  const bool real = s.form == Form::kHalf && (t == 0 || 2 * t == n);
  *re = p[0];
  *im = real ? 0 : mirrored ? -static_cast<double>(p[1]) : static_cast<double>(p[1]);
}

template <class T>
GPU_FN void store(const Side<T>& s, int64_t row, int64_t o, double re, double im) {
  if (o >= s.width) return;
  if (s.form == Form::kReal) {
    s.data[row * s.width + o] = static_cast<T>(re);
    return;
  }
  T* p = s.data + 2 * (row * s.width + o);
  p[0] = static_cast<T>(re);
  p[1] = static_cast<T>(im);
}

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
      double sum_re = 0, sum_im = 0;
      for (int64_t t = p; t < order; t += m) {
        double re, im;
        load(x, row, n, q + stride * t, &re, &im);
        const double angle = turn * static_cast<double>(k * t % order), c = cos(angle),
                     s = sin(angle);
        sum_re += re * c - im * s;
        sum_im += re * s + im * c;
      }
      store(y, row, o, sum_re * scale, sum_im * scale);
    }
  }
};

// w^k for w of an order, of which `part` is 2^32 / order.
GPU_FN Complex<float> root(float, int64_t k, double part, double sign) {
  Complex<float> w = on_circle(static_cast<uint32_t>(static_cast<double>(k) * part));
  if (sign < 0) w.im = -w.im;
  return w;
}
GPU_FN Complex<double> root(double, int64_t k, double part, double sign) {
  const double angle = static_cast<double>(k) * part * (6.283185307179586476925286766559 * 0x1p-32);
  return {cos(angle), sign * sin(angle)};
}

constexpr int32_t kColumns = 16, kPitch = kColumns + 1;  // columns lie in different banks
constexpr int32_t kMostFactors = 7;
template <class T>
constexpr int32_t kMostRadix = sizeof(T) == 4 ? 128 : 64;

template <class T>
struct TilePass {
  Side<T> x, y;
  int64_t rows;
  int32_t n, radix, n_columns, stride;  // n_columns: m * stride, of a line
  double sign, scale;
  int32_t lines;       // whole ones in a tile, or 0
  int64_t tiles;       // all
  int32_t line_tiles;  // of a line that is in several
  Divider by_n, by_columns, by_stride, by_line_tiles, by_radix;
  int32_t n_factors, factors[kMostFactors];
  Divider steps[kMostFactors];  // the strides of the passes inside

  static constexpr int64_t shared_bytes(int64_t radix) {
    return (2 * kPitch + 1) * radix * static_cast<int64_t>(sizeof(Complex<T>));
  }
  static_assert(shared_bytes(kMostRadix<T>) <= 48 * 1024);

  struct Column {
    int64_t row;
    int32_t c;  // in its line
    bool there;
  };
  GPU_FN Column column(int64_t tile, int32_t i) const {
    if (lines) {
      const int32_t line = static_cast<int32_t>(by_columns.quotient(static_cast<uint32_t>(i)));
      const int64_t row = tile * lines + line;
      return {row, i - line * n_columns, line < lines && row < rows};
    }
    const int64_t row = by_line_tiles.quotient(static_cast<uint32_t>(tile));
    const int32_t c = static_cast<int32_t>(tile - row * line_tiles) * kColumns + i;
    return {row, c, c < n_columns};
  }

  // Columns that are not there are zeros: the passes compute them too.
  GPU_FN void read(const Place& at, int64_t tile, Complex<T>* to) const {
    const auto put = [&](bool there, int64_t row, int32_t t, int32_t i, int32_t j) {
      double re = 0, im = 0;
      if (there) load(x, row, n, t, &re, &im);
      to[j * kPitch + i] = {static_cast<T>(re), static_cast<T>(im)};
    };
    if (lines) {  // one after the other in memory
      for_lanes(at, lines * n, [&](int32_t e) {
        const int32_t line = static_cast<int32_t>(by_n.quotient(static_cast<uint32_t>(e)));
        const int32_t t = e - line * n,
                      j = static_cast<int32_t>(by_columns.quotient(static_cast<uint32_t>(t)));
        put(tile * lines + line < rows, tile * lines + line, t,
            line * n_columns + t - j * n_columns, j);
      });
      const int32_t used = lines * n_columns;
      for_lanes(at, radix * (kColumns - used), [&](int32_t e) {
        const int32_t j = e / (kColumns - used);
        put(false, 0, 0, used + e - j * (kColumns - used), j);
      });
    } else {
      for_lanes(at, kColumns * radix, [&](int32_t e) {
        const int32_t i = e % kColumns, j = e / kColumns;
        const Column col = column(tile, i);
        put(col.there, col.row, col.c + n_columns * j, i, j);
      });
    }
    at.barrier();
  }

  // The pass of one factor over all columns, which is one of `left` numbers in groups.
  GPU_FN void inside(const Place& at, int32_t factor, int32_t left, const Divider& by_step,
                     const Complex<T>* roots, const Complex<T>* from, Complex<T>* to) const {
    const int32_t step = static_cast<int32_t>(by_step.by), m = left / factor, groups = step * m;
    const auto spot = [&](int32_t e, int32_t* i, int32_t* q, int32_t* p) {
      const int32_t g = e / kColumns;
      *i = e % kColumns;
      *p = static_cast<int32_t>(by_step.quotient(static_cast<uint32_t>(g)));
      *q = g - *p * step;
    };
    if (factor == 4) {
      for_lanes(at, kColumns * groups, [&](int32_t e) {
        int32_t i, q, p;
        spot(e, &i, &q, &p);
        const Complex<T>* in = from + (q + step * p) * kPitch + i;
        const int32_t apart = groups * kPitch;
        const Complex<T> a = in[0], b = in[apart], c = in[2 * apart], d = in[3 * apart];
        const Complex<T> sum = a + c, rest = a - c, even = b + d, odd = b - d;
        const T s = static_cast<T>(sign);
        const Complex<T> turned{-s * odd.im, s * odd.re};
        Complex<T>* out = to + (q + 4 * step * p) * kPitch + i;
        const int32_t k = p * step;
        out[0] = sum + even;
        out[step * kPitch] = (rest + turned) * roots[k];
        out[2 * step * kPitch] = (sum - even) * roots[2 * k];
        out[3 * step * kPitch] = (rest - turned) * roots[3 * k];
      });
    } else if (factor == 2) {
      for_lanes(at, kColumns * groups, [&](int32_t e) {
        int32_t i, q, p;
        spot(e, &i, &q, &p);
        const Complex<T>* in = from + (q + step * p) * kPitch + i;
        const Complex<T> a = in[0], b = in[groups * kPitch];
        Complex<T>* out = to + (q + 2 * step * p) * kPitch + i;
        out[0] = a + b;
        out[step * kPitch] = (a - b) * roots[p * step];
      });
    } else {
      for_lanes(at, kColumns * groups * factor, [&](int32_t e) {
        const int32_t k = e / (kColumns * groups);
        int32_t i, q, p;
        spot(e - k * (kColumns * groups), &i, &q, &p);
        const Complex<T>* in = from + (q + step * p) * kPitch + i;
        const int32_t turn = k * groups;  // of radix
        double re = 0, im = 0;
        for (int32_t j = 0, r = 0; j < factor; ++j) {
          const Complex<T> v = in[j * groups * kPitch], w = roots[r];
          re += static_cast<double>(v.re) * w.re - static_cast<double>(v.im) * w.im;
          im += static_cast<double>(v.re) * w.im + static_cast<double>(v.im) * w.re;
          r += turn;
          if (r >= radix) r -= radix;
        }
        to[(q + step * (factor * p + k)) * kPitch + i] =
            Complex<T>{static_cast<T>(re), static_cast<T>(im)} * roots[k * p * step];
      });
    }
    at.barrier();
  }

  GPU_FN void write(const Place& at, int64_t tile, const Complex<T>* from) const {
    const double part = 0x1p32 / (static_cast<double>(n_columns) / stride * radix);
    for_lanes(at, kColumns * radix, [&](int32_t e) {
      // Along memory: with a stride of 1 the results of a column lie side by side.
      const int32_t i = stride == 1
                            ? static_cast<int32_t>(by_radix.quotient(static_cast<uint32_t>(e)))
                            : e % kColumns;
      const int32_t k = stride == 1 ? e - i * radix : e / kColumns;
      const Column col = column(tile, i);
      if (!col.there) return;
      const int32_t p = static_cast<int32_t>(by_stride.quotient(static_cast<uint32_t>(col.c))),
                    q = col.c - p * stride;
      Complex<T> v = from[k * kPitch + i];
      if (p > 0) v = v * root(T{}, int64_t{k} * p, part, sign);
      store(y, col.row, q + int64_t{stride} * (int64_t{radix} * p + k), v.re * scale, v.im * scale);
    });
    at.barrier();
  }

  GPU_FN void operator()(const Place& at) const {
    Complex<T>*a = at.shared<Complex<T>>(), *b = a + kPitch * radix, *roots = b + kPitch * radix;
    for_lanes(at, radix, [&](int32_t i) { roots[i] = root(T{}, i, 0x1p32 / radix, sign); });
    for (int64_t tile = at.block(); tile < tiles; tile += at.blocks()) {
      read(at, tile, a);
      Complex<T>*from = a, *to = b;
      for (int32_t f = 0, left = radix; f < n_factors; left /= factors[f++]) {
        inside(at, factors[f], left, steps[f], roots, from, to);
        Complex<T>* const done = to;
        to = from;
        from = done;
      }
      write(at, tile, from);
    }
  }
};

int64_t next_factor(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t r = 2; r * r <= n; ++r)
    if (n % r == 0) return r;
  return n;
}

// The factors of a length's next pass; one that is too large stands alone.
struct Factors {
  int64_t radix = 1;
  int32_t n = 0, factor[kMostFactors];

  Factors(int64_t left, int32_t most) {
    while (left > 1 && n < kMostFactors) {
      int64_t next = next_factor(left);
      if (next == 4 && radix * 4 > most) next = 2;
      if (n > 0 && radix * next > most) return;
      factor[n++] = static_cast<int32_t>(next < most ? next : most);
      radix *= next;
      left /= next;
    }
  }
  bool fits(int32_t most) const { return radix <= most; }
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
  for (int64_t left = f.n / Factors(f.n, kMostRadix<T>).radix; left > 1 && between < 2;
       left /= Factors(left, kMostRadix<T>).radix)
    ++between;
  *bytes = between * static_cast<uint64_t>(f.rows * f.n) * 2 * sizeof(T);
  return BP_OK;
}

template <class T>
bp_status launch_tiles(const bp_launch& l, const Lines& f, const Factors& factors, int64_t m,
                       int64_t stride, const Side<T>& from, const Side<T>& to, bp_error** err) {
  TilePass<T> p{};
  p.x = from, p.y = to, p.rows = f.rows;
  p.n = static_cast<int32_t>(f.n), p.radix = static_cast<int32_t>(factors.radix);
  p.n_columns = static_cast<int32_t>(m * stride), p.stride = static_cast<int32_t>(stride);
  p.sign = f.sign, p.scale = m == 1 ? f.scale : 1;
  p.lines = kColumns / p.n_columns;
  p.line_tiles = (p.n_columns + kColumns - 1) / kColumns;
  p.tiles = p.lines ? (f.rows + p.lines - 1) / p.lines : f.rows * p.line_tiles;
  p.by_n = Divider(static_cast<uint32_t>(p.n));
  p.by_columns = Divider(static_cast<uint32_t>(p.n_columns));
  p.by_stride = Divider(static_cast<uint32_t>(p.stride));
  p.by_line_tiles = Divider(static_cast<uint32_t>(p.line_tiles));
  p.by_radix = Divider(static_cast<uint32_t>(p.radix));
  p.n_factors = factors.n;
  for (int32_t i = 0, step = 1; i < factors.n; step *= factors.factor[i++]) {
    p.factors[i] = factors.factor[i];
    p.steps[i] = Divider(static_cast<uint32_t>(step));
  }
  return launch(l,
                {.blocks = p.tiles < kMostBlocks ? p.tiles : kMostBlocks,
                 .shared_bytes = TilePass<T>::shared_bytes(factors.radix)},
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
    const Factors factors(left, kMostRadix<T>);
    const int64_t m = left / factors.radix;
    const Side<T> to = m == 1 ? last : Side<T>{buffer[which], f.n, Form::kWhole};
    bp_status s;
    if (factors.fits(kMostRadix<T>) && f.n <= kMost && f.rows <= kMost / f.n) {
      s = launch_tiles(l, f, factors, m, stride, from, to, err);
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
