// SPDX-License-Identifier: Apache-2.0
// function.cc: _core.Function, a function of Python whose keywords have other names too, and whose
// plain calls another function of C answers. backplane/keywords.py makes them.
#include <nanobind/stl/tuple.h>
#include <structmember.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "bind.h"

namespace bp_py {
namespace {

constexpr Py_ssize_t kMaxPlaces = 8;  // arguments of a target

struct Word {
  PyObject* name;  // interned, as `own`
  PyObject* own;   // what the function calls the parameter
  Py_ssize_t place;
};

struct FunctionObject {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  PyObject* function;
  PyObject* target;  // NULL: each call is the function's
  std::vector<Word>* words;
  Py_ssize_t n_positional, n_required;  // of the target's arguments
  bool signed_only;
  PyObject *dict, *weak_references;
};

PyTypeObject* function_type = nullptr;

FunctionObject& of(PyObject* self) { return *reinterpret_cast<FunctionObject*>(self); }

const Word* find(const FunctionObject& f, PyObject* name) {
  for (const Word& w : *f.words)
    if (w.name == name) return &w;
  for (const Word& w : *f.words)  // names in calls are interned, those of a dictionary may not be
    if (PyUnicode_Compare(w.name, name) == 0) return &w;
  return nullptr;
}

// Returns whether the target takes the value for what the function does: None and no axes at all,
// (), mean something else for each function.
bool is_plain(PyObject* value) {
  return value != Py_None &&
         !((PyTuple_Check(value) || PyList_Check(value)) && Py_SIZE(value) == 0);
}

bool is_unsigned(PyObject* x) {
  return bp_dtype_kind(bp_tensor_dtype(handle_of(x))) == BP_DTYPE_KIND_UNSIGNED;
}

// Puts the arguments of a plain call where the target has them, and None where it has a default.
// Returns how many they are, or 0 for a call that is not plain.
Py_ssize_t place(const FunctionObject& f, PyObject* const* args, Py_ssize_t n, PyObject* keywords,
                 PyObject** placed) {
  if (n < 1 || n > f.n_positional) return 0;
  const bool list = PyList_Check(args[0]) || PyTuple_Check(args[0]);
  if (!list && (!is_tensor(args[0]) || (f.signed_only && is_unsigned(args[0])))) return 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    placed[i] = args[i];
    if (i && !is_plain(args[i])) return 0;
  }
  Py_ssize_t end = n;
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    const Word* w = find(f, PyTuple_GET_ITEM(keywords, k));
    if (!w || w->place < n || !is_plain(args[n + k])) return 0;
    if (w->place < end && placed[w->place] != Py_None) return 0;  // its other name was there too
    for (; end <= w->place; ++end) placed[end] = Py_None;
    placed[w->place] = args[n + k];
  }
  return end >= f.n_required ? end : 0;
}

// Returns the keywords as the function has them: a new reference, or NULL with an exception.
PyObject* own_keywords(const FunctionObject& f, PyObject* keywords) {
  const Py_ssize_t n = PyTuple_GET_SIZE(keywords);
  PyObject* own = PyTuple_New(n);
  for (Py_ssize_t i = 0; own && i < n; ++i) {
    PyObject* name = PyTuple_GET_ITEM(keywords, i);
    const Word* w = find(f, name);
    PyTuple_SET_ITEM(own, i, Py_NewRef(w ? w->own : name));
    for (Py_ssize_t k = 0; w && k < i; ++k) {
      if (PyTuple_GET_ITEM(own, k) != w->own) continue;
      PyObject* called = PyObject_GetAttrString(f.function, "__name__");
      if (called)
        PyErr_Format(PyExc_TypeError, "%U() got both %U= and %U=, which mean the same", called,
                     PyTuple_GET_ITEM(keywords, k), name);
      Py_XDECREF(called);
      Py_CLEAR(own);
      break;
    }
  }
  return own;
}

