// SPDX-License-Identifier: Apache-2.0
#include "fusion/segment.h"

#include <cstdlib>
#include <cstring>
#include <optional>

#include "device/parallel.h"
#include "driver/scalar.h"
#include "kit/element.h"

namespace bp_cpu {
namespace {

using bp_kit::kItemBytes;

constexpr uint32_t kMostLaunches = 64;
// An inner loop that is shorter costs more than its kernels' own ways.
constexpr int64_t kShortestLoop = 16;

const bp_arg& argument(const bp_fused& g, uint32_t launch, uint32_t i) {
  return g.launches[launch].launch->args[i];
}

// A look at memory.
struct Access {
  uint32_t launch, argument, memory;
  bp_dtype dtype;
  void* offset;
  const std::vector<int64_t>* strides;

  bool same_elements(const Access& o) const {
    return memory == o.memory && dtype == o.dtype && offset == o.offset && *strides == *o.strides;
  }
};

// Makes the body of a loop over launches [first, first + n), or finds out that there is none.
class Builder {
 public:
  Builder(const bp_fused& g, uint32_t first, uint32_t n) : g_(g), first_(first), n_(n) {}

  bool build() {
    std::vector<uint32_t> launches;
    for (uint32_t k = 0; k < n_; ++k) launches.push_back(first_ + k);
    if (!find_space(g_, launches, space_) || !has_long_loop()) return false;
    for (uint32_t k = 0; k < n_; ++k)
      if (!add(k)) return false;
    return true;
  }

  Space& space() { return space_; }
  const Body& body() const { return body_; }
  const std::vector<Access>& pointers() const { return pointers_; }

 private:
  // Each argument goes through the innermost loop element by element, or stays where it is.
  bool has_long_loop() const {
    if (space_.rank() > 1 && space_.sizes[0] < kShortestLoop) return false;
    for (uint32_t k = 0; k < n_; ++k)
      for (size_t i = 0; i < space_.strides[k].size(); ++i) {
        const std::vector<int64_t>& strides = space_.strides[k][i];
        if (strides.empty()) continue;
        const bp_dtype d = argument(g_, first_ + k, static_cast<uint32_t>(i)).dtype;
        if (strides[0] != kItemBytes[d] && (strides[0] != 0 || d == BP_BOOL)) return false;
      }
    return true;
  }

  Access access(uint32_t k, uint32_t i) const {
    const bp_arg& a = argument(g_, first_ + k, i);
    return {first_ + k, i,      g_.launches[first_ + k].memory[i],
            a.dtype,    a.data, &space_.strides[k][i]};
  }

  // The value that an input is, or nothing where it cannot be known in registers.
  std::optional<uint32_t> input(uint32_t k, uint32_t i) {
    const bp_arg& a = argument(g_, first_ + k, i);
    if (a.kind != BP_ARG_TENSOR) {
      // A fill's number becomes an element of its result, whatever it came as.
      const bp_launch& l = *g_.launches[first_ + k].launch;
      const bp_dtype d = l.op == BP_OP_FILL ? l.args[1].dtype : a.dtype;
      Body::Value v{Body::Value::Kind::kNumber, d, 0, 0};
      alignas(16) char element[16] = {};
      store_scalar(a, is_integer(d) ? BP_I32 : d, /*wide=*/false, element);
      std::memcpy(&v.bits, element, sizeof v.bits);
      return value(v);
    }
    const Access from = access(k, i);
    for (size_t w = written_.size(); w-- > 0;) {
      if (written_[w].first.memory != from.memory) continue;
      if (!written_[w].first.same_elements(from)) return {};
      return written_[w].second;
    }
    for (uint32_t v = 0; v < body_.values.size(); ++v)
      if (body_.values[v].kind == Body::Value::Kind::kLoaded &&
          pointers_[body_.values[v].pointer].same_elements(from))
        return v;
    const std::optional<uint32_t> p = pointer(from);
    if (!p) return {};
    read_.push_back(from);
    return value({Body::Value::Kind::kLoaded, a.dtype, *p, 0});
  }

  static bool is_integer(bp_dtype d) {
    return d == BP_U8 || d == BP_I8 || d == BP_U16 || d == BP_I16 || d == BP_I32;
  }
  uint32_t value(Body::Value v) {
    body_.values.push_back(v);
    return static_cast<uint32_t>(body_.values.size()) - 1;
  }
  std::optional<uint32_t> pointer(const Access& a) {
    for (uint32_t p = 0; p < pointers_.size(); ++p)
      if (pointers_[p].same_elements(a)) return p;
    if (pointers_.size() == kMostPointers) return {};
    pointers_.push_back(a);
    body_.pointers.push_back(
        {a.dtype, (*a.strides)[0] == 0, space_.rank() > 1 ? (*a.strides)[1] : 0});
    return static_cast<uint32_t>(pointers_.size()) - 1;
  }

