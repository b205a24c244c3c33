// SPDX-License-Identifier: Apache-2.0
#include "driver/scalar.h"

#include <cstring>

#include "driver/half.h"

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
  switch (dtype) {
    case BP_BOOL: return put<Bool>(number, out);
    case BP_U8: return put<uint8_t>(number, out);
    case BP_I8: return put<int8_t>(number, out);
    case BP_U16: return put<uint16_t>(number, out);
    case BP_I16: return put<int16_t>(number, out);
    case BP_U32: return put<uint32_t>(number, out);
    case BP_I32: return put<int32_t>(number, out);
    case BP_U64: return put<uint64_t>(number, out);
    case BP_I64: return put<int64_t>(number, out);
    case BP_F16: return wide ? put<float>(number, out) : put<F16>(number, out);
    case BP_BF16: return wide ? put<float>(number, out) : put<BF16>(number, out);
    case BP_F32: return put<float>(number, out);
    case BP_F64: return put<double>(number, out);
    case BP_C64: return put<Complex<float>>(number, out);
    case BP_C128: return put<Complex<double>>(number, out);
    default: return;
  }
}

}  // namespace bp_cpu
