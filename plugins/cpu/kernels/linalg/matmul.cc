// SPDX-License-Identifier: Apache-2.0
// matmul.cc: which way a product of matrices takes, and what is done to one with a bias behind it.
//   k = 0                 zeros
//   m = 1 or n = 1        gemv.h
//   small                 multiply_small on the operands as they are (b packed on the stack when its columns are apart)
//   f32 from 10^6 on      oneDNN, f64 the BLAS, when they are there and the strides suit them
//   bf16                  gemm_pairs.h, where the processor and the operands suit it
//   everything else       multiply_blocked, c cut into one rectangle per thread
// Many small matrices of a batch are spread over the threads; few large ones run one after the
// other on all of them.
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "device/error.h"
#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/linalg/gemm_pairs.h"
#include "kernels/linalg/gemv.h"
#include "library/blas.h"
#include "library/onednn.h"

namespace bp_cpu::BP_ISA {
namespace {

// In multiplications; below, no library is called, because those need warming up.
constexpr int64_t kSmallWork = 100 * 100 * 100;
// Bytes of b that may be read again and again where they lie.
constexpr int64_t kSmallB = 32 * 1024;
constexpr int64_t kThreadWork = 1 << 17;    // multiplications that are worth a thread
constexpr int64_t kStackBytes = 16 * 1024;  // scratch memory that needs no allocation

template <class S>
constexpr bool kIsLane = std::is_same_v<S, Lane<S>>;

// ---- one matrix ----

template <class S>
Product<S> transposed(const Product<S>& p) {
  return {p.n, p.m, p.k, p.b, p.b_c, p.b_r, p.a, p.a_c, p.a_r, p.c, p.c_c, p.c_r};
}

// Sets strides over one element, which mean nothing; makes c's columns adjacent where its rows are.
template <class S>
Product<S> normalised(Product<S> p) {
  if (p.m == 1) p.a_r = p.k, p.c_r = p.n;
  if (p.n == 1) p.b_c = 1, p.c_c = 1;
  if (p.k == 1) p.a_c = 1, p.b_r = p.n;
  return p.c_c != 1 && p.c_r == 1 ? transposed(p) : p;
}

template <class S>
void fill_zero(const Product<S>& p) {
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) p.c[i * p.c_r + j * p.c_c] = S{};
}

// Sizes may be huge: each bound comes before the product that it keeps from overflowing.
template <class T>
bool fits_small(const Product<T>& p) {
  constexpr int64_t kMost = kSmallB / sizeof(T);
  if (p.c_c != 1 || p.m > kSmallWork || p.k > kMost || p.n > kMost) return false;
  if (p.b_c == 1) return p.k * p.n <= kMost && p.m * p.n * p.k < kSmallWork;
  return p.k * round_up(p.n, Lanes<T>::kCount) <= kMost / 2;
}

template <class T>
void multiply_rows(const Product<T>& p) {
  if (p.m * p.n * p.k < 2 * kThreadWork) return multiply_small(p);
  parallel_for(p.m, p.m * kThreadWork / (p.m * p.n * p.k) + 1, [&](int64_t begin, int64_t end) {
    Product<T> q = p;
    q.m = end - begin;
    q.a += begin * p.a_r;
    q.c += begin * p.c_r;
    multiply_small(q);
  });
}

template <class T>
bool try_small(const Product<T>& p) {
  if (!fits_small(p)) return false;
  if (p.b_c == 1) {
    multiply_rows(p);
    return true;
  }
  const int64_t width = round_up(p.n, Lanes<T>::kCount);
  T b[kSmallB / 2 / sizeof(T)];
  for (int64_t q = 0; q < p.k; ++q)
    for (int64_t j = 0; j < p.n; ++j) b[q * width + j] = p.b[q * p.b_r + j * p.b_c];
  Product<T> packed = p;
  packed.b = b;
  packed.b_r = width;
  packed.b_c = 1;
  multiply_small(packed);
  return true;
}

template <class S>
bool try_vector(const Product<S>& p) {
  if (p.n == 1)
    multiply_vector<S>({p.m, p.k, p.a, p.a_r, p.a_c, p.b, p.b_r, p.c, p.c_r});
  else if (p.m == 1)
    multiply_vector<S>({p.n, p.k, p.b, p.b_c, p.b_r, p.a, p.a_c, p.c, p.c_c});
  else
    return false;
  return true;
}

// BLAS wants one of the two strides to be 1 and the other at least as long as a row.
struct Leading {
  char trans;
  int64_t ld;  // 0 when the strides do not suit
  Leading(int64_t rows, int64_t columns, int64_t r, int64_t c)
      : trans(c == 1 ? 'N' : 'T'),
        ld(c == 1 && r >= columns ? r
           : r == 1 && c >= rows  ? c
                                  : 0) {}
};

template <class S>
bool try_vendor([[maybe_unused]] const Product<S>& p, [[maybe_unused]] int32_t threads) {
  if constexpr (std::is_same_v<S, float> || std::is_same_v<S, double>) {
    constexpr bool kF32 = std::is_same_v<S, float>;
    const double work =
        static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
    if (work < kSmallWork || !(kF32 ? has_onednn() : has_blas()) || p.c_c != 1 || p.c_r < p.n)
      return false;
    const Leading a(p.m, p.k, p.a_r, p.a_c), b(p.k, p.n, p.b_r, p.b_c);
    if (!a.ld || !b.ld) return false;
    if constexpr (kF32)
      return onednn_sgemm({a.trans, b.trans, p.m, p.n, p.k, p.a, p.b, a.ld, b.ld, p.c, p.c_r},
                          threads);
    else
      return blas_dgemm({a.trans, b.trans, p.m, p.n, p.k, p.a, p.b, a.ld, b.ld, p.c, p.c_r},
                        threads);
  }
  return false;
}

// Cuts c into rows x columns rectangles, one for each thread, near to squares to pack little twice.
template <class S>
struct Grid {
  int64_t rows = 1, columns = 1, height, width;
  Blocks<S> blocks;
  Grid(int64_t m, int64_t n, int64_t k, int32_t threads) : height(m), width(n), blocks(m, n, k) {
    const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    const int64_t parts = work < threads * static_cast<double>(kThreadWork)
                              ? static_cast<int64_t>(work / kThreadWork)
                              : threads;
    for (int64_t r = 1; r <= parts; ++r) {
      const int64_t c = parts / r, h = (m + r - 1) / r, w = (n + c - 1) / c;
      if (h * w < height * width || (h * w == height * width && h + w < height + width))
        rows = r, columns = c, height = h, width = w;
    }
    width = smaller(n, round_up(width, kTileColumns<Lane<S>>));
    blocks = Blocks<S>(height, width, k);
  }
  int64_t parts() const { return rows * columns; }
  int64_t bytes() const { return parts() * blocks.bytes(); }
};

template <class S, class Packing>
void multiply_grid(const Product<S>& p, const Grid<S>& grid, void* memory) {
  parallel_for(grid.parts(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t i = part / grid.columns * grid.height, j = part % grid.columns * grid.width;
      if (i >= p.m || j >= p.n) continue;
      Product<S> q = p;
      q.m = smaller(grid.height, p.m - i);
      q.n = smaller(grid.width, p.n - j);
      q.a += i * p.a_r;
      q.b += j * p.b_c;
      q.c += i * p.c_r + j * p.c_c;
      multiply_blocked<S, Packing>(q, grid.blocks,
                                   static_cast<char*>(memory) + part * grid.blocks.bytes());
    }
  });
}

