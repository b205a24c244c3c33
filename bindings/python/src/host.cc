// SPDX-License-Identifier: Apache-2.0
// host.cc: a tensor's values and text on the host, and what it says of itself.
#include <nanobind/stl/string.h>

#include <string_view>

#include "bind.h"
#include "dtype.h"
#include "nested.h"
#include "shape.h"
#include "value.h"

namespace bp_py {
namespace {

std::string format(Tensor t, int32_t precision, int64_t threshold, int32_t edge_items,
                   int32_t line_width, int32_t sci, bool is_torch) {
  const bp_print_options o{
      sizeof(bp_print_options), precision, threshold, edge_items, line_width, sci, 0};
  uint64_t size = 0;
  const auto write = [&](char* room, uint64_t bytes) {
    call_unlocked([&](bp_error** err) { return bp_tensor_format(t, &o, room, bytes, &size, err); });
    return size < bytes;
  };
  char room[512];
  std::string text;
  if (write(room, sizeof(room))) {
    text.assign(room, size);
  } else {
    do text.resize(size + 1);
    while (!write(text.data(), text.size()));
    text.resize(size);
  }
  // The library's text is PyTorch's, dtype included.
  const std::string_view theirs = "dtype=torch.";
  const size_t at = is_torch ? text.npos : text.find(theirs);
  if (at != text.npos) text.replace(at, theirs.size(), "dtype=backplane.");
  return text;
}

nb::object item(Tensor t) {
  if (bp_tensor_numel(t) != 1)
    fail(PyExc_RuntimeError, "a Tensor with %lld elements cannot be converted to Scalar",
         static_cast<long long>(bp_tensor_numel(t)));
  nb::object o = nested_of_tensor(t);
  while (PyList_Check(o.ptr())) o = o[0];
  return o;
}

nb::bytes tobytes(Tensor t) {
  const auto n = static_cast<size_t>(bp_tensor_numel(t) * bp_dtype_bytes(bp_tensor_dtype(t)));
  nb::bytes out =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(n)));
  if (!out) throw nb::python_error();
  char* p = PyBytes_AS_STRING(out.ptr());
  call_unlocked([&](bp_error** err) { return bp_tensor_read(t, p, n, err); });
  return out;
}

void fill(Tensor t, nb::handle value) {
  bp_value v;
  Held beyond;
  if (to_value(value.ptr(), v) == Took::kError) {
    if (!beyond_int64(value.ptr(), t, v, beyond)) throw nb::python_error();
  } else {
    v = number_of(value);
  }
  call(may_block(t), [&](bp_error** err) {
    return beyond.handle ? bp_tensor_copy_(t, beyond.handle, 0, err) : bp_tensor_fill_(t, &v, err);
  });
}

// Makes a tensor on the CPU of the bytes that tobytes returned.
nb::object frombytes(nb::bytes data, nb::handle shape, nb::handle dtype) {
  const Shape s = shape_of(shape);
  const bp_dtype t = dtype_of(dtype);
  int64_t bytes = bp_dtype_bytes(t);
  for (uint32_t i = 0; i < s.count; ++i) bytes *= s.sizes[i];
  if (bytes != static_cast<int64_t>(data.size()))
    fail(PyExc_ValueError, "%zd bytes given, %lld wanted", static_cast<Py_ssize_t>(data.size()),
         static_cast<long long>(bytes));
  return make(tensor_class, true, [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_from_data(data.c_str(), s.rank(), s.sizes, t, bp_device_make(BP_KIND_CPU, -1),
                               out, err);
  });
}

}  // namespace

void bind_host(nb::module_& m) {
  m.def("format", format);
  m.def("item", item);
  m.def("tolist", [](Tensor t) { return nested_of_tensor(t); });
  m.def("tobytes", tobytes, "The elements in row-major order.");
  m.def("frombytes", frombytes);
  m.def("fill_", fill);
  m.def("data_ptr", [](Tensor t) {
    void* p = nullptr;
    call_unlocked([&](bp_error** err) { return bp_tensor_data(t, &p, err); });
    return reinterpret_cast<uintptr_t>(p);
  });
  m.def("is_contiguous", [](Tensor t) { return bp_tensor_is_contiguous(t) != 0; });
  m.def("is_pinned", [](Tensor t) { return bp_tensor_is_pinned(t) != 0; });
  m.def("same_storage", [](Tensor a, Tensor b) { return bp_tensor_same_storage(a, b) != 0; });
}

}  // namespace bp_py
