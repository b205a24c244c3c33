// SPDX-License-Identifier: Apache-2.0
// lt.cu: where cuBLASLt lies (gpu/card_driver.h), and proof that lt_numbers.h has its numbers,
// where the toolkit's header is there.
#include "gpu/card_driver.h"
#include "gpu/lt_numbers.h"
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

#define BP_SAME(ours, theirs) \
  static_assert(static_cast<int>(bp_gpu::Lt::ours) == static_cast<int>(theirs))
BP_SAME(kF32, CUDA_R_32F);
BP_SAME(kF16, CUDA_R_16F);
BP_SAME(kI8, CUDA_R_8I);
BP_SAME(kI32, CUDA_R_32I);
BP_SAME(kBf16, CUDA_R_16BF);
BP_SAME(kSumF32, CUBLAS_COMPUTE_32F);
BP_SAME(kSumI32, CUBLAS_COMPUTE_32I);
BP_SAME(kAsBf16, CUBLAS_COMPUTE_32F_FAST_16BF);
BP_SAME(kTf32, CUBLAS_COMPUTE_32F_FAST_TF32);
BP_SAME(kPlain, CUBLAS_OP_N);
BP_SAME(kTransposed, CUBLAS_OP_T);
BP_SAME(kFirstOp, CUBLASLT_MATMUL_DESC_TRANSA);
BP_SAME(kSecondOp, CUBLASLT_MATMUL_DESC_TRANSB);
BP_SAME(kEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE);
BP_SAME(kBias, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
BP_SAME(kBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
BP_SAME(kBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
BP_SAME(kMostWorkspace, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
BP_SAME(kReductions, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
BP_SAME(kAlignments, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
BP_SAME(kAlignments + 3, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
BP_SAME(kNoEpilogue, CUBLASLT_EPILOGUE_DEFAULT);
BP_SAME(kRelu, CUBLASLT_EPILOGUE_RELU);
BP_SAME(kAddBias, CUBLASLT_EPILOGUE_BIAS);
BP_SAME(kRelu | bp_gpu::Lt::kAddBias, CUBLASLT_EPILOGUE_RELU_BIAS);
BP_SAME(kReduceInSumType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
BP_SAME(kNoMemory, CUBLAS_STATUS_ALLOC_FAILED);
BP_SAME(kWrongValue, CUBLAS_STATUS_INVALID_VALUE);
BP_SAME(kWrongDevice, CUBLAS_STATUS_ARCH_MISMATCH);
BP_SAME(kUnsupported, CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(CUBLAS_STATUS_SUCCESS == 0);
static_assert(sizeof(bp_gpu::Lt::Algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(bp_gpu::Lt::Result) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(bp_gpu::Lt::Result, workspace_bytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(bp_gpu::Lt::Result, status) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, state));
#undef BP_SAME
#endif

namespace bp_gpu {

LibraryFiles lt_files() {
  return {
      "cuBLASLt",
      {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"},
      {"$CUDA_HOME/lib64", "$CUDA_PATH/lib64", "/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64"}};
}

}  // namespace bp_gpu
