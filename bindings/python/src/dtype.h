// SPDX-License-Identifier: Apache-2.0
// dtype.h: backplane.dtype, one object for each dtype. It, bool, int, float or complex may stand
// for a dtype.
#pragma once
#include "error.h"

namespace bp_py {

extern PyObject* dtype_objects[BP_DTYPE_COUNT];  // owned for ever
// Returns a borrowed reference. t must be a dtype.
inline PyObject* dtype_object(bp_dtype t) { return dtype_objects[t]; }
// Returns BP_DTYPE_NONE for None. Sets a TypeError and returns -2 for what else is no dtype.
bp_dtype parse_dtype(PyObject* o);
// Returns what parse_dtype finds, or throws.
bp_dtype dtype_of(nb::handle o);
bool is_integer(bp_dtype t);

void bind_dtypes(nb::module_& m);

}  // namespace bp_py
