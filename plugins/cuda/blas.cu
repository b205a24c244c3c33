// SPDX-License-Identifier: Apache-2.0
// blas.cu: where cuBLAS lies (gpu/card_driver.h), and proof that blas_dialect.h has its numbers,
// where the toolkit's header is there.
#include "gpu/blas_dialect.h"
#include "gpu/card_driver.h"
#if __has_include(<cublas_api.h>)
#include <cublas_api.h>
#define BP_SAME(ours, theirs) static_assert(bp_gpu::kCublas.ours == static_cast<int>(theirs))
BP_SAME(op_n, CUBLAS_OP_N);
BP_SAME(op_t, CUBLAS_OP_T);
BP_SAME(f16, CUDA_R_16F);
BP_SAME(bf16, CUDA_R_16BF);
BP_SAME(f32, CUDA_R_32F);
BP_SAME(f64, CUDA_R_64F);
BP_SAME(sum_f32, CUBLAS_COMPUTE_32F);
BP_SAME(sum_f64, CUBLAS_COMPUTE_64F);
BP_SAME(tf32, CUBLAS_COMPUTE_32F_FAST_TF32);
BP_SAME(as_bf16, CUBLAS_COMPUTE_32F_FAST_16BF);
BP_SAME(algorithm, CUBLAS_GEMM_DEFAULT);
BP_SAME(math_mode, CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
BP_SAME(no_memory, CUBLAS_STATUS_ALLOC_FAILED);
BP_SAME(wrong_value, CUBLAS_STATUS_INVALID_VALUE);
BP_SAME(unsupported, CUBLAS_STATUS_NOT_SUPPORTED);
BP_SAME(wrong_device, CUBLAS_STATUS_ARCH_MISMATCH);
static_assert(CUBLAS_STATUS_SUCCESS == 0);
#undef BP_SAME
#endif

namespace bp_gpu {

// The driver serves any of them, whatever CUDA this plugin was built with.
LibraryFiles blas_files() {
  return {
      kCublas.name,
      {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"},
      {"$CUDA_HOME/lib64", "$CUDA_PATH/lib64", "/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64"}};
}

}  // namespace bp_gpu
