// SPDX-License-Identifier: Apache-2.0
// backplane_reflect.hpp: what the library has, as data (ops, kinds of modules, optimisers and
// schedules, and their attributes), and ops of the program's own. Include backplane.hpp.
//
//   for (const bp::Op& op : bp::ops()) std::cout << op.name << ": " << op.doc << '\n';
//   bool there = bp::op_supported(bp::find_op("svd"), bp::f32, BP_KIND_CPU);
#ifndef BACKPLANE_REFLECT_HPP
#define BACKPLANE_REFLECT_HPP

#include <functional>

#include "backplane_tensor.hpp"

namespace backplane {

// An attribute and its default; see bp_attr_info. Names and texts are static.
using AttrInfo = bp_attr_info;

namespace detail {
// Calls f(i, &info, err) for each i below n.
template <class F>
std::vector<AttrInfo> attributes(std::uint32_t n, F&& f) {
  std::vector<AttrInfo> all(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    all[i].struct_size = sizeof all[i];
    call([&](bp_error** e) { return f(i, &all[i], e); });
  }
  return all;
}
}  // namespace detail

// An op. The caller's own ones have no names of inputs and outputs.
struct Op {
  std::uint32_t id = 0, flags = 0;  // flags: BP_OP_FLAG_*
  std::string name, doc;
  std::vector<std::string> inputs, outputs;
  std::vector<AttrInfo> attributes;
  bp_op_info info{};
};
// Throws BP_NOT_FOUND if there is no such op.
inline Op op(std::uint32_t id) {
  Op o;
  o.info.struct_size = sizeof o.info;
  detail::call([&](bp_error** e) { return bp_op_get_info(id, &o.info, e); });
  o.id = id, o.flags = o.info.flags, o.name = o.info.name, o.doc = o.info.doc;
  o.attributes = detail::attributes(
      o.info.n_attrs,
      [&](std::uint32_t i, AttrInfo* out, bp_error** e) { return bp_op_attr(id, i, out, e); });
  const char* name = nullptr;
  for (std::uint32_t i = 0; i < o.info.n_inputs; ++i)
    if (bp_op_input_name(id, i, &name, nullptr) == BP_OK) o.inputs.emplace_back(name);
  for (std::uint32_t i = 0; i < o.info.n_outputs; ++i)
    if (bp_op_output_name(id, i, &name, nullptr) == BP_OK) o.outputs.emplace_back(name);
  return o;
}
// Returns all ops in the order of their ids.
inline std::vector<Op> ops() {
  std::vector<Op> all;
  for (std::uint32_t i = 0, n = bp_op_count(); i < n; ++i) {
    std::uint32_t id = 0;
    detail::call([&](bp_error** e) { return bp_op_at(i, &id, e); });
    all.push_back(op(id));
  }
  return all;
}
// Whether a kernel or a composition serves the op; this loads the kind's plugin.
inline bool op_supported(std::uint32_t id, bp_dtype dtype, bp_kind kind) {
  std::uint32_t there = 0;
  detail::call([&](bp_error** e) { return bp_op_supported(id, dtype, kind, &there, e); });
  return there != 0;
}

// An op of the program's own that is made of other ops, and so serves all kinds of devices. infer
// says the dtypes and shapes of the outputs; what a function throws is the error of the call. The
// op stays until shutdown(). Returns its id, which invoke() takes.
struct OpOptions {
  std::string name, doc = {};
  std::uint32_t n_inputs = 1, n_outputs = 1;  // 1 to 8 each
  std::function<std::vector<bp_tensor_spec>(const std::vector<bp_tensor_spec>& inputs)> infer;
  std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs)> compose = {};
};
inline std::uint32_t register_op(const OpOptions& o) {
  auto kept = std::make_unique<OpOptions>(o);
  bp_op_desc desc{};
  desc.struct_size = sizeof desc;
  desc.name = detail::c_text(o.name);
  desc.doc = detail::c_text(o.doc);
  desc.n_inputs = o.n_inputs;
  desc.n_outputs = o.n_outputs;
  desc.infer = [](void* user, const bp_tensor_spec* in, std::uint32_t n_in, const bp_attr*,
                  std::uint32_t, bp_tensor_spec* out, std::uint32_t n_out,
                  bp_error** err) -> bp_status {
    return detail::guarded(err, nullptr, [&] {
      const auto specs = static_cast<OpOptions*>(user)->infer({in, in + n_in});
      if (specs.size() != n_out)
        throw Error(BP_INVALID_ARGUMENT, "infer gave " + std::to_string(specs.size()) +
                                             " outputs of " + std::to_string(n_out));
      for (std::uint32_t i = 0; i < n_out; ++i) out[i] = specs[i];
      return bp_status{BP_OK};
    });
  };
  if (o.compose)
    desc.compose = [](void* user, bp_tensor* const* in, std::uint32_t n_in, const bp_attr*,
                      std::uint32_t, bp_tensor** out, std::uint32_t n_out,
                      bp_error** err) -> bp_status {
      return detail::guarded(err, nullptr, [&] {
        std::vector<Tensor> made = static_cast<OpOptions*>(user)->compose(detail::shared(in, n_in));
        if (made.size() != n_out)
          throw Error(BP_INVALID_ARGUMENT, "compose gave " + std::to_string(made.size()) +
                                               " outputs of " + std::to_string(n_out));
        for (std::uint32_t i = 0; i < n_out; ++i) out[i] = made[i].release();
        return bp_status{BP_OK};
      });
    };
  desc.user = kept.get();
  desc.destroy = [](void* user) { delete static_cast<OpOptions*>(user); };
  std::uint32_t id = 0;
  detail::call([&](bp_error** e) { return bp_op_register(&desc, &id, e); });
  static_cast<void>(kept.release());  // destroy deletes it
  return id;
}
// Adds a kernel for a kind, as c_plugin.h's kernels are; it must not unwind.
inline void register_kernel(std::uint32_t op, bp_kind kind, bp_op_kernel_fn run,
                            void* user = nullptr) {
  detail::call([&](bp_error** e) { return bp_op_register_kernel(op, kind, run, user, e); });
}

