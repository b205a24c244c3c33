// SPDX-License-Identifier: Apache-2.0
#include "core/program/way_back.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/call/invoke.h"
#include "core/call/recording.h"
#include "core/grad/autograd.h"

bp_program::bp_program() : Object(bp::Tag::kProgram) {}
bp_program::~bp_program() = default;

namespace bp {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

// A part of a recording, which becomes a program of its own.
class Part {
 public:
  explicit Part(Program& whole)
      : whole_(whole),
        place_(whole.buffers.size(), kNowhere),
        p_(Ref<Program>::adopt(new Program)) {}

  // Inputs come first, in their order.
  void add_input(const BufferView& view, Device* device) {
    const auto at = static_cast<uint32_t>(p_->buffers.size());
    Buffer b;
    b.kind = Buffer::Kind::kInput;
    b.device = device;
    b.bytes = whole_.buffers[view.buffer].bytes;
    b.input = at;
    place_[view.buffer] = at;
    p_->buffers.push_back(std::move(b));
    p_->inputs.push_back({view, device});
    p_->inputs.back().place.buffer = at;
  }
  void take_steps(size_t from, size_t to, size_t first_draw) {
    for (size_t i = from; i < to; ++i) {
      Step s = std::move(whole_.steps[i]);
      for (Argument& a : s.uses) {
        if (a.buffer == Argument::kNumber) continue;
        a.buffer = buffer(a.buffer);
        p_->buffers[a.buffer].written |= a.writes;
      }
      if (s.draw >= 0) s.draw -= static_cast<int32_t>(first_draw);
      p_->steps.push_back(std::move(s));
    }
    p_->facts.recorded = static_cast<uint32_t>(p_->steps.size());
    p_->facts.eager_peak = whole_.facts.eager_peak;
  }
  void add_output(BufferView view) {
    view.buffer = buffer(view.buffer);
    p_->buffers[view.buffer].output = true;
    p_->outputs.push_back(view);
  }
  Program& program() { return *p_; }
  Ref<Program> done() { return std::move(p_); }

 private:
  uint32_t buffer(uint32_t of_whole) {
    uint32_t& at = place_[of_whole];
    if (at != kNowhere) return at;
    at = static_cast<uint32_t>(p_->buffers.size());
    p_->buffers.push_back(whole_.buffers[of_whole]);
    p_->buffers.back().written = p_->buffers.back().output = false;
    return at;
  }

  Program& whole_;
  std::vector<uint32_t> place_;  // of the whole's buffers
  Ref<Program> p_;
};

// All of a buffer, as bytes.
BufferView bytes_of(const Program& p, uint32_t buffer) {
  return {buffer, 0, BP_U8, Dims{static_cast<int64_t>(p.buffers[buffer].bytes)}, Dims{1}};
}

// Which buffers a part of a recording uses, and which it writes.
struct Use {
  std::vector<bool> used, written;
  Use(const Program& p, size_t from, size_t to)
      : used(p.buffers.size()), written(p.buffers.size()) {
    for (size_t i = from; i < to; ++i)
      for (const Argument& a : p.steps[i].uses) {
        if (a.buffer == Argument::kNumber) continue;
        used[a.buffer] = true;
        if (a.writes) written[a.buffer] = true;
      }
  }
};

// What the steps from `first` on read of memory that lives elsewhere: a look at each storage.
std::vector<Ref<Tensor>> held_reads(const Program& p, size_t first) {
  std::vector<Ref<Tensor>> all;
  std::vector<bool> seen(p.buffers.size());
  for (size_t i = first; i < p.steps.size(); ++i) {
    const Step& s = p.steps[i];
    for (size_t k = 0; k < s.args.size(); ++k) {
      const uint32_t b = s.uses[k].buffer;
      if (b == Argument::kNumber || !s.uses[k].reads || !p.buffers[b].held || seen[b]) continue;
      seen[b] = true;
      const bp_arg& a = s.args[k];
      auto t = Ref<Tensor>::adopt(new Tensor);
      t->storage = p.buffers[b].held;
      t->dtype = a.dtype;
      t->shape = Dims(Span(a.shape, static_cast<size_t>(a.rank)));
      t->strides = Dims(Span(a.strides, static_cast<size_t>(a.rank)));
      t->count = numel(t->shape);
      t->offset = reinterpret_cast<intptr_t>(a.data) / dtype_bytes(a.dtype);
      all.push_back(std::move(t));
    }
  }
  return all;
}

}  // namespace

std::vector<Ref<Tensor>> leaves_behind(std::span<Tensor* const> roots,
                                       std::span<Tensor* const> inputs) {
  std::vector<Ref<Tensor>> leaves;
  std::set<std::pair<const void*, uint32_t>> seen;  // leaves, and results of nodes
  std::vector<Edge> left;
  for (Tensor* t : inputs)
    if (const Edge e = edge_of(*t))
      seen.emplace(e.leaf ? static_cast<const void*>(e.leaf.get()) : e.node.get(), e.output);
  for (Tensor* t : roots) left.push_back(edge_of(*t));
  std::set<const Node*> entered;
  while (!left.empty()) {
    const Edge e = std::move(left.back());
    left.pop_back();
    if (!e) continue;
    const void* of = e.leaf ? static_cast<const void*>(e.leaf.get()) : e.node.get();
    if (!seen.emplace(of, e.output).second) continue;
    if (e.leaf) {
      leaves.push_back(e.leaf);
    } else if (entered.insert(e.node.get()).second) {
      left.insert(left.end(), e.node->next.begin(), e.node->next.end());
    }
  }
  return leaves;
}

