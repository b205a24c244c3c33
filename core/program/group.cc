// SPDX-License-Identifier: Apache-2.0
#include "core/program/group.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "c_program.h"

namespace bp {
namespace {

// A single unit may be larger than a block is to be, up to this; where one loop does it all, it may
// be of any size.
constexpr uint64_t kMostUnitBytes = uint64_t{512} << 10;

// How a step's argument lies in its buffer, by its outermost dim.
struct Access {
  uint32_t buffer;
  bool writes;
  int64_t low, high;  // bytes of index 0 of dim 0, both in the buffer
  int64_t step;       // bytes from one index to the next
};

// What is known of a step that may run in parts.
struct Parts {
  int64_t size = 0;  // of dim 0
  std::vector<Access> accesses{};

  // Bytes from one unit to the next, and those that a unit reaches beyond its first.
  int64_t unit(const Access& a, int64_t units) const { return a.step * (size / units); }
  int64_t reach(const Access& a, int64_t units) const { return a.step * (size / units - 1); }
};

bool is_positional(const OpRow& row) {
  // What creates elements by their number, or draws them, would begin anew in each block.
  return (row.flags & (kRandom | kCreates)) && row.id != BP_OP_FILL;
}

// Returns how the step's arguments lie by dim 0, or nothing when it must run as a whole.
std::optional<Parts> parts_of(const Step& s, const Planning& how) {
  if (!s.device->fuses || !s.row || s.refresh || s.kernel->workspace || is_positional(*s.row))
    return {};
  const Layout layout = s.row->layout;
  if (how.same_bits && layout != Layout::kElementwise) return {};
  if (layout != Layout::kElementwise && layout != Layout::kReduce && layout != Layout::kRows)
    return {};
  Parts parts;
  for (size_t i = 0; i < s.args.size(); ++i) {
    if (s.uses[i].buffer == Argument::kNumber) continue;
    const bp_arg& a = s.args[i];
    // Rows need a dim beside their axis; a reduction to nothing keeps no dim.
    if (a.rank < (layout == Layout::kRows ? 2 : 1) || a.strides[0] < 0) return {};
    if (parts.size && parts.size != a.shape[0]) return {};
    parts.size = a.shape[0];
    const auto rank = static_cast<size_t>(a.rank);
    const Extent e = extent({a.shape + 1, rank - 1}, {a.strides + 1, rank - 1});
    const int64_t item = dtype_bytes(a.dtype), at = reinterpret_cast<intptr_t>(a.data);
    parts.accesses.push_back({s.uses[i].buffer, s.uses[i].writes, at + e.low * item,
                              at + e.high * item, a.strides[0] * item});
  }
  if (layout == Layout::kReduce && s.args[0].rank <= s.args[s.n_in].rank) return {};
  return parts.size > 1 ? std::optional(std::move(parts)) : std::nullopt;
}

// Whether steps may run block by block, asked as one after the other joins: whoever reads what
// another writes, or writes it again, does so within the unit.
class Agreement {
 public:
  void begin(int64_t units) {
    units_ = units;
    buffers_.clear();
  }
  // Returns false when the step does not agree with those before it, or with itself.
  bool add(const Parts& p) {
    for (const Access& a : p.accesses) note(p, a);
    return std::all_of(p.accesses.begin(), p.accesses.end(), [&](const Access& a) {
      const Shared& s = buffers_[a.buffer];
      return !s.written || (!s.uneven && s.high - s.low <= s.unit);
    });
  }

 private:
  // What is known of a buffer.
  struct Shared {
    bool written = false, uneven = false;  // uneven: not all go on alike from unit to unit
    int64_t unit = 0, low = 0, high = 0;
  };
  void note(const Parts& p, const Access& a) {
    const int64_t unit = p.unit(a, units_), high = a.high + p.reach(a, units_);
    const auto [at, is_new] =
        buffers_.try_emplace(a.buffer, Shared{false, false, unit, a.low, high});
    Shared& s = at->second;
    s.written |= a.writes;
    s.uneven |= unit <= 0 || s.unit != unit;
    s.low = std::min(s.low, a.low);
    s.high = std::max(s.high, high);
  }

