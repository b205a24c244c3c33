// SPDX-License-Identifier: Apache-2.0
#include "core/process/visibility.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/process/device_string.h"

namespace bp {
namespace {

std::string_view strip(std::string_view s) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const size_t first = s.find_first_not_of(kSpace);
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(kSpace) - first + 1);
}

// "a,,b" is three parts and "" is one.
std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  for (size_t from = 0;;) {
    const size_t to = s.find(separator, from);
    parts.push_back(strip(s.substr(from, to == s.npos ? to : to - from)));
    if (to == s.npos) return parts;
    from = to + 1;
  }
}

// Values come from outside, and a reason has room for 191 bytes.
std::string quoted(std::string_view value) {
  constexpr size_t kShown = 48;
  std::string text(value.substr(0, kShown));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return "'" + text + (value.size() > kShown ? "...'" : "'");
}

std::string list_ids(std::string_view kind, size_t n) {
  if (!n) return "none";
  constexpr size_t kShown = 16;
  std::string text;
  for (size_t i = 0; i < n && i < kShown; ++i)
    text += fmt::format("{}{}:{}", i ? ", " : "", kind, i);
  if (n > kShown) text += fmt::format(", ... {}:{}", kind, n - 1);
  return text;
}

constexpr int64_t kHuge = INT64_MAX;

// Returns the leading digits after an optional sign, as strtoul takes them, or -1 when there are
// none or the value is below zero.
int64_t leading_ordinal(std::string_view s) {
  const bool minus = !s.empty() && s[0] == '-';
  if (!s.empty() && (s[0] == '-' || s[0] == '+')) s.remove_prefix(1);
  if (s.empty() || !is_digit(s[0])) return -1;
  int64_t value = 0;
  if (std::from_chars(s.data(), s.data() + s.size(), value).ec != std::errc{}) value = kHuge;
  return minus && value ? -1 : value;
}

// Returns "GPU-" of "GPU-8932f937", and "" for what can be no UUID.
std::string_view uuid_prefix(std::string_view s) {
  size_t n = 0;
  while (n < s.size() && is_letter(s[n])) ++n;
  return n && n < s.size() && s[n] == '-' ? s.substr(0, n + 1) : std::string_view{};
}

template <class List, class U>
bool has(const List& list, const U& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Returns the one device whose UUID starts with `name`, -1 if there is none, -2 if
// there are several.
int32_t find_uuid(std::string_view name, std::span<const std::string> uuids) {
  int32_t found = -1;
  for (size_t i = 0; i < uuids.size(); ++i) {
    if (std::string_view(uuids[i]).substr(0, name.size()) != name) continue;
    if (found >= 0) return -2;
    found = static_cast<int32_t>(i);
  }
  return found;
}

void add_name(MaskList& list, std::string_view entry, std::string_view prefix) {
  if (has(list.names, entry)) {
    list.duplicate = true;
  } else if (entry.substr(0, prefix.size()) != prefix) {
    list.cut = true;
  } else {
    list.names.emplace_back(entry);
  }
}

void add_ordinal(MaskList& list, std::string_view entry) {
  const int64_t ordinal = leading_ordinal(entry);
  // Numbers too big to tell apart name no device anyhow.
  if (ordinal >= 0 && ordinal != kHuge && has(list.ordinals, ordinal)) {
    list.duplicate = true;
  } else if (ordinal < 0) {
    list.cut = true;
  } else {
    list.ordinals.push_back(ordinal);
  }
}

}  // namespace

MaskList parse_mask(std::string_view value) {
  MaskList list;
  const auto entries = split(value, ',');
  const std::string_view prefix = uuid_prefix(entries[0]);
  for (const std::string_view entry : entries) {
    if (prefix.empty()) {
      add_ordinal(list, entry);
    } else {
      add_name(list, entry, prefix);
    }
    if (!list.cut && !list.duplicate) continue;
    list.invalid = entry;
    break;
  }
  if (list.duplicate) list.ordinals.clear(), list.names.clear();
  return list;
}

