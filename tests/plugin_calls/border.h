// SPDX-License-Identifier: Apache-2.0
// border.h: what passes between the core and the wrapping plugins (wrapping.cc), as tests see it:
// calls that are refused when a test says so, and every handle that a plugin gave out. Wrappers of
// all kinds share it. Any thread may use it.
//
//   Border& b = border();
//   b.start(/*granted=*/3, /*refused=*/1, BP_INTERNAL);
//   // ... calls of the library
//   EXPECT_EQ(b.stop().slots, std::vector<std::string>{"stream_sync"});
//   EXPECT_EQ(b.misuse(), "");
#pragma once
#include <array>
#include <map>
#include <memory_resource>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_types.h"
#include "kit/refusals.h"

namespace bp_test {

class __attribute__((visibility("default"))) Border {
 public:
  enum Kind {
    kPlugin,
    kDevice,
    kStream,
    kEvent,
    kBlock,
    kPinned,
    kCommunicator,
    kWide,
    kCode,
    kKinds
  };

  struct Refused {
    std::vector<std::string> slots;
    bool waited = false;  // a wait came after the last of them that was none itself
  };

  // ---- for tests ----
  // The first `granted` calls that can fail are let through, the next `refused` answer `status`,
  // and others are let through again until stop(), which says what was refused.
  void start(long granted, long refused, bp_status status);
  Refused stop();
  // How many of each kind are open.
  std::array<long, kKinds> open() const;
  // What the core did wrong since the last question, "" for nothing: it used or closed what is not
  // open, gave a block back with another size, left something open on what it closed.
  std::string misuse();

  // ---- for plugins ----
  // BP_OK when the call is let through. A wait that is refused has waited.
  bp_status answer(const char* slot);
  static bool is_wait(std::string_view slot);
  static std::string name_of(size_t kind);
  void opens(Kind kind, const void* handle, const void* owner, uint64_t bytes = 0);
  void closes(Kind kind, const void* handle, uint64_t bytes = 0);
  void uses(Kind kind, const void* handle, const char* slot);

 private:
  struct Opened {
    const void* owner;
    uint64_t bytes;
  };
  void note(std::string what);

  mutable std::mutex mutex_;
  Refusals plan_;
  bp_status status_ = BP_OK;
  Refused met_;
  // Tests count malloc's blocks, and let it fail, so these are none of them.
  std::array<char, 1 << 20> room_;
  std::pmr::monotonic_buffer_resource chunks_{room_.data(), room_.size()};
  std::pmr::unsynchronized_pool_resource nodes_{&chunks_};
  std::pmr::map<std::pair<Kind, const void*>, Opened> opened_{&nodes_};
  std::string misuse_;
};

__attribute__((visibility("default"))) Border& border();

}  // namespace bp_test
