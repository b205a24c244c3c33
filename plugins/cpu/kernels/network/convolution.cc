// SPDX-License-Identifier: Apache-2.0
// convolution.cc: convolutions of f32 and f64 over one to three dims, and their gradients. A block
// of output places is laid out as the columns of a matrix (all taps of all channels of a group: the
// "im2col" of Chellapilla et al., 2006), straight into the strips that the tile of gemm_blocked.h
// reads, so that the product packs nothing again. Blocks fit the second-level cache; threads share
// images, groups and blocks of places.
//
// Sums over images (the weight's gradient) are cut into parts by their number alone and added in
// order: the result does not depend on the number of threads.
#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "kernels/linalg/gemm_blocked.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int kDims = 3;
constexpr int64_t kBlockBytes = 192 * 1024;  // of laid out columns
// At most so many parts are made of the images that a weight's gradient is summed over.
constexpr int64_t kMaxParts = 16;
constexpr int64_t kDepth = 256;       // of a product's inner dim at a time
constexpr int64_t kTileHeight = 192;  // rows of a at a time

// Sizes, with ones in front for the dims that are not there.
struct Geometry {
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
};

// How many elements a copy of whole chunks may read and write beyond its end.
constexpr int64_t kSlack = 16;

// An image's channels of one group with zeros around them, as far as windows reach.
template <class T>
struct Padded {
  int64_t size[kDims], plane, planes;

  explicit Padded(const Geometry& g) : plane(1), planes(g.channels) {
    for (int d = 0; d < kDims; ++d) {
      size[d] = (g.out[d] - 1) * g.step[d] + g.dilation[d] * (g.kernel[d] - 1) + 1;
      plane *= size[d];
    }
  }
  int64_t items() const { return planes * plane + kSlack; }

  void fill(const Geometry& g, const T* image, T* to) const {
    for (int64_t i = 0; i < items(); ++i) to[i] = T(0);
    const auto kept = [&](int d) { return smaller(g.in[d], size[d] - g.padding[d]); };
    const int64_t width = kept(2),
                  corner = (g.padding[0] * size[1] + g.padding[1]) * size[2] + g.padding[2];
    for (int64_t c = 0; c < planes; ++c)
      for (int64_t z = 0; z < kept(0); ++z)
        for (int64_t y = 0; y < kept(1); ++y) {
          const T* from = image + ((c * g.in[0] + z) * g.in[1] + y) * g.in[2];
          T* row = to + c * plane + corner + (z * size[1] + y) * size[2];
          for (int64_t x = 0; x < width; ++x) row[x] = from[x];
        }
  }
  // Copies what of the padded image is the image's; where no window reaches, it becomes 0.
  void take(const Geometry& g, const T* from, T* image) const {
    const int64_t corner = (g.padding[0] * size[1] + g.padding[1]) * size[2] + g.padding[2];
    for (int64_t c = 0; c < planes; ++c)
      for (int64_t z = 0; z < g.in[0]; ++z)
        for (int64_t y = 0; y < g.in[1]; ++y, image += g.in[2]) {
          const bool inside = z + g.padding[0] < size[0] && y + g.padding[1] < size[1];
          const T* row = from + c * plane + corner + (z * size[1] + y) * size[2];
          for (int64_t x = 0; x < g.in[2]; ++x)
            image[x] = inside && x + g.padding[2] < size[2] ? row[x] : T(0);
        }
  }
  // Writes where each tap of each channel reads, counted from where the window begins.
  void offsets(const Geometry& g, int64_t* to) const {
    for (int64_t c = 0; c < planes; ++c)
      for (int64_t z = 0; z < g.kernel[0]; ++z)
        for (int64_t y = 0; y < g.kernel[1]; ++y)
          for (int64_t x = 0; x < g.kernel[2]; ++x)
            *to++ = c * plane + (z * g.dilation[0] * size[1] + y * g.dilation[1]) * size[2] +
                    x * g.dilation[2];
  }
};

// Places [begin, begin + count), by the rows of the output in which they lie.
struct Rows {
  struct Row {
    int64_t at, count, from;  // the first place; from: where its window begins
  };
  Row row[kDepth];
  int64_t n = 0, step;

  template <class T>
  Rows(const Geometry& g, const Padded<T>& p, int64_t begin, int64_t count) : step(g.step[2]) {
    int64_t x = begin % g.out[2], y = begin / g.out[2];
    for (int64_t at = 0; at < count; x = 0, ++y) {
      const int64_t length = smaller(g.out[2] - x, count - at);
      row[n++] = {
          at, length,
          (y / g.out[1] * g.step[0] * p.size[1] + y % g.out[1] * g.step[1]) * p.size[2] + x * step};
      at += length;
    }
  }
  // Writes up to kSlack elements too many; what belongs there is written afterwards.
  template <class T>
  void lay_out(const T* tap, T* to) const {
    constexpr int64_t kChunk = 64 / sizeof(T);
    static_assert(kChunk <= kSlack);
    for (int64_t r = 0; r < n; ++r) {
      const T* from = tap + row[r].from;
      T* out = to + row[r].at;
      if (step == 1)
        for (int64_t i = 0; i < row[r].count; i += kChunk)
          __builtin_memcpy(out + i, from + i, sizeof(T) * kChunk);
      else
        for (int64_t i = 0; i < row[r].count; ++i) out[i] = from[i * step];
    }
  }
};

