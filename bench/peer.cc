// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include <dlfcn.h>

#include <memory>

namespace bench {
namespace {
decltype(&bench_peer_make) make = nullptr;
std::string name;
}  // namespace

std::string open_peer(int threads) {
  void* handle = dlopen(BP_BENCH_PEER_DIR "/libbench_torch.so", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  const auto peer_name =
      reinterpret_cast<decltype(&bench_peer_name)>(dlsym(handle, "bench_peer_name"));
  const auto set =
      reinterpret_cast<decltype(&bench_peer_set_threads)>(dlsym(handle, "bench_peer_set_threads"));
  make = reinterpret_cast<decltype(&bench_peer_make)>(dlsym(handle, "bench_peer_make"));
  if (!peer_name || !set || !make) return "libbench_torch.so lacks its functions";
  set(threads);
  name = peer_name();
  return "";
}

void add_peer(Case& c, const char* op, int64_t n) {
  BenchPeerCall call{};
  if (!make || !make(op, n, &call)) return;
  std::shared_ptr<void> keep(call.self, call.destroy);
  c.add(name, [keep, run = call.run] { run(keep.get()); });
}

}  // namespace bench
