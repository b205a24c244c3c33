// SPDX-License-Identifier: Apache-2.0
// tensor_calls.cc: the calls that make tensors, look at them, move them and hand them on.
#include "kit/invoke.h"
#include "kit/tensors.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

constexpr int64_t kShape[] = {2, 3};

// Operands of a device, made once.
struct Operands {
  explicit Operands(bp_device d)
      : device(d),
        x(counting({2, 3}, d)),
        y(counting({2, 3}, d)),
        square(counting({4, 4}, d)),
        complex(tensor<std::complex<float>>({2}, {{1, 2}, {3, 4}}, d)),
        pairs(counting({3, 2}, d)),
        one(tensor<float>({}, {1}, d)),
        rows(tensor<int64_t>({2}, {1, 0}, d)),
        mask(tensor<uint8_t>({2, 3}, {1, 0, 1, 0, 1, 0}, d, BP_BOOL)) {}
  bp_device device;
  T x, y, square, complex, pairs, one, rows, mask;
};

bp_status factories(const Operands& o, bp_error** err) {
  const bp_value two = number(2.0);
  const float data[6] = {1, 2, 3, 4, 5, 6};
  T a, b, c, e, f, g, h, i, j, k, l, m, n, p;
  TRY(bp_tensor_empty(2, kShape, BP_F32, o.device, into(a), err));
  TRY(bp_tensor_zeros(2, kShape, BP_F32, o.device, into(b), err));
  TRY(bp_tensor_ones(2, kShape, BP_F32, o.device, into(c), err));
  TRY(bp_tensor_full(2, kShape, &two, BP_F32, o.device, into(e), err));
  TRY(bp_tensor_eye(3, 3, BP_F32, o.device, into(f), err));
  TRY(bp_tensor_empty_like(o.x.get(), BP_DTYPE_NONE, 0, into(g), err));
  TRY(bp_tensor_zeros_like(o.x.get(), BP_DTYPE_NONE, 0, into(h), err));
  TRY(bp_tensor_ones_like(o.x.get(), BP_DTYPE_NONE, 0, into(i), err));
  TRY(bp_tensor_full_like(o.x.get(), &two, BP_DTYPE_NONE, 0, into(j), err));
  TRY(bp_tensor_new_empty(o.x.get(), 2, kShape, BP_DTYPE_NONE, 0, into(k), err));
  TRY(bp_tensor_new_zeros(o.x.get(), 2, kShape, BP_DTYPE_NONE, 0, into(l), err));
  TRY(bp_tensor_new_ones(o.x.get(), 2, kShape, BP_DTYPE_NONE, 0, into(m), err));
  TRY(bp_tensor_new_full(o.x.get(), 2, kShape, &two, BP_DTYPE_NONE, 0, into(n), err));
  TRY(bp_tensor_from_data(data, 2, kShape, BP_F32, o.device, into(p), err));
  return bp_tensor_fill_(p.get(), &two, err);
}

bp_status borrowed(bp_error** err) {
  static float data[6] = {};
  static long given_back = 0;
  const long before = given_back;
  {
    T t, view;
    TRY(bp_tensor_borrow(
        data, 2, kShape, nullptr, BP_F32, [](void*) { ++given_back; }, nullptr, into(t), err));
    TRY(bp_tensor_alias(t.get(), into(view), err));
  }
  EXPECT_EQ(given_back, before + 1);
  return BP_OK;
}

bp_status views(const Operands& o, bp_error** err) {
  const int64_t flat[] = {6}, swapped[] = {1, 0}, wide[] = {5, 2, 3}, first[] = {0},
                strides[] = {1, 2};
  bp_tensor* x = o.x.get();
  T a, b, c, d, e, f, g, h, i, j, k, l, m, n, p, q, r;
  TRY(bp_tensor_reshape(x, 1, flat, into(a), err));
  TRY(bp_tensor_view(x, 1, flat, into(b), err));
  TRY(bp_tensor_permute(x, 2, swapped, into(c), err));
  TRY(bp_tensor_transpose(x, 0, 1, into(d), err));
  TRY(bp_tensor_slice(x, 0, 0, 1, 1, into(e), err));
  TRY(bp_tensor_narrow(x, 1, 1, 2, into(f), err));
  TRY(bp_tensor_select(x, 0, 1, into(g), err));
  TRY(bp_tensor_expand(x, 3, wide, into(h), err));
  TRY(bp_tensor_unsqueeze(x, 0, into(i), err));
  TRY(bp_tensor_squeeze(i.get(), first, 1, into(j), err));
  TRY(bp_tensor_flatten(d.get(), 0, 1, into(k), err));
  TRY(bp_tensor_diagonal(x, 0, 0, 1, into(l), err));
  TRY(bp_tensor_flip(x, first, 1, into(m), err));
  TRY(bp_tensor_as_strided(x, 2, kShape, strides, 0, into(n), err));
  TRY(bp_tensor_view_as_real(o.complex.get(), into(p), err));
  TRY(bp_tensor_view_as_complex(o.pairs.get(), into(q), err));
  return bp_tensor_alias(x, into(r), err);
}

