// SPDX-License-Identifier: Apache-2.0
#include "kit/registry.h"

#include <cstdlib>

namespace bp_kit {

Registry::~Registry() { std::free(records_); }

void Registry::clear() {
  count_ = 0;
  complete_ = true;
}

void Registry::add(uint32_t op, uint64_t dtypes, Run run, uint32_t flags, Workspace workspace,
                   uint32_t small) {
  if (count_ == room_) {
    uint32_t room = room_ ? room_ * 2 : 128;
    void* p = std::realloc(records_, room * sizeof(bp_kernel));
    if (!p) {
      complete_ = false;
      return;
    }
    records_ = static_cast<bp_kernel*>(p);
    room_ = room;
  }
  records_[count_++] = {sizeof(bp_kernel), op, dtypes, flags, small, run, workspace};
}

}  // namespace bp_kit
