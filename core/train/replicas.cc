// SPDX-License-Identifier: Apache-2.0
#include "core/train/replicas.h"

#include <algorithm>

#include "core/base/fnv.h"
#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/process/context.h"
#include "core/train/all_reduce.h"

namespace bp {
namespace {

constexpr uint64_t kFirstBucket = 1 << 20;

// Makes streams the current ones of their devices for a scope.
class StreamsScope {
 public:
  explicit StreamsScope(std::span<const Ref<Stream>> streams) {
    for (const Ref<Stream>& s : streams) {
      before_.push_back({s->device->value, Ref<Stream>::share(context_stream(s->device->value))});
      set_context_stream(s->device->value, s.get());
    }
  }
  ~StreamsScope() {
    for (const Before& b : before_) set_context_stream(b.device, b.stream.get());
  }
  StreamsScope(const StreamsScope&) = delete;
  StreamsScope& operator=(const StreamsScope&) = delete;

 private:
  struct Before {
    bp_device device;
    Ref<Stream> stream;
  };
  std::vector<Before> before_;
};

void fill(const Ref<Tensor>& t, double value) {
  const bp_value v = number(value);
  Ref<Tensor> out[1] = {t};
  const bp_attr attrs[] = {ints_value(t->shape), dtype_value(t->dtype)};
  if (t->count) invoke(*find_op(BP_OP_FILL), {&v, 1}, attrs, out);
}

void check_replicas(std::span<Tensor* const> params, size_t n_devices) {
  if (n_devices == 0 || params.empty() || params.size() % n_devices)
    fail(BP_INVALID_ARGUMENT, "replicas: {} parameters are none of {} equal models", params.size(),
         n_devices);
  const size_t n = params.size() / n_devices;
  for (size_t d = 0; d < n_devices; ++d) {
    const Device& device = params[d * n]->device();
    if (device.backend != params[0]->device().backend)
      fail(BP_DEVICE_MISMATCH,
           "replicas: parameters are on devices of several kinds, {} and {}; replicas are of one "
           "kind",
           params[0]->device().label, device.label);
    for (size_t other = 0; other < d; ++other)
      if (&params[other * n]->device() == &device)
        fail(BP_INVALID_ARGUMENT, "replicas: {} is there twice", device.label);
    for (size_t i = 0; i < n; ++i) {
      const Tensor &p = *params[d * n + i], &model = *params[i];
      if (&p.device() != &device)
        fail(BP_DEVICE_MISMATCH, "replicas: parameter {} of replica {} is on {}, expected {}", i, d,
             p.device().label, device.label);
      if (p.shape != model.shape || p.dtype != model.dtype)
        fail(BP_INVALID_ARGUMENT, "replicas: parameter {} of replica {} is {} {}, expected {} {}",
             i, d, dtype_name(p.dtype), format_shape(p.shape), dtype_name(model.dtype),
             format_shape(model.shape));
      if (!wants_grad(p) || p.trace->edge)
        fail(BP_INVALID_ARGUMENT,
             "replicas: parameter {} of replica {} is no leaf that requires a gradient", i, d);
      if (!is_floating(p.dtype))
        fail(BP_DTYPE_MISMATCH, "replicas: parameter {} is {}, expected a floating dtype", i,
             dtype_name(p.dtype));
    }
  }
}

}  // namespace

std::vector<Ref<Tensor>> replicated(std::span<Tensor* const> params,
                                    std::span<const bp_device> devices) {
  const RecordGuard guard(false);
  std::vector<Ref<Tensor>> out;
  std::vector<const Device*> seen;
  for (const bp_device d : devices) {
    const Device& device = resolve_device(d);
    if (std::find(seen.begin(), seen.end(), &device) != seen.end())
      fail(BP_INVALID_ARGUMENT, "replicate: {} is there twice", device.label);
    seen.push_back(&device);
    for (Tensor* p : params) {
      if (&p->device() == &device) {
        out.push_back(Ref<Tensor>::share(p));
        continue;
      }
      Ref<Tensor> there = detach(
          *to(*detach(*p), device.value, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/false));
      if (wants_grad(*p)) set_requires_grad(*there, true);
      out.push_back(std::move(there));
    }
  }
  return out;
}

std::vector<Ref<Tensor>> scattered(Tensor& batch, std::span<const bp_device> devices) {
  if (devices.empty()) fail(BP_INVALID_ARGUMENT, "scatter: expected at least one device");
  if (batch.rank() == 0) fail(BP_INVALID_ARGUMENT, "scatter: a batch has at least one dimension");
  const int64_t n = batch.shape[0], each = (n + static_cast<int64_t>(devices.size()) - 1) /
                                           static_cast<int64_t>(devices.size());
  std::vector<Ref<Tensor>> out;
  for (size_t i = 0; i < devices.size(); ++i) {
    const int64_t from = std::min(n, each * static_cast<int64_t>(i));
    const Ref<Tensor> part = narrow(batch, 0, from, std::min(each, n - from));
    out.push_back(to(*part, resolve_device(devices[i]).value, BP_DTYPE_NONE, /*copy=*/false,
                     /*non_blocking=*/true));
  }
  return out;
}

void give_values(Tensor& to, Tensor& from) {
  copy_into(*detach(to), *detach(from), /*non_blocking=*/true);
}

Ref<Replicas> new_replicas(std::span<Tensor* const> params, size_t n_devices,
                           uint64_t bucket_bytes) {
  check_replicas(params, n_devices);
  return make_replicas(params, n_devices, bucket_bytes);
}

Replicas& checked(const bp_replicas* r) {
  if (!r) fail(BP_INVALID_ARGUMENT, "replicas must not be NULL");
  if (r->tag != Tag::kReplicas) fail(BP_INVALID_ARGUMENT, "replicas is no handle of replicas");
  if (r->born != generation()) fail(BP_BAD_STATE, "replicas was made before bp_shutdown");
  return const_cast<Replicas&>(*r);
}

}  // namespace bp

