// SPDX-License-Identifier: Apache-2.0
#include "core/module/kind.h"

#include <algorithm>

#include "core/base/nearest.h"
#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/value/attr_values.h"

namespace bp {
namespace {

std::vector<const ModuleKind*> all_kinds() {
  std::vector<const ModuleKind*> all;
  for (auto family :
       {nn::container_kinds(), nn::linear_kinds(), nn::convolution_kinds(), nn::normalize_kinds(),
        nn::activation_kinds(), nn::pooling_kinds(), nn::unfold_kinds(), nn::embedding_kinds(),
        nn::recurrent_kinds(), nn::attention_kinds(), nn::loss_kinds()})
    for (const ModuleKind& k : family) all.push_back(&k);
  return all;
}

AttrValue owned(const ModuleKind& kind, const bp_attr& a) {
  AttrValue v;
  v.kind = a.kind;
  switch (a.kind) {
    case BP_ATTR_F64: v.f = a.value.f64; break;
    case BP_ATTR_STR: v.text.assign(a.value.str, a.count); break;
    case BP_ATTR_INTS: v.ints.assign(a.value.ints, a.value.ints + a.count); break;
    default: v.i = a.value.i64;
  }
  // The product of a few of them stays within 64 bits.
  constexpr int64_t kMost = int64_t{1} << 48;
  const auto check = [&](int64_t n) {
    if (n > kMost || n < -kMost)
      fail(BP_INVALID_ARGUMENT, "{}: {} is {}, at most {} is possible", kind.title, a.name, n,
           kMost);
  };
  check(v.i);
  for (int64_t n : v.ints) check(n);
  return v;
}

}  // namespace

std::span<const ModuleKind* const> module_kinds() {
  static const std::vector<const ModuleKind*> all = all_kinds();
  return all;
}

const ModuleKind& find_module_kind(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ModuleKind* k : module_kinds()) {
    if (k->name == name) return *k;
    names.push_back(k->name);
  }
  fail(BP_NOT_FOUND, "no kind of modules is named '{}'; the nearest is '{}'", name,
       nearest(name, names));
}

bp_attr attr_of(const Module& m, size_t i) {
  const AttrValue& v = m.attrs[i];
  bp_attr a{m.kind->attrs.at(i).name, v.kind, 1, {.i64 = v.i}, 0};
  if (v.kind == BP_ATTR_F64) a.value.f64 = v.f;
  if (v.kind == BP_ATTR_INTS)
    a.value.ints = v.ints.data(), a.count = static_cast<uint32_t>(v.ints.size());
  if (v.kind == BP_ATTR_STR)
    a.value.str = v.text.data(), a.count = static_cast<uint32_t>(v.text.size());
  return a;
}

Ref<Module> create_module(std::string_view name, std::span<const bp_attr> attrs, bp_device device,
                          bp_dtype dtype) {
  const ModuleKind& kind = find_module_kind(name);
  if (dtype == BP_DTYPE_NONE) dtype = default_dtype();
  check_dtype(dtype, "dtype");
  if (!is_floating(dtype) && !is_complex(dtype))
    fail(BP_INVALID_ARGUMENT, "{}: parameters are of a floating or complex dtype, got {}",
         kind.title, dtype_name(dtype));
  auto m = Ref<Module>::adopt(new Module);
  m->kind = &kind, m->title = kind.title;
  const AttrValues complete(kind.title, kind.attrs, attrs);
  for (const bp_attr& a : complete.attrs) m->attrs.push_back(owned(kind, a));
  const RecordGuard off(false);
  Maker maker{*m, resolve_device(device), dtype};
  if (kind.make) kind.make(maker);
  m->own_parameters = m->parameters.size(), m->own_buffers = m->buffers.size();
  m->own_children = m->children.size();
  return m;
}

// ---- for make() ----

Tensor& Maker::parameter(const char* name, Span shape) {
  for (int64_t s : shape)
    if (s < 0)
      fail(BP_INVALID_ARGUMENT, "{}: {} would have the shape {}", m.title, name,
           format_shape(shape));
  Ref<Tensor> t = new_tensor(shape, dtype, device);
  set_requires_grad(*t, true);
  set_parameter(m, name, t);
  return *t;
}
Tensor* Maker::optional_parameter(const char* name, Span shape, bool wanted) {
  if (wanted) return &parameter(name, shape);
  set_parameter(m, name, {});
  return nullptr;
}
void Maker::lazy_parameter(const char* name, bool wanted) {
  set_parameter(m, name, wanted ? new_uninitialized(dtype, device) : Ref<Tensor>{});
}
Tensor& Maker::buffer(const char* name, Span shape, bp_dtype of, double value) {
  Ref<Tensor> t = new_tensor(shape, of, device);
  init::constant(*t, value);
  set_buffer(m, name, t, true);
  return *t;
}
void Maker::no_buffer(const char* name) { set_buffer(m, name, {}, true); }
Module& Maker::child(const char* name, const char* kind, std::initializer_list<bp_attr> attrs) {
  Ref<Module> c = create_module(kind, {attrs.begin(), attrs.size()}, device.value, dtype);
  set_child(m, name, c);
  return *c;
}

bool materialize_parameter(Tensor& t, Span shape) {
  if (!is_uninitialized(t)) return false;
  set_data(t, *new_tensor(shape, t.dtype, t.device()));
  set_requires_grad(t, true);
  return true;
}
void become(Module& m, const char* kind, int64_t first) {
  m.kind = &find_module_kind(kind);
  m.title = m.kind->title;
  m.attrs.insert(m.attrs.begin(), AttrValue{.kind = BP_ATTR_I64, .i = first});
}

// ---- for forward() ----

Ref<Tensor> called(Ref<Tensor> t, const char* name) {
  if (t->trace && t->trace->edge.node) t->trace->edge.node->name = name;
  return t;
}

Ref<Tensor> linear(Tensor& x, Tensor& weight, const Ref<Tensor>& bias) {
  if (x.rank() == 0)
    fail(BP_INVALID_ARGUMENT,
         "both arguments to linear need to be at least 1D, but they are 0D and {}D", weight.rank());
  const int64_t in = x.shape[x.rank() - 1];
  Ref<Tensor> rows =
      x.rank() > 2 ? reshape(x, Dims{in ? x.count / in : 0, in}) : Ref<Tensor>::share(&x);
  Ref<Tensor> y =
      bias ? invoke(BP_OP_LINEAR, {rows, Ref<Tensor>::share(&weight), bias}, {str_value("none")})
           : invoke(BP_OP_MATMUL, {rows, transpose(weight, 0, 1)});
  if (x.rank() <= 2) return y;
  Dims shape = x.shape;
  shape.back() = weight.shape[0];
  return reshape(*y, shape);
}

Ref<Tensor> dropped(const Module& m, Ref<Tensor> x, double p) {
  if (!m.training || p == 0) return x;
  return invoke(BP_OP_DROPOUT, {x}, {float_value(p), int_value(-1), int_value(-1)});
}

}  // namespace bp