PyObject* call_function(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* keywords) {
  const FunctionObject& f = of(self);
  if (f.target) {
    PyObject* placed[kMaxPlaces];
    if (const Py_ssize_t n = place(f, args, PyVectorcall_NARGS(nargsf), keywords, placed))
      return PyObject_Vectorcall(f.target, placed, static_cast<size_t>(n), nullptr);
  }
  bool strange = false;
  for (Py_ssize_t k = 0; keywords && !strange && k < PyTuple_GET_SIZE(keywords); ++k) {
    const Word* w = find(f, PyTuple_GET_ITEM(keywords, k));
    strange = w && w->own != w->name;
  }
  if (!strange) return PyObject_Vectorcall(f.function, args, nargsf, keywords);
  PyObject* own = own_keywords(f, keywords);
  if (!own) return nullptr;
  PyObject* result = PyObject_Vectorcall(f.function, args, nargsf, own);
  Py_DECREF(own);
  return result;
}

PyObject* bind(PyObject* function, PyObject* object, PyObject*) {
  return object ? PyMethod_New(function, object) : Py_NewRef(function);
}

PyObject* repr(PyObject* self) { return PyObject_Repr(of(self).function); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  const FunctionObject& f = of(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(f.function);
  Py_VISIT(f.target);
  Py_VISIT(f.dict);
  return 0;
}

int clear(PyObject* self) {
  FunctionObject& f = of(self);
  Py_CLEAR(f.function);
  Py_CLEAR(f.target);
  Py_CLEAR(f.dict);
  return 0;
}

void dealloc(PyObject* self) {
  FunctionObject& f = of(self);
  PyObject_GC_UnTrack(self);
  if (f.weak_references) PyObject_ClearWeakRefs(self);
  clear(self);
  for (const Word& w : *f.words) {
    Py_DECREF(w.name);
    Py_DECREF(w.own);
  }
  delete f.words;
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

// Pickled as the name under which the module has it, as Python's functions are.
PyObject* reduce(PyObject* self, PyObject*) {
  return PyObject_GetAttrString(of(self).function, "__qualname__");
}

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(FunctionObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weak_references), READONLY,
     nullptr},
    {}};
PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr}, {}};

nb::object make_function(nb::handle function, nb::list words, nb::handle target,
                         Py_ssize_t n_positional, Py_ssize_t n_required, bool signed_only) {
  nb::object object = nb::steal(function_type->tp_alloc(function_type, 0));
  if (!object) throw nb::python_error();
  FunctionObject& f = of(object.ptr());
  f.vectorcall = call_function;
  f.words = new std::vector<Word>;
  f.function = Py_NewRef(function.ptr());
  f.target = target.is_none() ? nullptr : Py_NewRef(target.ptr());
  f.n_positional = std::min(n_positional, kMaxPlaces);
  f.n_required = n_required;
  f.signed_only = signed_only;
  for (nb::handle word : words) {
    const auto [name, own, place] =
        nb::cast<std::tuple<const char*, const char*, Py_ssize_t>>(word);
    if (place >= kMaxPlaces) fail(PyExc_ValueError, "at most %zd arguments", kMaxPlaces);
    f.words->push_back({PyUnicode_InternFromString(name), PyUnicode_InternFromString(own), place});
  }
  return object;
}

}  // namespace

void bind_functions(nb::module_& m) {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
      {Py_tp_repr, reinterpret_cast<void*>(repr)},
      {Py_tp_methods, methods},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {0, nullptr},
  };
  constexpr unsigned kNoNew = 1u << 7;  // Py_TPFLAGS_DISALLOW_INSTANTIATION
  PyType_Spec spec{"backplane._core.Function", sizeof(FunctionObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                       Py_TPFLAGS_METHOD_DESCRIPTOR | kNoNew,
                   slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  function_type = reinterpret_cast<PyTypeObject*>(type);
  m.attr("Function") = nb::borrow(type);
  m.def(
      "function", make_function,
      "A Function. words: (name, the function's own name, the target's place) of each keyword; target: what "
      "answers plain calls, or None; then how many of its arguments may stand without a keyword, and how many "
      "must be given; and whether unsigned integers are the function's.",
      nb::arg("function"), nb::arg("words"), nb::arg("target").none(), nb::arg("n_positional"),
      nb::arg("n_required"), nb::arg("signed_only"));
}

}  // namespace bp_py
