// SPDX-License-Identifier: Apache-2.0
// nn.cc: modules: their kinds, what is in them, running them; declared in c_nn.h.
#include <atomic>
#include <cstring>

#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/grad/autograd.h"
#include "core/io/dict.h"
#include "core/module/kind.h"
#include "core/module/listed.h"

using namespace bp;

namespace {

bp_module_kind_info info_of(const ModuleKind& k) {
  bp_module_kind_info i{};
  i.n_attrs = static_cast<uint32_t>(k.attrs.size());
  i.name = k.name, i.title = k.title, i.doc = k.doc;
  i.min_inputs = k.min_inputs, i.max_inputs = k.max_inputs, i.n_outputs = k.n_outputs;
  return i;
}

std::string_view text(const char* s, const char* what) { return need(s, what); }

// Checks a name that messages show, which are one line.
std::string one_line(const char* s, const char* what) {
  std::string name(need(s, what));
  if (name.find_first_of("\n\r") != name.npos)
    fail(BP_INVALID_ARGUMENT, "{} must be one line", what);
  if (name.size() > 256)
    fail(BP_INVALID_ARGUMENT, "{} has {} bytes, at most 256 are possible", what, name.size());
  return name;
}

Ref<Tensor> optional_tensor(bp_tensor* t) {
  if (!t) return {};
  if (t->tag != Tag::kUninitializedTensor || t->born != generation()) checked(t, "t");
  return Ref<Tensor>::share(t);
}

uint32_t known(uint32_t flags, uint32_t some) {
  if (flags & ~some) fail(BP_INVALID_ARGUMENT, "flags are {}, expected some of {}", flags, some);
  return flags;
}
constexpr uint32_t kListFlags = BP_MODULE_RECURSE | BP_MODULE_DUPLICATES | BP_MODULE_EMPTY;

template <class V>
const auto& entry(const V& list, uint32_t i, const char* what) {
  if (i >= list.size()) fail(BP_INDEX_OUT_OF_RANGE, "{} {} of {}", what, i, list.size());
  return list[i];
}

struct Operands {
  SmallVec<Tensor*, 4> in;
  Operands(bp_tensor* const* inputs, uint32_t n) {
    if (n > BP_MAX_INPUTS)
      fail(BP_INVALID_ARGUMENT, "{} inputs, at most {} are possible", n, +BP_MAX_INPUTS);
    if (n) need(inputs, "inputs");
    for (uint32_t i = 0; i < n; ++i)
      in.push_back(inputs[i] ? &checked(inputs[i], "an input") : nullptr);
  }
};

template <class F>
void run_forward(bp_module* m, bp_tensor* const* inputs, uint32_t n_in, bp_tensor** outputs,
                 uint32_t n_out, F&& f) {
  Module& module = checked(m, "m");
  const Operands operands(inputs, n_in);
  if (n_out < 1 || n_out > BP_MAX_OUTPUTS)
    fail(BP_INVALID_ARGUMENT, "{} outputs, 1 to {} are possible", n_out, +BP_MAX_OUTPUTS);
  need(outputs, "outputs");
  const Ref<Module> held = Ref<Module>::share(&module);
  Ref<Tensor> made[BP_MAX_OUTPUTS];
  f(module, operands.in, std::span<Ref<Tensor>>(made, n_out));
  for (uint32_t i = 0; i < n_out; ++i) outputs[i] = made[i].release();
}

template <class F>
Callback<F> checked_callback(F f, void* user, void (*destroy)(void*), const char* what) {
  return callback(need(f, what), user, destroy);
}

}  // namespace

extern "C" {

// ---- kinds ----

uint32_t bp_module_kind_count(void) { return static_cast<uint32_t>(module_kinds().size()); }

bp_status bp_module_kind_at(uint32_t i, bp_module_kind_info* out, bp_error** err) {
  return guard(err, [&] { put_struct(info_of(*entry(module_kinds(), i, "kind")), out, "out"); });
}

bp_status bp_module_kind_find(const char* name, bp_module_kind_info* out, bp_error** err) {
  return guard(err, [&] { put_struct(info_of(find_module_kind(text(name, "name"))), out, "out"); });
}

bp_status bp_module_kind_attr(const char* kind, uint32_t i, bp_attr_info* out, bp_error** err) {
  return guard(err, [&] {
    const ModuleKind& k = find_module_kind(text(kind, "kind"));
    put_attr(k.title, k.attrs, i, out);
  });
}

bp_status bp_module_create(const char* kind, const bp_attr* attrs, uint32_t n_attr,
                           bp_device device, bp_dtype dtype, bp_module** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = create_module(text(kind, "kind"), attr_list(attrs, n_attr), device, dtype).release();
  });
}

