// op.h: a row of the op table as a Python callable. The whole list comes from the library's
// reflection when the module is imported, so that a row that joins the table is there at once, with
// its names, defaults and doc.
//
//   sum(x, axes=None, keepdims=False, dtype=None, *, out=None)
//
// Inputs and attributes by position or name. axis, axes and dim are one name, so are keepdims and
// keepdim. Ops that make data out of nothing take device=; those with one output take out=. As a
// class attribute an op is a method.
#pragma once
#include "error.h"

namespace bp_py {

void bind_ops(nb::module_& m);

}  // namespace bp_py