// The memory that the call was given; none when kStackBytes are enough.
struct Memory {
  void* data;
  int64_t bytes;
};

template <class S>
void multiply(Product<S> p, Memory memory, bool vendor) {
  if (p.k == 0) return fill_zero(p);
  p = normalised(p);
  if (try_vector(p)) return;
  if constexpr (kIsLane<S>)
    if (try_small(p)) return;
  const int32_t threads = max_threads();
  if (vendor && try_vendor(p, threads)) return;
  Grid<S> grid(p.m, p.n, p.k, threads);
  if (grid.bytes() > memory.bytes) grid = Grid<S>(p.m, p.n, p.k, 1);
  alignas(64) char stack[kStackBytes];
  void* const room = grid.bytes() <= memory.bytes ? memory.data : stack;
#if defined(__AVX512F__)
  // Pairs are half as deep, so that they find room where lanes do.
  if constexpr (std::is_same_v<S, BF16>)
    if (suits_pairs(p)) return multiply_grid<S, Pairs>(p, grid, room);
#endif
  multiply_grid<S, LaneByLane<S>>(p, grid, room);
}

// ---- batches ----

// The product of the last two dims. It is inlined: loads of its fields would wait for the stores.
template <class S>
__attribute__((always_inline)) inline Product<S> matrices(const bp_launch& launch) {
  const bp_arg &a = launch.args[0], &b = launch.args[1], &c = launch.args[2];
  const int32_t r = c.rank - 2;
  return {c.shape[r],
          c.shape[r + 1],
          a.shape[r + 1],
          static_cast<const S*>(a.data),
          a.strides[r],
          a.strides[r + 1],
          static_cast<const S*>(b.data),
          b.strides[r],
          b.strides[r + 1],
          static_cast<S*>(c.data),
          c.strides[r],
          c.strides[r + 1]};
}

