// SPDX-License-Identifier: Apache-2.0
// profile.cc: profiles; declared in c_profile.h. One that the environment asks for begins with the
// runtime and ends with it, or with the process.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>

#include "c_profile.h"
#include "core/backend/resolve.h"
#include "core/base/guard.h"
#include "core/base/locks.h"
#include "core/c_api/lifecycle.h"
#include "core/device/queue_trace.h"
#include "core/io/trace_file.h"
#include "core/memory/holders.h"
#include "core/process/runtime.h"
#include "core/process/trace.h"

namespace bp {
namespace {

constexpr uint64_t kMostSpans = 1'000'000;

void stop_profile(Settle how) {
  stop_spans();
  settle_queues(how);
  forget_queues();
  end_profile(followed_blocks());
}

// most: how many spans, and how many blocks.
void start_profile(uint64_t most) {
  install_fork_handlers();  // no backend may have been looked for yet
  begin_profile(most);
  forget_queues();  // of an earlier one
  follow_blocks(most);
}

void save_profile(const std::string& path) {
  const std::shared_ptr<const Profile> p = last_profile();
  if (!p) fail(BP_BAD_STATE, "no profile was stopped that could be saved");
  write_trace(*p, path);
}

// Where the environment wants the profile of this runtime; empty: nowhere. Guarded by a leaf mutex.
std::string& wanted_path() {
  static auto& path = *new std::string;
  return path;
}

void replace_word(std::string& text, std::string_view word, const std::string& by) {
  if (const size_t at = text.find(word); at != std::string::npos) text.replace(at, word.size(), by);
}

// "%p" becomes the process's number. A later runtime of this process has a file of its own. The
// folder is that of now.
std::string own_path(std::string path) {
  static int n_runtimes = 0;
  replace_word(path, "%p", std::to_string(::getpid()));
  if (n_runtimes++) path += "." + std::to_string(n_runtimes);
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::absolute(path, none);
  return none ? path : whole.string();
}

// "%r" becomes the rank, which is known at the end; of a process in no group, the process's number.
std::string with_rank(std::string path) {
  const std::shared_ptr<const Profile> p = last_profile();
  const bool is_member = p && p->member.size;
  replace_word(path, "%r", std::to_string(is_member ? p->member.rank : ::getpid()));
  return path;
}

void save_wanted() noexcept {
  std::string path;
  {
    const std::lock_guard lock(leaf_mutexes.of(&wanted_path()));
    path.swap(wanted_path());
  }
  if (path.empty()) return;
  try {
    if (keeps_profile()) stop_profile(Settle::kSoon);
    save_profile(with_rank(std::move(path)));
  } catch (const std::exception& e) {
    log(kLogError, "the profile of BACKPLANE_PROFILE was not saved: {}", e.what());
  }
}

}  // namespace

void forget_profile_in_child() noexcept {
  forget_spans_in_child();
  forget_queues_in_child();
  forget_blocks_in_child();
  wanted_path().clear();
}

void begin_wanted_profile() {
  // A program with rights that its caller lacks writes no file for him.
  std::optional<std::string> path = read_secure_env("BACKPLANE_PROFILE");
  if (!path || path->empty()) return;
  static const int registered = [] {
    before_shutdown(save_wanted);
    return std::atexit(save_wanted);
  }();
  static_cast<void>(registered);
  start_profile(kMostSpans);
  const std::lock_guard lock(leaf_mutexes.of(&wanted_path()));
  wanted_path() = own_path(std::move(*path));
}

}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_profile_start(const bp_profile_options* options, bp_error** err) {
  return guard(err, [&] {
    const bp_profile_options chosen =
        options ? get_struct(options, "bp_profile_options") : bp_profile_options{};
    if (chosen.flags)
      fail(BP_INVALID_ARGUMENT, "bp_profile_options.flags has flags that are not known: {:#x}",
           chosen.flags);
    ensure_started();
    start_profile(chosen.most_spans ? chosen.most_spans : kMostSpans);
  });
}

bp_status bp_profile_stop(bp_error** err) {
  return guard(err, [&] { stop_profile(Settle::kAll); });
}

uint32_t bp_profile_running(void) { return keeps_profile() ? 1 : 0; }

bp_status bp_profile_save(const char* path, bp_error** err) {
  return guard(err, [&] { save_profile(need(path, "path")); });
}

bp_status bp_memory_snapshot(const char* path, bp_error** err) {
  return guard(err, [&] {
    need(path, "path");
    Profile now = profile_until_now();
    now.blocks = living_blocks();
    each_open_device([&](Device& d) {
      now.counts.push_back({d.label, now.end, d.memory_stats().allocated_bytes});
    });
    write_trace(now, path);
  });
}

bp_status bp_profile_push(const char* name, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    *token = push_range(need(name, "name"));
  });
}

bp_status bp_profile_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { pop_range(token); });
}
}