// A kind of module, optimiser or schedule.
struct KindInfo {
  std::string name, title, doc;  // title: as modules are printed; the name of others
  std::vector<AttrInfo> attributes;
  std::vector<std::string> states = {};  // of an optimiser: what it keeps for a parameter
  bp_module_kind_info module{};          // of a module
};
namespace detail {
inline KindInfo module_kind(const bp_module_kind_info& info) {
  return {info.name,
          info.title,
          info.doc,
          attributes(info.n_attrs,
                     [&](std::uint32_t i, AttrInfo* out, bp_error** e) {
                       return bp_module_kind_attr(info.name, i, out, e);
                     }),
          {},
          info};
}
template <class At, class Attribute>
std::vector<KindInfo> kinds(std::uint32_t n, At at, Attribute attribute) {
  std::vector<KindInfo> all;
  for (std::uint32_t i = 0; i < n; ++i) {
    const char *name = nullptr, *doc = nullptr;
    std::uint32_t n_attrs = 0;
    call([&](bp_error** e) { return at(i, &name, &doc, &n_attrs, e); });
    all.push_back(
        {name, name, doc, attributes(n_attrs, [&](std::uint32_t j, AttrInfo* out, bp_error** e) {
           return attribute(name, j, out, e);
         })});
  }
  return all;
}
}  // namespace detail
inline std::vector<KindInfo> module_kinds() {
  std::vector<KindInfo> all;
  for (std::uint32_t i = 0, n = bp_module_kind_count(); i < n; ++i) {
    bp_module_kind_info info{};
    info.struct_size = sizeof info;
    detail::call([&](bp_error** e) { return bp_module_kind_at(i, &info, e); });
    all.push_back(detail::module_kind(info));
  }
  return all;
}
// Throws BP_NOT_FOUND with the nearest name.
inline KindInfo module_kind(const std::string& name) {
  bp_module_kind_info info{};
  info.struct_size = sizeof info;
  detail::call([&](bp_error** e) { return bp_module_kind_find(detail::c_text(name), &info, e); });
  return detail::module_kind(info);
}
inline std::vector<KindInfo> optimizer_kinds() {
  std::vector<KindInfo> all =
      detail::kinds(bp_optimizer_kind_count(), bp_optimizer_kind_at, bp_optimizer_kind_attr);
  for (KindInfo& kind : all) {
    const char* state = nullptr;
    for (std::uint32_t i = 0;
         bp_optimizer_kind_state(kind.name.c_str(), i, &state, nullptr) == BP_OK; ++i)
      kind.states.emplace_back(state);
  }
  return all;
}
inline std::vector<KindInfo> schedule_kinds() {
  return detail::kinds(bp_schedule_kind_count(), bp_schedule_kind_at, bp_schedule_kind_attr);
}

}  // namespace backplane
#endif
