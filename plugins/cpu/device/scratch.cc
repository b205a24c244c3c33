// SPDX-License-Identifier: Apache-2.0
#include "device/scratch.h"

#include "device/device.h"
#include "device/error.h"

namespace bp_cpu {
namespace {
const bp_host* host_of(const bp_launch& launch) { return launch.stream->device->plugin->host; }
}  // namespace

Scratch::Scratch(const bp_launch& launch, uint64_t bytes)
    : launch_(launch), bytes_(bytes), data_(small_) {
  if (bytes > sizeof small_) data_ = host_of(launch)->alloc(host_of(launch)->self, bytes, 64);
}

Scratch::~Scratch() {
  if (data_ && data_ != small_) host_of(launch_)->free(host_of(launch_)->self, data_);
}

bp_status Scratch::fail(bp_error** err) const {
  return bp_cpu::fail(&launch_, err, BP_OUT_OF_HOST_MEMORY,
                      "cpu: cannot allocate %llu bytes to work in",
                      static_cast<unsigned long long>(bytes_));
}

}  // namespace bp_cpu
