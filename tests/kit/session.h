// SPDX-License-Identifier: Apache-2.0
// session.h: one runtime from bp_init to bp_shutdown, with the options of a test and what it logs.
// It reads no environment unless its flags say so.
//
//   Session session("sim.device_count=2;sim.fail_launch=1");
//   Session other(Start{.plugin_dirs = folder, .alias = "cuda=null"});
#pragma once
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kit/answer.h"
#if defined(SIM_IS_CUDA)
#include "cuda/as_sim.h"
#endif

namespace bp_test {

struct Start {
  std::string plugin_dirs{}, allow{}, options{};
  const char* visible_devices = nullptr;
  const char* alias = nullptr;
  uint32_t flags = BP_INIT_NO_ENV;
};

class Session {
 public:
  explicit Session(const std::string& options = "", uint32_t flags = BP_INIT_NO_ENV)
      : Session(Start{.options = options, .flags = flags}) {}
  explicit Session(Start start) : start_(std::move(start)) {
#if defined(SIM_IS_CUDA)
    start_as_sim(&start_);
#endif
    bp_init_desc desc{};
    desc.struct_size = sizeof desc;
    desc.flags = start_.flags;
    desc.plugin_dirs = start_.plugin_dirs.c_str();
    desc.allow = start_.allow.c_str();
    desc.options = start_.options.c_str();
    desc.visible_devices = start_.visible_devices;
    desc.alias = start_.alias;
    desc.log = [](void* user, int32_t level, const char* text, uint64_t length) {
      auto& here = *static_cast<Session*>(user);
      const std::lock_guard lock(here.mutex_);  // any thread logs
      here.log_.push_back({level, {text, length}});
    };
    desc.log_user = this;
    const Answer a = attempt(bp_init, static_cast<const bp_init_desc*>(&desc));
    EXPECT_EQ(a.status, BP_OK) << a.message;
  }
  ~Session() { EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The lines of these levels so far (0 debug, 1 information, 2 warning, 3 error).
  std::vector<std::string> logged(int32_t least, int32_t most) const {
    std::vector<std::string> texts;
    const std::lock_guard lock(mutex_);
    for (const Line& line : log_)
      if (line.level >= least && line.level <= most) texts.push_back(line.text);
    return texts;
  }
  size_t log_lines_with(const std::string& words) const {
    size_t n = 0;
    const std::lock_guard lock(mutex_);
    for (const Line& line : log_) n += line.text.find(words) != std::string::npos;
    return n;
  }

 private:
  struct Line {
    int32_t level;
    std::string text;
  };
  Start start_;
  mutable std::mutex mutex_;
  std::vector<Line> log_;
};

}  // namespace bp_test
