// SPDX-License-Identifier: Apache-2.0
#include "core/group/group.h"

#include <cstring>

#include "core/backend/registry.h"
#include "core/base/guard.h"
#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/group/device_way.h"
#include "core/group/engine.h"
#include "core/process/device_kind.h"
#include "core/tensor/tape.h"
#include "core/tensor/traced.h"

namespace bp {
namespace {

constexpr uint32_t kMostTag = 32767;

bool is_cpu(const Tensor& t) { return &t.device() == &cpu_device(); }

// The elements of which a complex sum is made, and what else is exchanged as it is.
bp_dtype dtype_of_parts(bp_dtype d) { return d == BP_C64 ? +BP_F32 : d == BP_C128 ? +BP_F64 : d; }

// Uninitialised host memory for t's elements; pinned where the device has that.
Ref<Tensor> host_room(const Tensor& t, bp_dtype dtype) {
  if (!is_cpu(t) && t.device().pinned) return new_pinned(t.shape, dtype, t.device());
  return new_tensor(t.shape, dtype, cpu_device());
}

Ref<Tensor> plain(Tensor& t) { return t.trace ? detach(t) : Ref<Tensor>::share(&t); }

// An exchange that is being made ready.
class Exchange {
 public:
  Exchange(ProcessGroup& g, int32_t kind) : group_(g), work_(Ref<Work>::adopt(new Work)) {
    only_unrecorded(exchange_name(kind), "other processes take part in it");
    g.member->check_process();
    work_->member = g.member;
    work_->what.struct_size = sizeof(bp_exchange);
    work_->what.kind = work_->claim.kind = kind;
    work_->what.dtype = BP_U8;
    work_->claim.operation = -1;
  }
  const char* name() const { return exchange_name(work_->claim.kind); }
  // From device to device where the group uses that of this tensor, which all members have.
  void by(const Tensor& t) {
    way_ = group_.member->way();
    if (way_ && !way_->serves(t)) way_ = {};
  }

  void peer(uint32_t rank, const char* what) {
    if (rank >= group_.size())
      fail(BP_INDEX_OUT_OF_RANGE, "{}: {} {} is out of range for a group of {} members", name(),
           what, rank, group_.size());
    work_->what.peer = work_->claim.peer = rank;
  }
  // The part's dtype and shape, which all members share.
  void part(bp_dtype dtype, Span shape) {
    work_->claim.dtype = dtype;
    set_shape(work_->claim, shape);
    n_bytes_ = work_->what.count = static_cast<uint64_t>(numel(shape) * dtype_bytes(dtype));
  }
  // Chooses in which dtype the plugin reduces parts of this one.
  void operation(bp_reduce_op operation, bp_dtype dtype, Span shape) {
    check_operation(operation, dtype);
    const bool mean = operation == BP_REDUCE_MEAN;
    work_->claim.operation = operation;
    work_->what.operation = mean ? +BP_REDUCE_SUM : operation;
    if (mean) work_->factor = 1.0 / group_.size();
    reduces_in_ = is_narrow(dtype) ? BP_F32 : dtype;
    work_->what.dtype = reduces_in_;
    work_->what.count = static_cast<uint64_t>(numel(shape));
    if (way_ && reduces_between_devices()) return;
    way_ = {};
    const uint64_t taken = group_.member->about.dtypes[work_->what.operation];
    if (!(taken >> reduces_in_ & 1))
      fail(BP_UNSUPPORTED, "{}: the library of {} does not reduce {}", name(),
           group_.member->about.kind, dtype_name(dtype));
  }
  // What is sent; a copy of it where it may overlap what is `written`.
  void from(Tensor& t, const Tensor* written = nullptr) {
    const bool direct = is_direct(t) && !(written && same_storage(t, *written));
    work_->from = direct ? plain(t) : copied(t);
    work_->what.from = work_->from->data();
  }
  // What is received; with `sends` it is sent first.
  void to(Tensor& t, bool sends) {
    check_writable(t);
    Ref<Tensor> target = plain(t);
    if (is_direct(t)) {
      work_->to = target;
      if (work_->factor != 1) work_->result = std::move(target);
    } else {
      work_->to = sends ? copied(t) : room(t);
      work_->result = std::move(target);
    }
    work_->what.to = work_->to->data();
    bump(t);
  }
  void timeout(int64_t ns) { work_->timeout_ns = ns; }
  void tag(uint32_t tag) {
    if (tag > kMostTag) fail(BP_INVALID_ARGUMENT, "{}: tag {} is above {}", name(), tag, kMostTag);
    work_->what.tag = tag;
  }
  Ref<Work> begin() {
    work_->claim.on_device = way_ != nullptr;
    if (way_)
      way_->begin(work_);
    else
      group_.member->post(work_);
    group_.member->n_bytes.fetch_add(n_bytes_, std::memory_order_relaxed);
    return std::move(work_);
  }
  bp_exchange& what() { return work_->what; }
  Claim& claim() { return work_->claim; }

