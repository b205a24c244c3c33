// SPDX-License-Identifier: Apache-2.0
#include "core/grad/autograd.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "core/base/locks.h"
#include "core/call/invoke.h"
#include "core/device/device.h"
#include "core/process/context.h"
#include "core/process/trace.h"
#include "core/tensor/traced.h"

namespace bp {
namespace {

constinit thread_local bool recording = true;
std::atomic<uint64_t> next_number{1};

Trace& trace_of(Tensor& t) {
  if (!t.trace) {
    t.trace.reset(new Trace);
    t.tag = Tag::kTracedTensor;
  }
  return *t.trace;
}

bool differentiable(bp_dtype t) { return is_floating(t) || is_complex(t); }

Node::Result described(const Tensor& t) { return {t.shape, t.dtype, &t.device()}; }

Ref<Node> new_node(const char* name) {
  auto n = Ref<Node>::adopt(new Node);
  n->name = name;
  n->number = next_number.fetch_add(1, std::memory_order_relaxed);
  return n;
}

void add_operand(Node& n, const bp_value& v) {
  if (!is_tensor(v)) {
    n.numbers.resize(n.operands.size() + 1);
    n.numbers.back() = v;
    n.operands.push_back({{}, v.kind == BP_VALUE_NONE ? BP_DTYPE_NONE : number_kind(v), nullptr});
    n.next.push_back({});
    return;
  }
  n.operands.push_back(described(*v.as.tensor));
  n.next.push_back(differentiable(v.as.tensor->dtype) ? edge_of(*v.as.tensor) : Edge{});
}

// Copies the attributes, since the node outlives the caller's arrays.
void keep_attrs(Node& n, std::span<const bp_attr> attrs) {
  n.attrs.assign(attrs.begin(), attrs.end());
  n.ints.reserve(attrs.size());
  n.texts.reserve(attrs.size());
  for (bp_attr& a : n.attrs) {
    a.name = nullptr;
    if (a.kind == BP_ATTR_INTS)
      a.value.ints = n.ints.emplace_back(a.value.ints, a.value.ints + a.count).data();
    if (a.kind == BP_ATTR_STR) a.value.str = n.texts.emplace_back(a.value.str, a.count).data();
  }
}

Ref<Tensor> zeros(const Dims& shape, bp_dtype dtype, Device& device) {
  Ref<Tensor> t = new_tensor(shape, dtype, device);
  fill(*t, 0);
  return t;
}

void set_edge(Tensor& t, const Ref<Node>& node, uint32_t output) {
  Trace& trace = trace_of(t);
  trace.requires_grad = true;
  trace.edge = {node, output, {}};
}

}  // namespace

Edge edge_of(Tensor& t) {
  if (!wants_grad(t)) return {};
  if (t.trace->edge) return t.trace->edge;
  Edge e;
  e.leaf = Ref<Tensor>::share(&t);
  return e;
}

void TraceDelete::operator()(Trace* t) const noexcept { delete t; }

// ---- saved tensors ----

Saved::Saved(Tensor& t, bool is_result)
    : tensor_(is_result ? detach(t) : Ref<Tensor>::share(&t)),
      version_(t.storage->version.load(std::memory_order_relaxed)),
      is_result_(is_result) {}

bool Saved::is_current() const noexcept {
  return tensor_ && tensor_->storage->version.load(std::memory_order_relaxed) == version_;
}

Ref<Tensor> Saved::unpack(Node& of, uint32_t output) const {
  if (!tensor_)
    fail(
        BP_BAD_STATE,
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call backward or grad. Specify "
        "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
        "after calling backward.");
  const uint64_t now = tensor_->storage->version.load(std::memory_order_relaxed);
  if (now != version_)
    fail(
        BP_BAD_STATE,
        "one of the variables needed for gradient computation has been modified by an inplace operation: [{} {}]{} is "
        "at version {}; expected version {} instead.",
        dtype_title(tensor_->dtype), format_shape(tensor_->shape),
        is_result_ ? fmt::format(", which is output {} of {},", output, of.name) : "", now,
        version_);
  if (!is_result_) return tensor_;
  Ref<Tensor> t = detach(*tensor_);
  if (records()) set_edge(*t, Ref<Node>::share(&of), output);
  return t;
}

// ---- nodes ----

// A chain of a million nodes must not be a recursion of a million calls, and needs no memory: a
// node whose last reference goes while another one is destroyed waits in a list through the nodes.
void Node::destroy(Node* n) noexcept {
  static constinit thread_local Node** waiting =
      nullptr;  // not null while this thread destroys nodes
  n->tag = Tag::kDead;
  if (waiting) {
    n->next_dead = std::exchange(*waiting, n);
    return;
  }
  Node* dead = n;
  waiting = &dead;
  while (dead) delete std::exchange(dead, dead->next_dead);
  waiting = nullptr;
}

void GradCall::give(size_t i, Ref<Tensor> g) {
  if (!wants(i)) return;
  const Node::Result& to = operand(i);
  out[i] = std::move(g);
  if (out[i]->shape != to.shape) {
    const auto extra = static_cast<int64_t>(out[i]->rank()) - static_cast<int64_t>(to.shape.size());
    Dims axes;
    for (int64_t d = 0; d < static_cast<int64_t>(out[i]->rank()); ++d)
      if (d < extra || (to.shape[static_cast<size_t>(d - extra)] == 1 &&
                        out[i]->shape[static_cast<size_t>(d)] != 1))
        axes.push_back(d);
    if (!axes.empty())
      out[i] = invoke(BP_OP_SUM, {out[i]},
                      {ints_value(axes), flag_value(false), dtype_value(BP_DTYPE_NONE)});
    out[i] = reshape(*out[i], to.shape);
  }
  if (is_complex(out[i]->dtype) && !is_complex(to.dtype)) out[i] = invoke(BP_OP_REAL, {out[i]});
  out[i] = bp::to(*out[i], to.device->value, to.dtype, /*copy=*/false, /*non_blocking=*/false);
}

void GradCall::give_part(const View& where) {
  if (!wants(0)) return;
  const Node::Result& to = operand(0);
  if (records() || grad()->dtype != to.dtype || &grad()->device() != to.device)
    return give(0, placed(grad(), to.shape, where));
  out[0] = grad();
  view = where;
}

// ---- recording ----

bool records() noexcept { return recording; }
bool set_recording(bool on) noexcept { return std::exchange(recording, on); }
RecordGuard::RecordGuard(bool on) noexcept : before_(std::exchange(recording, on)) {}
RecordGuard::~RecordGuard() { recording = before_; }

bool must_record(std::span<const bp_value> in) noexcept {
  if (!recording) return false;
  for (const bp_value& v : in)
    if (is_tensor(v) && wants_grad(*v.as.tensor)) return true;
  return false;
}

// A given output that is an operand is changed in place; to any other there is no way back.
void check_given_output(const OpRow& row, std::span<const bp_value> in, const Tensor& given) {
  const bool in_place = std::any_of(in.begin(), in.end(), [&](const bp_value& v) {
    return is_tensor(v) && v.as.tensor == &given;
  });
  if (!in_place)
    fail(
        BP_INVALID_ARGUMENT,
        "{}(): functions with out=... arguments don't support automatic differentiation, but one of the "
        "arguments requires grad.",
        row.name);
  if (wants_grad(given) && !given.trace->edge)
    fail(BP_INVALID_ARGUMENT,
         "a leaf Variable that requires grad is being used in an in-place operation.");
  if (given.count * dtype_bytes(given.dtype) != static_cast<int64_t>(given.storage->bytes) &&
      wants_grad(given))
    fail(BP_UNSUPPORTED, "{}(): a view of a tensor that requires grad cannot be changed in place",
         row.name);
}

void write_composed(Tensor& given, Tensor& made) {
  {
    const RecordGuard off(false);
    copy_into(given, made, /*non_blocking=*/false);
  }
  if (recording && wants_grad(made)) {
    trace_of(given).requires_grad = true;
    given.trace->edge = made.trace->edge;
  }
}

void invoke_recorded(const OpRow& row, const Gradient& gradient, std::span<const bp_value> in,
                     std::span<const bp_attr> attrs, std::span<Ref<Tensor>> out) {
  Ref<Node> node = new_node(gradient.name);
  node->row = &row;
  node->gradient = gradient.run;
  node->next.reserve(in.size());
  node->operands.reserve(in.size());
  for (const bp_value& v : in) add_operand(*node, v);
  keep_attrs(*node, attrs);
  for (Ref<Tensor>& o : out)
    if (o) check_given_output(row, in, *o);
  // Most nodes keep nothing on one side or the other, and training makes many nodes.
  if (!node->numbers.empty()) node->in.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    if (gradient.saves_in(i) && is_tensor(in[i])) {
      if (node->in.empty()) node->in.resize(in.size());
      Tensor& t = *in[i].as.tensor;
      // What is changed in place is of no use to backward; saved with its trace it would hold this
      // node, which holds it.
      const bool in_place =
          std::any_of(out.begin(), out.end(), [&](const Ref<Tensor>& o) { return o.get() == &t; });
      node->in[i] = Saved(in_place ? *detach(t) : t, false);
    }
  {
    const RecordGuard off(false);
    invoke(row, in, attrs, out);
  }
  if (traces()) [[unlikely]]
    node->traced = last_traced_op();
  node->results.reserve(out.size());
  for (size_t i = 0; i < out.size(); ++i) {
    node->results.push_back(described(*out[i]));
    if (gradient.saves_out(i)) {
      if (node->out.empty()) node->out.resize(out.size());
      node->out[i] = Saved(*out[i], true);
    }
    if (differentiable(out[i]->dtype)) set_edge(*out[i], node, static_cast<uint32_t>(i));
  }
  node->stream = Ref<Stream>::share(&current_stream(out[0]->device()));
}

void invoke_underivable(const OpRow& row, std::span<const bp_value> in,
                        std::span<const bp_attr> attrs, std::span<Ref<Tensor>> out) {
  static constexpr Gradient kRefusal{
      "NotImplemented", [](GradCall& c) {
        fail(BP_UNSUPPORTED, "the derivative for '{}' is not implemented.", c.node.row->name);
      }};
  invoke_recorded(row, kRefusal, in, attrs, out);
}

void record_constant(std::span<const bp_value> in, Tensor& made) {
  if (!differentiable(made.dtype) || wants_grad(made)) return;
  Ref<Node> node = new_node("ConstantBackward0");
  for (const bp_value& v : in) add_operand(*node, v);
  node->results.push_back(described(made));
  node->run = [](GradCall& c) {
    for (size_t i = 0; i < c.node.operands.size(); ++i) {
      const Node::Result& x = c.operand(i);
      if (c.wants(i)) c.give(i, zeros(x.shape, x.dtype, *x.device));
    }
  };
  node->stream = Ref<Stream>::share(&current_stream(made.device()));
  set_edge(made, node, 0);
}

namespace {

// `run` is the way back from the result to the operand.
void trace(Tensor& result, const Tensor& operand, const char* name,
           std::function<void(GradCall&)> run) {
  Ref<Node> node = new_node(name);
  add_operand(*node, tensor_value(operand));
  node->results.push_back(described(result));
  node->run = std::move(run);
  node->stream = Ref<Stream>::share(&current_stream(result.device()));
  set_edge(result, node, 0);
}
bool is_traced(const Tensor& result, const Tensor& operand) {
  return recording && wants_grad(operand) && differentiable(result.dtype);
}

}  // namespace

void trace_result(Tensor& result, const Tensor& operand, const char* name, Back back) {
  if (is_traced(result, operand))
    trace(result, operand, name,
          [back = std::move(back)](GradCall& c) { c.give(0, back(c.grad())); });
}

void trace_part(Tensor& result, const Tensor& operand, const char* name, View view) {
  if (is_traced(result, operand))
    trace(result, operand, name, [view = std::move(view)](GradCall& c) { c.give_part(view); });
}

Ref<Tensor> embedded(Ref<Tensor> base, const Ref<Tensor>& from, View view) {
  {
    const RecordGuard off(false);
    Ref<Tensor> part = view(*base);
    copy_into(*part, *from, /*non_blocking=*/false);
  }
  return traced(*from, std::move(base), "EmbeddedBackward0",
                [view = std::move(view)](const Ref<Tensor>& g) { return view(*g); });
}

Ref<Tensor> placed(const Ref<Tensor>& grad, const Dims& shape, View view) {
  return embedded(zeros(shape, grad->dtype, grad->device()), grad, std::move(view));
}

Ref<Tensor> rewound(const Ref<Tensor>& grad, const Window& from, const Window& to,
                    int64_t capacity) {
  Ref<Tensor> seen;
  {
    const RecordGuard off(false);
    Device& device = grad->device();
    Ref<Tensor> all = zeros(Dims{capacity}, grad->dtype, device);
    if (!overlaps_itself(from.shape, from.strides)) {
      copy_into(*as_strided(*all, from.shape, from.strides, from.offset), *grad,
                /*non_blocking=*/false);
    } else {
      Ref<Tensor> places[] = {new_tensor(Dims{capacity}, BP_I64, device)};
      invoke(BP_OP_ARANGE, {0, capacity, 1}, {dtype_value(BP_I64)}, places);
      Ref<Tensor> at = reshape(*as_strided(*places[0], from.shape, from.strides, from.offset),
                               Dims{grad->count});
      Ref<Tensor> flat = reshape(*grad, Dims{grad->count});
      all = invoke(BP_OP_INDEX_ADD, {all, at, flat}, {int_value(0), float_value(1)});
    }
    seen = as_strided(*all, to.shape, to.strides, to.offset);
  }
  return traced(*grad, seen, "AsStridedBackward0", [from, to, capacity](const Ref<Tensor>& g) {
    return rewound(g, to, from, capacity);
  });
}

void overwritten(Tensor& t) {
  if (!recording || !wants_grad(t)) return;
  const bp_value in[] = {tensor_value(t)};
  check_given_output(*find_op(BP_OP_COPY), in, t);
  t.trace->requires_grad = false;
  t.trace->edge = {};
}

void copy_recorded(Tensor& dst, Tensor& src, bool non_blocking) {
  if (!recording || !(wants_grad(dst) || wants_grad(src))) return copy_into(dst, src, non_blocking);
  const bp_value in[] = {tensor_value(dst)};
  check_given_output(*find_op(BP_OP_COPY), in, dst);
  Ref<Node> node = new_node("CopyBackwards");
  add_operand(*node, tensor_value(src));
  copy_into(dst, src, non_blocking);
  if (!node->next[0] || !differentiable(dst.dtype)) {
    if (dst.trace) dst.trace->requires_grad = false, dst.trace->edge = {};
    return;
  }
  node->results.push_back(described(dst));
  node->run = [](GradCall& c) { c.give(0, c.grad()); };
  node->stream = Ref<Stream>::share(&current_stream(dst.device()));
  set_edge(dst, node, 0);
}

// ---- leaves ----

void set_requires_grad(Tensor& t, bool on) {
  if (on && !differentiable(t.dtype))
    fail(BP_INVALID_ARGUMENT,
         "only Tensors of floating point and complex dtype can require gradients, got {}",
         dtype_title(t.dtype));
  if (!on && t.trace && t.trace->edge)
    fail(
        BP_INVALID_ARGUMENT,
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
        "a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  if (on || t.trace) trace_of(t).requires_grad = on;
}

Ref<Tensor> detach(const Tensor& t) { return make_view(t, t.shape, t.strides, t.offset); }

Ref<Tensor> grad_of(const Tensor& t) {
  if (!t.trace) return {};
  const Ref<Tensor>& slot = *t.trace->grad;
  const std::lock_guard lock(gradient_mutexes.of(&slot));
  return slot;
}

void set_grad(Tensor& t, Ref<Tensor> grad) {
  if (grad) {
    if (grad->shape != t.shape)
      fail(BP_INVALID_ARGUMENT, "assigned grad has data of a different size: {} for a tensor of {}",
           format_shape(grad->shape), format_shape(t.shape));
    if (grad->dtype != t.dtype)
      fail(BP_DTYPE_MISMATCH, "assigned grad has data of a different type: {} for a tensor of {}",
           dtype_title(grad->dtype), dtype_title(t.dtype));
    if (&grad->device() != &t.device())
      fail(BP_DEVICE_MISMATCH,
           "assigned grad has data located on a different device: {} for a tensor on {}",
           grad->device().label, t.device().label);
  }
  if (!grad && !t.trace) return;
  const GradSlot& there = trace_of(t).grad;
  if (grad && wants_grad(*grad)) note_recorded(there);
  Ref<Tensor>& slot = *there;
  const std::lock_guard lock(gradient_mutexes.of(&slot));
  std::swap(slot, grad);  // the old one goes when the lock is released
}

void retain_grad(Tensor& t) {
  if (!wants_grad(t))
    fail(BP_INVALID_ARGUMENT, "can't retain_grad on Tensor that has requires_grad=False");
  const Edge& made = t.trace->edge;
  if (!made.node) return;  // a leaf keeps its gradient anyway
  const std::lock_guard lock(gradient_mutexes.of(made.node.get()));
  for (const auto& [output, slot] : made.node->retained)
    if (output == made.output && slot == t.trace->grad) return;
  made.node->retained.emplace_back(made.output, t.trace->grad);
}

namespace {

uint64_t new_hook_id() {
  static std::atomic<uint64_t> next_id{1};
  return next_id.fetch_add(1);
}

// The hook dies after the lock is released, because its owner's callback may come back here.
template <class H>
bool remove_from(std::vector<H>& hooks, uint64_t id, const void* owner) {
  std::optional<H> gone;
  const std::lock_guard lock(gradient_mutexes.of(owner));
  const auto found =
      std::find_if(hooks.begin(), hooks.end(), [&](const H& h) { return h.id == id; });
  if (found == hooks.end()) return false;
  gone = std::move(*found);
  hooks.erase(found);
  return true;
}

}  // namespace

uint64_t add_hook(Tensor& t, std::function<Ref<Tensor>(Tensor&)> call,
                  const std::shared_ptr<const UserContext>& context) {
  if (!wants_grad(t))
    fail(BP_INVALID_ARGUMENT, "cannot register a hook on a tensor that doesn't require gradient");
  const uint64_t id = new_hook_id();
  const Edge& made = t.trace->edge;
  const void* owner = made.node ? static_cast<void*>(made.node.get()) : t.trace.get();
  const std::lock_guard lock(gradient_mutexes.of(owner));
  (made.node ? made.node->hooks : t.trace->hooks)
      .push_back({id, made.output, std::move(call), context});
  return id;
}

uint64_t add_accumulated_hook(Tensor& t, std::function<void(Tensor&)> call,
                              const std::shared_ptr<const UserContext>& context) {
  if (!wants_grad(t))
    fail(BP_INVALID_ARGUMENT, "cannot register a hook on a tensor that doesn't require gradient");
  if (t.trace->edge)
    fail(BP_INVALID_ARGUMENT,
         "post accumulate grad hooks cannot be registered on non-leaf tensors");
  const uint64_t id = new_hook_id();
  const std::lock_guard lock(gradient_mutexes.of(t.trace.get()));
  t.trace->accumulated.push_back({id, std::move(call), context});
  return id;
}

bool remove_hook(Tensor& t, uint64_t id) {
  if (!t.trace) return false;
  Trace& trace = *t.trace;
  Node* node = trace.edge.node.get();
  return remove_from(trace.hooks, id, &trace) || remove_from(trace.accumulated, id, &trace) ||
         (node && remove_from(node->hooks, id, node));
}

// One reference is the caller's, who waits here, so that nothing that it alone keeps can change.
void each_own_context(const Tensor& t, const std::function<void(const UserContext&)>& visit) {
  const auto each = [&](const auto& list) {
    for (const auto& entry : list)
      if (const auto context = entry.context.lock()) visit(*context);
  };
  if (!t.trace || t.refs.load(std::memory_order_acquire) != 1) return;
  each(t.trace->hooks);
  each(t.trace->accumulated);
  const Node* node = t.trace->edge.node.get();
  if (!node || node->refs.load(std::memory_order_acquire) != 1) return;
  each(node->hooks);
  if (const auto context = node->context.lock()) visit(*context);
}

std::string grad_fn_name(const Tensor& t) {
  return t.trace && t.trace->edge.node ? t.trace->edge.node->name : "";
}

// ---- users' functions ----

void record_function(Function f, std::span<Tensor* const> inputs,
                     std::span<Tensor* const> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i]->trace && outputs[i]->trace->edge)
      fail(BP_INVALID_ARGUMENT,
           "{}: output {} was recorded already; make the outputs while the thread does not record",
           f.name, i);
  if (!recording ||
      std::none_of(inputs.begin(), inputs.end(), [](const Tensor* t) { return wants_grad(*t); }))
    return;
  Ref<Node> node = new_node("");
  node->own_name = std::move(f.name);
  node->name = node->own_name.c_str();
  for (Tensor* t : inputs) add_operand(*node, tensor_value(*t));
  std::vector<uint32_t> places;  // of saved tensors among the outputs
  for (const Ref<Tensor>& t : f.saved) {
    const auto result = std::find(outputs.begin(), outputs.end(), t.get());
    node->in.emplace_back(*t, result != outputs.end());
    places.push_back(static_cast<uint32_t>(result - outputs.begin()));
  }
  node->context = f.context;
  node->run = [backward = std::move(f.backward), places](GradCall& c) {
    std::vector<Ref<Tensor>> saved;
    for (size_t i = 0; i < places.size(); ++i)
      saved.push_back(c.node.in[i].unpack(c.node, places[i]));
    backward(c, saved);
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    node->results.push_back(described(*outputs[i]));
    if (differentiable(outputs[i]->dtype)) set_edge(*outputs[i], node, static_cast<uint32_t>(i));
  }
  node->stream = Ref<Stream>::share(&current_stream(inputs[0]->device()));
}

}  // namespace bp
