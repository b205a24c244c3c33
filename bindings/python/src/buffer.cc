// SPDX-License-Identifier: Apache-2.0
// buffer.cc: Python's buffer protocol, both ways, without a copy: memoryview, NumPy, array, bytes.
#include "buffer.h"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "dtype.h"
#include "tensor_object.h"

namespace bp_py {
namespace {

// nullptr where the protocol has no such dtype, as of every younger one.
constexpr const char* kFormats[BP_DTYPE_COUNT] = {"?", "B", "b",     "H", "h", "I",  "i", "Q",
                                                  "q", "e", nullptr, "f", "d", "Zf", "Zd"};

// What a buffer keeps: the tensor as it was when it was asked, for the tensor object may be given
// other memory (module.to(), t.data = ...) while somebody reads this.
struct Exported {
  bp_tensor* tensor = nullptr;
  Py_ssize_t shape[BP_MAX_RANK], strides[BP_MAX_RANK];
  ~Exported() { bp_tensor_release(tensor); }
};

bool wants(int flags, int what) { return (flags & what) == what; }

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  bp_tensor* t = handle_of(self);
  const bp_dtype dtype = bp_tensor_dtype(t);
  if (bp_device_kind(bp_tensor_device(t)) != BP_KIND_CPU || !kFormats[dtype]) {
    PyErr_SetString(
        PyExc_BufferError,
        "only tensors in host memory, of a dtype that the protocol knows, have a buffer");
    return -1;
  }
  if (bp_tensor_requires_grad(t)) {  // what is written there would be missing from its gradient
    PyErr_SetString(PyExc_BufferError,
                    "a tensor that requires grad has no buffer; use tensor.detach()");
    return -1;
  }
  if (!wants(flags, PyBUF_STRIDES) && !bp_tensor_is_contiguous(t)) {
    PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous");
    return -1;
  }
  bp_error* err = nullptr;
  void* data = nullptr;
  std::unique_ptr<Exported> exported(new (std::nothrow) Exported);
  if (!exported) return PyErr_NoMemory(), -1;
  bp_status status = bp_tensor_alias(t, &exported->tensor, &err);
  if (status >= 0) {
    const Unlocked others_run;  // a copy may be under way into it
    status = bp_tensor_data(exported->tensor, &data, &err);
  }
  if (status < 0) return raise(status, err), -1;
  const int32_t rank = bp_tensor_rank(t);
  const Py_ssize_t bytes = bp_dtype_bytes(dtype);
  for (int32_t i = 0; i < rank; ++i) {
    exported->shape[i] = bp_tensor_shape(t)[i];
    exported->strides[i] = bp_tensor_strides(t)[i] * bytes;
  }
  view->buf = data;
  view->len = bp_tensor_numel(t) * bytes;
  view->itemsize = bytes;
  view->readonly = 0;
  view->ndim = rank;
  view->format = wants(flags, PyBUF_FORMAT) ? const_cast<char*>(kFormats[dtype]) : nullptr;
  view->shape = wants(flags, PyBUF_ND) ? exported->shape : nullptr;
  view->strides = wants(flags, PyBUF_STRIDES) ? exported->strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = exported.release();
  view->obj = Py_NewRef(self);
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Exported*>(view->internal); }

// Returns the dtype of a format of Python's struct module, which names sizes by C's types, or
// BP_DTYPE_NONE if it is none of ours.
bp_dtype dtype_of_format(const char* format, Py_ssize_t bytes) {
  const char* f = format ? format : "B";
  if (*f == '@' || *f == '=' || *f == '<') ++f;
  const bool complex = *f == 'Z';
  if (complex) ++f;
  if (!*f || f[1]) return BP_DTYPE_NONE;
  const auto sized = [&](bp_dtype one, bp_dtype two, bp_dtype four, bp_dtype eight) {
    return bytes == 1   ? one
           : bytes == 2 ? two
           : bytes == 4 ? four
           : bytes == 8 ? eight
                        : BP_DTYPE_NONE;
  };
  if (complex) return *f == 'f' ? BP_C64 : *f == 'd' ? BP_C128 : BP_DTYPE_NONE;
  if (*f == '?') return BP_BOOL;
  if (std::strchr("BHILQN", *f)) return sized(BP_U8, BP_U16, BP_U32, BP_U64);
  if (std::strchr("bhilqnc", *f))
    return *f == 'c' ? BP_DTYPE_NONE : sized(BP_I8, BP_I16, BP_I32, BP_I64);
  return *f == 'e' ? BP_F16 : *f == 'f' ? BP_F32 : *f == 'd' ? BP_F64 : BP_DTYPE_NONE;
}

// Releases the buffer whose memory a tensor borrows, on any thread, as the last view is released.
void give_back(void* user) {
  const Locked python;
  if (!python) return;  // the interpreter is gone, and its memory with it
  auto* view = static_cast<Py_buffer*>(user);
  PyBuffer_Release(view);
  delete view;
}

struct View {
  Py_buffer* buffer = new Py_buffer{};
  bool got = false;
  ~View() {
    if (!buffer) return;
    if (got) PyBuffer_Release(buffer);
    delete buffer;
  }
  Py_buffer* release() { return std::exchange(buffer, nullptr); }
};

// A buffer as elements of a dtype. Their size is the buffer's, but where bytes are taken together.
struct Elements {
  bp_dtype dtype;
  int32_t rank;
  Py_ssize_t bytes;  // of an element
  int64_t shape[BP_MAX_RANK];
};

bool whole_steps(const Py_buffer& b, const Elements& e) {
  for (int i = 0; i < b.ndim && e.bytes == b.itemsize; ++i)
    if (b.strides[i] % b.itemsize) return false;
  return reinterpret_cast<uintptr_t>(b.buf) % static_cast<uintptr_t>(e.bytes > 8 ? 8 : e.bytes) ==
         0;
}

Elements elements_of(const Py_buffer& b, bp_dtype as) {
  Elements e;
  e.dtype = as == BP_DTYPE_NONE ? dtype_of_format(b.format, b.itemsize) : as;
  e.rank = b.ndim;
  e.bytes = b.itemsize;
  const char* format = b.format ? b.format : "B";
  if (e.dtype == BP_DTYPE_NONE || b.ndim > BP_MAX_RANK)
    fail(PyExc_TypeError, "can't convert a buffer of format '%s' and %d dimensions to a tensor",
         format, b.ndim);
  for (int i = 0; i < b.ndim; ++i) e.shape[i] = b.shape[i];
  if (as != BP_DTYPE_NONE) e.bytes = bp_dtype_bytes(e.dtype);
  if (e.bytes == b.itemsize) return e;
  if (b.itemsize != 1 || b.ndim != 1 || b.strides[0] != 1 || b.len % e.bytes)
    fail(PyExc_ValueError, "%zd bytes in elements of %zd are no row of elements of %zd bytes",
         b.len, b.itemsize, e.bytes);
  e.shape[0] = b.len / e.bytes;
  return e;
}

bp_tensor* borrow(View& view, const Elements& e) {
  const Py_buffer& b = *view.buffer;
  int64_t strides[BP_MAX_RANK];
  for (int i = 0; i < b.ndim; ++i) strides[i] = e.bytes == b.itemsize ? b.strides[i] / e.bytes : 1;
  bp_tensor* out = nullptr;
  call([&](bp_error** err) {
    return bp_tensor_borrow(b.buf, e.rank, e.shape, strides, e.dtype, give_back, view.buffer, &out,
                            err);
  });
  view.release();
  return out;
}

bp_tensor* copy(const Py_buffer& b, const Elements& e) {
  std::vector<char> packed(static_cast<size_t>(b.len));
  auto* view = const_cast<Py_buffer*>(&b);  // Python 3.10 does not say that it is only read
  if (PyBuffer_ToContiguous(packed.data(), view, b.len, 'C') < 0) throw nb::python_error();
  bp_tensor* out = nullptr;
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  call([&](bp_error** err) {
    return bp_tensor_from_data(packed.data(), e.rank, e.shape, e.dtype, cpu, &out, err);
  });
  return out;
}

// Of an array of NumPy's whose dtype the protocol has no format for, but we have a name: the array
// of its bits, and the dtype. Otherwise the exception stays.
nb::object bits_of_array(PyObject* o, bp_dtype& dtype) {
  nb::python_error refused;  // takes the exception
  try {
    const nb::object type = nb::borrow(o).attr("dtype");
    dtype = parse_dtype(type.ptr());
    if (dtype == -2) throw nb::python_error();
    const std::string bits = "uint" + std::to_string(8 * bp_dtype_bytes(dtype));
    return nb::borrow(o).attr("view")(bits.c_str());
  } catch (const nb::python_error&) {
    throw refused;
  }
}

}  // namespace

