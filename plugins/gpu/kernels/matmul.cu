// SPDX-License-Identifier: Apache-2.0
// matmul.cu: products of matrices, batches of any rank, and those with a bias and an activation
// behind them. What the vendor's libraries take goes there (blas.h); the rest:
//   Tiles   a block makes tiles of c; slabs of a and b pass through shared memory, each thread keeps 4x4 sums
//   Lanes   c is narrow or small, so that tiles would be empty for the most part: 16 lanes share a sum
// The order of each sum is given by k alone.
#include <algorithm>
#include <cstring>

#include "gpu/blas.h"
#include "gpu/kernel.h"
#include "gpu/plugin.h"
#include "gpu/product.h"
#include "gpu/tiles.h"

namespace bp_gpu {
namespace {

// The type of sums: f32 for halves, and for integers one that wraps as the narrow ones would.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T> || std::is_same_v<T, Bool>,
                               std::conditional_t<(sizeof(T) < 8), uint32_t, uint64_t>, Calc<T>>;

// A sum of bools is whether any of them holds.
struct Any {
  GPU_FN uint32_t operator()(uint32_t x, uint32_t y) const { return x | y; }
};
template <class T>
using Add = std::conditional_t<std::is_same_v<T, Bool>, Any, PlusProduct>;

// What is done to a sum of the column before it is stored.
template <class T>
struct Behind {
  const T* bias = nullptr;  // nullptr: there is none
  int64_t step = 0;
  bool relu = false;

  GPU_FN T of(Sum<T> sum, int64_t column) const {
    if (bias) sum = Add<T>{}(sum, convert<Sum<T>>(bias[column * step]));
    const T y = convert<T>(sum);
    return relu && is_negative(y) ? T{} : y;
  }
  GPU_FN static bool is_negative(T y) {
    if constexpr (std::is_same_v<T, Bool>)
      return false;
    else if constexpr (std::is_integral_v<T>)  // words, which are unsigned, of signed integers
      return static_cast<std::make_signed_t<T>>(y) < 0;
    else
      return convert<Calc<T>>(y) < 0;
  }
};

template <class T>
struct Matrices {
  const T *a, *b;
  T* c;
};

template <class T>
struct Product : ProductShape {
  Matrices<T> first;
  Behind<T> behind;

  GPU_FN Matrices<T> batch(int64_t i) const {
    Matrices<T> at = first;
    for (int32_t d = n_dims - 1; d >= 0; --d) {
      const int64_t x = i % shape[d];
      i /= shape[d];
      at.a += x * strides[kA][d];
      at.b += x * strides[kB][d];
      at.c += x * strides[kC][d];
    }
    return at;
  }
};

// ---- tiles ----

template <class T>
struct Tiles {
  using S = Sum<T>;
  static constexpr int64_t kSharedBytes = kSlabs * sizeof(S);
  // Sums and packs of 8 bytes take more than 80 registers; each thread has 16 products under way
  // that do not wait for each other, so a quarter of the threads is enough.
  static constexpr int32_t kTogether = sizeof(S) == 8 ? 2 : 4;
  Product<T> p;

  GPU_FN void operator()(const Place& at) const {
    const Patches grid(at);
    const int64_t height = grid.height(), width = grid.width();
    const int64_t across = (p.n + width - 1) / width, down = (p.m + height - 1) / height;
    for (int64_t t = at.block(); t < across * down * p.batches; t += at.blocks())
      make(at, grid, p.batch(t / across / down), t / across % down * height, t % across * width);
  }

  GPU_FN void make(const Place& at, const Patches& grid, const Matrices<T>& x, int64_t row,
                   int64_t column) const {
    S sums[kSide][kSide] = {};
    const Side<T> a{x.a + row * p.a_r, p.m - row, p.k, p.a_r, p.a_c},
        b{x.b + column * p.b_c, p.n - column, p.k, p.b_c, p.b_r};
    multiply_tile(at, grid, a, b, at.shared<S>(), sums, Add<T>{});
    if (grid.busy) store(x.c, row + grid.i, column + grid.j, sums);
  }

