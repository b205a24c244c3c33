// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace conformance {
namespace {

struct Error {
  bp_error* e = nullptr;
  ~Error() { bp_error_release(e); }
  std::string text() const { return bp_error_message(e, nullptr); }
};

void need(bp_status status, const Error& error, const char* what) {
  if (status != BP_OK)
    throw std::runtime_error(std::string(what) + ": " + bp_status_name(status) + ": " +
                             error.text());
}

int32_t rank_of(const Shape& shape) { return static_cast<int32_t>(shape.size()); }

Handle from_data(const Array& a, bp_device device) {
  Error error;
  bp_tensor* t = nullptr;
  const std::vector<char> bytes = encode(a);
  const char nothing = 0;
  need(bp_tensor_from_data(bytes.empty() ? &nothing : bytes.data(), rank_of(a.shape),
                           a.shape.data(), a.dtype, device, &t, &error.e),
       error, "bp_tensor_from_data");
  return Handle(t);
}

Handle transposed(const Array& a, bp_device device) {
  std::vector<size_t> reversed;
  Shape dims;
  for (size_t i = a.shape.size(); i-- > 0;) {
    reversed.push_back(i);
    dims.push_back(static_cast<int64_t>(i));
  }
  const Handle stored = from_data(permute(a, reversed), device);
  Error error;
  bp_tensor* t = nullptr;
  need(bp_tensor_permute(stored.get(), rank_of(dims), dims.data(), &t, &error.e), error,
       "bp_tensor_permute");
  return Handle(t);
}

// a at the odd positions of one dimension of a larger array; 13 elsewhere.
Array spread(const Array& a, size_t dim) {
  Array out{a.dtype, a.shape, {}, {}};
  out.shape[dim] = 2 * a.shape[dim] + 1;
  out.re.assign(static_cast<size_t>(count_of(out.shape)), is_bool(a.dtype) ? 1 : 13);
  if (is_complex(a.dtype)) out.im.assign(out.re.size(), 13);
  const Rows from = rows_of(a.shape, static_cast<int64_t>(dim));
  const Rows to = rows_of(out.shape, static_cast<int64_t>(dim));
  for (size_t o = 0; o < from.outer; ++o)
    for (size_t j = 0; j < from.n; ++j)
      for (size_t i = 0; i < from.inner; ++i) {
        out.re[to.at(o, 2 * j + 1, i)] = a.re[from.at(o, j, i)];
        if (is_complex(a.dtype)) out.im[to.at(o, 2 * j + 1, i)] = a.im[from.at(o, j, i)];
      }
  return out;
}

Handle sliced(const Array& a, bp_device device) {
  Array stored = a;
  const int64_t last = rank_of(a.shape) - 1;
  stored = spread(stored, static_cast<size_t>(last));
  if (last > 0) stored = spread(stored, 0);
  Handle t = from_data(stored, device);
  for (int64_t dim : {int64_t{0}, last}) {
    Error error;
    bp_tensor* part = nullptr;
    need(bp_tensor_slice(t.get(), dim, 1, BP_SLICE_NONE, 2, &part, &error.e), error,
         "bp_tensor_slice");
    t.reset(part);
    if (last == 0) break;
  }
  return t;
}

Handle flipped(const Array& a, bp_device device) {
  Array stored = a;
  const size_t n = a.size();
  for (size_t i = 0; i < n; ++i) {
    stored.re[i] = a.re[n - 1 - i];
    if (is_complex(a.dtype)) stored.im[i] = a.im[n - 1 - i];
  }
  const Handle whole = from_data(stored, device);
  Shape dims;
  for (size_t i = 0; i < a.shape.size(); ++i) dims.push_back(static_cast<int64_t>(i));
  Error error;
  bp_tensor* t = nullptr;
  need(bp_tensor_flip(whole.get(), dims.data(), static_cast<uint32_t>(dims.size()), &t, &error.e),
       error, "bp_tensor_flip");
  return Handle(t);
}

Handle expanded(const Array& a, bp_device device) {
  Array first{a.dtype, a.shape, {}, {}};
  first.shape[0] = 1;
  const auto n = static_cast<std::ptrdiff_t>(count_of(first.shape));
  first.re.assign(a.re.begin(), a.re.begin() + n);
  if (is_complex(a.dtype)) first.im.assign(a.im.begin(), a.im.begin() + n);
  const Handle stored = from_data(first, device);
  Error error;
  bp_tensor* t = nullptr;
  need(bp_tensor_expand(stored.get(), rank_of(a.shape), a.shape.data(), &t, &error.e), error,
       "bp_tensor_expand");
  return Handle(t);
}

}  // namespace