// The commonest small call. It is seen first, because arranging would take longer than its work.
constexpr uint64_t kPlainSide = 32;
template <class S>
bool is_plain(const bp_launch& launch) {
  if constexpr (!kIsLane<S>) return false;
  const bp_arg &a = launch.args[0], &b = launch.args[1], &c = launch.args[2];
  const auto small = [](int64_t side) { return static_cast<uint64_t>(side) - 1 < kPlainSide; };
  return c.rank == 2 && small(c.shape[0]) && small(c.shape[1]) && small(a.shape[1]) &&
         (b.flags & c.flags & BP_ARG_CONTIGUOUS);
}
// Operands of so many elements need no workspace in any layout: either fits_small's bounds hold for
// b or its blocks are within kStackBytes.
template <class S>
constexpr uint32_t kNeedNothing = kIsLane<S> ? 256 : 64;

template <class S>
struct Batch {
  const bp_arg *a, *b, *c;
  Product<S> one;
  int32_t n_dims;  // dims of the batch
  int64_t count = 1;

  Batch(const bp_launch& launch, const Product<S>& p)
      : a(&launch.args[0]), b(&launch.args[1]), c(&launch.args[2]), one(p), n_dims(c->rank - 2) {
    while (n_dims > 0 && joins_rows(n_dims - 1)) --n_dims;
    for (int32_t d = 0; d < n_dims; ++d) count *= c->shape[d];
  }

  // A batch of rows times one b is one taller matrix.
  bool joins_rows(int32_t d) {
    if (b->strides[d] != 0 && c->shape[d] != 1) return false;
    if (one.m == 1) {
      one.a_r = a->strides[d];
      one.c_r = c->strides[d];
    } else if (c->shape[d] != 1 &&
               (a->strides[d] != one.m * one.a_r || c->strides[d] != one.m * one.c_r)) {
      return false;
    }
    one.m *= c->shape[d];
    return true;
  }

  Product<S> at(int64_t i) const {
    Product<S> p = one;
    for (int32_t d = n_dims - 1; d >= 0; --d) {
      const int64_t x = i % c->shape[d];
      i /= c->shape[d];
      p.a += x * a->strides[d];
      p.b += x * b->strides[d];
      p.c += x * c->strides[d];
    }
    return p;
  }
  double work() const {
    return static_cast<double>(one.m) * static_cast<double>(one.n) * static_cast<double>(one.k);
  }
  // Whether each thread takes whole matrices.
  bool spread() const { return count > 1 && work() < 64.0 * kThreadWork; }
  int64_t grain() const { return static_cast<int64_t>(kThreadWork / (work() + 1)) + 1; }
};

template <class S>
void run_batch(const Batch<S>& batch, Memory memory) {
  if (!batch.spread()) {
    for (int64_t i = 0; i < batch.count; ++i) multiply(batch.at(i), memory, !forked_child());
    return;
  }
  const int64_t slice = Grid<S>(batch.one.m, batch.one.n, batch.one.k, 1).bytes();
  const int64_t slices = memory.bytes ? memory.bytes / slice : batch.count;
  const int64_t n = smaller(slices, batch.count);
  parallel_for(n, memory.bytes ? 1 : batch.grain(), [&](int64_t begin, int64_t end) {
    // Slice `begin` of the memory is this part's alone.
    const Memory own{static_cast<char*>(memory.data) + (memory.bytes ? begin * slice : 0),
                     memory.bytes ? slice : 0};
    for (int64_t i = begin * batch.count / n; i < end * batch.count / n; ++i)
      multiply(batch.at(i), own, false);
  });
}

