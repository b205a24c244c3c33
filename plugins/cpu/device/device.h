// SPDX-License-Identifier: Apache-2.0
// device.h: the handles this plugin gives out. A stream is the calling thread: every call has
// finished when it returns, so events and waits have nothing to do.
#pragma once
#include "c_plugin.h"
#include "device/registry.h"

struct bp_plugin {
  const bp_host* host = nullptr;
  bp_cpu::Registry registry;
  const char* isa = nullptr;  // name of the instruction set in use, a static string
};
struct bp_pdev {
  bp_plugin* plugin = nullptr;
  uint64_t owner = 0;
};
struct bp_pstream {
  bp_pdev* device = nullptr;
};
struct bp_pevent {
  bp_pdev* device = nullptr;
  double ms = 0;  // time of the last record on the monotonic clock
};
