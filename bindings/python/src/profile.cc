// SPDX-License-Identifier: Apache-2.0
#include "profile.h"

#include <unordered_map>

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000

namespace bp_py {
namespace {

PyObject* never_called(PyObject*, PyObject*) { Py_RETURN_NONE; }

// Returns the function of C that stands for the op, which is made once and kept for ever, or NULL
// without an exception when memory is out. Its name lives in the library as long.
PyObject* function_of(uint32_t op) {
  static auto& made = *new std::unordered_map<uint32_t, PyObject*>;  // guarded by the interpreter
  PyObject*& function = made[op];
  if (function) return function;
  bp_op_info info{};
  info.struct_size = sizeof info;
  if (bp_op_get_info(op, &info, nullptr) < 0) return nullptr;
  static PyObject* const home = PyUnicode_InternFromString("backplane.ops");
  auto* def = new PyMethodDef{info.name, never_called, METH_NOARGS, nullptr};
  function = PyCFunction_NewEx(def, nullptr, home);
  if (!function) PyErr_Clear();
  return function;
}

}  // namespace

void tell_profiler(uint32_t op, int event) {
  PyThreadState* thread = PyThreadState_Get();
  // The profiler itself may call the op, and what ran meanwhile may have ended the profile.
  if (thread->tracing || !thread->c_profilefunc) return;
  PyObject* function = function_of(op);
  PyFrameObject* frame = function ? PyThreadState_GetFrame(thread) : nullptr;
  if (!frame) return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyThreadState_EnterTracing(thread);
  const int failed = thread->c_profilefunc(thread->c_profileobj, frame, event, function);
  PyThreadState_LeaveTracing(thread);
  if (failed) PyErr_WriteUnraisable(function);
  PyErr_Restore(type, value, trace);
  Py_DECREF(frame);
}

}  // namespace bp_py

#endif
