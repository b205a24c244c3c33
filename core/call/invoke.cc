// SPDX-License-Identifier: Apache-2.0
#include "core/call/invoke.h"

#include <algorithm>

#include "core/call/arrange.h"
#include "core/call/compose.h"
#include "core/call/fallback.h"
#include "core/call/foreach.h"
#include "core/call/kept.h"
#include "core/call/profiled.h"
#include "core/call/recording.h"
#include "core/device/queue_trace.h"
#include "core/tensor/tape.h"
#include "core/value/infer.h"

namespace bp {
namespace {

const InputSpec& spec(const OpRow& row, size_t i) { return row.inputs[row.takes_list() ? 0 : i]; }

struct Call {
  const OpRow& row;
  SmallVec<bp_value, 4> in;
  SmallVec<bp_attr, 8> attrs;
  Device* device = nullptr;
  SmallVec<Operand, 5> operands;
  Inference plan;

  Call(const OpRow& r, std::span<const bp_value> values, std::span<const bp_attr> given)
      : row(r), in(values), attrs(given), plan(r, {}) {}

  void check_operands();
  void place(std::span<Ref<Tensor>> out);
  void infer();
  void draw_randoms(std::span<Ref<Tensor>> out);
  const bp_kernel* find_kernel() const;
  Compose composition() const;
  void compose(Compose how, std::span<Ref<Tensor>> out);
  void compose_kept(Compose how, Composer& c);
  int64_t largest() const;  // of the results' numbers of elements
  bp_dtype operand_dtype() const;
  void run_on_cpu(std::span<Ref<Tensor>> out);
  // Returns false, and has done nothing, when the kernel refuses the call.
  bool launch(const bp_kernel& kernel, std::span<Ref<Tensor>> out);