bp_status indexing(const Operands& o, bp_error** err) {
  bp_tensor* const rows[] = {o.rows.get()};
  bp_tensor* const mask[] = {o.mask.get()};
  T picked, masked;
  TRY(bp_tensor_index(o.x.get(), rows, 1, into(picked), err));
  TRY(bp_tensor_index(o.x.get(), mask, 1, into(masked), err));
  TRY(bp_tensor_index_put(o.y.get(), rows, 1, picked.get(), 1, err));
  return bp_tensor_index_put(o.y.get(), mask, 1, o.one.get(), 0, err);
}

bp_status copies(const Operands& o, bp_error** err) {
  T moved, back, other, converted, dense, clone, turned;
  TRY(bp_tensor_to(o.x.get(), kCpu, BP_DTYPE_NONE, 1, 0, into(moved), err));
  TRY(bp_tensor_to(moved.get(), o.device, BP_F64, 0, 1, into(back), err));
  TRY(bp_tensor_transpose(o.x.get(), 0, 1, into(turned), err));
  TRY(bp_tensor_contiguous(turned.get(), into(dense), err));
  TRY(bp_tensor_clone(o.x.get(), into(clone), err));
  TRY(bp_tensor_copy_(clone.get(), back.get(), 0, err));
  TRY(bp_tensor_copy_(clone.get(), moved.get(), 0, err));
  return bp_tensor_to(turned.get(), device("sim:1"), BP_F64, 0, 0, into(other), err);
}

bp_status values(const Operands& o, bp_error** err) {
  void* data = nullptr;
  bp_value v{};
  float buffer[6] = {};
  char text[512];
  bp_print_options options{};
  options.struct_size = sizeof options;
  options.precision = 2, options.threshold = 3, options.edge_items = 1, options.line_width = 80;
  TRY(bp_tensor_data(o.x.get(), &data, err));
  TRY(bp_tensor_item(o.one.get(), &v, err));
  TRY(bp_tensor_read(o.y.get(), buffer, sizeof buffer, err));
  TRY(bp_tensor_write(o.y.get(), buffer, sizeof buffer, err));
  TRY(bp_tensor_format(o.x.get(), nullptr, text, sizeof text, nullptr, err));
  return bp_tensor_format(o.square.get(), &options, text, sizeof text, nullptr, err);
}

bp_status pinned(bp_device d, bp_error** err) {
  T room, copy, there;
  static const T x = counting({2, 3});
  TRY(bp_tensor_empty_pinned(2, kShape, BP_F32, d, into(room), err));
  TRY(bp_tensor_pin_memory(x.get(), d, into(copy), err));
  TRY(bp_tensor_to(copy.get(), d, BP_DTYPE_NONE, 0, 1, into(there), err));
  return bp_synchronize(d, err);
}

bp_status dlpack(const Operands& o, bp_error** err) {
  using Versioned = Handle<DLManagedTensorVersioned, bp_dlpack_release>;
  using Unversioned = Handle<DLManagedTensor, bp_dlpack_release_unversioned>;
  int32_t type = 0, id = 0;
  Versioned exported;
  Unversioned old;
  T taken, taken_too;
  TRY(bp_tensor_dlpack_device(o.x.get(), &type, &id, err));
  TRY(bp_tensor_to_dlpack(o.x.get(), 0, into(exported), err));
  TRY(bp_tensor_to_dlpack_unversioned(o.x.get(), 0, into(old), err));
  TRY(bp_tensor_from_dlpack(exported.get(), into(taken), err));
  static_cast<void>(exported.release());  // the tensor's now
  TRY(bp_tensor_from_dlpack_unversioned(old.get(), into(taken_too), err));
  static_cast<void>(old.release());
  return BP_OK;
}

}  // namespace

std::vector<MemoryCall> tensor_calls(const std::string& name) {
  const auto o = std::make_shared<Operands>(device(name));
  const auto on = [&](const char* what, bp_status (*f)(const Operands&, bp_error**)) {
    return MemoryCall{"tensors", what, [=](bp_error** err) { return f(*o, err); }};
  };
  std::vector<MemoryCall> calls = {on("factories", factories), on("views", views),
                                   on("indexing", indexing), on("copies", copies),
                                   on("values", values)};
  if (name == "cpu") {
    calls.push_back({"tensors", "borrowed", borrowed});
    calls.push_back(on("dlpack", dlpack));
  } else {
    calls.push_back(
        {"tensors", "pinned", [d = o->device](bp_error** err) { return pinned(d, err); }});
  }
  return calls;
}

}  // namespace bp_test