using namespace bp;

Ref<bp_replicas> make_replicas(std::span<Tensor* const> params, size_t n_devices,
                               uint64_t bucket_bytes) {
  auto r = Ref<bp_replicas>::adopt(new bp_replicas);
  r->n_devices = n_devices;
  r->n_params = params.size() / n_devices;
  for (Tensor* p : params) r->params.push_back(Ref<Tensor>::share(p));
  r->fill_buckets(bucket_bytes);
  for (size_t d = 0; d < n_devices; ++d)
    r->streams.push_back(create_stream(r->param(d, 0).device(), 0));
  r->arrived.resize(params.size());
  for (bp_replicas::Bucket& b : r->buckets) r->begin_again(b);
  r->hooks.reserve(2 * params.size());  // a hook that is not listed would stay
  for (size_t d = 0; d < n_devices; ++d)
    for (size_t i = 0; i < r->n_params; ++i) {
      r->hooks.push_back(add_hook(r->param(d, i), [raw = r.get(), i](Tensor&) {
        raw->before_adding(i);
        return Ref<Tensor>{};
      }));
      r->hooks.push_back(add_accumulated_hook(r->param(d, i),
                                              [raw = r.get(), d, i](Tensor&) { raw->note(d, i); }));
    }
  return r;
}

void bp_replicas::destroy(bp_replicas* r) noexcept {
  for (size_t i = 0; i < r->hooks.size(); ++i) {
    try {
      remove_hook(*r->params[i / 2], r->hooks[i]);
    } catch (...) {  // the tensor is of another generation: nothing runs its hooks
    }
  }
  delete r;
}

void bp_replicas::fill_buckets(uint64_t bytes) {
  bucket_of.resize(n_params);
  uint64_t room = 0;
  for (size_t k = n_params; k-- > 0;) {
    const Tensor& p = param(0, k);
    const uint64_t size =
        static_cast<uint64_t>(p.count) * static_cast<uint64_t>(dtype_bytes(p.dtype));
    if (buckets.empty() || buckets.back().dtype != p.dtype || room < size) {
      room = buckets.empty() ? std::min(bytes, kFirstBucket) : bytes;
      buckets.push_back({{}, p.dtype});
    }
    room -= std::min(room, size);
    buckets.back().params.push_back(k);
    buckets.back().count += p.count;
    bucket_of[k] = buckets.size() - 1;
  }
}

void bp_replicas::begin_again(Bucket& b) {
  for (const size_t i : b.params)
    for (size_t d = 0; d < n_devices; ++d) arrived[d * n_params + i] = 0;
  b.missing = b.params.size() * n_devices;
  b.done = false;
}

// Nothing is known any more of what was under way: exchanges that failed may still write the runs.
void bp_replicas::begin_anew() noexcept {
  for (Bucket& b : buckets) {
    b.runs.clear();
    b.work = {};
    begin_again(b);
  }
  n_begun = 0;
}