bp_status bp_module_custom(const bp_module_desc* desc, bp_module** out, bp_error** err) {
  return guard(err, [&] {
    const bp_module_desc d = get_struct(desc, "desc");
    need(out, "out");
    if (d.flags) fail(BP_INVALID_ARGUMENT, "desc.flags are {}, none is known", d.flags);
    auto m = Ref<Module>::adopt(new Module);
    m->title = one_line(d.title, "desc.title");
    m->forward = callback(d.forward, d.user, d.destroy);
    *out = m.release();
  });
}

bp_status bp_module_set_forward(bp_module* m, bp_module_forward_fn forward, void* user,
                                void (*destroy)(void* user), bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    if (!forward && !x.kind) fail(BP_INVALID_ARGUMENT, "{} has no forward of its own", x.title);
    x.forward = forward ? callback(forward, user, destroy) : Callback<bp_module_forward_fn>{};
  });
}

bp_module* bp_module_retain(bp_module* m) {
  if (m && m->tag == Tag::kModule) m->refs.fetch_add(1, std::memory_order_relaxed);
  return m;
}

void bp_module_release(bp_module* m) {
  if (m && m->tag == Tag::kModule) Ref<Module>::drop(m);
}

bp_status bp_module_clone(bp_module* m, bp_module** out, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    need(out, "out");
    *out = clone(x).release();
  });
}

// ---- what it is ----

const char* bp_module_kind(const bp_module* m) {
  return m && m->tag == Tag::kModule && m->kind ? m->kind->name : "";
}
const char* bp_module_title(const bp_module* m) {
  return m && m->tag == Tag::kModule ? m->title.c_str() : "";
}

bp_status bp_module_set_name(bp_module* m, const char* name, bp_error** err) {
  return guard(err, [&] { checked(m, "m").name = one_line(name, "name"); });
}

bp_status bp_module_attr(bp_module* m, uint32_t i, bp_attr* out, bp_error** err) {
  return guard(err, [&] {
    const Module& x = checked(m, "m");
    entry(x.attrs, i, "attribute");
    *need(out, "out") = attr_of(x, i);
  });
}

bp_status bp_module_format(bp_module* m, char* buf, uint64_t capacity, uint64_t* needed,
                           bp_error** err) {
  return guard(err, [&] { put_text(module_text(checked(m, "m")), buf, capacity, needed); });
}

bp_status bp_module_extra(bp_module* m, char* buf, uint64_t capacity, uint64_t* needed,
                          bp_error** err) {
  return guard(err, [&] { put_text(extra_text(checked(m, "m")), buf, capacity, needed); });
}

bp_status bp_module_summary(bp_module* m, bp_tensor* const* inputs, uint32_t n_in, char* buf,
                            uint64_t capacity, uint64_t* needed, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    const Operands operands(inputs, n_in);
    put_text(summary(x, operands.in), buf, capacity, needed);
  });
}

// ---- what is in it ----

bp_status bp_module_set_parameter(bp_module* m, const char* name, bp_tensor* t, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    Ref<Tensor> tensor = optional_tensor(t);
    if (tensor && !is_uninitialized(*tensor) && tensor->trace && tensor->trace->edge)
      fail(
          BP_INVALID_ARGUMENT,
          "Cannot assign non-leaf Tensor to parameter '{}'. Model parameters must be created explicitly. To "
          "express '{}' as a function of another Tensor, compute the value in the forward() method.",
          text(name, "name"), name);
    set_parameter(x, text(name, "name"), std::move(tensor));
  });
}

bp_status bp_module_set_buffer(bp_module* m, const char* name, bp_tensor* t, uint32_t persistent,
                               bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    set_buffer(x, text(name, "name"), optional_tensor(t), persistent != 0);
  });
}

bp_status bp_module_set_child(bp_module* m, const char* name, bp_module* child, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    set_child(x, text(name, "name"),
              child ? Ref<Module>::share(&checked(child, "child")) : Ref<Module>{});
  });
}

