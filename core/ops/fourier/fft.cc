// SPDX-License-Identifier: Apache-2.0
// fft.cc: the rows of Fourier transforms: three kernels along one axis, and their compositions.
#include "core/base/error.h"
#include "core/ops/families.h"
#include "core/ops/fourier/attributes.h"
#include "core/ops/fourier/compose.h"
#include "core/ops/gradients.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// ---- dtypes ----

void refuse(const Inference& f) {
  fail(BP_DTYPE_MISMATCH, "{}: Unsupported dtype {}", f.row.name, dtype_title(f.in[0].dtype));
}

void c2c_dtype(Inference& f) {
  rule::promoted(f);
  if (!is_complex(f.compute)) refuse(f);
}
void r2c_dtype(Inference& f) {
  rule::promoted(f);
  if (f.compute != BP_F32 && f.compute != BP_F64) refuse(f);
  f.out_dtype[0] = compose::complex_for(f.compute);
}
void c2r_dtype(Inference& f) {
  c2c_dtype(f);
  f.out_dtype[0] = real_of(f.compute);
}

// Compositions take integers and bools too, as the default float dtype.
void any_number(Inference& f) {
  rule::promoted(f);
  if (is_narrow(f.compute)) refuse(f);
  if (!is_floating(f.compute) && !is_complex(f.compute)) f.compute = default_dtype();
  if (is_narrow(f.compute)) f.compute = BP_F32;
}
void to_complex(Inference& f) {
  any_number(f);
  f.out_dtype[0] = compose::complex_for(f.compute);
}
void to_real(Inference& f) {
  any_number(f);
  f.out_dtype[0] = real_of(f.compute);
}
void real_to_complex(Inference& f) {
  to_complex(f);
  if (is_complex(f.compute))
    fail(BP_DTYPE_MISMATCH, "{} expects a real input tensor, but got {}", f.row.name,
         dtype_title(f.compute));
}

// ---- shapes ----

int64_t checked_axis(Inference& f) {
  const Span shape = f.in[0].shape;
  const int64_t axis = wrap_dim(f.i64(kAlongAttrs["axis"]), static_cast<int64_t>(shape.size()));
  if (shape.empty())
    fail(BP_INVALID_ARGUMENT, "{}: a tensor without dimensions has no axis to transform",
         f.row.name);
  f.out_shape[0] = Dims(shape);
  if (shape[axis] < 1)
    fail(BP_INVALID_ARGUMENT, "{}: Invalid number of data points ({}) specified", f.row.name,
         shape[axis]);
  return axis;
}
void c2c_shape(Inference& f) { checked_axis(f); }
void r2c_shape(Inference& f) {
  const int64_t axis = checked_axis(f);
  f.out_shape[0][axis] = f.out_shape[0][axis] / 2 + 1;
}
void c2r_shape(Inference& f) {
  const int64_t axis = checked_axis(f), n = f.i64(kC2rAttrs["n"]);
  if (n < 1 || n / 2 + 1 != f.out_shape[0][axis])
    fail(BP_INVALID_ARGUMENT,
         "fft_c2r: {} real numbers have {} of their spectrum, but the axis has {}", n, n / 2 + 1,
         f.out_shape[0][axis]);
  f.out_shape[0][axis] = n;
}

enum class Result { kWhole, kHalf, kReal };
template <Result result, bool several>
void composed_shape(Inference& f) {
  const compose::FftAxes w =
      compose::fft_axes(f.in[0].shape, f, several, /*last_of_half=*/result == Result::kReal);
  if (w.axes.empty())
    fail(BP_INVALID_ARGUMENT, "{}: at least one axis must be transformed", f.row.name);
  f.out_shape[0] = Dims(f.in[0].shape);
  for (uint32_t i = 0; i < w.axes.size(); ++i) f.out_shape[0][w.axes[i]] = w.sizes[i];
  if (result == Result::kHalf) f.out_shape[0][w.axes.back()] = w.sizes.back() / 2 + 1;
}
constexpr Rule kWhole = composed_shape<Result::kWhole, false>,
               kWholes = composed_shape<Result::kWhole, true>;
