// SPDX-License-Identifier: Apache-2.0
#include "attrs.h"

#include <nanobind/stl/string.h>

namespace bp_py {

Attrs::Attrs(nb::dict given) {
  const size_t n = given.size();
  names_.reserve(n), texts_.reserve(n), ints_.reserve(n);
  for (auto [name, value] : given) add(nb::cast<std::string>(name), value);
}

void Attrs::add(std::string name, nb::handle value) {
  bp_attr a{c_text(names_.emplace_back(std::move(name)), "a name"), BP_ATTR_I64, 1, {.i64 = 0}, 0};
  PyObject* v = value.ptr();
  if (PyBool_Check(v)) {
    a.kind = BP_ATTR_BOOL;
    a.value.i64 = v == Py_True;
  } else if (PyUnicode_Check(v)) {
    const std::string& text = texts_.emplace_back(nb::cast<std::string>(value));
    a.kind = BP_ATTR_STR;
    a.value.str = text.c_str();
    a.count = static_cast<uint32_t>(text.size());
  } else if (PyIndex_Check(v)) {
    a.value.i64 = PyNumber_AsSsize_t(v, PyExc_OverflowError);
  } else if (PySequence_Check(v)) {
    std::vector<int64_t>& list = ints_.emplace_back();
    for (nb::handle item : value) list.push_back(nb::cast<int64_t>(item));
    a.kind = BP_ATTR_INTS;
    a.value.ints = list.data();
    a.count = static_cast<uint32_t>(list.size());
  } else {
    a.kind = BP_ATTR_F64;
    a.value.f64 = PyFloat_AsDouble(v);
  }
  if (PyErr_Occurred()) throw nb::python_error();
  list_.push_back(a);
}

nb::object attr_value(const bp_attr& a) {
  switch (a.kind) {
    case BP_ATTR_F64: return nb::float_(a.value.f64);
    case BP_ATTR_BOOL: return nb::bool_(a.value.i64 != 0);
    case BP_ATTR_STR: return nb::str(a.value.str, a.count);
    case BP_ATTR_INTS: {
      nb::list all;
      for (uint32_t i = 0; i < a.count; ++i) all.append(a.value.ints[i]);
      return nb::tuple(all);
    }
    default: return nb::int_(a.value.i64);
  }
}

nb::tuple attr_tuple(const bp_attr_info& info) {
  const bp_attr& a = info.default_value;
  nb::object standard = attr_value(a);
  if (a.kind == BP_ATTR_INTS) standard = a.count ? nb::object(standard[0]) : nb::none();
  return nb::make_tuple(a.name, a.kind, standard, (info.flags & BP_ATTR_FLAG_REQUIRED) != 0,
                        info.doc);
}

}  // namespace bp_py
