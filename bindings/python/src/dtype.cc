// SPDX-License-Identifier: Apache-2.0
#include "dtype.h"

#include <nanobind/stl/string.h>

namespace bp_py {
namespace {

struct Dtype {
  bp_dtype value;
};

struct Fact {
  const char* name;
  int64_t bytes;
  char kind;  // b bool, u unsigned, i signed, f floating, c complex
};
constexpr Fact kFacts[BP_DTYPE_COUNT] = {
    {"bool", 1, 'b'},    {"uint8", 1, 'u'},     {"int8", 1, 'i'},       {"uint16", 2, 'u'},
    {"int16", 2, 'i'},   {"uint32", 4, 'u'},    {"int32", 4, 'i'},      {"uint64", 8, 'u'},
    {"int64", 8, 'i'},   {"float16", 2, 'f'},   {"bfloat16", 2, 'f'},   {"float32", 4, 'f'},
    {"float64", 8, 'f'}, {"complex64", 8, 'c'}, {"complex128", 16, 'c'}};

PyObject* objects[BP_DTYPE_COUNT];  // owned for ever
PyTypeObject* dtype_type = nullptr;

const Fact& fact(const Dtype& d) { return kFacts[d.value]; }

}  // namespace

PyObject* dtype_object(bp_dtype t) { return objects[t]; }

int64_t dtype_bytes(bp_dtype t) { return kFacts[t].bytes; }

bp_dtype parse_dtype(PyObject* o) {
  if (o == Py_None) return BP_DTYPE_NONE;
  if (Py_TYPE(o) == dtype_type) return nb::inst_ptr<Dtype>(o)->value;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return BP_BOOL;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return BP_I64;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return bp_get_default_dtype();
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type))
    return bp_get_default_dtype() == BP_F64 ? BP_C128 : BP_C64;
  PyErr_Format(PyExc_TypeError, "expected a backplane dtype, got %R", o);
  return -2;
}

bp_dtype dtype_of(nb::handle o) {
  const bp_dtype t = parse_dtype(o.ptr());
  if (t == -2) throw nb::python_error();
  return t;
}

void bind_dtypes(nb::module_& m) {
  const auto kind = [](char a, char b = 0, char c = 0) {
    return
        [=](const Dtype& d) { return fact(d).kind == a || fact(d).kind == b || fact(d).kind == c; };
  };
  nb::class_<Dtype> type(m, "dtype", "Type of a tensor's elements.");
  type.def_prop_ro("name", [](const Dtype& d) { return fact(d).name; })
      .def_prop_ro(
          "itemsize", [](const Dtype& d) { return fact(d).bytes; }, "Bytes of an element.")
      .def_prop_ro(
          "kind", [](const Dtype& d) { return std::string(1, fact(d).kind); },
          "b bool, u unsigned, i signed, f floating, c complex")
      .def_prop_ro("is_floating_point", kind('f'))
      .def_prop_ro("is_complex", kind('c'))
      .def_prop_ro("is_signed", kind('i', 'f', 'c'))
      .def("__repr__", [](const Dtype& d) { return std::string("torch.") + fact(d).name; })
      .def("__reduce__",
           [](nb::handle self) { return nb::str(fact(nb::cast<const Dtype&>(self)).name); });
  dtype_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  nb::list all;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
    nb::object o = nb::cast(Dtype{t});
    objects[t] = o.inc_ref().ptr();
    m.attr(kFacts[t].name) = o;  // the place where pickle looks for it
    all.append(o);
  }
  m.attr("dtypes") = nb::tuple(all);
  m.def("set_default_dtype", [](nb::handle dtype) {
    call([&](bp_error** err) { return bp_set_default_dtype(dtype_of(dtype), err); });
  });
  m.def("get_default_dtype", [] { return nb::borrow(dtype_object(bp_get_default_dtype())); });
}

}  // namespace bp_py
