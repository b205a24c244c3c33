// SPDX-License-Identifier: Apache-2.0
// plugin.cc: the handshake, and the list of kernel families.
#include "gpu/plugin.h"

#include <algorithm>

#include "families.h"
#include "kit/error.h"

namespace bp_gpu {

#define BP_DECLARE(family) void add_##family(bp_kit::Registry& r);
BP_GPU_FAMILIES(BP_DECLARE)
#undef BP_DECLARE

bool add_kernels(bp_kit::Registry& r) {
  r.clear();
#define BP_ADD(family) add_##family(r);
  BP_GPU_FAMILIES(BP_ADD)
#undef BP_ADD
  return r.complete();
}

namespace {

bp_status open(const bp_host* host, bp_plugin** out, const bp_plugin_api** api, bp_error** err) {
  *out = vendor().create(host);
  if (!*out)
    return bp_kit::fail(host, err, BP_OUT_OF_HOST_MEMORY, "%s: host memory exhausted",
                        vendor().kind);
  *api = vendor().api;
  return BP_OK;
}

}  // namespace
}  // namespace bp_gpu

bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max, bp_plugin_info* info) {
  info->abi_min = BP_PLUGIN_ABI_MIN;
  info->abi_max = BP_PLUGIN_ABI_MAX;
  info->kind = bp_gpu::vendor().kind;
  info->version = BP_VERSION;
  info->build = "C++ " __VERSION__ " " BP_BUILD_SANITIZE;
  info->mask_variable = bp_gpu::vendor().mask_variable;
  info->api_size = sizeof(bp_plugin_api);
  info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch);
  info->host_size = sizeof(bp_host);
  info->open = bp_gpu::open;
  if (host_abi_max < BP_PLUGIN_ABI_MIN || host_abi_min > BP_PLUGIN_ABI_MAX) {
    info->reason = "this plugin speaks plugin ABI 1 only";
    return BP_INCOMPATIBLE;
  }
  info->abi_chosen = std::min<uint32_t>(host_abi_max, BP_PLUGIN_ABI_MAX);
  return BP_OK;
}