 private:
  void check_operation(bp_reduce_op operation, bp_dtype dtype) const {
    if (operation < BP_REDUCE_SUM || operation > BP_REDUCE_MEAN)
      fail(BP_INVALID_ARGUMENT, "{}: operation {} is none of BP_REDUCE_*", name(), operation);
    const bool orders = operation == BP_REDUCE_MIN || operation == BP_REDUCE_MAX;
    if (orders ? is_complex(dtype) : dtype == BP_BOOL)
      fail(BP_DTYPE_MISMATCH, "{}: {} is not defined for {}", name(),
           operation == BP_REDUCE_SUM       ? "a sum"
           : operation == BP_REDUCE_PRODUCT ? "a product"
           : operation == BP_REDUCE_MEAN    ? "a mean"
                                            : "an order",
           dtype_name(dtype));
    if (operation == BP_REDUCE_MEAN && is_integer(dtype))
      fail(BP_DTYPE_MISMATCH, "{}: expected floating or complex elements for a mean, got {}",
           name(), dtype_name(dtype));
  }
  bp_dtype dtype_of_exchange(const Tensor& t) const {
    return reduces_in_ == BP_DTYPE_NONE ? t.dtype : reduces_in_;
  }
  // A complex sum is one of its parts.
  bool reduces_between_devices() {
    bp_exchange& what = work_->what;
    const bool parts = what.operation == BP_REDUCE_SUM && is_complex(what.dtype);
    const bp_dtype dtype = parts ? dtype_of_parts(what.dtype) : what.dtype;
    if (!(way_->dtypes(what.operation) >> dtype & 1)) return false;
    what.dtype = dtype;
    if (parts) what.count *= 2;
    return true;
  }
  bool is_direct(const Tensor& t) const {
    const bool reached = way_ ? way_->serves(t) : is_cpu(t);
    return reached && t.contiguous && dtype_of_exchange(t) == t.dtype;
  }
  Ref<Tensor> room(const Tensor& t) const {
    const bp_dtype dtype = dtype_of_exchange(t);
    return way_ ? new_tensor(t.shape, dtype, way_->room()) : host_room(t, dtype);
  }
  static bool same_storage(const Tensor& a, const Tensor& b) {
    return a.storage.get() == b.storage.get();
  }
  Ref<Tensor> copied(Tensor& t) const {
    Ref<Tensor> copy = room(t);
    copy_into(*copy, *plain(t), /*non_blocking=*/true);
    return copy;
  }

  ProcessGroup& group_;
  Ref<Work> work_;
  std::shared_ptr<DeviceWay> way_;  // nullptr: through the hosts
  bp_dtype reduces_in_ = BP_DTYPE_NONE;
  uint64_t n_bytes_ = 0;  // of this member's part
};

// The shape of a part of t, whose first dimension counts the members.
Span part_of(const Exchange& x, const ProcessGroup& g, const Tensor& t, const char* what) {
  if (t.rank() == 0 || t.shape[0] != static_cast<int64_t>(g.size()))
    fail(BP_INVALID_ARGUMENT,
         "{}: {} has the shape {}, expected [{}, ...], one part for each member", x.name(), what,
         format_shape(t.shape), g.size());
  return Span(t.shape).subspan(1);
}

void expect(const Exchange& x, const Tensor& t, bp_dtype dtype, Span shape, const char* what) {
  if (t.dtype != dtype || Span(t.shape).size() != shape.size() ||
      !std::equal(shape.begin(), shape.end(), Span(t.shape).begin()))
    fail(t.dtype != dtype ? BP_DTYPE_MISMATCH : BP_INVALID_ARGUMENT,
         "{}: {} is {} {}, expected {} {}", x.name(), what, dtype_name(t.dtype),
         format_shape(t.shape), dtype_name(dtype), format_shape(shape));
}

}  // namespace

// The handle comes first: a membership without one would last for ever.
Ref<ProcessGroup> new_group(std::string_view kind, const JoinOptions& options) {
  auto g = Ref<ProcessGroup>::adopt(new ProcessGroup);
  g->member = join_group(require_backend(intern_kind(kind)), options);
  return g;
}

Ref<ProcessGroup> split(ProcessGroup& g, int32_t color, int32_t key) {
  only_unrecorded("split", "other processes take part in it");
  auto part = Ref<ProcessGroup>::adopt(new ProcessGroup);
  part->member = split_group(g.member, color, key);
  return part->member ? part : Ref<ProcessGroup>{};
}

Ref<Work> barrier(ProcessGroup& g, int64_t timeout_ns) {
  Exchange x(g, BP_EXCHANGE_BARRIER);
  x.timeout(timeout_ns);
  return x.begin();
}

Ref<Work> broadcast(ProcessGroup& g, Tensor& t, uint32_t root) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_BROADCAST);
  x.by(t);
  x.peer(root, "root");
  x.part(t.dtype, t.shape);
  x.to(t, /*sends=*/g.rank() == root);
  return x.begin();
}

