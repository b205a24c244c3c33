// SPDX-License-Identifier: Apache-2.0
#include "driver/scalar.h"

#include <cstring>

#include "driver/narrow.h"

namespace bp_cpu {
namespace {

template <class T>
void put(const bp_arg& number, void* out) {
  const T value = number.kind == BP_ARG_SCALAR_F64    ? convert<T>(number.f64)
                  : number.kind == BP_ARG_SCALAR_C128 ? convert<T>(bp_kit::complex_number(number))
                                                      : convert<T>(number.i64);
  std::memcpy(out, &value, sizeof value);
}

}  // namespace

void store_scalar(const bp_arg& number, bp_dtype dtype, bool wide, void* out) {
  with_type(dtype, [&](auto t) {
    using T = decltype(t);
    wide ? put<Calc<T>>(number, out) : put<T>(number, out);
  });
}

}  // namespace bp_cpu
