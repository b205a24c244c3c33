// SPDX-License-Identifier: Apache-2.0
// index.cc: x[...]: integers, slices, None and Ellipsis give a view; what is assigned to one is
// copied into it. Where arrays are among them, the others give a view first, which the arrays then
// index: that is a copy.
#include <algorithm>
#include <vector>

#include "bind.h"
#include "value.h"

namespace bp_py {
namespace {

bool step(Held& t, bp_status status, bp_tensor* next, bp_error* err) {
  if (status < 0) {
    raise(status, err);
    return false;
  }
  t.replace(next);
  return true;
}

// Reads a bound of a slice, which is clamped as in Python.
bool bound(PyObject* o, int64_t& out) {
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
  if (PyLong_CheckExact(key)) return true;
  // Before NumPy 2.3 its bool was an index too, with a warning.
  return PyIndex_Check(key) && !PyBool_Check(key) && !PySequence_Check(key) && !is_numpy_bool(key);
}
bool is_scalar_tensor(PyObject* key) {
  return is_tensor(key) && bp_tensor_rank(handle_of(key)) == 0 &&
         bp_tensor_dtype(handle_of(key)) != BP_BOOL;
}
bool is_simple(PyObject* key) {
  return PyLong_CheckExact(key) || PySlice_Check(key) || key == Py_None || key == Py_Ellipsis ||
         is_scalar_tensor(key) || (!is_tensor(key) && is_integer(key));
}
PyObject* as_index = nullptr;  // backplane.indexing.as_index makes tensors of lists and arrays

// The parts of a key, in which arrays have become tensors, and the dimensions that these index.
struct Keys {
  PyObject* const* parts = nullptr;  // those of the key, or `converted`
  Py_ssize_t n = 0;
  std::vector<PyObject*> converted;
  std::vector<nb::object> owned;
  std::vector<Held> masks;  // masks that index a dimension made for them
  bp_tensor* at[BP_MAX_RANK];
  uint32_t n_at = 0;  // 0 if the key has no arrays and names a view

  bool read(PyObject* const* key, Py_ssize_t count);
  bool index_by(int64_t dim, bp_tensor* array) {
    if (dim >= BP_MAX_RANK) {
      PyErr_Format(PyExc_IndexError, "an index makes more than %d dimensions", +BP_MAX_RANK);
      return false;
    }
    while (n_at < dim) at[n_at++] = nullptr;
    at[n_at++] = array;
    return true;
  }
};

bool Keys::read(PyObject* const* key, Py_ssize_t count) {
  const auto fits = [](PyObject* part) { return is_simple(part) || is_tensor(part); };
  parts = key;
  n = count;
  if (std::all_of(key, key + count, fits)) return true;
  for (Py_ssize_t i = 0; i < count; ++i) {
    converted.push_back(key[i]);
    if (fits(key[i])) continue;
    PyObject* tensor = PyObject_CallOneArg(as_index, key[i]);
    if (!tensor) return false;
    owned.push_back(nb::steal(tensor));
    converted.back() = tensor;
  }
  parts = converted.data();
  return true;
}

bool is_mask(PyObject* part) {
  return is_tensor(part) && bp_tensor_dtype(handle_of(part)) == BP_BOOL;
}

// Returns the number of dimensions that the part stands for.
int32_t width(PyObject* part) {
  if (part == Py_None || part == Py_Ellipsis) return 0;
  return is_mask(part) ? bp_tensor_rank(handle_of(part)) : 1;
}

// Indexes by a mask without dimensions: a new dimension of size 1 is kept or emptied by it.
bool flat_mask(Held& t, int64_t dim, bp_tensor* mask, Keys& keys) {
  if (!new_axis(t, dim)) return false;
  bp_tensor* wide = nullptr;
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_unsqueeze(mask, 0, &wide, &err);
  if (status < 0) return raise(status, err), false;
  keys.masks.emplace_back();
  keys.masks.back().handle = wide;
  return keys.index_by(dim, wide);
}

// Applies a part to dimension dim, and moves dim past the dimensions that it leaves.
bool apply(Held& t, int64_t& dim, PyObject* part, Keys& keys) {
  if (PySlice_Check(part)) return slice(t, dim++, part);
  if (part == Py_None) return new_axis(t, dim++);
  if (!is_tensor(part) || is_scalar_tensor(part)) return select(t, dim, part);
  bp_tensor* array = handle_of(part);
  if (is_mask(part) && bp_tensor_rank(array) == 0) return flat_mask(t, dim++, array, keys);
  if (!keys.index_by(dim, array)) return false;
  dim += width(part);
  return true;
}

// Makes the view that the parts without arrays name, or holds the tensor itself when there are
// none. Returns false with an exception set.
bool view(Held& t, PyObject* self, PyObject* key, Keys& keys) {
  t.handle = bp_tensor_retain(handle_of(self));
  const bool several = PyTuple_Check(key);
  if (!keys.read(several ? &PyTuple_GET_ITEM(key, 0) : &key, several ? PyTuple_GET_SIZE(key) : 1))
    return false;
  int32_t used = 0, dots = 0;
  for (Py_ssize_t i = 0; i < keys.n; ++i) {
    dots += keys.parts[i] == Py_Ellipsis;
    used += width(keys.parts[i]);
  }
  const int32_t rank = bp_tensor_rank(t.handle);
  if (dots > 1)
    PyErr_SetString(PyExc_IndexError, "an index can only have a single ellipsis ('...')");
  if (used > rank)
    PyErr_Format(PyExc_IndexError, "too many indices for tensor of dimension %d", rank);
  if (PyErr_Occurred()) return false;
  int64_t dim = 0;
  for (Py_ssize_t i = 0; i < keys.n; ++i) {
    if (keys.parts[i] == Py_Ellipsis) {
      dim += rank - used;
    } else if (!apply(t, dim, keys.parts[i], keys)) {
      return false;
    }
  }
  return true;
}

bool any_may_block(const bp_tensor* t, const Keys& keys) {
  return may_block(t) || std::any_of(keys.at, keys.at + keys.n_at,
                                     [](const bp_tensor* k) { return k && may_block(k); });
}

PyObject* subscript(PyObject* self, PyObject* key) {
  if (bp_tensor_rank(handle_of(self)) == 0 && is_integer(key)) {
    PyErr_SetString(PyExc_IndexError,
                    "invalid index of a 0-dim tensor. Use `tensor.item()` to convert a 0-dim "
                    "tensor to a number");
    return nullptr;
  }
  Held t;
  Keys keys;
  if (!view(t, self, key, keys)) return nullptr;
  const bool is_view = t.handle != handle_of(self);
  if (!keys.n_at && is_view) return wrap(std::exchange(t.handle, nullptr), Py_TYPE(self));
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  bp_status status;
  if (keys.n_at) {
    const Unlocked others_run(any_may_block(t.handle, keys));
    status = bp_tensor_index(t.handle, keys.at, keys.n_at, &out, &err);
  } else {
    status = bp_tensor_alias(t.handle, &out, &err);
  }
  return status < 0 ? raise(status, err) : wrap(out, Py_TYPE(self));
}

int store(bp_tensor* target, PyObject* value) {
  bp_value v;
  Held beyond;
  const Took took = to_value(value, v);
  if (took == Took::kError && !beyond_int64(value, target, v, beyond)) return -1;
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
    const Unlocked others_run(may_block(target) ||
                              (v.kind == BP_VALUE_TENSOR && may_block(v.as.tensor)));
    status = v.kind == BP_VALUE_TENSOR ? bp_tensor_copy_(target, v.as.tensor, 0, &err)
                                       : bp_tensor_fill_(target, &v, &err);
  }
  if (status >= 0) return 0;
  raise(status, err);
  return -1;
}

// Makes a tensor of the value, in x's dtype and on its device.
bool as_values(Held& values, bp_tensor* x, PyObject* value) {
  bp_value v;
  Held beyond;
  const Took took = to_value(value, v);
  if (took == Took::kError && !beyond_int64(value, x, v, beyond)) return false;
  const bp_dtype dtype = bp_tensor_dtype(x);
  const bp_device device = bp_tensor_device(x);
  nb::object made;
  if (took == Took::kNo) {  // lists, arrays: through backplane.asarray
    PyObject* module = PyImport_ImportModule("backplane");
    made = nb::steal(module ? PyObject_CallMethod(module, "asarray", "O", value) : nullptr);
    Py_XDECREF(module);
    if (!made.is_valid()) return false;
    to_value(made.ptr(), v);
  }
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run(may_block(x) ||
                              (v.kind == BP_VALUE_TENSOR && may_block(v.as.tensor)));
    status = v.kind == BP_VALUE_TENSOR
                 ? bp_tensor_to(v.as.tensor, device, dtype, 0, 0, &values.handle, &err)
                 : bp_tensor_full(0, nullptr, &v, dtype, device, &values.handle, &err);
  }
  if (status < 0) raise(status, err);
  return status >= 0;
}

