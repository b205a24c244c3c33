// SPDX-License-Identifier: Apache-2.0
#include "core/process/device_kind.h"

#include <array>
#include <atomic>
#include <cstring>

#include "core/base/error.h"

namespace bp {
namespace {

struct Known {
  bp_kind kind;
  const char* name;
};
constexpr Known kKnown[] = {BP_KNOWN_KINDS};
constexpr int kKnownCount = std::size(kKnown);
constexpr int kMaxDynamic = kMaxKinds - kKnownCount;
constexpr size_t kMaxName = 31;

// Known numbers are small: their slots are one look-up.
constexpr int kSmallKinds = 64;
constexpr auto kSlots = [] {
  std::array<int8_t, kSmallKinds> slots{};
  slots.fill(-1);
  for (int i = 0; i < kKnownCount; ++i)
    slots[static_cast<size_t>(kKnown[i].kind)] = static_cast<int8_t>(i);
  return slots;
}();

// Append-only, so that readers need no lock; writers hold loader_mutex().
std::array<std::atomic<const char*>, kMaxDynamic> dynamic_names;

const char* dynamic_name(int i) noexcept {
  return dynamic_names[i].load(std::memory_order_acquire);
}

}  // namespace

bool valid_kind_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > kMaxName) return false;
  for (const char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) return false;
  return true;
}

bp_kind find_kind(std::string_view name) noexcept {
  for (const Known& k : kKnown)
    if (name == k.name) return k.kind;
  for (int i = 0; i < kMaxDynamic; ++i) {
    const char* given = dynamic_name(i);
    if (!given) break;
    if (name == given) return BP_KIND_DYNAMIC + i;
  }
  return BP_KIND_NONE;
}

bp_kind intern_kind(std::string_view name) {
  if (!valid_kind_name(name))
    fail(BP_INVALID_ARGUMENT, "'{}' is not a name for a kind of device", name);
  if (const bp_kind kind = find_kind(name)) return kind;
  for (int i = 0; i < kMaxDynamic; ++i) {
    if (dynamic_name(i)) continue;
    char* copy = new char[name.size() + 1];
    std::memcpy(copy, name.data(), name.size());
    copy[name.size()] = 0;
    dynamic_names[i].store(copy, std::memory_order_release);
    return BP_KIND_DYNAMIC + i;
  }
  fail(BP_UNSUPPORTED, "no number is left for kind '{}': {} kinds are in use", name, kMaxKinds);
}

int kind_slot(bp_kind kind) noexcept {
  if (kind > 0 && kind < kSmallKinds) return kSlots[static_cast<size_t>(kind)];
  const int64_t i = int64_t{kind} - BP_KIND_DYNAMIC;
  return i >= 0 && i < kMaxDynamic && dynamic_name(static_cast<int>(i))
             ? kKnownCount + static_cast<int>(i)
             : -1;
}

const char* kind_name(bp_kind kind) noexcept {
  const int slot = kind_slot(kind);
  if (slot < 0) return nullptr;
  return slot < kKnownCount ? kKnown[slot].name : dynamic_name(slot - kKnownCount);
}

bool is_known_kind(bp_kind kind) noexcept {
  const int slot = kind_slot(kind);
  return slot >= 0 && slot < kKnownCount;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Known& k : kKnown) names.emplace_back(k.name);
  for (int i = 0; i < kMaxDynamic && dynamic_name(i); ++i) names.emplace_back(dynamic_name(i));
  return names;
}

}  // namespace bp
