// SPDX-License-Identifier: Apache-2.0
// collect.cc: gradients that hold themselves; declared in autograd.h. A gradient that was recorded
// keeps its graph, which leads back to the tensor whose gradient it is: counts alone never free the
// two. So from the slots of such gradients on, references are counted that come from what is
// reached. What has others too is held from outside, and so is what that leads to; slots that are
// not are emptied (D. F. Bacon and V. T. Rajan, Concurrent Cycle Collection in Reference Counted
// Systems, ECOOP 2001, section 3).
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/locks.h"
#include "core/grad/autograd.h"

namespace bp {
namespace {

struct RecordedSlots {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::set<std::weak_ptr<Ref<Tensor>>, std::owner_less<>> list;
  size_t most = 64;  // at this size the list is swept
};
RecordedSlots& recorded_slots() {
  static auto& slots = *new RecordedSlots;
  return slots;
}

// A tensor, a node or a slot that was reached.
struct Part {
  enum Kind { kTensor, kNode, kSlot } kind;
  void* at;
  int64_t n_refs;
};

Part part_of(Tensor* t) { return {Part::kTensor, t, t ? t->refs.load() : 0}; }
Part part_of(Node* n) { return {Part::kNode, n, n ? n->refs.load() : 0}; }
Part part_of(const GradSlot& s) { return {Part::kSlot, s.get(), s.use_count()}; }

// Visits what p holds. What a node's function holds is not seen, and so counts as held from
// outside.
template <class F>
void each_held(const Part& p, F&& visit) {
  if (p.kind == Part::kSlot) {
    visit(part_of(static_cast<Ref<Tensor>*>(p.at)->get()));
  } else if (p.kind == Part::kTensor) {
    const auto& trace = static_cast<Tensor*>(p.at)->trace;
    if (!trace) return;
    visit(part_of(trace->grad));
    visit(part_of(trace->edge.node.get()));
  } else {
    const Node& n = *static_cast<Node*>(p.at);
    for (const Edge& e : n.next) {
      visit(part_of(e.node.get()));
      visit(part_of(e.leaf.get()));
    }
    for (const auto* saved : {&n.in, &n.out})
      for (const Saved& s : *saved) visit(part_of(s.tensor()));
    for (const auto& [output, slot] : n.retained) visit(part_of(slot));
  }
}

// What the slots lead to, and who else leads there.
class Reached {
 public:
  explicit Reached(const std::vector<GradSlot>& slots) {
    for (const GradSlot& s : slots) add(part_of(s), /*held=*/1);  // by the list of slots
    while (!left_.empty()) {
      const Part p = left_.back();
      left_.pop_back();
      each_held(p, [&](const Part& held) { add(held, /*held=*/1); });
    }
    for (const auto& [at, found] : found_)
      if (found.others > 0) left_.push_back(found.part);
    while (!left_.empty()) {
      const Part p = left_.back();
      left_.pop_back();
      if (std::exchange(found_.at(p.at).is_live, true)) continue;
      each_held(p, [&](const Part& held) {
        if (held.at) left_.push_back(held);
      });
    }
  }
  bool is_live(const GradSlot& s) const { return found_.at(s.get()).is_live; }

 private:
  struct Found {
    Part part;
    int64_t others;  // references from what was not reached
    bool is_live = false;
  };
  void add(const Part& p, int64_t held) {
    if (!p.at) return;
    const auto [found, is_new] = found_.try_emplace(p.at, Found{p, p.n_refs});
    found->second.others -= held;
    if (is_new) left_.push_back(p);
  }
  std::unordered_map<void*, Found> found_;
  std::vector<Part> left_;  // to look at
};

}  // namespace

void note_recorded(const GradSlot& slot) {
  RecordedSlots& slots = recorded_slots();
  const std::lock_guard lock(slots.mutex);
  if (slots.list.size() >= slots.most) {
    std::erase_if(slots.list, [](const auto& s) { return s.expired(); });
    slots.most = 2 * slots.list.size() + 64;
  }
  slots.list.insert(slot);
}

uint64_t collect_gradients() {
  std::vector<GradSlot> slots;
  {
    const std::lock_guard lock(recorded_slots().mutex);
    for (const auto& s : recorded_slots().list)
      if (GradSlot slot = s.lock()) slots.push_back(std::move(slot));
  }
  if (slots.empty()) return 0;
  std::vector<Ref<Tensor>> taken;  // die when all are found
  const Reached reached(slots);
  for (const GradSlot& s : slots)
    if (*s && !reached.is_live(s)) taken.push_back(std::exchange(*s, {}));
  return taken.size();
}

}  // namespace bp
