// peer.h: the interface of a peer library, opened with --peers. It offers some of the cases' work
// done its own way.
#pragma once
#include <cstdint>

#include "case.h"

extern "C" {
struct BenchPeerCall {
  void (*run)(void* self);
  void (*destroy)(void* self);
  void* self;
};
const char* bench_peer_name();
void bench_peer_set_threads(int n);
// Work `op` of size n (see the cases for what n means); 0 when it has none such.
int bench_peer_make(const char* op, int64_t n, BenchPeerCall* out);
}

namespace bench {
// Empty on success, else why the peer cannot be used.
std::string open_peer(int threads);
// Adds the opened peer as a rival; nothing when there is none.
void add_peer(Case& c, const char* op, int64_t n);
}  // namespace bench