Ref<Work> all_reduce(ProcessGroup& g, Tensor& t, bp_reduce_op operation) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_ALL_REDUCE);
  x.by(t);
  x.part(t.dtype, t.shape);
  x.operation(operation, t.dtype, t.shape);
  x.to(t, /*sends=*/true);
  return x.begin();
}

Ref<Work> reduce(ProcessGroup& g, Tensor& t, bp_reduce_op operation, uint32_t root) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_REDUCE);
  x.by(t);
  x.peer(root, "root");
  x.part(t.dtype, t.shape);
  x.operation(operation, t.dtype, t.shape);
  if (g.rank() == root) {
    x.to(t, /*sends=*/true);
  } else {
    x.from(t);
  }
  return x.begin();
}

Ref<Work> all_gather(ProcessGroup& g, Tensor& t, Tensor& out) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_ALL_GATHER);
  x.by(t);
  expect(x, t, out.dtype, part_of(x, g, out, "out"), "the tensor");
  x.part(t.dtype, t.shape);
  x.from(t, &out);
  x.to(out, /*sends=*/false);
  return x.begin();
}

Ref<Work> reduce_scatter(ProcessGroup& g, Tensor& t, bp_reduce_op operation, Tensor& out) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_REDUCE_SCATTER);
  x.by(t);
  expect(x, out, t.dtype, part_of(x, g, t, "the tensor"), "out");
  x.part(out.dtype, out.shape);
  x.operation(operation, out.dtype, out.shape);
  x.from(t, &out);
  x.to(out, /*sends=*/false);
  return x.begin();
}

Ref<Work> all_to_all(ProcessGroup& g, Tensor& t, Tensor& out) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_ALL_TO_ALL);
  x.by(t);
  const Span part = part_of(x, g, t, "the tensor");
  expect(x, out, t.dtype, t.shape, "out");
  x.part(t.dtype, part);
  x.from(t, &out);
  x.to(out, /*sends=*/false);
  return x.begin();
}

Ref<Work> gather(ProcessGroup& g, Tensor& t, uint32_t root, Tensor* out) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_GATHER);
  x.by(t);
  x.peer(root, "root");
  if (g.rank() == root) {
    const Span part = part_of(x, g, *need(out, "out"), "out");
    expect(x, t, out->dtype, part, "the tensor");
  }
  x.part(t.dtype, t.shape);
  x.from(t, g.rank() == root ? out : nullptr);
  if (g.rank() == root) x.to(*out, /*sends=*/false);
  return x.begin();
}

Ref<Work> scatter(ProcessGroup& g, Tensor* t, uint32_t root, Tensor& out) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_SCATTER);
  x.by(out);
  x.peer(root, "root");
  if (g.rank() == root) {
    need(t, "the tensor of root");
    expect(x, out, t->dtype, part_of(x, g, *t, "the tensor"), "out");
    x.from(*t, &out);
  }
  x.part(out.dtype, out.shape);
  x.to(out, /*sends=*/false);
  return x.begin();
}

Ref<Work> send(ProcessGroup& g, Tensor& t, uint32_t to, uint32_t tag) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_SEND);
  x.peer(to, "receiver");
  x.tag(tag);
  x.part(t.dtype, t.shape);
  x.from(t);
  return x.begin();
}

Ref<Work> receive(ProcessGroup& g, Tensor& t, uint32_t from, uint32_t tag) {
  const RecordGuard guard(false);
  Exchange x(g, BP_EXCHANGE_RECEIVE);
  x.peer(from, "sender");
  x.tag(tag);
  x.part(t.dtype, t.shape);
  x.to(t, /*sends=*/false);
  return x.begin();
}

void wait(Work& w) {
  w.member->await(w);
  w.deliver();
}