// Packs `depth` taps of places [begin, begin + n), in strips as pack_b makes them.
template <class T>
void pack_taps(const Geometry& g, const Padded<T>& p, const T* image, const int64_t* taps,
               int64_t depth, int64_t begin, int64_t n, T* to) {
  constexpr int64_t kWidth = kTileColumns<T>;
  for (int64_t j = 0; j < n; j += kWidth, to += kWidth * depth) {
    const int64_t width = smaller(n - j, kWidth);
    const Rows rows(g, p, begin + j, width);
    for (int64_t k = 0; k < depth; ++k) {
      T* line = to + k * kWidth;
      rows.lay_out(image + taps[k], line);
      for (int64_t q = width; q < kWidth; ++q) line[q] = T(0);
    }
  }
}

// c = a b, or c += a b, for packed a [m, depth] and b, by rows that stay in the cache.
template <class T>
void multiply_rows_of(const T* a, const T* b, int64_t m, int64_t n, int64_t depth,
                      const Target<T>& to) {
  for (int64_t i = 0; i < m; i += kTileHeight)
    multiply_packed<T>(a + i * depth, b, smaller(kTileHeight, m - i), n, depth,
                       {to.c + i * to.c_r, to.c_r, to.c_c, to.add});
}

// Packs a [m, k] with any strides, cut into depths: [k / kDepth][m][depth].
template <class T>
void pack_depths(const T* a, int64_t a_r, int64_t a_c, int64_t m, int64_t k, T* to) {
  for (int64_t q = 0; q < k; q += kDepth) {
    const int64_t depth = smaller(kDepth, k - q);
    pack_a(a + q * a_c, a_r, a_c, m, depth, to + q * m);
  }
}

// How many places of `rows` elements each kBlockBytes hold, in whole strips.
template <class T>
int64_t block_of(int64_t rows, int64_t places) {
  const int64_t fit = kBlockBytes / (static_cast<int64_t>(sizeof(T)) * smaller(rows, kDepth));
  const int64_t strips = fit / kTileColumns<T> > 0 ? fit / kTileColumns<T> : 1;
  return smaller(round_up(places, kTileColumns<T>), strips * kTileColumns<T>);
}

// A task is worth a thread from so many multiplications on.
constexpr double kThreadWork = 1 << 17;
int64_t grain(double work) { return static_cast<int64_t>(kThreadWork / (work + 1)) + 1; }

template <class T>
bool any_empty(const bp_launch& l, int32_t args, T* out, int64_t n) {
  bool empty = false;
  for (int32_t i = 0; i < args; ++i)
    for (int32_t d = 0; d < l.args[i].rank; ++d) empty |= l.args[i].shape[d] == 0;
  if (empty)
    for (int64_t i = 0; i < n; ++i) out[i] = T(0);
  return empty;
}
int64_t numel(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d) n *= a.shape[d];
  return n;
}

// Threads can fail for want of memory only.
bp_status finish(const bp_launch& l, bool exhausted, uint64_t bytes, bp_error** err) {
  return exhausted ? Scratch(l, bytes).fail(err) : BP_OK;
}

// Computes out[image, filter, place] for weights [groups][filters, taps].
template <class T>
bp_status convolve(const bp_launch& launch, const Geometry& g, const T* in, const T* weight, T* out,
                   bp_error** err) {
  const Padded<T> padded(g);
  const int64_t taps = g.taps(), places = g.places(), block = block_of<T>(taps, places),
                blocks = (places + block - 1) / block;
  const Scratch shared(launch, static_cast<uint64_t>(taps) * sizeof(int64_t) +
                                   static_cast<uint64_t>(g.groups * g.filters * taps) * sizeof(T));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  T* a = reinterpret_cast<T*>(offsets + taps);
  padded.offsets(g, offsets);
  for (int64_t i = 0; i < g.groups; ++i)
    pack_depths(weight + i * g.filters * taps, taps, 1, g.filters, taps, a + i * g.filters * taps);
  const int64_t b_items = block * smaller(taps, kDepth) + kSlack;
  const uint64_t bytes = static_cast<uint64_t>(b_items + padded.items()) * sizeof(T);
  bool exhausted = false;
  const double work =
      static_cast<double>(block) * static_cast<double>(taps) * static_cast<double>(g.filters);
  parallel_for(g.images * g.groups * blocks, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(launch, bytes);
    T* b = scratch.as<T>();
    if (!b) {
      __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
      return;
    }
    T* image = b + b_items;
    int64_t filled = -1;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t slice = i / blocks, first = i % blocks * block,
                    n = smaller(block, places - first);
      if (slice != filled) padded.fill(g, in + slice * g.channels * g.pixels(), image);
      filled = slice;
      T* c = out + slice * g.filters * places + first;
      for (int64_t q = 0; q < taps; q += kDepth) {
        const int64_t depth = smaller(kDepth, taps - q);
        pack_taps(g, padded, image, offsets + q, depth, first, n, b);
        multiply_rows_of<T>(a + slice % g.groups * g.filters * taps + q * g.filters, b, g.filters,
                            n, depth, {c, places, 1, q > 0});
      }
    }
  });
  return finish(launch, exhausted, bytes, err);
}