// These stay out of run, whose one-tile product would pay for the registers that they need.
template <class S>
[[gnu::noinline]] void run_plain(const bp_launch& launch) {
  multiply_small(matrices<S>(launch));
}
template <class S>
[[gnu::noinline]] void run_any(const bp_launch& launch) {
  run_batch(Batch<S>(launch, matrices<S>(launch)),
            {launch.workspace, static_cast<int64_t>(launch.workspace_bytes)});
}

// A product that is one tile, on the operands where they are.
template <class S, int kRows>
void run_one_tile(const bp_launch& launch) {
  const bp_arg &a = launch.args[0], &b = launch.args[1], &c = launch.args[2];
  multiply_tile<S, kRows, 1, true>({a.shape[1], static_cast<const S*>(a.data), a.strides[0],
                                    a.strides[1], static_cast<const S*>(b.data), b.strides[0],
                                    static_cast<S*>(c.data), c.strides[0], c.shape[1], false});
}
template <class S, int... kRow>
constexpr auto one_tiles(std::integer_sequence<int, kRow...>) {
  return std::array{run_one_tile<S, kRow + 1>...};
}
template <class S>
constexpr auto kOneTiles = one_tiles<S>(std::make_integer_sequence<int, kTileRows>{});

template <class S>
[[gnu::always_inline]] inline bool run_tile_alone(const bp_launch& launch) {
  const bp_arg &a = launch.args[0], &b = launch.args[1], &c = launch.args[2];
  const uint64_t m = static_cast<uint64_t>(c.shape[0]) - 1,
                 n = static_cast<uint64_t>(c.shape[1]) - 1;
  if (c.rank != 2 || m >= kTileRows || n >= static_cast<uint64_t>(Lanes<S>::kCount) ||
      static_cast<uint64_t>(a.shape[1]) - 1 >= kPlainSide ||
      !(b.flags & c.flags & BP_ARG_CONTIGUOUS))
    return false;
  kOneTiles<S>[m](launch);
  return true;
}

template <class S>
bp_status run(const bp_launch* launch, bp_error**) {
  if constexpr (kIsLane<S>) {
    if (run_tile_alone<S>(*launch)) return BP_OK;
    if (is_plain<S>(*launch)) {
      run_plain<S>(*launch);
      return BP_OK;
    }
  }
  run_any<S>(*launch);
  return BP_OK;
}
template <class S>
bp_status workspace(const bp_launch* launch, uint64_t* bytes, bp_error**) {
  *bytes = 0;
  if (is_plain<S>(*launch)) return BP_OK;
  const Product<S> last = matrices<S>(*launch);
  const Batch<S> batch(*launch, last);
  const Product<S> p = normalised(batch.one);
  if (p.k == 0 || p.n == 1 || p.m == 1) return BP_OK;
  if constexpr (kIsLane<S>)
    if (fits_small(p)) return BP_OK;
  const int64_t need = batch.spread() ? Grid<S>(p.m, p.n, p.k, 1).bytes()
                                      : Grid<S>(p.m, p.n, p.k, max_threads()).bytes();
  if (need <= kStackBytes) return BP_OK;
  const int64_t slices =
      batch.spread() ? smaller(max_threads(), batch.count / batch.grain() + 1) : 1;
  *bytes = static_cast<uint64_t>(need * slices);
  return BP_OK;
}

// ---- linear ----

enum LinearArgument { kInput, kWeight, kBias, kOutput };

// The product of a call of linear as a call of matmul: weight is seen transposed, in each matrix of
// a batch the same.
struct LinearProduct {
  bp_launch launch;
  bp_arg args[3];
  int64_t shapes[3][BP_MAX_RANK], strides[3][BP_MAX_RANK];

  explicit LinearProduct(const bp_launch& l) : launch(l) {
    const bp_arg& w = l.args[kWeight];
    args[0] = l.args[kInput], args[1] = w, args[2] = l.args[kOutput];
    const int32_t rank = args[2].rank > 2 ? args[2].rank : 2;
    if (args[2].rank == 1)
      for (int i : {0, 2}) {
        shapes[i][0] = 1, shapes[i][1] = args[i].shape[0];
        strides[i][0] = 0, strides[i][1] = args[i].strides[0];
        args[i].rank = rank, args[i].shape = shapes[i], args[i].strides = strides[i];
      }
    for (int32_t d = 0; d < rank - 2; ++d) shapes[1][d] = 1, strides[1][d] = 0;
    shapes[1][rank - 2] = w.shape[1], shapes[1][rank - 1] = w.shape[0];
    strides[1][rank - 2] = w.strides[1], strides[1][rank - 1] = w.strides[0];
    args[1].rank = rank, args[1].shape = shapes[1], args[1].strides = strides[1];
    args[1].flags = 0;
    launch.args = args, launch.n_in = 2;
  }
  LinearProduct(const LinearProduct&) = delete;
  LinearProduct& operator=(const LinearProduct&) = delete;
};

