// SPDX-License-Identifier: Apache-2.0
// matmul.cu: products of matrices, batches of any rank. What the vendor's BLAS takes goes there
// (blas.h); the rest:
//   Tiles   a block makes tiles of c; slabs of a and b pass through shared memory, each thread keeps 4x4 sums
//   Lanes   c is narrow or small, so that tiles would be empty for the most part: 16 lanes share a sum
// The order of each sum is given by k alone.
#include "gpu/blas.h"
#include "gpu/kernel.h"
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

template <class T>
struct Matrices {
  const T *a, *b;
  T* c;
};

template <class T>
struct Product : ProductShape {
  Matrices<T> first;

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
          c[(row + i) * p.c_r + (column + j) * p.c_c] = convert<T>(sums[i][j]);
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
    p.batch(o / p.n / p.m).c[o / p.n % p.m * p.c_r + o % p.n * p.c_c] = convert<T>(sum);
  }
};

// ---- launches ----

constexpr int64_t kMostBlocks = 1 << 16;
constexpr int64_t blocks(int64_t n) { return n < kMostBlocks ? n : kMostBlocks; }

template <class T>
bp_status multiply(const bp_launch& l, bp_error** err) {
  const Product<T> p{product_shape(l),
                     {static_cast<const T*>(l.args[kA].data),
                      static_cast<const T*>(l.args[kB].data), static_cast<T*>(l.args[kC].data)}};
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

bp_status run_matmul(const bp_launch& l, bp_error** err) {
  if (numel(l.args[kC]) == 0) return BP_OK;
  const bp_status by_blas = multiply_with_blas(l, err);
  if (by_blas != BP_UNSUPPORTED) return by_blas;
  return with_type_of<kMatmulDtypes>(l.args[0].dtype,
                                     [&](auto t) { return multiply<Word<decltype(t)>>(l, err); });
}

}  // namespace

void add_matmul(Registry& r) { r.add(BP_OP_MATMUL, kMatmulDtypes, entry<run_matmul>); }

}  // namespace bp_gpu