bp_status bp_module_append(bp_module* m, bp_module* child, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    append(x, Ref<Module>::share(&checked(child, "child")));
  });
}

bp_status bp_module_remove(bp_module* m, const char* name, bp_error** err) {
  return guard(err, [&] { remove(checked(m, "m"), text(name, "name")); });
}

bp_status bp_module_get(bp_module* m, const char* path, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    need(out, "out");
    *out = Ref<Tensor>(find_tensor(x, text(path, "path")).tensor).release();
  });
}

bp_status bp_module_get_child(bp_module* m, const char* path, bp_module** out, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    need(out, "out");
    *out = Ref<Module>::share(&find_child(x, text(path, "path"))).release();
  });
}

bp_status bp_module_parameter_count(bp_module* m, uint32_t flags, uint32_t* out, bp_error** err) {
  return guard(err, [&] {
    *need(out, "out") = static_cast<uint32_t>(
        listed(checked(m, "m"), known(flags, kListFlags), list_parameters)->size());
  });
}

bp_status bp_module_parameter_at(bp_module* m, uint32_t flags, uint32_t i, char* name,
                                 uint64_t capacity, uint64_t* needed, bp_tensor** out,
                                 bp_error** err) {
  return guard(err, [&] {
    const auto all = listed(checked(m, "m"), known(flags, kListFlags), list_parameters);
    const NamedTensor& found = entry(*all, i, "parameter");
    need(out, "out");
    put_text(found.name, name, capacity, needed);
    *out = Ref<Tensor>(found.slot->tensor).release();
  });
}

bp_status bp_module_buffer_count(bp_module* m, uint32_t flags, uint32_t* out, bp_error** err) {
  return guard(err, [&] {
    *need(out, "out") = static_cast<uint32_t>(
        listed(checked(m, "m"), known(flags, kListFlags | BP_MODULE_PERSISTENT), list_buffers)
            ->size());
  });
}

bp_status bp_module_buffer_at(bp_module* m, uint32_t flags, uint32_t i, char* name,
                              uint64_t capacity, uint64_t* needed, bp_tensor** out,
                              bp_error** err) {
  return guard(err, [&] {
    const auto all =
        listed(checked(m, "m"), known(flags, kListFlags | BP_MODULE_PERSISTENT), list_buffers);
    const NamedTensor& found = entry(*all, i, "buffer");
    need(out, "out");
    put_text(found.name, name, capacity, needed);
    *out = Ref<Tensor>(found.slot->tensor).release();
  });
}

bp_status bp_module_child_count(bp_module* m, uint32_t flags, uint32_t* out, bp_error** err) {
  return guard(err, [&] {
    *need(out, "out") = static_cast<uint32_t>(
        listed(checked(m, "m"), known(flags, kListFlags), list_modules)->size());
  });
}

bp_status bp_module_child_at(bp_module* m, uint32_t flags, uint32_t i, char* name,
                             uint64_t capacity, uint64_t* needed, bp_module** out, bp_error** err) {
  return guard(err, [&] {
    const auto all = listed(checked(m, "m"), known(flags, kListFlags), list_modules);
    const NamedModule& found = entry(*all, i, "child");
    need(out, "out");
    put_text(found.name, name, capacity, needed);
    *out = Ref<Module>::share(found.module).release();
  });
}

bp_status bp_module_apply(bp_module* m, bp_module_visit_fn fn, void* user, bp_error** err) {
  return guard(err, [&] {
    const Ref<Module> held = Ref<Module>::share(&checked(m, "m"));
    need(fn, "fn");
    apply(*held, [&](Module& each) {
      bp_error* left = nullptr;
      const bp_status status = fn(user, &each, &left);
      if (status < 0)
        throw_taken(status, left, 0, fmt::format("fn failed with {}", status).c_str());
    });
  });
}

// ---- for all that is inside ----

