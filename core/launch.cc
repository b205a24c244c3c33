#include "core/launch.h"

#include "core/infer.h"

namespace bp {

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

namespace {

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

constexpr int64_t kOneStride[] = {1};

bp_arg run_arg(const Tensor& t) {
  return {BP_ARG_TENSOR, t.dtype, 1, BP_ARG_CONTIGUOUS, t.data(), &t.count, kOneStride, 0, 0,
          static_cast<uint64_t>(t.device().value)};
}

bp_arg matrix_arg(const Tensor& t) {
  return {BP_ARG_TENSOR, t.dtype, 2, t.contiguous * uint32_t{BP_ARG_CONTIGUOUS}, t.data(), t.shape.data(),
          t.strides.data(), 0, 0, static_cast<uint64_t>(t.device().value)};
}

// Two matrices of one dtype; vectors, batches and everything that is wrong take the long path.
bool short_product(const OpRow& row, std::span<const bp_value> in, std::span<Ref<Tensor>> out) {
  if (in.size() != 2 || !is_tensor(in[0]) || !is_tensor(in[1])) return false;
  const Tensor &a = *in[0].as.tensor, &b = *in[1].as.tensor;
  Device& device = a.device();
  if (a.rank() != 2 || b.rank() != 2 || a.dtype != b.dtype || &b.device() != &device || a.shape[1] != b.shape[0] ||
      a.shape[0] == 0 || b.shape[1] == 0 || row.compose)
    return false;
  const bp_kernel* kernel = device.backend->kernel(row.id, a.dtype);
  if (!kernel || ((kernel->flags & BP_KERNEL_CONTIGUOUS) && !(a.contiguous && b.contiguous))) return false;
  if (!out[0]) {
    const int64_t shape[] = {a.shape[0], b.shape[1]};
    out[0] = new_tensor(shape, a.dtype, device);
  } else {
    const Tensor& o = *out[0];
    if (o.rank() != 2 || o.dtype != a.dtype || !o.contiguous || &o.device() != &device || o.shape[0] != a.shape[0] ||
        o.shape[1] != b.shape[1] || o.storage.get() == a.storage.get() || o.storage.get() == b.storage.get())
      return false;
  }
  const bp_arg args[] = {matrix_arg(a), matrix_arg(b), matrix_arg(*out[0])};
  bp_launch launch{sizeof(bp_launch), row.id, args, 2, 1, nullptr, 0, 0, device.stream, nullptr, 0};
  run_kernel(*kernel, row, launch, device);
  bump(*out[0]);
  return true;
}

}  // namespace

bool short_path(const OpRow& row, std::span<const bp_value> in, std::span<Ref<Tensor>> out) {
  if (row.layout == Layout::kMatmul) return short_product(row, in, out);
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

}  // namespace bp
