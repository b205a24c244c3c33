// SPDX-License-Identifier: Apache-2.0
// optim.cc: optimisers and clipping; declared in c_optim.h.
#include "c_optim.h"
#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/optim/clip.h"
#include "core/optim/state.h"

using namespace bp;

extern "C" {

uint32_t bp_optimizer_kind_count(void) { return static_cast<uint32_t>(optimizer_kinds().size()); }

bp_status bp_optimizer_kind_at(uint32_t i, const char** name, const char** doc, uint32_t* n_attrs,
                               bp_error** err) {
  return guard(err, [&] {
    const auto kinds = optimizer_kinds();
    if (i >= kinds.size()) fail(BP_INDEX_OUT_OF_RANGE, "optimizer {} of {}", i, kinds.size());
    if (name) *name = kinds[i].name;
    if (doc) *doc = kinds[i].doc;
    if (n_attrs) *n_attrs = static_cast<uint32_t>(kinds[i].attrs.size());
  });
}

bp_status bp_optimizer_kind_attr(const char* kind, uint32_t i, bp_attr_info* out, bp_error** err) {
  return guard(err, [&] {
    const OptimizerKind& k = optimizer_kind(need(kind, "kind"));
    put_attr(k.name, k.attrs, i, out);
  });
}

bp_status bp_optimizer_kind_state(const char* kind, uint32_t i, const char** name, bp_error** err) {
  return guard(err, [&] {
    const OptimizerKind& k = optimizer_kind(need(kind, "kind"));
    need(name, "name");
    if (i >= kMaxStates || !k.states[i]) fail(BP_INDEX_OUT_OF_RANGE, "{}: state {}", k.name, i);
    *name = k.states[i];
  });
}

bp_status bp_optimizer_create(const char* kind, bp_tensor* const* params, uint32_t n_params,
                              const bp_attr* attrs, uint32_t n_attr, bp_optimizer** out,
                              bp_error** err) {
  return guard(err, [&] {
    need(kind, "kind");
    need(out, "out");
    *out = new_optimizer(kind, tensor_list(params, n_params, "params"), attr_list(attrs, n_attr))
               .release();
  });
}

bp_optimizer* bp_optimizer_retain(bp_optimizer* o) {
  if (o && o->tag == Tag::kOptimizer) o->refs.fetch_add(1, std::memory_order_relaxed);
  return o;
}
void bp_optimizer_release(bp_optimizer* o) {
  if (o && o->tag == Tag::kOptimizer) Ref<Optimizer>::drop(o);
}

bp_status bp_optimizer_kind(bp_optimizer* o, const char** out, bp_error** err) {
  return guard(err, [&] {
    const Optimizer& x = checked(o);
    *need(out, "out") = x.kind.name;
  });
}

bp_status bp_optimizer_add_group(bp_optimizer* o, bp_tensor* const* params, uint32_t n_params,
                                 const bp_attr* attrs, uint32_t n_attr, bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    x.add_group(tensor_list(params, n_params, "params"), attr_list(attrs, n_attr));
  });
}

bp_status bp_optimizer_step(bp_optimizer* o, bp_error** err) {
  return guard(err, [&] { checked(o).step(); });
}

bp_status bp_optimizer_zero_grad(bp_optimizer* o, uint32_t set_to_none, bp_error** err) {
  return guard(err, [&] { checked(o).zero_grad(set_to_none != 0); });
}

uint32_t bp_optimizer_group_count(bp_optimizer* o) {
  uint32_t n = 0;
  guard(nullptr, [&] {
    Optimizer& x = checked(o);
    const std::lock_guard lock(x.mutex);
    n = static_cast<uint32_t>(x.groups.size());
  });
  return n;
}

bp_status bp_optimizer_param_count(bp_optimizer* o, uint32_t group, uint32_t* out, bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    const std::lock_guard lock(x.mutex);
    *need(out, "out") = static_cast<uint32_t>(x.group(group).params.size());
  });
}

bp_status bp_optimizer_param_at(bp_optimizer* o, uint32_t group, uint32_t i, bp_tensor** out,
                                bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(out, "out");
    const std::lock_guard lock(x.mutex);
    *out = Ref<Tensor>(x.param(group, i).tensor).release();
  });
}

bp_status bp_optimizer_get_attr(bp_optimizer* o, uint32_t group, const char* name, bp_attr* out,
                                bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(name, "name");
    need(out, "out");
    *out = x.get(group, name);
  });
}

bp_status bp_optimizer_set_attr(bp_optimizer* o, uint32_t group, const bp_attr* attr,
                                bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(attr, "attr");
    need(attr->name, "attr's name");
    x.set(group, *attr);
  });
}

bp_status bp_optimizer_state_at(bp_optimizer* o, uint32_t group, uint32_t i, const char* name,
                                bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(name, "name");
    need(out, "out");
    *out = x.state(group, i, name).release();
  });
}

bp_status bp_optimizer_steps_at(bp_optimizer* o, uint32_t group, uint32_t i, int64_t* out,
                                bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(out, "out");
    const std::lock_guard lock(x.mutex);
    *out = x.param(group, i).state.steps;
  });
}

bp_status bp_optimizer_state_dict(bp_optimizer* o, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    Optimizer& x = checked(o);
    need(out, "out");
    *out = state_of(x).release();
  });
}

bp_status bp_optimizer_load_state_dict(bp_optimizer* o, bp_dict* state, bp_error** err) {
  return guard(err, [&] { load_state(checked(o), checked(state, "state")); });
}

bp_status bp_clip_grad_norm(bp_tensor* const* params, uint32_t n_params, double max_norm,
                            double norm_type, uint32_t error_if_nonfinite, bp_tensor** total,
                            bp_error** err) {
  return guard(err, [&] {
    Ref<Tensor> norm = clip_grad_norm(tensor_list(params, n_params, "params"), max_norm, norm_type,
                                      error_if_nonfinite != 0);
    if (total) *total = norm.release();
  });
}

bp_status bp_clip_grad_value(bp_tensor* const* params, uint32_t n_params, double limit,
                             bp_error** err) {
  return guard(err, [&] { clip_grad_value(tensor_list(params, n_params, "params"), limit); });
}

}  // extern "C"
