#include "core/invoke.h"

#include <cstring>

#include "core/arrange.h"
#include "core/compose.h"
#include "core/infer.h"

namespace bp {
namespace {

bool is_tensor(const bp_value& v) { return v.kind == BP_VALUE_TENSOR; }
bp_dtype number_kind(const bp_value& v) {
  return v.kind == BP_VALUE_F64 ? BP_F64 : v.kind == BP_VALUE_BOOL ? BP_BOOL : BP_I64;
}

const InputSpec& spec(const OpRow& row, size_t i) { return row.inputs[row.takes_list() ? 0 : i]; }

// Counts a write. A storage that nobody else holds needs no locked instruction.
void bump(Tensor& t) {
  std::atomic<uint64_t>& version = t.storage->version;
  if (t.refs.load(std::memory_order_relaxed) == 1 && t.storage->refs.load(std::memory_order_relaxed) == 1)
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  else
    version.fetch_add(1, std::memory_order_relaxed);
}

// ---- the short path: one or two dense operands of one dtype and shape, nothing to convert ----

// The output dtype when operands of dtype t need no conversion; BP_DTYPE_NONE: take the long path.
bp_dtype direct_output(const OpRow& row, bp_dtype t) {
  const Rule rule = row.dtype;
  if (rule == rule::promoted) return t;
  if (rule == rule::predicate) return BP_BOOL;
  if (is_complex(t)) return BP_DTYPE_NONE;
  if (rule == rule::floating) return is_floating(t) ? t : BP_DTYPE_NONE;
  if (rule == rule::ordered) return t;
  if (rule == rule::arithmetic) return t != BP_BOOL ? t : BP_DTYPE_NONE;
  if (rule == rule::comparison) return BP_BOOL;
  return BP_DTYPE_NONE;
}

bool number_keeps(bp_dtype t, const bp_value& v) {
  return (v.kind == BP_VALUE_I64 || v.kind == BP_VALUE_F64 || v.kind == BP_VALUE_BOOL) &&
         category(number_kind(v)) <= category(t);
}

void run_kernel(const bp_kernel& kernel, const OpRow& row, bp_launch& launch, Device& device);

constexpr int64_t kOneStride[] = {1};

bp_arg run_arg(const Tensor& t) {
  return {BP_ARG_TENSOR, t.dtype, 1, BP_ARG_CONTIGUOUS, t.data(), &t.count, kOneStride, 0, 0,
          static_cast<uint64_t>(t.device().value)};
}

bool short_path(const OpRow& row, std::span<const bp_value> in, std::span<Ref<Tensor>> out) {
  if (row.layout != Layout::kElementwise || row.key != 0 || in.size() > 2 || in.size() != row.n_inputs() || row.compose ||
      !is_tensor(in[0]))
    return false;
  const Tensor& a = *in[0].as.tensor;
  Device& device = a.device();
  const bp_dtype dtype = direct_output(row, a.dtype);
  if (!a.contiguous || a.count == 0 || dtype == BP_DTYPE_NONE) return false;
  const Tensor* b = in.size() == 2 && is_tensor(in[1]) ? in[1].as.tensor : nullptr;
  if (b && (b->dtype != a.dtype || !b->contiguous || &b->device() != &device || b->shape != a.shape)) return false;
  if (in.size() == 2 && !b && !number_keeps(a.dtype, in[1])) return false;
  const bp_kernel* kernel = device.backend->kernel(row.id, a.dtype);
  if (!kernel) return false;
  auto disjoint = [&](const Tensor& x) { return x.storage.get() != out[0]->storage.get() || x.offset == out[0]->offset; };
  if (!out[0])
    out[0] = new_tensor(a.shape, dtype, device);
  else if (out[0]->dtype != dtype || !out[0]->contiguous || &out[0]->device() != &device ||
           out[0]->shape != a.shape || !disjoint(a) || (b && !disjoint(*b)))
    return false;

  bp_arg args[3];  // every field is written below; clearing them first would cost as much as the op
  args[0] = run_arg(a);
  uint32_t n = 1;
  if (b) args[n++] = run_arg(*b);
  else if (in.size() == 2)
    args[n++] = {in[1].kind == BP_VALUE_F64 ? BP_ARG_SCALAR_F64 : BP_ARG_SCALAR_I64, a.dtype, 0, 0, nullptr, nullptr,
                 nullptr, in[1].kind == BP_VALUE_F64 ? 0 : in[1].as.i64, in[1].kind == BP_VALUE_F64 ? in[1].as.f64 : 0, 0};
  args[n] = run_arg(*out[0]);
  bp_launch launch{sizeof(bp_launch), row.id, args, n, 1, nullptr, 0, 0, device.stream, nullptr, 0};
  run_kernel(*kernel, row, launch, device);
  bump(*out[0]);
  return true;
}

// Gives the launch its workspace and runs it; throws with the op's and the device's name.
void run_kernel(const bp_kernel& kernel, const OpRow& row, bp_launch& launch, Device& device) {
  bp_error* err = nullptr;
  if (kernel.workspace) {
    uint64_t bytes = 0;
    const bp_status status = kernel.workspace(&launch, &bytes, &err);
    if (status < 0) check_plugin(device, status, err, row.name);
    launch.workspace = device.pool->allocate(bytes);
    launch.workspace_bytes = bytes;
  }
  const bp_status status = kernel.run(&launch, &err);
  if (launch.workspace) device.pool->free(launch.workspace, launch.workspace_bytes);
  if (status < 0) check_plugin(device, status, err, row.name);
}

// ---- the whole path ----

struct Call {
  const OpRow& row;
  SmallVec<bp_value, 4> in;
  SmallVec<bp_attr, 8> attrs;
  Device* device = nullptr;
  std::vector<Operand> operands;
  Inference plan;