bp_value value_of(const Operand& x, bp_tensor* handle) {
  bp_value v{};
  v.kind = x.kind;
  if (x.is_tensor())
    v.as.tensor = handle;
  else if (x.kind == BP_VALUE_F64)
    v.as.f64 = x.f64;
  else if (x.kind == BP_VALUE_C128)
    v.as.c128[0] = x.f64, v.as.c128[1] = x.imaginary;
  else
    v.as.i64 = x.i64;
  return v;
}

bp_attr attr_of(const Attribute& a) {
  bp_attr out{};
  out.name = a.name.c_str();
  out.kind = a.kind;
  out.count = 1;
  if (a.kind == BP_ATTR_INTS) {
    out.count = static_cast<uint32_t>(a.ints.size());
    out.value.ints = a.ints.empty() ? nullptr : a.ints.data();
  } else if (a.kind == BP_ATTR_STR) {
    out.count = static_cast<uint32_t>(a.text.size());
    out.value.str = a.text.c_str();
  } else if (a.kind == BP_ATTR_F64) {
    out.value.f64 = a.f64;
  } else {
    out.value.i64 = a.i64;
  }
  return out;
}

Handle put(const Array& a, Layout layout, bp_device device) {
  if (a.shape.empty() || layout == Layout::kContiguous) return from_data(a, device);
  switch (layout) {
    case Layout::kTransposed: return transposed(a, device);
    case Layout::kSliced: return sliced(a, device);
    case Layout::kFlipped: return flipped(a, device);
    default: return a.size() ? expanded(a, device) : from_data(a, device);
  }
}

Array get(bp_tensor* t) {
  const int64_t* shape = bp_tensor_shape(t);
  const Shape dims(shape, shape + bp_tensor_rank(t));
  const bp_dtype dtype = bp_tensor_dtype(t);
  std::vector<char> bytes(static_cast<size_t>(count_of(dims) * item_bytes(dtype)));
  char nothing;
  Error error;
  need(bp_tensor_read(t, bytes.empty() ? &nothing : bytes.data(), bytes.size(), &error.e), error,
       "bp_tensor_read");
  return decode(bytes, dims, dtype);
}

Handle scratch(const Shape& shape, bp_dtype dtype, Layout layout, bp_device device) {
  const auto n = static_cast<size_t>(count_of(shape));
  Array a{dtype, shape, std::vector<Real>(n, is_bool(dtype) ? 1 : 77), {}};
  if (is_complex(dtype)) a.im.assign(n, 77);
  return put(a, layout, device);
}

std::vector<Handle> Session::put_inputs(const Call& call) const {
  std::vector<Handle> handles;
  for (const Operand& x : call.in)
    handles.push_back(x.is_tensor() ? put(x.array, x.layout, device_) : Handle());
  return handles;
}

Outcome Session::run(uint32_t op, const Call& call) const {
  bp_op_info info{};
  info.struct_size = sizeof info;
  Error error;
  need(bp_op_get_info(op, &info, &error.e), error, "bp_op_get_info");
  const std::vector<Handle> handles = put_inputs(call);
  std::vector<bp_tensor*> inputs;
  for (const Handle& h : handles) inputs.push_back(h.get());
  return run(op, call, inputs, std::vector<bp_tensor*>(info.n_outputs, nullptr));
}