// Assigns one number by one mask, without waiting to know how many elements that concerns.
bp_status fill(bp_tensor* x, bp_tensor* mask, bp_tensor* value, bp_error** err) {
  static const uint32_t op = [] {
    uint32_t id = 0;
    bp_op_find("masked_fill", &id, nullptr);
    return id;
  }();
  Held wide{bp_tensor_retain(mask)};
  for (int32_t rank = bp_tensor_rank(mask); rank < bp_tensor_rank(x); ++rank) {
    bp_tensor* next = nullptr;
    const bp_status status = bp_tensor_unsqueeze(wide.handle, rank, &next, err);
    if (status < 0) return status;
    wide.replace(next);
  }
  bp_value in[3]{};
  bp_tensor* operands[] = {x, wide.handle, value};
  for (int i = 0; i < 3; ++i) in[i].kind = BP_VALUE_TENSOR, in[i].as.tensor = operands[i];
  return bp_invoke(op, in, 3, nullptr, 0, &x, 1, err);
}

// Returns whether the mask has the first dimensions of x.
bool covers(const bp_tensor* mask, const bp_tensor* x) {
  const int32_t rank = bp_tensor_rank(mask);
  return bp_tensor_dtype(mask) == BP_BOOL && bp_tensor_device(mask) == bp_tensor_device(x) &&
         std::equal(bp_tensor_shape(mask), bp_tensor_shape(mask) + rank, bp_tensor_shape(x));
}

int store_at(bp_tensor* x, const Keys& keys, PyObject* value) {
  Held values;
  if (!as_values(values, x, value)) return -1;
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run(any_may_block(x, keys) || may_block(values.handle));
    status = keys.n_at == 1 && bp_tensor_rank(values.handle) == 0 && covers(keys.at[0], x)
                 ? fill(x, keys.at[0], values.handle, &err)
                 : bp_tensor_index_put(x, keys.at, keys.n_at, values.handle, 0, &err);
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
  Held t;
  Keys keys;
  if (!view(t, self, key, keys)) return -1;
  return keys.n_at ? store_at(t.handle, keys, value) : store(t.handle, value);
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
  m.def("set_indexing", [](nb::object convert) { as_index = convert.release().ptr(); });
}

}  // namespace bp_py
