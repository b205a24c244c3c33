// SPDX-License-Identifier: Apache-2.0
#include "promote.h"

#include "kit/promotion_table.h"

namespace conformance {
namespace {

int category(bp_dtype t) { return is_bool(t) ? 0 : is_integer(t) ? 1 : is_float(t) ? 2 : 3; }

}  // namespace

bp_dtype promoted(bp_dtype a, bp_dtype b) { return promotion_table::kTable[a][b]; }

bp_dtype result_type(const std::vector<Operand>& operands) {
  constexpr bp_dtype kEmpty = -2;
  bp_dtype classes[3] = {kEmpty, kEmpty, kEmpty};
  for (const Operand& x : operands) {
    if (x.is_none()) continue;
    bp_dtype t = x.is_tensor() ? x.array.dtype : x.number_dtype();
    if (!x.is_tensor() && t == BP_F64) t = bp_get_default_dtype();
    if (!x.is_tensor() && t == BP_C128 && bp_get_default_dtype() != BP_F64) t = BP_C64;
    bp_dtype& seat = classes[!x.is_tensor() ? 2 : x.array.shape.empty() ? 1 : 0];
    if (seat != BP_DTYPE_NONE) seat = seat == kEmpty ? t : promoted(seat, t);
  }
  bp_dtype result = kEmpty;
  for (int i = 2; i >= 0; --i) {
    const bp_dtype own = classes[i];
    if (own == BP_DTYPE_NONE) return own;
    if (own == kEmpty) continue;
    if (result == kEmpty || category(result) <= category(own)) {
      result = own;
    } else if (is_complex(result) && is_float(own)) {
      result = own == BP_F64 ? BP_C128 : BP_C64;  // of the width of the higher class
    } else {
      result = promoted(own, result);
    }
  }
  return result;
}

bool castable(bp_dtype from, bp_dtype to) {
  if (is_complex(from)) return is_complex(to);
  if (is_float(from)) return is_float(to) || is_complex(to);
  if (is_integer(from)) return !is_bool(to);
  return true;
}

}  // namespace conformance