 private:
  bool writes_directly(size_t i, const Tensor& given) const;
  [[noreturn, gnu::cold]] void mismatch(const Tensor& a, const Tensor& b) const;
  bp_dtype slot_dtype(size_t i) const;
  bp_value number_of(Tensor& t) const;
  bp_dtype natural(size_t i) const { return plan.out_dtype[i]; }
};

void Call::check_operands() {
  const size_t wanted = row.n_inputs();
  if (row.takes_list() && in.empty())
    fail(BP_INVALID_ARGUMENT, "{} expects a non-empty TensorList", row.name);
  if (!row.takes_list() && in.size() != wanted)
    fail(BP_INVALID_ARGUMENT, "{}: expected {} inputs, got {}", row.name, wanted, in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const InputSpec& s = spec(row, i);
    const bool wants_tensor = s.role != Role::kValue && s.role != Role::kScalar;
    if (s.optional && in[i].kind == BP_VALUE_NONE) continue;
    if (is_tensor(in[i]) && s.role == Role::kScalar)
      fail(BP_INVALID_ARGUMENT, "{}: {} must be a number, not a tensor", row.name, s.name);
    if (!is_tensor(in[i]) && (wants_tensor || row.layout != Layout::kElementwise) &&
        s.role != Role::kScalar)
      fail(BP_INVALID_ARGUMENT, "{}: {} must be a tensor", row.name, s.name);
    if (!is_tensor(in[i]) && (in[i].kind < BP_VALUE_I64 || in[i].kind > BP_VALUE_C128))
      fail(BP_INVALID_ARGUMENT, "{}: {} is missing", row.name, s.name);
    if (s.role == Role::kCondition && in[i].as.tensor->dtype != BP_BOOL)
      fail(BP_DTYPE_MISMATCH,
           "{} expected {} to be a boolean tensor, but got a tensor with dtype {}", row.name,
           s.name, dtype_title(in[i].as.tensor->dtype));
    if (s.role == Role::kIndex && !is_integer(in[i].as.tensor->dtype))
      fail(BP_DTYPE_MISMATCH, "{}(): Expected an integer dtype for {}, got {}", row.name, s.name,
           dtype_title(in[i].as.tensor->dtype));
  }
}

void Call::mismatch(const Tensor& a, const Tensor& b) const {
  std::string where;
  for (size_t i = 0; i < in.size() && i < 8; ++i)
    if (is_tensor(in[i]))
      where += fmt::format("{}{} {} is on {}", where.empty() ? "" : ", ", spec(row, i).name,
                           format_shape(in[i].as.tensor->shape), in[i].as.tensor->device().label);
  fail(
      BP_DEVICE_MISMATCH,
      "Expected all tensors to be on the same device, but found at least two devices, {} and {}! ({}: {})",
      a.device().label, b.device().label, row.name, where);
}

// Finds the one device of all. A single 0-dim cpu tensor among an accelerator's elementwise
// operands becomes a number.
void Call::place(std::span<Ref<Tensor>> out) {
  const Tensor* model = nullptr;
  for (const bp_value& v : in)
    if (is_tensor(v) && (!model || (model->device().is_host() && !v.as.tensor->device().is_host())))
      model = v.as.tensor;
  if (!model) {
    device = out[0] ? &out[0]->device() : &resolve_device(0);
    return;
  }
  device = &model->device();
  for (size_t i = 0, joined = 0; i < in.size(); ++i) {
    if (!is_tensor(in[i]) || &in[i].as.tensor->device() == device) continue;
    Tensor& t = *in[i].as.tensor;
    const bool may_join = row.layout == Layout::kElementwise && spec(row, i).role == Role::kValue &&
                          t.rank() == 0 && t.device().is_host();
    if (!may_join) mismatch(*model, t);
    if (++joined > 1)
      fail(BP_DEVICE_MISMATCH, "{}: Trying to pass too many CPU scalars to non-CPU kernel!",
           row.name);
  }
}

void Call::infer() {
  for (const bp_value& v : in) {
    Operand& x = operands.emplace_back();
    x.is_tensor = is_tensor(v);
    x.is_none = v.kind == BP_VALUE_NONE;
    x.dtype = x.is_tensor ? v.as.tensor->dtype : number_kind(v);
    if (x.is_tensor)
      x.shape = v.as.tensor->shape;
    else if (v.kind == BP_VALUE_F64 || v.kind == BP_VALUE_C128)
      x.f64 = v.as.f64;
    else
      x.i64 = v.as.i64;
  }
  plan.in = operands;
  plan.attrs = attrs;
  row.dtype(plan);
  row.shape(plan);
  // This comes before anything counts elements of such a shape.
  for (uint32_t i = 0; i < row.n_outputs(); ++i)
    static_cast<void>(checked_numel(plan.out_shape[i]));
}

// A seed and offset of -1 are drawn from the device's own generator.
void Call::draw_randoms(std::span<Ref<Tensor>> out) {
  if (!(row.flags & kRandom)) return;
  bp_attr &seed = attrs[attrs.size() - 2], &offset = attrs[attrs.size() - 1];
  if (seed.value.i64 != -1 || offset.value.i64 != -1) return;
  const int64_t n = out[0] ? out[0]->count : numel(plan.out_shape[0]);
  uint64_t s = 0;
  offset.value.i64 = static_cast<int64_t>(device->generator->reserve(n, &s));
  seed.value.i64 = static_cast<int64_t>(s);
  if (Tape::of_thread) [[unlikely]]
    Tape::of_thread->drew(*device, n, s, static_cast<uint64_t>(offset.value.i64));
}

bp_dtype Call::slot_dtype(size_t i) const {
  if (i >= in.size()) return natural(i - in.size());
  const Role role = spec(row, i).role;
  if (role == Role::kIndex) return BP_I64;
  if ((role == Role::kCondition || role == Role::kAny) && is_tensor(in[i]))
    return in[i].as.tensor->dtype;
  return plan.compute;
}

const bp_kernel* Call::find_kernel() const {
  if (row.takes_list()) return nullptr;
  const size_t n = in.size() + row.n_outputs();
  const size_t key = row.key < 0 ? n - static_cast<size_t>(-row.key) : static_cast<size_t>(row.key);
  const bp_kernel* kernel = device->backend->kernel(row.id, slot_dtype(key));
  if (!kernel || !row.compose || (kernel->flags & BP_KERNEL_TAKES_NONE)) return kernel;
  const auto is_none = [](const bp_value& v) { return v.kind == BP_VALUE_NONE; };
  return std::any_of(in.begin(), in.end(), is_none) ? nullptr : kernel;
}

Compose Call::composition() const {
  return row.compose_complex && is_complex(plan.compute) ? row.compose_complex : row.compose;
}

void Call::compose(Compose how, std::span<Ref<Tensor>> out) {
  const bool sized_by_data = row.flags & kDataShape;
  if (must_record(in))
    for (const Ref<Tensor>& o : out)
      if (o) check_given_output(row, in, *o);
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] && !sized_by_data) writes_directly(i, *out[i]);  // called for its checks
  Composer c{{attrs}, row, in, plan, *device};
  if (how != compose_on_cpu && may_be_kept(row, *device, largest()) && !must_record(in))
    compose_kept(how, c);
  else
    run_composition(how, c);
  for (size_t i = 0; i < out.size() && sized_by_data; ++i) {
    plan.out_shape[i] = c.out[i]->shape;
    if (out[i]) writes_directly(i, *out[i]);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    // What was computed wider is rounded to the result's dtype whatever a given output holds.
    if (out[i] && out[i]->dtype != natural(i) && !(row.flags & kAnyOutputDtype))
      c.out[i] = to(*c.out[i], 0, natural(i), /*copy=*/false, /*non_blocking=*/false);
    if (out[i]) {
      write_composed(*out[i], *c.out[i]);
      continue;
    }
    // A result is row-major and never a view of an operand.
    const auto shares = [&](const bp_value& v) {
      return is_tensor(v) && v.as.tensor->storage.get() == c.out[i]->storage.get();
    };
    if (std::any_of(in.begin(), in.end(), shares)) c.out[i] = clone(*c.out[i]);
    c.out[i] = contiguous(*c.out[i]);
    const bp_dtype wanted =
        plan.final_dtype != BP_DTYPE_NONE && i == 0 ? plan.final_dtype : natural(i);
    out[i] = c.out[i]->dtype == wanted && &c.out[i]->device() == device
                 ? std::move(c.out[i])
                 : to(*c.out[i], device->value, wanted, /*copy=*/false, /*non_blocking=*/false);
    if (!row.grad.name && must_record(in)) record_constant(in, *out[i]);
  }
}

