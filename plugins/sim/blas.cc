// SPDX-License-Identifier: Apache-2.0
// blas.cc: products of matrices through a library with cuBLAS's or hipBLAS's interface, by the way
// that a card's take. The library's "stream" is a Port.
#include <cstddef>
#include <cstring>

#include "kit/error.h"
#include "sim.h"

namespace bp_sim {
namespace {

struct Call {
  void (*run)(const void* data);
  alignas(std::max_align_t) char data[256];
};

int enqueue(Port* self, void (*run)(const void* data), const void* data, uint64_t bytes) {
  Call call{run, {}};
  if (bytes > sizeof call.data) return 1;
  std::memcpy(call.data, data, bytes);
  const auto once = [](const void* c, const bp_gpu::Place& at) {
    if (at.index() == 0) static_cast<const Call*>(c)->run(static_cast<const Call*>(c)->data);
  };
  return bp_gpu::enqueue_kernel(self->stream, {}, once, &call, sizeof call, nullptr) != BP_OK;
}

}  // namespace

Port new_port(bp_pstream* s) { return {enqueue, s}; }

bp_status open_blas(bp_plugin* p, bp_error** err) {
  const char* file = p->host->option(p->host->self, "blas");
  if (!file || !*file || !std::strcmp(file, "off")) return BP_OK;
  const std::string why = p->blas.open(p->host, "sim", /*wanted=*/nullptr,
                                       bp_gpu::open_library(p->host, "blas", {}, {}));
  return why.empty() ? BP_OK
                     : bp_kit::fail(p->host, err, BP_INVALID_ARGUMENT,
                                    "sim: option blas is \"%s\": a BLAS %s", file, why.c_str());
}

bp_status gemm(const bp_launch& l, const bp_gpu::Gemm& g, bp_error** err) {
  bp_pstream* s = l.stream;
  if (s->device->failure.is_set()) return s->device->failure.report(s->device->plugin->host, err);
  return s->blas.gemm(s->device->plugin->blas, &s->port, g, err);
}

bool has_blas(const bp_launch& l) { return l.stream->device->plugin->blas.is_open(); }

}  // namespace bp_sim
