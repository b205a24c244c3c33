// SPDX-License-Identifier: Apache-2.0
#include "dtype.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <string_view>

#include "tensor_object.h"

namespace bp_py {
namespace {

struct Dtype {
  bp_dtype value;
};

PyTypeObject* dtype_type = nullptr;

#define BP_TITLE(name, value, text, brief, title, bytes, kind) title,
constexpr const char* kTitles[] = {BP_DTYPES(BP_TITLE)};
#undef BP_TITLE

const char* name_of(const Dtype& d) { return bp_dtype_name(d.value); }
char kind_of(const Dtype& d) { return "?buifc"[bp_dtype_kind(d.value)]; }

bool is_named(PyObject* o, const char* prefix) {
  return std::strncmp(Py_TYPE(o)->tp_name, prefix, std::strlen(prefix)) == 0;
}

// Returns the name of a dtype that o names: a text, NumPy's dtype or scalar type, ml_dtypes' ones
// included, or PyTorch's dtype. Of what else is none it is empty, and so it is of NumPy's dtypes in
// another byte order.
std::string foreign_name(nb::handle o) {
  nb::object text;
  if (PyUnicode_Check(o.ptr()) || is_named(o.ptr(), "torch.dtype")) {
    text = nb::str(o);
  } else if (is_named(o.ptr(), "numpy.dtype")) {
    if (nb::cast<bool>(o.attr("isnative"))) text = o.attr("name");
  } else if (PyType_Check(o.ptr())) {
    const std::string home = nb::cast<std::string>(nb::str(o.attr("__module__")));
    if (home == "numpy" || home == "ml_dtypes")
      text = nb::module_::import_("numpy").attr("dtype")(o).attr("name");
  }
  if (!text.is_valid()) return "";
  const std::string name = nb::cast<std::string>(text);
  for (const char* home : {"torch.", "backplane."})
    if (name.rfind(home, 0) == 0) return name.substr(std::strlen(home));
  return name;
}

bp_dtype parse_foreign(PyObject* o) {
  try {
    const std::string name = foreign_name(o);
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
      if (name == bp_dtype_name(t)) return t;
  } catch (const nb::python_error&) {  // o is no dtype of NumPy's after all
  }
  PyErr_Format(PyExc_TypeError,
               "expected a backplane dtype such as backplane.float32, its name, or NumPy's or "
               "PyTorch's dtype of that name, got %R",
               o);
  return -2;
}

// As NumPy's dtypes, equal to whatever names it: x.dtype == "float32", x.dtype == np.float32.
PyObject* compare(PyObject* self, PyObject* other, int op) {
  if (op == Py_EQ && self == other) Py_RETURN_TRUE;  // most often
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  bool equal = self == other;
  if (!equal && other != Py_None && Py_TYPE(other) != dtype_type) {
    const bp_dtype t = parse_foreign(other);
    if (t == -2) PyErr_Clear();
    equal = t >= 0 && dtype_objects[t] == self;
  }
  return PyBool_FromLong(equal == (op == Py_EQ));
}

}  // namespace

PyObject* dtype_objects[BP_DTYPE_COUNT];

bool is_integer(bp_dtype t) {
  const int32_t kind = bp_dtype_kind(t);
  return kind == BP_DTYPE_KIND_UNSIGNED || kind == BP_DTYPE_KIND_SIGNED;
}

bp_dtype parse_dtype(PyObject* o) {
  if (o == Py_None) return BP_DTYPE_NONE;
  if (Py_TYPE(o) == dtype_type) return nb::inst_ptr<Dtype>(o)->value;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return BP_BOOL;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return BP_I64;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return bp_get_default_dtype();
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type))
    return bp_get_default_dtype() == BP_F64 ? BP_C128 : BP_C64;
  return parse_foreign(o);
}

bp_dtype dtype_of(nb::handle o) {
  const bp_dtype t = parse_dtype(o.ptr());
  if (t == -2) throw nb::python_error();
  return t;
}

void bind_dtypes(nb::module_& m) {
  const auto kind = [](std::string_view kinds) {
    return [=](const Dtype& d) { return kinds.find(kind_of(d)) != kinds.npos; };
  };
  PyType_Slot slots[] = {{Py_tp_richcompare, reinterpret_cast<void*>(compare)}, {0, nullptr}};
  nb::class_<Dtype> type(m, "dtype", nb::type_slots(slots),
                         "Type of a tensor's elements.\n\n"
                         ">>> isinstance(bp.ones(2).dtype, bp.dtype)\nTrue\n");
  type.def_prop_ro("name", name_of)
      .def_prop_ro(
          "itemsize", [](const Dtype& d) { return bp_dtype_bytes(d.value); },
          "Bytes of an element.")
      .def_prop_ro(
          "kind", [](const Dtype& d) { return std::string(1, kind_of(d)); },
          "b bool, u unsigned, i signed, f floating, c complex")
      .def_prop_ro("is_floating_point", kind("f"))
      .def_prop_ro("is_complex", kind("c"))
      .def_prop_ro("is_signed", kind("ifc"))
      .def_prop_ro(
          "_title", [](const Dtype& d) { return kTitles[d.value]; },
          "Its name in PyTorch's messages: Half, BFloat16.")
      // A program that has imported backplane.torch speaks PyTorch.
      .def("__repr__",
           [](const Dtype& d) {
             return std::string(torch_class ? "torch." : "backplane.") + name_of(d);
           })
      .def("__hash__",
           [](nb::handle self) {
             return static_cast<Py_hash_t>(nb::cast<const Dtype&>(self).value);
           })
      .def("__reduce__",
           [](nb::handle self) { return nb::str(name_of(nb::cast<const Dtype&>(self))); });
  dtype_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  nb::list all;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
    nb::object o = nb::cast(Dtype{t});
    dtype_objects[t] = o.inc_ref().ptr();
    m.attr(bp_dtype_name(t)) = o;  // the place where pickle looks for it
    all.append(o);
  }
  m.attr("dtypes") = nb::tuple(all);
  m.def(
      "as_dtype", [](nb::handle o) { return nb::borrow(dtype_object(dtype_of(o))); },
      "The dtype that o is or names.");
  m.def(
      "dtype_limits",
      [](nb::handle dtype) {
        double epsilon, largest, smallest_normal;
        call([&](bp_error** err) {
          return bp_dtype_limits(dtype_of(dtype), &epsilon, &largest, &smallest_normal, err);
        });
        return nb::make_tuple(epsilon, largest, smallest_normal);
      },
      "Returns (epsilon, largest, smallest_normal) of a floating or complex dtype.");
  m.def(
      "set_default_dtype",
      [](nb::handle dtype) {
        call([&](bp_error** err) { return bp_set_default_dtype(dtype_of(dtype), err); });
      },
      "Sets the dtype that factories take, a floating one; another raises an error.\n\n"
      ">>> bp.set_default_dtype(bp.float32)");
  m.def(
      "get_default_dtype", [] { return nb::borrow(dtype_object(bp_get_default_dtype())); },
      "Returns the floating dtype that factories take.\n\n>>> bp.get_default_dtype().name\n'float32'");
}

}  // namespace bp_py
