// SPDX-License-Identifier: Apache-2.0
#include "core/call/launch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/call/arrange.h"
#include "core/call/recording.h"
#include "core/device/plugin_call.h"
#include "core/tensor/cached_tensor.h"
#include "core/value/infer.h"

namespace bp {

void await_op(const OpRow& row, Device& device) {
  bp_error* err = nullptr;
  check_plugin(device, await_queue(current_stream(device), &err), err, row.name);
}

// An operand that does not serve is the caller's fault, whatever the device, so that PyTorch's
// words stand alone.
void fail_kernel(const OpRow& row, const Device& device, bp_status status, bp_error* err) {
  if (status == BP_INVALID_ARGUMENT && row.fault) {
    const std::string text = fmt::format("{}: {}", row.fault, bp_error_message(err, nullptr));
    const uint32_t flags = bp_error_flags(err) | BP_ERROR_FROM_PLUGIN;
    bp_error_release(err);
    throw Error(status, text, flags);
  }
  check_plugin(device, status, err, row.name);
  __builtin_unreachable();
}

namespace {
// Returns false when the kernel refuses the call.
bool ask_workspace(const bp_kernel& kernel, const OpRow& row, const bp_launch& launch,
                   Device& device, uint64_t* bytes) {
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_kernel::workspace>(kernel, &launch, bytes, &err);
  if (status == BP_UNSUPPORTED && !err) return false;
  if (status < 0) check_plugin(device, status, err, row.name);
  return true;
}
}  // namespace

bool is_served(const bp_kernel& kernel, const OpRow& row, const bp_launch& launch, Device& device) {
  if (!kernel.workspace) return true;
  const DeviceCall inside(device);
  uint64_t bytes = 0;
  return ask_workspace(kernel, row, launch, device, &bytes);
}

void run_with_workspace(const bp_kernel& kernel, const OpRow& row, bp_launch& launch,
                        Device& device) {
  if (!run_if_workspace_serves(kernel, row, launch, device))
    check_plugin(device, BP_UNSUPPORTED, nullptr, row.name);
}

bool run_if_workspace_serves(const bp_kernel& kernel, const OpRow& row, bp_launch& launch,
                             Device& device) {
  const DeviceCall inside(device);
  uint64_t bytes = 0;
  if (!ask_workspace(kernel, row, launch, device, &bytes)) return false;
  MemoryPool& pool = *current_stream(device).pool;
  if (bytes) launch.workspace = pool.allocate(bytes);
  launch.workspace_bytes = bytes;
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_kernel::run>(kernel, &launch, &err);
  if (launch.workspace) pool.free(launch.workspace, bytes);
  if (status < 0) fail_kernel(row, device, status, err);
  if (device.synchronous) await_op(row, device);
  return true;
}

namespace {

enum class Form : uint8_t { kNone, kUnary, kBinary, kProduct };

// What a row makes of operands of one dtype that need no conversion.
struct Direct {
  Form form = Form::kNone;  // kNone: the row never takes the short path
  const OpRow* row = nullptr;
  // By the operands' dtype, as the row's rule says when it is first asked. Negative: not asked yet,
  // or BP_DTYPE_NONE, which is the long path.
  mutable std::array<std::atomic<int8_t>, BP_DTYPE_COUNT> out{};
};
constexpr int8_t kNotAsked = -2;
static_assert(kNotAsked < BP_DTYPE_NONE && BP_DTYPE_NONE < 0);

// It is indexed by op, read at every call, and filled before the first tensor exists.
std::array<Direct, kMaxBuiltinOp> direct_forms;

void set_form(const OpRow& row, Direct& d) {
  d.row = &row;
  for (auto& dtype : d.out) dtype.store(kNotAsked, std::memory_order_relaxed);
  if (!row.attrs.empty() || row.n_outputs() != 1 || row.takes_list()) return;
  if (row.layout == Layout::kMatmul)
    d.form = Form::kProduct;
  else if (row.layout == Layout::kElementwise && row.key == 0 && row.n_inputs() == 1)
    d.form = Form::kUnary;
  else if (row.layout == Layout::kElementwise && row.key == 0 && row.n_inputs() == 2 &&
           row.inputs[0].role == Role::kValue)
    d.form = Form::kBinary;
}

// The dtype of the result where the row computes in the operands' own; otherwise BP_DTYPE_NONE.
bp_dtype asked(const OpRow& row, bp_dtype t) {
  const int64_t shape[] = {1};
  const Operand x{.is_tensor = true, .dtype = t, .shape = shape}, both[] = {x, x};
  Inference f(row, {both, row.n_inputs()});
  try {
    row.dtype(f);
  } catch (const Error&) {
    return BP_DTYPE_NONE;
  }
  return f.compute == t && !f.reads_numbers ? f.out_dtype[0] : BP_DTYPE_NONE;
}

[[gnu::noinline]] bp_dtype ask(const Direct& d, bp_dtype t) {
  auto& known = d.out[static_cast<size_t>(t)];
  if (known.load(std::memory_order_relaxed) == kNotAsked)
    known.store(static_cast<int8_t>(asked(*d.row, t)), std::memory_order_relaxed);
  return known.load(std::memory_order_relaxed);
}

bool number_keeps(bp_dtype t, const bp_value& v) {
  return v.kind >= BP_VALUE_I64 && v.kind <= BP_VALUE_C128 &&
         category(number_kind(v)) <= category(t);
}

// The first fields of a bp_arg, which are written as two words.
struct ArgHead {
  uint64_t kind_dtype, rank_flags;
};
static_assert(offsetof(bp_arg, kind) == 0 && offsetof(bp_arg, dtype) == 4 &&
              offsetof(bp_arg, rank) == 8 && offsetof(bp_arg, flags) == 12 &&
              sizeof(ArgHead) == 16 && BP_ARG_CONTIGUOUS == 1);
[[gnu::always_inline]] inline void set_head(bp_arg& x, bp_dtype dtype, uint64_t rank,
                                            bool contiguous) {
  const ArgHead head{BP_ARG_TENSOR | static_cast<uint64_t>(dtype) << 32,
                     rank | uint64_t{contiguous} << 32};
  __builtin_memcpy(&x, &head, sizeof head);
}

// What the operands of a short call have in common. It is read once.
struct Common {
  bp_dtype dtype;
  uint64_t owner;
  int64_t item = dtype_bytes(dtype);
};

// The payloads of numbers stay as they are: nobody reads them in a tensor, and clearing costs time.
[[gnu::always_inline]] inline void set_run(bp_arg& x, const Tensor& t, Common c) {
  set_head(x, c.dtype, 1, true);
  x.data = static_cast<char*>(t.storage->data) + t.offset * c.item;
  x.shape = &t.count;
  x.strides = kOneStride;
  x.owner = c.owner;
}
[[gnu::always_inline]] inline void set_matrix(bp_arg& x, const Tensor& t, Common c) {
  set_head(x, c.dtype, 2, t.contiguous);
  x.data = static_cast<char*>(t.storage->data) + t.offset * c.item;
  x.shape = t.shape.data();
  x.strides = t.strides.data();
  x.owner = c.owner;
}
// The written tensor: the caller's, or a new one until release() hands it over.
class Target {
 public:
  explicit Target(Tensor* given) : tensor_(given) {}
  ~Target() { Ref<Tensor>::drop(made_); }
  bool is_given() const { return tensor_; }
  void make(Tensor* t) { tensor_ = made_ = t; }
  Tensor& operator*() const { return *tensor_; }
  Tensor* operator->() const { return tensor_; }
  Tensor* release() {
    made_ = nullptr;
    return tensor_;
  }

