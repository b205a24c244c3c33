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
// A tensor holds the node that made it, and a node its operands' nodes and leaves. What a node
// saves of its own results has no trace, so that there is no cycle, except through a gradient that
// was recorded itself (collect.cc). Chains of nodes are let go one after the other, not
// recursively. Any thread may call: locks (gradient_mutexes) keep gradients, hooks and what nodes
// saved, of which a walk under way takes a copy.
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
#include "core/tensor/traced.h"
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

Edge edge_of(Tensor& t);  // empty if t wants no gradient

// What is kept of a tensor for backward. unpack() throws BP_BAD_STATE where its elements were
// changed since, or the node has let go of it.
class Saved {
 public:
  Saved() = default;
  Saved(Tensor& t, bool is_result);
  explicit operator bool() const { return static_cast<bool>(tensor_); }
  // `of` is the node that saved this. Its own result number `output` comes back as made by it.
  Ref<Tensor> unpack(Node& of, uint32_t output) const;
  Tensor* tensor() const noexcept { return tensor_.get(); }
  bool is_current() const noexcept;  // whether unpack() would give it

 private:
  Ref<Tensor> tensor_;
  uint64_t version_ = 0;
  bool is_result_ = false;
};

// What a user's callback is called with, destroyed with the last copy of what calls it.
struct UserContext {
  void* user;
  void (*release)(void* user);  // may be nullptr
  UserContext(void* p, void (*destroy)(void*)) noexcept : user(p), release(destroy) {}
  UserContext(const UserContext&) = delete;
  ~UserContext() {
    if (release) release(user);
  }
};

// `call` gets a gradient on its way; it may return another one, or nothing to keep it.
struct Hook {
  uint64_t id;
  uint32_t output;  // which output of its node
  std::function<Ref<Tensor>(Tensor& grad)> call;
  std::weak_ptr<const UserContext> context;  // that `call` holds, if it is a user's
};

// `call` gets a leaf to whose gradient a backward has added.
struct AccumulatedHook {
  uint64_t id;
  std::function<void(Tensor& leaf)> call;
  std::weak_ptr<const UserContext> context;
};

// Where a tensor's gradient is: shared by its trace and, if it is retained, its node.
using GradSlot = std::shared_ptr<Ref<Tensor>>;

// What made results that want a gradient: an op, a view, a copy or a user's function.
struct Node final : Object {
  const char* name = "";  // "AddBackward0"
  std::string own_name;   // what name points to in a user's function
  uint64_t number = 0;    // counts the nodes of the process as they are made
  uint64_t traced = 0;    // the op in a profile
  const OpRow* row = nullptr;
  GradientFunction* gradient = nullptr;      // if a row made it
  std::function<void(GradCall&)> run;        // if a view, a copy or a user's function did
  std::weak_ptr<const UserContext> context;  // that `run` holds, if it is a user's
  std::vector<Edge> next;                    // for each operand; empty if it wants none
  struct Result {
    Dims shape;
    bp_dtype dtype;
    Device* device;
  };
  std::vector<Result> results;
  std::vector<Saved> in, out;
  // shapes and dtypes of the operands; a number has its dtype alone
  std::vector<Result> operands;
  std::vector<bp_value> numbers;  // operands that are numbers, at their place
  std::vector<bp_attr> attrs;
  std::vector<std::vector<int64_t>> ints;  // what attrs of BP_ATTR_INTS point to
  std::vector<std::string> texts;
  Ref<Stream> stream;         // where the op ran and its gradient will run
  Node* next_dead = nullptr;  // of the nodes that are being destroyed
  // From here on gradient_mutexes.of(this) guards.
  std::vector<Hook> hooks;  // on gradients of results, whose tensors may be gone
  // the results that keep their gradient, and where
  std::vector<std::pair<uint32_t, GradSlot>> retained;
  uint32_t n_walks = 0;   // of threads that read what it saved
  bool released = false;  // what it saved is gone, or goes with the last of them

  Node() : Object(Tag::kNode) {}
  static void destroy(Node* n) noexcept;
};