bp_status bp_module_train(bp_module* m, uint32_t on, bp_error** err) {
  return guard(err, [&] { train(checked(m, "m"), on != 0); });
}
uint32_t bp_module_is_training(const bp_module* m) {
  return m && m->tag == Tag::kModule && m->training;
}
bp_status bp_module_set_training(bp_module* m, uint32_t on, bp_error** err) {
  return guard(err, [&] { checked(m, "m").training = on != 0; });
}
bp_status bp_module_requires_grad(bp_module* m, uint32_t on, bp_error** err) {
  return guard(err, [&] { requires_grad(checked(m, "m"), on != 0); });
}
bp_status bp_module_zero_grad(bp_module* m, uint32_t to_zeros, bp_error** err) {
  return guard(err, [&] { zero_grad(checked(m, "m"), to_zeros != 0); });
}
bp_status bp_module_to(bp_module* m, bp_device device, bp_dtype dtype, uint32_t non_blocking,
                       bp_error** err) {
  return guard(err, [&] {
    move(checked(m, "m"), {.device = device, .dtype = dtype, .non_blocking = non_blocking != 0});
  });
}
bp_status bp_module_move(bp_module* m, bp_device from, bp_dtype of, bp_device device,
                         bp_dtype dtype, uint32_t non_blocking, bp_error** err) {
  return guard(err, [&] {
    move(checked(m, "m"), {.from = from,
                           .of = of,
                           .device = device,
                           .dtype = dtype,
                           .non_blocking = non_blocking != 0});
  });
}

// ---- forward ----

bp_status bp_module_forward(bp_module* m, bp_tensor* const* inputs, uint32_t n_in,
                            bp_tensor** outputs, uint32_t n_out, bp_error** err) {
  return guard(err, [&] { run_forward(m, inputs, n_in, outputs, n_out, forward); });
}
bp_status bp_module_kind_forward(bp_module* m, bp_tensor* const* inputs, uint32_t n_in,
                                 bp_tensor** outputs, uint32_t n_out, bp_error** err) {
  return guard(err, [&] { run_forward(m, inputs, n_in, outputs, n_out, kind_forward); });
}

bp_status bp_module_add_hook(bp_module* m, uint32_t before, bp_module_hook_fn hook, void* user,
                             void (*destroy)(void* user), uint64_t* id, bp_error** err) {
  return guard(err, [&] {
    static std::atomic<uint64_t> next{1};
    Module& x = checked(m, "m");
    need(id, "id");
    need(hook, "hook");
    x.hooks.reserve(x.hooks.size() + 1);
    const uint64_t given = next.fetch_add(1);
    x.hooks.push_back({given, before != 0, checked_callback(hook, user, destroy, "hook")});
    *id = given;
  });
}

bp_status bp_module_remove_hook(bp_module* m, uint64_t id, bp_error** err) {
  return guard(err, [&] {
    if (!std::erase_if(checked(m, "m").hooks, [&](const Module::Hook& h) { return h.id == id; }))
      fail(BP_NOT_FOUND, "{} is not the id of a hook", id);
  });
}

bp_status bp_module_enter(bp_module* m, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    need(token, "token");
    *token = enter(x);
  });
}
bp_status bp_module_leave(uint64_t token, bp_error** err) {
  return guard(err, [&] { leave(token); });
}
bp_status bp_module_where(char* buf, uint64_t capacity, uint64_t* needed, bp_error** err) {
  return guard(err, [&] { put_text(where(), buf, capacity, needed); });
}

bp_status bp_module_state_dict(bp_module* m, const char* prefix, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    need(out, "out");
    *out = state_dict(x, prefix ? prefix : "").release();
  });
}
bp_status bp_module_load_state_dict(bp_module* m, bp_dict* from, uint32_t flags, char* buf,
                                    uint64_t capacity, uint64_t* needed, bp_error** err) {
  return guard(err, [&] {
    Module& x = checked(m, "m");
    const bp_dict& d = checked(from, "from");
    known(flags, BP_LOAD_STRICT | BP_LOAD_ASSIGN);
    put_text(load_state_dict(x, d, flags & BP_LOAD_STRICT, flags & BP_LOAD_ASSIGN).text(), buf,
             capacity, needed);
  });
}

bp_status bp_tensor_set_data(bp_tensor* t, bp_tensor* from, bp_error** err) {
  return guard(err, [&] {
    Tensor& to = t && is_uninitialized(*t) && t->born == generation() ? *t : checked(t, "t");
    Tensor& data = checked(from, "from");
    if (wants_grad(to) && !is_floating(data.dtype) && !is_complex(data.dtype))
      fail(
          BP_DTYPE_MISMATCH,
          "data set to a tensor that requires gradients must be floating point or complex dtype, got {}",
          dtype_title(data.dtype));
    set_data(to, data);
  });
}

}  // extern "C"
