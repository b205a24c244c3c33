// SPDX-License-Identifier: Apache-2.0
// replicas.h: one model on several devices of a kind: the same parameters on each, a part of each
// batch on each, and gradients that are averaged over the devices while backward still computes.
// Gradients are averaged in buckets of up to bucket_bytes. They take the parameters in reverse
// order, as backward reaches them; the first bucket is smaller, so that the first exchange begins
// early. When the last gradient of a bucket has arrived on all devices, its exchange is queued in
// streams of its own, beside the work of backward, and finish() makes the devices' current streams
// wait for it. The buckets' memory is kept from step to step. A further backward before finish()
// waits for the exchanges under way and adds to the averages, and what it leaves is averaged again:
// the mean of a mean and of new parts is the mean of all. With a group of processes each bucket is
// averaged over this one's devices first and then, as a work, over the members; finish() waits for
// it. All members exchange all buckets, in one order. Behind its gradients a bucket has a number
// for each parameter, above 0 where some device of some member had a gradient. Whoever holds a
// Ref<Replicas> owns it, and it holds the parameters. Only the thread that runs backward uses it.
//
//   Tensor* params[] = {&t};
//   Ref<Replicas> r = new_replicas(params, /*n_devices=*/1, /*bucket_bytes=*/25 << 20);
//   r->finish();   // after backward and before the optimisers' steps
#pragma once
#include <mutex>
#include <span>
#include <vector>

#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/device/stream.h"
#include "core/group/group.h"
#include "core/group/use_device.h"
#include "core/tensor/tensor.h"

struct bp_replicas;
bp::Ref<bp_replicas> make_replicas(std::span<bp::Tensor* const> params, size_t n_devices,
                                   uint64_t bucket_bytes);

struct bp_replicas final : bp::Object {
  struct Bucket {
    std::vector<size_t> params;
    bp_dtype dtype;
    int64_t count = 0;                        // number of elements
    std::vector<bp::Ref<bp::Tensor>> runs{};  // one per device, made at the first exchange
    size_t missing = 0;                       // number of gradients that have not arrived
    bool done = false;
    bp::Ref<bp::Work> work{};      // over the members
    std::vector<size_t> unused{};  // the parameters that have a gradient on no device here
  };
  size_t n_devices = 0, n_params = 0;
  std::vector<bp::Ref<bp::Tensor>> params;  // [device][param]
  std::vector<uint64_t> hooks;              // two for each of them
  std::vector<Bucket> buckets;
  std::vector<size_t> bucket_of;             // by parameter
  std::vector<char> arrived;                 // indexed as params
  std::vector<bp::Ref<bp::Stream>> streams;  // one per device
  bp::Ref<bp::ProcessGroup> group;           // empty without other processes
  size_t n_begun = 0;                        // buckets that are exchanged with its members
  bool held = false;
  bp::CallMutex mutex;

  bp_replicas() : Object(bp::Tag::kReplicas) {}
  static void destroy(bp_replicas* r) noexcept;

  // Averages what is left, and lets the devices' current streams wait for all of it. A parameter
  // without a gradient on some device counts as zeros there; one without a gradient on every
  // device keeps none.
  void finish();
  // With uses_device exchanges go from device to device where the members' devices can.
  void join(bp::ProcessGroup& g, bool uses_device);
  void leave();
  void hold(bool on);

  bp::Tensor& param(size_t device, size_t i) const { return *params[device * n_params + i]; }

 private:
  friend bp::Ref<bp_replicas> make_replicas(std::span<bp::Tensor* const> params, size_t n_devices,
                                            uint64_t bucket_bytes);
  void fill_buckets(uint64_t bytes);
  void before_adding(size_t i);
  void wait_for_exchanges();
  void note(size_t device, size_t i);
  void exchange(Bucket& b);
  void exchange_in_order(bool all);
  void put_flags(Bucket& b);
  void deliver(Bucket& b);
  void begin_again(Bucket& b);
  void begin_anew() noexcept;
  std::vector<bp::DeviceOffer> check_members(bp::ProcessGroup& g, bool uses_device) const;
  template <class F>
  void each_place(const Bucket& b, F&& body);
};

namespace bp {

using Replicas = bp_replicas;

// Returns [device][param]: on each device leaves of their own with the parameters' values. A
// parameter that is on the device already is returned itself.
std::vector<Ref<Tensor>> replicated(std::span<Tensor* const> params,
                                    std::span<const bp_device> devices);
// Cuts a batch into equal parts along its first dimension and copies each to its device. Where they
// do not come out even, the last one is smaller.
std::vector<Ref<Tensor>> scattered(Tensor& batch, std::span<const bp_device> devices);
// Copies into a parameter what another one has, without a gradient.
void give_values(Tensor& to, Tensor& from);
Ref<Replicas> new_replicas(std::span<Tensor* const> params, size_t n_devices,
                           uint64_t bucket_bytes);
// The handle check at the border: throws BP_INVALID_ARGUMENT or BP_BAD_STATE.
Replicas& checked(const bp_replicas* r);

}  // namespace bp