// What a tensor has of autograd, made when it first takes part.
struct Trace {
  bool requires_grad = false;  // true for a leaf that was asked to, and for a node's result
  Edge edge;                   // node and output; a leaf has none
  // shared with the node of a result that retains it; gradient_mutexes.of(grad.get()) guards it
  GradSlot grad = std::make_shared<Ref<Tensor>>();
  // of a leaf; gradient_mutexes.of(this) guards both
  std::vector<Hook> hooks;
  std::vector<AccumulatedHook> accumulated;
};

// What a gradient function reads of its node, and the gradients that it gives.
struct GradCall : AttrReader {
  Node& node;
  std::span<const Ref<Tensor>> grads;  // of the results; empty where nothing arrived
  std::vector<Ref<Tensor>> out;        // of the operands; empty where none was given
  View view{};  // set where out[0] is a part of operand 0's gradient: what view() shows of it

  bool wants(size_t i) const { return static_cast<bool>(node.next[i]); }
  const Ref<Tensor>& grad(size_t i = 0) const { return grads[i]; }
  // Returns operand i, a tensor or a number.
  Value value(size_t i) const { return node.in[i] ? Value(in(i)) : Value(node.numbers[i]); }
  Ref<Tensor> in(size_t i) const { return node.in[i].unpack(node, 0); }
  Ref<Tensor> result(size_t i = 0) const {
    return node.out[i].unpack(node, static_cast<uint32_t>(i));
  }
  const Node::Result& operand(size_t i) const { return node.operands[i]; }
  // Gives operand i its gradient: summed to its shape where it was broadcast, in its dtype and on
  // its device. An operand that wants none gets none.
  void give(size_t i, Ref<Tensor> grad);
  // Gives operand 0 the result's gradient where view(operand 0) is, and 0 elsewhere.
  void give_part(const View& where);
};

inline bool wants_grad(const Tensor& t) noexcept { return t.trace && t.trace->requires_grad; }

// ---- leaves ----
void set_requires_grad(Tensor& t, bool on);
Ref<Tensor> detach(const Tensor& t);
Ref<Tensor> grad_of(const Tensor& t);  // empty if t has none
void set_grad(Tensor& t, Ref<Tensor> grad);
void retain_grad(Tensor& t);
std::string grad_fn_name(const Tensor& t);  // "" for a leaf
uint64_t add_hook(Tensor& t, std::function<Ref<Tensor>(Tensor&)> call,
                  const std::shared_ptr<const UserContext>& context = {});
// For a leaf: `call` is called when a backward has added to its gradient.
uint64_t add_accumulated_hook(Tensor& t, std::function<void(Tensor& leaf)> call,
                              const std::shared_ptr<const UserContext>& context = {});
bool remove_hook(Tensor& t, uint64_t id);  // false if t has no such hook
// Visits the users' contexts that live as long as one reference to t, the caller's, does.
void each_own_context(const Tensor& t, const std::function<void(const UserContext&)>& visit);

// ---- users' functions ----
// A way back for outputs that were made of inputs without recording. `saved` is what backward
// reads, which may be outputs too.
struct Function {
  std::string name;
  std::vector<Ref<Tensor>> saved;
  std::function<void(GradCall&, std::span<const Ref<Tensor>> saved)> backward;
  std::shared_ptr<const UserContext> context;  // that `backward` holds
};
void record_function(Function f, std::span<Tensor* const> inputs, std::span<Tensor* const> outputs);

// ---- backward ----
struct BackwardOptions {
  bool retain_graph = false;  // what nodes saved stays, so that backward may run again
  bool create_graph = false;  // backward is recorded, so that gradients have gradients
  // for gradients(): an input that was not reached has no gradient, instead of being refused
  bool allow_unused = false;
};
// Adds to the gradients of all leaves that roots depend on. `grads` has one for each root, of its
// shape; where it is nullptr or missing it is 1, for a root of one element.
void backward(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
              const BackwardOptions& options);
// Returns the gradients of inputs alone; leaves keep theirs.
std::vector<Ref<Tensor>> gradients(std::span<Tensor* const> roots, std::span<Tensor* const> grads,
                                   std::span<Tensor* const> inputs, const BackwardOptions& options);

// ---- gradients that hold themselves (collect.cc) ----
// Notes a slot whose gradient was recorded, so that collect_gradients looks at it.
void note_recorded(const GradSlot& slot);
// Empties the slots that nothing but their own gradients' graphs leads to. Returns how many.
uint64_t collect_gradients();

}  // namespace bp
