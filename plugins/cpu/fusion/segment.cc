// SPDX-License-Identifier: Apache-2.0
#include "fusion/segment.h"

#include <algorithm>
#include <cstring>

#include "device/device.h"
#include "device/parallel.h"
#include "driver/scalar.h"
#include "kit/element.h"

namespace bp_cpu {
namespace {

using bp_kit::Body;
using bp_kit::kItemBytes;

// The kernel of powers has few exponents with a loop of their own.
uint32_t operands(const bp_launch& l) { return l.op == BP_OP_POW ? 1 : l.n_in; }

bool is_integer(bp_dtype d) {
  return d == BP_U8 || d == BP_I8 || d == BP_U16 || d == BP_I16 || d == BP_I32;
}
// The element, as f32 or i32.
uint32_t number(const bp_launch& l, uint32_t i) {
  const bp_dtype d = l.args[l.op == BP_OP_FILL ? 1 : i].dtype;
  alignas(16) char element[16] = {};
  store_scalar(l.args[i], is_integer(d) ? BP_I32 : d, /*wide=*/false, element);
  uint32_t bits = 0;
  std::memcpy(&bits, element, sizeof bits);
  return bits;
}

// An argument goes through the innermost loop element by element, or stays where it is.
bool walks(bp_dtype d, int64_t stride) {
  return stride == kItemBytes[d] || (stride == 0 && d != BP_BOOL);
}

// An inner loop that is shorter costs more than its kernels' own ways.
constexpr int64_t kShortestLoop = 16;
constexpr bp_kit::BodyRules rules(bool (*knows)(const bp_launch&)) {
  return {knows, operands, number, walks, kShortestLoop, kMostPointers, BP_MAX_RANK + 1};
}
// Longer rows do not stay in the first-level cache from one phase to the next; shorter ones are
// summed up element by element.
constexpr int64_t kShortestRow = 17, kLongestRow = 16384;

bool has_reduction(const Body& body) {
  return std::any_of(body.steps.begin(), body.steps.end(),
                     [](const Body::Step& s) { return s.reduces; });
}

}  // namespace

Segment::Segment(const Body& body, std::unique_ptr<Loop> loop)
    : sizes_(body.space.sizes),
      per_unit_(body.space.per_unit),
      is_of_rows_(body.rows.length != 0),
      grain_(is_long(body) ? 8192 : 32768),
      pointers_(body.pointers),
      loop_(std::move(loop)) {}

std::unique_ptr<Segment> find_segment(const bp_fused& group, uint32_t first, uint32_t* n) {
  const LoopWidth width = loop_width(group.launches[0].launch->stream->device->plugin->isa);
  if (width == LoopWidth::kNone) return nullptr;
  const auto make = [&](const Body& body, uint32_t* fits) -> std::unique_ptr<Segment> {
    if (body.rows.length && !has_reduction(body)) return nullptr;
    std::unique_ptr<Loop> loop = assemble(body, width, fits);
    return loop ? std::make_unique<Segment>(body, std::move(loop)) : nullptr;
  };
  const bp_kit::Rows rows = find_rows(group, first);
  std::unique_ptr<Segment> segment;
  if (rows.length >= kShortestRow && rows.length <= kLongestRow)
    segment = longest_piece(group, first, rows, rules(is_known_in_rows), n, make);
  return segment ? std::move(segment) : longest_piece(group, first, {}, rules(is_known), n, make);
}

void Segment::walk(size_t dim, char** at, int64_t n_outer, int64_t n_inner) const {
  const int64_t n = dim + 1 == sizes_.size() ? n_outer : sizes_[dim];
  if (dim == 0) return loop_->run(at, n_inner ? n_inner : n, 1);
  if (dim == 1) return loop_->run(at, n_inner ? n_inner : sizes_[0], n);
  for (int64_t i = 0; i < n; ++i) {
    char* next[kMostPointers] = {};
    for (size_t p = 0; p < pointers_.size(); ++p) next[p] = at[p] + i * pointers_[p].strides[dim];
    walk(dim - 1, next, n_outer, n_inner);
  }
}

void Segment::run(const bp_fused& group, int64_t begin, int64_t end, char* scratch) const {
  char* at[kMostPointers] = {};
  for (size_t p = 0; p < pointers_.size(); ++p) {
    const bp_fused_launch& f = group.launches[pointers_[p].launch];
    const uint32_t i = pointers_[p].argument;
    char* data = static_cast<char*>(f.launch->args[i].data);
    at[p] = f.in_scratch[i] ? scratch + reinterpret_cast<intptr_t>(data)
                            : data + begin * f.unit_bytes[i];
  }
  walk(sizes_.size() - 1, at, (end - begin) * per_unit_);
}

// Units are shared among threads, or, where there are few, the innermost loop is.
void Segment::run_all(const bp_fused& group) const {
  int64_t per_unit = per_unit_;
  for (size_t d = 0; d + 1 < sizes_.size(); ++d) per_unit *= sizes_[d];
  if (group.units >= 64 || sizes_.size() == 1 || is_of_rows_)
    return parallel_for(group.units, grain_ / per_unit + 1,
                        [&](int64_t begin, int64_t end) { run(group, begin, end, nullptr); });
  parallel_for(
      sizes_[0], grain_ * sizes_[0] / (per_unit * group.units) + 1,
      [&](int64_t begin, int64_t end) {
        char* at[kMostPointers] = {};
        for (size_t p = 0; p < pointers_.size(); ++p)
          at[p] =
              static_cast<char*>(
                  group.launches[pointers_[p].launch].launch->args[pointers_[p].argument].data) +
              begin * pointers_[p].strides[0];
        walk(sizes_.size() - 1, at, group.units * per_unit_, end - begin);
      });
}

}  // namespace bp_cpu
