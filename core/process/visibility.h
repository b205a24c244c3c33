// visible.h: which physical devices of a kind a program sees, and in which order. Pure functions:
// the environment, the devices and the driver's share of the work come in as arguments. Two filters
// in a row:
//   1. <KIND>_VISIBLE_DEVICES with CUDA's rules (CUDA programming guide, "CUDA Environment
//      Variables"). Some kinds have a chain of variables, see mask_chain. A variable that the
//      driver applies itself is left to it, unless it is empty.
//   2. BACKPLANE_VISIBLE_DEVICES, "cuda:0,2;sim:*": ids index what the first filter left. A kind
//      that is not listed is hidden; the cpu always stays. Anything wrong is an error, not a guess.
// CUDA's rules: unset shows all; empty shows none; the list's order is the enumeration's; an entry
// is an ordinal (its leading digits count, as in strtoul) or an unambiguous prefix of a UUID
// ("GPU-8932f937", "MIG-..."); all entries are of the first one's sort; the first invalid entry
// hides itself and what follows; a device named twice hides all.
//
//   VisibleQuery q{.kind = kind, .name = "acme", .uuids = uuids, .env = lookup};
//   Visibility v = resolve_visibility(q);     // v.physical[logical], v.fates[physical].reason
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c_types.h"

namespace bp {

// The value of an environment variable; nullopt when it is not set or may not be read.
using EnvLookup = std::function<std::optional<std::string>(const std::string& variable)>;

struct VisibleQuery {
  bp_kind kind = BP_KIND_NONE;  // under which it is offered: an alias's kind when aliased
  std::string name{};           // of that kind
  // One per physical device; "" where it has none.
  std::span<const std::string> uuids{};
  // Variables the driver applies, comma-separated: bp_plugin_info.mask_variable.
  std::string driver_masks{};
  // For the kind's own variables; empty: none is set.
  EnvLookup env{};
  // BACKPLANE_VISIBLE_DEVICES, or what replaced it; nullopt: not set. And how messages call it.
  std::optional<std::string> spec{};
  std::string spec_source = "BACKPLANE_VISIBLE_DEVICES";
};

struct Visibility {
  struct Fate {
    int32_t logical = -1;
    std::string reason{};  // "" when visible, else one sentence
  };
  std::vector<int32_t> physical;  // by logical index
  std::vector<Fate> fates;        // by physical index
};

// All filters. Throws BP_INVALID_ARGUMENT for a wrong spec (with the valid ids of this kind) and
// for a chain whose later variable names more devices than an earlier one leaves room for.
Visibility resolve_visibility(const VisibleQuery& query);

// The variables of a kind, in the order in which they act. Of the names in one stage the first that
// is set counts.
std::vector<std::vector<std::string>> mask_chain(bp_kind kind, std::string_view name);

// Throws BP_INVALID_ARGUMENT unless `spec` is well-formed and, where `known` is not empty, names
// known kinds only. Whether the ids exist is seen when the kind is resolved. `valid` is shown as
// the valid ids: "cuda:0, cuda:1".
void check_visible_spec(std::string_view spec, std::string_view source,
                        std::span<const std::string> known, std::string_view valid);
// The kinds a well-formed spec names, in its order.
std::vector<std::string> visible_spec_kinds(std::string_view spec);

// ---- the parts, for tests and for doctor ----
// A mask's entries up to the first that can be no id: ordinals, or UUID prefixes when the first
// entry is one.
struct MaskList {
  std::vector<int64_t> ordinals{};
  std::vector<std::string> names{};
  std::string invalid{};   // the entry that ended it
  bool cut = false;        // there was such an entry
  bool duplicate = false;  // an entry stands twice: nothing is visible, both lists are empty
};
MaskList parse_mask(std::string_view value);
// Positions in `uuids` (by ordinal or by UUID) that the mask shows, in its order; *why_not says
// what ended it.
std::vector<int32_t> apply_mask(std::string_view value, std::span<const std::string> uuids,
                                std::string* why_not);

}  // namespace bp
