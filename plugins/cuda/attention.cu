// SPDX-License-Identifier: Apache-2.0
// attention.cu: attention of halves on tensor cores (Dao, FlashAttention-2, 2023), for cards from
// compute capability 8.0 on. A warp has kTiles x 16 queries; scores, weights and sums stay in its
// registers as mma.m16n8k16 lays them out, so that the accumulators of the first product are the
// operand of the second. Keys and values pass through shared memory; while one is multiplied the
// next is on its way into registers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "gpu/card_driver.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#pragma nv_diag_suppress 177  // nothing uses what is declared here
#endif

namespace bp_gpu {
namespace {

constexpr int32_t kQueries = 128;                         // of a block
constexpr int32_t kKeys = 64;                             // at a time
constexpr int32_t kWarp = 32, kTileRows = 16, kPack = 8;  // halves in 16 bytes

template <class H>
__device__ uint32_t packed(float low, float high);
template <>
__device__ uint32_t packed<__half>(float low, float high) {
  const __half2 x = __floats2half2_rn(low, high);
  return reinterpret_cast<const uint32_t&>(x);
}
template <>
__device__ uint32_t packed<__nv_bfloat16>(float low, float high) {
  const __nv_bfloat162 x = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const uint32_t&>(x);
}

// 2^x, to 2^-22 of it.
__device__ float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// c += a b
template <class H>
__device__ void multiply(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<H, __half>)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// Four matrices of 8 x 8 halves, of which each lane names a row; kTurned: transposed.
template <bool kTurned, class H>
__device__ void load_matrices(uint32_t (&to)[4], const H* row) {
  const auto at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (kTurned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
}

template <class H, int32_t kWidth>
struct Halves {
  static constexpr int32_t kTiles = kWidth <= 64 ? 2 : 1;  // of a warp's queries
  static constexpr int32_t kThreads = kQueries / (kTiles * kTileRows) * kWarp;
  static constexpr int32_t kPitch = kWidth + kPack;  // spreads rows over memory banks
  static constexpr int32_t kSharedBytes = 2 * kKeys * kPitch * static_cast<int32_t>(sizeof(H));
  static constexpr int32_t kRowPacks = kWidth / kPack, kPacks = kKeys * kRowPacks,
                           kEach = (kPacks + kThreads - 1) / kThreads;
  static constexpr int32_t kSteps = kWidth / 16;                        // of a score's terms
  static constexpr int32_t kScores = kKeys / 8, kColumns = kWidth / 8;  // in tiles of 8

  // Some of a tile of keys or values, on its way to shared memory; beyond the last row are zeros.
  struct Fetched {
    uint4 pack[kEach];
    __device__ void load(const H* from, int64_t row_stride, int32_t left) {
#pragma unroll
      for (int32_t e = 0; e < kEach; ++e) {
        const int32_t p = static_cast<int32_t>(threadIdx.x) + e * kThreads, row = p / kRowPacks;
        pack[e] =
            p < kPacks && row < left
                ? *reinterpret_cast<const uint4*>(from + row * row_stride + p % kRowPacks * kPack)
                : uint4{0, 0, 0, 0};
      }
    }
    __device__ void store(H* tile) const {
#pragma unroll
      for (int32_t e = 0; e < kEach; ++e) {
        const int32_t p = static_cast<int32_t>(threadIdx.x) + e * kThreads;
        if (p < kPacks)
          *reinterpret_cast<uint4*>(tile + p / kRowPacks * kPitch + p % kRowPacks * kPack) =
              pack[e];
      }
    }
  };

  // Of a lane: what it has of its warp's queries, as mma lays them out.
  struct Lane {
    int32_t group, pair;  // its row in each half tile, its two columns
    int32_t row;          // the first query of the warp
    uint32_t q[kTiles][kSteps][4];
    float sums[kTiles][kColumns][4];
    float top[kTiles][2], total[kTiles][2];  // of rows `group` and `group + 8`
  };

  static __device__ const H* of_batch(const Attention& a, int32_t which, int64_t batch) {
    const Attention::Operand& o = a.operand[which];
    int64_t offset = 0;
    for (int32_t d = a.n_dims - 1; d >= 0; --d) {
      offset += batch % a.shape[d] * o.batch[d];
      batch /= a.shape[d];
    }
    return reinterpret_cast<const H*>(o.data) + offset;
  }

  static __device__ void load_queries(const Attention& a, const H* q, Lane& x) {
    const int64_t stride = a.operand[Attention::kQuery].row;
#pragma unroll
    for (int32_t t = 0; t < kTiles; ++t)
#pragma unroll
      for (int32_t s = 0; s < kSteps; ++s)
#pragma unroll
        for (int32_t r = 0; r < 4; ++r) {
          const int32_t row = x.row + t * kTileRows + x.group + r % 2 * 8;
          x.q[t][s][r] = row < a.queries ? *reinterpret_cast<const uint32_t*>(
                                               q + row * stride + s * 16 + r / 2 * 8 + x.pair)
                                         : 0;
        }
  }

  static __device__ void run(const Attention& a, float factor) {
    extern __shared__ __attribute__((aligned(16))) char memory[];
    H *keys = reinterpret_cast<H*>(memory), *values = keys + kKeys * kPitch;
    const auto down = static_cast<uint32_t>((a.queries + kQueries - 1) / kQueries);
    const uint32_t batch = blockIdx.x / down;
    const auto row = static_cast<int32_t>((down - 1 - blockIdx.x % down) * kQueries);
    const H *k = of_batch(a, Attention::kKey, batch), *v = of_batch(a, Attention::kValue, batch);
    const int64_t k_row = a.operand[Attention::kKey].row, v_row = a.operand[Attention::kValue].row;
    const auto lane = static_cast<int32_t>(threadIdx.x) % kWarp;
    Lane x;
    x.group = lane / 4, x.pair = lane % 4 * 2;
    x.row = row + static_cast<int32_t>(threadIdx.x) / kWarp * (kTiles * kTileRows);
    load_queries(a, of_batch(a, Attention::kQuery, batch), x);
#pragma unroll
    for (int32_t t = 0; t < kTiles; ++t) {
#pragma unroll
      for (int32_t c = 0; c < kColumns; ++c)
#pragma unroll
        for (int32_t i = 0; i < 4; ++i) x.sums[t][c][i] = 0;
      x.top[t][0] = x.top[t][1] = -INFINITY;
      x.total[t][0] = x.total[t][1] = 0;
    }
    const auto all = static_cast<int32_t>(a.keys),
               n = a.causal && row + kQueries < all ? row + kQueries : all;
    Fetched next_keys, next_values;
    next_keys.load(k, k_row, all);
    next_keys.store(keys);
    for (int32_t key = 0; key < n; key += kKeys) {
      next_values.load(v + key * v_row, v_row, all - key);
      __syncthreads();  // keys are there, and the values before were read
      float scores[kTiles][kScores][4] = {};
      score(keys, lane, x, scores);
      next_values.store(values);
      if (key + kKeys > all || (a.causal && key + kKeys > x.row)) hide(a, x, key, scores);
      weigh(x, factor, scores);
      __syncthreads();  // values are there, and the keys were read
      if (key + kKeys < n) next_keys.load(k + (key + kKeys) * k_row, k_row, all - key - kKeys);
      add_values(values, lane, x, scores);
      if (key + kKeys < n) next_keys.store(keys);
    }
    finish(a, x, const_cast<H*>(of_batch(a, Attention::kOut, batch)));
  }

  static __device__ void score(const H* keys, int32_t lane, const Lane& x,
                               float (&scores)[kTiles][kScores][4]) {
    const H* at = keys + (lane / 16 * 8 + lane % 8) * kPitch + lane / 8 % 2 * 8;
#pragma unroll
    for (int32_t s = 0; s < kSteps; ++s)
#pragma unroll
      for (int32_t c = 0; c < kScores; c += 2) {
        uint32_t b[4];
        load_matrices<false>(b, at + c * 8 * kPitch + s * 16);
#pragma unroll
        for (int32_t t = 0; t < kTiles; ++t) {
          multiply<H>(scores[t][c], x.q[t][s], b[0], b[1]);
          multiply<H>(scores[t][c + 1], x.q[t][s], b[2], b[3]);
        }
      }
  }

  // Of keys that take no part, the scores are -inf.
  static __device__ void hide(const Attention& a, const Lane& x, int32_t key,
                              float (&scores)[kTiles][kScores][4]) {
#pragma unroll
    for (int32_t t = 0; t < kTiles; ++t)
#pragma unroll
      for (int32_t c = 0; c < kScores; ++c)
#pragma unroll
        for (int32_t i = 0; i < 4; ++i) {
          const int32_t at = key + c * 8 + x.pair + i % 2,
                        row = x.row + t * kTileRows + x.group + i / 2 * 8;
          if (at >= a.keys || (a.causal && at > row)) scores[t][c][i] = -INFINITY;
        }
  }

  // Scores become weights relative to the largest score so far, to which what was summed is moved.
  static __device__ void weigh(Lane& x, float factor, float (&scores)[kTiles][kScores][4]) {
#pragma unroll
    for (int32_t t = 0; t < kTiles; ++t)
#pragma unroll
      for (int32_t half = 0; half < 2; ++half) {
        float top = x.top[t][half];
#pragma unroll
        for (int32_t c = 0; c < kScores; ++c)
          top = fmaxf(top, fmaxf(scores[t][c][2 * half], scores[t][c][2 * half + 1]));
        top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
        top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
        const float base = top * factor, moved = power_of_two(fmaf(x.top[t][half], factor, -base));
        x.top[t][half] = top;
        float total = 0;
#pragma unroll
        for (int32_t c = 0; c < kScores; ++c)
#pragma unroll
          for (int32_t i = 2 * half; i < 2 * half + 2; ++i) {
            scores[t][c][i] = power_of_two(fmaf(scores[t][c][i], factor, -base));
            total += scores[t][c][i];
          }
        x.total[t][half] = fmaf(x.total[t][half], moved, total);
#pragma unroll
        for (int32_t c = 0; c < kColumns; ++c)
#pragma unroll
          for (int32_t i = 2 * half; i < 2 * half + 2; ++i) x.sums[t][c][i] *= moved;
      }
  }

  static __device__ void add_values(const H* values, int32_t lane, Lane& x,
                                    const float (&weights)[kTiles][kScores][4]) {
    const H* at = values + (lane / 8 % 2 * 8 + lane % 8) * kPitch + lane / 16 * 8;
#pragma unroll
    for (int32_t s = 0; s < kScores; s += 2) {
      uint32_t w[kTiles][4];
#pragma unroll
      for (int32_t t = 0; t < kTiles; ++t)
#pragma unroll
        for (int32_t r = 0; r < 4; ++r) {
          const float(&tile)[4] = weights[t][s + r / 2];
          w[t][r] = packed<H>(tile[r % 2 * 2], tile[r % 2 * 2 + 1]);
        }
#pragma unroll
      for (int32_t c = 0; c < kColumns; c += 2) {
        uint32_t b[4];
        load_matrices<true>(b, at + s * 8 * kPitch + c * 8);
#pragma unroll
        for (int32_t t = 0; t < kTiles; ++t) {
          multiply<H>(x.sums[t][c], w[t], b[0], b[1]);
          multiply<H>(x.sums[t][c + 1], w[t], b[2], b[3]);
        }
      }
    }
  }

  static __device__ void finish(const Attention& a, Lane& x, H* out) {
    const int64_t stride = a.operand[Attention::kOut].row;
#pragma unroll
    for (int32_t t = 0; t < kTiles; ++t)
#pragma unroll
      for (int32_t half = 0; half < 2; ++half) {
        float total = x.total[t][half];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
        const float share = 1 / total;
        const int32_t row = x.row + t * kTileRows + x.group + half * 8;
        if (row >= a.queries) continue;
#pragma unroll
        for (int32_t c = 0; c < kColumns; ++c)
          *reinterpret_cast<uint32_t*>(out + row * stride + c * 8 + x.pair) =
              packed<H>(x.sums[t][c][2 * half] * share, x.sums[t][c][2 * half + 1] * share);
      }
  }
};

template <class H, int32_t kWidth>
__global__ void __launch_bounds__(Halves<H, kWidth>::kThreads)
    attend_halves(const __grid_constant__ Attention a, float factor) {
#if __CUDA_ARCH__ >= 800
  Halves<H, kWidth>::run(a, factor);
#endif
}

template <class H, int32_t kWidth>
cudaError_t launch_halves(const Attention& a, float factor, cudaStream_t stream) {
  using K = Halves<H, kWidth>;
  constexpr int64_t kMost = INT32_MAX - kQueries;  // positions have 32 bits
  const int64_t blocks = a.batches * ((a.queries + kQueries - 1) / kQueries);
  if (blocks > INT32_MAX || a.queries > kMost || a.keys > kMost) return cudaErrorNotSupported;
  attend_halves<H, kWidth>
      <<<static_cast<unsigned>(blocks), K::kThreads, K::kSharedBytes, stream>>>(a, factor);
  return cudaGetLastError();
}

template <class H>
cudaError_t of_width(const Attention& a, float factor, cudaStream_t stream) {
  switch (a.width) {
    case 32: return launch_halves<H, 32>(a, factor, stream);
    case 48: return launch_halves<H, 48>(a, factor, stream);
    case 64: return launch_halves<H, 64>(a, factor, stream);
    case 80: return launch_halves<H, 80>(a, factor, stream);
    case 96: return launch_halves<H, 96>(a, factor, stream);
    case 112: return launch_halves<H, 112>(a, factor, stream);
    case 128: return launch_halves<H, 128>(a, factor, stream);
    default: return cudaErrorNotSupported;
  }
}

// Whether rows are dense and begin at multiples of 16 bytes.
bool is_packed(const Attention& a, int32_t which) {
  const Attention::Operand& o = a.operand[which];
  bool fits = o.column == 1 && o.row % kPack == 0 && reinterpret_cast<uintptr_t>(o.data) % 16 == 0;
  for (int32_t d = 0; d < a.n_dims; ++d) fits &= o.batch[d] % kPack == 0;
  return fits;
}

// Whether the current card runs code that was compiled for 8.0 or later; a driver takes the newest
// that is not newer than the card. What was compiled for less is empty.
bool has_tensor_cores() {
  constexpr int kCompiledFor[] = {__CUDA_ARCH_LIST__};
  int card = 0, major = 0, minor = 0;
  if (cudaGetDevice(&card) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, card) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, card) != cudaSuccess)
    return false;
  for (const int compiled : kCompiledFor)
    if (compiled >= 800 && compiled <= 100 * major + 10 * minor) return true;
  return false;
}

cudaError_t attend(const Attention& a, cudaStream_t stream) {
  const bool halves = a.dtype == BP_F16 || a.dtype == BP_BF16;
  if (!halves || a.mask != Attention::Mask::kNone || a.width != a.value_width || a.keys == 0 ||
      !(a.scale > 0 && std::isfinite(a.scale)) || !has_tensor_cores())
    return cudaErrorNotSupported;
  for (const int32_t which :
       {Attention::kQuery, Attention::kKey, Attention::kValue, Attention::kOut})
    if (!is_packed(a, which)) return cudaErrorNotSupported;
  constexpr double kLog2OfE = 1.4426950408889634;
  const auto factor = static_cast<float>(a.scale * kLog2OfE);
  return a.dtype == BP_F16 ? of_width<__half>(a, factor, stream)
                           : of_width<__nv_bfloat16>(a, factor, stream);
}

}  // namespace

CardAttention card_attention() { return attend; }

}  // namespace bp_gpu