int64_t Call::largest() const {
  int64_t n = 0;
  for (uint32_t i = 0; i < row.n_outputs(); ++i) n = std::max(n, numel(plan.out_shape[i]));
  return n;
}

void Call::compose_kept(Compose how, Composer& c) {
  Likeness like(how, row.id);
  for (const bp_value& v : in) is_tensor(v) ? like.reads(*v.as.tensor) : like.number(v);
  like.attributes(attrs);
  like.word(plan.compute);
  like.word(plan.final_dtype);
  const size_t n = row.n_outputs();
  run_kept(like, {c.out, n}, [&] {
    run_composition(how, c);
    if (plan.final_dtype != BP_DTYPE_NONE) return;
    for (size_t i = 0; i < n; ++i)  // the conversion is one step more
      c.out[i] = to(*c.out[i], 0, natural(i), /*copy=*/false, /*non_blocking=*/false);
  });
}

bp_dtype Call::operand_dtype() const {
  const auto first = std::find_if(in.begin(), in.end(), is_tensor);
  return first == in.end() ? plan.compute : first->as.tensor->dtype;
}

void Call::run_on_cpu(std::span<Ref<Tensor>> out) {
  note_fallback(row.name, device->value);
  compose(compose_on_cpu, out);
}

Ref<Tensor> converted(Tensor& t, bp_dtype wanted) {
  Ref<Tensor> made = new_tensor(t.shape, wanted, t.device());
  copy_into(*made, t, /*non_blocking=*/false);
  return made;
}

