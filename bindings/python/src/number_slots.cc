// SPDX-License-Identifier: Apache-2.0
// number_slots.cc: Python's operators. Each one is an op of the table, found by its name at the
// first use; an operator whose op the library does not have yet answers NotImplemented.
#include <algorithm>

#include "dtype.h"
#include "invoke.h"

namespace bp_py {
namespace {

constexpr uint32_t kMissing = ~0u;

template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&s)[N]) {
    for (size_t i = 0; i < N; ++i) text[i] = s[i];
  }
};

template <Name name>
uint32_t op_id() {
  static const uint32_t id = [] {
    uint32_t op = kMissing;
    return bp_op_find(name.text, &op, nullptr) < 0 ? kMissing : op;
  }();
  return id;
}

PyTypeObject* class_for(PyObject* a, PyObject* b) {
  return result_class(is_tensor(a) ? Py_TYPE(a) : nullptr, is_tensor(b) ? Py_TYPE(b) : nullptr);
}

// The op's own function. Small tensors go through it, because reading a list of operands costs as
// much as the op.
using Direct = bp_status (*)(bp_tensor*, bp_tensor*, bp_tensor**, bp_error**);

// Returns whether both are tensors of one class on the cpu, with dimensions and few elements. Then
// there is nothing to convert, and the op ends before another thread could run.
bool are_small(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) != Py_TYPE(b) || !is_tensor(a)) return false;
  const bp_tensor *x = handle_of(a), *y = handle_of(b);
  return bp_tensor_rank(x) > 0 && bp_tensor_rank(y) > 0 && !may_block(x) &&
         bp_tensor_numel(y) <= kFew;  // the op refuses a y on another device
}

PyObject* binary(uint32_t op, PyObject* a, PyObject* b) {
  if (op == kMissing) Py_RETURN_NOTIMPLEMENTED;
  bp_value in[2];
  Held made;  // of one operand, the other is a tensor
  for (int i = 0; i < 2; ++i) {
    PyObject *o = i ? b : a, *other = i ? a : b;
    const Took took = to_operand(o, in[i], made);
    if (took == Took::kError &&
        !beyond_int64(o, is_tensor(other) ? handle_of(other) : nullptr, in[i], made))
      return nullptr;
    if (took == Took::kNo) Py_RETURN_NOTIMPLEMENTED;
  }
  PyTypeObject* type = class_for(a, b);
  const StandardPromotion promoted(in, 2, type);
  return invoke_one(op, in, 2, type);
}

PyObject* in_place(uint32_t op, PyObject* self, PyObject* other) {
  bp_value in[2];
  to_value(self, in[0]);
  Held made;
  const Took took = to_operand(other, in[1], made);
  if (took == Took::kError && !beyond_int64(other, in[0].as.tensor, in[1], made)) return nullptr;
  if (took == Took::kNo || op == kMissing) Py_RETURN_NOTIMPLEMENTED;
  bp_tensor* out = handle_of(self);
  bp_error* err = nullptr;
  const bp_status status = invoke(op, in, 2, nullptr, 0, &out, 1, any_may_block(in, 2), &err);
  return status < 0 ? raise(status, err) : Py_NewRef(self);
}

template <Name name, Direct direct = nullptr>
PyObject* binary(PyObject* a, PyObject* b) {
  if constexpr (direct)
    if (are_small(a, b) && !Profiled::is_on()) {
      bp_tensor* out = nullptr;
      bp_error* err = nullptr;
      const bp_status status = direct(handle_of(a), handle_of(b), &out, &err);
      return status < 0 ? raise(status, err) : wrap(out, Py_TYPE(a));
    }
  return binary(op_id<name>(), a, b);
}
template <Name name>
PyObject* in_place(PyObject* a, PyObject* b) {
  return in_place(op_id<name>(), a, b);
}
template <Name name>
PyObject* unary(PyObject* a) {
  bp_value in;
  to_value(a, in);
  return invoke_one(op_id<name>(), &in, 1, Py_TYPE(a));
}

