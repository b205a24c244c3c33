// SPDX-License-Identifier: Apache-2.0
// dnn_numbers.h: the numbers of cuDNN's interface that dnn_library.h calls, versions 8 and 9, and
// what its heuristics answer. Source: NVIDIA's cudnn.h and cudnn_{graph,ops,cnn}.h;
// cuda/dnn.cu compares them where the header is there.
#pragma once
#include <cstddef>

namespace bp_gpu {

struct Dnn {
  enum : int { kFloat = 0, kDouble = 1, kHalf = 2, kBfloat16 = 9 };  // cudnnDataType_t
  enum : int { kNchw = 0 };                                          // cudnnTensorFormat_t
  enum : int { kCrossCorrelation = 1 };                              // cudnnConvolutionMode_t
  // cudnnMathType_t. kDefaultMath may round f32 to TF32.
  enum : int { kDefaultMath = 0, kTensorOpMath = 1, kConvertingMath = 2, kFmaMath = 3 };
  enum : int { kDeterministic = 1 };  // cudnnDeterminism_t
  // Algorithms that sum the products of matrices, in all of which zeros times infinity stay where
  // they belong and errors are those of sums: not FFT, not Winograd. Those towards the weight and
  // the input are the ones that add in the same order every time.
  enum : int { kLastForward = 2, kBackwardData = 1, kBackwardFilter = 1 };
  // cudnnStatus_t: of version 8, and, by thousands, of version 9.
  enum : int { kNoMemory8 = 2, kWrongValue8 = 3, kUnsupported8 = 9 };
  enum : int {
    kWrongValue9 = 2000,
    kUnsupported9 = 3000,
    kNoHostMemory9 = 4003,
    kNoMemory9 = 4004
  };

  struct Performance {  // cudnnConvolution*AlgoPerf_t
    int algorithm, status;
    float time;
    size_t memory;
    int determinism, math;
    int reserved[3];
  };
};

}  // namespace bp_gpu
