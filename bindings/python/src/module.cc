// SPDX-License-Identifier: Apache-2.0
// module.cc: backplane._core, the C API as Python sees it. Only the package's own files use it.
#include "bind.h"
#include "device.h"
#include "dict.h"
#include "dtype.h"
#include "op.h"

NB_MODULE(_core, m) {
  using namespace bp_py;
  // The library's state is one for the process, and Python objects in it belong to one interpreter.
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    throw nb::import_error("backplane works in the main interpreter only, not in sub-interpreters");
  // Dtypes and devices are kept until the process ends, and nothing here prints.
  nb::set_leak_warnings(false);
  bind_errors(m);
  bind_dtypes(m);
  bind_devices(m);
  bind_tensor(m);
  bind_ufunc(m);
  bind_make(m);
  bind_views(m);
  bind_host(m);
  bind_indexing(m);
  bind_exchange(m);
  bind_streams(m);
  bind_generators(m);
  bind_autograd(m);
  bind_io(m);
  bind_modules(m);
  bind_runtime(m);
  bind_optim(m);
  bind_parallel(m);
  bind_groups(m);
  bind_data(m);
  bind_trainer(m);
  bind_programs(m);
  bind_signatures(m);
  bind_profiles(m);
  bind_ops(m);
  bind_functions(m);
}
