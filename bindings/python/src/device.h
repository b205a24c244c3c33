// device.h: backplane.device, a value; and what may stand for one: it, its text, or None for "not
// given".
#pragma once
#include "error.h"

namespace bp_py {

// New reference.
PyObject* device_object(bp_device d);
// None: 0. Sets an exception and returns false for anything else that is no device.
bool parse_device(PyObject* o, bp_device& out);
// The same, throwing.
bp_device device_of(nb::handle o);

void bind_devices(nb::module_& m);

}  // namespace bp_py