  Call(const OpRow& r, std::span<const bp_value> values, std::span<const bp_attr> given)
      : row(r), in(values), attrs(given), plan{r, {}, {}} {}

  void check_operands();
  void place(std::span<Ref<Tensor>> out);
  void infer();
  void draw_randoms(std::span<Ref<Tensor>> out);
  const bp_kernel* find_kernel() const;
  void compose(std::span<Ref<Tensor>> out);
  void launch(const bp_kernel& kernel, std::span<Ref<Tensor>> out);

 private:
  Ref<Tensor> converted(size_t i, Ref<Tensor> t) const;
  bool writes_directly(size_t i, const Tensor& given) const;
  [[noreturn]] void mismatch(const Tensor& a, const Tensor& b) const;
  bp_dtype slot_dtype(size_t i) const;
  bp_dtype natural(size_t i) const { return plan.out_dtype[i]; }
};

void Call::check_operands() {
  const size_t wanted = row.n_inputs();
  if (row.takes_list() ? in.empty() : in.size() != wanted)
    fail(BP_INVALID_ARGUMENT, "{}: expected {} inputs, got {}", row.name, row.takes_list() ? 1 : wanted, in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const InputSpec& s = spec(row, i);
    const bool wants_tensor = s.role != Role::kValue && s.role != Role::kScalar;
    if (is_tensor(in[i]) && s.role == Role::kScalar)
      fail(BP_INVALID_ARGUMENT, "{}: {} must be a number, not a tensor", row.name, s.name);
    if (!is_tensor(in[i]) && (wants_tensor || row.layout != Layout::kElementwise) && s.role != Role::kScalar)
      fail(BP_INVALID_ARGUMENT, "{}: {} must be a tensor", row.name, s.name);
    if (!is_tensor(in[i]) && (in[i].kind < BP_VALUE_I64 || in[i].kind > BP_VALUE_BOOL))
      fail(BP_INVALID_ARGUMENT, "{}: {} is missing", row.name, s.name);
    if (s.role == Role::kCondition && in[i].as.tensor->dtype != BP_BOOL)
      fail(BP_DTYPE_MISMATCH, "{} expected {} to be a boolean tensor, but got a tensor with dtype {}", row.name, s.name,
           dtype_title(in[i].as.tensor->dtype));
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
  fail(BP_DEVICE_MISMATCH,
       "Expected all tensors to be on the same device, but found at least two devices, {} and {}! ({}: {})",
       a.device().label, b.device().label, row.name, where);
}

// One device for all. A single 0-dim cpu tensor among an accelerator's elementwise operands becomes a number.
void Call::place(std::span<Ref<Tensor>> out) {
  const Tensor* model = nullptr;
  for (const bp_value& v : in)
    if (is_tensor(v) && (!model || (model->device().is_host() && !v.as.tensor->device().is_host()))) model = v.as.tensor;
  if (!model) {
    device = out[0] ? &out[0]->device() : &resolve_device(0);
    return;
  }
  device = &model->device();
  for (size_t i = 0, joined = 0; i < in.size(); ++i) {
    if (!is_tensor(in[i]) || &in[i].as.tensor->device() == device) continue;
    Tensor& t = *in[i].as.tensor;
    const bool may_join = row.layout == Layout::kElementwise && spec(row, i).role == Role::kValue && t.rank() == 0 &&
                          t.device().is_host() && !is_complex(t.dtype);
    if (!may_join) mismatch(*model, t);
    if (++joined > 1) fail(BP_DEVICE_MISMATCH, "{}: Trying to pass too many CPU scalars to non-CPU kernel!", row.name);
  }
}

void Call::infer() {
  operands.reserve(in.size());
  for (const bp_value& v : in) {
    Operand x;
    x.is_tensor = is_tensor(v);
    x.dtype = x.is_tensor ? v.as.tensor->dtype : number_kind(v);
    if (x.is_tensor) x.shape = v.as.tensor->shape;
    else if (v.kind == BP_VALUE_F64) x.f64 = v.as.f64;
    else x.i64 = v.as.i64;
    operands.push_back(x);
  }
  plan.in = operands;
  plan.attrs = attrs;
  row.dtype(plan);
  row.shape(plan);
}

// seed and offset of -1: drawn from the device's own generator.
void Call::draw_randoms(std::span<Ref<Tensor>> out) {
  if (!(row.flags & kRandom)) return;
  bp_attr &seed = attrs[attrs.size() - 2], &offset = attrs[attrs.size() - 1];
  if (seed.value.i64 != -1 || offset.value.i64 != -1) return;
  const int64_t n = out[0] ? out[0]->count : numel(plan.out_shape[0]);
  uint64_t s = 0;
  offset.value.i64 = static_cast<int64_t>(device->generator->reserve(n, &s));
  seed.value.i64 = static_cast<int64_t>(s);
}

bp_dtype Call::slot_dtype(size_t i) const {
  if (i >= in.size()) return natural(i - in.size());
  const Role role = spec(row, i).role;
  if (role == Role::kIndex) return BP_I64;
  if (role == Role::kCondition || role == Role::kAny) return in[i].as.tensor->dtype;
  return plan.compute;
}

const bp_kernel* Call::find_kernel() const {
  if (row.takes_list()) return nullptr;
  const size_t n = in.size() + row.n_outputs();
  const size_t key = row.key < 0 ? n - static_cast<size_t>(-row.key) : static_cast<size_t>(row.key);
  return device->backend->kernel(row.id, slot_dtype(key));
}

void Call::compose(std::span<Ref<Tensor>> out) {
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i]) writes_directly(i, *out[i]);  // for its checks
  Composer c{row, in, attrs, {}};
  row.compose(c);
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i]) copy_into(*out[i], *c.out[i], /*non_blocking=*/false);
    else out[i] = std::move(c.out[i]);
  }
}

