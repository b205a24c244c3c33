// SPDX-License-Identifier: Apache-2.0
// turn.h: cosine and sine of parts of a turn, in f32. A turn is 2^32, so that reducing an angle
// rounds nothing: near the zeros of a cosine all bits of its angle count.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

// e^(i 2 pi turn / 2^32), from Taylor's polynomials around the nearest quarter.
GPU_FN Complex<float> on_circle(uint32_t turn) {
  const uint32_t quarter = (turn + (1u << 29)) >> 30;
  const float x = static_cast<float>(static_cast<int32_t>(turn - (quarter << 30))) *
                  (1.57079632679489662f * 0x1p-30f);
  const float s = x * x;
  const float sine = fma(
      x * s, fma(s, fma(s, fma(s, 2.7557319e-6f, -1.9841270e-4f), 8.3333333e-3f), -0.16666667f), x);
  const float cosine =
      fma(s, fma(s, fma(s, fma(s, 2.4801587e-5f, -1.3888889e-3f), 4.1666667e-2f), -0.5f), 1.0f);
  const float re = quarter & 1 ? sine : cosine, im = quarter & 1 ? cosine : sine;
  return {(quarter + 1) & 2 ? -re : re, quarter & 2 ? -im : im};
}

}  // namespace bp_gpu
