// SPDX-License-Identifier: Apache-2.0
// fft.cc: Fourier transforms along the last axis of rows: complex to complex, real to half a
// spectrum, and back.
//
// A real transform of even length n is a complex one of n/2 whose numbers are pairs of neighbours,
// and a pass that takes the spectra of even and odd elements apart (Numerical Recipes, 12.3); of
// odd length it is a complex one.
#include "device/error.h"
#include "device/registry.h"
#include "kernels/fourier/fft_half.h"
#include "kernels/fourier/fft_lines.h"

namespace bp_cpu::BP_ISA {
namespace {

enum class Kind { kComplex, kToHalf, kFromHalf };

bool run_exact(const FftPlan<double>& plan, double* re, double* im, const bp_launch& launch) {
  const Scratch scratch(launch, static_cast<uint64_t>(line_room(plan)) * sizeof(double));
  const Line<double> line{re, im, 1};
  return scratch.as<double>() && transform_line(plan, line, line, plan.n, 1.0, scratch.as<double>(),
                                                Together<double>{launch});
}

template <class T>
struct Transform {
  Transform(const bp_launch& l, Kind k, int64_t length, T factor, bool back)
      : launch(l),
        x(l.args[0]),
        out(l.args[1]),
        kind(k),
        n(length),
        scale(factor),
        inverse(back),
        paired(k != Kind::kComplex && n % 2 == 0),
        last(x.rank - 1) {
    for (int32_t d = 0; d < last; ++d) rows *= x.shape[d];
    const bool from_real = kind == Kind::kToHalf, to_real = kind == Kind::kFromHalf;
    in_step = x.strides[last] * (from_real ? 1 : 2);
    out_step = out.strides[last] * (to_real ? 1 : 2);
  }
  const T* row_in(int64_t r) const {
    return static_cast<const T*>(x.data) + at(r, x, kind == Kind::kToHalf ? 1 : 2);
  }
  T* row_out(int64_t r) const {
    return static_cast<T*>(out.data) + at(r, out, kind == Kind::kFromHalf ? 1 : 2);
  }
  int64_t length() const { return paired ? n / 2 : n; }
  // How many results of a row the transform itself makes.
  int64_t kept() const { return kind == Kind::kToHalf && !paired ? n / 2 + 1 : length(); }
  // How many elements of memory a row needs, where half a spectrum is arranged for the transform.
  int64_t spectrum_room() const { return kind == Kind::kFromHalf ? 2 * length() : 0; }

  Line<T> input(int64_t r, T* spectrum) const;
  Line<T> whole_input(int64_t r) const;
  Line<T> half_input(int64_t r) const;
  void run_lanes(int64_t first, int64_t count, T* memory) const;
  Line<T> output(int64_t r) const;
  void take_apart(int64_t r) const;
  void finish(int64_t r) const;
  bool run(const FftPlan<T>& plan) const;

  const bp_launch& launch;
  const bp_arg &x, &out;
  Kind kind;
  int64_t n;
  T scale;
  bool inverse, paired;
  bool conjugate = false;  // half a spectrum is written, or read, as its conjugate
  int32_t last;
  int64_t rows = 1, in_step, out_step;
  const FftPlan<T>* plan_ = nullptr;

