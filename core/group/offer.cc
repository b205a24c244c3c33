// SPDX-License-Identifier: Apache-2.0
#include "core/group/offer.h"

#include <fmt/core.h>

#include <cstring>
#include <vector>

#include "core/group/claim.h"

namespace bp {
namespace {

bool equal(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

bool same_device(const Offer& a, const Offer& b) {
  if (*a.uuid || *b.uuid) return equal(a.uuid, b.uuid);
  return *a.pci && equal(a.pci, b.pci) && a.machine == b.machine;
}

// Who cannot for the first reason that anybody has; what only follows from another's comes last.
std::string own_reason(std::span<const Offer> all, uint64_t follows) {
  const char* why = "";
  std::vector<uint32_t> ranks;
  for (size_t r = 0; r < all.size(); ++r) {
    if (!*all[r].why_not || all[r].follows != follows) continue;
    if (!*why) why = all[r].why_not;
    if (equal(why, all[r].why_not)) ranks.push_back(static_cast<uint32_t>(r));
  }
  return ranks.empty() ? "" : fmt::format("{}: {}", ranks_text(ranks), why);
}

}  // namespace

std::string refusal(std::span<const Offer> all) {
  for (const uint64_t follows : {0u, 1u})
    if (std::string why = own_reason(all, follows); !why.empty()) return why;
  for (size_t r = 1; r < all.size(); ++r) {
    if (!equal(all[r].kind, all[0].kind))
      return fmt::format(
          "rank 0 has {} and rank {} has {}, and devices of several kinds exchange nothing",
          all[0].device, r, all[r].device);
    if (!equal(all[r].library, all[0].library))
      return fmt::format("rank 0 has {} and rank {} has {}", all[0].library, r, all[r].library);
  }
  for (size_t r = 1; r < all.size(); ++r)
    for (size_t before = 0; before < r; ++before)
      if (same_device(all[before], all[r])) {
        const char* name = *all[r].uuid ? all[r].uuid : all[r].pci;
        return fmt::format("ranks {} and {} have the same device ({})", before, r, name);
      }
  return "";
}

}  // namespace bp
