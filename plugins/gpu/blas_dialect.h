// SPDX-License-Identifier: Apache-2.0
// blas_dialect.h: the BLAS libraries that blas_library.h knows: cuBLAS, and hipBLAS in the three
// forms that it has had. One interface under different names and numbers. Sources: NVIDIA's
// cublas_api.h and library_types.h, ROCm's hipblas.h, hipblas-common.h and library_types.h. Version
// 2 of hipBLAS has both forms of its gemm, version 3 the new one under the old name.
#pragma once

namespace bp_gpu {

struct BlasDialect {
  const char* name;
  const char* mark;  // the function that tells this one from those that follow it in kBlasDialects
  const char *create, *destroy, *set_stream, *gemm, *status_text;
  const char *set_math_mode, *get_property;  // nullptr when it has none
  int op_n, op_t;
  int f16, bf16, f32, f64;  // data types
  // Compute types. The latter two sum in f32 and round inputs of f32.
  int sum_f32, sum_f64, tf32, as_bf16;
  int algorithm;
  int math_mode;  // sums of f16 are not rounded on their way
  int no_memory, wrong_value, unsupported, wrong_device;  // statuses; 0 is success
};

inline constexpr BlasDialect kCublas = {
    .name = "cuBLAS",
    .mark = "cublasCreate_v2",
    .create = "cublasCreate_v2",
    .destroy = "cublasDestroy_v2",
    .set_stream = "cublasSetStream_v2",
    .gemm = "cublasGemmStridedBatchedEx",
    .status_text = "cublasGetStatusString",
    .set_math_mode = "cublasSetMathMode",
    .get_property = "cublasGetProperty",
    .op_n = 0,
    .op_t = 1,
    .f16 = 2,
    .bf16 = 14,
    .f32 = 0,
    .f64 = 1,
    .sum_f32 = 68,
    .sum_f64 = 70,
    .tf32 = 77,
    .as_bf16 = 75,
    .algorithm = -1,
    .math_mode = 16,
    .no_memory = 3,
    .wrong_value = 7,
    .unsupported = 15,
    .wrong_device = 8,
};

inline constexpr BlasDialect kHipblas2 = {
    .name = "hipBLAS",
    .mark = "hipblasGemmStridedBatchedEx_v2",
    .create = "hipblasCreate",
    .destroy = "hipblasDestroy",
    .set_stream = "hipblasSetStream",
    .gemm = "hipblasGemmStridedBatchedEx_v2",
    .status_text = "hipblasStatusToString",
    .set_math_mode = nullptr,
    .get_property = nullptr,
    .op_n = 111,
    .op_t = 112,
    .f16 = 2,
    .bf16 = 14,
    .f32 = 0,
    .f64 = 1,
    .sum_f32 = 2,
    .sum_f64 = 7,
    .tf32 = 6,
    .as_bf16 = 5,
    .algorithm = 160,
    .math_mode = 0,
    .no_memory = 2,
    .wrong_value = 3,
    .unsupported = 7,
    .wrong_device = 8,
};

constexpr BlasDialect hipblas3() {
  BlasDialect d = kHipblas2;
  d.mark = "hipblasGemmStridedBatchedEx_64";
  d.gemm = "hipblasGemmStridedBatchedEx";
  return d;
}
inline constexpr BlasDialect kHipblas3 = hipblas3();

// Version 1 takes data types for compute types, and has no TF32.
constexpr BlasDialect hipblas1() {
  BlasDialect d = kHipblas2;
  d.mark = "hipblasCreate";
  d.gemm = "hipblasGemmStridedBatchedEx";
  d.f16 = 150, d.bf16 = 168, d.f32 = 151, d.f64 = 152;
  d.sum_f32 = d.tf32 = d.as_bf16 = d.f32;
  d.sum_f64 = d.f64;
  return d;
}
inline constexpr BlasDialect kHipblas1 = hipblas1();

inline constexpr const BlasDialect* kBlasDialects[] = {&kCublas, &kHipblas2, &kHipblas3,
                                                       &kHipblas1};

}  // namespace bp_gpu