  int64_t units_ = 1;
  std::unordered_map<uint32_t, Shared> buffers_;
};

class Grouping {
 public:
  Grouping(Program& p, const Planning& how)
      : p_(p), how_(how), first_use_(p.buffers.size(), -1), last_use_(first_use_) {
    for (size_t i = 0; i < p.steps.size(); ++i)
      for (const Argument& a : p.steps[i].uses) {
        if (a.buffer == Argument::kNumber) continue;
        if (first_use_[a.buffer] < 0) first_use_[a.buffer] = static_cast<int64_t>(i);
        last_use_[a.buffer] = static_cast<int64_t>(i);
      }
  }

  void run() {
    each([this](uint32_t first, uint32_t count) {
      if (members_.empty())
        p_.groups.push_back({first, count});
      else
        make_group(0, count);
    });
  }
  std::vector<Period> bounds() {
    std::vector<Period> all;
    each([&](uint32_t first, uint32_t count) { all.push_back({first, first + count - 1}); });
    return all;
  }

 private:
  // Calls closed(first step, count) for each group, whose members are known then, unless the step
  // runs as a whole.
  template <class Closed>
  void each(const Closed& closed) {
    const auto close = [&] {
      if (!members_.empty()) closed(first_, static_cast<uint32_t>(members_.size()));
      members_.clear();
    };
    for (uint32_t i = 0; i < p_.steps.size(); ++i) {
      std::optional<Parts> parts = parts_of(p_.steps[i], how_);
      if (!parts || !joins(i, *parts)) {
        close();
        first_ = i;
        if (!parts) {
          closed(i, 1);
          first_ = i + 1;
          continue;
        }
        units_ = parts->size;
        agrees_ = begin(units_) && agreement_.add(*parts);
      }
      members_.push_back(std::move(*parts));
    }
    close();
  }

  // Begins anew, with the members.
  bool begin(int64_t units) {
    agreement_.begin(units);
    return std::all_of(members_.begin(), members_.end(),
                       [&](const Parts& m) { return agreement_.add(m); });
  }

  bool joins(uint32_t i, const Parts& parts) {
    if (members_.empty() || p_.steps[i].device != p_.steps[first_].device) return false;
    const int64_t units = std::gcd(units_, parts.size);
    // Of sizes that have little in common, units would be large: batches beside channels.
    const bool is_coarse = units * 8 < std::min(units_, parts.size);
    if (!agrees_ || units < 2 || is_coarse || (units != units_ && !begin(units)) ||
        !agreement_.add(parts))
      return false;
    units_ = units;
    return true;
  }

  // Makes groups of the members: one, unless its units are too large for a cache.
  void make_group(uint32_t begin, uint32_t count) {
    Group g{first_ + begin, count};
    if (count > 1) {
      const std::span<const Parts> members{members_.data() + begin, count};
      g.units = units_;
      for (const Parts& m : members) g.dim_per_unit.push_back(m.size / units_);
      describe(g);
      std::vector<uint32_t> together(count);
      std::iota(together.begin(), together.end(), 0U);
      make_code(p_, g, together.data());
      if (!give_scratch(g, members, together)) {
        for (uint32_t k = 0, n = 1; k < count; k += n, n = 1) {
          while (k + n < count && together[k + n] == together[k]) ++n;
          make_group(begin + k, n);
        }
        return;
      }
      g.passes = passes(together);
    }
    p_.groups.push_back(std::move(g));
  }

  static uint32_t passes(std::span<const uint32_t> together) {
    uint32_t n = 1;
    for (size_t k = 1; k < together.size(); ++k) n += together[k] != together[k - 1];
    return n;
  }

  // Notes how each argument lies, and how it goes from one unit to the next.
  void describe(Group& g) const {
    for (uint32_t k = 0; k < g.count; ++k) {
      const Step& s = p_.steps[g.first + k];
      for (size_t i = 0; i < s.args.size(); ++i) {
        const uint32_t buffer = s.uses[i].buffer;
        const bool is_number = buffer == Argument::kNumber;
        g.args.push_back(s.args[i]);
        g.memory.push_back(buffer);
        g.in_scratch.push_back(!is_number && is_inner(g, buffer));
        g.unit_bytes.push_back(is_number ? 0
                                         : s.args[i].strides[0] * g.dim_per_unit[k] *
                                               dtype_bytes(s.args[i].dtype));
      }
    }
  }

