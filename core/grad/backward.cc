// SPDX-License-Identifier: Apache-2.0
// backward.cc: the walk from roots to leaves; declared in autograd.h.
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/base/locks.h"
#include "core/call/invoke.h"
#include "core/call/kept.h"
#include "core/device/device.h"
#include "core/grad/autograd.h"
#include "core/process/context.h"
#include "core/process/trace.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

// Makes a stream its device's current one for a scope.
class StreamScope {
 public:
  explicit StreamScope(Stream& s)
      : device_(s.device->value), before_(Ref<Stream>::share(context_stream(device_))) {
    set_context_stream(device_, &s);
  }
  ~StreamScope() { set_context_stream(device_, before_.get()); }
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  bp_device device_;
  Ref<Stream> before_;
};

// A gradient on its way, and the stream in which it is made.
struct Arrived {
  Ref<Tensor> grad;
  Ref<Stream> stream;
  bool summed = false;  // the walk made it, and nobody else has it
  View view{};          // set: it is a part of a gradient of this shape, what view() shows of it
  Dims shape{};

  // Returns the gradient for use in `s`, which waits for it.
  const Ref<Tensor>& ready_in(Stream& s) const {
    if (stream.get() != &s && stream->device == s.device) {
      order(*stream, s);
      record_stream(*grad, s);
    }
    return grad;
  }
};

class Walk {
 public:
  explicit Walk(const BackwardOptions& options) : options_(options) {}

  void start(Tensor& root, Ref<Tensor> grad) {
    Stream& here = current_stream(grad->device());
    const Edge edge = edge_of(root);
    if (edge.node) count_edges(*edge.node);
    if (edge.leaf) leaves_[&root].tensor = edge.leaf;
    arrive(edge, {std::move(grad), Ref<Stream>::share(&here)});
  }
  // Gradients of these are kept apart, and no leaf keeps any.
  void want(std::span<Tensor* const> inputs);
  void run();
  std::vector<Ref<Tensor>> take() { return std::move(wanted_grads_); }

 private:
  struct Waiting {
    Ref<Node> node;
    std::vector<Arrived> grads;  // of its results
  };
  // A leaf gets its gradient once: when all nodes that lead to it have run, or when the walk ends.
  struct Leaf {
    Ref<Tensor> tensor;
    size_t missing = 0;  // edges from nodes that have not run
    Arrived grad;
  };
  void count_edges(Node& root);
  void arrive(const Edge& e, Arrived grad);
  // Whether more of this dtype may be added in place.
  bool is_own(const Arrived& there, bp_dtype more) const {
    return there.summed && !options_.create_graph && there.grad->refs.load() == 1 &&
           there.grad->dtype == more;
  }
  void add(Arrived& there, Arrived grad) const;
  void add_part(Arrived& there, const Arrived& part) const;
  void edge_done(const Edge& e);
  void into_leaf(Tensor& leaf, Arrived arrived);
  void keep(const GradSlot& slot, const Ref<Tensor>& grad) const;
  void note(const Edge& e, const Ref<Tensor>& grad);
  void step(Node& node, std::vector<Arrived> arrived);

  const BackwardOptions& options_;
  std::map<uint64_t, Waiting, std::greater<>> waiting_;  // by number, the latest first
  std::unordered_map<Tensor*, Leaf> leaves_;
  std::unordered_set<Node*> counted_;
  std::vector<Edge> wanted_;
  std::vector<Ref<Tensor>> wanted_grads_;
};

// A copy, as hooks may change what they are in, and other threads may.
template <class H>
std::vector<H> copied(const std::vector<H>& hooks, const void* owner) {
  const std::lock_guard lock(gradient_mutexes.of(owner));
  return hooks;
}

Ref<Tensor> sum_of(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  return invoke(BP_OP_ADD, {*a, *b});
}

void Walk::want(std::span<Tensor* const> inputs) {
  for (Tensor* t : inputs) {
    if (!wants_grad(*t))
      fail(BP_INVALID_ARGUMENT, "One of the differentiated Tensors does not require grad");
    wanted_.push_back(edge_of(*t));
  }
  wanted_grads_.resize(inputs.size());
}

