// SPDX-License-Identifier: Apache-2.0
// tensor_object.h: the Python object around a bp_tensor. A type written by hand, because `a + b` on
// four elements must not pay for a map of instances: the operators are its slots (number_slots.cc),
// brackets too (index.cc), and it speaks the buffer protocol (buffer.cc). What else a tensor can do
// is Python over the functions of this module: backplane/tensor.py derives backplane.Tensor from
// it. Results have the class of their first operand, so that a subclass stays one.
#pragma once
#include <nanobind/nanobind.h>

#include "error.h"

namespace bp_py {

struct TensorObject {
  PyObject ob_base;
  bp_tensor* handle;  // one reference
  PyObject* weak_references;
};

extern PyTypeObject* tensor_base;   // _core.TensorBase
extern PyTypeObject* tensor_class;  // what factories make: backplane.Tensor
extern PyTypeObject* torch_class;   // backplane.torch.Tensor; NULL until it is there

// Returns a new object of that class, which takes over the reference, or NULL with an exception
// when memory is out. For a class of parameters (add_parameter_class) the object is of the class
// from which that derives, because a Parameter's sum is no Parameter.
PyObject* wrap(bp_tensor* owned, PyTypeObject* type = tensor_class);
// Returns a new object of that very class.
PyObject* wrap_as(bp_tensor* owned, PyTypeObject* type);
void add_parameter_class(PyTypeObject* type);

inline bool is_tensor(PyObject* o) {
  return Py_TYPE(o) == tensor_class || PyObject_TypeCheck(o, tensor_base);
}
inline bp_tensor* handle_of(PyObject* o) { return reinterpret_cast<TensorObject*>(o)->handle; }

// Returns the class of these two's result; either may be NULL. A subclass wins over its base.
inline PyTypeObject* result_class(PyTypeObject* a, PyTypeObject* b) {
  if (!a || a == b) return b;
  if (!b) return a;
  return PyType_IsSubtype(b, a) ? b : a;
}

// Work on more elements, or on another device, may take longer than handing the interpreter to
// another thread and back.
constexpr int64_t kFew = 4096;
inline const bp_device host = bp_device_make(BP_KIND_CPU, -1);  // where most small tensors are
inline bool may_block(const bp_tensor* t) {
  if (bp_tensor_numel(t) > kFew) return true;
  const bp_device d = bp_tensor_device(t);
  return d != host && bp_device_kind(d) != BP_KIND_CPU;
}

// A parameter of type tensor, borrowed for the call, and the class of what is made of it.
struct Tensor {
  PyObject* object = nullptr;
  bp_tensor* get() const { return handle_of(object); }
  operator bp_tensor*() const { return get(); }
  PyTypeObject* type() const { return Py_TYPE(object); }
};

// Returns a new object of x's class:
//   make(x, [&](bp_tensor** out, bp_error** err) { return bp_tensor_clone(x, out, err); })
template <class F>
nb::object make(PyTypeObject* type, bool unlocked, F&& f) {
  bp_tensor* out = nullptr;
  call(unlocked, [&](bp_error** err) { return f(&out, err); });
  PyObject* o = wrap(out, type);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

extern PyNumberMethods number_slots;
extern PyMappingMethods mapping_slots;
extern PySequenceMethods sequence_slots;
extern PyBufferProcs buffer_slots;
extern PyMethodDef ufunc_methods[];
PyObject* rich_compare(PyObject* a, PyObject* b, int op);
// Functions of Python's that the library keeps for this object's tensor and that nothing else would
// call: the collector follows them, and breaks a cycle through them (autograd.cc).
int visit_hooks(PyObject* t, visitproc visit, void* arg);
void clear_hooks(PyObject* t);

void bind_tensor(nb::module_& m);
void bind_ufunc(nb::module_& m);

}  // namespace bp_py

namespace nanobind::detail {
template <>
struct type_caster<bp_py::Tensor> {
  NB_TYPE_CASTER(bp_py::Tensor, const_name("TensorBase"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    if (!bp_py::is_tensor(src.ptr())) return false;
    value.object = src.ptr();
    return true;
  }
};
}  // namespace nanobind::detail
