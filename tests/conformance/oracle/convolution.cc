// SPDX-License-Identifier: Apache-2.0
// The three rows that convolutions are made of. Each is the same sum over all taps, ordered by
// another of the three arrays: out[n, o, at] += input[n, c, at * step - padding + k * dilation]
// weight[o, c, k].
#include <cmath>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace convolution_specs {
namespace {

enum class Side { kOut, kInput, kWeight };

Shape spatial(const Call& call, const char* name, size_t n, int64_t absent) {
  Shape s = call.ints(name);
  if (s.empty()) s.assign(1, absent);
  if (s.size() == 1) s.assign(n, s[0]);
  return s;
}

struct Sum {
  Real value = 0, size = 0;
  uint64_t word = 0;
  int64_t terms = 0;
};

template <Side side>
Answer convolution(const Call& call) {
  const Array &a = call.in[0].array, &b = call.in[1].array;
  const size_t n = a.shape.size() - 2;
  const bp_dtype t = a.dtype;
  const Shape step = spatial(call, "stride", n, 1), padding = spatial(call, "padding", n, 0),
              dilation = spatial(call, "dilation", n, 1), size = call.ints("size");
  const int64_t groups = call.i64("groups", 1);
  Shape x = side == Side::kOut ? a.shape : b.shape,
        w = side == Side::kWeight ? Shape{a.shape[1], b.shape[1] / groups} : b.shape;
  Shape out = a.shape;
  if (side == Side::kInput) {
    x = {a.shape[0], b.shape[1] * groups};
    x.insert(x.end(), size.begin(), size.end());
  }
  if (side == Side::kWeight) w.insert(w.end(), size.begin(), size.end());
  if (side == Side::kOut) {
    out = {x[0], w[0]};
    for (size_t i = 0; i < n; ++i)
      out.push_back((x[i + 2] + 2 * padding[i] - dilation[i] * (w[i + 2] - 1) - 1) / step[i] + 1);
  }
  const Shape& shape = side == Side::kOut ? out : side == Side::kInput ? x : w;
  std::vector<Sum> sums(static_cast<size_t>(count_of(shape)));
  each_index(out, [&](const Shape& at) {
    each_index(Shape(w.begin() + 1, w.end()), [&](const Shape& tap) {
      Shape in{at[0], at[1] / (w[0] / groups) * w[1] + tap[0]}, of{at[1]};
      of.insert(of.end(), tap.begin(), tap.end());
      for (size_t i = 0; i < n; ++i) {
        in.push_back(at[i + 2] * step[i] - padding[i] + tap[i + 1] * dilation[i]);
        if (in[i + 2] < 0 || in[i + 2] >= x[i + 2]) return;
      }
      const Real p = value_at(a, side == Side::kOut ? in : at),
                 q = value_at(b, side == Side::kWeight ? in : of);
      Sum& s = sums[place_of(shape, side == Side::kOut ? at : side == Side::kInput ? in : of)];
      s.value += p * q;
      s.size += std::fabs(p * q);
      s.word += to_bits(p) * to_bits(q);
      ++s.terms;
    });
  });
  Expected e{Array{t, shape, {}, {}}, {}, true, {}};
  const Real eps = std::ldexp(Real{1}, 1 - format_of(t == BP_F64 ? BP_F64 : BP_F32).precision);
  const bool half = is_narrow(t);
  for (const Sum& s : sums) {
    e.array.re.push_back(is_float(t) ? s.value : from_bits(s.word, t));
    const Real narrow =
        half ? std::fabs(s.value) * std::ldexp(Real{1}, 1 - format_of(t).precision) : 0;
    e.tolerance.push_back(is_float(t) ? static_cast<Real>(s.terms + 3) * eps * s.size + narrow : 0);
  }
  return {e};
}

// The first of equal ones, or the first NaN, of each window gets the window's gradient.
Answer max_pool_grad(const Call& call) {
  const Array &grad = call.in[0].array, &x = call.in[1].array;
  const size_t n = x.shape.size() - 2;
  const Shape kernel = spatial(call, "kernel_size", n, 1), padding = spatial(call, "padding", n, 0),
              dilation = spatial(call, "dilation", n, 1),
              step = call.ints("stride").empty() ? kernel : spatial(call, "stride", n, 1);
  Expected e{Array{grad.dtype, x.shape, std::vector<Real>(x.size()), {}}, {}, true, {}};
  e.scale.assign(x.size(), 0);
  each_index(grad.shape, [&](const Shape& at) {
    bool any = false;
    size_t best = 0;
    each_index(kernel, [&](const Shape& k) {
      Shape from{at[0], at[1]};
      for (size_t i = 0; i < n; ++i) {
        from.push_back(at[i + 2] * step[i] - padding[i] + k[i] * dilation[i]);
        if (from[i + 2] < 0 || from[i + 2] >= x.shape[i + 2]) return;
      }
      const size_t place = place_of(x.shape, from);
      const bool larger =
          any && (x.re[place] > x.re[best] || (std::isnan(x.re[place]) && !std::isnan(x.re[best])));
      if (!any || larger) best = place;
      any = true;
    });
    const Real g = value_at(grad, at);
    e.array.re[best] = is_float(grad.dtype)
                           ? e.array.re[best] + g
                           : from_bits(to_bits(e.array.re[best]) + to_bits(g), grad.dtype);
    e.scale[best] += 2 * std::fabs(g);
  });
  if (!is_float(grad.dtype)) e.scale.clear();
  return {e};
}

constexpr uint32_t kNumbers = kInts | kFloats;
constexpr Spec kSpecs[] = {
    {"convolution", Family::kComposed, kNumbers, convolution<Side::kOut>},
    {"convolution_input_grad", Family::kComposed, kNumbers, convolution<Side::kInput>},
    {"convolution_weight_grad", Family::kComposed, kNumbers, convolution<Side::kWeight>},
    {"max_pool_grad", Family::kComposed, kNumbers, max_pool_grad},
};

}  // namespace
}  // namespace convolution_specs

std::span<const Spec> convolution_oracles() { return convolution_specs::kSpecs; }

}  // namespace conformance