// Counts the edges into each leaf, from each node once. It is not recursive: graphs are deep.
void Walk::count_edges(Node& root) {
  std::vector<Node*> left;
  const auto visit = [&](Node& n) {
    if (counted_.insert(&n).second) left.push_back(&n);
  };
  visit(root);
  while (!left.empty()) {
    Node& n = *left.back();
    left.pop_back();
    for (const Edge& e : n.next) {
      if (e.node) visit(*e.node);
      if (!e.leaf) continue;
      Leaf& leaf = leaves_[e.leaf.get()];
      leaf.tensor = e.leaf;
      ++leaf.missing;
    }
  }
}

// Of several parts of a tensor, as of one that was split, the first makes room for all.
void Walk::add_part(Arrived& there, const Arrived& part) const {
  if (!there.grad) {
    there = {placed(part.grad, part.shape, part.view), part.stream, /*summed=*/true};
    return;
  }
  const StreamScope scope(*there.stream);
  const Ref<Tensor>& more = part.ready_in(*there.stream);
  if (!is_own(there, more->dtype)) {
    there.grad = sum_of(there.grad, placed(more, part.shape, part.view));
    there.summed = true;
    return;
  }
  Ref<Tensor> to = part.view(*there.grad);
  invoke(BP_OP_ADD, {*to, *more}, {}, {&to, 1});
}

// Adds in place to a sum that the walk made and nobody else holds.
void Walk::add(Arrived& there, Arrived grad) const {
  if (grad.view) return add_part(there, grad);
  if (!there.grad) {
    there = std::move(grad);
    return;
  }
  const StreamScope scope(*there.stream);
  const Ref<Tensor>& more = grad.ready_in(*there.stream);
  if (is_own(there, more->dtype))
    invoke(BP_OP_ADD, {*there.grad, *more}, {}, {&there.grad, 1});
  else
    there.grad = sum_of(there.grad, more);
  there.summed = true;
}

void Walk::arrive(const Edge& e, Arrived grad) {
  if (e.leaf) return add(leaves_[e.leaf.get()].grad, std::move(grad));
  Waiting& w = waiting_[e.node->number];
  w.node = e.node;
  w.grads.resize(e.node->results.size());
  add(w.grads[e.output], std::move(grad));
}

void Walk::edge_done(const Edge& e) {
  if (!e.leaf) return;
  Leaf& leaf = leaves_[e.leaf.get()];
  if (--leaf.missing || !leaf.grad.grad) return;
  into_leaf(*leaf.tensor, std::exchange(leaf.grad, {}));
}

// Adds to what the wanted inputs at this edge have gathered.
void Walk::note(const Edge& e, const Ref<Tensor>& grad) {
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const Edge& w = wanted_[i];
    if (w.leaf.get() == e.leaf.get() && w.node.get() == e.node.get() && w.output == e.output)
      wanted_grads_[i] = wanted_grads_[i] ? sum_of(wanted_grads_[i], grad) : grad;
  }
}

// Whether nobody else can reach these elements, and nothing lies beside them.
bool is_alone(const Tensor& t) {
  const uint32_t most = Tape::of_thread && Tape::of_thread->keeps(*t.storage) ? 2 : 1;
  return t.refs.load() == 1 && t.storage->refs.load() == most && t.contiguous &&
         !t.storage->borrowed &&
         static_cast<uint64_t>(t.count * dtype_bytes(t.dtype)) == t.storage->bytes;
}

// Nobody else may hold what a leaf keeps: the next backward adds into it.
void Walk::keep(const GradSlot& slot, const Ref<Tensor>& grad) const {
  if (options_.create_graph) note_recorded(slot);
  Ref<Tensor>& kept = *slot;
  Ref<Tensor> before;  // dies after the lock is released
  const std::lock_guard lock(gradient_mutexes.of(&kept));
  if (kept && kept->shape != grad->shape)  // the leaf was given data of another shape
    fail(BP_INVALID_ARGUMENT,
         "a leaf's .grad has shape {}, the gradient that arrives has {}: set .grad to None first",
         format_shape(kept->shape), format_shape(grad->shape));
  if (options_.create_graph) {
    before = kept;
    kept = kept ? sum_of(kept, grad) : grad;
  } else if (!kept) {
    kept = is_alone(*grad) ? grad : clone(*grad);
  } else {
    invoke(BP_OP_ADD, {*kept, *grad}, {}, {&kept, 1});
  }
}

