// SPDX-License-Identifier: Apache-2.0
// What every elementwise op does around its formula: promote, convert, broadcast.
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {

bp_dtype default_float_of(bp_dtype t) {
  return is_bool(t) || is_integer(t) ? bp_get_default_dtype() : t;
}

bp_dtype compute_dtype(const Spec& spec, const std::vector<Operand>& operands) {
  const bp_dtype t = result_type(operands);
  return t != BP_DTYPE_NONE && spec.compute == Compute::kDefaultFloat ? default_float_of(t) : t;
}

Shape broadcast_shape(const std::vector<Operand>& operands) {
  Shape shape;
  for (const Operand& x : operands)
    if (x.is_tensor()) shape = broadcast(shape, x.array.shape);
  return shape;
}

Array seen(const Operand& x, bp_dtype t, const Shape& shape) {
  if (x.is_tensor()) return expand(convert(x.array, t), shape);
  // A floating number is a double until the op's dtype is known.
  const bp_dtype own = x.kind == BP_VALUE_F64 ? BP_F64 : x.number_dtype();
  Array one{own, {}, {x.number()}, {}};
  if (is_complex(own)) one.im.push_back(static_cast<Real>(x.imaginary));
  one = convert(one, t);
  return expand(one, shape);
}

Array seen_in_arithmetic(const Operand& x, bp_dtype t, const Shape& shape) {
  if (x.is_tensor() || !is_narrow(t)) return seen(x, t, shape);
  Array wide = seen(x, BP_F32, shape);
  wide.dtype = t;
  return wide;
}

}  // namespace conformance
