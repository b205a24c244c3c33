// SPDX-License-Identifier: Apache-2.0
// padded.h: the sizes of a convolution, and an image with zeros around it, laid out so that what
// one tap reads for neighbouring places is adjacent: where windows step over elements, each row is
// kept as its phases, first the elements 0, step, 2 step, .., then 1, step + 1, ..
//
//   const Padded<float> padded(geometry);
//   padded.fill(geometry, x, image);      // padded.items() elements
//   padded.offsets(geometry, taps);       // tap t of place (z, y, x) is image[padded.place(g, z, y) + x + taps[t]]
#pragma once
#include "device/registry.h"
#include "device/scratch.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {

// Sizes, with ones in front for the dims that are not there.
struct Geometry {
  static constexpr int kDims = 3;
  int64_t images, channels, filters, groups;  // channels and filters of one group
  int64_t in[kDims], out[kDims], kernel[kDims], step[kDims], padding[kDims], dilation[kDims];

  // The launch's attributes end in those of a convolution; its gradients have a size before them.
  Geometry(const bp_launch& l, const int64_t* x, const int64_t* w, const int64_t* y, int32_t rank) {
    const bp_attr* attrs = l.attrs + (l.n_attr - 1 - BP_ATTR_CONVOLUTION_GROUPS);
    const int32_t n = rank - 2, first = kDims - n;
    groups = attrs[BP_ATTR_CONVOLUTION_GROUPS].value.i64;
    images = x[0], channels = x[1] / groups, filters = y[1] / groups;
    const auto value = [&](const bp_attr& a, int32_t i, int64_t absent) {
      return a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : i];
    };
    for (int32_t d = 0; d < kDims; ++d) {
      const int32_t i = d - first;
      in[d] = i < 0 ? 1 : x[i + 2], out[d] = i < 0 ? 1 : y[i + 2], kernel[d] = i < 0 ? 1 : w[i + 2];
      step[d] = i < 0 ? 1 : value(attrs[BP_ATTR_CONVOLUTION_STRIDE], i, 1);
      padding[d] = i < 0 ? 0 : value(attrs[BP_ATTR_CONVOLUTION_PADDING], i, 0);
      dilation[d] = i < 0 ? 1 : value(attrs[BP_ATTR_CONVOLUTION_DILATION], i, 1);
    }
  }
  int64_t pixels() const { return in[0] * in[1] * in[2]; }
  int64_t places() const { return out[0] * out[1] * out[2]; }
  int64_t taps() const { return channels * kernel[0] * kernel[1] * kernel[2]; }
  // Whether each place reads the one pixel where it lies.
  bool pointwise() const {
    bool is = true;
    for (int d = 0; d < kDims; ++d) is &= kernel[d] == 1 && step[d] == 1 && padding[d] == 0;
    return is;
  }
};

// How many elements a copy of whole chunks may read and write beyond its end.
constexpr int64_t kSlack = 64;

// An image's channels of one group with zeros around them, as far as windows reach.
template <class T>
struct Padded {
  static constexpr int kDims = Geometry::kDims;
  int64_t size[kDims], step, phase, line, plane, planes;

  explicit Padded(const Geometry& g) : step(g.step[2]), planes(g.channels) {
    for (int d = 0; d < kDims; ++d)
      size[d] = (g.out[d] - 1) * g.step[d] + g.dilation[d] * (g.kernel[d] - 1) + 1;
    phase = (size[2] + step - 1) / step, line = phase * step;
    plane = size[0] * size[1] * line;
  }
  int64_t items() const { return planes * plane + kSlack; }
  // Where the row of places (z, y) begins to read.
  int64_t place(const Geometry& g, int64_t z, int64_t y) const {
    return (z * g.step[0] * size[1] + y * g.step[1]) * line;
  }

  void fill(const Geometry& g, const T* image, T* to) const {
    for (int64_t i = 0; i < items(); ++i) to[i] = T{};
    each_run(g, [&](int64_t pixel, int64_t at, int64_t n) {
      const T* from = image + pixel;
      T* row = to + at;
      if (step == 1)
        for (int64_t i = 0; i < n; ++i) row[i] = from[i];
      else if (step == 2)
        for (int64_t i = 0; i < n; ++i) row[i] = from[2 * i];
      else
        for (int64_t i = 0; i < n; ++i) row[i] = from[i * step];
    });
  }
  // Copies what of the padded image is the image's; where no window reaches, it becomes 0.
  void take(const Geometry& g, const T* from, T* image) const {
    for (int64_t i = 0; i < planes * g.pixels(); ++i) image[i] = T{};
    each_run(g, [&](int64_t pixel, int64_t at, int64_t n) {
      for (int64_t i = 0; i < n; ++i) image[pixel + i * step] = from[at + i];
    });
  }
  // Writes where each tap of each channel reads, counted from where its place begins.
  void offsets(const Geometry& g, int64_t* to) const {
    for (int64_t c = 0; c < planes; ++c)
      for (int64_t z = 0; z < g.kernel[0]; ++z)
        for (int64_t y = 0; y < g.kernel[1]; ++y)
          for (int64_t x = 0; x < g.kernel[2]; ++x) {
            const int64_t column = x * g.dilation[2];
            *to++ = c * plane + (z * g.dilation[0] * size[1] + y * g.dilation[1]) * line +
                    column % step * phase + column / step;
          }
  }

 private:
  // Calls f(pixel, at, n) for each run of n pixels, `step` apart, that lie next to one another
  // from `at` on.
  template <class F>
  void each_run(const Geometry& g, const F& f) const {
    const auto kept = [&](int d) { return smaller(g.in[d], size[d] - g.padding[d]); };
    for (int64_t p = 0; p < step; ++p) {
      const int64_t ahead = ((p - g.padding[2]) % step + step) % step, n = kept(2) - ahead,
                    column = p * phase + (ahead + g.padding[2]) / step;
      if (n <= 0) continue;
      for (int64_t c = 0; c < planes; ++c)
        for (int64_t z = 0; z < kept(0); ++z)
          for (int64_t y = 0; y < kept(1); ++y)
            f(((c * g.in[0] + z) * g.in[1] + y) * g.in[2] + ahead,
              c * plane + ((z + g.padding[0]) * size[1] + y + g.padding[1]) * line + column,
              (n + step - 1) / step);
    }
  }
};

// A task is worth a thread from so many multiplications on.
inline int64_t grain(double work) { return static_cast<int64_t>((1 << 17) / (work + 1)) + 1; }

// Threads can fail for want of memory only.
inline bp_status finish(const bp_launch& l, bool exhausted, uint64_t bytes, bp_error** err) {
  return exhausted ? Scratch(l, bytes).fail(err) : BP_OK;
}

}  // namespace bp_cpu::BP_ISA
