// SPDX-License-Identifier: Apache-2.0
// backplane_group.hpp: processes that exchange tensors; what each exchange means is in c_group.h.
// Include backplane.hpp.
//
//   bp::ProcessGroup all = bp::ProcessGroup::join("mpi", {std::chrono::seconds(30)});
//   all.broadcast(w);                                    // of rank 0, to all
//   bp::Work sum = all.all_reduce_async(x, bp::Reduce::kMean);
//   sum.wait();                                          // x is the mean of all members
//   bp::Tensor parts = all.all_gather(y);                // [size, ...]
#ifndef BACKPLANE_GROUP_HPP
#define BACKPLANE_GROUP_HPP

#include <chrono>
#include <cstddef>
#include <string>

#include "backplane_tensor.hpp"

namespace backplane {

// What members make of their elements.
enum class Reduce : bp_reduce_op {
  kSum = BP_REDUCE_SUM,
  kProduct = BP_REDUCE_PRODUCT,
  kMin = BP_REDUCE_MIN,  // NaN where a member has one
  kMax = BP_REDUCE_MAX,
  kMean = BP_REDUCE_MEAN  // floating and complex dtypes
};

// An exchange under way. Its tensors must not be written, and its results not be read, before
// wait() returns. Copies share it. It goes on without its handles; results on an accelerator, of
// another layout or in half precision then never appear.
class Work {
 public:
  bp_work* get() const noexcept { return handle_.get(); }
  // Returns whether it is over. Throws what it met.
  bool done() const {
    return detail::call([&](bp_error** e) { return bp_work_query(get(), e); }) == BP_OK;
  }
  // Waits until it is over. Throws what it met, each time.
  void wait() const {
    detail::call([&](bp_error** e) { return bp_work_wait(get(), e); });
  }

 private:
  friend class ProcessGroup;
  Work() noexcept = default;
  detail::Handle<bp_work, bp_work_retain, bp_work_release> handle_;
};

struct GroupOptions {
  std::chrono::nanoseconds timeout{0};  // of each exchange; 0: 30 minutes
  // Whether members check that their calls agree; nothing: what BACKPLANE_CHECK_GROUPS says.
  std::optional<bool> checks = {};
  const void* native = nullptr;  // the processes, for "mpi" a pointer to an MPI_Comm; nullptr: all
};

// The members of a group, as one of them sees them. Copies share it; the last one leaves the group.
// Each exchange throws BP_UNAVAILABLE when a member is gone or does not come in time; the group is
// of no use then. One whose name ends in _async returns when it is begun.
class ProcessGroup {
 public:
  // Joins the processes that were started together, for which it waits until the timeout.
  static ProcessGroup join(const std::string& kind = "mpi", const GroupOptions& options = {}) {
    bp_group_desc desc{};
    desc.struct_size = sizeof desc;
    if (options.checks) desc.flags = *options.checks ? +BP_GROUP_CHECK : +BP_GROUP_NO_CHECK;
    desc.kind = detail::c_text(kind);
    desc.timeout_ns = options.timeout.count();
    desc.native = options.native;
    bp_group* g = nullptr;
    detail::call([&](bp_error** e) { return bp_group_join(&desc, &g, e); });
    return ProcessGroup(g);
  }
  // Returns the members that give the same color >= 0, ordered by key and then by rank; nothing for
  // color -1. All members call it.
  std::optional<ProcessGroup> split(std::int32_t color, std::int32_t key = 0) const {
    bp_group* g = nullptr;
    detail::call([&](bp_error** e) { return bp_group_split(get(), color, key, &g, e); });
    if (!g) return std::nullopt;
    return ProcessGroup(g);
  }
  bp_group* get() const noexcept { return handle_.get(); }
  bp_group_info info() const {
    bp_group_info info{};
    info.struct_size = sizeof info;
    detail::call([&](bp_error** e) { return bp_group_get_info(get(), &info, e); });
    return info;
  }
  std::uint32_t rank() const { return info().rank; }
  std::uint32_t size() const { return info().size; }
  std::uint32_t local_rank() const { return info().local_rank; }  // on this machine
  std::uint32_t local_size() const { return info().local_size; }
  // Ends the group because this member cannot go on: the others learn the sentence.
  void abort(const std::string& sentence) const {
    detail::call([&](bp_error** e) { return bp_group_abort(get(), detail::c_text(sentence), e); });
  }
  // Sets the time in which each later exchange must be over.
  void set_timeout(std::chrono::nanoseconds timeout) const {
    detail::call([&](bp_error** e) { return bp_group_set_timeout(get(), timeout.count(), e); });
  }

