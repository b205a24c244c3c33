// SPDX-License-Identifier: Apache-2.0
// convolution.cc: convolutions over one to three dims, and their gradients: by the products of
// columns.h, or where groups have few filters by direct.h. Halves are computed in f32 and rounded
// once, forwards by pairs of bf16 where the machine multiplies these.
//
// Sums over images (the weight's gradient) are cut into parts by their number alone and added in
// order: the result does not depend on the number of threads.
#include "kernels/network/columns.h"
#include "kernels/network/direct.h"
#include "kernels/network/weight_sums.h"

namespace bp_cpu::BP_ISA {
namespace {

// At most so many parts are made of the images that a weight's gradient is summed over.
constexpr int64_t kMaxParts = 16;

template <class T>
bool any_empty(const bp_launch& l, int32_t args, T* out, int64_t n) {
  bool empty = false;
  for (int32_t i = 0; i < args; ++i)
    for (int32_t d = 0; d < l.args[i].rank; ++d) empty |= l.args[i].shape[d] == 0;
  if (empty)
    for (int64_t i = 0; i < n; ++i) out[i] = T{};
  return empty;
}
int64_t numel(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d) n *= a.shape[d];
  return n;
}

// Calls f(at, count) for blocks of [0, n), on all threads.
template <class F>
void each_block(int64_t n, const F& f) {
  parallel_for(n, 1 << 16, [&](int64_t begin, int64_t end) { f(begin, end - begin); });
}

template <class T>
bp_status convolve_either(const bp_launch& launch, const Geometry& g, const T* in, const T* weight,
                          T* out, bp_error** err) {
  if (suits_direct<T>(g)) return convolve_directly<T>(launch, g, in, weight, out, err);
  return convolve<T, MultiplyAdd>(launch, g, in, weight, out, err);
}

template <class T>
bp_status forward(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &w = launch->args[1], &y = launch->args[2];
  T* out = static_cast<T*>(y.data);
  if (any_empty(*launch, 2, out, numel(y))) return BP_OK;
  const Geometry g(*launch, x.shape, w.shape, y.shape, x.rank);
  return convolve_either<T>(*launch, g, static_cast<const T*>(x.data),
                            static_cast<const T*>(w.data), out, err);
}

// With steps of 1 the gradient is a convolution of the result's gradient with the kernels back to
// front, channels and filters exchanged.
template <class T>
bp_status turned_round(const bp_launch& launch, const Geometry& g, const T* grad, const T* weight,
                       T* out, bp_error** err) {
  Geometry t = g;
  t.channels = g.filters, t.filters = g.channels;
  int64_t kernel = 1;
  for (int d = 0; d < Geometry::kDims; ++d) {
    t.in[d] = g.out[d], t.out[d] = g.in[d];
    t.padding[d] = g.dilation[d] * (g.kernel[d] - 1) - g.padding[d];
    kernel *= g.kernel[d];
  }
  const Scratch scratch(launch, static_cast<uint64_t>(g.groups * g.filters * g.taps()) * sizeof(T));
  T* w = scratch.as<T>();
  if (!w) return scratch.fail(err);
  for (int64_t i = 0; i < g.groups; ++i)
    for (int64_t f = 0; f < g.filters; ++f)
      for (int64_t c = 0; c < g.channels; ++c) {
        const T* from = weight + ((i * g.filters + f) * g.channels + c) * kernel;
        T* to = w + ((i * g.channels + c) * g.filters + f) * kernel;
        for (int64_t k = 0; k < kernel; ++k) to[k] = from[kernel - 1 - k];
      }
  return convolve_either<T>(launch, t, grad, w, out, err);
}
bool may_turn_round(const Geometry& g) {
  for (int d = 0; d < Geometry::kDims; ++d)
    if (g.step[d] != 1 || g.dilation[d] * (g.kernel[d] - 1) < g.padding[d]) return false;
  return true;
}

// Otherwise the taps' gradients [taps, n] of a block of places are added to where the taps read in
// the padded image, whose inner part is the result. One thread takes a group of an image.
template <class T>
bp_status input_grad(const bp_launch* launch, bp_error** err) {
  const bp_arg &grad = launch->args[0], &w = launch->args[1], &dx = launch->args[2];
  T* out = static_cast<T*>(dx.data);
  if (any_empty(*launch, 2, out, numel(dx))) return BP_OK;
  const Geometry g(*launch, dx.shape, w.shape, grad.shape, dx.rank);
  const T *from = static_cast<const T*>(grad.data), *weight = static_cast<const T*>(w.data);
  if (may_turn_round(g)) return turned_round<T>(*launch, g, from, weight, out, err);
  const Padded<T> padded(g);
  const int64_t taps = g.taps(), places = g.places(), block = smaller(places, kDepth);
  const Scratch shared(*launch, static_cast<uint64_t>(taps) * sizeof(int64_t) +
                                    static_cast<uint64_t>(g.groups * g.filters * taps) * sizeof(T));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  T* a = reinterpret_cast<T*>(offsets + taps);
  padded.offsets(g, offsets);
  for (int64_t i = 0; i < g.groups; ++i)
    pack_depths(weight + i * g.filters * taps, 1, taps, taps, g.filters, a + i * g.filters * taps);
  const int64_t b_items = round_up(block, kTileColumns<T>) * smaller(g.filters, kDepth);
  const uint64_t bytes = static_cast<uint64_t>(b_items + taps * block + padded.items()) * sizeof(T);
  bool exhausted = false;
  const double work =
      static_cast<double>(places) * static_cast<double>(taps) * static_cast<double>(g.filters);
  parallel_for(g.images * g.groups, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(*launch, bytes);
    T* b = scratch.as<T>();
    if (!b) {
      __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
      return;
    }
    T *columns = b + b_items, *image = columns + taps * block;
    for (int64_t i = begin; i < end; ++i) {
      const T* mine = from + i * g.filters * places;
      if (g.filters == 1) {
        spread_taps(g, padded, offsets, weight + i % g.groups * taps, mine, image);
        padded.take(g, image, out + i * g.channels * g.pixels());
        continue;
      }
      for (int64_t p = 0; p < padded.items(); ++p) image[p] = T(0);
      for (int64_t first = 0; first < places; first += block) {
        const int64_t n = smaller(block, places - first);
        for (int64_t q = 0; q < g.filters; q += kDepth) {
          const int64_t depth = smaller(kDepth, g.filters - q);
          pack_b(mine + q * places + first, places, 1, depth, n, b);
          multiply_rows_of<T>(a + i % g.groups * g.filters * taps + q * taps, b, taps, n, depth,
                              {columns, n, 1, q > 0});
        }
        const Rows rows(g, padded, first, n);
        for (int64_t k = 0; k < taps; ++k)
          for (int64_t r = 0; r < rows.n; ++r) {
            const T* c = columns + k * n + rows.row[r].at;
            T* to = image + offsets[k] + rows.row[r].from;
            for (int64_t j = 0; j < rows.row[r].count; ++j) to[j] += c[j];
          }
      }
      padded.take(g, image, out + i * g.channels * g.pixels());
    }
  });
  return finish(*launch, exhausted, bytes, err);
}

