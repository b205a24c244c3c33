// SPDX-License-Identifier: Apache-2.0
// slots.h: the plugin's functions, called without the library in between. What an application
// cannot see is seen here: whether a refusal came with a sentence, whether an exception left the
// plugin, and what host memory was not given back.
//
//   Slots slots(subject);
//   void* block = nullptr;
//   Said said = slots.ask([&](bp_error** e) { return slots.api().mem_alloc(d, 64, &block, e); });
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>

#include "c_plugin.h"
#include "verify/runtime.h"

namespace verifier {

// What a function of a plugin answered.
struct Said {
  bp_status status = BP_OK;
  std::string text{};  // of its error, or of the exception that left it
  bool threw = false;
  bool good() const { return status == BP_OK && !threw; }
  // "BP_UNSUPPORTED: there is no ..." for people.
  std::string sentence() const;
};
Said ask(const std::function<bp_status(bp_error**)>& call);

// The services that a plugin is given, with its blocks counted.
class CountingHost {
 public:
  explicit CountingHost(std::string kind);
  const bp_host* table() const { return &table_; }
  // "3 blocks, 192 bytes" that were allocated and not freed; "" for none.
  std::string left() const;

 private:
  void* allocate(uint64_t bytes, uint64_t alignment);
  void free(void* p);
  const char* option(const char* key);

  bp_host table_{};
  std::string kind_;
  mutable std::mutex mutex_;
  std::unordered_map<void*, uint64_t> blocks_;
};

// The plugin's file, opened once: the answer of its bp_plugin_query.
class Library {
 public:
  explicit Library(const std::string& file);
  bp_status query(uint32_t abi_min, uint32_t abi_max, bp_plugin_info* info) const;

 private:
  std::shared_ptr<void> handle_;
  bp_plugin_query_fn query_ = nullptr;
};

// One opened and probed instance. Throws std::runtime_error when a step is refused.
class Slots {
 public:
  Slots(const Library& library, CountingHost& host);
  ~Slots();
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  const bp_plugin_api& api() const { return api_; }
  bp_plugin* plugin() const { return plugin_; }
  uint32_t n_devices() const { return n_devices_; }
  bp_device_props props(uint32_t physical) const;
  bp_pdev* open(uint32_t physical) const;

 private:
  bp_plugin_api api_{};
  bp_plugin* plugin_ = nullptr;
  uint32_t n_devices_ = 0;
};

}  // namespace verifier