  // From now on exchanges of tensors on this device go through its vendor's library, which
  // info().device_library names, and not through the host. All members call it, each with a device
  // of its own. Throws with BP_UNSUPPORTED on all alike where that cannot be.
  void use_device(const Device& device) const {
    detail::call([&](bp_error** e) { return bp_group_use_device(get(), device.value(), e); });
  }

  // Returns when all members have called it; a timeout of 0 is the group's.
  void barrier(std::chrono::nanoseconds timeout = {}) const {
    now([&](bp_work** w, bp_error** e) { return bp_group_barrier(get(), timeout.count(), w, e); });
  }
  Work barrier_async(std::chrono::nanoseconds timeout = {}) const {
    return begun(
        [&](bp_work** w, bp_error** e) { return bp_group_barrier(get(), timeout.count(), w, e); });
  }
  // t of member root goes to t of all.
  void broadcast(const Tensor& t, std::uint32_t root = 0) const {
    now([&](bp_work** w, bp_error** e) { return bp_group_broadcast(get(), t.get(), root, w, e); });
  }
  Work broadcast_async(const Tensor& t, std::uint32_t root = 0) const {
    return begun(
        [&](bp_work** w, bp_error** e) { return bp_group_broadcast(get(), t.get(), root, w, e); });
  }
  // Each member's t becomes the reduction of all, the same bits everywhere.
  void all_reduce(const Tensor& t, Reduce operation = Reduce::kSum) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_all_reduce(get(), t.get(), value(operation), w, e);
    });
  }
  Work all_reduce_async(const Tensor& t, Reduce operation = Reduce::kSum) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_all_reduce(get(), t.get(), value(operation), w, e);
    });
  }
  // The same for member root; the others keep what they have.
  void reduce(const Tensor& t, Reduce operation = Reduce::kSum, std::uint32_t root = 0) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_reduce(get(), t.get(), value(operation), root, w, e);
    });
  }
  Work reduce_async(const Tensor& t, Reduce operation = Reduce::kSum,
                    std::uint32_t root = 0) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_reduce(get(), t.get(), value(operation), root, w, e);
    });
  }
  // Returns t of all members, of shape [size, ...].
  Tensor all_gather(const Tensor& t) const {
    Tensor out = room_for_all(t);
    all_gather(t, out);
    return out;
  }
  void all_gather(const Tensor& t, const Tensor& out) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_all_gather(get(), t.get(), out.get(), w, e);
    });
  }
  Work all_gather_async(const Tensor& t, const Tensor& out) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_all_gather(get(), t.get(), out.get(), w, e);
    });
  }
  // Returns the reduction of the members' t[rank]; t has the shape [size, ...].
  Tensor reduce_scatter(const Tensor& t, Reduce operation = Reduce::kSum) const {
    Tensor out = room_for_part(t);
    reduce_scatter(t, out, operation);
    return out;
  }
  void reduce_scatter(const Tensor& t, const Tensor& out, Reduce operation = Reduce::kSum) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_reduce_scatter(get(), t.get(), value(operation), out.get(), w, e);
    });
  }
  Work reduce_scatter_async(const Tensor& t, const Tensor& out,
                            Reduce operation = Reduce::kSum) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_reduce_scatter(get(), t.get(), value(operation), out.get(), w, e);
    });
  }
  // Returns t[rank] of each member, in their order; both have the shape [size, ...].
  Tensor all_to_all(const Tensor& t) const {
    Tensor out = room(t.shape(), t);
    all_to_all(t, out);
    return out;
  }
  void all_to_all(const Tensor& t, const Tensor& out) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_all_to_all(get(), t.get(), out.get(), w, e);
    });
  }
  Work all_to_all_async(const Tensor& t, const Tensor& out) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_all_to_all(get(), t.get(), out.get(), w, e);
    });
  }
  // Returns t of all members, of shape [size, ...], to member root, and an undefined tensor to the
  // others.
  Tensor gather(const Tensor& t, std::uint32_t root = 0) const {
    Tensor out = rank() == root ? room_for_all(t) : Tensor();
    gather(t, out, root);
    return out;
  }
  // out is undefined on all members but root.
  void gather(const Tensor& t, const Tensor& out, std::uint32_t root = 0) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_gather(get(), t.get(), root, out.get(), w, e);
    });
  }
  Work gather_async(const Tensor& t, const Tensor& out, std::uint32_t root = 0) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_gather(get(), t.get(), root, out.get(), w, e);
    });
  }
  // out gets t[rank] of member root, of shape [size, ...]; t is undefined on the others.
  void scatter(const Tensor& t, const Tensor& out, std::uint32_t root = 0) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_scatter(get(), t.get(), root, out.get(), w, e);
    });
  }
  Work scatter_async(const Tensor& t, const Tensor& out, std::uint32_t root = 0) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_scatter(get(), t.get(), root, out.get(), w, e);
    });
  }
  // A message to one member; tag <= 32767.
  void send(const Tensor& t, std::uint32_t to, std::uint32_t tag = 0) const {
    now([&](bp_work** w, bp_error** e) { return bp_group_send(get(), t.get(), to, tag, w, e); });
  }
  Work send_async(const Tensor& t, std::uint32_t to, std::uint32_t tag = 0) const {
    return begun(
        [&](bp_work** w, bp_error** e) { return bp_group_send(get(), t.get(), to, tag, w, e); });
  }
  void receive(const Tensor& t, std::uint32_t from, std::uint32_t tag = 0) const {
    now([&](bp_work** w, bp_error** e) {
      return bp_group_receive(get(), t.get(), from, tag, w, e);
    });
  }
  Work receive_async(const Tensor& t, std::uint32_t from, std::uint32_t tag = 0) const {
    return begun([&](bp_work** w, bp_error** e) {
      return bp_group_receive(get(), t.get(), from, tag, w, e);
    });
  }
  // The bytes of member root go to all.
  void broadcast_bytes(void* bytes, std::size_t n_bytes, std::uint32_t root = 0) const {
    detail::call(
        [&](bp_error** e) { return bp_group_broadcast_bytes(get(), bytes, n_bytes, root, e); });
  }
  // out, of size * n_bytes, gets the bytes of all members, in their order.
  void all_gather_bytes(const void* bytes, std::size_t n_bytes, void* out) const {
    detail::call(
        [&](bp_error** e) { return bp_group_all_gather_bytes(get(), bytes, n_bytes, out, e); });
  }
