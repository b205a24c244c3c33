// SPDX-License-Identifier: Apache-2.0
#include "core/group/claim.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/base/fnv.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

constexpr size_t kMostNames = 8;
constexpr const char* kNames[] = {
    "barrier", "broadcast", "all_reduce", "reduce",  "all_gather", "reduce_scatter", "all_to_all",
    "gather",  "scatter",   "send",       "receive", "split",      "use_device"};
constexpr const char* kOperations[] = {"sum", "product", "min", "max", "mean"};

bool has_root(int32_t kind) {
  return kind == BP_EXCHANGE_BROADCAST || kind == BP_EXCHANGE_REDUCE ||
         kind == BP_EXCHANGE_GATHER || kind == BP_EXCHANGE_SCATTER;
}

// "2, 3".
std::string sizes_text(const Claim& c) {
  const auto shown = std::min<size_t>(c.rank, std::size(c.shape));
  std::string sizes;
  for (size_t i = 0; i < shown; ++i) sizes += fmt::format("{}{}", i ? ", " : "", c.shape[i]);
  if (shown < c.rank) sizes += ", ...";
  return sizes;
}

std::string operand_text(const Claim& c) {
  if (c.is_bytes) return fmt::format(" of {} bytes", c.shape[0]);
  if (!valid_dtype(c.dtype)) return "";
  return fmt::format(" of {} [{}]", dtype_name(c.dtype), sizes_text(c));
}

}  // namespace

void set_shape(Claim& c, Span shape) {
  c.rank = static_cast<uint32_t>(shape.size());
  Fnv all;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i < std::size(c.shape)) c.shape[i] = shape[i];
    all.add(static_cast<uint64_t>(shape[i]));
  }
  c.all_sizes = all.value;
}

const char* exchange_name(int32_t kind) noexcept {
  return kind >= 0 && kind < static_cast<int32_t>(std::size(kNames)) ? kNames[kind] : "?";
}

const char* operation_name(const Claim& c) noexcept {
  const bool has_one =
      c.operation >= 0 && c.operation < static_cast<int32_t>(std::size(kOperations));
  return has_one ? kOperations[c.operation] : nullptr;
}

const char* peer_name(const Claim& c) noexcept {
  if (c.kind == BP_EXCHANGE_SEND) return "receiver";
  if (c.kind == BP_EXCHANGE_RECEIVE) return "sender";
  return has_root(c.kind) ? "root" : nullptr;
}

std::string shape_text(const Claim& c) {
  if (c.is_bytes || !valid_dtype(c.dtype)) return "";
  return fmt::format("{}[{}]", dtype_name(c.dtype), sizes_text(c));
}

std::string text_of(const Claim& c) {
  std::string in_brackets;
  if (const char* operation = operation_name(c)) in_brackets = operation;
  if (has_root(c.kind))
    in_brackets += fmt::format("{}root {}", in_brackets.empty() ? "" : ", ", c.peer);
  if (!in_brackets.empty()) in_brackets = "(" + in_brackets + ")";
  return exchange_name(c.kind) + in_brackets + operand_text(c) +
         (c.on_device ? " on a device" : "");
}

std::string disagreement(std::span<const Claim> by_rank) {
  struct Party {
    Claim claim;
    std::vector<uint32_t> ranks;
  };
  std::vector<Party> parties;
  for (size_t rank = 0; rank < by_rank.size(); ++rank) {
    const Claim& c = by_rank[rank];
    auto same =
        std::find_if(parties.begin(), parties.end(), [&](const Party& p) { return p.claim == c; });
    if (same == parties.end()) same = parties.insert(same, Party{c, {}});
    same->ranks.push_back(static_cast<uint32_t>(rank));
  }
  if (parties.size() < 2) return "";
  std::string text = "the members' calls do not agree:";
  for (size_t i = 0; i < parties.size() && i < kMostNames; ++i) {
    const Party& p = parties[i];
    text += fmt::format("{} {} {} {}", i ? ";" : "", ranks_text(p.ranks),
                        p.ranks.size() == 1 ? "calls" : "call", text_of(p.claim));
    if (p.claim.number != parties[0].claim.number)
      text += fmt::format(" as exchange {} and not {}", p.claim.number, parties[0].claim.number);
  }
  if (parties.size() > kMostNames)
    text += fmt::format("; and {} further calls", parties.size() - kMostNames);
  return text;
}

std::string ranks_text(std::span<const uint32_t> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  const size_t shown = std::min(ranks.size(), kMostNames);
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == ranks.size() && i;
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", ranks[i]);
  }
  if (shown < ranks.size()) text += fmt::format(" and {} more", ranks.size() - shown);
  return text;
}

}  // namespace bp
