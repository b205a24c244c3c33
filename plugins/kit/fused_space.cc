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
  std::vector<int32_t> dims;  // which of the launch's each is
};

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
    strides.push_back(a.strides[u.dims[at]] * kItemBytes[a.dtype] * inside);
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

void join(Space& s) {
  for (size_t d = 0; d + 1 < s.sizes.size();) {
    if (!joins(s, d)) {
      ++d;
      continue;
    }
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

bool find_space(const bp_fused& group, std::span<const uint32_t> launches, Space& space) {
  std::vector<UnitDims> units;
  std::vector<int64_t> breaks;
  int64_t count = -1;
  for (uint32_t k : launches) {
    const bp_fused_launch& f = group.launches[k];
    const bp_arg& out = f.launch->args[f.launch->n_in];
    units.push_back(dims_of(f, out));
    int64_t n = 1;
    for (int64_t size : units.back().sizes) n *= size;
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
  join(space);
  return true;
}

}  // namespace bp_kit
