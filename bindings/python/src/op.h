// SPDX-License-Identifier: Apache-2.0
// op.h: a row of the op table as a Python callable. The whole list comes from the library's
// reflection when the module is imported, so that a row that joins the table is there at once, with
// its names, defaults and doc.
//
//   sum(x, axes=None, keepdims=False, dtype=None, *, out=None)
//
// Inputs and attributes are given by position or name. axis, axes and dim are one name, and so are
// keepdims and keepdim. Ops that make data out of nothing take device=, and ops with one output
// take out=. As an attribute of a class an op is a method.
#pragma once
#include "error.h"

namespace bp_py {

void bind_ops(nb::module_& m);

}  // namespace bp_py