// Checks a given output against the plan; returns true when the kernel may write into it.
bool Call::writes_directly(size_t i, const Tensor& given) const {
  if (given.shape != plan.out_shape[i])
    fail(BP_INVALID_ARGUMENT, "{}: output with shape {} doesn't match the broadcast shape {}",
         row.name, format_shape(given.shape), format_shape(plan.out_shape[i]));
  if (&given.device() != device)
    fail(BP_DEVICE_MISMATCH, "{}: the output is on {}, the operands are on {}", row.name,
         given.device().label, device->label);
  const bool any = row.flags & kAnyOutputDtype;
  if (!any && !can_cast(natural(i), given.dtype))
    fail(BP_DTYPE_MISMATCH, "result type {} can't be cast to the desired output type {}",
         dtype_title(natural(i)), dtype_title(given.dtype));
  check_writable(given);
  bool aliases = false;
  for (size_t k = 0; k < in.size(); ++k) {
    if (!is_tensor(in[k])) continue;
    const Tensor& t = *in[k].as.tensor;
    check_overlap(given, t);
    const bool updates = (row.flags & kUpdates) && i == 0 && k == 0;
    aliases |= !updates && t.storage.get() == given.storage.get() && same_elements(given, t);
  }
  if (any) return true;
  return given.dtype == natural(i) && plan.final_dtype == BP_DTYPE_NONE &&
         (!aliases || row.layout == Layout::kElementwise);
}

// Refuses two given outputs that share elements.
void check_apart(const OpRow& row, std::span<const Ref<Tensor>> out) {
  for (size_t i = 0; i < out.size(); ++i)
    for (size_t k = i + 1; k < out.size(); ++k) {
      if (!out[i] || !out[k]) continue;
      check_overlap(*out[i], *out[k]);
      if (same_elements(*out[i], *out[k]))
        fail(BP_INVALID_ARGUMENT, "{}: {} and {} must be different tensors", row.name,
             row.outputs[i], row.outputs[k]);
    }
}

// Whether a copy kernel serves these layouts.
bool copies(const bp_kernel& kernel, const Slots& slots) {
  const Slot &from = slots.slot[0], &into = slots.slot[1];
  return !(kernel.flags & BP_KERNEL_CONTIGUOUS) ||
         (is_contiguous(from.shape, from.strides) && is_contiguous(into.shape, into.strides));
}

// The number that a 0-dim cpu tensor among an accelerator's operands becomes.
bp_value Call::number_of(Tensor& t) const {
  only_unrecorded(row.name, "a 0-dim tensor on the cpu among operands on another device is read");
  return item(t);
}

bool Call::launch(const bp_kernel& kernel, std::span<Ref<Tensor>> out) {
  Slots slots(in.size(), row.n_outputs());
  for (size_t i = 0; i < in.size(); ++i) {
    Slot& s = slots.in(i);
    s.dtype = slot_dtype(i);
    if (!is_tensor(in[i]))
      s.number = in[i];
    else if (&in[i].as.tensor->device() != device)
      s.number = number_of(*in[i].as.tensor);
    else if (in[i].as.tensor->dtype != s.dtype)
      s.hold(converted(*in[i].as.tensor, s.dtype));
    else
      s.tensor = in[i].as.tensor;
  }
  for (size_t i = 0; i < out.size(); ++i) {
    Slot& s = slots.out(i);
    if (out[i] && writes_directly(i, *out[i]))
      s.tensor = out[i].get();
    else
      s.hold(new_tensor(plan.out_shape[i], natural(i), *device));
    s.dtype = s.tensor->dtype;
  }
  check_apart(row, out);
  bool any = false;
  for (size_t i = 0; i < out.size(); ++i) any |= slots.out(i).tensor->count != 0;
  if (any) {
    arrange(row, attrs, slots);
    if (row.id == BP_OP_COPY && !copies(kernel, slots) && may_run_on_cpu(*device)) {
      run_on_cpu(out);
      return true;
    }
    // For outputs that a kernel without strides cannot write: it writes `dense` instead.
    Ref<Tensor> strided[kMaxOutputs], dense[kMaxOutputs];
    Tensor* given[kMaxOutputs] = {};
    if (kernel.flags & BP_KERNEL_CONTIGUOUS)
      for (uint32_t i = 0; i < slots.size(); ++i) {
        Slot& s = slots.slot[i];
        if (!s.tensor || is_contiguous(s.shape, s.strides)) continue;
        Ref<Tensor> seen = make_view(*s.tensor, s.shape, s.strides, s.tensor->offset);
        if (row.id == BP_OP_COPY)
          fail(BP_UNSUPPORTED,
               "copy: {} copies only contiguous tensors, got shape {} with strides {}",
               device->label, format_shape(s.shape), format_shape(s.strides));
        if (i >= slots.n_in) {
          const uint32_t o = i - slots.n_in;
          given[o] = s.tensor;
          strided[o] = std::move(seen);
          dense[o] = new_tensor(s.shape, s.dtype, *device);
          s.tensor = dense[o].get();
        } else {
          s.hold(contiguous(*seen));
        }
        s.strides = contiguous_strides(s.shape);
      }
    bp_arg args[kMaxSlots];
    for (uint32_t i = 0; i < slots.size(); ++i) {
      const Slot& s = slots.slot[i];
      if (s.tensor) i < slots.n_in ? ready_to_read(*s.tensor) : ready_to_write(*s.tensor);
      ::new (static_cast<void*>(args + i)) bp_arg(to_arg(s));  // made there, never copied
    }
    bp_launch l{sizeof(bp_launch),
                row.id,
                args,
                slots.n_in,
                slots.n_out,
                attrs.data(),
                attrs.size(),
                is_product(row) ? product_flags() : 0,
                current_stream(*device).queue,
                nullptr,
                0};
    const bool acts = calls_act();
    {
      const QueueSpan span(acts ? &current_stream(*device) : nullptr, TraceSort::kKernel, row.name);
      if (!(acts ? run_if_served(kernel, row, l, *device) : is_served(kernel, row, l, *device)))
        return false;
    }
    if (traces() && acts) [[unlikely]]
      say_kernel(*device, args[0].dtype);
    if (Tape::of_thread) [[unlikely]] {
      Tensor* tensors[kMaxSlots];
      for (uint32_t i = 0; i < slots.size(); ++i) tensors[i] = slots.slot[i].tensor;
      Tape::of_thread->launched({row, kernel, l, *device, {tensors, slots.size()}});
    }
    for (uint32_t i = 0; i < slots.n_out; ++i) {
      if (!strided[i]) continue;
      copy_into(*strided[i], *dense[i], /*non_blocking=*/false);
      slots.out(i).tensor = given[i];
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    Slot& s = slots.out(i);
    if (out[i] && out[i].get() != s.tensor) {
      copy_into(*out[i], *s.tensor, /*non_blocking=*/false);
    } else {
      if (!out[i]) out[i] = std::move(s.made);
      bump(*out[i]);
    }
  }
  return true;
}

}  // namespace

