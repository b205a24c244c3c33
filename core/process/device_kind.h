// kind.h: kinds of devices, by name and by number. Known kinds have DLPack's numbers (c_types.h);
// any other name gets a number from BP_KIND_DYNAMIC when a plugin file of that name is found or an
// alias names it. Numbers and names last as long as the process; lookups take no lock.
//
//   bp_kind k = find_kind("cpu");   // BP_KIND_CPU
//   kind_name(k);                   // "cpu"
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "c_types.h"

namespace bp {

// BP_KIND_NONE for a name that has no number (yet). Starts nothing: see all_kinds() in plugin.h for
// what was found.
bp_kind find_kind(std::string_view name) noexcept;
// The number of a name, given out when it has none. Throws when the numbers run out. Callers hold
// loader_mutex().
bp_kind intern_kind(std::string_view name);
// NUL-terminated, for ever; nullptr for a number never given out.
const char* kind_name(bp_kind kind) noexcept;
bool is_known_kind(bp_kind kind) noexcept;  // one of BP_KNOWN_KINDS
// Known kinds, then the others that have a number: what device strings may name.
std::vector<std::string> kind_names();
// [a-zA-Z_]+ of at most 31 bytes, as device strings have it.
bool valid_kind_name(std::string_view name) noexcept;

// A small dense number per kind, for tables: below kMaxKinds; -1 for a number never given out.
constexpr int kMaxKinds = 128;
int kind_slot(bp_kind kind) noexcept;

}  // namespace bp
