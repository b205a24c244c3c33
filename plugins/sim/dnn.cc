// SPDX-License-Identifier: Apache-2.0
// dnn.cc: convolutions through a library with cuDNN's interface, by the way that a card's take. The
// library's "stream" is a Port (blas.cc).
#include <cstring>

#include "kit/error.h"
#include "sim.h"

namespace bp_sim {

bp_status open_dnn(bp_plugin* p, bp_error** err) {
  const char* file = p->host->option(p->host->self, "dnn");
  if (!file || !*file || !std::strcmp(file, "off")) return BP_OK;
  const std::string why = p->dnn.open(p->host, "sim", bp_gpu::open_library(p->host, "dnn", {}, {}));
  return why.empty() ? BP_OK
                     : bp_kit::fail(p->host, err, BP_INVALID_ARGUMENT,
                                    "sim: option dnn is \"%s\": a library for convolutions %s",
                                    file, why.c_str());
}

bp_status convolve(const bp_launch& l, bp_gpu::Convolution* c, bp_error** err) {
  bp_pstream* s = l.stream;
  if (c->out && s->device->failure.is_set())
    return s->device->failure.report(s->device->plugin->host, err);
  return s->dnn.convolve(s->device->plugin->dnn, &s->port, c, err);
}

}  // namespace bp_sim