void Walk::into_leaf(Tensor& leaf, Arrived arrived) {
  arrived.ready_in(current_stream(leaf.device()));
  Ref<Tensor> grad = std::move(arrived.grad);  // a second reference would have it copied
  const Trace& trace = *leaf.trace;
  for (const Hook& hook : copied(trace.hooks, &trace))
    if (Ref<Tensor> other = hook.call(*grad)) grad = std::move(other);
  if (!wanted_.empty()) return note({{}, 0, Ref<Tensor>::share(&leaf)}, grad);
  keep(trace.grad, grad);
  for (const AccumulatedHook& hook : copied(trace.accumulated, &trace)) hook.call(leaf);
}

// Keeps what a node saved while this walk reads it.
class Walked {
 public:
  explicit Walked(Node& node) : node_(node) {
    const std::lock_guard lock(gradient_mutexes.of(&node));
    released = node.released;
    hooks = node.hooks;
    retained = node.retained;
    ++node.n_walks;
  }
  ~Walked() { end(/*release=*/false); }
  Walked(const Walked&) = delete;
  Walked& operator=(const Walked&) = delete;
  // With `release` what the node saved goes with the last walk.
  void end(bool release) noexcept {
    std::vector<Saved> in, out;  // die after the lock is released, and so does `run`
    std::function<void(GradCall&)> run;
    const std::lock_guard lock(gradient_mutexes.of(&node_));
    node_.released |= release;
    if (std::exchange(ended_, true) || --node_.n_walks || !node_.released) return;
    in.swap(node_.in);
    out.swap(node_.out);
    run.swap(node_.run);
  }

  bool released = false;
  decltype(Node::hooks) hooks;
  decltype(Node::retained) retained;

 private:
  Node& node_;
  bool ended_ = false;
};

// Runs a row's gradient function.
void go_back(GradCall& c) {
  const Node& node = c.node;
  int64_t largest = 0;
  for (const Ref<Tensor>& g : c.grads) largest = std::max(largest, g ? g->count : 0);
  for (size_t i = 0; i < node.operands.size(); ++i)  // a loss has one element, its operands many
    if (c.wants(i)) largest = std::max(largest, numel(node.operands[i].shape));
  const Device& device = *node.results[0].device;
  if (records() || !may_be_kept(*node.row, device, largest)) return node.gradient(c);
  // The function may do without what was changed since.
  const auto is_stale = [](const Saved& s) { return s && !s.is_current(); };
  if (std::any_of(node.in.begin(), node.in.end(), is_stale) ||
      std::any_of(node.out.begin(), node.out.end(), is_stale))
    return node.gradient(c);
  Likeness like(node.gradient, node.row->id);
  const auto read = [&](Tensor* t) { t ? like.reads(*t) : like.word(0); };
  for (const Ref<Tensor>& g : c.grads) read(g.get());
  for (const Saved& s : node.in) read(s.tensor());
  for (const Saved& s : node.out) read(s.tensor());
  for (const bp_value& v : node.numbers) like.number(v);
  for (size_t i = 0; i < node.operands.size(); ++i) {
    const Node::Result& x = node.operands[i];
    like.word(static_cast<uint64_t>(x.dtype) << 32 | x.shape.size() << 1 | (c.wants(i) ? 1 : 0));
    like.word(reinterpret_cast<uintptr_t>(x.device));
    for (const int64_t n : x.shape) like.word(static_cast<uint64_t>(n));
  }
  like.attributes(node.attrs);
  run_kept(like, c.out, [&] { node.gradient(c); });
}