constexpr Rule kHalf = composed_shape<Result::kHalf, false>,
               kHalves = composed_shape<Result::kHalf, true>;
constexpr Rule kReal = composed_shape<Result::kReal, false>,
               kReals = composed_shape<Result::kReal, true>;

// clang-format off
constexpr OpRow kFftRows[] = {
    {.id = 290, .name = "fft_c2c", .inputs = kX,
     .attrs = kC2cAttrs, .layout = Layout::kRows,
     .dtype = c2c_dtype, .shape = c2c_shape, .compose = compose::fft_c2c,
     .grad = {"FftC2CBackward0", fft_c2c_back},
     .doc = "scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the "
            "2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128."},
    {.id = 291, .name = "fft_r2c", .inputs = kX, .attrs = kR2cAttrs,
     .layout = Layout::kRows, .dtype = r2c_dtype, .shape = r2c_shape, .compose = compose::fft_r2c,
     .grad = {"FftR2CBackward0", fft_r2c_back},
     .doc = "fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the "
            "conjugates of these)."},
    {.id = 292, .name = "fft_c2r", .inputs = kX,
     .attrs = kC2rAttrs, .layout = Layout::kRows,
     .dtype = c2r_dtype, .shape = c2r_shape, .compose = compose::fft_c2r,
     .grad = {"FftC2RBackward0", fft_c2r_back},
     .doc = "The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real "
            "of x is taken for real. conj: x is taken for its conjugate."},
    {.id = 293, .name = "fft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = to_complex, .shape = kWhole,
     .compose = compose::fft,
     .doc = "The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there "
            "are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root."},
    {.id = 294, .name = "ifft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = to_complex, .shape = kWhole,
     .compose = compose::ifft, .doc = "The inverse of fft."},
    {.id = 295, .name = "fftn", .inputs = kX, .attrs = kFftnAttrs, .layout = Layout::kGeneral, .dtype = to_complex,
     .shape = kWholes, .compose = compose::fftn,
     .doc = "fft along each of axes (none given: the last as many as s has, or all), of s elements each."},
    {.id = 296, .name = "ifftn", .inputs = kX, .attrs = kFftnAttrs, .layout = Layout::kGeneral, .dtype = to_complex,
     .shape = kWholes, .compose = compose::ifftn, .doc = "The inverse of fftn."},
    {.id = 297, .name = "rfft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = real_to_complex,
     .shape = kHalf, .compose = compose::rfft, .doc = "The first n/2 + 1 results of fft of real numbers."},
    {.id = 298, .name = "irfft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = to_real, .shape = kReal,
     .compose = compose::irfft,
     .doc = "The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum."},
    {.id = 299, .name = "rfftn", .inputs = kX, .attrs = kFftnAttrs, .layout = Layout::kGeneral, .dtype = real_to_complex,
     .shape = kHalves, .compose = compose::rfftn, .doc = "rfft along the last of axes, fft along the others; see fftn."},
    {.id = 300, .name = "irfftn", .inputs = kX, .attrs = kFftnAttrs, .layout = Layout::kGeneral, .dtype = to_real,
     .shape = kReals, .compose = compose::irfftn, .doc = "The inverse of rfftn; the last of s as irfft's n."},
    {.id = 301, .name = "hfft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = to_real, .shape = kReal,
     .compose = compose::hfft, .doc = "The real fft of Hermitian numbers of which x is the first half; n as irfft's."},
    {.id = 302, .name = "ihfft", .inputs = kX, .attrs = kFftAttrs, .layout = Layout::kGeneral, .dtype = real_to_complex,
     .shape = kHalf, .compose = compose::ihfft, .doc = "The inverse of hfft."},
};
// clang-format on
}  // namespace

std::span<const OpRow> fft_rows() { return kFftRows; }

}  // namespace bp::ops