  // Whether two looks of one form at the same memory have no element in common, as the parts of a
  // concatenation: rows that lie beside each other within the step from one row to the next.
  bool are_apart(const Access& a, const Access& b) const {
    if (a.dtype != b.dtype || *a.strides != *b.strides) return false;
    const int64_t bytes = space_.sizes[0] * (*a.strides)[0];
    const int64_t way = std::abs(static_cast<char*>(a.offset) - static_cast<char*>(b.offset));
    if (space_.rank() == 1 || bytes <= 0 || way < bytes) return false;
    for (size_t d = 1; d < space_.rank(); ++d)
      if ((*a.strides)[d] < way + bytes) return false;
    return true;
  }

  // Whether somebody beyond the segment reads what this memory is.
  bool is_wanted(const Access& a) const {
    const bp_fused_launch& own = g_.launches[a.launch];
    if (!own.in_scratch[a.argument]) return true;
    for (uint32_t k = 0; k < g_.n_launches; ++k) {
      if (k >= first_ && k < first_ + n_) continue;
      const bp_launch& l = *g_.launches[k].launch;
      for (uint32_t i = 0; i < l.n_in; ++i)
        if (g_.launches[k].memory[i] == a.memory) return true;
    }
    return false;
  }
  bool is_written_again(uint32_t k, const Access& a) const {
    for (uint32_t later = k + 1; later < n_; ++later) {
      const bp_launch& l = *g_.launches[first_ + later].launch;
      if (access(later, l.n_in).same_elements(a)) return true;
    }
    return false;
  }

  bool add(uint32_t k) {
    const bp_launch& l = *g_.launches[first_ + k].launch;
    Body::Step s{k, l.op, {}, l.op == BP_OP_POW ? 1 : l.n_in, 0};
    for (uint32_t i = 0; i < s.n_in; ++i) {
      const std::optional<uint32_t> v = input(k, i);
      if (!v) return false;
      s.in[i] = *v;
    }
    const Access to = access(k, l.n_in);
    for (const Access& p : read_)
      if (p.memory == to.memory && !p.same_elements(to)) return false;
    for (const auto& [access, v] : written_)
      if (access.memory == to.memory && !access.same_elements(to) && !are_apart(access, to))
        return false;
    s.out = value({Body::Value::Kind::kComputed, to.dtype});
    written_.emplace_back(to, s.out);
    if (is_wanted(to) && !is_written_again(k, to)) {
      const std::optional<uint32_t> p = pointer(to);
      if (!p) return false;
      s.store = static_cast<int32_t>(*p);
    }
    body_.steps.push_back(s);
    return true;
  }

  const bp_fused& g_;
  const uint32_t first_, n_;
  Space space_;
  Body body_;
  std::vector<Access> pointers_;
  std::vector<Access> read_;                          // before a launch wrote it
  std::vector<std::pair<Access, uint32_t>> written_;  // by a launch, and the value
};

}  // namespace

std::unique_ptr<Segment> find_segment(const bp_fused& group, uint32_t first, uint32_t* n) {
  if (!can_assemble()) return nullptr;
  uint32_t most = 0;
  while (most < kMostLaunches && first + most < group.n_launches &&
         is_known(*group.launches[first + most].launch) && Builder(group, first, most + 1).build())
    ++most;
  while (most > 0) {
    Builder b(group, first, most);
    if (!b.build()) return nullptr;
    uint32_t fits = 0;
    std::unique_ptr<Loop> loop = assemble(b.body(), &fits);
    if (!loop) {
      most = fits;
      continue;
    }
    auto s = std::make_unique<Segment>();
    s->loop_ = std::move(loop);
    s->sizes_ = b.space().sizes;
    s->per_unit_ = b.space().per_unit;
    for (const Access& a : b.pointers()) s->pointers_.push_back({a.launch, a.argument, *a.strides});
    *n = most;
    return s;
  }
  return nullptr;
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
  constexpr int64_t kGrain = 32768;  // elements that are worth a thread
  int64_t per_unit = per_unit_;
  for (size_t d = 0; d + 1 < sizes_.size(); ++d) per_unit *= sizes_[d];
  if (group.units >= 64 || sizes_.size() == 1)
    return parallel_for(group.units, kGrain / per_unit + 1,
                        [&](int64_t begin, int64_t end) { run(group, begin, end, nullptr); });
  parallel_for(
      sizes_[0], kGrain * sizes_[0] / (per_unit * group.units) + 1,
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