// The exchange of the last backward may still be writing what a further one is about to add to.
void bp_replicas::before_adding(size_t i) {
  const std::lock_guard lock(mutex);
  Bucket& b = buckets[bucket_of[i]];
  if (!b.done) return;
  if (group)
    fail(BP_BAD_STATE,
         "replicas: a further backward before bp_replicas_finish; hold all but the last one "
         "(bp_replicas_hold)");
  wait_for_exchanges();
  begin_again(b);
}

void bp_replicas::wait_for_exchanges() {
  for (size_t d = 0; d < n_devices; ++d) order(*streams[d], current_stream(param(d, 0).device()));
}

void bp_replicas::note(size_t device, size_t i) {
  const std::lock_guard lock(mutex);
  Bucket& b = buckets[bucket_of[i]];
  char& seen = arrived[device * n_params + i];
  if (held || seen) return;
  seen = 1;
  if (--b.missing) return;
  if (group)
    exchange_in_order(/*all=*/false);
  else
    exchange(b);
}

// Members begin their buckets in one order, whatever the order in which these are complete.
void bp_replicas::exchange_in_order(bool all) {
  try {
    while (n_begun < buckets.size() && (all || buckets[n_begun].missing == 0))
      exchange(buckets[n_begun++]);
  } catch (...) {
    begin_anew();
    throw;
  }
}

// Calls body(device, index of the parameter, its place in the bucket's run there).
template <class F>
void bp_replicas::each_place(const Bucket& b, F&& body) {
  for (size_t d = 0; d < n_devices; ++d) {
    int64_t at = 0;
    for (const size_t i : b.params) {
      Tensor& p = param(d, i);
      body(d, i, view(*narrow(*b.runs[d], 0, at, p.count), p.shape));
      at += p.count;
    }
  }
}

// Says behind the gradients which parameters have one on some device here.
void bp_replicas::put_flags(Bucket& b) {
  b.unused.clear();
  const auto n = static_cast<int64_t>(b.params.size());
  for (const Ref<Tensor>& run : b.runs) fill(narrow(*run, 0, b.count, n), 1);
  for (int64_t k = 0; k < n; ++k) {
    const size_t i = b.params[static_cast<size_t>(k)];
    bool used = false;
    for (size_t d = 0; d < n_devices; ++d) used |= static_cast<bool>(grad_of(param(d, i)));
    if (used) continue;
    b.unused.push_back(i);
    for (const Ref<Tensor>& run : b.runs) fill(narrow(*run, 0, b.count + k, 1), 0);
  }
}

// Copies the gradients of a bucket into one run on each device and averages the runs; without other
// members it copies back.
void bp_replicas::exchange(Bucket& b) {
  b.done = true;
  if (n_devices == 1 && !group) return;
  const RecordGuard guard(false);
  for (size_t d = 0; d < n_devices; ++d) order(current_stream(param(d, 0).device()), *streams[d]);
  const StreamsScope scope(streams);
  const int64_t n_flags = group ? static_cast<int64_t>(b.params.size()) : 0;
  if (b.runs.empty())
    for (size_t d = 0; d < n_devices; ++d)
      b.runs.push_back(new_tensor(Dims{b.count + n_flags}, b.dtype, param(d, 0).device()));
  each_place(b, [&](size_t d, size_t i, const Ref<Tensor>& place) {
    if (const Ref<Tensor> g = grad_of(param(d, i)))
      copy_into(*place, *g, /*non_blocking=*/true);
    else
      fill(place, 0);
  });
  if (group) put_flags(b);
  std::vector<Tensor*> runs;
  for (const Ref<Tensor>& run : b.runs) runs.push_back(run.get());
  all_reduce(runs, /*mean=*/true);
  if (group)
    b.work = all_reduce(*group, *b.runs[0], BP_REDUCE_MEAN);
  else
    deliver(b);
}

