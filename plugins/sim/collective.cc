// SPDX-License-Identifier: Apache-2.0
// collective.cc: sums over devices, and exchanges between processes, through a library with NCCL's
// interface, by the way that a card's take. The library's "stream" is a Port.
#include "gpu/collective.h"

#include "kit/error.h"
#include "sim.h"

namespace bp_gpu {

CollectiveLibrary& collective_library(bp_pdev* d) {
  bp_plugin* p = d->plugin;
  if (!p->collectives.was_asked())
    p->collectives.open(p->host, "sim", "NCCL", open_library(p->host, "nccl", {}, {}));
  return p->collectives;
}

const bp_host* host_of(const bp_pdev* d) { return d->plugin->host; }

int ordinal(const bp_pdev* d) { return static_cast<int>(d->physical); }

void on_device(const bp_pdev*, const std::function<void()>& body) { body(); }

bp_status native(bp_pstream* s, void** stream, void** data, bp_error** err) {
  bp_pdev* d = s->device;
  if (d->failure.is_set()) return d->failure.report(d->plugin->host, err);
  void* there = bp_sim::reach(d, *data);
  if (!there)
    return bp_kit::fail(d->plugin->host, err, BP_INTERNAL,
                        "sim: %p is no memory that device %u reaches", *data, d->physical);
  *stream = &s->port;
  *data = there;
  return BP_OK;
}

}  // namespace bp_gpu

namespace bp_sim {

// The option `nccl`: a file, or off. Without it there are no collectives.
const bp_collective_api* collectives(const bp_plugin* p) {
  const char* file = p->host->option(p->host->self, "nccl");
  return file && *file ? &bp_gpu::kCollectives : nullptr;
}

const bp_wide_api* wide(const bp_plugin* p) { return collectives(p) ? &bp_gpu::kWide : nullptr; }

}  // namespace bp_sim
