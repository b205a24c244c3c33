// SPDX-License-Identifier: Apache-2.0
#include "gpu/collective_library.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "kit/error.h"
#include "kit/registry.h"

namespace bp_gpu {
namespace {

constexpr int kBf16Since = 21000, kAvgSince = 21000;

// Returns -1 for a dtype that the library does not have.
constexpr int type_of(bp_dtype t) {
  switch (t) {
    case BP_I8: return Nccl::i8;
    case BP_U8: return Nccl::u8;
    case BP_I32: return Nccl::i32;
    case BP_U32: return Nccl::u32;
    case BP_I64: return Nccl::i64;
    case BP_U64: return Nccl::u64;
    case BP_F16: return Nccl::f16;
    case BP_BF16: return Nccl::bf16;
    case BP_F32: return Nccl::f32;
    case BP_F64: return Nccl::f64;
    default: return -1;
  }
}

constexpr uint64_t bit(bp_dtype t) { return uint64_t{1} << t; }

constexpr uint64_t kTypes = [] {
  uint64_t all = 0;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (type_of(t) >= 0) all |= bit(t);
  return all;
}();

}  // namespace

int nccl_type(bp_dtype t) { return t == BP_BOOL ? Nccl::u8 : type_of(t); }

const char* CollectiveLibrary::resolve(void* file) {
  VersionFn version = nullptr;
  if (!find_function(file, "ncclGetVersion", &version) || version(&version_))
    return "ncclGetVersion";
  Functions f(file);
  f.need("ncclCommInitAll", &init_);
  f.need("ncclCommDestroy", &destroy_);
  f.need("ncclCommAbort", &abort_);
  f.need("ncclCommGetAsyncError", &ask_);
  f.need("ncclGroupStart", &begin_);
  f.need("ncclGroupEnd", &end_);
  f.need("ncclGetErrorString", &text_);
  AllReduceFn all_reduce = nullptr;
  f.need("ncclAllReduce", &all_reduce);
  if (f.missing()) return f.missing();
  find_function(file, "ncclGetLastError", &last_error_);
  all_reduce_ = all_reduce;
  wide_missing_ = resolve_wide(file);
  return nullptr;
}

// ncclCommInitRankConfig came with 2.14, and with it calls that wait for no other process.
const char* CollectiveLibrary::resolve_wide(void* file) {
  Functions f(file);
  f.need("ncclGetUniqueId", &wide_.make_id);
  f.need("ncclCommInitRankConfig", &wide_.init);
  f.need("ncclBroadcast", &wide_.broadcast);
  f.need("ncclReduce", &wide_.reduce);
  f.need("ncclAllGather", &wide_.all_gather);
  f.need("ncclReduceScatter", &wide_.reduce_scatter);
  f.need("ncclSend", &wide_.send);
  f.need("ncclRecv", &wide_.receive);
  return f.missing();
}

std::string CollectiveLibrary::why_not_wide() const {
  if (!is_open()) return why_;
  if (!wide_missing_) return "";
  return std::string(name_) + " has no " + wide_missing_ +
         ", which exchanges between processes need";
}

void CollectiveLibrary::open(const bp_host* host, const char* kind, const char* name,
                             const Opened& file) {
  *this = CollectiveLibrary{};
  host_ = host;
  kind_ = kind;
  if (!file.handle) {
    why_ = std::string(name) + " " + file.why;
    return;
  }
  if (const char* missing = resolve(file.handle)) {
    why_ = std::string(name) + " lacks the function " + missing + " in " + file.file;
    return;
  }
  // 2.8.4 is 2804, 2.10.5 is 21005.
  const int scale = version_ < 10000 ? 1000 : 10000;
  std::snprintf(name_, sizeof name_, "%s %d.%d.%d", name, version_ / scale, version_ % scale / 100,
                version_ % 100);
  if (version_ / scale == 2) return;
  all_reduce_ = nullptr;
  why_ = std::string(name_) + " in " + file.file + " has another interface than version 2";
}

uint64_t CollectiveLibrary::dtypes(int32_t operation) const {
  const uint64_t bf16 = version_ < kBf16Since ? uint64_t{1} << BP_BF16 : 0;
  if (operation == BP_COLLECTIVE_SUM) return kTypes & ~bf16;
  return operation == BP_COLLECTIVE_MEAN && version_ >= kAvgSince ? bp_kit::kFloats & ~bf16 : 0;
}

// What it makes of NaN in a minimum depends on its version.
uint64_t CollectiveLibrary::wide_dtypes(int32_t operation) const {
  switch (operation) {
    case BP_REDUCE_SUM:
    case BP_REDUCE_PRODUCT: return dtypes(BP_COLLECTIVE_SUM);
    case BP_REDUCE_MIN:
    case BP_REDUCE_MAX: return (kTypes & ~bp_kit::kFloats) | bit(BP_BOOL);
    default: return 0;
  }
}

bp_status CollectiveLibrary::fail(int status, const char* function, void* rank,
                                  bp_error** err) const {
  const char* more = last_error_ ? last_error_(rank) : nullptr;
  if (!more) more = "";
  const int length = static_cast<int>(std::strcspn(more, "\n"));
  return bp_kit::fail(host_, err, BP_INTERNAL, "%s: %s failed: %s (%d)%s%.*s", kind_, function,
                      text_(status), status, length ? ": " : "", length, more);
}

// NCCL_COMM_BLOCKING=0 in the environment makes calls return before they are done.
int Communicator::settled(int status) const {
  if (status != Nccl::in_progress) return status;
  for (void* rank : ranks_)
    for (;;) {
      int now = 0;
      if (const int failed = library_.ask_(rank, &now)) return failed;
      if (now == 0) break;
      if (now != Nccl::in_progress) return now;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  return 0;
}

bp_status Communicator::open(const std::vector<int>& ordinals, bp_error** err) {
  ranks_.assign(ordinals.size(), nullptr);
  const int status =
      settled(library_.init_(ranks_.data(), static_cast<int>(ordinals.size()), ordinals.data()));
  if (status == 0) return BP_OK;
  const bp_status failed = library_.fail(status, "ncclCommInitAll", nullptr, err);
  ranks_.clear();  // those that were made are the library's to give back
  return failed;
}

void Communicator::close() {
  for (void* rank : ranks_) library_.destroy_(rank);
  ranks_.clear();
}

// The calls are a group, so that the first does not wait for the others.
void Communicator::abort() {
  library_.begin_();
  for (void* rank : ranks_) library_.abort_(rank);
  library_.end_();
  ranks_.clear();
}

bp_status Communicator::all_reduce(int32_t operation, bp_dtype dtype, uint64_t count,
                                   const std::vector<void*>& data,
                                   const std::vector<void*>& streams, bp_error** err) {
  const int op = operation == BP_COLLECTIVE_MEAN ? Nccl::avg : Nccl::sum;
  if (const int status = library_.begin_())
    return library_.fail(status, "ncclGroupStart", ranks_[0], err);
  int status = 0;
  size_t rank = 0;
  for (; rank < ranks_.size(); ++rank) {
    status = library_.all_reduce_(data[rank], data[rank], count, type_of(dtype), op, ranks_[rank],
                                  streams[rank]);
    if (status && status != Nccl::in_progress) break;
  }
  // It ends after a failure too, because a group stays open for all calls of the thread.
  const int end = library_.end_();
  if (rank < ranks_.size()) return library_.fail(status, "ncclAllReduce", ranks_[rank], err);
  const int done = settled(end);
  return done == 0 ? BP_OK : library_.fail(done, "ncclGroupEnd", ranks_[0], err);
}

bp_status Communicator::check(bp_error** err) const {
  for (void* rank : ranks_) {
    int met = 0, status = library_.ask_(rank, &met);
    if (status == 0) status = met == Nccl::in_progress ? 0 : met;
    if (status) return library_.fail(status, "an exchange", rank, err);
  }
  return BP_OK;
}

}  // namespace bp_gpu
