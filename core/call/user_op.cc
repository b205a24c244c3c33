// SPDX-License-Identifier: Apache-2.0
#include "core/call/user_op.h"

#include <map>
#include <mutex>
#include <new>

#include "core/base/locks.h"
#include "core/call/arrange.h"
#include "core/device/queue_trace.h"
#include "core/tensor/tape.h"
#include "core/value/op_def.h"

namespace bp {
namespace {

struct Registry {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::map<uint32_t, std::shared_ptr<UserOp>> by_id;
  uint32_t next = kFirstUserOp;
};
Registry& registry() {
  alignas(Registry) static unsigned char room[sizeof(Registry)];
  static Registry& r = *new (room) Registry;  // needs no memory: a shutdown cannot fail there
  return r;
}

bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > 128 || !((name[0] >= 'a' && name[0] <= 'z') || name[0] == '_'))
    return false;
  for (char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.')) return false;
  return true;
}

// Throws for a callback's status: its own error, or a sentence of ours.
void check_callback(const UserOp& op, bp_status status, bp_error* err, const char* what) {
  if (status >= 0) return;
  const std::string fallback = fmt::format("{}: {} failed with {}", op.name, what, status);
  throw_taken(status, err, 0, fallback.c_str());
}

std::vector<bp_tensor_spec> inferred(const UserOp& op, std::span<const bp_value> in,
                                     std::span<const bp_attr> attrs) {
  std::vector<bp_tensor_spec> specs(in.size()), out(op.desc.n_outputs);
  for (size_t i = 0; i < in.size(); ++i) {
    const Tensor& t = *in[i].as.tensor;
    specs[i].dtype = t.dtype;
    specs[i].rank = static_cast<int32_t>(t.rank());
    std::copy(t.shape.begin(), t.shape.end(), specs[i].shape);
  }
  bp_error* err = nullptr;
  const bp_status status = op.desc.infer(
      op.desc.user, specs.data(), static_cast<uint32_t>(specs.size()), attrs.data(),
      static_cast<uint32_t>(attrs.size()), out.data(), static_cast<uint32_t>(out.size()), &err);
  check_callback(op, status, err, "infer");
  for (const bp_tensor_spec& s : out) {
    check_dtype(s.dtype, op.name.c_str());
    if (s.rank < 0 || s.rank > BP_MAX_RANK)
      fail(BP_CALLBACK, "{}: infer said rank {}", op.name, s.rank);
    checked_numel({s.shape, static_cast<size_t>(s.rank)});
  }
  return out;
}

void run_kernel(const UserOp& op, const UserOp::Kernel& kernel, Device& device,
                std::span<const bp_value> in, std::span<const bp_attr> attrs,
                std::span<Ref<Tensor>> out) {
  std::vector<Slot> slots(in.size() + out.size());
  std::vector<bp_arg> args;
  for (size_t i = 0; i < slots.size(); ++i) {
    Slot& s = slots[i];
    s.tensor = i < in.size() ? in[i].as.tensor : out[i - in.size()].get();
    i < in.size() ? ready_to_read(*s.tensor) : ready_to_write(*s.tensor);
    s.dtype = s.tensor->dtype;
    s.see(s.tensor->shape, s.tensor->strides);
    args.push_back(to_arg(s));
  }
  const bp_launch launch{sizeof(bp_launch),
                         op.id,
                         args.data(),
                         static_cast<uint32_t>(in.size()),
                         static_cast<uint32_t>(out.size()),
                         attrs.data(),
                         static_cast<uint32_t>(attrs.size()),
                         0,
                         current_stream(device).queue,
                         nullptr,
                         0};
  const DeviceCall inside(device);
  const QueueSpan span(&current_stream(device), TraceSort::kKernel, op.name);
  bp_error* err = nullptr;
  const bp_status status = kernel.run(kernel.user, &launch, &err);
  check_callback(op, status, err, "its kernel");
  for (Ref<Tensor>& t : out) t->storage->version.fetch_add(1, std::memory_order_relaxed);
}

void run_compose(const UserOp& op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::span<Ref<Tensor>> out) {
  std::vector<bp_tensor*> tensors, made(out.size());
  for (const bp_value& v : in) tensors.push_back(v.as.tensor);
  bp_error* err = nullptr;
  const bp_status status = op.desc.compose(
      op.desc.user, tensors.data(), static_cast<uint32_t>(tensors.size()), attrs.data(),
      static_cast<uint32_t>(attrs.size()), made.data(), static_cast<uint32_t>(made.size()), &err);
  std::vector<Ref<Tensor>> owned;
  for (bp_tensor* t : made) owned.push_back(Ref<Tensor>::adopt(t));
  check_callback(op, status, err, "compose");
  for (size_t i = 0; i < out.size(); ++i) {
    if (!owned[i]) fail(BP_CALLBACK, "{}: compose left output {} empty", op.name, i);
    if (out[i])
      copy_into(*out[i], *owned[i], /*non_blocking=*/false);
    else
      out[i] = std::move(owned[i]);
  }
}

}  // namespace

const UserOp::Kernel* UserOp::kernel(bp_kind kind) const {
  for (const Kernel& k : kernels)
    if (k.kind == kind) return &k;
  return nullptr;
}

