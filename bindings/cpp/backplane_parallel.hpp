// SPDX-License-Identifier: Apache-2.0
// backplane_parallel.hpp: one model on several devices of a kind; what it means is in c_parallel.h.
// Include backplane.hpp.
//
//   std::vector<bp::Module> nets = bp::replicate(net, devices);
//   bp::Replicas replicas(nets);
//   std::vector<bp::Tensor> parts = bp::scatter(batch, devices);
//   ...  // a forward and a loss on each device
//   bp::backward(losses);
//   replicas.finish();  // then each optimiser's step()
// bp::Trainer does all of this when it is given several modules.
#ifndef BACKPLANE_PARALLEL_HPP
#define BACKPLANE_PARALLEL_HPP

#include "backplane_group.hpp"
#include "backplane_nn.hpp"

namespace backplane {

namespace detail {
inline std::vector<bp_device> values(const std::vector<Device>& devices) {
  std::vector<bp_device> out;
  for (Device d : devices) out.push_back(d.value());
  return out;
}
}  // namespace detail

// Makes each tensor, in place, the sum of all or their mean.
inline void all_reduce(const std::vector<Tensor>& tensors, bool mean = false) {
  const auto list = detail::borrowed(tensors);
  detail::call(
      [&](bp_error** e) { return bp_all_reduce(list.data(), detail::length(list), mean, e); });
}
// Returns copies of the parameters, [device][param], which are leaves of their own. A parameter
// that is on the device already stands for itself.
inline std::vector<std::vector<Tensor>> replicate(const std::vector<Tensor>& params,
                                                  const std::vector<Device>& devices) {
  const auto list = detail::borrowed(params);
  const auto where = detail::values(devices);
  const std::uint32_t n = detail::length(list), n_devices = detail::length(where);
  const auto all = detail::adopted(n * n_devices, [&](bp_tensor** outs, bp_error** e) {
    return bp_replicate(list.data(), n, where.data(), n_devices, outs, e);
  });
  std::vector<std::vector<Tensor>> out;
  for (auto at = all.begin(); out.size() < n_devices; at += n) out.emplace_back(at, at + n);
  return out;
}
// Returns the model itself, moved to the first device, and a clone of it on each further one.
inline std::vector<Module> replicate(const Module& model, const std::vector<Device>& devices) {
  std::vector<Module> out;
  for (Device d : devices) {
    out.push_back(out.empty() ? model : model.clone());
    out.back().to(d);
  }
  return out;
}
// Returns each device's part of the batch, cut along the first dimension.
inline std::vector<Tensor> scatter(const Tensor& batch, const std::vector<Device>& devices) {
  const auto where = detail::values(devices);
  return detail::adopted(detail::length(where), [&](bp_tensor** outs, bp_error** e) {
    return bp_scatter_batch(batch.get(), where.data(), detail::length(where), outs, e);
  });
}

// Averages gradients over devices while backward computes. Copies share it.
class Replicas {
 public:
  // params is [device][param].
  explicit Replicas(const std::vector<std::vector<Tensor>>& params,
                    std::uint64_t bucket_bytes = 25u << 20) {
    std::vector<bp_tensor*> all;
    for (const auto& of_device : params) {
      if (of_device.size() != params.front().size())
        throw Error(BP_INVALID_ARGUMENT,
                    "Replicas: one device has " + std::to_string(params.front().size()) +
                        " parameters, another one " + std::to_string(of_device.size()));
      for (const Tensor& p : of_device) all.push_back(p.get());
    }
    bp_replicas* r = nullptr;
    detail::call([&](bp_error** e) {
      return bp_replicas_create(all.data(), detail::length(all), detail::length(params),
                                bucket_bytes, &r, e);
    });
    handle_.reset(r);
  }
  explicit Replicas(const std::vector<Module>& models, std::uint64_t bucket_bytes = 25u << 20)
      : Replicas(parameters_of(models), bucket_bytes) {}
  bp_replicas* get() const noexcept { return handle_.get(); }
  // Averages over all devices of all members from now on. All members call it, with the same
  // parameters, whose values become those of member 0's first device.
  void join(const ProcessGroup& group) {
    detail::call([&](bp_error** e) { return bp_replicas_join(get(), group.get(), e); });
  }
  // While on, backwards add up gradients and exchange nothing.
  void hold(bool on) {
    detail::call([&](bp_error** e) { return bp_replicas_hold(get(), on, e); });
  }
  // Call it after backward on all devices and before the optimisers' steps.
  void finish() {
    detail::call([&](bp_error** e) { return bp_replicas_finish(get(), e); });
  }

 private:
  static std::vector<std::vector<Tensor>> parameters_of(const std::vector<Module>& models) {
    std::vector<std::vector<Tensor>> out;
    for (const Module& m : models) out.push_back(m.parameters());
    return out;
  }
  detail::Handle<bp_replicas, bp_replicas_retain, bp_replicas_release> handle_;
};

}  // namespace backplane
#endif