// Each part of the images has sums of its own, [taps, filters], which are added up at the end.
template <class T>
bp_status weight_grad(const bp_launch* launch, bp_error** err) {
  const bp_arg &grad = launch->args[0], &x = launch->args[1], &dw = launch->args[2];
  T* out = static_cast<T*>(dw.data);
  if (any_empty(*launch, 2, out, numel(dw))) return BP_OK;
  const Geometry g(*launch, x.shape, dw.shape, grad.shape, x.rank);
  const Padded<T> padded(g);
  const T *from = static_cast<const T*>(grad.data), *in = static_cast<const T*>(x.data);
  const int64_t taps = g.taps(), places = g.places(), parts = smaller(g.images, kMaxParts),
                size = taps * g.filters;
  const Scratch shared(*launch, static_cast<uint64_t>(taps) * sizeof(int64_t) +
                                    static_cast<uint64_t>(parts * g.groups * size) * sizeof(T));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  T* all = reinterpret_cast<T*>(offsets + taps);
  padded.offsets(g, offsets);
  const uint64_t bytes = static_cast<uint64_t>(sums_room<T>(g) + padded.items()) * sizeof(T);
  bool exhausted = false;
  const double work = static_cast<double>(g.images) / static_cast<double>(parts) *
                      static_cast<double>(places) * static_cast<double>(size);
  parallel_for(parts * g.groups, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(*launch, bytes);
    T* room = scratch.as<T>();
    if (!room) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    T* image = room + sums_room<T>(g);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i / g.groups, group = i % g.groups;
      const int64_t from_image = part * g.images / parts, to_image = (part + 1) * g.images / parts;
      T* c = all + i * size;
      for (int64_t at = from_image; at < to_image; ++at) {
        const int64_t slice = at * g.groups + group;
        padded.fill(g, in + slice * g.channels * g.pixels(), image);
        add_weight_sums(g, padded, image, offsets, from + slice * g.filters * places,
                        at > from_image, room, c);
      }
    }
  });
  if (exhausted) return finish(*launch, true, bytes, err);
  parallel_for(g.groups * taps, 4096 / (parts * g.filters) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / taps, k = i % taps;
      for (int64_t f = 0; f < g.filters; ++f) {
        T sum = all[group * size + k * g.filters + f];
        for (int64_t p = 1; p < parts; ++p)
          sum += all[(p * g.groups + group) * size + k * g.filters + f];
        out[(group * g.filters + f) * taps + k] = sum;
      }
    }
  });
  return BP_OK;
}

// ---- halves ----