Ref<Tensor> Call::converted(size_t i, Ref<Tensor> t) const {
  const bp_dtype wanted = slot_dtype(i);
  if (t->dtype == wanted) return t;
  Ref<Tensor> made = new_tensor(t->shape, wanted, t->device());
  copy_into(*made, *t, /*non_blocking=*/false);
  return made;
}

// A given output is checked against the plan; true when the kernel may write into it.
bool Call::writes_directly(size_t i, const Tensor& given) const {
  if (given.shape != plan.out_shape[i])
    fail(BP_INVALID_ARGUMENT, "{}: output with shape {} doesn't match the broadcast shape {}", row.name,
         format_shape(given.shape), format_shape(plan.out_shape[i]));
  if (&given.device() != device)
    fail(BP_DEVICE_MISMATCH, "{}: the output is on {}, the operands are on {}", row.name, given.device().label,
         device->label);
  const bool any = row.flags & kAnyOutputDtype;
  if (!any && !can_cast(natural(i), given.dtype))
    fail(BP_DTYPE_MISMATCH, "result type {} can't be cast to the desired output type {}", dtype_title(natural(i)),
         dtype_title(given.dtype));
  check_writable(given);
  bool aliases = false;
  for (const bp_value& v : in) {
    if (!is_tensor(v)) continue;
    check_overlap(given, *v.as.tensor);
    aliases |= v.as.tensor->storage.get() == given.storage.get() && same_elements(given, *v.as.tensor);
  }
  if (any) return true;
  return given.dtype == natural(i) && plan.final_dtype == BP_DTYPE_NONE && (!aliases || row.layout == Layout::kElementwise);
}

