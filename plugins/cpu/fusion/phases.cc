// SPDX-License-Identifier: Apache-2.0
#include "fusion/phases.h"

#include <algorithm>

#include "fusion/loop.h"

namespace bp_cpu {
namespace {

using bp_kit::Body;

// Operations that take no longer than a load, more or less.
bool is_cheap(uint32_t op) {
  switch (op) {
    case BP_OP_DIV:
    case BP_OP_SQRT:
    case BP_OP_RSQRT:
    case BP_OP_RECIPROCAL: return false;
    default: return !is_function(op);
  }
}

class Planner {
 public:
  Planner(const Body& body, Phases& phases)
      : body_(body),
        phases_(phases),
        level_(body.values.size(), 0),
        maker_(body.values.size(), nullptr) {}

  void run() {
    for (const Body::Step& s : body_.steps) place(s);
    for (size_t level = 0; level < phases_.list.size(); ++level) complete(level);
    for (Phase& p : phases_.list) count_uses(p);
  }

 private:
  bool is_one(uint32_t v) const { return body_.values[v].is_one; }
  Phase& phase(size_t level) {
    if (phases_.list.size() <= level) phases_.list.resize(level + 1);
    return phases_.list[level];
  }

  void place(const Body::Step& s) {
    size_t level = 0;
    for (uint32_t i = 0; i < s.n_in; ++i) level = std::max(level, level_[s.in[i]]);
    level_[s.out] = level + (s.reduces ? 1 : 0);
    const bool is_once = !s.reduces && is_one(s.out);
    for (uint32_t i = 0; i < s.n_in; ++i) {
      const uint32_t v = s.in[i];
      if (!is_one(v) || !maker_[v] || (is_once && level_[v] == level)) continue;
      phases_.stays[v] = true;
      phases_.fits &= body_.values[v].dtype != BP_BOOL;
    }
    Phase& p = phase(level);
    if (s.reduces) return p.reductions.push_back(s);
    maker_[s.out] = &s;
    (is_once ? p.once : p.each).steps.push_back(s);
  }

  // Adds to a phase what it needs of those before.
  void complete(size_t level) {
    Phase& p = phases_.list[level];
    std::vector<const Body::Step*> again;
    const auto need = [&](const Body::Step& s) {
      for (uint32_t i = 0; i < s.n_in; ++i) bring(s.in[i], level, again);
    };
    for (const Body::Step& s : p.each.steps) need(s);
    for (const Body::Step& s : p.reductions) need(s);
    for (const Body::Step* s : again) {
      p.each.steps.push_back(*s);
      p.each.steps.back().store = -1;
    }
    std::stable_sort(p.each.steps.begin(), p.each.steps.end(),
                     [](const Body::Step& a, const Body::Step& b) { return a.launch < b.launch; });
  }
  void bring(uint32_t v, size_t level, std::vector<const Body::Step*>& again) {
    const Body::Step* maker = maker_[v];
    if (!maker || is_one(v) || level_[v] == level || phases_.kept[v] >= 0 ||
        std::find(again.begin(), again.end(), maker) != again.end())
      return;
    if (size_t most = kMostAgain; !is_made_again(v, most)) {
      phases_.fits &= body_.values[v].dtype != BP_BOOL;
      phases_.kept[v] = phases_.n_kept++;
      return;
    }
    again.push_back(maker);
    for (uint32_t i = 0; i < maker->n_in; ++i) bring(maker->in[i], level, again);
  }
  // Whether a few cheap operations make it of what is at hand in every phase.
  static constexpr size_t kMostAgain = 3;
  bool is_made_again(uint32_t v, size_t& most) const {
    const Body::Step* maker = maker_[v];
    if (!maker || is_one(v) || phases_.kept[v] >= 0) return true;
    if (!most || !is_cheap(maker->op)) return false;
    --most;
    return std::all_of(maker->in, maker->in + maker->n_in,
                       [&](uint32_t in) { return is_made_again(in, most); });
  }

  void count_uses(Phase& p) const {
    for (Phase::Part* part : {&p.once, &p.each}) {
      part->uses.assign(body_.values.size(), 0);
      for (const Body::Step& s : part->steps) {
        for (uint32_t i = 0; i < s.n_in; ++i) ++part->uses[s.in[i]];
        if (s.store >= 0) ++part->uses[s.out];
      }
    }
    for (const Body::Step& s : p.reductions) ++p.each.uses[s.in[0]];
  }

  const Body& body_;
  Phases& phases_;
  std::vector<size_t> level_;             // of each value: the first phase that may use it
  std::vector<const Body::Step*> maker_;  // but of reductions
};

}  // namespace

Phases::Phases(const Body& body) : stays(body.values.size()), kept(body.values.size(), -1) {
  Planner(body, *this).run();
}

}  // namespace bp_cpu
