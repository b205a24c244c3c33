// SPDX-License-Identifier: Apache-2.0
#include "kit/fused_body.h"

#include <cstdlib>
#include <optional>

namespace bp_kit {
namespace {

constexpr uint32_t kMostLaunches = 64;

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

// Makes the body of launches [first, first + n), or finds out that there is none.
class Builder {
 public:
  Builder(const bp_fused& g, const Readers& readers, uint32_t first, uint32_t n, const Rows& rows,
          const BodyRules& rules, Body& body)
      : g_(g),
        readers_(readers),
        first_(first),
        n_(n),
        rules_(rules),
        body_(body),
        space_(body.space) {
    body.rows = rows;
  }

  bool build() {
    std::vector<uint32_t> launches;
    for (uint32_t k = 0; k < n_; ++k) launches.push_back(first_ + k);
    if (!find_space(g_, launches, body_.rows, space_) || !is_walked()) return false;
    for (uint32_t k = 0; k < n_; ++k)
      if (!add(k)) return false;
    return !body_.rows.length || !is_overwritten();
  }

 private:
  // Whether each argument goes through the space as the rules allow.
  bool is_walked() const {
    if (space_.rank() > rules_.most_dims) return false;
    if (body_.rows.length && body_.rows.length != space_.sizes[0]) return false;
    if (space_.rank() > 1 && space_.sizes[0] < rules_.shortest_row) return false;
    for (uint32_t k = 0; k < n_; ++k)
      for (size_t i = 0; i < space_.strides[k].size(); ++i) {
        const std::vector<int64_t>& strides = space_.strides[k][i];
        if (strides.empty()) continue;
        const bp_dtype d = argument(g_, first_ + k, static_cast<uint32_t>(i)).dtype;
        if (!rules_.walks(d, strides[0])) return false;
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
    const bp_launch& l = *g_.launches[first_ + k].launch;
    const bp_arg& a = l.args[i < l.n_in ? i : 0];
    if (i >= l.n_in || a.kind != BP_ARG_TENSOR) {
      // A fill's number becomes an element of its result, whatever it came as.
      const bp_dtype d = l.op == BP_OP_FILL ? l.args[1].dtype : a.dtype;
      return value({Body::Value::Kind::kNumber, d, 0, rules_.number(l, i)});
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
    return value({Body::Value::Kind::kLoaded, a.dtype, *p, 0, body_.pointers[*p].is_one()});
  }

  uint32_t value(Body::Value v) {
    body_.values.push_back(v);
    return static_cast<uint32_t>(body_.values.size()) - 1;
  }
  std::optional<uint32_t> pointer(const Access& a) {
    for (uint32_t p = 0; p < pointers_.size(); ++p)
      if (pointers_[p].same_elements(a)) return p;
    if (pointers_.size() == rules_.most_pointers) return {};
    pointers_.push_back(a);
    body_.pointers.push_back({a.dtype, a.launch, a.argument, *a.strides});
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

  // Whether a step writes what another reads: rows do their steps in an order of their own.
  bool is_overwritten() const {
    for (const Body::Step& s : body_.steps)
      for (const Body::Value& v : body_.values)
        if (s.store >= 0 && v.kind == Body::Value::Kind::kLoaded &&
            v.pointer == static_cast<uint32_t>(s.store))
          return true;
    return false;
  }

  // Whether somebody beyond the segment reads what this memory is.
  bool is_wanted(const Access& a) const {
    return !g_.launches[a.launch].in_scratch[a.argument] ||
           readers_.any_beyond(a.memory, first_, n_);
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
    Body::Step s{k, l.op, {}, rules_.operands(l), 0, -1, is_reduction(l)};
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
    s.out = value({Body::Value::Kind::kComputed, to.dtype, 0, 0, (*to.strides)[0] == 0});
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
  const Readers& readers_;
  const uint32_t first_, n_;
  const BodyRules& rules_;
  Body& body_;
  Space& space_;
  std::vector<Access> pointers_;
  std::vector<Access> read_;                          // before a launch wrote it
  std::vector<std::pair<Access, uint32_t>> written_;  // by a launch, and the value
};

}  // namespace

Readers::Readers(const bp_fused& group) {
  for (uint32_t k = 0; k < group.n_launches; ++k) {
    const bp_fused_launch& f = group.launches[k];
    for (uint32_t i = 0; i < f.launch->n_in; ++i)
      of_.try_emplace(f.memory[i], k, k).first->second.second = k;
  }
}

bool Readers::any_beyond(uint32_t memory, uint32_t first, uint32_t n) const {
  const auto found = of_.find(memory);
  return found != of_.end() && (found->second.first < first || found->second.second >= first + n);
}

uint32_t count_of_body(const bp_fused& group, const Readers& readers, uint32_t first,
                       const Rows& rows, const BodyRules& rules) {
  uint32_t n = 0;
  for (; n < kMostLaunches && first + n < group.n_launches; ++n) {
    Body body;
    if (!rules.knows(*group.launches[first + n].launch) ||
        !make_body(group, readers, first, n + 1, rows, rules, body))
      break;
  }
  return n;
}

bool make_body(const bp_fused& group, const Readers& readers, uint32_t first, uint32_t n,
               const Rows& rows, const BodyRules& rules, Body& body) {
  return Builder(group, readers, first, n, rows, rules, body).build();
}

}  // namespace bp_kit