  GPU_FN void store(T* c, int64_t row, int64_t column, const S (&sums)[kSide][kSide]) const {
    for (int32_t i = 0; i < kSide; ++i)
      for (int32_t j = 0; j < kSide; ++j)
        if (row + i < p.m && column + j < p.n)
          c[(row + i) * p.c_r + (column + j) * p.c_c] = p.behind.of(sums[i][j], column + j);
  }
};

// ---- lanes ----

constexpr int32_t kLanes = 16;  // of one sum: lane l adds the products l, l + 16, l + 32, ... of k
constexpr int32_t kSums = 16;   // at a time in a block

template <class T>
struct Lanes {
  using S = Sum<T>;
  static constexpr int64_t kSharedBytes = kSums * (kLanes + 1) * sizeof(S);
  static constexpr int32_t kTogether = 4;
  Product<T> p;
  bool deep;  // neighbouring threads take lanes of one sum, else sums of one lane

  GPU_FN void operator()(const Place& at) const {
    S* parts = at.shared<S>();
    const int64_t n = p.batches * p.m * p.n;
    for (int64_t first = at.block() * kSums; first < n; first += at.blocks() * kSums) {
      for (int32_t w = at.thread(); w < kSums * kLanes; w += at.threads()) {
        const int32_t sum = deep ? w / kLanes : w % kSums, lane = deep ? w % kLanes : w / kSums;
        if (first + sum < n) parts[sum * (kLanes + 1) + lane] = part(first + sum, lane);
      }
      at.barrier();
      for (int32_t sum = at.thread(); sum < kSums && first + sum < n; sum += at.threads())
        store(first + sum, parts + sum * (kLanes + 1));
      at.barrier();
    }
  }

  GPU_FN S part(int64_t o, int32_t lane) const {
    const Matrices<T> x = p.batch(o / p.n / p.m);
    const T* a = x.a + o / p.n % p.m * p.a_r;
    const T* b = x.b + o % p.n * p.b_c;
    S sum{};
    for (int64_t q = lane; q < p.k; q += kLanes)
      sum = Add<T>{}(sum, convert<S>(a[q * p.a_c]) * convert<S>(b[q * p.b_r]));
    return sum;
  }

  GPU_FN void store(int64_t o, const S* parts) const {
    S sum{};
    for (int32_t lane = 0; lane < kLanes; ++lane) sum = Add<T>{}(sum, parts[lane]);
    p.batch(o / p.n / p.m).c[o / p.n % p.m * p.c_r + o % p.n * p.c_c] = p.behind.of(sum, o % p.n);
  }
};

// ---- after a library's product ----

// A block has a row at a time.
template <class T>
struct Finish {
  Product<T> p;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t row = at.block(); row < p.batches * p.m; row += at.blocks()) {
      T* c = p.batch(row / p.m).c + row % p.m * p.c_r;
      for (int64_t j = at.thread(); j < p.n; j += at.threads())
        c[j * p.c_c] = p.behind.of(convert<Sum<T>>(c[j * p.c_c]), j);
    }
  }
};

struct NarrowBytes {
  const int32_t* sums;  // dense
  Product<int8_t> p;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t row = at.block(); row < p.batches * p.m; row += at.blocks()) {
      int8_t* c = p.batch(row / p.m).c + row % p.m * p.c_r;
      for (int64_t j = at.thread(); j < p.n; j += at.threads())
        c[j * p.c_c] = static_cast<int8_t>(sums[row * p.n + j]);
    }
  }
};

// ---- launches ----

constexpr int64_t kMostBlocks = 1 << 16;
constexpr int64_t blocks(int64_t n) { return n < kMostBlocks ? n : kMostBlocks; }

template <class T>
Product<T> product_of(const ProductShape& shape, const Factors& f, const Behind<T>& behind) {
  return {shape,
          {static_cast<const T*>(f.a), static_cast<const T*>(f.b), static_cast<T*>(f.c)},
          behind};
}

