// SPDX-License-Identifier: Apache-2.0
// isa.h: which of the compiled instruction sets runs: the best that the machine has, unless the
// option `cpu.isa` names one.
#pragma once
#include "c_plugin.h"
#include "device/registry.h"

namespace bp_cpu {

struct Isa {
  const char* name;                // "base", "avx2", "avx512"
  bool (*supported)();             // by this machine
  void (*add_kernels)(Registry&);  // every family's records
};

// NULL or "" means the best. Fails for an unknown or unsupported name, and lists the choices.
bp_status choose_isa(const bp_host* host, const char* wanted, const Isa** out, bp_error** err);

}  // namespace bp_cpu
