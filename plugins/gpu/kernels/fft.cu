// SPDX-License-Identifier: Apache-2.0
// fft.cu: Fourier transforms of any length, plainly: Stockham passes through global memory, one for
// each factor, in which every thread makes one number at a time as a sum over the factor. Roots are
// computed in f64 where they are used, and sums are kept in f64. A length costs n times the sum of
// its prime factors: fine for what is composed of small ones, and n^2 for a prime. With m groups
// left of `radix` numbers that lie m apart,
//   y[q + s (radix p + k)] = sum over t = p, p + m, ... below m * radix of x[q + s t] w^(k t),  w of order m * radix.
#include "gpu/kernel.h"

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

int64_t next_factor(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t r = 2; r * r <= n; ++r)
    if (n % r == 0) return r;
  return n;
}

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
  for (int64_t left = f.n / next_factor(f.n); left > 1 && between < 2; left /= next_factor(left))
    ++between;
  *bytes = between * static_cast<uint64_t>(f.rows * f.n) * 2 * sizeof(T);
  return BP_OK;
}

template <class T>
bp_status run(const bp_launch& l, bp_error** err) {
  const Lines f = lines_of(l);
  const bp_arg &x = l.args[0], &y = l.args[1];
  T* buffer[2] = {static_cast<T*>(l.workspace), static_cast<T*>(l.workspace) + 2 * f.rows * f.n};
  Side<T> from{static_cast<T*>(x.data), x.shape[x.rank - 1], f.from};
  const Side<T> last{static_cast<T*>(y.data), y.shape[y.rank - 1], f.to};
  int64_t left = f.n, stride = 1;
  for (int which = 0;; which = 1 - which) {
    const int64_t radix = next_factor(left), m = left / radix;
    const Side<T> to = m == 1 ? last : Side<T>{buffer[which], f.n, Form::kWhole};
    const Pass<T> pass{from, to, f.rows, f.n, radix, m, stride, f.sign, m == 1 ? f.scale : 1};
    if (const bp_status s = launch(l, cover(f.rows * f.n), pass, err)) return s;
    if (m == 1) return BP_OK;
    from = to;
    left = m;
    stride *= radix;
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