uint32_t register_op(const bp_op_desc& desc) {
  if (!desc.name || !valid_name(desc.name))
    fail(BP_INVALID_ARGUMENT, "op name '{}' must match [a-z_][a-z0-9_.]*",
         desc.name ? desc.name : "(NULL)");
  if (desc.flags)
    fail(BP_INVALID_ARGUMENT, "op '{}': flags {} are not known", desc.name, desc.flags);
  if (desc.n_inputs < 1 || desc.n_inputs > 8 || desc.n_outputs < 1 ||
      desc.n_outputs > BP_MAX_OUTPUTS)
    fail(BP_INVALID_ARGUMENT, "op '{}': {} inputs and {} outputs, 1 to 8 of each are possible",
         desc.name, desc.n_inputs, desc.n_outputs);
  if (!desc.infer) fail(BP_INVALID_ARGUMENT, "op '{}': infer must not be NULL", desc.name);
  std::lock_guard lock(registry().mutex);
  bool taken = find_op(std::string_view(desc.name)) != nullptr;
  for (const auto& [id, op] : registry().by_id) taken |= op->name == desc.name;
  if (taken) fail(BP_INVALID_ARGUMENT, "op name '{}' is taken", desc.name);
  auto op = std::make_shared<UserOp>();
  op->id = registry().next++;
  op->name = desc.name;
  op->doc = desc.doc ? desc.doc : "";
  op->desc = desc;
  op->desc.name = op->name.c_str();
  op->desc.doc = op->doc.c_str();
  registry().by_id[op->id] = op;
  return op->id;
}

void register_kernel(uint32_t id, bp_kind kind, bp_op_kernel_fn run, void* user) {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().by_id.find(id);
  if (found == registry().by_id.end())
    fail(BP_NOT_FOUND, "{} is not the id of a registered op", id);
  if (found->second->kernel(kind))
    fail(BP_INVALID_ARGUMENT, "{} has a kernel for this kind already", found->second->name);
  // A running call holds the old object; desc.destroy must run once, with the last one.
  auto old = found->second;
  std::shared_ptr<UserOp> next(new UserOp(*old), [old](UserOp* op) {
    op->desc.destroy = nullptr;
    delete op;
  });
  next->desc.name = old->desc.name;
  next->kernels.push_back({kind, run, user});
  found->second = next;
}

std::shared_ptr<const UserOp> find_user_op(uint32_t id) {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().by_id.find(id);
  if (found == registry().by_id.end()) fail(BP_NOT_FOUND, "{} is not the id of an op", id);
  return found->second;
}

std::shared_ptr<const UserOp> find_user_op(std::string_view name) {
  std::lock_guard lock(registry().mutex);
  for (const auto& [id, op] : registry().by_id)
    if (op->name == name) return op;
  return nullptr;
}

uint32_t user_op_count() {
  std::lock_guard lock(registry().mutex);
  return static_cast<uint32_t>(registry().by_id.size());
}

uint32_t user_op_at(uint32_t i) {
  std::lock_guard lock(registry().mutex);
  for (const auto& [id, op] : registry().by_id)
    if (i-- == 0) return id;
  fail(BP_INDEX_OUT_OF_RANGE, "there are only {} users' ops", registry().by_id.size());
}

void reset_user_ops() noexcept {
  std::map<uint32_t, std::shared_ptr<UserOp>> gone;
  {
    std::lock_guard lock(registry().mutex);
    gone.swap(registry().by_id);
  }
}

void invoke_user(const UserOp& op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::span<Ref<Tensor>> out) {
  if (in.size() != op.desc.n_inputs || out.size() != op.desc.n_outputs)
    fail(BP_INVALID_ARGUMENT, "{}: expected {} inputs and {} outputs, got {} and {}", op.name,
         op.desc.n_inputs, op.desc.n_outputs, in.size(), out.size());
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].kind != BP_VALUE_TENSOR)
      fail(BP_INVALID_ARGUMENT, "{}: input {} must be a tensor", op.name, i);
    const Device &first = in[0].as.tensor->device(), &here = in[i].as.tensor->device();
    if (&first != &here)
      fail(
          BP_DEVICE_MISMATCH,
          "Expected all tensors to be on the same device, but found at least two devices, {} and {}! ({}: input {})",
          first.label, here.label, op.name, i);
  }
  Device& device = in[0].as.tensor->device();
  const UserOp::Kernel* kernel = op.kernel(device.backend->kind);
  if (kernel) only_unrecorded(op.name, "it is a program's own op with a kernel of its own");
  if (!kernel && op.desc.compose) return run_compose(op, in, attrs, out);
  if (!kernel)
    fail(BP_UNSUPPORTED, "{}: no kernel is registered for {}", op.name, device.backend->name);
  const std::vector<bp_tensor_spec> specs = inferred(op, in, attrs);
  for (size_t i = 0; i < out.size(); ++i) {
    const Span shape{specs[i].shape, static_cast<size_t>(specs[i].rank)};
    if (!out[i]) {
      out[i] = new_tensor(shape, specs[i].dtype, device);
      continue;
    }
    if (out[i]->shape != Dims(shape) || out[i]->dtype != specs[i].dtype ||
        &out[i]->device() != &device)
      fail(BP_INVALID_ARGUMENT, "{}: output {} is {} of {} on {}, expected {} of {} on {}", op.name,
           i, format_shape(out[i]->shape), dtype_name(out[i]->dtype), out[i]->device().label,
           format_shape(shape), dtype_name(specs[i].dtype), device.label);
    check_writable(*out[i]);
    for (const bp_value& v : in) check_overlap(*out[i], *v.as.tensor);
  }
  run_kernel(op, *kernel, device, in, attrs, out);
}

}  // namespace bp
