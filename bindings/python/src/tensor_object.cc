// SPDX-License-Identifier: Apache-2.0
#include "tensor_object.h"

#include <structmember.h>

#include "device.h"
#include "dtype.h"

namespace bp_py {

PyTypeObject* tensor_base = nullptr;
PyTypeObject* tensor_class = nullptr;
PyTypeObject* torch_class = nullptr;

namespace {

PyTypeObject* parameter_classes[4];
int n_parameter_classes = 0;

void dealloc(PyObject* self);

// Objects of classes that Python derived from ours without adding fields (without_search) are kept
// for the next objects of these classes. They hold nothing that the collector follows, so that it
// need not know of them, until a hook is registered (autograd.cc).
#ifdef Py_GIL_DISABLED
constexpr int kMostSpare = 0;
#else
constexpr int kMostSpare = 64;
#endif
PyObject* spare[kMostSpare + 1];
int n_spare = 0;

bool is_kept(PyTypeObject* type) { return type->tp_dealloc == dealloc && PyType_IS_GC(type); }

PyObject* new_object(PyTypeObject* type) {
  if (!n_spare || !is_kept(type)) return type->tp_alloc(type, 0);
  return PyObject_Init(spare[--n_spare], type);
}

}  // namespace

void add_parameter_class(PyTypeObject* type) {
  if (n_parameter_classes == 4)
    fail(PyExc_RuntimeError, "there are too many classes of parameters");
  parameter_classes[n_parameter_classes++] = type;
}

PyObject* wrap(bp_tensor* owned, PyTypeObject* type) {
  if (type != tensor_class && type != torch_class)
    for (int i = 0; i < n_parameter_classes; ++i)
      if (PyType_IsSubtype(type, parameter_classes[i]))
        return wrap_as(owned, parameter_classes[i]->tp_base);
  return wrap_as(owned, type);
}

PyObject* wrap_as(bp_tensor* owned, PyTypeObject* type) {
  PyObject* o = new_object(type);
  if (!o) {
    bp_tensor_release(owned);
    return nullptr;
  }
  auto* t = reinterpret_cast<TensorObject*>(o);
  t->handle = owned;
  t->weak_references = nullptr;
  return o;
}

namespace {

void dealloc(PyObject* self) {
  auto* t = reinterpret_cast<TensorObject*>(self);
  PyTypeObject* type = Py_TYPE(self);
  if (PyType_IS_GC(type)) PyObject_GC_UnTrack(self);  // every class that Python makes is one
  if (t->weak_references) PyObject_ClearWeakRefs(self);
  // The interpreter stays locked: this waits for no device, except for memory of other libraries.
  bp_tensor_release(t->handle);
  if (n_spare < kMostSpare && is_kept(type))
    spare[n_spare++] = self;
  else
    type->tp_free(self);
  Py_DECREF(type);
}

// Makes a class that adds no fields end its objects as the base does, without Python's search for
// fields that it might have added. Its own subclasses have that search again.
PyTypeObject* without_search(PyTypeObject* type) {
  if (type->tp_basicsize == tensor_base->tp_basicsize) type->tp_dealloc = dealloc;
  return type;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return visit_hooks(self, visit, arg);
}

int clear(PyObject* self) {
  clear_hooks(self);
  return 0;
}

PyObject* construct(PyTypeObject* type, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "%s objects come from functions, such as backplane.asarray",
               type->tp_name);
  return nullptr;
}

Py_hash_t hash(PyObject* self) {
  return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(self) >> 4);
}

PyObject* int_tuple(const int64_t* values, int32_t n) {
  PyObject* tuple = PyTuple_New(n);
  for (int32_t i = 0; tuple && i < n; ++i)
    PyTuple_SET_ITEM(tuple, i, PyLong_FromLongLong(values[i]));
  return tuple;
}

// Returns whether o is a parameter of a lazy module, which has no shape yet.
bool shapeless(PyObject* o) {
  if (bp_tensor_rank(handle_of(o)) >= 0) return false;
  PyErr_SetString(PyExc_RuntimeError,
                  "Can't access the shape of an uninitialized parameter or buffer. This error "
                  "usually happens in "
                  "`load_state_dict` when trying to load an uninitialized parameter into an "
                  "initialized one. Call `forward` "
                  "to initialize the parameters before accessing their attributes.");
  return true;
}

PyObject* get_shape(PyObject* o, void*) {
  if (shapeless(o)) return nullptr;
  return int_tuple(bp_tensor_shape(handle_of(o)), bp_tensor_rank(handle_of(o)));
}
PyObject* get_strides(PyObject* o, void*) {
  if (shapeless(o)) return nullptr;
  return int_tuple(bp_tensor_strides(handle_of(o)), bp_tensor_rank(handle_of(o)));
}
PyObject* get_ndim(PyObject* o, void*) {
  if (shapeless(o)) return nullptr;
  return PyLong_FromLong(bp_tensor_rank(handle_of(o)));
}
PyObject* get_numel(PyObject* o, void*) {
  return PyLong_FromLongLong(bp_tensor_numel(handle_of(o)));
}
PyObject* get_offset(PyObject* o, void*) {
  return PyLong_FromLongLong(bp_tensor_offset(handle_of(o)));
}
PyObject* get_version(PyObject* o, void*) {
  return PyLong_FromUnsignedLongLong(bp_tensor_version(handle_of(o)));
}
PyObject* get_dtype(PyObject* o, void*) {
  return Py_NewRef(dtype_object(bp_tensor_dtype(handle_of(o))));
}
PyObject* get_device(PyObject* o, void*) { return device_object(bp_tensor_device(handle_of(o))); }

