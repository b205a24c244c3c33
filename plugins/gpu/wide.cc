// SPDX-License-Identifier: Apache-2.0
#include "gpu/wide.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "gpu/collective.h"
#include "kit/error.h"

struct bp_pwide {
  bp_pdev* device;
  bp_gpu::WideMember member;
};

namespace bp_gpu {
namespace {

constexpr int kStopped = -1;  // none of the library's statuses

int operation_of(int32_t operation) {
  switch (operation) {
    case BP_REDUCE_PRODUCT: return Nccl::prod;
    case BP_REDUCE_MIN: return Nccl::min;
    case BP_REDUCE_MAX: return Nccl::max;
    default: return Nccl::sum;
  }
}

const char* function_of(int32_t kind) {
  switch (kind) {
    case BP_EXCHANGE_BROADCAST: return "ncclBroadcast";
    case BP_EXCHANGE_ALL_REDUCE: return "ncclAllReduce";
    case BP_EXCHANGE_REDUCE: return "ncclReduce";
    case BP_EXCHANGE_ALL_GATHER: return "ncclAllGather";
    case BP_EXCHANGE_REDUCE_SCATTER: return "ncclReduceScatter";
    default: return "ncclGroupEnd";
  }
}

bool went(int status) { return status == 0 || status == Nccl::in_progress; }

bool is_collective(int32_t kind) {
  return kind >= BP_EXCHANGE_BROADCAST && kind <= BP_EXCHANGE_SCATTER;
}

}  // namespace

bp_status WideMember::make_id(const CollectiveLibrary& library, bp_wide_id* out, bp_error** err) {
  static_assert(sizeof(Nccl::Id) == sizeof(bp_wide_id));
  Nccl::Id id{};
  if (const int status = library.wide_.make_id(&id))
    return library.fail(status, "ncclGetUniqueId", nullptr, err);
  std::memcpy(out, &id, sizeof id);
  return BP_OK;
}

bp_status WideMember::open(const bp_wide_id& given, uint32_t rank, uint32_t n_members,
                           bp_error** err) {
  Nccl::Id id{};
  std::memcpy(&id, &given, sizeof id);
  Nccl::Config config;
  self_ = rank;
  n_members_ = n_members;
  const int status =
      library_.wide_.init(&rank_, static_cast<int>(n_members), id, static_cast<int>(rank), &config);
  if (went(status)) return BP_OK;
  return library_.fail(status, "ncclCommInitRankConfig", nullptr, err);
}

bp_status WideMember::ready(bp_error** err) {
  const std::lock_guard lock(mutex_);
  int now = 0;
  int status = library_.ask_(rank_, &now);
  if (status == 0) status = now;
  if (status == Nccl::in_progress) return BP_NOT_READY;
  return status == 0 ? BP_OK : library_.fail(status, "ncclCommInitRankConfig", rank_, err);
}

// A call that returns before it is done must be over before the next one comes.
int WideMember::settled(int status) const {
  while (status == Nccl::in_progress) {
    if (stops_) return kStopped;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (const int failed = library_.ask_(rank_, &status)) return failed;
  }
  return status;
}

// Calls message(r, at) for each member, whose part is at that place; of the kind `alone` for the
// one at the other end.
template <class F>
int WideMember::each_part(const bp_exchange& x, int32_t alone, F&& message) const {
  if (x.kind == alone) return message(x.peer, uint64_t{0});
  int status = 0;
  for (uint32_t r = 0; r < n_members_ && went(status); ++r) status = message(r, r * x.count);
  return status;
}

// All parts are one group, so that none waits for another one.
int WideMember::queue_parts(const bp_exchange& x, void* stream) const {
  const NcclWide& f = library_.wide_;
  const auto send = [&](uint32_t r, uint64_t at) {
    const char* const part = static_cast<const char*>(x.from) + at;
    return f.send(part, x.count, Nccl::u8, static_cast<int>(r), rank_, stream);
  };
  const auto receive = [&](uint32_t r, uint64_t at) {
    char* const part = static_cast<char*>(x.to) + at;
    return f.receive(part, x.count, Nccl::u8, static_cast<int>(r), rank_, stream);
  };
  const bool sends = x.kind != BP_EXCHANGE_SCATTER || x.peer == self_;
  const bool receives = x.kind != BP_EXCHANGE_GATHER || x.peer == self_;
  if (const int status = library_.begin_()) return status;
  int status = sends ? each_part(x, BP_EXCHANGE_GATHER, send) : 0;
  if (receives && went(status)) status = each_part(x, BP_EXCHANGE_SCATTER, receive);
  const int end = library_.end_();  // after a failure too: a group stays open for the thread
  return went(status) ? end : status;
}

int WideMember::queue(const bp_exchange& x, void* stream) const {
  const NcclWide& f = library_.wide_;
  const int type = nccl_type(x.dtype), op = operation_of(x.operation);
  const int root = static_cast<int>(x.peer);
  const void* const from = x.from ? x.from : x.to;  // in its place
  switch (x.kind) {
    case BP_EXCHANGE_BROADCAST: return f.broadcast(x.to, x.to, x.count, type, root, rank_, stream);
    case BP_EXCHANGE_ALL_REDUCE:
      return library_.all_reduce_(x.to, x.to, x.count, type, op, rank_, stream);
    case BP_EXCHANGE_REDUCE:  // who is not root gets nothing, and gives what it sends
      return f.reduce(from, const_cast<void*>(from), x.count, type, op, root, rank_, stream);
    case BP_EXCHANGE_ALL_GATHER: return f.all_gather(from, x.to, x.count, type, rank_, stream);
    case BP_EXCHANGE_REDUCE_SCATTER:
      return f.reduce_scatter(from, x.to, x.count, type, op, rank_, stream);
    default: return queue_parts(x, stream);
  }
}

bp_status WideMember::exchange(const bp_exchange& x, void* stream, bp_error** err) {
  if (!is_collective(x.kind) || nccl_type(x.dtype) < 0)
    return bp_kit::fail(library_.host_, err, BP_UNSUPPORTED, "%s: no exchange %d of dtype %d",
                        library_.kind_, x.kind, x.dtype);
  const std::lock_guard lock(mutex_);
  const int status = rank_ ? settled(queue(x, stream)) : kStopped;
  if (status == 0) return BP_OK;
  if (status == kStopped)
    return bp_kit::fail(library_.host_, err, BP_CANCELLED, "%s: %s was aborted", library_.kind_,
                        function_of(x.kind));
  return library_.fail(status, function_of(x.kind), rank_, err);
}

// Whoever queues meanwhile sees for himself what went wrong.
bp_status WideMember::check(bp_error** err) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !rank_) return BP_OK;
  int met = 0;
  int status = library_.ask_(rank_, &met);
  if (status == 0) status = met == Nccl::in_progress ? 0 : met;
  return status == 0 ? BP_OK : library_.fail(status, "an exchange", rank_, err);
}