 private:
  int64_t at(int64_t r, const bp_arg& a, int64_t width) const {
    int64_t offset = 0;
    for (int32_t d = last - 1; d >= 0; --d) {
      offset += r % a.shape[d] * a.strides[d];
      r /= a.shape[d];
    }
    return offset * width;
  }
  void join_pairs(const T* half, T* re, T* im) const;
  void mirror(const T* half, T* re, T* im) const;
};

// From half a spectrum of even n: undoes take_apart, so that the numbers come out in pairs.
template <class T>
void Transform<T>::join_pairs(const T* half, T* re, T* im) const {
  const int64_t h = n / 2;
  for (int64_t k = 0; k < h; ++k) {
    const T *a = half + k * in_step, *b = half + (h - k) * in_step;
    // The first and the last number are real.
    const T sign = conjugate ? -1 : 1, ai = k ? sign * a[1] : 0, bi = k ? sign * b[1] : 0;
    T qr = a[0] - b[0], qi = ai + bi;
    turn(qr, qi, plan_->half_re[k], -plan_->half_im[k]);
    re[k] = a[0] + b[0] - qi;
    im[k] = ai - bi + qr;
  }
}

// From half a spectrum of odd n, whose other half is the conjugate.
template <class T>
void Transform<T>::mirror(const T* half, T* re, T* im) const {
  re[0] = half[0];
  im[0] = 0;
  for (int64_t k = 1; k <= n / 2; ++k) {
    re[k] = re[n - k] = half[k * in_step];
    im[k] = conjugate ? -half[k * in_step + 1] : half[k * in_step + 1];
    im[n - k] = -im[k];
  }
}

// Only forward transforms are run; for an inverse one the parts change places.
template <class T>
Line<T> Transform<T>::whole_input(int64_t r) const {
  T* p = const_cast<T*>(row_in(r));
  if (kind == Kind::kToHalf)
    return paired ? Line<T>{p, p + in_step, 2 * in_step} : Line<T>{p, nullptr, in_step};
  const Line<T> line{p, p + 1, in_step};
  return inverse ? line.exchanged() : line;
}

// As whole_input, and half a spectrum is made a whole one in memory for it.
template <class T>
Line<T> Transform<T>::input(int64_t r, T* spectrum) const {
  if (kind != Kind::kFromHalf) return whole_input(r);
  const T* p = row_in(r);
  T *re = spectrum, *im = spectrum + length();
  paired ? join_pairs(p, re, im) : mirror(p, re, im);
  return {im, re, 1};
}

template <class T>
Line<T> Transform<T>::output(int64_t r) const {
  T* p = row_out(r);
  if (kind == Kind::kFromHalf)
    return paired ? Line<T>{p + out_step, p, 2 * out_step} : Line<T>{nullptr, p, out_step};
  const Line<T> line{p, p + 1, out_step};
  return inverse ? line.exchanged() : line;
}

// To half a spectrum of even n: the row holds the transform of pairs, which is one number short.
// The spectra of even and odd elements are made of it and joined.
template <class T>
void Transform<T>::take_apart(int64_t r) const {
  const int64_t h = n / 2;
  T* row = row_out(r);
  T *first = row, *end = row + h * out_step;
  const T re = first[0], im = first[1];
  first[0] = re + im, end[0] = re - im;
  first[1] = end[1] = 0;
  for (int64_t k = 1; k <= h / 2; ++k) {
    T *a = row + k * out_step, *b = row + (h - k) * out_step;
    const T even_re = (a[0] + b[0]) / 2, even_im = (a[1] - b[1]) / 2;
    T odd_re = (a[1] + b[1]) / 2, odd_im = (b[0] - a[0]) / 2;
    turn(odd_re, odd_im, plan_->half_re[k], plan_->half_im[k]);
    a[0] = even_re + odd_re, a[1] = even_im + odd_im;
    b[0] = even_re - odd_re, b[1] = odd_im - even_im;
  }
}

template <class T>
void Transform<T>::finish(int64_t r) const {
  if (kind != Kind::kToHalf) return;
  if (paired) take_apart(r);
  T* row = row_out(r);
  for (int64_t k = 0; conjugate && k <= n / 2; ++k) row[k * out_step + 1] = -row[k * out_step + 1];
}

// Half a spectrum as it lies in memory.
template <class T>
Line<T> Transform<T>::half_input(int64_t r) const {
  T* p = const_cast<T*>(row_in(r));
  return {p, p + 1, in_step};
}

// Transforms a group of lines together.
template <class T>
void Transform<T>::run_lanes(int64_t first, int64_t count, T* memory) const {
  const Blocks<T> blocks(memory, length());
  LineGroup<T> in, to;
  in.count = to.count = count;
  const bool from_half = kind == Kind::kFromHalf, to_half = kind == Kind::kToHalf && paired;
  for (int64_t l = 0; l < count; ++l) {
    in.line[l] = from_half ? half_input(first + l) : whole_input(first + l);
    to.line[l] = output(first + l);
  }
  Parts<T> x = blocks.a;
  load_lines(in, from_half ? n / 2 + 1 : length(), x);
  if (from_half) {
    const Parts<T> whole = blocks.b.exchanged();
    paired ? join_lanes(*plan_, x, whole, conjugate) : mirror_lanes(n, x, whole, conjugate);
    x = blocks.b;
  }
  x = run_columns(plan_->columns, x, blocks.other(x));
  if (to_half) {
    const Parts<T> half = blocks.other(x);
    take_apart_lanes(*plan_, x, half);
    x = half;
  }
  if (kind == Kind::kToHalf && conjugate) negate_lanes(x.im, n / 2 + 1);
  store_lines(x, to, to_half ? n / 2 + 1 : kept(), scale);
}

template <class T>
bool Transform<T>::run(const FftPlan<T>& plan) const {
  const bool lanes = fits_lanes(plan, rows);
  const int64_t group = lanes ? kLanes : 1, groups = (rows + group - 1) / group;
  if (!lanes && (rows == 1 || (rows < max_threads() && plan.n >= 1 << 16))) {
    const Scratch scratch(launch,
                          static_cast<uint64_t>(line_room(plan) + spectrum_room()) * sizeof(T));
    T* memory = scratch.template as<T>();
    for (int64_t r = 0; memory && r < rows; ++r) {
      const Line<T> in = input(r, memory + line_room(plan));
      if (!transform_line(plan, in, output(r), kept(), scale, memory, Together<T>{launch}))
        return false;
      finish(r);
    }
    return memory != nullptr;
  }
  bool exhausted = false;
  const int64_t room = line_room(plan), alone = room + block_room(plan) + spectrum_room(),
                together = lanes ? Blocks<T>::room(plan.n) : 0;
  parallel_for(groups, 1 + kWorthAThread / (n * group), [&](int64_t begin, int64_t end) {
    const Scratch scratch(launch,
                          static_cast<uint64_t>(alone > together ? alone : together) * sizeof(T));
    T* memory = scratch.template as<T>();
    if (!memory) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    for (int64_t g = begin; g < end; ++g) {
      const int64_t first = g * group, count = smaller(group, rows - first);
      // A few lines that are left take less time one by one, where their numbers are neighbours.
      if (lanes && !(plan.rows.n && in_step <= 2 && count <= kFewLines)) {
        run_lanes(first, count, memory);
        continue;
      }
      for (int64_t r = first; r < first + count; ++r) {
        transform_line(plan, input(r, memory + room + block_room(plan)), output(r), kept(), scale,
                       memory, Alone<T>{memory + room});
        finish(r);
      }
    }
  });
  return !exhausted;
}

template <class T>
bp_status run_kind(const bp_launch* launch, Kind kind, int64_t n, double scale, bool inverse,
                   bool conjugate, bp_error** err) {
  Transform<T> t(*launch, kind, n, static_cast<T>(scale), inverse);
  t.conjugate = conjugate;
  const FftPlan<T>* plan = acquire_fft_plan<T>(t.length(), t.paired, run_exact, *launch);
  bool done = plan != nullptr;
  if (plan) {
    t.plan_ = plan;
    done = t.run(*plan);
    release_fft_plan(plan);
  }
  if (done) return BP_OK;
  return fail(launch, err, BP_OUT_OF_HOST_MEMORY, "cpu: no memory for a transform of length %lld",
              static_cast<long long>(n));
}

bp_status run_fft_c2c(const bp_launch* l, bp_error** err) {
  const int64_t n = l->args[0].shape[l->args[0].rank - 1];
  const bool inverse = l->attrs[BP_ATTR_FFT_C2C_INVERSE].value.i64 != 0;
  const double scale = l->attrs[BP_ATTR_FFT_C2C_SCALE].value.f64;
  return l->args[0].dtype == BP_C64
             ? run_kind<float>(l, Kind::kComplex, n, scale, inverse, false, err)
             : run_kind<double>(l, Kind::kComplex, n, scale, inverse, false, err);
}

bp_status run_fft_r2c(const bp_launch* l, bp_error** err) {
  const int64_t n = l->args[0].shape[l->args[0].rank - 1];
  const double scale = l->attrs[BP_ATTR_FFT_R2C_SCALE].value.f64;
  const bool conjugate = l->attrs[BP_ATTR_FFT_R2C_CONJ].value.i64 != 0;
  return l->args[0].dtype == BP_F32
             ? run_kind<float>(l, Kind::kToHalf, n, scale, false, conjugate, err)
             : run_kind<double>(l, Kind::kToHalf, n, scale, false, conjugate, err);
}

bp_status run_fft_c2r(const bp_launch* l, bp_error** err) {
  const int64_t n = l->args[1].shape[l->args[1].rank - 1];
  const double scale = l->attrs[BP_ATTR_FFT_C2R_SCALE].value.f64;
  const bool conjugate = l->attrs[BP_ATTR_FFT_C2R_CONJ].value.i64 != 0;
  return l->args[0].dtype == BP_C64
             ? run_kind<float>(l, Kind::kFromHalf, n, scale, true, conjugate, err)
             : run_kind<double>(l, Kind::kFromHalf, n, scale, true, conjugate, err);
}

}  // namespace

void add_fft(Registry& r) {
  r.add(BP_OP_FFT_C2C, kComplex, run_fft_c2c);
  r.add(BP_OP_FFT_R2C, bit(BP_F32) | bit(BP_F64), run_fft_r2c);
  r.add(BP_OP_FFT_C2R, kComplex, run_fft_c2r);
}

}  // namespace bp_cpu::BP_ISA
