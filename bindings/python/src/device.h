// SPDX-License-Identifier: Apache-2.0
// device.h: backplane.device, which is a value. It, its text, or None for "not given" may stand for
// a device.
#pragma once
#include "error.h"

namespace bp_py {

// Returns a new reference.
PyObject* device_object(bp_device d);
// Sets out to 0 for None. Sets an exception and returns false for anything else that is no device.
bool parse_device(PyObject* o, bp_device& out);
// Returns what parse_device finds, or throws.
bp_device device_of(nb::handle o);

void bind_devices(nb::module_& m);

}  // namespace bp_py
