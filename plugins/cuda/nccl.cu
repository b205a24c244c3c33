// SPDX-License-Identifier: Apache-2.0
// nccl.cu: where NCCL lies (gpu/card_driver.h), and proof that collective_library.h has its
// numbers, where NVIDIA's header is there.
#include "gpu/card_driver.h"
#include "gpu/collective_library.h"
#if __has_include(<nccl.h>)
#include <nccl.h>
#define BP_SAME(ours, theirs) static_assert(bp_gpu::Nccl::ours == static_cast<int>(theirs))
BP_SAME(in_progress, ncclInProgress);
BP_SAME(sum, ncclSum);
BP_SAME(prod, ncclProd);
BP_SAME(max, ncclMax);
BP_SAME(min, ncclMin);
BP_SAME(avg, ncclAvg);
BP_SAME(i8, ncclInt8);
BP_SAME(u8, ncclUint8);
BP_SAME(i32, ncclInt32);
BP_SAME(u32, ncclUint32);
BP_SAME(i64, ncclInt64);
BP_SAME(u64, ncclUint64);
BP_SAME(f16, ncclFloat16);
BP_SAME(f32, ncclFloat32);
BP_SAME(f64, ncclFloat64);
BP_SAME(bf16, ncclBfloat16);
static_assert(ncclSuccess == 0);
static_assert(sizeof(bp_gpu::Nccl::Id) == sizeof(ncclUniqueId));
#ifdef NCCL_CONFIG_INITIALIZER
constexpr ncclConfig_t kConfig = NCCL_CONFIG_INITIALIZER;
static_assert(kConfig.magic == bp_gpu::Nccl::Config{}.magic);
static_assert(offsetof(bp_gpu::Nccl::Config, size) == offsetof(ncclConfig_t, size));
static_assert(offsetof(bp_gpu::Nccl::Config, magic) == offsetof(ncclConfig_t, magic));
static_assert(offsetof(bp_gpu::Nccl::Config, version) == offsetof(ncclConfig_t, version));
static_assert(offsetof(bp_gpu::Nccl::Config, blocking) == offsetof(ncclConfig_t, blocking));
#endif
#undef BP_SAME
#endif

namespace bp_gpu {

LibraryFiles collective_files() {
  return {"NCCL",
          {"libnccl.so.2"},
          {"$NCCL_HOME/lib", "$CUDA_HOME/lib64", "$CUDA_PATH/lib64", "/usr/local/cuda/lib64"}};
}

}  // namespace bp_gpu