 private:
  Tensor* tensor_;
  Tensor* made_ = nullptr;
};

// Returns what is not 0 when a copy under way uses t's memory. A call joins its operands' values by
// `|`, so that it asks once for all of them.
uintptr_t uses(const Tensor& t) {
  return reinterpret_cast<uintptr_t>(t.storage->uses.load(std::memory_order_relaxed));
}

[[gnu::noinline]] Tensor* new_matrix(int64_t rows, int64_t columns, bp_dtype dtype, Device& d) {
  const int64_t shape[] = {rows, columns};
  return new_tensor(shape, dtype, d).release();
}

// For two matrices of one dtype; vectors, batches and everything that is wrong take the long path.
[[gnu::always_inline]] inline Tensor* run_product(const OpRow& row, const Tensor& a,
                                                  const Tensor& b, Tensor* given) {
  Device& device = a.device();
  if (a.rank() != 2 || b.rank() != 2 || a.dtype != b.dtype || &b.device() != &device)
    return nullptr;
  const int64_t m = a.shape[0], k = a.shape[1], n = b.shape[1];
  // An empty view may lie nowhere.
  if (k != b.shape[0] || m == 0 || n == 0 || k == 0) return nullptr;
  const bp_kernel* kernel = device.backend->kernel(row.id, a.dtype);
  if (!kernel || ((kernel->flags & BP_KERNEL_CONTIGUOUS) && !(a.contiguous && b.contiguous)))
    return nullptr;
  Target out(given);
  if (!out.is_given()) {
    Tensor* cached = cached_matrix(m, n, a.dtype, device);
    out.make(cached ? cached : new_matrix(m, n, a.dtype, device));
  } else if (out->rank() != 2 || out->dtype != a.dtype || !out->contiguous ||
             &out->device() != &device || out->shape[0] != m || out->shape[1] != n ||
             out->storage.get() == a.storage.get() || out->storage.get() == b.storage.get()) {
    return nullptr;
  }
  if (uses(a) | uses(b) | uses(*out)) [[unlikely]] {
    ready_to_read(a);
    ready_to_read(b);
    ready_to_write(*out);
  }
  bp_arg args[3];
  const Common common{a.dtype, static_cast<uint64_t>(device.value)};
  set_matrix(args[0], a, common);
  set_matrix(args[1], b, common);
  set_matrix(args[2], *out, common);
  bp_launch launch{sizeof(bp_launch),
                   row.id,
                   args,
                   2,
                   1,
                   nullptr,
                   0,
                   product_flags(),
                   current_stream(device).queue,
                   nullptr,
                   0};
  // The or of the counts is the largest of them, or a little more.
  const bool small = (a.count | b.count | out->count) <= int64_t{kernel->small};
  run_kernel(*kernel, row, launch, device, small);
  bump(*out);
  return out.release();
}

// The other operand of an elementwise op, beside a tensor: none, or a number at one of the places.
struct NoOperand {};
template <uint32_t kAt>
struct NumberAt {
  static constexpr uint32_t kPlace = kAt;
  const bp_value& value;
};

// Runs an elementwise op over dense operands: one run of elements. Other is a Tensor, which comes
// second, a NumberAt or NoOperand; each has code of its own.
template <class Other>
[[gnu::always_inline]] inline Tensor* short_run(const Direct& direct, const Tensor& a,
                                                const Other& other, Tensor* given) {
  constexpr bool kTensors = std::is_same_v<Other, Tensor>,
                 kNumber = !kTensors && !std::is_same_v<Other, NoOperand>;
  constexpr uint32_t kInputs = kTensors || kNumber ? 2 : 1;
  Device& device = a.device();
  if (!a.contiguous || a.count == 0) return nullptr;
  bp_dtype dtype = direct.out[static_cast<size_t>(a.dtype)].load(std::memory_order_relaxed);
  if (dtype < 0) [[unlikely]] {
    dtype = ask(direct, a.dtype);
    if (dtype < 0) return nullptr;
  }
  if constexpr (kTensors)
    if (other.dtype != a.dtype || !other.contiguous || &other.device() != &device ||
        other.shape != a.shape)
      return nullptr;
  if constexpr (kNumber)
    if (!number_keeps(a.dtype, other.value)) return nullptr;
  const OpRow& row = *direct.row;
  const bp_kernel* kernel = device.backend->kernel(row.id, a.dtype);
  if (!kernel) return nullptr;
  Target out(given);
  const auto disjoint = [&](const Tensor& x) {
    return x.storage.get() != out->storage.get() || x.offset == out->offset;
  };
  uintptr_t others = uses(a);
  if constexpr (kTensors) others |= uses(other);
  if (!out.is_given()) {
    Tensor* cached = cached_like(a, dtype);
    out.make(cached ? cached : new_like(a, dtype).release());
  } else {
    if (out->dtype != dtype || !out->contiguous || &out->device() != &device ||
        out->shape != a.shape || !disjoint(a))
      return nullptr;
    if constexpr (kTensors)
      if (!disjoint(other)) return nullptr;
    others |= uses(*out);
  }
  if (others) [[unlikely]] {
    ready_to_read(a);
    if constexpr (kTensors) ready_to_read(other);
    ready_to_write(*out);
  }
  bp_arg args[kInputs + 1];
  const auto owner = static_cast<uint64_t>(device.value);
  if constexpr (kNumber) {
    ::new (static_cast<void*>(args + Other::kPlace)) bp_arg(as_number(other.value, a.dtype));
    set_run(args[1 - Other::kPlace], a, {a.dtype, owner});
  } else {
    set_run(args[0], a, {a.dtype, owner});
    if constexpr (kTensors) set_run(args[1], other, {a.dtype, owner});
  }
  set_run(args[kInputs], *out, {dtype, owner});
  bp_launch launch{
      sizeof(bp_launch), row.id, args, kInputs, 1, nullptr, 0, 0, current_stream(device).queue,
      nullptr,           0};
  run_kernel(*kernel, row, launch, device, a.count <= int64_t{kernel->small});
  bump(*out);
  return out.release();
}

// A traced tensor takes the short path while nothing is recorded: parameters of a model that is
// only used.
[[gnu::noinline]] bool is_untraced_now(const bp_tensor* t) {
  return !records() && has_head(t, live_head(Tag::kTracedTensor));
}
[[gnu::always_inline]] inline bool may_pass(const bp_tensor* t, uint64_t head) {
  return has_head(t, head) || is_untraced_now(t);
}

}  // namespace

void prepare_short_path() {
  for (const OpRow* row : op_table()) set_form(*row, direct_forms[row->id]);
}

Tensor* short_path(uint32_t op, const bp_tensor* a, Tensor* out) {
  const uint64_t head = live_head();
  if (!may_pass(a, head) || (out && !may_pass(out, head)) || !a->device().alive()) return nullptr;
  const Direct& direct = direct_forms[op];
  return direct.form == Form::kUnary ? short_run(direct, *a, NoOperand{}, out) : nullptr;
}

Tensor* short_path(uint32_t op, const bp_tensor* a, const bp_tensor* b, Tensor* out) {
  const uint64_t head = live_head();
  if (!may_pass(a, head) || !may_pass(b, head) || (out && !may_pass(out, head)) ||
      !a->device().alive())
    return nullptr;
  const Direct& direct = direct_forms[op];
  if (direct.form == Form::kBinary) [[likely]]
    return short_run(direct, *a, *b, out);
  return direct.form == Form::kProduct ? short_product(a, b, out) : nullptr;
}

Tensor* short_product(const bp_tensor* a, const bp_tensor* b, Tensor* out) {
  const uint64_t head = live_head();
  if (!may_pass(a, head) || !may_pass(b, head) || (out && !may_pass(out, head)) ||
      !a->device().alive())
    return nullptr;
  return run_product(*direct_forms[BP_OP_MATMUL].row, *a, *b, out);
}

namespace {
template <uint32_t kPlace>
Tensor* short_with_number(uint32_t op, const bp_tensor* a, const bp_value& number, Tensor* out) {
  const uint64_t head = live_head();
  if (!may_pass(a, head) || (out && !may_pass(out, head)) || !a->device().alive()) return nullptr;
  const Direct& direct = direct_forms[op];
  return direct.form == Form::kBinary ? short_run(direct, *a, NumberAt<kPlace>{number}, out)
                                      : nullptr;
}
}  // namespace

Tensor* short_path(uint32_t op, const bp_tensor* a, const bp_value& number, Tensor* out) {
  return short_with_number<1>(op, a, number, out);
}

Tensor* short_path(uint32_t op, const bp_value& number, const bp_tensor* b, Tensor* out) {
  return short_with_number<0>(op, b, number, out);
}

Tensor* short_path(uint32_t op, std::span<const bp_value> in, Tensor* out) {
  if (op >= kMaxBuiltinOp || direct_forms[op].form == Form::kNone) return nullptr;
  if (in.size() == 1) return is_tensor(in[0]) ? short_path(op, in[0].as.tensor, out) : nullptr;
  if (in.size() != 2) return nullptr;
  if (!is_tensor(in[0]))
    return is_tensor(in[1]) ? short_path(op, in[0], in[1].as.tensor, out) : nullptr;
  return is_tensor(in[1]) ? short_path(op, in[0].as.tensor, in[1].as.tensor, out)
                          : short_path(op, in[0].as.tensor, in[1], out);
}

}  // namespace bp