void sum_numbers(ProcessGroup& g, std::span<double> numbers) {
  const int64_t shape[] = {static_cast<int64_t>(numbers.size())};
  const Ref<Tensor> t = new_tensor(shape, BP_F64, cpu_device());
  std::memcpy(t->data(), numbers.data(), numbers.size_bytes());
  const Ref<Work> w = all_reduce(g, *t, BP_REDUCE_SUM);
  wait(*w);
  std::memcpy(numbers.data(), t->data(), numbers.size_bytes());
}

void give_up(ProcessGroup& g, std::string_view why) noexcept {
  g.member->break_off_here(BP_UNAVAILABLE, why);
}

// The caller's memory may go when the call fails, and that of an exchange may not: it is copied.
void broadcast_bytes(ProcessGroup& g, void* bytes, uint64_t n, uint32_t root) {
  const int64_t shape[] = {static_cast<int64_t>(n)};
  const Ref<Tensor> copy = new_tensor(shape, BP_U8, cpu_device());
  if (n) std::memcpy(copy->data(), need(bytes, "bytes"), n);
  Exchange x(g, BP_EXCHANGE_BROADCAST);
  x.peer(root, "root");
  x.part(BP_U8, shape);
  x.claim().is_bytes = 1;
  x.to(*copy, /*sends=*/g.rank() == root);
  const Ref<Work> w = x.begin();
  wait(*w);
  if (n) std::memcpy(bytes, copy->data(), n);
}

void all_gather_bytes(ProcessGroup& g, const void* bytes, uint64_t n, void* out) {
  const int64_t shape[] = {static_cast<int64_t>(n)};
  const int64_t all[] = {static_cast<int64_t>(g.size()), shape[0]};
  const Ref<Tensor> mine = new_tensor(shape, BP_U8, cpu_device());
  const Ref<Tensor> theirs = new_tensor(all, BP_U8, cpu_device());
  if (n) std::memcpy(mine->data(), need(bytes, "bytes"), n), need(out, "out");
  Exchange x(g, BP_EXCHANGE_ALL_GATHER);
  x.part(BP_U8, shape);
  x.claim().is_bytes = 1;
  x.from(*mine);
  x.to(*theirs, /*sends=*/false);
  const Ref<Work> w = x.begin();
  wait(*w);
  if (n) std::memcpy(out, theirs->data(), n * g.size());
}

ProcessGroup& checked(const bp_group* g) {
  if (need(g, "group")->tag != Tag::kGroup) fail(BP_INVALID_ARGUMENT, "group is no group");
  if (g->born != generation()) fail(BP_BAD_STATE, "group was made before bp_shutdown");
  return *const_cast<ProcessGroup*>(g);
}

Work& checked(const bp_work* w) {
  if (need(w, "work")->tag != Tag::kWork) fail(BP_INVALID_ARGUMENT, "work is no work of a group");
  if (w->born != generation()) fail(BP_BAD_STATE, "work was made before bp_shutdown");
  return *const_cast<Work*>(w);
}

}  // namespace bp

using namespace bp;

// In a forked child threads of the parent's may be waiting in what the handle shares with them.
void bp_group::destroy(bp_group* g) noexcept {
  if (g->member && g->member->n_forks_then == n_forks.load(std::memory_order_relaxed))
    g->member->close();
  else if (g->member)
    static_cast<void>(new (std::nothrow) std::shared_ptr<Membership>(std::move(g->member)));
  delete g;
}

void bp_work::destroy(bp_work* w) noexcept {
  if (w->member && w->member->n_forks_then != n_forks.load(std::memory_order_relaxed))
    static_cast<void>(new (std::nothrow) std::shared_ptr<Membership>(std::move(w->member)));
  delete w;
}

void bp_work::deliver() {
  const std::lock_guard lock(mutex_);
  if (delivered_) {
    if (there_) wait(current_stream(*there_->device), *there_);
    return;
  }
  const RecordGuard guard(false);
  if (factor != 1 && to) {
    const bp_value in[] = {tensor_value(*to), number(factor)};
    Ref<Tensor> out[1] = {to};
    invoke(*find_op(BP_OP_MUL), in, {}, out);
    factor = 1;
  }
  if (result && result->storage.get() != to->storage.get()) {
    copy_into(*result, *to, /*non_blocking=*/true);
    if (!result->device().is_host()) there_ = mark(current_stream(result->device()));
  } else if (queued) {
    there_ = result ? mark(current_stream(to->device())) : queued;
  }
  delivered_ = true;
}
