// SPDX-License-Identifier: Apache-2.0
// wide.h: this process's rank in a communicator of several processes, by a library with NCCL's
// interface. It does not block: calls return before they are done, and whoever calls waits for the
// library until it is, or another thread gives up. stop() may come from any thread at any time,
// check() and ready() beside an exchange; everything else is for one thread at a time.
//
//   WideMember m(library);
//   if (bp_status s = m.open(id, rank, n, err)) return s;
//   while (m.ready(err) == BP_NOT_READY) continue;
//   m.exchange(what, stream, err);   // its from and to as the library takes them
//   m.close();
#pragma once
#include <atomic>
#include <mutex>

#include "c_plugin_wide.h"
#include "gpu/collective_library.h"

namespace bp_gpu {

class WideMember {
 public:
  explicit WideMember(const CollectiveLibrary& library) : library_(library) {}
  static bp_status make_id(const CollectiveLibrary& library, bp_wide_id* out, bp_error** err);
  bp_status open(const bp_wide_id& id, uint32_t rank, uint32_t n_members, bp_error** err);
  bp_status ready(bp_error** err);
  bp_status exchange(const bp_exchange& x, void* stream, bp_error** err);
  bp_status check(bp_error** err);
  void stop();
  void close();
  const CollectiveLibrary& opened() const { return library_; }

 private:
  int settled(int status) const;
  int queue(const bp_exchange& x, void* stream) const;
  int queue_parts(const bp_exchange& x, void* stream) const;
  template <class F>
  int each_part(const bp_exchange& x, int32_t alone, F&& message) const;

  const CollectiveLibrary& library_;
  std::mutex mutex_;  // the library's calls for rank_
  std::atomic<bool> stops_{false};
  void* rank_ = nullptr;
  uint32_t self_ = 0, n_members_ = 1;
};

}  // namespace bp_gpu
