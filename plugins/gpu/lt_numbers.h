// SPDX-License-Identifier: Apache-2.0
// lt_numbers.h: the numbers of cuBLASLt's interface that lt_library.h calls. Sources: NVIDIA's
// cublasLt.h, cublas_api.h and library_types.h; cuda/lt.cu compares them where these are there.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bp_gpu {

struct Lt {
  enum : int { kF32 = 0, kF16 = 2, kI8 = 3, kI32 = 10, kBf16 = 14 };     // cudaDataType
  enum : int { kSumF32 = 68, kSumI32 = 72, kAsBf16 = 75, kTf32 = 77 };   // compute types
  enum : int { kPlain = 0, kTransposed = 1 };                            // operations
  enum : int { kFirstOp = 3, kSecondOp = 4, kEpilogue = 7, kBias = 8 };  // of a product
  enum : int { kBatchCount = 5, kBatchStride = 6 };                      // of a layout
  enum : int { kMostWorkspace = 1, kReductions = 3, kAlignments = 5 };   // preferences
  enum : int { kNoEpilogue = 1, kRelu = 2, kAddBias = 4 };               // bits
  enum : int { kReduceInSumType = 2 };                                   // a mask
  enum : int { kNoMemory = 3, kWrongValue = 7, kWrongDevice = 8, kUnsupported = 15 };  // statuses

  struct Algorithm {  // cublasLtMatmulAlgo_t
    uint64_t data[8];
  };
  struct Result {  // cublasLtMatmulHeuristicResult_t
    Algorithm algorithm;
    size_t workspace_bytes;
    int status;
    float waves;
    int reserved[4];
  };
};

}  // namespace bp_gpu