// x @= y: a product has another shape than its operands, so it is made and copied.
PyObject* in_place_matmul(PyObject* self, PyObject* other) {
  PyObject* product = binary<"matmul">(self, other);
  if (!product || product == Py_NotImplemented) return product;
  bp_tensor *to = handle_of(self), *from = handle_of(product);
  const int32_t rank = bp_tensor_rank(to);
  const bool fits =
      bp_tensor_rank(from) == rank &&
      std::equal(bp_tensor_shape(to), bp_tensor_shape(to) + rank, bp_tensor_shape(from));
  bp_error* err = nullptr;
  bp_status status = BP_OK;
  if (fits) {
    const Unlocked others_run(may_block(to));
    status = bp_tensor_copy_(to, from, 0, &err);
  } else {
    PyErr_SetString(PyExc_ValueError, "matmul in place: the product has another shape");
  }
  Py_DECREF(product);
  if (!fits) return nullptr;
  return status < 0 ? raise(status, err) : Py_NewRef(self);
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary<"pow">(a, b);
}
PyObject* in_place_power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return in_place<"pow">(a, b);
}

PyObject* quotient_and_remainder(PyObject* a, PyObject* b) {
  PyObject* q = binary<"floor_divide">(a, b);
  if (!q || q == Py_NotImplemented) return q;
  PyObject* r = binary<"remainder">(a, b);
  PyObject* both = r ? PyTuple_Pack(2, q, r) : nullptr;
  Py_DECREF(q);
  Py_XDECREF(r);
  return both;
}

// ~x negates bools. For integers it is x ^ -1, which has the same bits, while the table lacks the
// op.
PyObject* invert(PyObject* a) {
  const bp_dtype t = bp_tensor_dtype(handle_of(a));
  if (t == BP_BOOL) return unary<"logical_not">(a);
  if (op_id<"bitwise_not">() != kMissing) return unary<"bitwise_not">(a);
  bp_value in[2]{};
  to_value(a, in[0]);
  in[1].kind = BP_VALUE_I64;
  in[1].as.i64 = -1;
  return invoke_one(op_id<"bitwise_xor">(), in, 2, Py_TYPE(a));
}

// Reads the one element. Returns false with an exception set when there is not one.
bool item(PyObject* self, bp_value& v) {
  bp_tensor* t = handle_of(self);
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run(may_block(t));
    status = bp_tensor_item(t, &v, &err);
  }
  if (status < 0) raise(status, err);
  return status >= 0;
}

int truth(PyObject* self) {
  const int64_t n = bp_tensor_numel(handle_of(self));
  if (n != 1) {
    PyErr_Format(PyExc_RuntimeError, "Boolean value of Tensor with %s is ambiguous",
                 n ? "more than one value" : "no values");
    return -1;
  }
  bp_value v;
  if (!item(self, v)) return -1;
  if (v.kind == BP_VALUE_C128) return v.as.c128[0] != 0 || v.as.c128[1] != 0;
  return v.kind == BP_VALUE_F64 ? v.as.f64 != 0 : v.as.i64 != 0;
}

PyObject* whole(PyObject* self, const bp_value& v) {
  if (bp_tensor_dtype(handle_of(self)) == BP_U64)
    return PyLong_FromUnsignedLongLong(static_cast<uint64_t>(v.as.i64));
  return PyLong_FromLongLong(v.as.i64);
}

// Refuses complex numbers, as Python does with its own.
bool real_item(PyObject* self, bp_value& v, const char* wanted) {
  if (!item(self, v)) return false;
  if (v.kind != BP_VALUE_C128) return true;
  PyErr_Format(PyExc_TypeError, "can't convert complex to %s", wanted);
  return false;
}

PyObject* to_int(PyObject* self) {
  bp_value v;
  if (!real_item(self, v, "int")) return nullptr;
  return v.kind == BP_VALUE_F64 ? PyLong_FromDouble(v.as.f64) : whole(self, v);
}

PyObject* to_index(PyObject* self) {
  bp_tensor* t = handle_of(self);
  const bp_dtype dtype = bp_tensor_dtype(t);
  if (bp_tensor_numel(t) != 1 || bp_tensor_rank(t) != 0 || !is_integer(dtype)) {
    PyErr_SetString(PyExc_TypeError,
                    "only integer tensors of a single element can be converted to an index");
    return nullptr;
  }
  bp_value v;
  return item(self, v) ? whole(self, v) : nullptr;
}

