// SPDX-License-Identifier: Apache-2.0
// lt.cc: products with something behind them through a library with cuBLASLt's interface, by the
// way that a card's take. The library's "stream" is a Port (blas.cc).
#include <cstring>

#include "kit/error.h"
#include "sim.h"

namespace bp_sim {

bp_status open_lt(bp_plugin* p, bp_error** err) {
  const char* file = p->host->option(p->host->self, "lt");
  if (!file || !*file || !std::strcmp(file, "off")) return BP_OK;
  const std::string why = p->lt.open(p->host, "sim", bp_gpu::open_library(p->host, "lt", {}, {}));
  return why.empty()
             ? BP_OK
             : bp_kit::fail(p->host, err, BP_INVALID_ARGUMENT,
                            "sim: option lt is \"%s\": a library for products with a bias %s", file,
                            why.c_str());
}

bp_status fused_gemm(const bp_launch& l, bp_gpu::FusedGemm* g, bp_error** err) {
  bp_pstream* s = l.stream;
  if (g->relu && !s->device->plugin->options.lt_relu) return BP_UNSUPPORTED;
  if (!g->asks && s->device->failure.is_set())
    return s->device->failure.report(s->device->plugin->host, err);
  return s->lt.multiply(s->device->plugin->lt, &s->port, g, err);
}

}  // namespace bp_sim
