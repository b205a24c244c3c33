// SPDX-License-Identifier: Apache-2.0
#include "nested.h"

#include <complex>
#include <cstring>
#include <vector>

#include "dtype.h"
#include "value.h"

namespace bp_py {
namespace {

using Complex = std::complex<double>;

// The numbers in row-major order, in the narrowest of four types that has held all so far.
struct Numbers {
  enum Kind { kBool, kInt, kFloat, kComplex } kind = kBool;
  int64_t low = 0, high = 0;
  std::vector<int64_t> shape;
  std::vector<int64_t> whole;    // filled while kind <= kInt
  std::vector<size_t> big;       // places in `whole` of numbers beyond int64, bits of a uint64
  std::vector<Complex> complex;  // filled from kFloat on

  void widen(Kind to) {
    if (to >= kFloat && kind < kFloat) {
      complex.assign(whole.begin(), whole.end());
      for (size_t i : big) complex[i] = static_cast<double>(static_cast<uint64_t>(whole[i]));
    }
    kind = std::max(kind, to);
  }
  void add(int64_t v, Kind k) {
    widen(k);
    low = std::min(low, v), high = std::max(high, v);
    if (kind >= kFloat)
      complex.emplace_back(static_cast<double>(v));
    else
      whole.push_back(v);
  }
  void add_big(uint64_t v) {
    widen(kInt);
    if (kind >= kFloat) {
      complex.emplace_back(static_cast<double>(v));
    } else {
      big.push_back(whole.size());
      whole.push_back(static_cast<int64_t>(v));
    }
  }
  void add(Complex v, Kind k) {
    widen(k);
    complex.push_back(v);
  }
};

bool is_sequence(PyObject* o) {
  if (PyList_Check(o) || PyTuple_Check(o)) return true;
  return PySequence_Check(o) && !PyUnicode_Check(o) &&
         !(is_tensor(o) && bp_tensor_rank(handle_of(o)) == 0);
}

uint64_t unsigned_of(PyObject* o) {
  const unsigned long long v = PyLong_AsUnsignedLongLong(o);
  if (PyErr_Occurred()) throw nb::python_error();
  return v;
}

void add_number(PyObject* o, Numbers& n) {
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    const int64_t v = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? n.add_big(unsigned_of(o)) : n.add(v, Numbers::kInt);
  }
  bp_value v;
  Held made;
  const Took took = to_operand(o, v, made);
  if (took == Took::kError) {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError) || !PyIndex_Check(o)) throw nb::python_error();
    PyErr_Clear();
    return n.add_big(unsigned_of(nb::object(nb::steal(PyNumber_Index(o))).ptr()));
  }
  if (took == Took::kNo)
    fail(PyExc_TypeError, "can't make a tensor of %s: %R", Py_TYPE(o)->tp_name, o);
  if (v.kind == BP_VALUE_TENSOR) {
    bp_tensor* t = v.as.tensor;
    call(may_block(t), [&](bp_error** err) { return bp_tensor_item(t, &v, err); });
    if (bp_tensor_dtype(t) == BP_U64 && v.as.i64 < 0)
      return n.add_big(static_cast<uint64_t>(v.as.i64));
  }
  if (v.kind == BP_VALUE_F64) return n.add(Complex(v.as.f64), Numbers::kFloat);
  if (v.kind == BP_VALUE_C128) return n.add(Complex(v.as.c128[0], v.as.c128[1]), Numbers::kComplex);
  n.add(v.as.i64, v.kind == BP_VALUE_BOOL ? Numbers::kBool : Numbers::kInt);
}

void add_all(PyObject* o, size_t depth, Numbers& n, bool first) {
  if (!is_sequence(o)) {
    if (first) n.shape.resize(depth);
    if (depth != n.shape.size())
      fail(PyExc_ValueError, "expected sequence of length %lld at dim %zu (got a number)",
           static_cast<long long>(n.shape[depth]), depth);
    return add_number(o, n);
  }
  if (depth >= BP_MAX_RANK)
    fail(PyExc_ValueError, "too many dimensions, at most %d are possible", +BP_MAX_RANK);
  nb::object items = nb::steal(PySequence_Fast(o, "expected a sequence"));
  if (!items) throw nb::python_error();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
  if (first) n.shape.push_back(size);
  if (depth >= n.shape.size())
    fail(PyExc_ValueError, "a sequence of length %zd where a number was expected (dim %zu)", size,
         depth);
  if (n.shape[depth] != size)
    fail(PyExc_ValueError, "expected sequence of length %lld at dim %zu (got %zd)",
         static_cast<long long>(n.shape[depth]), depth, size);
  for (Py_ssize_t i = 0; i < size; ++i)
    add_all(PySequence_Fast_GET_ITEM(items.ptr(), i), depth + 1, n, first && i == 0);
}

bp_dtype dtype_for(const Numbers& n, bool empty) {
  const bp_dtype floating = bp_get_default_dtype();
  if (empty || n.kind == Numbers::kFloat) return floating;
  if (n.kind == Numbers::kComplex) return floating == BP_F64 ? BP_C128 : BP_C64;
  if (n.kind == Numbers::kBool) return BP_BOOL;
  return n.big.empty() ? BP_I64 : BP_U64;
}

