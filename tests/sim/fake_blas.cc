// SPDX-License-Identifier: Apache-2.0
// A library with a vendor's names, numbers and checks of a BLAS, whose products are plain loops in
// the simulated accelerator's streams. Built once for each of them: FAKE is CUBLAS (cublas_api.h,
// library_types.h), HIPBLAS1, HIPBLAS2 or HIPBLAS3 (hipblas.h of ROCm 5, 6 and 7), or INCOMPLETE:
// CUBLAS without its streams.
//
// Besides, for tests: what was called, and the status that the next product answers with.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "fake_library.h"
#include "kit/number.h"

#define CUBLAS 1
#define HIPBLAS1 2
#define HIPBLAS2 3
#define HIPBLAS3 4
#define INCOMPLETE 5

#if FAKE == CUBLAS || FAKE == INCOMPLETE
#define NAME(name) cublas##name
#define NAME2(name) cublas##name##_v2
#define STATUS_TEXT cublasGetStatusString
enum {
  OP_N = 0,
  OP_T = 1,
  NOT_INITIALIZED = 1,
  INVALID_VALUE = 7,
  EXECUTION_FAILED = 13,
  NOT_SUPPORTED = 15
};
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, FAST_16BF = 75, FAST_TF32 = 77, GEMM_DEFAULT = -1 };
#else
#define NAME(name) hipblas##name
#define NAME2(name) hipblas##name
#define STATUS_TEXT hipblasStatusToString
enum {
  OP_N = 111,
  OP_T = 112,
  NOT_INITIALIZED = 1,
  INVALID_VALUE = 3,
  EXECUTION_FAILED = 5,
  NOT_SUPPORTED = 7,
  GEMM_DEFAULT = 160
};
#if FAKE == HIPBLAS1
enum { R_16F = 150, R_32F = 151, R_64F = 152, R_16BF = 168 };
enum { COMPUTE_32F = R_32F, COMPUTE_64F = R_64F, FAST_16BF = -2, FAST_TF32 = -3 };
#else
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_16BF = 14 };
enum { COMPUTE_32F = 2, FAST_16BF = 5, FAST_TF32 = 6, COMPUTE_64F = 7 };
#endif
#endif
#if FAKE == HIPBLAS2
#define GEMM hipblasGemmStridedBatchedEx_v2
#else
#define GEMM NAME(GemmStridedBatchedEx)
#endif

namespace {

struct Handle {
  Port* stream;
  int math_mode;
};
struct Work {
  bool trans_a, trans_b;
  int m, n, k, count, type, compute;
  int lda, ldb, ldc;
  long long stride_a, stride_b, stride_c;
  const void *a, *b;
  void* c;
};

float rounded(float x, int bits) {  // to so many significant bits, halves to even
  uint32_t u = 0;
  std::memcpy(&u, &x, 4);
  const uint32_t dropped = 24 - static_cast<uint32_t>(bits), half = 1u << (dropped - 1);
  u += half - 1 + (u >> dropped & 1);
  u &= ~((1u << dropped) - 1);
  std::memcpy(&x, &u, 4);
  return x;
}

template <class T>
void multiply(const Work& w) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const auto read = [&](const void* p, long long at) {
    Sum x = bp_kit::convert<Sum>(static_cast<const T*>(p)[at]);
    if (w.compute == FAST_TF32) x = rounded(static_cast<float>(x), 11);
    if (w.compute == FAST_16BF) x = rounded(static_cast<float>(x), 8);
    return x;
  };
  for (long long i = 0; i < w.count; ++i)
    for (long long column = 0; column < w.n; ++column)
      for (long long row = 0; row < w.m; ++row) {
        Sum sum = 0;
        for (long long q = 0; q < w.k; ++q)
          sum += read(w.a, i * w.stride_a + (w.trans_a ? q + row * w.lda : row + q * w.lda)) *
                 read(w.b, i * w.stride_b + (w.trans_b ? column + q * w.ldb : q + column * w.ldb));
        static_cast<T*>(w.c)[i * w.stride_c + row + column * w.ldc] = bp_kit::convert<T>(sum);
      }
}

void run(const void* data) {
  Work w{};
  std::memcpy(&w, data, sizeof w);
  if (w.type == R_16F) multiply<bp_kit::F16>(w);
  if (w.type == R_16BF) multiply<bp_kit::BF16>(w);
  if (w.type == R_32F) multiply<float>(w);
  if (w.type == R_64F) multiply<double>(w);
}

template <class T>
bool is(const void* p, double wanted) {
  T x{};
  std::memcpy(&x, p, sizeof x);
  return x == static_cast<T>(wanted);
}

}  // namespace

EXPORT int NAME2(Create)(Handle** out) {
  if (next_answer == NOT_INITIALIZED) return next_answer;
  return make(out, &handles);
}
EXPORT int NAME2(Destroy)(Handle* h) { return drop(h, &handles); }
#if FAKE != INCOMPLETE
EXPORT int NAME2(SetStream)(Handle* h, Port* stream) {
  h->stream = stream;
  return 0;
}
#endif
EXPORT const char* STATUS_TEXT(int status) {
  return status == INVALID_VALUE      ? "invalid value"
         : status == EXECUTION_FAILED ? "execution failed"
                                      : "another status";
}
#if FAKE == CUBLAS || FAKE == INCOMPLETE
EXPORT int cublasSetMathMode(Handle* h, int mode) {
  h->math_mode = mode;
  return 0;
}
EXPORT int cublasGetProperty(int which, int* value) {
  *value = which + 1;
  return 0;
}
#endif

EXPORT int GEMM(Handle* h, int op_a, int op_b, int m, int n, int k, const void* alpha,
                const void* a, int type_a, int lda, long long stride_a, const void* b, int type_b,
                int ldb, long long stride_b, const void* beta, void* c, int type_c, int ldc,
                long long stride_c, int count, int compute, int algorithm) {
  ++calls;
  if (const int status = answer()) return status;
  if (FAKE == CUBLAS && h->math_mode != 16)
    return EXECUTION_FAILED;  // CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
  const bool wide = compute == COMPUTE_64F;
  const bool types = type_a == type_b && type_a == type_c && (type_a == R_64F) == wide &&
                     (type_a == R_16F || type_a == R_16BF || type_a == R_32F || type_a == R_64F) &&
                     (wide || compute == COMPUTE_32F ||
                      (type_a == R_32F && (compute == FAST_TF32 || compute == FAST_16BF)));
  const bool ops =
      (op_a == OP_N || op_a == OP_T) && (op_b == OP_N || op_b == OP_T) && algorithm == GEMM_DEFAULT;
  const bool sizes = m >= 0 && n >= 0 && k >= 0 && count >= 0;
  const bool leading = lda >= std::max(1, op_a == OP_N ? m : k) &&
                       ldb >= std::max(1, op_b == OP_N ? k : n) && ldc >= std::max(1, m);
  if (!types || !ops || !sizes || !leading) return INVALID_VALUE;
  if (wide ? !is<double>(alpha, 1) || !is<double>(beta, 0)
           : !is<float>(alpha, 1) || !is<float>(beta, 0))
    return NOT_SUPPORTED;
  const Work w{op_a == OP_T, op_b == OP_T, m,        n,        k, count, type_a, compute, lda, ldb,
               ldc,          stride_a,     stride_b, stride_c, a, b,     c};
  return h->stream->enqueue(h->stream, run, &w, sizeof w) == 0 ? 0 : EXECUTION_FAILED;
}
#if FAKE == HIPBLAS3
EXPORT int hipblasGemmStridedBatchedEx_64() { return NOT_SUPPORTED; }
#endif
