// SPDX-License-Identifier: Apache-2.0
// ufunc.cc: Tensor.__array_ufunc__, which NumPy calls for np.add(array, t) and for
// np.float32(2) * t. A function that was called before on two operands goes straight to its op;
// backplane/ufuncs.py does the rest.
#include <new>
#include <vector>

#include "tensor_object.h"

namespace bp_py {
namespace {

PyObject* found = nullptr;    // dict: ops by NumPy's functions, None where there is none
PyObject* general = nullptr;  // does every call, and adds to `found`

bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

PyObject* array_ufunc(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) {
  if (n == 4 && !names && !is_list(args[2]) && !is_list(args[3]) && PyUnicode_Check(args[1]) &&
      PyUnicode_CompareWithASCIIString(args[1], "__call__") == 0) {
    PyObject* op = PyDict_GetItemWithError(found, args[0]);
    if (op && op != Py_None) return PyObject_Vectorcall(op, args + 2, 2, nullptr);
    if (PyErr_Occurred()) return nullptr;
  }
  try {
    std::vector<PyObject*> all{self};
    all.insert(all.end(), args, args + n + (names ? PyTuple_GET_SIZE(names) : 0));
    return PyObject_Vectorcall(general, all.data(), static_cast<size_t>(n) + 1, names);
  } catch (const std::bad_alloc&) {  // Python calls this: nothing may be thrown through it
    return PyErr_NoMemory();
  }
}

}  // namespace

PyMethodDef ufunc_methods[] = {
    {"__array_ufunc__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(array_ufunc)),
     METH_FASTCALL | METH_KEYWORDS, "What NumPy's elementwise functions do with tensors."},
    {nullptr, nullptr, 0, nullptr}};

void bind_ufunc(nb::module_& m) {
  m.def("set_ufuncs", [](nb::dict by_function, nb::callable all) {
    found = by_function.release().ptr();  // until the process ends
    general = all.release().ptr();
  });
}

}  // namespace bp_py
