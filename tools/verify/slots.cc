// SPDX-License-Identifier: Apache-2.0
#include "verify/slots.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace verifier {

std::string Said::sentence() const {
  if (threw) return "threw an exception: " + text;
  return fmt::format("{}: {}", bp_status_name(status), text.empty() ? "no sentence" : text);
}

Said ask(const std::function<bp_status(bp_error**)>& call) {
  Said said;
  bp_error* err = nullptr;
  try {
    said.status = call(&err);
    said.text = err ? bp_error_message(err, nullptr) : "";
  } catch (const std::exception& e) {
    said = {BP_INTERNAL, e.what(), true};
  } catch (...) {
    said = {BP_INTERNAL, "one of no known kind", true};
  }
  bp_error_release(err);
  return said;
}

namespace {

void require(const char* what, const std::function<bp_status(bp_error**)>& call) {
  const Said said = ask(call);
  if (!said.good()) throw std::runtime_error(std::string(what) + " " + said.sentence());
}

CountingHost& host_of(void* self) { return *static_cast<CountingHost*>(self); }

}  // namespace

CountingHost::CountingHost(std::string kind) : kind_(std::move(kind)) {
  table_.struct_size = sizeof table_;
  table_.abi = BP_PLUGIN_ABI_MAX;
  table_.self = this;
  table_.fail = [](void*, bp_error** err, bp_status code, const char* text, uint64_t length) {
    return bp_error_set(err, code, std::string(text, length).c_str());
  };
  table_.alloc = [](void* self, uint64_t bytes, uint64_t alignment) {
    return host_of(self).allocate(bytes, alignment);
  };
  table_.free = [](void* self, void* p) { host_of(self).free(p); };
  table_.log = [](void*, int32_t, const char*, uint64_t) {};
  table_.option = [](void* self, const char* key) { return host_of(self).option(key); };
  table_.num_threads = [](void*) { return int32_t{1}; };
  table_.extension = [](void*, const char*) -> const void* { return nullptr; };
}

void* CountingHost::allocate(uint64_t bytes, uint64_t alignment) {
  alignment = std::max<uint64_t>(alignment, alignof(std::max_align_t));
  const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + alignment - 1) & ~(alignment - 1);
  if (rounded < bytes) return nullptr;
  void* p = std::aligned_alloc(alignment, rounded);
  if (!p) return nullptr;
  std::lock_guard lock(mutex_);
  blocks_[p] = bytes;
  return p;
}

void CountingHost::free(void* p) {
  {
    std::lock_guard lock(mutex_);
    blocks_.erase(p);
  }
  std::free(p);
}

const char* CountingHost::option(const char* key) {
  std::string name = key;
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
    name = kind_ + "_" + name;
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return ::secure_getenv(name.c_str());
}

std::string CountingHost::left() const {
  std::lock_guard lock(mutex_);
  if (blocks_.empty()) return "";
  uint64_t bytes = 0;
  for (const auto& block : blocks_) bytes += block.second;
  return fmt::format("{} block{}, {} bytes", blocks_.size(), blocks_.size() == 1 ? "" : "s", bytes);
}

Library::Library(const std::string& file)
    : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* h) {
        if (h) dlclose(h);
      }) {
  if (!handle_) throw std::runtime_error(dlerror());
  query_ = reinterpret_cast<bp_plugin_query_fn>(dlsym(handle_.get(), "bp_plugin_query"));
  if (!query_) throw std::runtime_error(file + " has no bp_plugin_query");
}

bp_status Library::query(uint32_t abi_min, uint32_t abi_max, bp_plugin_info* info) const {
  *info = {};
  info->struct_size = sizeof *info;
  return query_(abi_min, abi_max, info);
}

Slots::Slots(const Library& library, CountingHost& host) {
  bp_plugin_info info;
  require("bp_plugin_query",
          [&](bp_error**) { return library.query(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &info); });
  const bp_plugin_api* table = nullptr;
  require("open", [&](bp_error** e) { return info.open(host.table(), &plugin_, &table, e); });
  std::memcpy(&api_, table, std::min<size_t>(table->struct_size, sizeof api_));
  const Said said = ask([&](bp_error** e) { return api_.probe(plugin_, &n_devices_, e); });
  if (said.good()) return;
  api_.close(plugin_);
  throw std::runtime_error("probe " + said.sentence());
}

Slots::~Slots() { api_.close(plugin_); }

bp_device_props Slots::props(uint32_t physical) const {
  bp_device_props props{};
  props.struct_size = sizeof props;
  require("device_props",
          [&](bp_error** e) { return api_.device_props(plugin_, physical, &props, e); });
  return props;
}

bp_pdev* Slots::open(uint32_t physical) const {
  bp_pdev* device = nullptr;
  require("device_open",
          [&](bp_error** e) { return api_.device_open(plugin_, physical, 0, &device, e); });
  return device;
}

}  // namespace verifier