void WideMember::stop() {
  stops_ = true;
  const std::lock_guard lock(mutex_);
  if (rank_) library_.abort_(std::exchange(rank_, nullptr));
}

void WideMember::close() {
  const std::lock_guard lock(mutex_);
  if (rank_) library_.destroy_(std::exchange(rank_, nullptr));
}

namespace {

// ---- the table ----

bp_status guarded(const bp_pdev* d, bp_error** err, const std::function<bp_status()>& body) {
  bp_status status = BP_OK;
  try {
    on_device(d, [&] { status = body(); });
    return status;
  } catch (const std::bad_alloc&) {
    return bp_kit::fail(host_of(d), err, BP_OUT_OF_HOST_MEMORY, "host memory exhausted");
  }
}

bp_status library(bp_pdev* d, const char** name, bp_error** err) {
  return guarded(d, err, [&] {
    const CollectiveLibrary& opened = collective_library(d);
    const std::string why = opened.why_not_wide();
    if (!why.empty()) return bp_kit::fail(host_of(d), err, BP_UNAVAILABLE, "%s", why.c_str());
    *name = opened.name();
    return bp_status{BP_OK};
  });
}

bp_status make_id(bp_pdev* d, bp_wide_id* out, bp_error** err) {
  return guarded(d, err, [&] { return WideMember::make_id(collective_library(d), out, err); });
}

bp_status open(bp_pdev* d, const bp_wide_id* id, uint32_t rank, uint32_t n_members, bp_pwide** out,
               bp_error** err) {
  return guarded(d, err, [&] {
    auto made = std::unique_ptr<bp_pwide>(new bp_pwide{d, WideMember(collective_library(d))});
    const bp_status status = made->member.open(*id, rank, n_members, err);
    if (status == BP_OK) *out = made.release();
    return status;
  });
}

bp_status ready(bp_pwide* w, bp_error** err) {
  return guarded(w->device, err, [&] { return w->member.ready(err); });
}

uint64_t dtypes(bp_pwide* w, int32_t operation) {
  return w->member.opened().wide_dtypes(operation);
}

bp_status exchange(bp_pwide* w, const bp_exchange* what, bp_pstream* s, bp_error** err) {
  return guarded(w->device, err, [&] {
    bp_exchange x = *what;
    void *stream = nullptr, *from = const_cast<void*>(x.from);
    if (from)
      if (const bp_status status = native(s, &stream, &from, err)) return status;
    if (x.to)
      if (const bp_status status = native(s, &stream, &x.to, err)) return status;
    x.from = from;
    return w->member.exchange(x, stream, err);
  });
}

bp_status check(bp_pwide* w, bp_error** err) {
  return guarded(w->device, err, [&] { return w->member.check(err); });
}

void abort(bp_pwide* w) {
  on_device(w->device, [&] { w->member.stop(); });
}

void close(bp_pwide* w) {
  on_device(w->device, [&] { w->member.close(); });
  delete w;
}

}  // namespace

const bp_wide_api kWide = {
    sizeof(bp_wide_api), 0, library, make_id, open, ready, dtypes, exchange, check, abort, close};

}  // namespace bp_gpu
