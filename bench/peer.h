// SPDX-License-Identifier: Apache-2.0
// peer.h: the interface of a peer library, opened with --peers, which does some of the cases' work
// in its own way.
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
// Makes work `op` of size n, which each case defines. Returns 0 when the peer has none such.
int bench_peer_make(const char* op, int64_t n, BenchPeerCall* out);
}

namespace bench {
// Returns "" on success, else why the peer cannot be used.
std::string open_peer(int threads);
// Adds the opened peer as a rival, if there is one.
void add_peer(Case& c, const char* op, int64_t n);
}  // namespace bench