// Puts the averages in the places of the gradients.
void bp_replicas::deliver(Bucket& b) {
  const RecordGuard guard(false);
  std::vector<size_t> without;
  if (group) {
    wait(*std::exchange(b.work, {}));
    for (size_t d = 1; d < n_devices; ++d) copy_into(*b.runs[d], *b.runs[0], /*non_blocking=*/true);
    for (const size_t i : b.unused) {
      const auto k = std::find(b.params.begin(), b.params.end(), i) - b.params.begin();
      if (item(*select(*b.runs[0], 0, b.count + k)).as.f64 == 0) without.push_back(i);
    }
  }
  each_place(b, [&](size_t d, size_t i, const Ref<Tensor>& place) {
    Tensor& p = param(d, i);
    if (std::find(without.begin(), without.end(), i) != without.end()) return;
    if (const Ref<Tensor> g = grad_of(p))
      copy_into(*g, *place, /*non_blocking=*/true);
    else
      set_grad(p, clone(*place));
  });
}

void bp_replicas::finish() {
  const std::lock_guard lock(mutex);
  if (group) {
    try {
      exchange_in_order(/*all=*/true);
      const StreamsScope scope(streams);
      for (Bucket& b : buckets) deliver(b);
    } catch (...) {
      begin_anew();
      throw;
    }
    wait_for_exchanges();
    for (Bucket& b : buckets) begin_again(b);
    n_begun = 0;
    return;
  }
  for (Bucket& b : buckets) {
    if (b.done) continue;
    // A parameter that no device used keeps no gradient.
    bool any = false;
    std::vector<size_t> unused;
    for (const size_t i : b.params) {
      bool used = false;
      for (size_t d = 0; d < n_devices; ++d) used |= static_cast<bool>(grad_of(param(d, i)));
      if (!used) unused.push_back(i);
      any |= used;
    }
    if (any) exchange(b);
    for (const size_t i : unused)
      for (size_t d = 0; any && d < n_devices; ++d) set_grad(param(d, i), {});
  }
  wait_for_exchanges();
  for (Bucket& b : buckets) begin_again(b);
}

void bp_replicas::hold(bool on) {
  const std::lock_guard lock(mutex);
  held = on;
}

// What members must have alike to be one model. Returns what else they say, by rank.
std::vector<DeviceOffer> bp_replicas::check_members(ProcessGroup& g, bool uses_device) const {
  struct Model {
    uint64_t n_devices, n_params, sizes;
    DeviceOffer offer;
    bool operator==(const Model& o) const {
      return n_devices == o.n_devices && n_params == o.n_params && sizes == o.sizes;
    }
  };
  Fnv sizes;
  for (size_t i = 0; i < n_params; ++i) {
    sizes.add(static_cast<uint64_t>(param(0, i).dtype));
    sizes.add(uint64_t{param(0, i).shape.size()});
    for (const int64_t n : param(0, i).shape) sizes.add(static_cast<uint64_t>(n));
  }
  const Model mine{n_devices, n_params, sizes.value,
                   uses_device ? device_offer(g, param(0, 0).device()) : DeviceOffer::kNone};
  std::vector<Model> all(g.size());
  all_gather_bytes(g, &mine, sizeof mine, all.data());
  for (size_t r = 1; r < all.size(); ++r) {
    if (all[r] == all[0]) continue;
    if (all[r].n_devices == all[0].n_devices && all[r].n_params == all[0].n_params)
      fail(BP_INVALID_ARGUMENT,
           "replicas: the parameters of ranks 0 and {} have other shapes or dtypes", r);
    fail(BP_INVALID_ARGUMENT,
         "replicas: rank 0 has {} parameters on {} devices, and rank {} has {} on {}",
         all[0].n_params, all[0].n_devices, r, all[r].n_params, all[r].n_devices);
  }
  std::vector<DeviceOffer> offers;
  for (const Model& m : all) offers.push_back(m.offer);
  return offers;
}

void bp_replicas::leave() {
  const std::lock_guard lock(mutex);
  group = {};
  begin_anew();
}

void bp_replicas::join(ProcessGroup& g, bool uses_device) {
  const std::lock_guard lock(mutex);
  if (group) fail(BP_BAD_STATE, "replicas: they have joined a group already");
  const std::vector<DeviceOffer> offers = check_members(g, uses_device);
  if (uses_device) try_device(g, param(0, 0).device(), offers);
  const RecordGuard guard(false);
  std::vector<Ref<Work>> works;
  for (size_t i = 0; i < n_params; ++i) works.push_back(broadcast(g, param(0, i), /*root=*/0));
  for (const Ref<Work>& w : works) wait(*w);
  for (size_t d = 1; d < n_devices; ++d)
    for (size_t i = 0; i < n_params; ++i) give_values(param(d, i), param(0, i));
  begin_anew();  // runs are longer from now on
  group = Ref<ProcessGroup>::share(&g);
}