namespace {
// What would help: a place and a dtype for which there is a kernel.
std::string remedies(const OpRow& row, const Device& device) {
  std::string text = "move the tensors to another device", others;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (device.backend->kernel(row.id, t)) others += fmt::format(" {}", dtype_name(t));
  if (!others.empty()) text += ", choose another dtype, of which it has" + others;
  if (device.backend->kind != BP_KIND_CPU)
    text += ", or let the cpu run what a backend lacks (bp_set_fallback, BACKPLANE_FALLBACK=cpu)";
  return text;
}
std::string missing_text(const OpRow& asked, bp_dtype asked_dtype, const OpRow& missing,
                         bp_dtype dtype, const Device& device) {
  const std::string what = &asked == &missing
                               ? ""
                               : fmt::format(", and none of {} for {}, of which it is composed",
                                             missing.name, dtype_name(dtype));
  return fmt::format("{}: {} has no kernel for {}{}; {}", asked.name, device.label,
                     dtype_name(asked_dtype), what, remedies(missing, device));
}
}  // namespace

MissingKernel::MissingKernel(const OpRow& asked, bp_dtype asked_dtype, const OpRow& missing,
                             bp_dtype dtype, const Device& device)
    : Error(BP_UNSUPPORTED, missing_text(asked, asked_dtype, missing, dtype, device)),
      missing_(&missing),
      device_(&device),
      dtype_(dtype) {}

void MissingKernel::throw_for(const OpRow& row, bp_dtype row_dtype) const {
  throw MissingKernel(row, row_dtype, *missing_, dtype_, *device_);
}

void no_kernel(const OpRow& row, const Device& device, bp_dtype dtype) {
  throw MissingKernel(row, dtype, row, dtype, device);
}

void run_composition(Compose how, Composer& c) {
  try {
    how(c);
  } catch (const MissingKernel& e) {
    e.throw_for(c.row, c.plan.compute);
  }
}

