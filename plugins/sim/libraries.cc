// SPDX-License-Identifier: Apache-2.0
// libraries.cc: products and convolutions through libraries with the interfaces of cuBLAS or
// hipBLAS, cuBLASLt and cuDNN, by the way that a card's take. A library's "stream" is a Port.
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

// `open` says why a file cannot be used, or "". A file that is named and cannot is an error.
template <class Open>
bp_status open_named(bp_plugin* p, const char* key, const char* what, Open open, bp_error** err) {
  const std::string file = bp_gpu::option(p->host, key);
  if (file.empty() || file == "off") return BP_OK;
  const std::string why = open(bp_gpu::open_library(p->host, key, {}, {}));
  return why.empty()
             ? BP_OK
             : bp_kit::fail(p->host, err, BP_INVALID_ARGUMENT, "sim: option %s is \"%s\": a %s %s",
                            key, file.c_str(), what, why.c_str());
}

bp_status fault(const bp_launch& l, bp_error** err) {
  bp_pdev* d = l.stream->device;
  return d->failure.is_set() ? d->failure.report(d->plugin->host, err) : BP_OK;
}

}  // namespace

Port new_port(bp_pstream* s) { return {enqueue, s}; }

bp_status open_libraries(bp_plugin* p, bp_error** err) {
  const auto blas = [p](const bp_gpu::Opened& file) {
    return p->blas.open(p->host, "sim", /*wanted=*/nullptr, file);
  };
  const auto dnn = [p](const bp_gpu::Opened& file) { return p->dnn.open(p->host, "sim", file); };
  const auto lt = [p](const bp_gpu::Opened& file) { return p->lt.open(p->host, "sim", file); };
  if (const bp_status s = open_named(p, "blas", "BLAS", blas, err)) return s;
  if (const bp_status s = open_named(p, "dnn", "library for convolutions", dnn, err)) return s;
  return open_named(p, "lt", "library for products with a bias", lt, err);
}

bp_status gemm(const bp_launch& l, const bp_gpu::Gemm& g, bp_error** err) {
  if (const bp_status s = fault(l, err)) return s;
  return l.stream->blas.gemm(l.stream->device->plugin->blas, &l.stream->port, g, err);
}

bool has_blas(const bp_launch& l) { return l.stream->device->plugin->blas.is_open(); }

bp_status fused_gemm(const bp_launch& l, bp_gpu::FusedGemm* g, bp_error** err) {
  bp_plugin* p = l.stream->device->plugin;
  if (g->relu && !p->options.lt_relu) return BP_UNSUPPORTED;
  if (const bp_status s = g->asks ? BP_OK : fault(l, err)) return s;
  return l.stream->lt.multiply(p->lt, &l.stream->port, g, err);
}

bp_status convolve(const bp_launch& l, bp_gpu::Convolution* c, bp_error** err) {
  if (const bp_status s = c->out ? fault(l, err) : BP_OK) return s;
  return l.stream->dnn.convolve(l.stream->device->plugin->dnn, &l.stream->port, c, err);
}

}  // namespace bp_sim