Ref<Program> split(Program& whole, const Trail& trail) {
  auto back = std::make_unique<WayBack>();
  back->roots = trail.roots;
  back->inputs = trail.inputs;
  back->leaves = trail.leaves;
  back->gradient_of = trail.gradient_of;
  const Use ahead(whole, 0, trail.first_step);
  Use behind(whole, trail.first_step, whole.steps.size());
  for (size_t i = trail.n_outputs; i < whole.outputs.size(); ++i)
    behind.used[whole.outputs[i].buffer] = true;
  std::vector<uint32_t> kept;
  for (uint32_t b = 0; b < whole.buffers.size(); ++b)
    if (whole.buffers[b].kind == Buffer::Kind::kMade && ahead.written[b] && behind.used[b])
      kept.push_back(b);
  back->n_kept = static_cast<uint32_t>(kept.size());

  Part first(whole), second(whole);
  for (size_t i = 0; i < whole.inputs.size(); ++i) {
    const Input& input = whole.inputs[i];
    if (i < trail.n_inputs) first.add_input(input.place, input.device);
    if (i < trail.n_inputs && behind.used[input.place.buffer])
      back->reads.push_back(static_cast<uint32_t>(i));
    if (i >= trail.n_inputs || behind.used[input.place.buffer])
      second.add_input(input.place, input.device);
  }
  for (uint32_t b : kept) second.add_input(bytes_of(whole, b), whole.buffers[b].device);
  back->held_reads = held_reads(whole, trail.first_step);

  for (size_t i = 0; i < trail.n_outputs; ++i) first.add_output(whole.outputs[i]);
  for (uint32_t b : kept) first.add_output(bytes_of(whole, b));
  for (size_t i = trail.n_outputs; i < whole.outputs.size(); ++i)
    second.add_output(whole.outputs[i]);
  first.take_steps(0, trail.first_step, 0);
  second.take_steps(trail.first_step, whole.steps.size(), trail.first_draw);
  const auto between = whole.draws.begin() + static_cast<std::ptrdiff_t>(trail.first_draw);
  first.program().draws.assign(whole.draws.begin(), between);
  second.program().draws.assign(between, whole.draws.end());
  back->program = second.done();
  Ref<Program> p = first.done();
  p->back = std::move(back);
  return p;
}

namespace {

// Runs the way back. `saved` has the inputs that it reads, and then what the program kept.
void go_back(const WayBack& back, GradCall& c, std::span<const Ref<Tensor>> saved) {
  if (records())
    fail(
        BP_UNSUPPORTED,
        "the gradient of a program's result has no gradient itself: create_graph is for calls that "
        "run one by one");
  const size_t n_read = back.reads.size();
  std::vector<Ref<Tensor>> owned;
  std::vector<Tensor*> in;
  for (size_t i = 0; i < n_read; ++i) in.push_back(saved[i].get());
  for (size_t r = 0; r < back.roots.size(); ++r) {
    const Input& wanted = back.program->inputs[n_read + r];
    if (c.grads[back.roots[r]]) {
      in.push_back(c.grads[back.roots[r]].get());
      continue;
    }
    owned.push_back(new_tensor(wanted.place.shape, wanted.place.dtype, *wanted.device));
    fill(*owned.back(), 0);
    in.push_back(owned.back().get());
  }
  for (size_t i = 0; i < back.n_kept; ++i) in.push_back(saved[n_read + i].get());
  std::vector<Ref<Tensor>> out(back.program->outputs.size());
  run(*back.program, in, out);
  for (size_t i = 0; i < back.gradient_of.size(); ++i)
    if (back.gradient_of[i] >= 0 && c.wants(i))
      c.give(i, out[static_cast<size_t>(back.gradient_of[i])]);
}

}  // namespace

void check_wanted(const WayBack& back, std::span<Tensor* const> in) {
  if (!records()) return;
  for (uint32_t i = 0; i < in.size(); ++i)
    if (wants_grad(*in[i]) && !std::binary_search(back.inputs.begin(), back.inputs.end(), i))
      fail(BP_INVALID_ARGUMENT,
           "input {} of the program requires a gradient, and did not when it was recorded", i);
}

void attach(Program& p, std::span<Tensor* const> in, std::span<const Ref<Tensor>> out) {
  const WayBack& back = *p.back;
  const size_t n_visible = out.size() - back.n_kept;
  Function f;
  f.name = "ProgramBackward";
  for (uint32_t i : back.reads) f.saved.push_back(Ref<Tensor>::share(in[i]));
  for (size_t i = n_visible; i < out.size(); ++i) f.saved.push_back(out[i]);
  f.saved.insert(f.saved.end(), back.held_reads.begin(), back.held_reads.end());
  f.backward = [held = Ref<Program>::share(&p)](GradCall& c, std::span<const Ref<Tensor>> saved) {
    go_back(*held->back, c, saved);
  };
  std::vector<Tensor*> inputs, outputs;
  for (uint32_t i : back.inputs) inputs.push_back(in[i]);
  for (const Ref<Tensor>& leaf : back.leaves) inputs.push_back(leaf.get());
  for (size_t i = 0; i < n_visible; ++i) outputs.push_back(out[i].get());
  record_function(std::move(f), inputs, outputs);
}

}  // namespace bp