Outcome Session::run(uint32_t op, const Call& call, const std::vector<bp_tensor*>& inputs,
                     std::vector<bp_tensor*> outputs) const {
  std::vector<bp_value> values;
  for (size_t i = 0; i < call.in.size(); ++i) values.push_back(value_of(call.in[i], inputs[i]));
  std::vector<bp_attr> attrs;
  for (const Attribute& a : call.attrs) attrs.push_back(attr_of(a));
  const std::vector<bp_tensor*> given = outputs;
  uint64_t token = 0;  // ops without tensors make their data on the default device
  Error error;
  need(bp_default_push(device_, &token, &error.e), error, "bp_default_push");
  Outcome outcome;
  outcome.status = bp_invoke(op, values.data(), static_cast<uint32_t>(values.size()), attrs.data(),
                             static_cast<uint32_t>(attrs.size()), outputs.data(),
                             static_cast<uint32_t>(outputs.size()), &error.e);
  outcome.message = error.text();
  bp_default_pop(token, nullptr);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Handle owned(given[i] ? nullptr : outputs[i]);
    if (outcome.status != BP_OK) continue;
    if (bp_tensor_device(outputs[i]) != device_)
      throw std::runtime_error("the result is on " + text_of_device(bp_tensor_device(outputs[i])));
    outcome.results.push_back(get(outputs[i]));
    if (owned) outcome.made.push_back(std::move(owned));
  }
  return outcome;
}

std::vector<bp_device> all_devices() {
  const char* wanted = std::getenv("CONFORMANCE_KIND");
  std::vector<bp_device> devices;
  uint32_t n_kinds = 0;
  bp_kind_count(&n_kinds, nullptr);
  for (uint32_t i = 0; i < n_kinds; ++i) {
    bp_kind kind = 0;
    int32_t n = 0;
    if (bp_kind_at(i, &kind, nullptr) != BP_OK || bp_device_count(kind, &n, nullptr) != BP_OK)
      continue;
    if (wanted && bp_kind_name(kind) != std::string_view(wanted)) continue;
    if (n > 0) devices.push_back(bp_device_make(kind, kind == BP_KIND_CPU ? -1 : n - 1));
  }
  if (devices.empty())
    throw std::runtime_error("no backend has a device; CONFORMANCE_KIND is " +
                             std::string(wanted ? wanted : "not set"));
  return devices;
}

uint32_t asked_dtypes() {
  const char* names = std::getenv("CONFORMANCE_DTYPES");
  if (!names) return ~0u;
  uint32_t asked = 0;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (("," + std::string(names) + ",").find("," + std::string(name_of(t)) + ",") !=
        std::string::npos)
      asked |= 1u << t;
  return asked;
}

std::string text_of_device(bp_device d) {
  char buffer[64] = "";
  bp_device_format(d, buffer, sizeof buffer, nullptr, nullptr);
  return buffer;
}

const std::vector<Op>& all_ops() {
  static const std::vector<Op> ops = [] {
    std::vector<Op> found;
    for (uint32_t i = 0; i < bp_op_count(); ++i) {
      Op op{};
      op.info.struct_size = sizeof op.info;
      if (bp_op_at(i, &op.id, nullptr) != BP_OK || op.id >= 1u << 31 ||
          bp_op_get_info(op.id, &op.info, nullptr) != BP_OK || op.info.flags & BP_OP_FLAG_FOREACH)
        continue;
      op.name = op.info.name;
      found.push_back(op);
    }
    return found;
  }();
  return ops;
}

const Op& op_named(const std::string& name) {
  for (const Op& op : all_ops())
    if (op.name == name) return op;
  throw std::runtime_error("no op is called " + name);
}

bool supported(uint32_t op, bp_dtype key, bp_device device) {
  uint32_t yes = 0;
  Error error;
  bp_fallback policy = BP_FALLBACK_REFUSE;
  need(bp_fallback_get(&policy, &error.e), error, "bp_fallback_get");
  const bp_kind kind = policy == BP_FALLBACK_CPU ? BP_KIND_CPU : bp_device_kind(device);
  need(bp_op_supported(op, key, kind, &yes, &error.e), error, "bp_op_supported");
  return yes != 0;
}

}  // namespace conformance
