// SPDX-License-Identifier: Apache-2.0
// collective_library.h: a library with NCCL's interface (NCCL, RCCL), opened at run time, and its
// communicators, one for each set of devices that one process drives. Those between processes are
// in wide.h. Source of names and numbers: NVIDIA's nccl.h; RCCL's is the same. One thread at a
// time.
//
//   CollectiveLibrary library;                      // of the plugin
//   library.open(host, "cuda", "NCCL", file);       // of open_library
//   Communicator c(library);                        // where library.is_open()
//   if (bp_status s = c.open(ordinals, err)) return s;
//   c.all_reduce(BP_COLLECTIVE_SUM, BP_F32, n, data, streams, err);
//   c.close();                                      // or abort(), before the devices go
#pragma once
#include <string>
#include <vector>

#include "c_collective.h"
#include "gpu/library.h"

namespace bp_gpu {

// Numbers of nccl.h.
struct Nccl {
  static constexpr int in_progress = 7;  // statuses; 0 is success
  static constexpr int sum = 0, prod = 1, max = 2, min = 3, avg = 4;
  static constexpr int i8 = 0, u8 = 1, i32 = 2, u32 = 3, i64 = 4, u64 = 5, f16 = 6, f32 = 7,
                       f64 = 8, bf16 = 9;
  // ncclUniqueId.
  struct Id {
    char bytes[128];
  };
  // ncclConfig_t as 2.14 has it; later releases read the rest only where `version` is theirs.
  struct Config {
    size_t size = sizeof(Config);
    unsigned int magic = 0xcafebeef, version = 21400;
    int blocking = 0;
  };
};

// Functions that processes need between each other.
struct NcclWide {
  int (*make_id)(Nccl::Id* out);
  int (*init)(void** rank, int n_ranks, Nccl::Id id, int self, Nccl::Config* config);
  int (*broadcast)(const void* from, void* to, size_t count, int type, int root, void* rank,
                   void* stream);
  int (*reduce)(const void* from, void* to, size_t count, int type, int operation, int root,
                void* rank, void* stream);
  int (*all_gather)(const void* from, void* to, size_t count, int type, void* rank, void* stream);
  int (*reduce_scatter)(const void* from, void* to, size_t count, int type, int operation,
                        void* rank, void* stream);
  int (*send)(const void* from, size_t count, int type, int peer, void* rank, void* stream);
  int (*receive)(void* to, size_t count, int type, int peer, void* rank, void* stream);
};

class CollectiveLibrary {
 public:
  // Throws std::bad_alloc only.
  void open(const bp_host* host, const char* kind, const char* name, const Opened& file);
  bool was_asked() const { return host_ != nullptr; }
  bool is_open() const { return all_reduce_ != nullptr; }
  // Says why there is no library: "NCCL was not found (libnccl.so.2)".
  const std::string& why() const { return why_; }
  const char* name() const { return name_; }  // "NCCL 2.21.5"
  uint64_t dtypes(int32_t operation) const;
  // The same for reductions between processes, by BP_REDUCE_*.
  uint64_t wide_dtypes(int32_t operation) const;
  // Says what the library lacks between processes; "" when it has all.
  std::string why_not_wide() const;

 private:
  friend class Communicator;
  friend class WideMember;
  using VersionFn = int (*)(int* version);
  using InitFn = int (*)(void** ranks, int n, const int* devices);
  using RankFn = int (*)(void* rank);
  using AskFn = int (*)(void* rank, int* status);
  using GroupFn = int (*)();
  using StatusTextFn = const char* (*)(int status);
  using LastErrorFn = const char* (*)(void* rank);
  using AllReduceFn = int (*)(const void* from, void* to, size_t count, int type, int operation,
                              void* rank, void* stream);

  const char* resolve(void* file);  // the first function that is missing, or nullptr
  const char* resolve_wide(void* file);
  bp_status fail(int status, const char* function, void* rank, bp_error** err) const;

  const bp_host* host_ = nullptr;
  const char* kind_ = "";
  std::string why_;
  char name_[32] = "";
  int version_ = 0;  // 21005: 2.10.5
  InitFn init_ = nullptr;
  RankFn destroy_ = nullptr, abort_ = nullptr;
  AskFn ask_ = nullptr;
  GroupFn begin_ = nullptr, end_ = nullptr;
  StatusTextFn text_ = nullptr;
  LastErrorFn last_error_ = nullptr;  // nullptr: it has none
  AllReduceFn all_reduce_ = nullptr;  // nullptr: there is no library
  NcclWide wide_{};
  const char* wide_missing_ = "";  // a function; nullptr: none is
};

// The library's number of a dtype, or -1 where it has none. Truth values are bytes.
int nccl_type(bp_dtype t);

// As bp_collective_api says.
class Communicator {
 public:
  explicit Communicator(const CollectiveLibrary& library) : library_(library) {}
  bp_status open(const std::vector<int>& ordinals, bp_error** err);
  void close();
  void abort();
  bp_status all_reduce(int32_t operation, bp_dtype dtype, uint64_t count,
                       const std::vector<void*>& data, const std::vector<void*>& streams,
                       bp_error** err);
  bp_status check(bp_error** err) const;
  const CollectiveLibrary& opened() const { return library_; }
  size_t size() const { return ranks_.size(); }

 private:
  int settled(int status) const;
  const CollectiveLibrary& library_;
  std::vector<void*> ranks_;  // one for each device
};

}  // namespace bp_gpu