void Call::launch(const bp_kernel& kernel, std::span<Ref<Tensor>> out) {
  Slots slots;
  slots.n_in = in.size();
  slots.n_out = row.n_outputs();
  for (size_t i = 0; i < in.size(); ++i) {
    Slot& s = slots.in(i);
    s.dtype = slot_dtype(i);
    if (!is_tensor(in[i])) s.number = in[i];
    else if (&in[i].as.tensor->device() != device) s.number = item(*in[i].as.tensor);
    else s.tensor = converted(i, Ref<Tensor>::share(in[i].as.tensor));
  }
  for (size_t i = 0; i < out.size(); ++i) {
    const bool direct = out[i] && writes_directly(i, *out[i]);
    slots.out(i).tensor = direct ? out[i] : new_tensor(plan.out_shape[i], natural(i), *device);
    slots.out(i).dtype = slots.out(i).tensor->dtype;
  }
  if (out[0] && out.size() > 1 && out[1]) {
    check_overlap(*out[0], *out[1]);
    if (same_elements(*out[0], *out[1]))
      fail(BP_INVALID_ARGUMENT, "{}: {} and {} must be different tensors", row.name, row.outputs[0], row.outputs[1]);
  }
  if (slots.out(0).tensor->count != 0 || (out.size() > 1 && slots.out(1).tensor->count != 0)) {
    arrange(row, attrs, slots);
    Ref<Tensor> strided[2], given[2];  // outputs that a kernel without strides could not write itself
    if (kernel.flags & BP_KERNEL_CONTIGUOUS)
      for (uint32_t i = 0; i < slots.size(); ++i) {
        Slot& s = slots.slot[i];
        if (!s.tensor || is_contiguous(s.shape, s.strides)) continue;
        Ref<Tensor> seen = make_view(*s.tensor, s.shape, s.strides, s.tensor->offset);
        const bool is_output = i >= slots.n_in;
        if (row.id == BP_OP_COPY)
          fail(BP_UNSUPPORTED, "copy: {} copies only contiguous tensors, got shape {} with strides {}", device->label,
               format_shape(s.shape), format_shape(s.strides));
        if (is_output) {
          given[i - slots.n_in] = std::move(s.tensor);
          s.tensor = new_tensor(s.shape, s.dtype, *device);
          strided[i - slots.n_in] = std::move(seen);
        } else {
          s.tensor = contiguous(*seen);
        }
        s.strides = contiguous_strides(s.shape);
      }
    bp_arg args[kMaxSlots];
    for (uint32_t i = 0; i < slots.size(); ++i) args[i] = to_arg(slots.slot[i]);
    bp_launch l{sizeof(bp_launch), row.id, args, slots.n_in, slots.n_out, attrs.data(), attrs.size(), 0, device->stream,
                nullptr, 0};
    run_kernel(kernel, row, l, *device);
    for (uint32_t i = 0; i < slots.n_out; ++i) {
      if (!strided[i]) continue;
      copy_into(*strided[i], *slots.out(i).tensor, /*non_blocking=*/false);
      slots.out(i).tensor = std::move(given[i]);
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    Ref<Tensor>& made = slots.out(i).tensor;
    if (out[i] && out[i].get() != made.get()) {
      copy_into(*out[i], *made, /*non_blocking=*/false);
    } else {
      out[i] = std::move(made);
      bump(*out[i]);
    }
  }
}

[[noreturn]] void no_kernel(const OpRow& row, const Device& device, bp_dtype dtype) {
  fail(BP_UNSUPPORTED, "{}: {} has no kernel for {}; move the tensors to another device or choose another dtype", row.name,
       device.label, dtype_name(dtype));
}

void long_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
               std::span<Ref<Tensor>> out) {
  Call call(row, in, attrs);
  call.check_operands();
  call.place(out);
  // A given output says the shape where attributes do not.
  const int shape = row.flags & kCreates ? find_attr(row, "shape") : -1;
  if (shape >= 0 && out[0] && call.attrs[static_cast<size_t>(shape)].count == 0)
    call.attrs[static_cast<size_t>(shape)] = ints_value(out[0]->shape);
  const int dtype = shape >= 0 ? find_attr(row, "dtype") : -1;
  if (dtype >= 0 && out[0] && call.attrs[static_cast<size_t>(dtype)].value.i64 == BP_DTYPE_NONE)
    call.attrs[static_cast<size_t>(dtype)] = dtype_value(out[0]->dtype);
  call.infer();
  call.draw_randoms(out);
  const bp_kernel* kernel = call.find_kernel();
  if (!kernel && row.compose) return call.compose(out);
  if (!kernel) no_kernel(row, *call.device, call.plan.compute);
  const bp_dtype final_dtype = call.plan.final_dtype;
  if (!out[0] && final_dtype != BP_DTYPE_NONE && final_dtype != call.plan.out_dtype[0]) {
    Ref<Tensor> made[2];
    call.launch(*kernel, {made, out.size()});
    out[0] = to(*made[0], 0, final_dtype, /*copy=*/false, /*non_blocking=*/false);
    return;
  }
  call.plan.final_dtype = BP_DTYPE_NONE;
  call.launch(*kernel, out);
}

}  // namespace

