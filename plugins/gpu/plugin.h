// SPDX-License-Identifier: Apache-2.0
// plugin.h: what a vendor and the shared source know of each other, besides vendor.h.
#pragma once
#include "gpu/attention.h"
#include "gpu/blas.h"
#include "gpu/convolution.h"
#include "gpu/sort_pairs.h"
#include "kit/registry.h"

namespace bp_gpu {

// Adds all kernels of plugins/gpu; returns false when host memory is exhausted.
bool add_kernels(bp_kit::Registry& r);

struct VendorInfo {
  const char* kind;
  const char* mask_variable;  // as bp_plugin_info's
  const bp_plugin_api* api;
  bp_plugin* (*create)(const bp_host* host);  // nullptr: host memory is exhausted
  // Enqueues the product in the launch's stream. Returns BP_UNSUPPORTED, without an error object,
  // when this BLAS has no such product. It is nullptr when there is no BLAS.
  bp_status (*gemm)(const bp_launch& l, const Gemm& g, bp_error** err) = nullptr;
  // Whether there is a BLAS for the launch's stream. It is nullptr where gemm is.
  bool (*has_blas)(const bp_launch& l) = nullptr;
  // Enqueues the sort in the launch's stream. Without a temporary it only sets temporary_bytes, or
  // returns BP_UNSUPPORTED, without an error object, when there is no such sort. It is nullptr when
  // there is none at all.
  bp_status (*sort_pairs)(const bp_launch& l, SortPairs* s, bp_error** err) = nullptr;
  // Enqueues the convolution in the launch's stream. Without an `out` it only sets workspace_bytes,
  // or returns BP_UNSUPPORTED, without an error object, when it does not serve the convolution. Of
  // the launch it reads the stream. It is nullptr when there is no library for convolutions.
  bp_status (*convolve)(const bp_launch& l, Convolution* c, bp_error** err) = nullptr;
  // Enqueues the product and what is behind it in the launch's stream, or says what workspace that
  // needs. Returns BP_UNSUPPORTED, without an error object, when there is no such product. It is
  // nullptr when there is no library for it.
  bp_status (*fused_gemm)(const bp_launch& l, FusedGemm* g, bp_error** err) = nullptr;
  // Enqueues the attention in the launch's stream. Returns BP_UNSUPPORTED, without an error object,
  // when it has no kernel for the call. It is nullptr when there is none at all.
  bp_status (*attend)(const bp_launch& l, const Attention& a, bp_error** err) = nullptr;
};
const VendorInfo& vendor();  // each vendor defines it

}  // namespace bp_gpu
