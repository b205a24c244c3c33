// SPDX-License-Identifier: Apache-2.0
// visibility.h: which physical devices of a kind a program sees, and in which order. The functions
// are pure: the environment, the devices and the driver's share of the work come in as arguments.
// Two filters act in a row.
// The first is <KIND>_VISIBLE_DEVICES with CUDA's rules (CUDA programming guide, "CUDA Environment
// Variables"). Unset shows all devices, empty shows none, and the list's order becomes the
// enumeration's. An entry is an ordinal (its leading digits count, as in strtoul) or an unambiguous
// prefix of a UUID ("GPU-8932f937", "MIG-..."); all entries are of the first one's sort. The first
// invalid entry hides itself and what follows, and a device named twice hides all. Some kinds have
// a chain of variables (mask_chain). A variable that the driver applies itself is left to it,
// unless it is empty.
// The second is BACKPLANE_VISIBLE_DEVICES, "cuda:0,2;sim:*", whose ids index what the first one
// left. A kind that is not listed is hidden; the cpu always stays. Anything wrong is an error,
// not a guess.
//
//   const std::string uuids[] = {"GPU-8932f937", "GPU-11223344"};
//   VisibleQuery q{.kind = BP_KIND_CUDA, .name = "cuda", .uuids = uuids, .spec = "cuda:1"};
//   Visibility v = resolve_visibility(q);   // v.physical[0] is 1, v.fates[0].reason is set
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
  bp_kind kind = BP_KIND_NONE;  // the kind it is offered under: an alias's when aliased
  std::string name{};           // that kind's name
  // One per physical device; "" for a device that has none.
  std::span<const std::string> uuids{};
  // The variables that the driver applies, comma-separated: bp_plugin_info.mask_variable.
  std::string driver_masks{};
  // Looks up the kind's own variables; empty when none is set.
  EnvLookup env{};
  // BACKPLANE_VISIBLE_DEVICES or what replaced it, nullopt when neither is set; and what
  // messages call it.
  std::optional<std::string> spec{};
  std::string spec_source = "BACKPLANE_VISIBLE_DEVICES";
};

struct Visibility {
  struct Fate {
    int32_t logical = -1;
    std::string reason{};  // one sentence; "" when visible
  };
  std::vector<int32_t> physical;  // by logical index
  std::vector<Fate> fates;        // by physical index
};

// Applies both filters. Throws BP_INVALID_ARGUMENT for a wrong spec, with the valid ids when it is
// wrong about this kind, and for a chain whose later variable names more devices than an earlier
// one leaves room for.
Visibility resolve_visibility(const VisibleQuery& query);

// Returns the variables of a kind, stage by stage in the order in which they act. Of the names in
// one stage the first that is set counts.
std::vector<std::vector<std::string>> mask_chain(bp_kind kind, std::string_view name);

// Returns the valid ids of a kind, "cuda:0, cuda:1"; "" when they are not known.
using ValidIds = std::function<std::string(std::string_view kind)>;
// Throws BP_INVALID_ARGUMENT unless `spec` is well-formed and, where `known` is not empty, names
// only known kinds. Whether the ids exist shows when the kind is resolved. A message about a kind
// lists the ids of that kind, and one about a kind that is not known the known ones.
void check_visible_spec(std::string_view spec, std::string_view source,
                        std::span<const std::string> known, const ValidIds& valid);
// Returns the kinds that a well-formed spec names, in its order.
std::vector<std::string> visible_spec_kinds(std::string_view spec);

// ---- the parts, for tests and for doctor ----
// A mask's entries, up to the first that can be no id: UUID prefixes when the first entry is
// one, else ordinals.
struct MaskList {
  std::vector<int64_t> ordinals{};
  std::vector<std::string> names{};
  std::string invalid{};   // the entry that ended it
  bool cut = false;        // there was such an entry
  bool duplicate = false;  // an entry stands twice: nothing is visible, both lists are empty
};
MaskList parse_mask(std::string_view value);
// Returns the positions in `uuids` that the mask shows, by ordinal or by UUID, in its order;
// *why_not says what ended it.
std::vector<int32_t> apply_mask(std::string_view value, std::span<const std::string> uuids,
                                std::string* why_not);

}  // namespace bp