#ifdef __cpp_lib_span
  void broadcast_bytes(std::span<std::byte> bytes, std::uint32_t root = 0) const {
    broadcast_bytes(bytes.data(), bytes.size(), root);
  }
  // Returns the bytes of all members, in their order. Each gives as many.
  std::vector<std::byte> all_gather_bytes(std::span<const std::byte> bytes) const {
    std::vector<std::byte> out(bytes.size() * size());
    all_gather_bytes(bytes.data(), bytes.size(), out.data());
    return out;
  }
#endif

 private:
  explicit ProcessGroup(bp_group* owned) noexcept : handle_(owned) {}
  static bp_reduce_op value(Reduce operation) noexcept {
    return static_cast<bp_reduce_op>(operation);
  }
  template <class F>
  static void now(F&& exchange) {
    detail::call([&](bp_error** e) { return exchange(nullptr, e); });
  }
  template <class F>
  static Work begun(F&& exchange) {
    bp_work* w = nullptr;
    detail::call([&](bp_error** e) { return exchange(&w, e); });
    Work work;
    work.handle_.reset(w);
    return work;
  }
  Tensor room(const Shape& shape, const Tensor& like) const {
    bp_tensor* t = nullptr;
    detail::call([&](bp_error** e) {
      return bp_tensor_empty(static_cast<std::int32_t>(shape.size()), shape.data(), like.dtype(),
                             like.device().value(), &t, e);
    });
    return Tensor::adopt(t);
  }
  Tensor room_for_all(const Tensor& t) const {
    Shape shape = t.shape();
    shape.insert(shape.begin(), static_cast<std::int64_t>(size()));
    return room(shape, t);
  }
  Tensor room_for_part(const Tensor& t) const {
    Shape shape = t.shape();
    if (!shape.empty()) shape.erase(shape.begin());
    return room(shape, t);
  }
  detail::Handle<bp_group, bp_group_retain, bp_group_release> handle_;
};

}  // namespace backplane
#endif