template <class T>
bp_status multiply(const bp_launch& l, const Product<T>& p, bp_error** err) {
  constexpr int64_t kNarrow = 8, kSmall = 32, kTile = kSide * kMostPatches;
  if (p.m <= kNarrow || p.n <= kNarrow || (p.m <= kSmall && p.n <= kSmall)) {
    // The larger operand decides.
    const bool deep = p.m > p.n ? p.a_c == 1 : p.b_c != 1;
    const int64_t n = (p.batches * p.m * p.n + kSums - 1) / kSums;
    return launch(l, {.blocks = blocks(n), .shared_bytes = Lanes<T>::kSharedBytes},
                  Lanes<T>{p, deep}, err);
  }
  const int64_t n = p.batches * ((p.m + kTile - 1) / kTile) * ((p.n + kTile - 1) / kTile);
  return launch(l, {.blocks = blocks(n), .shared_bytes = Tiles<T>::kSharedBytes}, Tiles<T>{p}, err);
}

constexpr uint64_t kMatmulDtypes = kReals | bit(BP_BOOL);

Factors factors(const bp_launch& l, const bp_arg& c) {
  return {l.args[kA].data, l.args[kB].data, c.data, c.dtype};
}

bp_status run_matmul(const bp_launch& l, bp_error** err) {
  if (numel(l.args[kC]) == 0) return BP_OK;
  const ProductShape p = product_shape(l);
  const Factors f = factors(l, l.args[kC]);
  const bp_status by_blas = multiply_with_blas(l, p, f, err);
  if (by_blas != BP_UNSUPPORTED) return by_blas;
  return with_type_of<kMatmulDtypes>(f.dtype, [&](auto t) {
    using T = Word<decltype(t)>;
    return multiply<T>(l, product_of<T>(p, f, {}), err);
  });
}

// ---- products of bytes, whose sums a library makes in the workspace ----

// Fewer sums are made sooner here; longer ones might not fit.
constexpr int64_t kLeastBytes = 32, kLongestBytes = int64_t{1} << 16;

uint64_t sum_bytes(const ProductShape& p) {
  return (static_cast<uint64_t>(p.batches * p.m * p.n) * sizeof(int32_t) + 255) & ~uint64_t{255};
}
bp_status multiply_bytes(const bp_launch& l, const ProductShape& p, FusedGemm* g, bp_error** err) {
  ProductShape to = p;  // dense sums
  to.c_r = p.n, to.c_c = 1;
  int64_t dense = p.m * p.n;
  for (int32_t d = p.n_dims - 1; d >= 0; dense *= p.shape[d], --d) to.strides[kC][d] = dense;
  Factors f = factors(l, l.args[kC]);
  f.c = l.workspace;
  const bool fits = std::min({p.m, p.n, p.k}) >= kLeastBytes && p.k <= kLongestBytes;
  return fits ? multiply_fused(l, to, f, g, err) : BP_UNSUPPORTED;
}

bp_status ask_bytes(const bp_launch* l, uint64_t* bytes, bp_error** err) {
  *bytes = 0;
  if (numel(l->args[kC]) == 0) return BP_OK;
  const ProductShape p = product_shape(*l);
  FusedGemm g{.asks = true};
  const bp_status status = multiply_bytes(*l, p, &g, err);
  if (status == BP_OK) *bytes = sum_bytes(p) + g.workspace_bytes;
  return status == BP_UNSUPPORTED ? BP_OK : status;
}

bp_status run_bytes(const bp_launch& l, bp_error** err) {
  if (l.workspace_bytes == 0) return run_matmul(l, err);
  const ProductShape p = product_shape(l);
  const uint64_t sums = sum_bytes(p);
  FusedGemm g{.workspace = static_cast<char*>(l.workspace) + sums,
              .workspace_bytes = l.workspace_bytes - sums};
  const bp_status status = multiply_bytes(l, p, &g, err);
  if (status == BP_UNSUPPORTED) return run_matmul(l, err);
  if (status != BP_OK) return status;
  return launch(l, {.blocks = blocks(p.batches * p.m)},
                NarrowBytes{static_cast<const int32_t*>(l.workspace),
                            product_of<int8_t>(p, factors(l, l.args[kC]), {})},
                err);
}

