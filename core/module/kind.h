// SPDX-License-Identifier: Apache-2.0
// kind.h: what kinds of modules there are: rows, one family in each file module/kinds/<family>.cc,
// as the rows of ops are. A row says the attributes, what a module of the kind is made of (make),
// and what it does (forward). Names, defaults, order of parameters, first values and printed text
// are PyTorch's.
//
//   const ModuleKind kind{.name = "relu", .title = "ReLU", .forward = relu, .doc = "max(x, 0)"};
#pragma once
#include <initializer_list>

#include "core/call/compose.h"
#include "core/module/module.h"
#include "core/value/attr_spec.h"

namespace bp {

// What make() works with. Tensors are registered in the order of the calls.
struct Maker {
  Module& m;
  Device& device;
  bp_dtype dtype;

  // Registers a parameter, which is uninitialised and requires a gradient.
  Tensor& parameter(const char* name, Span shape);
  // Registers the name alone, and returns nullptr, unless the parameter is wanted.
  Tensor* optional_parameter(const char* name, Span shape, bool wanted);
  void lazy_parameter(const char* name, bool wanted = true);
  Tensor& buffer(const char* name, Span shape, bp_dtype of, double value);
  void no_buffer(const char* name);
  Module& child(const char* name, const char* kind, std::initializer_list<bp_attr> attrs);
};

struct ForwardCall {
  const Module& m;
  Inputs in;                   // max_inputs of them; nullptr stands for one that was not given
  std::span<Ref<Tensor>> out;  // the results that the caller wants

  Tensor& x(size_t i = 0) const { return *in[i]; }
  bool has(size_t i) const { return in[i] != nullptr; }
  void give(size_t i, Ref<Tensor> t) const {
    if (i < out.size()) out[i] = std::move(t);
  }
};

struct ModuleKind {
  const char* name;
  const char* title;
  const AttrSpecs& attrs = kNoAttrs;
  // A container has min_inputs 0 and no forward.
  uint32_t min_inputs = 1, max_inputs = 1, n_outputs = 1;
  void (*make)(Maker&) = nullptr;
  void (*forward)(ForwardCall&) = nullptr;
  std::string (*extra)(const Module&) = nullptr;
  // Of lazy kinds: gives the parameters their shapes, which follow from x, the first input's, and
  // turns the module into one of the kind that is not lazy.
  void (*materialize)(Module&, Span x) = nullptr;
  const char* doc = "";
};

std::span<const ModuleKind* const> module_kinds();
const ModuleKind& find_module_kind(std::string_view name);  // throws NOT_FOUND
Ref<Module> create_module(std::string_view kind, std::span<const bp_attr> attrs, bp_device device,
                          bp_dtype dtype);
// Attribute i of the module, which it points into.
bp_attr attr_of(const Module& m, size_t i);

// ---- for the families ----
inline bp_attr named(const char* name, bp_attr a) {
  a.name = name;
  return a;
}
inline Value maybe(const Ref<Tensor>& t) { return t ? Value(t) : Value(bp_value{}); }
inline Value maybe(Tensor* t) { return t ? Value(tensor_value(*t)) : Value(bp_value{}); }
inline Value value(Tensor& t) { return tensor_value(t); }
// Gives a lazy parameter its shape on its device, uninitialised; from then on it requires a
// gradient. Returns false if a state dict gave it one before.
bool materialize_parameter(Tensor& t, Span shape);
// A lazy module is of that kind from now on. `first` is the kind's first attribute, a size, which
// the lazy one does not have.
void become(Module& m, const char* kind, int64_t first);
// Returns t, whose last op is from now on called what PyTorch calls all the ops together.
Ref<Tensor> called(Ref<Tensor> t, const char* name);
// Returns x weight^T + bias, where x is [.., in], weight [out, in] and the result [.., out].
Ref<Tensor> linear(Tensor& x, Tensor& weight, const Ref<Tensor>& bias);
// Returns x; when the module trains, with the share p of its elements 0 and the others larger.
Ref<Tensor> dropped(const Module& m, Ref<Tensor> x, double p);
// The value as Python prints it: "3", "(3, 3)", "1e-05", "0.1", "True".
std::string python_text(double v);
std::string python_text(Span tuple);
inline const char* python_text(bool v) { return v ? "True" : "False"; }

namespace nn {
std::span<const ModuleKind> linear_kinds();
std::span<const ModuleKind> container_kinds();
std::span<const ModuleKind> convolution_kinds();
std::span<const ModuleKind> normalize_kinds();
std::span<const ModuleKind> activation_kinds();
std::span<const ModuleKind> pooling_kinds();
std::span<const ModuleKind> unfold_kinds();
std::span<const ModuleKind> embedding_kinds();
std::span<const ModuleKind> recurrent_kinds();
std::span<const ModuleKind> attention_kinds();
std::span<const ModuleKind> loss_kinds();
}  // namespace nn

}  // namespace bp
