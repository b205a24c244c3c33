// dtype.h: backplane.dtype, one object per dtype, and what may stand for one: it, bool, int, float
// or complex.
#pragma once
#include "error.h"

namespace bp_py {

// Borrowed; t must be a dtype.
PyObject* dtype_object(bp_dtype t);
// None: BP_DTYPE_NONE. TypeError for anything else that is no dtype: an exception is set, -2 comes
// back.
bp_dtype parse_dtype(PyObject* o);
// The same, throwing.
bp_dtype dtype_of(nb::handle o);
bool is_integer(bp_dtype t);

void bind_dtypes(nb::module_& m);

}  // namespace bp_py