void long_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
               std::span<Ref<Tensor>> out, bool composes) {
  if (row.layout == Layout::kForeach) return foreach_path(row, in, attrs, out, composes);
  if (row.flags & kDataShape)
    only_unrecorded(row.name, "the shape of its result depends on the values of its operands");
  Call call(row, in, attrs);
  call.check_operands();
  call.place(out);
  // A given output says the shape where attributes do not.
  const int shape = row.flags & kCreates ? row.find_attr("shape") : -1;
  if (shape >= 0 && out[0] && call.attrs[static_cast<size_t>(shape)].count == 0)
    call.attrs[static_cast<size_t>(shape)] = ints_value(out[0]->shape);
  const int dtype = shape >= 0 ? row.find_attr("dtype") : -1;
  if (dtype >= 0 && out[0] && call.attrs[static_cast<size_t>(dtype)].value.i64 == BP_DTYPE_NONE)
    call.attrs[static_cast<size_t>(dtype)] = dtype_value(out[0]->dtype);
  call.infer();
  call.draw_randoms(out);
  const bp_kernel* kernel = composes ? nullptr : call.find_kernel();
  bp_dtype lacking = call.plan.compute;
  if (kernel && (kernel->flags & BP_KERNEL_SAME_DTYPE) && out[0] && out[0]->dtype != lacking) {
    kernel = nullptr;
    lacking = out[0]->dtype;
  }
  if (!kernel && !composes &&
      should_run_on_cpu(*call.device, row, call.composition(), call.operand_dtype()))
    return call.run_on_cpu(out);
  if (const Compose how = kernel ? nullptr : call.composition()) return call.compose(how, out);
  if (!kernel) no_kernel(row, *call.device, lacking);
  const bp_dtype final_dtype = call.plan.final_dtype;
  if (!out[0] && final_dtype != BP_DTYPE_NONE && final_dtype != call.plan.out_dtype[0]) {
    Ref<Tensor> made[kMaxOutputs];
    if (call.launch(*kernel, {made, out.size()})) {
      out[0] = to(*made[0], 0, final_dtype, /*copy=*/false, /*non_blocking=*/false);
      return;
    }
  } else {
    call.plan.final_dtype = BP_DTYPE_NONE;
    if (call.launch(*kernel, out)) return;
    call.plan.final_dtype = final_dtype;
  }
  const Compose how = call.composition();
  if (!how) no_kernel(row, *call.device, lacking);
  call.compose(how, out);
}

void invoke_long(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::span<Ref<Tensor>> out) {
  bool compose = false;
  if (must_record(in)) [[unlikely]] {
    if (row.grad.run) return invoke_recorded(row, row.grad, in, attrs, out);
    const bool of_its_parts = !row.grad.name;
    if (of_its_parts && !row.compose) return invoke_underivable(row, in, attrs, out);
    compose = of_its_parts;
  }
  if (traces() && calls_act()) [[unlikely]]
    profiled_path(row, in, attrs, out, compose);
  else
    long_path(row, in, attrs, out, compose);
}

void invoke(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
            std::span<Ref<Tensor>> out) {
  if (attrs.empty() && !out.empty())
    if (Tensor* written = short_path(row.id, in, out[0].get())) {
      if (!out[0]) out[0] = Ref<Tensor>::adopt(written);
      return;
    }
  invoke_long(row, in, attrs, out);
}

void invoke(uint32_t op, std::initializer_list<Value> in, AttrList attrs,
            std::span<Ref<Tensor>> out) {
  SmallVec<bp_value, 4> values;
  for (const Value& v : in) values.push_back(v.value);
  invoke(*find_op(op), values, attrs, out);
}

Ref<Tensor> invoke(uint32_t op, std::initializer_list<Value> in, AttrList attrs) {
  Ref<Tensor> out[1];
  invoke(op, in, attrs, out);
  return std::move(out[0]);
}

void fill(Tensor& t, const Value& v) {
  Ref<Tensor> out = Ref<Tensor>::share(&t);
  if (t.count) invoke(BP_OP_FILL, {v}, {ints_value(t.shape), dtype_value(t.dtype)}, {&out, 1});
}

Inference infer(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs) {
  Call call(row, in, attrs);
  call.check_operands();
  call.infer();
  Inference plan = call.plan;
  plan.in = {};  // they live in the call
  plan.attrs = attrs;
  return plan;
}

}  // namespace bp
