// SPDX-License-Identifier: Apache-2.0
// A library with cuBLASLt's names, numbers and checks (cublasLt.h of CUDA 11 to 13), whose products
// are plain loops in the simulated accelerator's streams.
//
// As there, what is chosen for a product holds for pointers of the alignment that was stated, and
// products of bytes have their first factor transposed and the second not. Besides, for tests: what
// was made and called, and the status that the next choice or product answers with.
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "fake_library.h"
#include "kit/number.h"

namespace {

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum { R_32F = 0, R_16F = 2, R_8I = 3, R_32I = 10, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_32I = 72, FAST_16BF = 75, FAST_TF32 = 77 };
enum { EPILOGUE_RELU = 2, EPILOGUE_BIAS = 4 };  // DEFAULT is 1; RELU_BIAS is both
constexpr uint64_t kAlgorithm = 0x616c676f, kRoom = 512;

struct Handle {};
struct Product {
  int compute, scale_type, op_a, op_b, epilogue;
  const void* bias;
};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t count;
  int64_t stride;
};
struct Preference {
  uint64_t most_workspace;
  uint32_t reductions, alignment[4];  // of a, b, c and d
};
struct Algorithm {
  uint64_t name, alignment[3], rest[4];
};
struct Result {
  Algorithm algorithm;
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
};

struct Work {
  Product p;
  Layout a, b, c;
  const void *from_a, *from_b;
  void *to, *workspace;
};

float rounded(float x, uint32_t dropped) {  // so many bits, halves to even
  uint32_t u = 0;
  std::memcpy(&u, &x, 4);
  u += (1u << (dropped - 1)) - 1 + (u >> dropped & 1);
  u &= ~((1u << dropped) - 1);
  std::memcpy(&x, &u, 4);
  return x;
}

// Matrices lie column by column.
template <class T, class C>
void multiply(const Work& w) {
  using Sum = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
  const auto read = [&](const void* p, int64_t at) {
    Sum x = bp_kit::convert<Sum>(static_cast<const T*>(p)[at]);
    if constexpr (std::is_same_v<T, float>) {
      if (w.p.compute == FAST_TF32) x = rounded(x, 13);
      if (w.p.compute == FAST_16BF) x = rounded(x, 16);
    }
    return x;
  };
  const auto m = static_cast<int64_t>(w.c.rows), n = static_cast<int64_t>(w.c.columns),
             k = static_cast<int64_t>(w.p.op_a ? w.a.rows : w.a.columns);
  for (int64_t i = 0; i < w.c.count; ++i)
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < m; ++row) {
        Sum sum = 0;
        for (int64_t q = 0; q < k; ++q)
          sum += read(w.from_a,
                      i * w.a.stride + (w.p.op_a ? q + row * w.a.leading : row + q * w.a.leading)) *
                 read(w.from_b, i * w.b.stride + (w.p.op_b ? column + q * w.b.leading
                                                           : q + column * w.b.leading));
        if (w.p.epilogue & EPILOGUE_BIAS)
          sum += bp_kit::convert<Sum>(static_cast<const T*>(w.p.bias)[row]);
        if (w.p.epilogue & EPILOGUE_RELU && sum < 0) sum = 0;
        static_cast<C*>(w.to)[i * w.c.stride + row + column * w.c.leading] =
            bp_kit::convert<C>(sum);
      }
}

void run(const void* data) {
  Work w{};
  std::memcpy(&w, data, sizeof w);
  std::memset(w.workspace, 0xff, kRoom);
  if (w.a.type == R_16F) multiply<bp_kit::F16, bp_kit::F16>(w);
  if (w.a.type == R_16BF) multiply<bp_kit::BF16, bp_kit::BF16>(w);
  if (w.a.type == R_32F) multiply<float, float>(w);
  if (w.a.type == R_8I) multiply<int8_t, int32_t>(w);
}

int check(const Product& p, const Layout& a, const Layout& b, const Layout& c) {
  const uint64_t m = p.op_a ? a.columns : a.rows, k = p.op_a ? a.rows : a.columns,
                 n = p.op_b ? b.rows : b.columns;
  if (k != (p.op_b ? b.columns : b.rows) || c.rows != m || c.columns != n) return INVALID_VALUE;
  if (a.count != b.count || a.count != c.count) return INVALID_VALUE;
  const bool whole = a.type == R_8I;
  if (a.type != b.type || c.type != (whole ? R_32I : a.type) ||
      p.scale_type != (whole ? R_32I : R_32F))
    return NOT_SUPPORTED;
  if (whole)
    return p.compute == COMPUTE_32I && p.op_a && !p.op_b && p.epilogue == 1 && m % 4 == 0 &&
                   k % 4 == 0
               ? 0
               : NOT_SUPPORTED;
  const bool rounds = p.compute == FAST_16BF || p.compute == FAST_TF32;
  return p.compute == COMPUTE_32F || (rounds && a.type == R_32F) ? 0 : NOT_SUPPORTED;
}

