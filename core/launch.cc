#include "core/launch.h"

#include <algorithm>
#include <array>
#include <memory>

#include "core/infer.h"

namespace bp {

void await_op(const OpRow& row, Device& device) {
  bp_error* err = nullptr;
  check_plugin(device, device.backend->api.stream_sync(current_stream(device).queue, &err), err, row.name);
}

void run_with_workspace(const bp_kernel& kernel, const OpRow& row, bp_launch& launch, Device& device) {
  bp_error* err = nullptr;
  uint64_t bytes = 0;
  bp_status status = kernel.workspace(&launch, &bytes, &err);
  if (status < 0) check_plugin(device, status, err, row.name);
  MemoryPool& pool = *current_stream(device).pool;
  if (bytes) launch.workspace = pool.allocate(bytes);
  launch.workspace_bytes = bytes;
  status = kernel.run(&launch, &err);
  if (launch.workspace) pool.free(launch.workspace, bytes);
  if (status < 0) check_plugin(device, status, err, row.name);
  if (device.synchronous) await_op(row, device);
}

namespace {

// What a row makes of operands of one dtype that need no conversion.
struct Direct {
  uint32_t n_in = 0;                    // 0: the row never takes the short path
  std::array<int8_t, BP_DTYPE_COUNT> out{};  // by the operands' dtype; BP_DTYPE_NONE: the long path
};

bp_dtype direct_output(Rule rule, bp_dtype t) {
  if (rule == rule::promoted) return t;
  if (rule == rule::predicate) return BP_BOOL;
  if (is_complex(t)) return BP_DTYPE_NONE;
  if (rule == rule::floating) return is_floating(t) ? t : BP_DTYPE_NONE;
  if (rule == rule::ordered) return t;
  if (rule == rule::arithmetic) return t != BP_BOOL ? t : BP_DTYPE_NONE;
  if (rule == rule::comparison) return BP_BOOL;
  return BP_DTYPE_NONE;
}

Direct direct_form(const OpRow& row) {
  Direct d;
  if (row.layout != Layout::kElementwise || row.key != 0 || row.n_inputs() > 2 || row.n_outputs() != 1 || row.compose)
    return d;
  d.n_in = row.n_inputs();
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) d.out[static_cast<size_t>(t)] = static_cast<int8_t>(direct_output(row.dtype, t));
  return d;
}

// By op; read at every call.
const Direct* direct_forms() {
  static const auto table = [] {
    auto made = std::make_unique<std::array<Direct, kMaxBuiltinOp>>();
    for (const OpRow* row : op_table()) (*made)[row->id] = direct_form(*row);
    return made;
  }();
  return table->data();
}

bool number_keeps(bp_dtype t, const bp_value& v) {
  return (v.kind == BP_VALUE_I64 || v.kind == BP_VALUE_F64 || v.kind == BP_VALUE_BOOL) &&
         category(number_kind(v)) <= category(t);
}

constexpr int64_t kOneStride[] = {1};

// What the operands of a short call have in common, read once.
struct Common {
  bp_dtype dtype;
  uint64_t owner;
};

// The payloads of numbers stay as they are: nobody reads them in a tensor, and clearing them would cost.
void set_run(bp_arg& x, const Tensor& t, Common c) {
  x.kind = BP_ARG_TENSOR;
  x.dtype = c.dtype;
  x.rank = 1;
  x.flags = BP_ARG_CONTIGUOUS;
  x.data = t.data();
  x.shape = &t.count;
  x.strides = kOneStride;
  x.owner = c.owner;
}
void set_matrix(bp_arg& x, const Tensor& t, Common c) {
  x.kind = BP_ARG_TENSOR;
  x.dtype = c.dtype;
  x.rank = 2;
  x.flags = t.contiguous * uint32_t{BP_ARG_CONTIGUOUS};
  x.data = t.data();
  x.shape = t.shape.data();
  x.strides = t.strides.data();
  x.owner = c.owner;
}
void set_number(bp_arg& x, const bp_value& v, Common c) {
  const bool is_float = v.kind == BP_VALUE_F64;
  x = {is_float ? BP_ARG_SCALAR_F64 : BP_ARG_SCALAR_I64, c.dtype, 0, 0, nullptr, nullptr, nullptr,
       is_float ? 0 : v.as.i64, is_float ? v.as.f64 : 0, 0};
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
  ready_to_read(a);
  ready_to_read(b);
  ready_to_write(*out[0]);
  bp_arg args[3];
  const Common common{a.dtype, static_cast<uint64_t>(device.value)};
  set_matrix(args[0], a, common);
  set_matrix(args[1], b, common);
  set_matrix(args[2], *out[0], common);
  bp_launch launch{sizeof(bp_launch), row.id, args, 2, 1, nullptr, 0, launch_flags(row), current_stream(device).queue, nullptr, 0};
  const bool small = std::max({a.count, b.count, out[0]->count}) <= int64_t{kernel->small};
  run_kernel(*kernel, row, launch, device, small);
  bump(*out[0]);
  return true;
}

}  // namespace

void prepare_short_path() { direct_forms(); }

bool short_path(const OpRow& row, std::span<const bp_value> in, std::span<Ref<Tensor>> out) {
  if (row.layout == Layout::kMatmul) return short_product(row, in, out);
  if (row.id >= kMaxBuiltinOp) return false;
  const Direct& direct = direct_forms()[row.id];
  if (in.size() != direct.n_in || in.empty() || !is_tensor(in[0])) return false;
  const Tensor& a = *in[0].as.tensor;
  Device& device = a.device();
  const bp_dtype dtype = direct.out[static_cast<size_t>(a.dtype)];
  if (!a.contiguous || a.count == 0 || dtype == BP_DTYPE_NONE) return false;
  const Tensor* b = in.size() == 2 && is_tensor(in[1]) ? in[1].as.tensor : nullptr;
  if (b && (b->dtype != a.dtype || !b->contiguous || &b->device() != &device || b->shape != a.shape)) return false;
  if (in.size() == 2 && !b && !number_keeps(a.dtype, in[1])) return false;
  const bp_kernel* kernel = device.backend->kernel(row.id, a.dtype);
  if (!kernel) return false;
  auto disjoint = [&](const Tensor& x) { return x.storage.get() != out[0]->storage.get() || x.offset == out[0]->offset; };
  if (!out[0])
    out[0] = new_like(a, dtype);
  else if (out[0]->dtype != dtype || !out[0]->contiguous || &out[0]->device() != &device ||
           out[0]->shape != a.shape || !disjoint(a) || (b && !disjoint(*b)))
    return false;

  ready_to_read(a);
  if (b) ready_to_read(*b);
  ready_to_write(*out[0]);
  bp_arg args[3];
  const uint32_t n = direct.n_in;
  const auto owner = static_cast<uint64_t>(device.value);
  set_run(args[0], a, {a.dtype, owner});
  if (b) set_run(args[1], *b, {a.dtype, owner});
  else if (n == 2) set_number(args[1], in[1], {a.dtype, owner});
  set_run(args[n], *out[0], {dtype, owner});
  bp_launch launch{sizeof(bp_launch), row.id, args, n, 1, nullptr, 0, 0, current_stream(device).queue, nullptr, 0};
  run_kernel(*kernel, row, launch, device, a.count <= int64_t{kernel->small});
  bump(*out[0]);
  return true;
}

}  // namespace bp
