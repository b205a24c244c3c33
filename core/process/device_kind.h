// SPDX-License-Identifier: Apache-2.0
// device_kind.h: kinds of devices, by name and by number. Known kinds have DLPack's numbers
// (c_types.h). Any other name gets a number, from BP_KIND_DYNAMIC on, when a plugin file of that
// name is found or an alias names it. Numbers and names last as long as the process; look-ups
// take no lock.
//
//   bp_kind k = find_kind("cpu");   // BP_KIND_CPU
//   kind_name(k);                   // "cpu"
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "c_types.h"

namespace bp {

// Returns BP_KIND_NONE for a name that has no number yet. It does not look for plugins: all_kinds()
// (backend/registry.h) does.
bp_kind find_kind(std::string_view name) noexcept;
// Returns the number of a name, and gives it one if it has none. Throws when the numbers run out.
// The caller holds loader_mutex().
bp_kind intern_kind(std::string_view name);
// Returns a NUL-terminated name that lasts for ever, or nullptr for a number never given out.
const char* kind_name(bp_kind kind) noexcept;
bool is_known_kind(bp_kind kind) noexcept;  // one of BP_KNOWN_KINDS
// Returns the known kinds, then the others that have a number: what device strings may name.
std::vector<std::string> kind_names();
// Whether the name is [a-zA-Z_]+ of at most 31 bytes, as device strings have it.
bool valid_kind_name(std::string_view name) noexcept;

// Returns a small dense number for a kind, by which tables are indexed: below kMaxKinds, or -1 for
// a kind whose number was never given out.
constexpr int kMaxKinds = 128;
int kind_slot(bp_kind kind) noexcept;

}  // namespace bp