bool is_aligned(const void* p, uint64_t to) {
  return p && to && reinterpret_cast<uintptr_t>(p) % to == 0;
}
template <class T>
bool is(const void* p, T wanted) {
  T x{};
  std::memcpy(&x, p, sizeof x);
  return x == wanted;
}
template <class T>
int take(const void* value, size_t bytes, T* out) {
  if (bytes != sizeof *out) return INVALID_VALUE;
  std::memcpy(out, value, sizeof *out);
  return 0;
}
}  // namespace

EXPORT int cublasLtCreate(Handle** out) {
  if (next_answer == NOT_INITIALIZED) return answer();
  return make(out, &handles);
}
EXPORT int cublasLtDestroy(Handle* h) { return drop(h, &handles); }
EXPORT const char* cublasLtGetStatusString(int status) {
  return status == NOT_SUPPORTED      ? "CUBLAS_STATUS_NOT_SUPPORTED"
         : status == EXECUTION_FAILED ? "CUBLAS_STATUS_EXECUTION_FAILED"
                                      : "CUBLAS_STATUS_OTHER";
}

EXPORT int cublasLtMatmulDescCreate(Product** out, int compute, int scale_type) {
  return make(out, &descriptors, {compute, scale_type, 0, 0, 1, nullptr});
}
EXPORT int cublasLtMatmulDescDestroy(Product* p) { return drop(p, &descriptors); }
EXPORT int cublasLtMatmulDescSetAttribute(Product* p, int attribute, const void* value,
                                          size_t bytes) {
  switch (attribute) {
    case 3: return take(value, bytes, &p->op_a);
    case 4: return take(value, bytes, &p->op_b);
    case 7: return take(value, bytes, &p->epilogue);
    case 8: return take(value, bytes, &p->bias);
    default: return INVALID_VALUE;
  }
}
EXPORT int cublasLtMatrixLayoutCreate(Layout** out, int type, uint64_t rows, uint64_t columns,
                                      int64_t leading) {
  return make(out, &descriptors, {type, rows, columns, leading, 1, 0});
}
EXPORT int cublasLtMatrixLayoutDestroy(Layout* l) { return drop(l, &descriptors); }
EXPORT int cublasLtMatrixLayoutSetAttribute(Layout* l, int attribute, const void* value,
                                            size_t bytes) {
  switch (attribute) {
    case 5: return take(value, bytes, &l->count);
    case 6: return take(value, bytes, &l->stride);
    default: return INVALID_VALUE;
  }
}
EXPORT int cublasLtMatmulPreferenceCreate(Preference** out) {
  return make(out, &descriptors, {0, 0xff, {256, 256, 256, 256}});
}
EXPORT int cublasLtMatmulPreferenceDestroy(Preference* p) { return drop(p, &descriptors); }
EXPORT int cublasLtMatmulPreferenceSetAttribute(Preference* p, int attribute, const void* value,
                                                size_t bytes) {
  switch (attribute) {
    case 1: return take(value, bytes, &p->most_workspace);
    case 3: return take(value, bytes, &p->reductions);
    case 5:
    case 6:
    case 7:
    case 8: return take(value, bytes, &p->alignment[attribute - 5]);
    default: return INVALID_VALUE;
  }
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(Handle*, const Product* p, const Layout* a,
                                          const Layout* b, const Layout* c, const Layout* d,
                                          const Preference* wanted, int most, Result* out,
                                          int* found) {
  ++choices;
  *found = 0;
  if (const int status = answer()) return status;
  if (const int status = check(*p, *a, *b, *c)) return status;
  if (c != d || most < 1) return INVALID_VALUE;
  // An algorithm with other sums of parts would come first; one that needs more than it may have
  // is none.
  if (wanted->reductions != 2 || wanted->most_workspace < kRoom) return NOT_SUPPORTED;
  *out = {{kAlgorithm, {wanted->alignment[0], wanted->alignment[1], wanted->alignment[3]}, {}},
          kRoom,
          0,
          1,
          {}};
  *found = 1;
  return 0;
}

EXPORT int cublasLtMatmul(Handle* h, const Product* p, const void* alpha, const void* from_a,
                          const Layout* a, const void* from_b, const Layout* b, const void* beta,
                          const void* c, const Layout* c_layout, void* d, const Layout* d_layout,
                          const Algorithm* algorithm, void* workspace, size_t bytes, Port* stream) {
  ++calls;
  if (const int status = answer()) return status;
  if (const int status = check(*p, *a, *b, *c_layout)) return status;
  const bool scales = a->type == R_8I ? is<int32_t>(alpha, 1) && is<int32_t>(beta, 0)
                                      : is<float>(alpha, 1) && is<float>(beta, 0);
  if (!h || !scales || c != d || c_layout != d_layout || !workspace || bytes < kRoom ||
      algorithm->name != kAlgorithm || !is_aligned(from_a, algorithm->alignment[0]) ||
      !is_aligned(from_b, algorithm->alignment[1]) || !is_aligned(d, algorithm->alignment[2]) ||
      !is_aligned(workspace, 16) || (p->epilogue & EPILOGUE_BIAS && !p->bias))
    return INVALID_VALUE;
  const Work w{*p, *a, *b, *c_layout, from_a, from_b, d, workspace};
  return stream->enqueue(stream, run, &w, sizeof w) == 0 ? 0 : EXECUTION_FAILED;
}