PyBufferProcs buffer_slots{get_buffer, release_buffer};

bp_tensor* tensor_of_buffer(PyObject* o, Sharing sharing, bp_dtype as) {
  View view;
  if (PyObject_GetBuffer(o, view.buffer, PyBUF_RECORDS_RO) < 0) {
    if (std::strcmp(Py_TYPE(o)->tp_name, "numpy.ndarray") != 0) throw nb::python_error();
    bp_dtype dtype = BP_DTYPE_NONE;
    const nb::object bits = bits_of_array(o, dtype);
    return tensor_of_buffer(bits.ptr(), sharing, dtype);
  }
  view.got = true;
  const Py_buffer& b = *view.buffer;
  const Elements e = elements_of(b, as);
  const bool can_share = !b.readonly && whole_steps(b, e);
  if (sharing == Sharing::kAlways && !can_share)
    fail(PyExc_ValueError,
         "the buffer is %s, so that it has to be copied, and copy=False was asked for",
         b.readonly ? "read-only" : "not laid out in whole elements");
  return can_share && sharing != Sharing::kNever ? borrow(view, e) : copy(b, e);
}

bp_tensor* bits_of(bp_tensor* t) {
  bp_dtype bits = BP_DTYPE_NONE;
  for (const bp_dtype u : {BP_U8, BP_U16, BP_U32, BP_U64})
    if (bp_dtype_bytes(u) == bp_dtype_bytes(bp_tensor_dtype(t))) bits = u;
  if (bits == BP_DTYPE_NONE || bp_device_kind(bp_tensor_device(t)) != BP_KIND_CPU)
    fail(PyExc_TypeError,
         "the bits are those of a tensor on the CPU with elements of 1 to 8 bytes");
  bp_tensor *alias = nullptr, *out = nullptr;
  call([&](bp_error** err) { return bp_tensor_alias(t, &alias, err); });
  void* data = nullptr;
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run;  // a copy may be under way into it
    status = bp_tensor_data(alias, &data, &err);
  }
  if (status >= 0)
    status = bp_tensor_borrow(
        data, bp_tensor_rank(t), bp_tensor_shape(t), bp_tensor_strides(t), bits,
        [](void* kept) { bp_tensor_release(static_cast<bp_tensor*>(kept)); }, alias, &out, &err);
  if (status < 0) bp_tensor_release(alias);
  check(status, err);
  return out;
}

}  // namespace bp_py
