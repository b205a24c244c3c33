// SPDX-License-Identifier: Apache-2.0
// module.h: a part of a model: named parameters, buffers and children, and a forward. The C handle
// bp_module is this struct.
//
// A module's kind is a row of kind.h; a module without one has a callback for its forward. Tensors
// are held by name, in the order of their registration; a name may be without a tensor, such as a
// bias that was not asked for. No module is inside itself. A module may be changed by one thread
// while no other uses it; forward changes nothing but running statistics.
//
//   Ref<Module> net = create_module("linear", attrs, 0, BP_DTYPE_NONE);
//   Ref<Tensor> y[1];  forward(*net, {&x, 1}, y);
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c_api.h"
#include "core/base/object.h"
#include "core/tensor/tensor.h"
#include "core/value/attr_spec.h"

namespace bp {

struct ModuleKind;

// An attribute as a module has it.
struct AttrValue {
  bp_attr_kind kind = 0;
  int64_t i = 0;
  double f = 0;
  std::vector<int64_t> ints{};
  std::string text{};
};

// A caller's function with its user pointer, which is destroyed with the last copy.
template <class F>
struct Callback {
  F call = nullptr;
  std::shared_ptr<void> user;
  explicit operator bool() const { return call; }
};
template <class F>
Callback<F> callback(F call, void* user, void (*destroy)(void*)) {
  return {call, std::shared_ptr<void>(user, [destroy](void* u) {
            if (destroy) destroy(u);
          })};
}

}  // namespace bp

struct bp_module final : bp::Object {
  struct Slot {
    std::string name;
    bp::Ref<bp::Tensor> tensor;  // may be empty
    bool persistent = true;
  };
  struct Child {
    std::string name;
    bp::Ref<bp_module> module;
  };
  struct Hook {
    uint64_t id;
    bool before;
    bp::Callback<bp_module_hook_fn> callback;
  };

  const bp::ModuleKind* kind = nullptr;
  std::string title, name;
  std::vector<bp::AttrValue> attrs;  // in the kind's order
  bool training = true;
  std::vector<Slot> parameters, buffers;
  std::vector<Child> children;
  // How many of each the kind made. Its forward counts on their places, so that removing one
  // empties it (remove()).
  size_t own_parameters = 0, own_buffers = 0, own_children = 0;
  size_t n_numbered = 0;  // the first so many children are named by their places: "0", "1", ...
  bp::Callback<bp_module_forward_fn> forward;  // in place of the kind's
  std::vector<Hook> hooks;

  bp_module() : Object(bp::Tag::kModule) {}
  static void destroy(bp_module* m) noexcept;

  int64_t i64(bp::WholeAttr at) const { return attrs[at.index].i; }
  bool flag(bp::FlagAttr at) const { return attrs[at.index].i != 0; }
  double f64(bp::FloatAttr at) const { return attrs[at.index].f; }
  bp::Span ints(bp::IntsAttr at) const { return attrs[at.index].ints; }
  std::string_view str(bp::TextAttr at) const { return attrs[at.index].text; }
  // Tensors by the order of registration; empty where a name has none, or the module, which a
  // program may have put in another's place, has no such name.
  const bp::Ref<bp::Tensor>& parameter(size_t i) const { return tensor_in(parameters, i); }
  const bp::Ref<bp::Tensor>& buffer(size_t i) const { return tensor_in(buffers, i); }
  // These throw where there is none.
  const bp::Ref<bp::Tensor>& needed_parameter(size_t i) const;
  bp_module& child(size_t i) const;

 private:
  static const bp::Ref<bp::Tensor>& tensor_in(const std::vector<Slot>& slots, size_t i);
};

namespace bp {

using Module = bp_module;

Module& checked(const bp_module* m, const char* what);
// Grows whenever what is in some module changes, or a module ends.
extern std::atomic<uint64_t> module_changes;

// ---- what is in it (module.cc) ----
void set_parameter(Module& m, std::string_view name, Ref<Tensor> t);
void set_buffer(Module& m, std::string_view name, Ref<Tensor> t, bool persistent);
void set_child(Module& m, std::string_view name, Ref<Module> child);
void append(Module& m, Ref<Module> child);
void remove(Module& m, std::string_view name);
// These take dotted paths and throw NOT_FOUND, which lists the names that there are.
Module& find_child(Module& m, std::string_view path);
Module::Slot& find_tensor(Module& m, std::string_view path);

struct NamedTensor {
  std::string name;
  Module::Slot* slot;
};
struct NamedModule {
  std::string name;
  Module* module;
};
// flags: BP_MODULE_*. A module comes before its children, as in PyTorch.
std::vector<NamedTensor> list_parameters(Module& m, uint32_t flags);
std::vector<NamedTensor> list_buffers(Module& m, uint32_t flags);
std::vector<NamedModule> list_modules(Module& m, uint32_t flags);
// Visits children first, and a module that is in several places once for each.
void apply(Module& m, const std::function<void(Module&)>& visit);
Ref<Module> clone(Module& m);

// ---- for all that is inside (placement.cc) ----
void train(Module& m, bool on);
void requires_grad(Module& m, bool on);
void zero_grad(Module& m, bool to_zeros);
// What move() changes, and to what. `from` 0 and `of` BP_DTYPE_NONE select tensors of every device
// and dtype; `device` 0 and `dtype` BP_DTYPE_NONE leave them as they are.
struct Move {
  bp_device from = 0;
  bp_dtype of = BP_DTYPE_NONE;
  bp_device device = 0;
  bp_dtype dtype = BP_DTYPE_NONE;
  bool non_blocking = false;
};
void move(Module& m, const Move& how);
// Moves t and its gradient to the device and converts them; their handles stay.
void move_data(Tensor& t, bp_device device, bp_dtype dtype, bool non_blocking);

// ---- what it has learned (state.cc) ----
// Returns the parameters and persistent buffers by name, without history. They share the module's
// storages.
Ref<bp_dict> state_dict(Module& m, const std::string& prefix);
struct LoadResult {
  std::vector<std::string> missing, unexpected;
  std::string text() const;
};
// Copies what is in `from` into the module's tensors, where they are; with `assign` the module
// takes from's tensors as its data. Throws with PyTorch's texts, after all that fits is loaded, for
// tensors that do not fit and, if `strict`, for missing and unexpected names.
LoadResult load_state_dict(Module& m, const bp_dict& from, bool strict, bool assign);

// ---- forward (forward.cc) ----
using Inputs = std::span<Tensor* const>;
// out has as many places as results are wanted. Errors begin with the path of the module.
void forward(Module& m, Inputs in, std::span<Ref<Tensor>> out);
void kind_forward(Module& m, Inputs in, std::span<Ref<Tensor>> out);
Ref<Tensor> forward_one(Module& m, Tensor& x);
// Says, while it lives, that this thread is inside m. The paths of modules that run meanwhile begin
// with m's.
class Inside {
 public:
  explicit Inside(Module& m);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  size_t depth_;
};
uint64_t enter(Module& m);
void leave(uint64_t token);
std::string where();  // "net.0 (Linear)"
// A watcher is called with each module that has run and with its results. The summary uses one.
using Watcher = std::function<void(Module&, std::span<Ref<Tensor>>)>;
class Watching {
 public:
  explicit Watching(Watcher w);
  ~Watching();

 private:
  Watcher watcher_, *before_;
};

// ---- text (text.cc) ----
std::string extra_text(const Module& m);
std::string module_text(Module& m);
std::string summary(Module& m, Inputs in);

}  // namespace bp