std::vector<int32_t> apply_mask(std::string_view value, std::span<const std::string> uuids,
                                std::string* why_not) {
  const MaskList list = parse_mask(value);
  std::vector<int32_t> kept;
  const auto twice = [&](std::string_view entry) {
    *why_not = fmt::format("names a device twice ({}), which hides all", quoted(entry));
    return std::vector<int32_t>{};
  };
  const auto ended = [&](std::string_view entry, std::string_view what) {
    *why_not = fmt::format("ends at {}, which {}", quoted(entry), what);
    return kept;
  };
  if (strip(value).empty()) {
    *why_not = "is empty, which hides all";
    return kept;
  }
  if (list.duplicate) return twice(list.invalid);
  for (const int64_t ordinal : list.ordinals) {
    if (ordinal >= static_cast<int64_t>(uuids.size()))
      return ended(std::to_string(ordinal), fmt::format("is not below {}", uuids.size()));
    kept.push_back(static_cast<int32_t>(ordinal));
  }
  for (const std::string& name : list.names) {
    const int32_t found = find_uuid(name, uuids);
    if (found < 0)
      return ended(name, found == -1 ? "no UUID starts with" : "several UUIDs start with");
    if (has(kept, found)) return twice(name);
    kept.push_back(found);
  }
  if (list.cut) return ended(list.invalid, "is no valid entry");
  *why_not = "does not list it";
  return kept;
}