PyObject* to_float(PyObject* self) {
  bp_value v;
  if (!real_item(self, v, "float")) return nullptr;
  if (v.kind == BP_VALUE_F64) return PyFloat_FromDouble(v.as.f64);
  PyObject* i = whole(self, v);
  PyObject* f = i ? PyNumber_Float(i) : nullptr;
  Py_XDECREF(i);
  return f;
}

PyNumberMethods slots() {
  PyNumberMethods n{};
  n.nb_add = binary<"add", bp_add>;
  n.nb_subtract = binary<"sub", bp_sub>;
  n.nb_multiply = binary<"mul", bp_mul>;
  n.nb_true_divide = binary<"div", bp_div>;
  n.nb_floor_divide = binary<"floor_divide">;
  n.nb_remainder = binary<"remainder">;
  n.nb_divmod = quotient_and_remainder;
  n.nb_power = power;
  n.nb_matrix_multiply = binary<"matmul", bp_matmul>;
  n.nb_and = binary<"bitwise_and">;
  n.nb_or = binary<"bitwise_or">;
  n.nb_xor = binary<"bitwise_xor">;
  n.nb_lshift = binary<"bitwise_left_shift">;
  n.nb_rshift = binary<"bitwise_right_shift">;
  n.nb_inplace_add = in_place<"add">;
  n.nb_inplace_subtract = in_place<"sub">;
  n.nb_inplace_multiply = in_place<"mul">;
  n.nb_inplace_true_divide = in_place<"div">;
  n.nb_inplace_floor_divide = in_place<"floor_divide">;
  n.nb_inplace_remainder = in_place<"remainder">;
  n.nb_inplace_power = in_place_power;
  n.nb_inplace_matrix_multiply = in_place_matmul;
  n.nb_inplace_and = in_place<"bitwise_and">;
  n.nb_inplace_or = in_place<"bitwise_or">;
  n.nb_inplace_xor = in_place<"bitwise_xor">;
  n.nb_inplace_lshift = in_place<"bitwise_left_shift">;
  n.nb_inplace_rshift = in_place<"bitwise_right_shift">;
  n.nb_negative = unary<"neg">;
  n.nb_positive = Py_NewRef;
  n.nb_absolute = unary<"abs">;
  n.nb_invert = invert;
  n.nb_bool = truth;
  n.nb_int = to_int;
  n.nb_index = to_index;
  n.nb_float = to_float;
  return n;
}

}  // namespace

PyNumberMethods number_slots = slots();

namespace {

// Compares with a list or tuple of numbers, element by element.
[[gnu::noinline]] PyObject* compare_with_sequence(PyObject* a, PyObject* b, int op) {
  const uint32_t ids[] = {op_id<"lt">(), op_id<"le">(), op_id<"eq">(),
                          op_id<"ne">(), op_id<"gt">(), op_id<"ge">()};
  static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
  bp_value in[2];
  Held made;
  to_value(a, in[0]);
  if (sequence_beside(b, in[0].as.tensor, in[1], made) != Took::kYes) return nullptr;
  const StandardPromotion promoted(in, 2, Py_TYPE(a));
  return invoke_one(ids[op], in, 2, Py_TYPE(a));
}

}  // namespace

// What is neither an operand nor such a sequence leaves the answer to Python, for which it is
// unequal.
PyObject* rich_compare(PyObject* a, PyObject* b, int op) {
  if (PyList_Check(b) || PyTuple_Check(b)) return compare_with_sequence(a, b, op);
  switch (op) {
    case Py_EQ: return binary<"eq">(a, b);
    case Py_NE: return binary<"ne">(a, b);
    case Py_LT: return binary<"lt">(a, b);
    case Py_LE: return binary<"le">(a, b);
    case Py_GT: return binary<"gt">(a, b);
    default: return binary<"ge">(a, b);
  }
}

}  // namespace bp_py
