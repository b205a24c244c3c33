// SPDX-License-Identifier: Apache-2.0
// views.cc: views of a tensor, and copies of it to other dtypes, devices and memory.
#include <numeric>

#include "bind.h"
#include "device.h"
#include "dtype.h"
#include "shape.h"

namespace bp_py {
namespace {

using OfShape = bp_status (*)(bp_tensor*, int32_t, const int64_t*, bp_tensor**, bp_error**);
using OfDims = bp_status (*)(bp_tensor*, const int64_t*, uint32_t, bp_tensor**, bp_error**);

template <OfShape function>
nb::object of_shape(Tensor t, nb::handle shape) {
  const Shape s = shape_of(shape);
  return make(t.type(), may_block(t), [&](bp_tensor** out, bp_error** err) {
    return function(t, s.rank(), s.sizes, out, err);
  });
}

template <OfDims function>
nb::object of_dims(Tensor t, nb::handle dims) {
  const Shape s = shape_of(dims);
  return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
    return function(t, s.sizes, s.count, out, err);
  });
}

nb::object as_strided(Tensor t, nb::handle shape, nb::handle strides, int64_t offset) {
  const Shape s = shape_of(shape), steps = shape_of(strides);
  if (s.count != steps.count) fail(PyExc_ValueError, "mismatch in length of strides and shape");
  return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_as_strided(t, s.rank(), s.sizes, steps.sizes, offset, out, err);
  });
}

// Returns t itself when nothing changes.
nb::object to(Tensor t, nb::handle device, nb::handle dtype, bool copy, bool non_blocking) {
  const bp_device d = device_of(device);
  const bp_dtype type = dtype_of(dtype);
  bp_tensor* out = nullptr;
  call_unlocked(
      [&](bp_error** err) { return bp_tensor_to(t, d, type, copy, non_blocking, &out, err); });
  if (out == t.get()) {
    bp_tensor_release(out);
    return nb::borrow(t.object);
  }
  PyObject* o = wrap(out, t.type());
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

nb::object pin_memory(Tensor t, nb::handle device) {
  const bp_device d = device_of(device);
  return make(t.type(), true, [&](bp_tensor** out, bp_error** err) {
    return bp_tensor_pin_memory(t, d, out, err);
  });
}

}  // namespace

void bind_views(nb::module_& m) {
  m.def("reshape", of_shape<bp_tensor_reshape>);
  m.def("view", of_shape<bp_tensor_view>);
  m.def("permute", of_shape<bp_tensor_permute>);
  m.def("expand", of_shape<bp_tensor_expand>);
  m.def("squeeze", of_dims<bp_tensor_squeeze>);
  m.def(
      "flip",
      [](Tensor t, nb::handle dims) {
        if (!dims.is_none()) return of_dims<bp_tensor_flip>(t, dims);
        int64_t all[BP_MAX_RANK];
        const int32_t rank = bp_tensor_rank(t);
        std::iota(all, all + rank, int64_t{0});
        return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
          return bp_tensor_flip(t, all, static_cast<uint32_t>(rank), out, err);
        });
      },
      nb::arg(), nb::arg().none());
  m.def("as_strided", as_strided);
  m.def("transpose", [](Tensor t, Integer a, Integer b) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_transpose(t, a, b, out, err);
    });
  });
  m.def("view_as_real", [](Tensor t) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_view_as_real(t, out, err);
    });
  });
  m.def("view_as_complex", [](Tensor t) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_view_as_complex(t, out, err);
    });
  });
  m.def("unsqueeze", [](Tensor t, Integer dim) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_unsqueeze(t, dim, out, err);
    });
  });
  m.def("narrow", [](Tensor t, Integer dim, Integer start, Integer length) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_narrow(t, dim, start, length, out, err);
    });
  });
  m.def("select", [](Tensor t, Integer dim, Integer index) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_select(t, dim, index, out, err);
    });
  });
  m.def("diagonal", [](Tensor t, Integer offset, Integer dim1, Integer dim2) {
    return make(t.type(), false, [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_diagonal(t, offset, dim1, dim2, out, err);
    });
  });
  m.def("flatten", [](Tensor t, Integer first, Integer last) {
    return make(t.type(), may_block(t), [&](bp_tensor** out, bp_error** err) {
      return bp_tensor_flatten(t, first, last, out, err);
    });
  });
  m.def("contiguous", [](Tensor t) {
    if (bp_tensor_is_contiguous(t)) return nb::borrow(t.object);
    return make(t.type(), may_block(t),
                [&](bp_tensor** out, bp_error** err) { return bp_tensor_contiguous(t, out, err); });
  });
  m.def("clone", [](Tensor t) {
    return make(t.type(), may_block(t),
                [&](bp_tensor** out, bp_error** err) { return bp_tensor_clone(t, out, err); });
  });
  m.def("to", to, nb::arg("t"), nb::arg("device").none(), nb::arg("dtype").none(), nb::arg("copy"),
        nb::arg("non_blocking"));
  m.def("copy_", [](Tensor dst, Tensor src, bool non_blocking) {
    call(may_block(dst) || may_block(src),
         [&](bp_error** err) { return bp_tensor_copy_(dst, src, non_blocking, err); });
  });
  m.def("pin_memory", pin_memory);
}

}  // namespace bp_py