// What is done to the sums: a bias is added, and what is below 0 becomes 0.
template <class S>
struct Behind {
  const S* bias = nullptr;  // nullptr: there is none
  int64_t step = 0;
  bool relu = false;

  explicit Behind(const bp_launch& l) {
    const bp_arg& b = l.args[kBias];
    if (b.kind == BP_ARG_TENSOR) bias = static_cast<const S*>(b.data), step = b.strides[0];
    const bp_attr& a = l.attrs[BP_ATTR_LINEAR_ACTIVATION];
    relu = a.count == 4 && std::memcmp(a.value.str, "relu", 4) == 0 &&
           !(bp_kit::kUnsigned >> l.args[kOutput].dtype & 1);
  }

  static S sum_of(S x, S y) {
    if constexpr (std::is_same_v<S, Bool>)
      return {static_cast<uint8_t>(x.byte != 0 || y.byte != 0)};
    else
      return convert<S>(static_cast<Calc<S>>(convert<Calc<S>>(x) + convert<Calc<S>>(y)));
  }
  static S larger(S x) {
    if constexpr (std::is_same_v<S, Bool>)
      return x;
    else if constexpr (std::is_integral_v<S>)  // words, which are unsigned, of signed integers
      return static_cast<std::make_signed_t<S>>(x) < 0 ? S{} : x;
    else
      return convert<Calc<S>>(x) < 0 ? S{} : x;
  }
  void row(S* c, int64_t n) const {
    if (bias && step == 1)
      for (int64_t j = 0; j < n; ++j) c[j] = sum_of(c[j], bias[j]);
    else if (bias)
      for (int64_t j = 0; j < n; ++j) c[j] = sum_of(c[j], bias[j * step]);
    if (relu)
      for (int64_t j = 0; j < n; ++j) c[j] = larger(c[j]);
  }
  void spread_row(S* c, int64_t n, int64_t stride) const {
    for (int64_t j = 0; j < n; ++j) {
      S& x = c[j * stride];
      if (bias) x = sum_of(x, bias[j * step]);
      if (relu) x = larger(x);
    }
  }
  void all(const bp_arg& c) const {
    const int32_t last = c.rank - 1;
    const int64_t n = c.shape[last];
    int64_t rows = 1;
    for (int32_t d = 0; d < last; ++d) rows *= c.shape[d];
    parallel_for(rows, kRowGrain / n + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        S* at = static_cast<S*>(c.data);
        for (int64_t d = last - 1, left = i; d >= 0; left /= c.shape[d], --d)
          at += left % c.shape[d] * c.strides[d];
        c.strides[last] == 1 ? row(at, n) : spread_row(at, n, c.strides[last]);
      }
    });
  }
  static constexpr int64_t kRowGrain = 1 << 15;
};

template <class S>
bp_status run_linear(const bp_launch* launch, bp_error**) {
  const LinearProduct p(*launch);
  run_any<S>(p.launch);
  const Behind<S> behind(*launch);
  if (behind.bias || behind.relu) behind.all(launch->args[kOutput]);
  return BP_OK;
}
template <class S>
bp_status linear_workspace(const bp_launch* launch, uint64_t* bytes, bp_error** err) {
  const LinearProduct p(*launch);
  return workspace<S>(&p.launch, bytes, err);
}

}  // namespace

void add_matmul(Registry& r) {
  each_type<kReals | bit(BP_BOOL)>([&](auto t, bp_dtype d) {
    using S = Word<decltype(t)>;
    r.add(BP_OP_MATMUL, bit(d), run<S>, 0, workspace<S>, kNeedNothing<S>);
    r.add(BP_OP_LINEAR, bit(d), run_linear<S>, BP_KERNEL_TAKES_NONE, linear_workspace<S>,
          kNeedNothing<S>);
  });
}

}  // namespace bp_cpu::BP_ISA
