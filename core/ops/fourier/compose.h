// SPDX-License-Identifier: Apache-2.0
// compose.h: transforms along several axes, of any lengths and scales, composed of the transforms
// along one axis (fft_c2c, fft_r2c, fft_c2r); and those, of products of matrices (transform.cc).
#pragma once
#include "core/call/compose.h"

namespace bp::ops::compose {

// The complex dtype that transforms of t compute in.
constexpr bp_dtype complex_for(bp_dtype t) {
  return t == BP_F64 || t == BP_C128 ? BP_C128 : BP_C64;
}

// Which axes are transformed, and how long each is.
struct FftAxes {
  Dims axes, sizes;
};
// Reads kFftnAttrs if there are `several` axes, else kFftAttrs. With last_of_half the tensor is
// half a spectrum: without a given size its last axis, of m elements, stands for 2 (m - 1).
FftAxes fft_axes(Span shape, const AttrReader& attrs, bool several, bool last_of_half);

void fft_c2c(Composer& c);
void fft_r2c(Composer& c);
void fft_c2r(Composer& c);
void fft(Composer& c);
void ifft(Composer& c);
void rfft(Composer& c);
void irfft(Composer& c);
void hfft(Composer& c);
void ihfft(Composer& c);
void fftn(Composer& c);
void ifftn(Composer& c);
void rfftn(Composer& c);
void irfftn(Composer& c);

}  // namespace bp::ops::compose