void Walk::step(Node& node, std::vector<Arrived> arrived) {
  TraceSpan span(TraceSort::kBackward, node.name);
  if (span) span.goes_back_through(node.traced);
  Walked walked(node);
  const StreamScope scope(*node.stream);
  std::vector<Ref<Tensor>> grads;
  for (Arrived& a : arrived) grads.push_back(a.grad ? a.ready_in(*node.stream) : Ref<Tensor>{});
  arrived.clear();
  for (uint32_t i = 0; i < grads.size(); ++i) {
    if (!grads[i]) continue;
    for (const Hook& hook : walked.hooks)
      if (hook.output == i)
        if (Ref<Tensor> other = hook.call(*grads[i])) grads[i] = std::move(other);
    for (const auto& [output, slot] : walked.retained)
      if (output == i && wanted_.empty()) keep(slot, grads[i]);
    note({Ref<Node>::share(&node), i, {}}, grads[i]);
  }
  if (walked.released) static_cast<void>(Saved().unpack(node, 0));  // throws
  GradCall c{{node.attrs}, node, grads, std::vector<Ref<Tensor>>(node.next.size())};
  if (node.run)
    node.run(c);
  else
    go_back(c);
  walked.end(/*release=*/!options_.retain_graph);
  for (size_t i = 0; i < node.next.size(); ++i)
    if (node.next[i] && c.out[i])
      arrive(node.next[i], {std::move(c.out[i]), node.stream, /*summed=*/false, c.view,
                            c.view ? c.operand(i).shape : Dims{}});
  grads.clear();  // a leaf may be given what arrived here
  // The last operand's first: parameters get their gradients in the order opposite to the one in
  // which modules have them, as buckets of gradients to exchange are filled.
  for (size_t i = node.next.size(); i-- > 0;) edge_done(node.next[i]);
}

void Walk::run() {
  const RecordGuard record(options_.create_graph);
  while (!waiting_.empty()) {
    auto latest = waiting_.begin();
    Waiting w = std::move(latest->second);
    waiting_.erase(latest);
    step(*w.node, std::move(w.grads));
  }
  // Left are roots that are leaves, and leaves behind nodes to which no gradient came.
  for (auto& [tensor, leaf] : leaves_)
    if (leaf.grad.grad) into_leaf(*tensor, std::exchange(leaf.grad, {}));
}

Ref<Tensor> first_grad(Tensor& root, Tensor* given) {
  if (!wants_grad(root))
    fail(BP_INVALID_ARGUMENT,
         "element 0 of tensors does not require grad and does not have a grad_fn");
  if (given) {
    if (given->shape != root.shape)
      fail(BP_INVALID_ARGUMENT,
           "Mismatch in shape: grad_output[0] has a shape of {} and output[0] has a shape of {}.",
           format_shape(given->shape), format_shape(root.shape));
    return Ref<Tensor>::share(given);
  }
  if (root.count != 1)
    fail(BP_INVALID_ARGUMENT, "grad can be implicitly created only for scalar outputs");
  Ref<Tensor> one = new_tensor(root.shape, root.dtype, root.device());
  fill(*one, 1);
  return one;
}

}  // namespace

void backward(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
              const BackwardOptions& options) {
  Walk walk(options);
  const RecordGuard off(false);
  for (size_t i = 0; i < roots.size(); ++i)
    walk.start(*roots[i], first_grad(*roots[i], i < grads.size() ? grads[i] : nullptr));
  walk.run();
}

std::vector<Ref<Tensor>> gradients(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
                                   std::span<Tensor* const> inputs,
                                   const BackwardOptions& options) {
  Walk walk(options);
  const RecordGuard off(false);
  walk.want(inputs);
  for (size_t i = 0; i < roots.size(); ++i)
    walk.start(*roots[i], first_grad(*roots[i], i < grads.size() ? grads[i] : nullptr));
  walk.run();
  std::vector<Ref<Tensor>> found = walk.take();
  for (size_t i = 0; i < found.size() && !options.allow_unused; ++i)
    if (!found[i])
      fail(
          BP_INVALID_ARGUMENT,
          "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True "
          "if this is the desired behavior.");
  return found;
}

}  // namespace bp
