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

struct Tap {
  int64_t from;
  Real weight;
};
// What of an axis of n makes element o of m, by the definition of each mode. The step is that of
// the scale where one is given.
std::vector<Tap> taps(const std::string& mode, int64_t n, int64_t m, int64_t o, bool aligned,
                      double scale) {
  const auto inside = [n](int64_t at) { return std::clamp<int64_t>(at, 0, n - 1); };
  const auto size = static_cast<Real>(n), at = static_cast<Real>(o);
  Real step = size / static_cast<Real>(m);
  if (aligned) step = m > 1 ? (size - 1) / static_cast<Real>(m - 1) : 0;
  if (!aligned && scale > 0) step = 1 / static_cast<Real>(scale);
  if (mode == "area") {
    std::vector<Tap> all;
    const int64_t first = o * n / m, end = ((o + 1) * n + m - 1) / m;
    for (int64_t i = first; i < end; ++i) all.push_back({i, 1 / static_cast<Real>(end - first)});
    return all;
  }
  if (mode.starts_with("nearest")) {
    const Real centre = mode == "nearest" ? at : at + 0.5L;
    const Real place = scale > 0 ? centre * step : centre * size / static_cast<Real>(m);
    return {{inside(static_cast<int64_t>(std::floor(place))), 1}};
  }
  Real place = aligned ? at * step : (at + 0.5L) * step - 0.5L;
  if (mode != "bicubic") place = std::clamp<Real>(place, 0, size - 1);
  const auto low = static_cast<int64_t>(std::floor(place));
  const Real t = place - std::floor(place);
  if (mode != "bicubic") return {{low, 1 - t}, {inside(low + 1), t}};
  std::vector<Tap> all;
  for (int64_t k = -1; k <= 2; ++k) {
    const Real d = std::fabs(t - static_cast<Real>(k)), a = -0.75L;
    const Real w = d <= 1 ? (a + 2) * d * d * d - (a + 3) * d * d + 1
                          : a * (d * d * d - 5 * d * d + 8 * d - 4);
    all.push_back({inside(low + k), w});
  }
  return all;
}

// The taps of each axis, weighed together.
Answer interpolate(const Call& call) {
  const Array& x = call.in[0].array;
  const size_t n = x.shape.size() - 2;
  const Shape size = spatial(call, "size", n, 1);
  const std::string mode = call.str("mode", "nearest");
  const double scales[] = {call.f64("scale_d", 0), call.f64("scale_h", 0), call.f64("scale_w", 0)};
  Shape shape = x.shape;
  for (size_t i = 0; i < n; ++i) shape[i + 2] = size[i];
  Expected e{Array{x.dtype, shape, {}, {}}, {}, true};
  each_index(shape, [&](const Shape& at) {
    std::vector<std::vector<Tap>> axes;
    Shape counts;
    for (size_t i = 0; i < n; ++i) {
      axes.push_back(taps(mode, x.shape[i + 2], shape[i + 2], at[i + 2],
                          call.i64("align_corners", 0) != 0, scales[3 - n + i]));
      counts.push_back(static_cast<int64_t>(axes.back().size()));
    }
    Real value = 0, most = 0;
    each_index(counts, [&](const Shape& k) {
      Shape from{at[0], at[1]};
      Real weight = 1;
      for (size_t i = 0; i < n; ++i) {
        const Tap& tap = axes[i][static_cast<size_t>(k[i])];
        from.push_back(tap.from);
        weight *= tap.weight;
      }
      value += weight * value_at(x, from);
      most = std::fmax(most, std::fabs(value_at(x, from)));
    });
    e.array.re.push_back(value);
    e.scale.push_back(mode.starts_with("nearest") ? 0 : most);
  });
  return {e};
}

// f(place in the columns, place in the image) of each tap of each window that lies in the image.
struct Windows {
  Shape kernel, dilation, padding, step, blocks;
};
Windows windows_of(const Call& call, const Shape& image) {
  Windows w{spatial(call, "kernel_size", 2, 1),
            spatial(call, "dilation", 2, 1),
            spatial(call, "padding", 2, 0),
            spatial(call, "stride", 2, 1),
            {}};
  for (size_t i = 0; i < 2; ++i)
    w.blocks.push_back(
        (image[i] + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1) / w.step[i] + 1);
  return w;
}
template <class F>
void each_tap(const Windows& w, const Shape& images, const F& f) {
  each_index(images, [&](const Shape& at) {
    each_index(Shape{w.kernel[0], w.kernel[1], w.blocks[0], w.blocks[1]}, [&](const Shape& k) {
      Shape place{at[0], at[1], k[2] * w.step[0] - w.padding[0] + k[0] * w.dilation[0],
                  k[3] * w.step[1] - w.padding[1] + k[1] * w.dilation[1]};
      f(Shape{at[0], (at[1] * w.kernel[0] + k[0]) * w.kernel[1] + k[1], k[2] * w.blocks[1] + k[3]},
        place);
    });
  });
}
bool lies_in(const Shape& place, const Shape& image) {
  return place[2] >= 0 && place[2] < image[2] && place[3] >= 0 && place[3] < image[3];
}
Answer im2col(const Call& call) {
  const Array x = batched(call.in[0].array, 2);
  const Windows w = windows_of(call, {x.shape[2], x.shape[3]});
  const Shape shape{x.shape[0], x.shape[1] * w.kernel[0] * w.kernel[1], w.blocks[0] * w.blocks[1]};
  Expected e{Array{x.dtype, shape, {}, {}}};
  e.array.re.resize(static_cast<size_t>(count_of(shape)));
  each_tap(w, {x.shape[0], x.shape[1]}, [&](const Shape& at, const Shape& place) {
    if (lies_in(place, x.shape)) e.array.re[place_of(shape, at)] = value_at(x, place);
  });
  drop_batch(e, call, 2);
  return {e};
}
Answer col2im(const Call& call) {
  Array x = call.in[0].array;
  const bool single = x.shape.size() == 2;
  if (single) x.shape.insert(x.shape.begin(), 1);
  const Shape size = spatial(call, "output_size", 2, 1);
  const Windows w = windows_of(call, size);
  const Shape shape{x.shape[0], x.shape[1] / (w.kernel[0] * w.kernel[1]), size[0], size[1]};
  Expected e{Array{x.dtype, shape, {}, {}}, {}, true};
  std::vector<Sum> sums(static_cast<size_t>(count_of(shape)));
  each_tap(w, {shape[0], shape[1]}, [&](const Shape& at, const Shape& place) {
    if (!lies_in(place, shape)) return;
    Sum& s = sums[place_of(shape, place)];
    s.value += value_at(x, at), s.size += std::fabs(value_at(x, at)),
        s.word += to_bits(value_at(x, at));
  });
  for (const Sum& s : sums) {
    e.array.re.push_back(is_float(x.dtype)  ? s.value
                         : is_bool(x.dtype) ? s.size != 0
                                            : from_bits(s.word, x.dtype));
    e.scale.push_back(s.size);
  }
  if (single) e.array.shape.erase(e.array.shape.begin());
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
    {"interpolate_v2", Family::kComposed, kFloats, interpolate},
    {"im2col", Family::kComposed, kReals, im2col},
    {"col2im", Family::kComposed, kReals, col2im},
};

}  // namespace
}  // namespace window_specs

std::span<const Spec> window_oracles() { return window_specs::kSpecs; }

}  // namespace conformance
