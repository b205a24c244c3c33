// SPDX-License-Identifier: Apache-2.0
#include "kit/fused_space.h"

#include <algorithm>

#include "kit/element.h"

namespace bp_kit {
namespace {

// The dims of a unit of a launch, from the innermost to the outermost, without those of one
// element.
struct UnitDims {
  std::vector<int64_t> sizes;
  std::vector<int32_t> dims;  // which of the launch's each is; kAlongRow of none

  int64_t count() const {
    int64_t n = 1;
    for (int64_t size : sizes) n *= size;
    return n;
  }
};
constexpr int32_t kAlongRow = -1;

UnitDims dims_of(const bp_fused_launch& f, const bp_arg& a) {
  UnitDims u;
  for (int32_t d = a.rank; d-- > 0;) {
    const int64_t size = d ? a.shape[d] : f.dim_per_unit;
    if (size == 1) continue;
    u.sizes.push_back(size);
    u.dims.push_back(d);
  }
  return u;
}
const bp_arg& result(const bp_launch& l) { return l.args[l.n_in]; }

// The dims that a launch goes through.
UnitDims dims_of(const bp_fused_launch& f, const Rows& rows) {
  if (is_reduction(*f.launch)) return dims_of(f, f.launch->args[0]);
  UnitDims u = dims_of(f, result(*f.launch));
  if (rows.length && u.count() == rows.per_unit) {
    u.sizes.insert(u.sizes.begin(), rows.length);
    u.dims.insert(u.dims.begin(), kAlongRow);
  }
  return u;
}

// The elements before each break between dims, counted from the innermost.
void add_breaks(const UnitDims& u, std::vector<int64_t>& breaks) {
  int64_t n = 1;
  for (int64_t size : u.sizes) breaks.push_back(n *= size);
}

// Splits the strides of a launch's argument at the breaks.
std::vector<int64_t> split(const UnitDims& u, const bp_arg& a, const std::vector<int64_t>& breaks) {
  std::vector<int64_t> strides;
  size_t at = 0;
  int64_t before = 1, inside = 1;  // elements up to the break before, and of them within dim `at`
  for (int64_t end : breaks) {
    const int32_t d = u.dims[at];
    const int64_t stride = d == kAlongRow || d >= a.rank ? 0 : a.strides[d];
    strides.push_back(stride * kItemBytes[a.dtype] * inside);
    inside *= end / before;
    before = end;
    if (inside == u.sizes[at]) ++at, inside = 1;
  }
  return strides;
}

bool joins(const Space& s, size_t d) {
  for (const auto& launch : s.strides)
    for (const auto& of : launch)
      if (!of.empty() && of[d + 1] != of[d] * s.sizes[d]) return false;
  return true;
}

// Joins dims, but not what lies in a row with what lies beyond.
void join(Space& s, int64_t row) {
  int64_t inside = s.sizes[0];
  for (size_t d = 0; d + 1 < s.sizes.size();) {
    const int64_t longer = inside * s.sizes[d + 1];
    if (inside == row || !joins(s, d)) {
      inside = longer;
      ++d;
      continue;
    }
    inside = longer;
    const auto next = static_cast<std::ptrdiff_t>(d) + 1;
    if (d + 2 == s.sizes.size()) s.per_unit = s.sizes[d];
    s.sizes[d] *= s.sizes[d + 1];
    s.sizes.erase(s.sizes.begin() + next);
    for (auto& launch : s.strides)
      for (auto& of : launch)
        if (!of.empty()) of.erase(of.begin() + next);
  }
}

}  // namespace

bool is_reduction(const bp_launch& l) {
  return l.n_in == 1 && l.n_out == 1 && l.args[0].kind == BP_ARG_TENSOR &&
         l.args[0].rank > result(l).rank;
}

Rows find_rows(const bp_fused& group, uint32_t first) {
  for (uint32_t k = first; k < group.n_launches; ++k) {
    const bp_fused_launch& f = group.launches[k];
    if (!is_reduction(*f.launch)) continue;
    const int64_t n_rows = dims_of(f, result(*f.launch)).count();
    return {n_rows ? dims_of(f, f.launch->args[0]).count() / n_rows : 0, n_rows};
  }
  return {};
}

bool find_space(const bp_fused& group, std::span<const uint32_t> launches, const Rows& rows,
                Space& space) {
  std::vector<UnitDims> units;
  std::vector<int64_t> breaks;
  if (rows.length) breaks.push_back(rows.length);
  int64_t count = rows.length ? rows.length * rows.per_unit : -1;
  for (uint32_t k : launches) {
    if (is_reduction(*group.launches[k].launch) && !(find_rows(group, k) == rows)) return false;
    units.push_back(dims_of(group.launches[k], rows));
    const int64_t n = units.back().count();
    if (n == 0 || (count >= 0 && n != count)) return false;
    count = n;
    add_breaks(units.back(), breaks);
  }
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  space = {};
  int64_t before = 1;
  for (int64_t end : breaks) {
    if (end % before) return false;
    space.sizes.push_back(end / before);
    before = end;
  }
  space.sizes.push_back(1);  // of the units
  for (size_t i = 0; i < launches.size(); ++i) {
    const bp_fused_launch& f = group.launches[launches[i]];
    const bp_launch& l = *f.launch;
    auto& of_launch = space.strides.emplace_back();
    for (uint32_t a = 0; a < l.n_in + l.n_out; ++a) {
      auto& strides = of_launch.emplace_back();
      if (l.args[a].kind != BP_ARG_TENSOR) continue;
      strides = split(units[i], l.args[a], breaks);
      strides.push_back(f.unit_bytes[a]);
    }
  }
  join(space, rows.length);
  return true;
}

}  // namespace bp_kit