Inference infer(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs) {
  Call call(row, in, attrs);
  call.check_operands();
  call.infer();
  Inference plan = call.plan;
  plan.in = {};  // they live in the call
  plan.attrs = attrs;
  return plan;
}

void invoke(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs, std::span<Ref<Tensor>> out) {
  if (attrs.empty() && short_path(row, in, out)) return;
  long_path(row, in, attrs, out);
}

Ref<Tensor> call(const OpRow& row, std::initializer_list<bp_value> in, std::initializer_list<bp_attr> attrs) {
  Ref<Tensor> out[1];
  invoke(row, {in.begin(), in.size()}, {attrs.begin(), attrs.size()}, out);
  return std::move(out[0]);
}

void arrange_attrs(const OpRow& row, std::span<const bp_attr> given, std::span<bp_attr> out) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < row.n_attrs(); ++i) {
    const AttrSpec& a = row.attrs[i];
    out[i] = {a.name, a.kind, a.kind == BP_ATTR_INTS ? 0u : 1u, {.i64 = a.i}, 0};
    if (a.kind == BP_ATTR_F64) out[i].value.f64 = a.f;
    if (a.kind == BP_ATTR_INTS) out[i].value.ints = nullptr;
  }
  for (const bp_attr& g : given) {
    if (!g.name) fail(BP_INVALID_ARGUMENT, "{}: an attribute has no name", row.name);
    const int i = find_attr(row, g.name);
    if (i < 0) fail(BP_NOT_FOUND, "{}: no attribute '{}'", row.name, g.name);
    bp_attr& slot = out[static_cast<size_t>(i)];
    if (seen >> i & 1) fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' is given twice", row.name, g.name);
    seen |= 1u << i;
    bp_attr_kind kind = slot.kind;
    if (kind == BP_ATTR_F64 && g.kind == BP_ATTR_I64) {
      slot.value.f64 = static_cast<double>(g.value.i64);
      continue;
    }
    if (kind == BP_ATTR_INTS && g.kind == BP_ATTR_I64) {  // one axis for a list of them
      slot.count = 1;
      slot.value.ints = &g.value.i64;
      continue;
    }
    if (kind != g.kind) fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' has kind {}, expected {}", row.name, g.name, g.kind, kind);
    if (kind == BP_ATTR_INTS && g.count && !g.value.ints)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' says {} values but points nowhere", row.name, g.name, g.count);
    if (kind == BP_ATTR_INTS && g.count > BP_MAX_RANK)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' has {} values, at most {} are possible", row.name, g.name, g.count, +BP_MAX_RANK);
    slot.count = kind == BP_ATTR_INTS ? g.count : 1;
    slot.value = g.value;
  }
  for (uint32_t i = 0; i < row.n_attrs(); ++i)
    if (row.attrs[i].required && !(seen >> i & 1))
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be given", row.name, row.attrs[i].name);
}

}  // namespace bp
