// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace window_specs {
namespace {

// Per spatial dim; a list of one is for all.
Shape spatial(const Call& call, const char* name, size_t n, int64_t absent) {
  Shape s = call.ints(name);
  if (s.empty()) s.assign(1, absent);
  if (s.size() == 1) s.assign(n, s[0]);
  return s;
}
// With a batch of one where there is none.
Array batched(Array x, size_t n) {
  if (x.shape.size() == n + 1) x.shape.insert(x.shape.begin(), 1);
  return x;
}
void drop_batch(Expected& e, const Call& call, size_t n) {
  if (call.in[0].array.shape.size() == n + 1) e.array.shape.erase(e.array.shape.begin());
}

struct Sum {
  Real value = 0, size = 0;
  uint64_t word = 0;
};

// Both directions: every tap joins an input place and an output place. f(input index, output index,
// weight index).
template <size_t n, bool kTransposed>
Answer conv(const Call& call) {
  const Array x = batched(call.in[0].array, n);
  const Array& w = call.in[1].array;
  const bp_dtype t = x.dtype;
  const Shape step = spatial(call, "stride", n, 1), padding = spatial(call, "padding", n, 0),
              dilation = spatial(call, "dilation", n, 1),
              more = spatial(call, "output_padding", n, 0);
  const int64_t groups = call.i64("groups", 1),
                out_channels = kTransposed ? w.shape[1] * groups : w.shape[0];
  const int64_t in_group = x.shape[1] / groups, out_group = out_channels / groups;
  Shape shape{x.shape[0], out_channels}, kernel;
  for (size_t i = 0; i < n; ++i) {
    kernel.push_back(w.shape[i + 2]);
    const int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
    shape.push_back(kTransposed ? (x.shape[i + 2] - 1) * step[i] - 2 * padding[i] + reach + more[i]
                                : (x.shape[i + 2] + 2 * padding[i] - reach) / step[i] + 1);
  }
  Expected e{Array{t, shape, {}, {}}, {}, true, {}};
  std::vector<Sum> sums(static_cast<size_t>(count_of(shape)));
  const Array& from = x;
  // The side that is walked: of a convolution the output, of a transposed one the input.
  const Shape walked = kTransposed ? x.shape : shape, met = kTransposed ? shape : x.shape;
  each_index(walked, [&](const Shape& at) {
    const int64_t group = at[1] / (kTransposed ? in_group : out_group);
    for (int64_t c = 0; c < (kTransposed ? out_group : in_group); ++c)
      each_index(kernel, [&](const Shape& k) {
        Shape other{at[0], group * (kTransposed ? out_group : in_group) + c};
        Shape tap{at[1], c};
        for (size_t i = 0; i < n; ++i) {
          other.push_back(at[i + 2] * step[i] - padding[i] + k[i] * dilation[i]);
          if (other[i + 2] < 0 || other[i + 2] >= met[i + 2]) return;
          tap.push_back(k[i]);
        }
        const Real a = value_at(from, kTransposed ? at : other), b = value_at(w, tap);
        Sum& s = sums[place_of(shape, kTransposed ? other : at)];
        s.value += a * b;
        s.size += std::fabs(a * b);
        s.word += to_bits(a) * to_bits(b);
      });
  });
  const auto terms = static_cast<Real>(in_group * count_of(kernel) + 3);
  const Real eps = std::ldexp(Real{1}, 1 - format_of(t == BP_F64 ? BP_F64 : BP_F32).precision);
  const bool half = is_narrow(t);
  each_index(shape, [&](const Shape& at) {
    Sum& s = sums[place_of(shape, at)];
    const Real product = s.value;
    if (!call.in[2].is_none()) {
      const Real b = call.in[2].array.re[static_cast<size_t>(at[1])];
      s.value += b;
      s.size += std::fabs(b);
      s.word += to_bits(b);
    }
    e.array.re.push_back(is_float(t) ? s.value : from_bits(s.word, t));
    // Narrow results are rounded after the product and after the bias.
    const Real narrow = half ? (std::fabs(product) + std::fabs(s.value)) *
                                   std::ldexp(Real{1}, 1 - format_of(t).precision)
                             : 0;
    e.tolerance.push_back(is_float(t) ? terms * eps * s.size + narrow : 0);
  });
  drop_batch(e, call, n);
  return {e};
}

struct Pool {
  Shape kernel, step, padding, dilation, out;
};
template <size_t n>
Pool pool_of(const Call& call, const Array& x) {
  Pool p{spatial(call, "kernel_size", n, 1),
         {},
         spatial(call, "padding", n, 0),
         spatial(call, "dilation", n, 1),
         {}};
  p.step = call.ints("stride").empty() ? p.kernel : spatial(call, "stride", n, 1);
  p.out = {x.shape[0], x.shape[1]};
  for (size_t i = 0; i < n; ++i) {
    const int64_t size = x.shape[i + 2],
                  free = size + 2 * p.padding[i] - p.dilation[i] * (p.kernel[i] - 1) - 1;
    int64_t out = free / p.step[i] + 1;
    if (call.i64("ceil_mode", 0) != 0 && free % p.step[i] != 0 &&
        out * p.step[i] < size + p.padding[i])
      ++out;
    p.out.push_back(out);
  }
  return p;
}
// f(value, inside the input, inside input and padding) for each place of the window at `at`.
template <size_t n, class F>
void each_of_window(const Array& x, const Pool& p, const Shape& at, const F& f) {
  each_index(p.kernel, [&](const Shape& k) {
    Shape from{at[0], at[1]};
    bool inside = true, near = true;
    for (size_t i = 0; i < n; ++i) {
      const int64_t place = at[i + 2] * p.step[i] - p.padding[i] + k[i] * p.dilation[i],
                    size = x.shape[i + 2];
      from.push_back(place);
      inside = inside && place >= 0 && place < size;
      near = near && place < size + p.padding[i];
    }
    f(inside ? value_at(x, from) : 0, inside, near);
  });
}

template <size_t n>
Answer max_pool(const Call& call) {
  const Array x = batched(call.in[0].array, n);
  const Pool p = pool_of<n>(call, x);
  Expected e{Array{x.dtype, p.out, {}, {}}, {}, true};
  each_index(p.out, [&](const Shape& at) {
    Real best = is_float(x.dtype) ? -static_cast<Real>(INFINITY) : lowest_of(x.dtype);
    each_of_window<n>(x, p, at, [&](Real v, bool inside, bool) {
      if (inside && !std::isnan(best) && (std::isnan(v) || v > best)) best = v;
    });
    e.array.re.push_back(best);
  });
  drop_batch(e, call, n);
  return {e};
}
// The place is counted in the elements of the channel.
template <size_t n>
Answer max_pool_with_indices(const Call& call) {
  const Array x = batched(call.in[0].array, n);
  const Pool p = pool_of<n>(call, x);
  const Shape plane(x.shape.begin() + 2, x.shape.end());
  Answer both{{Array{x.dtype, p.out, {}, {}}, {}, true}, {Array{BP_I64, p.out, {}, {}}}};
  each_index(p.out, [&](const Shape& at) {
    Real best = is_float(x.dtype) ? -static_cast<Real>(INFINITY) : lowest_of(x.dtype), where = -1;
    each_index(p.kernel, [&](const Shape& k) {
      Shape from(n), full{at[0], at[1]};
      for (size_t i = 0; i < n; ++i) {
        from[i] = at[i + 2] * p.step[i] - p.padding[i] + k[i] * p.dilation[i];
        if (from[i] < 0 || from[i] >= plane[i]) return;
        full.push_back(from[i]);
      }
      const Real v = value_at(x, full);
      if (where >= 0 && (std::isnan(best) || !(v > best || std::isnan(v)))) return;
      best = v;
      where = static_cast<Real>(place_of(plane, from));
    });
    both[0].array.re.push_back(best);
    both[1].array.re.push_back(where);
  });
  for (Expected& e : both) drop_batch(e, call, n);
  return both;
}
template <size_t n>
Answer avg_pool(const Call& call) {
  const Array x = batched(call.in[0].array, n);
  const Pool p = pool_of<n>(call, x);
  const bool with_padding = call.i64("count_include_pad", 1) != 0;
  Expected e{Array{x.dtype, p.out, {}, {}}, {}, true};
  each_index(p.out, [&](const Shape& at) {
    Real total = 0, size = 0, count = 0;
    each_of_window<n>(x, p, at, [&](Real v, bool inside, bool near) {
      total += v;
      size += std::fabs(v);
      count += with_padding ? near : inside;
    });
    e.array.re.push_back(total / count);
    e.scale.push_back(size / count);
  });
  drop_batch(e, call, n);
  return {e};
}

template <size_t n, bool kLargest>
Answer adaptive(const Call& call) {
  const Array& x = call.in[0].array;
  const Shape size = spatial(call, "output_size", n, 1);
  const size_t lead = x.shape.size() - n;
  Shape shape = x.shape;
  for (size_t i = 0; i < n; ++i) shape[lead + i] = size[i];
  Expected e{Array{x.dtype, shape, {}, {}}, {}, true};
  each_index(shape, [&](const Shape& at) {
    Shape first = at, length(at.size(), 1);
    for (size_t d = lead; d < at.size(); ++d) {
      first[d] = at[d] * x.shape[d] / shape[d];
      length[d] = ((at[d] + 1) * x.shape[d] + shape[d] - 1) / shape[d] - first[d];
    }
    Real total = 0, magnitude = 0, best = -static_cast<Real>(INFINITY);
    each_index(length, [&](const Shape& k) {
      Shape from = first;
      for (size_t d = 0; d < k.size(); ++d) from[d] += k[d];
      total += value_at(x, from);
      magnitude += std::fabs(value_at(x, from));
      if (!std::isnan(best) && !(value_at(x, from) <= best)) best = value_at(x, from);
    });
    if (kLargest) return e.array.re.push_back(best);
    e.array.re.push_back(total / static_cast<Real>(count_of(length)));
    e.scale.push_back(magnitude / static_cast<Real>(count_of(length)));
  });
  return {e};
}

// Every corner of the cell around the place, weighed by its distance along each axis.
Answer interpolate(const Call& call) {
  const Array& x = call.in[0].array;
  const size_t n = x.shape.size() - 2;
  const Shape size = spatial(call, "size", n, 1);
  const bool nearest = call.str("mode", "nearest") == "nearest",
             aligned = call.i64("align_corners", 0) != 0;
  Shape shape = x.shape;
  for (size_t i = 0; i < n; ++i) shape[i + 2] = size[i];
  Expected e{Array{x.dtype, shape, {}, {}}, {}, true};
  each_index(shape, [&](const Shape& at) {
    Real value = 0, most = 0;
    each_index(Shape(n, 2), [&](const Shape& corner) {
      Shape from{at[0], at[1]};
      Real weight = 1;
      for (size_t i = 0; i < n; ++i) {
        const int64_t in = x.shape[i + 2], out = shape[i + 2];
        const auto o = static_cast<Real>(at[i + 2]),
                   ratio = static_cast<Real>(in) / static_cast<Real>(out);
        if (nearest) {
          from.push_back(at[i + 2] * in / out);
          weight *= corner[i] == 0;
          continue;
        }
        const Real place =
            aligned ? (out > 1 ? o * static_cast<Real>(in - 1) / static_cast<Real>(out - 1) : 0)
                    : std::fmax(0, (o + 0.5L) * ratio - 0.5L);
        const auto low = static_cast<int64_t>(std::floor(place));
        from.push_back(std::min(low + corner[i], in - 1));
        weight *= corner[i] == 0 ? 1 - (place - std::floor(place)) : place - std::floor(place);
      }
      value += weight * value_at(x, from);
      most = std::fmax(most, std::fabs(value_at(x, from)));
    });
    e.array.re.push_back(value);
    e.scale.push_back(nearest ? 0 : most);
  });
  return {e};
}

constexpr uint32_t kNumbers = kInts | kFloats;
constexpr Spec kSpecs[] = {
    {"conv1d", Family::kComposed, kNumbers, conv<1, false>},
    {"conv2d", Family::kComposed, kNumbers, conv<2, false>},
    {"conv3d", Family::kComposed, kNumbers, conv<3, false>},
    {"conv_transpose1d", Family::kComposed, kNumbers, conv<1, true>},
    {"conv_transpose2d", Family::kComposed, kNumbers, conv<2, true>},
    {"conv_transpose3d", Family::kComposed, kNumbers, conv<3, true>},
    {"max_pool1d", Family::kComposed, kNumbers, max_pool<1>},
    {"max_pool2d", Family::kComposed, kNumbers, max_pool<2>},
    {"avg_pool1d", Family::kComposed, kFloats, avg_pool<1>},
    {"avg_pool2d", Family::kComposed, kFloats, avg_pool<2>},
    {"max_pool3d", Family::kComposed, kNumbers, max_pool<3>},
    {"avg_pool3d", Family::kComposed, kFloats, avg_pool<3>},
    {"max_pool1d_with_indices", Family::kComposed, kNumbers, max_pool_with_indices<1>},
    {"max_pool2d_with_indices", Family::kComposed, kNumbers, max_pool_with_indices<2>},
    {"max_pool3d_with_indices", Family::kComposed, kNumbers, max_pool_with_indices<3>},
    {"adaptive_avg_pool1d", Family::kComposed, kFloats, adaptive<1, false>},
    {"adaptive_avg_pool2d", Family::kComposed, kFloats, adaptive<2, false>},
    {"adaptive_avg_pool3d", Family::kComposed, kFloats, adaptive<3, false>},
    {"adaptive_max_pool1d", Family::kComposed, kNumbers, adaptive<1, true>},
    {"adaptive_max_pool2d", Family::kComposed, kNumbers, adaptive<2, true>},
    {"adaptive_max_pool3d", Family::kComposed, kNumbers, adaptive<3, true>},
    {"interpolate", Family::kComposed, kFloats, interpolate},
};

}  // namespace
}  // namespace window_specs

std::span<const Spec> window_oracles() { return window_specs::kSpecs; }

}  // namespace conformance
