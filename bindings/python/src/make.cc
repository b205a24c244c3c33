// SPDX-License-Identifier: Apache-2.0
// make.cc: tensors out of shapes, numbers, nested lists and buffers.
#include "bind.h"
#include "buffer.h"
#include "device.h"
#include "dtype.h"
#include "nested.h"
#include "shape.h"
#include "value.h"

namespace bp_py {
namespace {

using Make = bp_status (*)(int32_t, const int64_t*, bp_dtype, bp_device, bp_tensor**, bp_error**);
using MakeLike = bp_status (*)(bp_tensor*, bp_dtype, bp_device, bp_tensor**, bp_error**);

// Whether a tensor of that many elements may be made while other threads wait for the interpreter:
// few of them on the cpu, the default device included.
bool may_take_long(const Shape& s, bp_device d) {
  int64_t n = 1;
  for (uint32_t i = 0; i < s.count && n <= kFew; ++i) n *= s.sizes[i];
  if (n > kFew || (!d && bp_default_get(&d, nullptr) < 0)) return true;
  return bp_device_kind(d) != BP_KIND_CPU;
}

template <Make function>
nb::object from_shape(nb::handle shape, nb::handle dtype, nb::handle device) {
  const Shape s = shape_of(shape);
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(tensor_class, may_take_long(s, d), [&](bp_tensor** out, bp_error** err) {
    return function(s.rank(), s.sizes, t, d, out, err);
  });
}

template <MakeLike function>
nb::object from_tensor(Tensor x, nb::handle dtype, nb::handle device) {
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(x.type(), d || may_block(x),
              [&](bp_tensor** out, bp_error** err) { return function(x, t, d, out, err); });
}

nb::object full(nb::handle shape, nb::handle value, nb::handle dtype, nb::handle device) {
  const Shape s = shape_of(shape);
  const bp_value v = number_of(value);
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(tensor_class, may_take_long(s, d), [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_full(s.rank(), s.sizes, &v, t, d, out, err);
  });
}

nb::object full_like(Tensor x, nb::handle value, nb::handle dtype, nb::handle device) {
  const bp_value v = number_of(value);
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(x.type(), d || may_block(x), [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_full_like(x, &v, t, d, out, err);
  });
}

nb::object eye(int64_t n, int64_t m, nb::handle dtype, nb::handle device) {
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(tensor_class, true,
              [&](bp_tensor** out, bp_error** err) { return bp_tensor_eye(n, m, t, d, out, err); });
}

nb::object empty_pinned(nb::handle shape, nb::handle dtype, nb::handle device) {
  const Shape s = shape_of(shape);
  const bp_dtype t = dtype_of(dtype);
  const bp_device d = device_of(device);
  return make(tensor_class, true, [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_empty_pinned(s.rank(), s.sizes, t, d, out, err);
  });
}

bool has_buffer(PyObject* o) { return PyObject_CheckBuffer(o) != 0; }

// Returns an owned tensor, on the CPU unless o is a tensor.
bp_tensor* tensor_of(PyObject* o, bp_dtype dtype, nb::handle copy) {
  const bool never = !copy.is_none() && !nb::cast<bool>(copy), always = !copy.is_none() && !never;
  if (has_buffer(o))
    return tensor_of_buffer(o, always  ? Sharing::kNever
                               : never ? Sharing::kAlways
                                       : Sharing::kIfPossible);
  if (has_dlpack(o)) {
    const nb::object taken = nb::module_::import_("backplane.standard")
                                 .attr("from_dlpack")(nb::borrow(o), nb::arg("copy") = copy);
    return bp_tensor_retain(handle_of(taken.ptr()));
  }
  if (never)
    fail(PyExc_ValueError, "a %s has no memory to share, and copy=False was asked for",
         Py_TYPE(o)->tp_name);
  return tensor_of_nested(o, dtype);
}

// The array standard's asarray. If copy is None it copies where it must.
nb::object asarray(nb::handle o, nb::handle dtype, nb::handle device, nb::handle copy) {
  const bp_dtype t = dtype_of(dtype);
  const bp_device asked = device_of(device);
  const bool never = !copy.is_none() && !nb::cast<bool>(copy), always = !copy.is_none() && !never;
  const bool given = is_tensor(o.ptr());
  bp_tensor* from = given ? bp_tensor_retain(handle_of(o.ptr())) : tensor_of(o.ptr(), t, copy);
  bp_device d = asked;
  bp_error* err = nullptr;
  bp_status status = d || given ? BP_OK : bp_default_get(&d, &err);
  bp_tensor* out = nullptr;
  if (status >= 0) {
    const bool moves = d && d != host && bp_device_kind(d) != BP_KIND_CPU;
    const Unlocked others_run(moves || may_block(from));
    status = bp_tensor_to(from, d, t, given && always, 0, &out, &err);
  }
  const bool moved = status >= 0 && out != from;
  bp_tensor_release(from);
  check(status, err);
  if (moved && never) {
    bp_tensor_release(out);
    fail(PyExc_ValueError, "another dtype or device needs a copy, and copy=False was asked for");
  }
  if (given && !moved) {
    bp_tensor_release(out);
    return nb::borrow(o);
  }
  PyObject* object = wrap(out, given ? Py_TYPE(o.ptr()) : tensor_class);
  if (!object) throw nb::python_error();
  return nb::steal(object);
}

}  // namespace

void bind_make(nb::module_& m) {
  const auto none = [](const char* name) { return nb::arg(name).none() = nb::none(); };
  m.def("empty", from_shape<bp_tensor_empty>, nb::arg("shape"), none("dtype"), none("device"));
  m.def("zeros", from_shape<bp_tensor_zeros>, nb::arg("shape"), none("dtype"), none("device"));
  m.def("ones", from_shape<bp_tensor_ones>, nb::arg("shape"), none("dtype"), none("device"));
  m.def("full", full, nb::arg("shape"), nb::arg("value"), none("dtype"), none("device"));
  m.def("eye", eye, nb::arg("n"), nb::arg("m"), none("dtype"), none("device"));
  m.def("empty_like", from_tensor<bp_tensor_empty_like>, nb::arg("x"), none("dtype"),
        none("device"));
  m.def("zeros_like", from_tensor<bp_tensor_zeros_like>, nb::arg("x"), none("dtype"),
        none("device"));
  m.def("ones_like", from_tensor<bp_tensor_ones_like>, nb::arg("x"), none("dtype"), none("device"));
  m.def("full_like", full_like, nb::arg("x"), nb::arg("value"), none("dtype"), none("device"));
  m.def("empty_pinned", empty_pinned, nb::arg("shape"), none("dtype"), nb::arg("device"));
  m.def(
      "buffer_as",
      [](nb::handle o, nb::handle dtype, bool share) {
        bp_tensor* t = tensor_of_buffer(o.ptr(), share ? Sharing::kAlways : Sharing::kIfPossible,
                                        dtype_of(dtype));
        PyObject* object = wrap(t);
        if (!object) throw nb::python_error();
        return nb::steal(object);
      },
      "A tensor over a buffer whose elements, or bytes, are taken for those of the dtype.",
      nb::arg("obj"), nb::arg("dtype"), nb::arg("share") = false);
  m.def(
      "bits",
      [](Tensor t) {
        PyObject* object = wrap(bits_of(t));
        if (!object) throw nb::python_error();
        return nb::steal(object);
      },
      "Unsigned integers over the memory of a tensor on the CPU.");
  m.def("asarray", asarray, nb::arg("obj"), none("dtype"), none("device"), none("copy"));
}

}  // namespace bp_py
