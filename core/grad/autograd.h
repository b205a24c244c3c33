// SPDX-License-Identifier: Apache-2.0
// autograd.h: what made a tensor, and how gradients go back to leaves.
//
// A tensor that takes part has a Trace: whether it wants a gradient, and the edge at which
// gradients of it arrive. Ops that read such a tensor, while this thread records, make a Node: the
// edges of its operands, what its gradient function reads (with the versions at that time), and
// that function. Nodes are numbered as they are made, so that an edge always leads to a lower
// number: backward runs the reachable ones from the highest down, and each has then received all
// that it will.
//
// Owner: a tensor holds the node that made it, a node holds its operands' nodes and leaves. What a
// node saves of its own results is without a trace, so that there is no cycle. Chains of nodes are
// let go one after the other, not recursively. Any thread; one graph is walked back by one thread
// at a time.
//
//   if (must_record(in)) return invoke_recorded(row, row.grad, in, attrs, out);
//   backward({&loss, 1}, {}, options);
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/call/invoke.h"
#include "core/call/recording.h"
#include "core/device/stream.h"
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

struct Node;

// Where the gradient of a tensor goes: to a node's output, or into a leaf.
struct Edge {
  Ref<Node> node;
  uint32_t output = 0;
  Ref<Tensor> leaf;
  explicit operator bool() const { return node || leaf; }
};

Edge edge_of(Tensor& t);

// What is kept of a tensor for backward. unpack() refuses when its elements were changed since.
class Saved {
 public:
  Saved() = default;
  Saved(Tensor& t, bool is_result);
  explicit operator bool() const { return static_cast<bool>(tensor_); }
  // of: the node; a result is given back as made by it.
  Ref<Tensor> unpack(Node& of, uint32_t output) const;
  void clear() { tensor_ = {}; }

 private:
  Ref<Tensor> tensor_;
  uint64_t version_ = 0;
  bool is_result_ = false;
};

// Called with a gradient on its way; may give another one, or nothing.
struct Hook {
  uint64_t id;
  uint32_t output;  // of its node
  std::function<Ref<Tensor>(Tensor& grad)> call;
};

struct Node final : Object {
  const char* name = "";  // "AddBackward0"
  std::string own_name;   // that name points to, of a user's function
  uint64_t number = 0;    // of making, in the process
  const OpRow* row = nullptr;
  GradientFunction* gradient = nullptr;  // of a row
  std::function<void(GradCall&)> run;    // of views, copies, users' functions
  std::vector<Edge> next;                // per operand; empty: it wants none
  struct Result {
    Dims shape;
    bp_dtype dtype;
    Device* device;
  };
  std::vector<Result> results;
  std::vector<Saved> in, out;
  // shapes and dtypes of the operands (numbers: dtype of the number)
  std::vector<Result> operands;
  std::vector<bp_value> numbers;  // operands that are numbers, at their place
  std::vector<bp_attr> attrs;
  std::vector<std::vector<int64_t>> ints;  // what attrs of BP_ATTR_INTS point to
  std::vector<std::string> texts;
  Ref<Stream> stream;       // that the op ran in: its gradient runs there too
  bool released = false;    // what it saved is gone
  std::vector<Hook> hooks;  // on gradients of results, whose tensors may be gone
  // results that keep their gradient
  std::vector<std::pair<uint32_t, std::shared_ptr<Ref<Tensor>>>> retained;

  Node() : Object(Tag::kNode) {}
  void release();
  static void destroy(Node* n) noexcept;
};

// Of a tensor; made when it first takes part.
struct Trace {
  bool requires_grad = false;  // a leaf that was asked to, or made by a node
  Edge edge;                   // node and output; a leaf has none
  // shared with the node of a result that retains it
  std::shared_ptr<Ref<Tensor>> grad = std::make_shared<Ref<Tensor>>();
  std::vector<Hook> hooks;                                                     // of a leaf
  std::vector<std::pair<uint64_t, std::function<void(Tensor&)>>> accumulated;  // of a leaf
};

struct GradCall : AttrReader {
  Node& node;
  std::span<const Ref<Tensor>> grads;  // of the results; none: nothing arrived there
  std::vector<Ref<Tensor>> out;        // of the operands

  bool wants(size_t i) const { return static_cast<bool>(node.next[i]); }
  const Ref<Tensor>& grad(size_t i = 0) const { return grads[i]; }
  // Operand i: a tensor or a number.
  Value value(size_t i) const { return node.in[i] ? Value(in(i)) : Value(node.numbers[i]); }
  Ref<Tensor> in(size_t i) const { return node.in[i].unpack(node, 0); }
  Ref<Tensor> result(size_t i = 0) const {
    return node.out[i].unpack(node, static_cast<uint32_t>(i));
  }
  const Node::Result& operand(size_t i) const { return node.operands[i]; }
  // Gives operand i its gradient: summed to its shape where it was broadcast, in its dtype.
  void give(size_t i, Ref<Tensor> grad);
};

inline bool wants_grad(const Tensor& t) noexcept { return t.trace && t.trace->requires_grad; }

// ---- leaves ----
void set_requires_grad(Tensor& t, bool on);
Ref<Tensor> detach(const Tensor& t);
Ref<Tensor> grad_of(const Tensor& t);
void set_grad(Tensor& t, Ref<Tensor> grad);
void retain_grad(Tensor& t);
std::string grad_fn_name(const Tensor& t);  // "" of a leaf
uint64_t add_hook(Tensor& t, std::function<Ref<Tensor>(Tensor&)> call);
// Of a leaf: called when a backward has added to its gradient.
uint64_t add_accumulated_hook(Tensor& t, std::function<void(Tensor& leaf)> call);
bool remove_hook(Tensor& t, uint64_t id);  // false: t has none such

// ---- users' functions ----
// What was made of inputs without recording gets a way back. saved: what backward reads; results
// among them.
struct Function {
  std::string name;
  std::vector<Ref<Tensor>> saved;
  std::function<void(GradCall&, std::span<const Ref<Tensor>> saved)> backward;
};
void record_function(Function f, std::span<Tensor* const> inputs, std::span<Tensor* const> outputs);

// ---- backward ----
struct BackwardOptions {
  bool retain_graph = false;  // what nodes saved stays, so that backward may run again
  bool create_graph = false;  // records itself, so that gradients have gradients
  // of grad(): an input that was not reached has no gradient, instead of being refused
  bool allow_unused = false;
};
// Adds to the gradients of all leaves that roots depend on. grads: of each root, of its shape;
// none: one, for a root of one element.
void backward(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
              const BackwardOptions& options);
// The gradients of inputs alone; leaves keep theirs.
std::vector<Ref<Tensor>> gradients(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
                                   std::span<Tensor* const> inputs, const BackwardOptions& options);

}  // namespace bp