  // Whether only this group uses the buffer, so that it needs no place beyond a block.
  bool is_inner(const Group& g, uint32_t buffer) const {
    const Buffer& b = p_.buffers[buffer];
    return b.kind == Buffer::Kind::kMade && !b.output && first_use_[buffer] >= g.first &&
           last_use_[buffer] < g.first + g.count;
  }

  struct Inner {
    uint32_t buffer;
    uint64_t unit;  // bytes
    int64_t low;    // where a unit begins in the buffer
    Period lives;   // in launches that run together
  };

  // Chooses the size of a block, and lays what lives in it into scratch memory. Launches that run
  // together use all of theirs at the same time; what only they use is kept in registers. Returns
  // false when a single unit is too large, or the backend runs groups whole and this one's launches
  // do not run together.
  bool give_scratch(Group& g, std::span<const Parts> members, std::span<const uint32_t> together) {
    std::vector<Inner> inner;
    uint64_t outer_bytes = 0;
    std::vector<uint32_t> outer;
    for (uint32_t k = 0; k < g.count; ++k)
      for (const Access& a : members[k].accesses) {
        const auto unit = static_cast<uint64_t>(members[k].unit(a, g.units));
        if (!is_inner(g, a.buffer)) {
          if (std::find(outer.begin(), outer.end(), a.buffer) == outer.end()) outer_bytes += unit;
          outer.push_back(a.buffer);
          continue;
        }
        const auto known = std::find_if(inner.begin(), inner.end(),
                                        [&](const Inner& x) { return x.buffer == a.buffer; });
        if (known == inner.end()) {
          inner.push_back({a.buffer, unit, a.low, {together[k], together[k]}});
        } else {
          known->lives.until = together[k];
          known->low = std::min(known->low, a.low);
        }
      }
    const auto in_registers = [&](const Inner& x) {
      return x.lives.from == x.lives.until &&
             std::count(together.begin(), together.end(), x.lives.from) > 1;
    };
    const auto packed = [&](uint64_t units, std::vector<Piece>& pieces) {
      pieces.clear();
      for (const Inner& x : inner)
        pieces.push_back({in_registers(x) ? 0 : x.unit * units, x.lives});
      return pack(pieces);
    };
    std::vector<Piece> pieces;
    constexpr uint64_t kMany = 4096;  // so that what pieces are rounded up to does not count
    const uint64_t inner_bytes = packed(kMany, pieces) / kMany;
    const bool is_one = std::equal(together.begin() + 1, together.end(), together.begin());
    const bool is_whole = p_.steps[g.first].device->fuses->flags & BP_FUSE_WHOLE;
    if (!is_one && (is_whole || inner_bytes + outer_bytes > kMostUnitBytes)) return false;
    const uint64_t bytes = std::max<uint64_t>(1, inner_bytes + outer_bytes);
    g.block = is_whole
                  ? g.units
                  : std::clamp<int64_t>(static_cast<int64_t>(how_.block_bytes / bytes), 1, g.units);
    g.scratch_bytes = packed(static_cast<uint64_t>(g.block), pieces);
    std::unordered_map<uint32_t, uint64_t> moved;  // may wrap, and wraps back
    for (size_t i = 0; i < inner.size(); ++i) {
      p_.buffers[inner[i].buffer].scratch = static_cast<int32_t>(p_.groups.size());
      moved[inner[i].buffer] = pieces[i].at - static_cast<uint64_t>(inner[i].low);
    }
    for (size_t i = 0; i < g.args.size(); ++i)
      if (g.in_scratch[i])
        g.args[i].data = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(g.args[i].data) +
                                                 moved[g.memory[i]]);
    return true;
  }

  Program& p_;
  const Planning& how_;
  std::vector<int64_t> first_use_, last_use_;
  uint32_t first_ = 0;
  int64_t units_ = 1;
  std::vector<Parts> members_;
  Agreement agreement_;  // of the members
  bool agrees_ = true;   // the first of them with itself
};

}  // namespace

std::vector<Period> group_bounds(Program& p, const Planning& how) {
  return Grouping(p, how).bounds();
}

void make_groups(Program& p, const Planning& how) {
  if (!(how.without & BP_PASS_GROUP)) return Grouping(p, how).run();
  for (uint32_t i = 0; i < p.steps.size(); ++i) p.groups.push_back({i, 1});
}

}  // namespace bp