template <class T>
bp_status forward(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &w = launch->args[1], &y = launch->args[2];
  T* out = static_cast<T*>(y.data);
  if (any_empty(*launch, 2, out, numel(y))) return BP_OK;
  const Geometry g(*launch, x.shape, w.shape, y.shape, x.rank);
  return convolve<T>(*launch, g, static_cast<const T*>(x.data), static_cast<const T*>(w.data), out,
                     err);
}

// With steps of 1 the gradient is a convolution of the result's gradient with the kernels back to
// front, channels and filters exchanged.
template <class T>
bp_status turned_round(const bp_launch& launch, const Geometry& g, const T* grad, const T* weight,
                       T* out, bp_error** err) {
  Geometry t = g;
  t.channels = g.filters, t.filters = g.channels;
  int64_t kernel = 1;
  for (int d = 0; d < kDims; ++d) {
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
  return convolve<T>(launch, t, grad, w, out, err);
}
bool may_turn_round(const Geometry& g) {
  for (int d = 0; d < kDims; ++d)
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
      for (int64_t p = 0; p < padded.items(); ++p) image[p] = T(0);
      const T* mine = from + i * g.filters * places;
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
            for (int64_t j = 0; j < rows.row[r].count; ++j) to[j * rows.step] += c[j];
          }
      }
      padded.take(g, image, out + i * g.channels * g.pixels());
    }
  });
  return finish(*launch, exhausted, bytes, err);
}

// [taps, filters] += taps [taps, n] grad^T [n, filters], over the blocks of a part's images; then
// the parts are added up.
template <class T>
bp_status weight_grad(const bp_launch* launch, bp_error** err) {
  const bp_arg &grad = launch->args[0], &x = launch->args[1], &dw = launch->args[2];
  T* out = static_cast<T*>(dw.data);
  if (any_empty(*launch, 2, out, numel(dw))) return BP_OK;
  const Geometry g(*launch, x.shape, dw.shape, grad.shape, x.rank);
  const Padded<T> padded(g);
  const T *from = static_cast<const T*>(grad.data), *in = static_cast<const T*>(x.data);
  const int64_t taps = g.taps(), places = g.places(), block = smaller(places, kDepth),
                width = round_up(g.filters, kTileColumns<T>);
  const int64_t parts = smaller(g.images, kMaxParts), size = taps * g.filters;
  const Scratch shared(*launch, static_cast<uint64_t>(taps) * sizeof(int64_t) +
                                    static_cast<uint64_t>(parts * g.groups * size) * sizeof(T));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  T* all = reinterpret_cast<T*>(offsets + taps);
  padded.offsets(g, offsets);
  const int64_t a_items = block * smaller(taps, kTileHeight) + kSlack;
  const uint64_t bytes =
      static_cast<uint64_t>(block * width + a_items + padded.items()) * sizeof(T);
  bool exhausted = false;
  const double work = static_cast<double>(g.images) / static_cast<double>(parts) *
                      static_cast<double>(places) * static_cast<double>(size);
  parallel_for(parts * g.groups, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(*launch, bytes);
    T* b = scratch.as<T>();
    if (!b) {
      __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
      return;
    }
    T *a = b + block * width, *image = a + a_items;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i / g.groups, group = i % g.groups;
      const int64_t from_image = part * g.images / parts, to_image = (part + 1) * g.images / parts;
      T* c = all + i * size;
      for (int64_t at = from_image; at < to_image; ++at) {
        const int64_t slice = at * g.groups + group;
        padded.fill(g, in + slice * g.channels * g.pixels(), image);
        for (int64_t first = 0; first < places; first += block) {
          const int64_t n = smaller(block, places - first);
          const Rows rows(g, padded, first, n);
          pack_b(from + slice * g.filters * places + first, 1, places, n, g.filters, b);
          for (int64_t k = 0; k < taps; k += kTileHeight) {
            const int64_t height = smaller(kTileHeight, taps - k);
            for (int64_t r = 0; r < height; ++r) rows.lay_out(image + offsets[k + r], a + r * n);
            multiply_packed<T>(a, b, height, g.filters, n,
                               {c + k * g.filters, g.filters, 1, at > from_image || first > 0});
          }
        }
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

template <class T>
void add_for(Registry& r, bp_dtype dtype) {
  r.add(BP_OP_CONVOLUTION, bit(dtype), forward<T>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_INPUT_GRAD, bit(dtype), input_grad<T>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_CONVOLUTION_WEIGHT_GRAD, bit(dtype), weight_grad<T>, BP_KERNEL_CONTIGUOUS);
}

}  // namespace

void add_convolution(Registry& r) {
  add_for<float>(r, BP_F32);
  add_for<double>(r, BP_F64);
}

}  // namespace bp_cpu::BP_ISA
