// SPDX-License-Identifier: Apache-2.0
#include "gpu/collective.h"

#include <memory>
#include <new>

#include "kit/error.h"

struct bp_pcommunicator {
  bp_gpu::Communicator over;
  const bp_host* host;
};

namespace bp_gpu {
namespace {

// Nothing thrown crosses the border.
template <class F>
bp_status guarded(const bp_host* host, bp_error** err, F&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return bp_kit::fail(host, err, BP_OUT_OF_HOST_MEMORY, "host memory exhausted");
  }
}

bp_status open(bp_pdev* const* devices, uint32_t n_devices, bp_pcommunicator** out,
               bp_error** err) {
  const bp_host* host = host_of(devices[0]);
  return guarded(host, err, [&] {
    const CollectiveLibrary& library = collective_library(devices[0]);
    if (!library.is_open())
      return bp_kit::fail(host, err, BP_UNAVAILABLE, "%s", library.why().c_str());
    std::vector<int> ordinals;
    for (uint32_t i = 0; i < n_devices; ++i) ordinals.push_back(ordinal(devices[i]));
    auto made = std::make_unique<bp_pcommunicator>(bp_pcommunicator{Communicator(library), host});
    if (const bp_status s = made->over.open(ordinals, err)) return s;
    *out = made.release();
    return bp_status{BP_OK};
  });
}

void close(bp_pcommunicator* c) {
  c->over.close();
  delete c;
}

void abort(bp_pcommunicator* c) {
  c->over.abort();
  delete c;
}

const char* name(bp_pcommunicator* c) { return c->over.opened().name(); }

uint64_t dtypes(bp_pcommunicator* c, int32_t operation) {
  return c->over.opened().dtypes(operation);
}

bp_status all_reduce(bp_pcommunicator* c, int32_t operation, bp_dtype dtype, uint64_t count,
                     void* const* data, bp_pstream* const* streams, bp_error** err) {
  return guarded(c->host, err, [&] {
    const size_t n = c->over.size();
    std::vector<void*> there(data, data + n), queues(n);
    for (size_t i = 0; i < n; ++i)
      if (const bp_status s = native(streams[i], &queues[i], &there[i], err)) return s;
    return c->over.all_reduce(operation, dtype, count, there, queues, err);
  });
}

bp_status check(bp_pcommunicator* c, bp_error** err) { return c->over.check(err); }

}  // namespace

const bp_collective_api kCollectives = {
    sizeof(bp_collective_api), 0, open, close, abort, name, dtypes, all_reduce, check};

}  // namespace bp_gpu