std::vector<std::vector<std::string>> mask_chain(bp_kind kind, std::string_view name) {
  const auto variable = [](std::string_view of) {
    std::string text(of);
    for (char& c : text)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text + "_VISIBLE_DEVICES";
  };
  // Vendors that have more variables than <KIND>_VISIBLE_DEVICES. On ROCm the ROCr
  // runtime's variable acts first, then HIP's, which falls back to CUDA's ("GPU isolation
  // techniques", rocm.docs.amd.com).
  struct Extra {
    bp_kind kind;
    const char *before, *fallback;
  };
  static constexpr Extra kExtra[] = {{BP_KIND_HIP, "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}};
  for (const Extra& extra : kExtra)
    if (extra.kind == kind) return {{extra.before}, {variable(name), extra.fallback}};
  return {{variable(name)}};
}

namespace {

// What one stage of the filters works on: the physical ordinals that are left, in order, and what
// became of the others.
struct Filter {
  Visibility& v;

  std::vector<std::string> uuids_left(std::span<const std::string> all) const {
    std::vector<std::string> left;
    for (const int32_t p : v.physical) left.push_back(all[static_cast<size_t>(p)]);
    return left;
  }
  // `kept` holds positions in what was left before.
  void keep(const std::vector<int32_t>& kept, const std::string& reason) {
    std::vector<int32_t> left;
    for (const int32_t k : kept) left.push_back(v.physical[static_cast<size_t>(k)]);
    for (const int32_t p : v.physical)
      if (!has(left, p)) v.fates[static_cast<size_t>(p)].reason = reason;
    v.physical = std::move(left);
  }
};

void apply_kind_masks(const VisibleQuery& q, Visibility& v) {
  const auto by_driver = split(q.driver_masks, ',');
  std::string earlier;
  size_t room = 0;
  for (const auto& stage : mask_chain(q.kind, q.name)) {
    for (const std::string& variable : stage) {
      const auto value = q.env ? q.env(variable) : std::nullopt;
      if (!value) continue;
      const size_t n = split(*value, ',').size();
      // Another kind's variable may be meant for that kind's devices, and is no mistake.
      if (!earlier.empty() && variable == stage.front() && n > room)
        fail(BP_INVALID_ARGUMENT, "{} contains more devices than {} ({} in {}, {} in {})", variable,
             earlier, n, quoted(*value), room, quoted(*q.env(earlier)));
      earlier = variable;
      room = n;
      // Some drivers ignore an empty mask. To hide all devices a second time does no harm.
      if (!has(by_driver, variable) || strip(*value).empty()) {
        Filter filter{v};
        std::string why_not;
        const auto kept = apply_mask(*value, filter.uuids_left(q.uuids), &why_not);
        filter.keep(kept, fmt::format("{}={} {}", variable, quoted(*value), why_not));
      }
      break;  // the first of a stage that is set counts
    }
  }
}

// One "kind:ids" of a spec, where ids is "*" or a list.
struct Clause {
  std::string_view kind;
  std::vector<std::string_view> ids;
};

struct SpecText {
  std::string_view text, source;
  const ValidIds& valid;
  [[noreturn]] void fail_with(std::string_view kind, const std::string& what) const {
    const std::string ids = valid ? valid(kind) : "";
    fail(BP_INVALID_ARGUMENT, "{}={}: {}{}{}", source, quoted(text), what,
         ids.empty() ? "" : "; valid ids: ", ids);
  }
};

bool is_ordinal(std::string_view id) {
  return !id.empty() && id.size() < 10 && std::all_of(id.begin(), id.end(), is_digit);
}

Clause parse_clause(const SpecText& spec, std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view kind = strip(text.substr(0, colon));
  if (colon == text.npos || kind.empty())
    spec.fail_with(kind,
                   fmt::format("{} is not <kind>:<ids>, such as acme:0,2 or acme:*", quoted(text)));
  for (const char c : kind)
    if (!is_letter(c) && !is_digit(c))
      spec.fail_with(kind, fmt::format("{} names no kind", quoted(kind)));
  Clause clause{kind, split(text.substr(colon + 1), ',')};
  for (const std::string_view id : clause.ids) {
    const bool star = id == "*" && clause.ids.size() == 1;
    if (!star && !is_ordinal(id) && uuid_prefix(id).empty())
      spec.fail_with(
          kind, fmt::format("{} in {} is neither an index nor a UUID", quoted(id), quoted(text)));
  }
  return clause;
}

// An empty spec has no clauses: every kind but the cpu is hidden.
std::vector<Clause> parse_spec(const SpecText& spec) {
  std::vector<Clause> clauses;
  if (strip(spec.text).empty()) return clauses;
  for (const std::string_view part : split(spec.text, ';')) {
    clauses.push_back(parse_clause(spec, part));
    for (size_t i = 0; i + 1 < clauses.size(); ++i)
      if (clauses[i].kind == clauses.back().kind)
        spec.fail_with(clauses[i].kind, fmt::format("{} is listed twice", clauses[i].kind));
  }
  return clauses;
}

std::vector<int32_t> resolve_ids(const SpecText& spec, const Clause& clause,
                                 std::span<const std::string> uuids) {
  std::vector<int32_t> kept;
  if (clause.ids[0] == "*") {
    for (size_t i = 0; i < uuids.size(); ++i) kept.push_back(static_cast<int32_t>(i));
    return kept;
  }
  for (const std::string_view id : clause.ids) {
    int32_t found =
        is_ordinal(id) ? static_cast<int32_t>(leading_ordinal(id)) : find_uuid(id, uuids);
    if (found == -2)
      spec.fail_with(clause.kind,
                     fmt::format("several UUIDs of {} start with {}", clause.kind, quoted(id)));
    if (found < 0 || found >= static_cast<int32_t>(uuids.size()))
      spec.fail_with(clause.kind, fmt::format("{} is no device of {}", quoted(id), clause.kind));
    if (has(kept, found))
      spec.fail_with(clause.kind, fmt::format("{} of {} is listed twice", quoted(id), clause.kind));
    kept.push_back(found);
  }
  return kept;
}

void apply_spec(const VisibleQuery& q, Visibility& v) {
  Filter filter{v};
  const auto uuids = filter.uuids_left(q.uuids);
  const ValidIds valid = [&](std::string_view kind) {
    return kind == q.name ? list_ids(q.name, uuids.size()) : std::string();
  };
  const SpecText spec{*q.spec, q.spec_source, valid};
  const auto clauses = parse_spec(spec);
  if (q.kind == BP_KIND_CPU) return;
  for (const Clause& clause : clauses) {
    if (clause.kind != q.name) continue;
    return filter.keep(resolve_ids(spec, clause, uuids),
                       fmt::format("{}={} does not list it", q.spec_source, quoted(*q.spec)));
  }
  filter.keep({}, fmt::format("{}={} does not list {}", q.spec_source, quoted(*q.spec), q.name));
}

}  // namespace

Visibility resolve_visibility(const VisibleQuery& query) {
  Visibility v;
  v.fates.resize(query.uuids.size());
  for (size_t i = 0; i < query.uuids.size(); ++i) v.physical.push_back(static_cast<int32_t>(i));
  // The cpu always stays: it has no mask of its own, and a spec is only checked.
  if (query.kind != BP_KIND_CPU) apply_kind_masks(query, v);
  if (query.spec) apply_spec(query, v);
  for (size_t i = 0; i < v.physical.size(); ++i)
    v.fates[static_cast<size_t>(v.physical[i])].logical = static_cast<int32_t>(i);
  return v;
}

void check_visible_spec(std::string_view spec, std::string_view source,
                        std::span<const std::string> known, const ValidIds& valid) {
  const SpecText text{spec, source, valid};
  for (const Clause& clause : parse_spec(text)) {
    if (known.empty() || has(known, clause.kind)) continue;
    std::string kinds;
    for (const std::string& kind : known) kinds += (kinds.empty() ? "" : ", ") + kind;
    text.fail_with(clause.kind,
                   fmt::format("there is no kind {}; kinds: {}", quoted(clause.kind), kinds));
  }
}

std::vector<std::string> visible_spec_kinds(std::string_view spec) {
  std::vector<std::string> kinds;
  const ValidIds unknown;
  for (const Clause& clause : parse_spec({spec, "", unknown})) kinds.emplace_back(clause.kind);
  return kinds;
}

}  // namespace bp
