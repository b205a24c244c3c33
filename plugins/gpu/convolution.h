// SPDX-License-Identifier: Apache-2.0
// convolution.h: convolutions and their gradients by a vendor's library (VendorInfo, plugin.h).
// What it does not serve goes to kernels/convolution.cu's own.
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp_gpu {

// Of the rows convolution, convolution_input_grad and convolution_weight_grad. Everything is dense;
// over one dim there is a first one of size 1. The members are what a library's plan depends on.
struct ConvolutionShape {
  static constexpr int kDims = 3, kRank = kDims + 2;
  enum {
    kX,
    kW,
    kY
  };  // input [N, C, size..], weight [O, C / groups, kernel..], result [N, O, out..]
  uint32_t op;
  bp_dtype dtype;  // of all operands; f16 and bf16 are summed in f32
  bool may_round;  // f32 to TF32
  int32_t dims;    // spatial: 2 or 3
  int32_t groups;
  int32_t size[3][kRank];  // of each operand; 0 behind the last
  int32_t stride[kDims], padding[kDims], dilation[kDims];
  bool operator==(const ConvolutionShape&) const = default;
};

struct Convolution {
  ConvolutionShape shape;
  const void *first = nullptr, *second = nullptr;  // inputs, in the row's order
  void* out = nullptr;
  void* workspace = nullptr;
  uint64_t workspace_bytes = 0;
};

}  // namespace bp_gpu