// ---- linear ----

enum LinearArgument { kInput, kWeight, kBias, kOutput };

bool has_relu(const bp_launch& l) {
  const bp_attr& a = l.attrs[BP_ATTR_LINEAR_ACTIVATION];
  return a.count == 4 && std::memcmp(a.value.str, "relu", 4) == 0;
}

// Without a bias and an activation it is for a BLAS alone, and where bias elements lie apart.
bp_status fuse_linear(const bp_launch& l, const ProductShape& p, FusedGemm* g, bp_error** err) {
  const bp_arg &bias = l.args[kBias], &out = l.args[kOutput];
  g->adds_bias = bias.kind == BP_ARG_TENSOR;
  g->relu = has_relu(l);
  g->bias = bias.data;
  if (!(g->adds_bias || g->relu) || !(kFloats >> out.dtype & 1) || out.dtype == BP_F64 ||
      (g->adds_bias && bias.shape[0] > 1 && bias.strides[0] != 1))
    return BP_UNSUPPORTED;
  return multiply_fused(l, p, factors(l, out), g, err);
}

bp_status ask_linear(const bp_launch* l, uint64_t* bytes, bp_error** err) {
  *bytes = 0;
  if (numel(l->args[kOutput]) == 0) return BP_OK;
  FusedGemm g{.asks = true};
  const bp_status status =
      fuse_linear(*l, linear_shape(l->args[kInput], l->args[kWeight], l->args[kOutput]), &g, err);
  *bytes = g.workspace_bytes;
  return status == BP_UNSUPPORTED ? BP_OK : status;
}

template <class T>
bp_status run_linear_of(const bp_launch& l, const ProductShape& shape, bp_error** err) {
  const Factors f = factors(l, l.args[kOutput]);
  const bp_arg& bias = l.args[kBias];
  Behind<T> behind{.relu = has_relu(l) && (kSigned | kFloats) >> f.dtype & 1};
  if (bias.kind == BP_ARG_TENSOR)
    behind.bias = static_cast<const T*>(bias.data), behind.step = bias.strides[0];
  const Product<T> p = product_of<T>(shape, f, behind);
  const bp_status status = multiply_with_blas(l, shape, f, err);
  if (status == BP_UNSUPPORTED) return multiply<T>(l, p, err);
  if (status != BP_OK || !(behind.bias || behind.relu)) return status;
  return launch(l, {.blocks = blocks(p.batches * p.m)}, Finish<T>{p}, err);
}

bp_status run_linear(const bp_launch& l, bp_error** err) {
  if (numel(l.args[kOutput]) == 0) return BP_OK;
  const ProductShape p = linear_shape(l.args[kInput], l.args[kWeight], l.args[kOutput]);
  FusedGemm g{.workspace = l.workspace, .workspace_bytes = l.workspace_bytes};
  const bp_status fused = fuse_linear(l, p, &g, err);
  if (fused != BP_UNSUPPORTED) return fused;
  return with_type_of<kMatmulDtypes>(
      l.args[kInput].dtype, [&](auto t) { return run_linear_of<Word<decltype(t)>>(l, p, err); });
}

}  // namespace

void add_matmul(Registry& r) {
  const bool has_library = vendor().fused_gemm;
  r.add(BP_OP_MATMUL, kMatmulDtypes & ~(has_library ? bit(BP_I8) : 0), entry<run_matmul>);
  if (has_library) r.add(BP_OP_MATMUL, bit(BP_I8), entry<run_bytes>, 0, ask_bytes);
  r.add(BP_OP_LINEAR, kMatmulDtypes, entry<run_linear>, BP_KERNEL_TAKES_NONE,
        has_library ? ask_linear : nullptr);
}

}  // namespace bp_gpu