PyGetSetDef properties[] = {
    {"shape", get_shape, nullptr, "Sizes of the dimensions.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"size", get_numel, nullptr, "Number of elements.", nullptr},
    {"dtype", get_dtype, nullptr, "Type of the elements.", nullptr},
    {"device", get_device, nullptr, "Where the data is.", nullptr},
    {"_numel", get_numel, nullptr, "Number of elements.", nullptr},
    {"_strides", get_strides, nullptr, "Steps between elements, in elements.", nullptr},
    {"_offset", get_offset, nullptr, "Elements from the storage's start.", nullptr},
    {"_version", get_version, nullptr, "Writes so far, shared by all views of the storage.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

template <class F>
void* slot(F f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace

void bind_tensor(nb::module_& m) {
  const PyNumberMethods& n = number_slots;
  PyType_Slot slots[] = {
      {Py_tp_dealloc, slot(dealloc)},
      {Py_tp_traverse, slot(traverse)},
      {Py_tp_clear, slot(clear)},
      {Py_tp_new, slot(construct)},
      {Py_tp_hash, slot(hash)},
      {Py_tp_richcompare, slot(rich_compare)},
      {Py_tp_getset, properties},
      {Py_tp_members, members},
      {Py_tp_methods, ufunc_methods},
      {Py_nb_add, slot(n.nb_add)},
      {Py_nb_subtract, slot(n.nb_subtract)},
      {Py_nb_multiply, slot(n.nb_multiply)},
      {Py_nb_true_divide, slot(n.nb_true_divide)},
      {Py_nb_floor_divide, slot(n.nb_floor_divide)},
      {Py_nb_remainder, slot(n.nb_remainder)},
      {Py_nb_divmod, slot(n.nb_divmod)},
      {Py_nb_power, slot(n.nb_power)},
      {Py_nb_matrix_multiply, slot(n.nb_matrix_multiply)},
      {Py_nb_and, slot(n.nb_and)},
      {Py_nb_or, slot(n.nb_or)},
      {Py_nb_xor, slot(n.nb_xor)},
      {Py_nb_lshift, slot(n.nb_lshift)},
      {Py_nb_rshift, slot(n.nb_rshift)},
      {Py_nb_inplace_add, slot(n.nb_inplace_add)},
      {Py_nb_inplace_subtract, slot(n.nb_inplace_subtract)},
      {Py_nb_inplace_multiply, slot(n.nb_inplace_multiply)},
      {Py_nb_inplace_true_divide, slot(n.nb_inplace_true_divide)},
      {Py_nb_inplace_floor_divide, slot(n.nb_inplace_floor_divide)},
      {Py_nb_inplace_remainder, slot(n.nb_inplace_remainder)},
      {Py_nb_inplace_power, slot(n.nb_inplace_power)},
      {Py_nb_inplace_matrix_multiply, slot(n.nb_inplace_matrix_multiply)},
      {Py_nb_inplace_and, slot(n.nb_inplace_and)},
      {Py_nb_inplace_or, slot(n.nb_inplace_or)},
      {Py_nb_inplace_xor, slot(n.nb_inplace_xor)},
      {Py_nb_inplace_lshift, slot(n.nb_inplace_lshift)},
      {Py_nb_inplace_rshift, slot(n.nb_inplace_rshift)},
      {Py_nb_negative, slot(n.nb_negative)},
      {Py_nb_positive, slot(n.nb_positive)},
      {Py_nb_absolute, slot(n.nb_absolute)},
      {Py_nb_invert, slot(n.nb_invert)},
      {Py_nb_bool, slot(n.nb_bool)},
      {Py_nb_int, slot(n.nb_int)},
      {Py_nb_index, slot(n.nb_index)},
      {Py_nb_float, slot(n.nb_float)},
      {Py_mp_length, slot(mapping_slots.mp_length)},
      {Py_mp_subscript, slot(mapping_slots.mp_subscript)},
      {Py_mp_ass_subscript, slot(mapping_slots.mp_ass_subscript)},
      {Py_sq_item, slot(sequence_slots.sq_item)},
      {Py_bf_getbuffer, slot(buffer_slots.bf_getbuffer)},
      {Py_bf_releasebuffer, slot(buffer_slots.bf_releasebuffer)},
      {0, nullptr},
  };
  PyType_Spec spec{"backplane._core.TensorBase", sizeof(TensorObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  tensor_base = tensor_class = reinterpret_cast<PyTypeObject*>(type);
  m.attr("TensorBase") = nb::borrow(type);
  const auto subclass = [](nb::type_object type) {
    auto* found = reinterpret_cast<PyTypeObject*>(type.ptr());
    if (!PyType_IsSubtype(found, tensor_base))
      fail(PyExc_TypeError, "expected a subclass of TensorBase");
    return reinterpret_cast<PyTypeObject*>(Py_NewRef(found));
  };
  m.def("set_tensor_class",
        [=](nb::type_object type) { tensor_class = without_search(subclass(type)); });
  m.def("set_torch_class",
        [=](nb::type_object type) { torch_class = without_search(subclass(type)); });
  m.def("as_class", [](Tensor t, nb::type_object type) {
    if (!PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type.ptr()), tensor_base))
      fail(PyExc_TypeError, "expected a subclass of TensorBase");
    PyObject* o = wrap_as(bp_tensor_retain(t), reinterpret_cast<PyTypeObject*>(type.ptr()));
    if (!o) throw nb::python_error();
    return nb::steal(o);
  });
}

}  // namespace bp_py
