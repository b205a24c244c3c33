// SPDX-License-Identifier: Apache-2.0
// dnn.cu: where cuDNN lies (gpu/card_driver.h), and proof that dnn_numbers.h has its numbers, where
// its header is there.
#include "gpu/card_driver.h"
#include "gpu/dnn_numbers.h"
#if __has_include(<cudnn.h>)
#include <cudnn.h>

#define BP_SAME(ours, theirs) \
  static_assert(static_cast<int>(bp_gpu::Dnn::ours) == static_cast<int>(theirs))
BP_SAME(kFloat, CUDNN_DATA_FLOAT);
BP_SAME(kDouble, CUDNN_DATA_DOUBLE);
BP_SAME(kHalf, CUDNN_DATA_HALF);
BP_SAME(kBfloat16, CUDNN_DATA_BFLOAT16);
BP_SAME(kNchw, CUDNN_TENSOR_NCHW);
BP_SAME(kCrossCorrelation, CUDNN_CROSS_CORRELATION);
BP_SAME(kDefaultMath, CUDNN_DEFAULT_MATH);
BP_SAME(kTensorOpMath, CUDNN_TENSOR_OP_MATH);
BP_SAME(kConvertingMath, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION);
BP_SAME(kFmaMath, CUDNN_FMA_MATH);
BP_SAME(kDeterministic, CUDNN_DETERMINISTIC);
BP_SAME(kLastForward, CUDNN_CONVOLUTION_FWD_ALGO_GEMM);
BP_SAME(kBackwardData, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1);
BP_SAME(kBackwardFilter, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1);
static_assert(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM == 0 &&
              CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM == 1);
static_assert(CUDNN_STATUS_SUCCESS == 0);
#if CUDNN_MAJOR >= 9
BP_SAME(kWrongValue9, CUDNN_STATUS_BAD_PARAM);
BP_SAME(kUnsupported9, CUDNN_STATUS_NOT_SUPPORTED);
BP_SAME(kNoHostMemory9, CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED);
BP_SAME(kNoMemory9, CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
#else
BP_SAME(kNoMemory8, CUDNN_STATUS_ALLOC_FAILED);
BP_SAME(kWrongValue8, CUDNN_STATUS_BAD_PARAM);
BP_SAME(kUnsupported8, CUDNN_STATUS_NOT_SUPPORTED);
#endif
#define BP_PLACE(ours, theirs)                              \
  static_assert(offsetof(bp_gpu::Dnn::Performance, ours) == \
                offsetof(cudnnConvolutionFwdAlgoPerf_t, theirs))
BP_PLACE(algorithm, algo);
BP_PLACE(status, status);
BP_PLACE(time, time);
BP_PLACE(memory, memory);
BP_PLACE(determinism, determinism);
BP_PLACE(math, mathType);
static_assert(sizeof(bp_gpu::Dnn::Performance) == sizeof(cudnnConvolutionFwdAlgoPerf_t) &&
              sizeof(bp_gpu::Dnn::Performance) == sizeof(cudnnConvolutionBwdDataAlgoPerf_t) &&
              sizeof(bp_gpu::Dnn::Performance) == sizeof(cudnnConvolutionBwdFilterAlgoPerf_t));
#undef BP_PLACE
#undef BP_SAME
#endif

namespace bp_gpu {

LibraryFiles dnn_files() {
  return {"cuDNN",
          {"libcudnn.so.9", "libcudnn.so.8"},
          {"$CUDNN_HOME/lib", "$CUDA_HOME/lib64", "$CUDA_PATH/lib64", "/usr/local/cuda/lib64"}};
}

}  // namespace bp_gpu