// Runs the kernel of f32 on copies of the operands.
template <class S, bp_status (*kRun)(const bp_launch*, bp_error**)>
bp_status widened(const bp_launch* launch, bp_error** err) {
  constexpr int kArgs = 3;
  bp_arg args[kArgs];
  int64_t all = 0;
  for (int i = 0; i < kArgs; ++i) all += numel(launch->args[i]);
  const Scratch scratch(*launch, static_cast<uint64_t>(all) * sizeof(float));
  float* lanes = scratch.as<float>();
  if (!lanes) return scratch.fail(err);
  for (int i = 0; i < kArgs; ++i) {
    args[i] = launch->args[i];
    args[i].data = lanes, args[i].dtype = BP_F32;
    const int64_t n = numel(args[i]);
    if (i + 1 < kArgs)
      each_block(n, [&, i](int64_t at, int64_t count) {
        load_narrow<S>(lanes + at, static_cast<const S*>(launch->args[i].data) + at, count);
      });
    lanes += n;
  }
  bp_launch wide = *launch;
  wide.args = args;
  const bp_status status = kRun(&wide, err);
  if (status != BP_OK) return status;
  const bp_arg& out = launch->args[kArgs - 1];
  const float* from = static_cast<const float*>(args[kArgs - 1].data);
  each_block(numel(out), [&](int64_t at, int64_t count) {
    store_narrow<S>(static_cast<S*>(out.data) + at, from + at, count);
  });
  return BP_OK;
}

#if defined(__AVX512F__)
// Two channels of bf16 become one of pairs; to an odd one out belong zeros.
void pair_channels(const BF16* from, int64_t slices, int64_t channels, int64_t plane, float* to) {
  const int64_t pairs = (channels + 1) / 2;
  parallel_for(slices * pairs, (1 << 15) / plane + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % pairs * 2;
      const BF16 *low = from + (i / pairs * channels + c) * plane, *high = low + plane;
      float* out = to + i * plane;
      if (c + 1 < channels)
        for (int64_t x = 0; x < plane; ++x) out[x] = pair_of(low[x], high[x]);
      else
        for (int64_t x = 0; x < plane; ++x) out[x] = pair_of(low[x], BF16{});
    }
  });
}
bool suits_pairs(const bp_arg& x, const bp_arg& w) {
  const auto least = [](const bp_arg& a) {
    return least_exponent(static_cast<const BF16*>(a.data), 1, 0, numel(a), 1);
  };
  return multiplies_bf16() && stays_normal(least(x), least(w));
}
bp_status convolve_pairs(const bp_launch& launch, const Geometry& g, bp_error** err) {
  Geometry paired = g;
  paired.channels = (g.channels + 1) / 2;
  const int64_t kernel = g.taps() / g.channels, slices = g.images * g.groups,
                x_items = slices * paired.channels * g.pixels();
  const Scratch scratch(
      launch,
      static_cast<uint64_t>(x_items + g.groups * g.filters * paired.taps()) * sizeof(float));
  float* x = scratch.as<float>();
  if (!x) return scratch.fail(err);
  float* w = x + x_items;
  pair_channels(static_cast<const BF16*>(launch.args[0].data), slices, g.channels, g.pixels(), x);
  pair_channels(static_cast<const BF16*>(launch.args[1].data), g.groups * g.filters, g.channels,
                kernel, w);
  return convolve<float, PairStep>(launch, paired, x, w, static_cast<BF16*>(launch.args[2].data),
                                   err);
}
#endif

bp_status forward_bf16(const bp_launch* launch, bp_error** err) {
#if defined(__AVX512F__)
  const bp_arg &x = launch->args[0], &w = launch->args[1], &y = launch->args[2];
  if (any_empty(*launch, 2, static_cast<BF16*>(y.data), numel(y))) return BP_OK;
  const Geometry g(*launch, x.shape, w.shape, y.shape, x.rank);
  constexpr int64_t kFew = 8;  // filters, for which pairs are not worth it
  if (g.filters >= kFew && g.channels > 1 && suits_pairs(x, w))
    return convolve_pairs(*launch, g, err);
#endif
  return widened<BF16, forward<float>>(launch, err);
}

template <class T>
void add_for(Registry& r, bp_dtype dtype) {
  r.add(BP_OP_CONVOLUTION, bit(dtype), forward<T>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_INPUT_GRAD, bit(dtype), input_grad<T>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_WEIGHT_GRAD, bit(dtype), weight_grad<T>, BP_KERNEL_CONTIGUOUS);
}
template <class S>
void add_half(Registry& r, bp_dtype dtype, Run run_forward) {
  r.add(BP_OP_CONVOLUTION, bit(dtype), run_forward, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_INPUT_GRAD, bit(dtype), widened<S, input_grad<float>>,
        BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_WEIGHT_GRAD, bit(dtype), widened<S, weight_grad<float>>,
        BP_KERNEL_CONTIGUOUS);
}

}  // namespace

void add_convolution(Registry& r) {
  add_for<float>(r, BP_F32);
  add_for<double>(r, BP_F64);
  add_half<F16>(r, BP_F16, widened<F16, forward<float>>);
  add_half<BF16>(r, BP_BF16, forward_bf16);
}

}  // namespace bp_cpu::BP_ISA
