// SPDX-License-Identifier: Apache-2.0
// module_kind.h: what kinds of modules there are: rows, one family per file nn/<family>.cc, as the
// rows of ops are. A row says the attributes, what a module of the kind is made of (make), and what
// it does (forward). Names, defaults, order of parameters, first values and printed text are
// PyTorch's.
//
//   const ModuleKind kind{.name = "relu", .title = "ReLU", .forward = relu, .doc = "max(x, 0)"};
#pragma once
#include <initializer_list>

#include "core/call/compose.h"
#include "core/module/module.h"

namespace bp {

// Defaults: integers and lists of one number in i, floats in f, texts in s.
struct ModuleAttr {
  const char* name = nullptr;
  bp_attr_kind kind = 0;
  const char* doc = "";
  int64_t i = 0;
  double f = 0;
  const char* s = "";
  bool required = false;
  bool none = false;      // of a list: none is given by default
  bool text_too = false;  // of a list: a text may stand for it
};

namespace attr {
constexpr ModuleAttr size(const char* name, const char* doc) {
  return {.name = name, .kind = BP_ATTR_I64, .doc = doc, .required = true};
}
constexpr ModuleAttr integer(const char* name, int64_t v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_I64, .doc = doc, .i = v};
}
constexpr ModuleAttr real(const char* name, double v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_F64, .doc = doc, .f = v};
}
constexpr ModuleAttr flag(const char* name, bool v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_BOOL, .doc = doc, .i = v};
}
constexpr ModuleAttr text(const char* name, const char* v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_STR, .doc = doc, .s = v};
}
constexpr ModuleAttr sizes(const char* name, const char* doc) {
  return {.name = name, .kind = BP_ATTR_INTS, .doc = doc, .required = true};
}
constexpr ModuleAttr integers(const char* name, int64_t v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_INTS, .doc = doc, .i = v};
}
constexpr ModuleAttr no_integers(const char* name, const char* doc) {
  return {.name = name, .kind = BP_ATTR_INTS, .doc = doc, .none = true};
}
}  // namespace attr

// What make() works with. Tensors are registered in the order of the calls.
struct Maker {
  Module& m;
  Device& device;
  bp_dtype dtype;

  // Uninitialised, requires a gradient.
  Tensor& parameter(const char* name, Span shape);
  void no_parameter(const char* name);
  void lazy_parameter(const char* name);
  Tensor& buffer(const char* name, Span shape, bp_dtype of, double value);
  void no_buffer(const char* name);
  Module& child(const char* name, const char* kind, std::initializer_list<bp_attr> attrs);
};

struct ForwardCall {
  const Module& m;
  Inputs in;                   // as many as the kind has; nullptr where none was given
  std::span<Ref<Tensor>> out;  // those that are wanted

  Tensor& x(size_t i = 0) const { return *in[i]; }
  bool has(size_t i) const { return in[i] != nullptr; }
  void give(size_t i, Ref<Tensor> t) const {
    if (i < out.size()) out[i] = std::move(t);
  }
};

struct ModuleKind {
  const char* name;
  const char* title;
  std::span<const ModuleAttr> attrs{};
  // min_inputs 0 and no forward: a container
  uint32_t min_inputs = 1, max_inputs = 1, n_outputs = 1;
  void (*make)(Maker&) = nullptr;
  void (*forward)(ForwardCall&) = nullptr;
  std::string (*extra)(const Module&) = nullptr;
  // Of lazy kinds: makes parameters and becomes the kind that is not.
  void (*materialize)(Module&, Span x) = nullptr;
  const char* doc = "";
};

std::span<const ModuleKind* const> module_kinds();
const ModuleKind& find_module_kind(std::string_view name);  // throws NOT_FOUND
Ref<Module> create_module(std::string_view kind, std::span<const bp_attr> attrs, bp_device device,
                          bp_dtype dtype);
bp_attr attr_of(const ModuleAttr& spec, const AttrValue& v);
AttrValue default_of(const ModuleAttr& spec);

// ---- for the families ----
inline bp_attr named(const char* name, bp_attr a) {
  a.name = name;
  return a;
}
inline Value maybe(const Ref<Tensor>& t) { return t ? Value(t) : Value(bp_value{}); }
inline Value maybe(Tensor* t) { return t ? Value(tensor_value(*t)) : Value(bp_value{}); }
inline Value value(Tensor& t) { return tensor_value(t); }
inline Ref<Tensor> op(uint32_t id, std::initializer_list<Value> in,
                      std::initializer_list<bp_attr> attrs = {}) {
  return invoke(id, in, attrs);
}
// Gives a lazy parameter its shape, uninitialised, where it is; from then on it requires a
// gradient. False: a state dict did so before.
bool materialize_parameter(Tensor& t, Span shape);
// A lazy module is of that kind from now on.
void become(Module& m, const char* kind);
// t, what made it under the name that PyTorch shows for it: the last op of several stands for all
// of them.
Ref<Tensor> called(Ref<Tensor> t, const char* name);
// Row vectors of x times weight, transposed, plus bias: [.., in] and [out, in] to [.., out].
Ref<Tensor> linear(Tensor& x, Tensor& weight, const Ref<Tensor>& bias);
// x without some of its elements, the others larger, when the module trains.
Ref<Tensor> dropped(const Module& m, Ref<Tensor> x, double p);
// "3", "(3, 3)", "1e-05", "0.1", "True": as Python prints them.
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
std::span<const ModuleKind> embedding_kinds();
std::span<const ModuleKind> recurrent_kinds();
std::span<const ModuleKind> attention_kinds();
std::span<const ModuleKind> loss_kinds();
}  // namespace nn

}  // namespace bp
