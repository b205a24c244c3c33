// SPDX-License-Identifier: Apache-2.0
// signature.cc: what distinguishes one call of a compiled function from others, as
// backplane/programs.py sees it. It is computed at each call, for all parameters of a model.
#include <cstring>
#include <string>
#include <unordered_set>

#include "bind.h"
#include "handles.h"

namespace bp_py {
namespace {

template <class V>
void put(std::string& bytes, V v) {
  char raw[sizeof v];
  std::memcpy(raw, &v, sizeof v);
  bytes.append(raw, sizeof v);
}
nb::bytes bytes_of(const std::string& s) { return nb::bytes(s.data(), s.size()); }

// Returns a value's structure, which can be compared, and hashed where its leaves can; its tensors,
// at whose places the mark stands, go into the list.
class Structure {
 public:
  Structure(nb::handle mark, nb::list tensors) : mark_(mark), tensors_(std::move(tensors)) {}

  nb::object of(nb::handle value) {
    PyObject* o = value.ptr();
    if (is_tensor(o)) {
      tensors_.append(value);
      return nb::borrow(mark_);
    }
    if (PyTuple_Check(o) || PyList_Check(o)) {
      const Deeper here;
      nb::object parts = nb::steal(PyTuple_New(PySequence_Fast_GET_SIZE(o)));
      if (!parts) throw nb::python_error();
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts.ptr()); ++i) {
        PyTuple_SET_ITEM(parts.ptr(), i, of(PySequence_Fast_GET_ITEM(o, i)).release().ptr());
      }
      return nb::make_tuple(nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(o))), parts);
    }
    if (PyDict_Check(o)) {
      const Deeper here;
      nb::list parts;
      for (auto [key, part] : nb::borrow<nb::dict>(value))
        parts.append(nb::make_tuple(key, of(part)));
      return nb::make_tuple(nb::borrow(reinterpret_cast<PyObject*>(&PyDict_Type)),
                            nb::tuple(parts));
    }
    return nb::borrow(value);
  }

 private:
  // Of a list that holds itself Python says so.
  struct Deeper {
    Deeper() {
      if (Py_EnterRecursiveCall(" in an argument of a compiled function")) throw nb::python_error();
    }
    ~Deeper() { Py_LeaveRecursiveCall(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
  };
  nb::handle mark_;
  nb::list tensors_;
};

nb::tuple structure_of(nb::handle mark, nb::handle value) {
  nb::list tensors;
  nb::object structure = Structure(mark, tensors).of(value);
  return nb::make_tuple(structure, tensors);
}

// Modules with all that is in them: whether each trains, what each parameter and buffer is, and
// which of them want a gradient.
class Around {
 public:
  explicit Around(bool gradients) : gradients_(gradients) {}

  void add(nb::handle module) {
    if (module.is_none() || !seen_.insert(module.ptr()).second) return;
    const nb::object own = nb::steal(PyObject_GenericGetDict(module.ptr(), nullptr));
    if (!own) throw nb::python_error();
    static const Names names;
    const nb::handle handle = item(own, names.handle);
    if (!handle) return;  // it was not initialised
    modes.push_back(bp_module_is_training(nb::cast<Module&>(handle).handle) != 0);
    each(item(own, names.parameters), [this](PyObject* t) {
      if (!is_tensor(t)) return;
      if (gradients_) wanting.push_back(bp_tensor_requires_grad(handle_of(t)) != 0);
      add_tensor(t);
    });
    each(item(own, names.buffers), [this](PyObject* t) {
      if (is_tensor(t)) add_tensor(t);
    });
    each(item(own, names.modules), [this](PyObject* child) { add(child); });
  }

  std::string modes, wanting, held;

 private:
  // Strings that a dict finds by their address.
  struct Names {
    PyObject *handle = PyUnicode_InternFromString("_handle"),
             *parameters = PyUnicode_InternFromString("_parameters"),
             *buffers = PyUnicode_InternFromString("_buffers"),
             *modules = PyUnicode_InternFromString("_modules");
  };
  static nb::handle item(nb::handle dict, PyObject* name) {
    PyObject* found = PyDict_GetItemWithError(dict.ptr(), name);
    if (!found && PyErr_Occurred()) throw nb::python_error();
    return found;
  }
  // Nothing in Python is called meanwhile, so that the dict stays what it is.
  template <class F>
  static void each(nb::handle dict, F&& with) {
    PyObject *name = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; dict && PyDict_Next(dict.ptr(), &at, &name, &value);) with(value);
  }
  // The caller keeps it as long as it keeps these bytes, so that no other one has its address.
  void add_tensor(PyObject* t) {
    const bp_tensor* own = handle_of(t);
    put(held, t);
    put(held, bp_tensor_device(own));
    put(held, bp_tensor_dtype(own));
  }

  bool gradients_;
  std::unordered_set<PyObject*> seen_;
};

nb::tuple signature_of(nb::handle mark, nb::handle args, nb::handle kwargs, nb::list watched,
                       bool gradients) {
  nb::list tensors;
  Structure structure(mark, tensors);
  const nb::object positional = structure.of(args), named = structure.of(kwargs);
  std::string described;
  for (nb::handle o : tensors) {
    const bp_tensor* t = handle_of(o.ptr());
    put(described, bp_tensor_device(t));
    put(described, bp_tensor_dtype(t));
    put(described, gradients && bp_tensor_requires_grad(t));
    const int32_t rank = bp_tensor_rank(t);
    put(described, rank);
    for (int32_t d = 0; d < rank; ++d) put(described, bp_tensor_shape(t)[d]);
  }
  Around around(gradients);
  for (nb::handle module : watched) around.add(module);
  const nb::tuple key =
      nb::make_tuple(nb::make_tuple(positional, named), bytes_of(described), bytes_of(around.modes),
                     bytes_of(around.wanting), bytes_of(around.held), gradients);
  return nb::make_tuple(key, tensors);
}

}  // namespace

void bind_signatures(nb::module_& m) {
  m.def("structure_of", structure_of, nb::arg("mark").none(), nb::arg("value").none());
  m.def("signature_of", signature_of);
}

}  // namespace bp_py