void check_range(const Numbers& n, bp_dtype dtype) {
  if (!is_integer(dtype) || n.kind > Numbers::kInt) return;
  const bool is_unsigned = bp_dtype_kind(dtype) == BP_DTYPE_KIND_UNSIGNED;
  const int bits = static_cast<int>(bp_dtype_bytes(dtype)) * 8 - !is_unsigned;
  const bool fits =
      is_unsigned
          ? n.low >= 0 && (dtype == BP_U64 || (n.big.empty() && !(n.high >> bits)))
          : n.big.empty() && n.high >> (bits - 1) <= 1 &&
                (bits == 63 || (n.high < int64_t{1} << bits && n.low >= -(int64_t{1} << bits)));
  if (!fits)
    fail(PyExc_OverflowError,
         "a value between %lld and %llu cannot be converted to %R without overflow",
         static_cast<long long>(n.low),
         static_cast<unsigned long long>(n.big.empty() ? n.high : n.whole[n.big[0]]),
         dtype_object(dtype));
}

// Writes the numbers to bytes, for the library to convert; returns the dtype they have there.
bp_dtype pack(const Numbers& n, std::vector<char>& bytes) {
  const auto put = [&](auto example, const auto& from, auto convert) {
    using T = decltype(example);
    bytes.resize(from.size() * sizeof(T));
    for (size_t i = 0; i < from.size(); ++i) {
      const T v = convert(from[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
    }
  };
  if (n.kind == Numbers::kComplex)
    return put(Complex{}, n.complex, [](Complex c) { return c; }), BP_C128;
  if (n.kind == Numbers::kFloat)
    return put(double{}, n.complex, [](Complex c) { return c.real(); }), BP_F64;
  if (n.kind == Numbers::kBool)
    return put(uint8_t{}, n.whole, [](int64_t v) { return static_cast<uint8_t>(v); }), BP_BOOL;
  return put(int64_t{}, n.whole, [](int64_t v) { return v; }), n.big.empty() ? BP_I64 : BP_U64;
}

// Returns one element as a Python number.
nb::object number(const char* p, bp_dtype t) {
  const auto get = [p](auto example) {
    std::memcpy(&example, p, sizeof example);
    return example;
  };
  switch (t) {
    case BP_BOOL: return nb::bool_(get(uint8_t{}) != 0);
    case BP_U8: return nb::int_(get(uint8_t{}));
    case BP_I8: return nb::int_(get(int8_t{}));
    case BP_U16: return nb::int_(get(uint16_t{}));
    case BP_I16: return nb::int_(get(int16_t{}));
    case BP_U32: return nb::int_(get(uint32_t{}));
    case BP_I32: return nb::int_(get(int32_t{}));
    case BP_U64: return nb::int_(get(uint64_t{}));
    case BP_I64: return nb::int_(get(int64_t{}));
    case BP_F32: return nb::float_(static_cast<double>(get(float{})));
    case BP_C64: {
      const auto c = get(std::complex<float>{});
      return nb::steal(
          PyComplex_FromDoubles(static_cast<double>(c.real()), static_cast<double>(c.imag())));
    }
    case BP_C128: {
      const auto c = get(Complex{});
      return nb::steal(PyComplex_FromDoubles(c.real(), c.imag()));
    }
    default: return nb::float_(get(double{}));
  }
}

nb::object nest(const char*& p, const int64_t* shape, int32_t rank, bp_dtype t) {
  if (rank == 0) {
    nb::object n = number(p, t);
    p += bp_dtype_bytes(t);
    return n;
  }
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(shape[0])));
  if (!list) throw nb::python_error();
  for (int64_t i = 0; i < shape[0]; ++i)
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i),
                    nest(p, shape + 1, rank - 1, t).release().ptr());
  return list;
}

}  // namespace

bp_tensor* tensor_of_nested(PyObject* o, bp_dtype dtype) {
  Numbers n;
  add_all(o, 0, n, true);
  const bool empty = n.whole.empty() && n.complex.empty();
  if (dtype == BP_DTYPE_NONE) dtype = dtype_for(n, empty);
  check_range(n, dtype);
  if (!n.big.empty() && n.low < 0) n.widen(Numbers::kFloat);  // no type of whole numbers holds all
  std::vector<char> bytes;
  const bp_dtype packed = pack(n, bytes);
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  bp_tensor *raw = nullptr, *out = nullptr;
  call([&](bp_error** err) {
    return bp_tensor_from_data(bytes.data(), static_cast<int32_t>(n.shape.size()), n.shape.data(),
                               packed, cpu, &raw, err);
  });
  bp_error* err = nullptr;
  const bp_status status = bp_tensor_to(raw, 0, dtype, 0, 0, &out, &err);
  bp_tensor_release(raw);
  check(status, err);
  return out;
}

nb::object nested_of_tensor(bp_tensor* t) {
  bp_dtype dtype = bp_tensor_dtype(t);
  bp_tensor* wide = nullptr;
  if (bp_dtype_kind(dtype) == BP_DTYPE_KIND_FLOAT && bp_dtype_bytes(dtype) < 4) {  // no C++ type
    dtype = BP_F64;
    call_unlocked([&](bp_error** err) { return bp_tensor_to(t, 0, dtype, 0, 0, &wide, err); });
  }
  std::vector<char> bytes(static_cast<size_t>(bp_tensor_numel(t) * bp_dtype_bytes(dtype)));
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run(may_block(t));
    status = bp_tensor_read(wide ? wide : t, bytes.data(), bytes.size(), &err);
  }
  bp_tensor_release(wide);
  check(status, err);
  const char* p = bytes.data();
  return nest(p, bp_tensor_shape(t), bp_tensor_rank(t), dtype);
}

}  // namespace bp_py
