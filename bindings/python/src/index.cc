// index.cc: x[...]: integers, slices, None and Ellipsis give a view; what is assigned to one is
// copied into it. Keys that hold arrays go to backplane/indexing.py.
#include "bind.h"
#include "value.h"

namespace bp_py {
namespace {

// A tensor handle that is released at the end.
struct Held {
  bp_tensor* handle = nullptr;
  ~Held() { bp_tensor_release(handle); }
  void replace(bp_tensor* next) {
    bp_tensor_release(handle);
    handle = next;
  }
};

bool step(Held& t, bp_status status, bp_tensor* next, bp_error* err) {
  if (status < 0) {
    raise(status, err);
    return false;
  }
  t.replace(next);
  return true;
}

bool bound(PyObject* o, int64_t& out) {  // of a slice; clamped, as Python's
  if (o == Py_None) {
    out = BP_SLICE_NONE;
    return true;
  }
  if (!PyIndex_Check(o)) {
    PyErr_SetString(PyExc_TypeError,
                    "slice indices must be integers or None or have an __index__ method");
    return false;
  }
  PyObject* i = PyNumber_Index(o);
  if (!i) return false;
  int overflow = 0;
  out = PyLong_AsLongLongAndOverflow(i, &overflow);
  Py_DECREF(i);
  if (overflow) out = overflow < 0 ? -INT64_MAX : INT64_MAX;
  return out != -1 || !PyErr_Occurred();
}

bool slice(Held& t, int64_t dim, PyObject* key) {
  auto* s = reinterpret_cast<PySliceObject*>(key);
  int64_t start, stop, stride;
  if (!bound(s->start, start) || !bound(s->stop, stop) || !bound(s->step, stride)) return false;
  if (stride == BP_SLICE_NONE) stride = 1;
  if (stride == 0) {
    PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
    return false;
  }
  bp_tensor* next = nullptr;
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_slice(t.handle, dim, start, stop, stride, &next, &err);
  return step(t, status, next, err);
}

bool select(Held& t, int64_t dim, PyObject* key) {
  const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) return false;
  bp_tensor* next = nullptr;
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_select(t.handle, dim, i, &next, &err);
  return step(t, status, next, err);
}

bool new_axis(Held& t, int64_t dim) {
  bp_tensor* next = nullptr;
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_unsqueeze(t.handle, dim, &next, &err);
  return step(t, status, next, err);
}

bool is_integer(PyObject* key) {
  return PyIndex_Check(key) && !PyBool_Check(key) && !PySequence_Check(key);
}
bool is_scalar_tensor(PyObject* key) {
  return is_tensor(key) && bp_tensor_rank(handle_of(key)) == 0 &&
         bp_tensor_dtype(handle_of(key)) != BP_BOOL;
}
bool is_simple(PyObject* key) {
  return PySlice_Check(key) || key == Py_None || key == Py_Ellipsis || is_scalar_tensor(key) ||
         (!is_tensor(key) && is_integer(key));
}
bool holds_arrays(PyObject* key) {
  if (!PyTuple_Check(key)) return !is_simple(key);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i)
    if (!is_simple(PyTuple_GET_ITEM(key, i))) return true;
  return false;
}

PyObject *get_by_arrays = nullptr, *set_by_arrays = nullptr;  // backplane.indexing's

// dim moves past what the key leaves standing.
bool apply(Held& t, int64_t& dim, PyObject* key) {
  if (PySlice_Check(key)) return slice(t, dim++, key);
  if (key == Py_None) return new_axis(t, dim++);
  return select(t, dim, key);
}

bool view(Held& t, PyObject* const* keys, Py_ssize_t n) {
  Py_ssize_t used = 0, dots = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    dots += keys[i] == Py_Ellipsis;
    used += keys[i] != Py_None && keys[i] != Py_Ellipsis;
  }
  const int32_t rank = bp_tensor_rank(t.handle);
  if (dots > 1)
    PyErr_SetString(PyExc_IndexError, "an index can only have a single ellipsis ('...')");
  if (used > rank)
    PyErr_Format(PyExc_IndexError, "too many indices for tensor of dimension %d", rank);
  if (PyErr_Occurred()) return false;
  int64_t dim = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (keys[i] == Py_Ellipsis) {
      dim += rank - used;
    } else if (!apply(t, dim, keys[i])) {
      return false;
    }
  }
  return true;
}

// The view that a key names; false with an exception set.
bool view(Held& t, PyObject* self, PyObject* key) {
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_alias(handle_of(self), &t.handle, &err);
  if (status < 0) return raise(status, err), false;
  if (!PyTuple_Check(key)) return view(t, &key, 1);
  return view(t, &PyTuple_GET_ITEM(key, 0), PyTuple_GET_SIZE(key));
}

PyObject* subscript(PyObject* self, PyObject* key) {
  if (bp_tensor_rank(handle_of(self)) == 0 && is_integer(key)) {
    PyErr_SetString(PyExc_IndexError,
                    "invalid index of a 0-dim tensor. Use `tensor.item()` to convert a 0-dim "
                    "tensor to a number");
    return nullptr;
  }
  if (holds_arrays(key)) return PyObject_CallFunctionObjArgs(get_by_arrays, self, key, nullptr);
  Held t;
  if (!view(t, self, key)) return nullptr;
  return wrap(std::exchange(t.handle, nullptr), Py_TYPE(self));
}

int store(bp_tensor* target, PyObject* value) {
  bp_value v;
  const Took took = to_value(value, v);
  if (took == Took::kError) return -1;
  bp_error* err = nullptr;
  bp_status status;
  if (took == Took::kNo) {  // lists, arrays: through backplane.asarray
    PyObject* module = PyImport_ImportModule("backplane");
    PyObject* tensor = module ? PyObject_CallMethod(module, "asarray", "O", value) : nullptr;
    Py_XDECREF(module);
    if (!tensor) return -1;
    const int result = store(target, tensor);
    Py_DECREF(tensor);
    return result;
  }
  {
    const Unlocked others_run;
    status = v.kind == BP_VALUE_TENSOR ? bp_tensor_copy_(target, v.as.tensor, 0, &err)
                                       : bp_tensor_fill_(target, &v, &err);
  }
  if (status >= 0) return 0;
  raise(status, err);
  return -1;
}

int assign(PyObject* self, PyObject* key, PyObject* value) {
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
    return -1;
  }
  if (holds_arrays(key)) {
    PyObject* done = PyObject_CallFunctionObjArgs(set_by_arrays, self, key, value, nullptr);
    Py_XDECREF(done);
    return done ? 0 : -1;
  }
  Held t;
  return view(t, self, key) ? store(t.handle, value) : -1;
}

Py_ssize_t length(PyObject* self) {
  bp_tensor* t = handle_of(self);
  if (bp_tensor_rank(t) > 0) return static_cast<Py_ssize_t>(bp_tensor_shape(t)[0]);
  PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
  return -1;
}

PyObject* item(PyObject* self, Py_ssize_t i) {
  Held t;
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_select(handle_of(self), 0, i, &t.handle, &err);
  if (status < 0) return raise(status, err);
  return wrap(std::exchange(t.handle, nullptr), Py_TYPE(self));
}

}  // namespace

PyMappingMethods mapping_slots{length, subscript, assign};
PySequenceMethods sequence_slots{.sq_item = item};

void bind_indexing(nb::module_& m) {
  m.def("set_indexing", [](nb::object get, nb::object set) {
    get_by_arrays = get.release().ptr();
    set_by_arrays = set.release().ptr();
  });
}

}  // namespace bp_py
