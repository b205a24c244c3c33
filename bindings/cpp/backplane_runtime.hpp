// SPDX-License-Identifier: Apache-2.0
// backplane_runtime.hpp: guards, devices, the load report, seeds, memory figures. Include
// backplane.hpp.
#ifndef BACKPLANE_RUNTIME_HPP
#define BACKPLANE_RUNTIME_HPP

#include "backplane_base.hpp"

namespace backplane {

namespace detail {

// Pushes in its constructor and pops in its destructor, on the same thread. Guards nest like
// blocks.
template <bp_status (*Push)(bp_device, std::uint64_t*, bp_error**),
          bp_status (*Pop)(std::uint64_t, bp_error**)>
class Guard {
 public:
  explicit Guard(Device device) {
    call([&](bp_error** e) { return Push(device.value(), &token_, e); });
  }
  ~Guard() { Pop(token_, nullptr); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::uint64_t token_ = 0;
};

}  // namespace detail

using DefaultDeviceGuard =
    detail::Guard<bp_default_push, bp_default_pop>;  // where factories put data
using CurrentDeviceGuard =
    detail::Guard<bp_current_push, bp_current_pop>;  // what a bare kind ("cuda") means
using DeviceGuard = detail::Guard<bp_device_push, bp_device_pop>;  // both

inline Device default_device() {
  bp_device d = 0;
  detail::call([&](bp_error** e) { return bp_default_get(&d, e); });
  return Device::from_value(d);
}

// Returns the kinds of which a plugin file was found, cpu first, and loads nothing.
inline std::vector<bp_kind> kinds() {
  std::uint32_t n = 0;
  detail::call([&](bp_error** e) { return bp_kind_count(&n, e); });
  std::vector<bp_kind> out(n);
  for (std::uint32_t i = 0; i < n; ++i)
    detail::call([&](bp_error** e) { return bp_kind_at(i, &out[i], e); });
  return out;
}
// Returns the number of visible devices of a kind, which is 0 when its backend cannot be used;
// report() says why.
inline std::int32_t device_count(bp_kind kind) {
  std::int32_t n = 0;
  detail::call([&](bp_error** e) { return bp_device_count(kind, &n, e); });
  return n;
}
inline bp_device_info device_info(Device device) {
  bp_device_info info{};
  info.struct_size = sizeof info;
  detail::call([&](bp_error** e) { return bp_device_get_info(device.value(), &info, e); });
  return info;
}
// Returns every visible device of every kind, cpu first, as tensors name them: "cpu", others with
// their index. This loads every plugin.
inline std::vector<Device> devices() {
  std::vector<Device> out;
  for (bp_kind kind : kinds())
    for (std::int32_t i = 0, n = device_count(kind); i < n; ++i)
      out.push_back(Device::make(kind, kind == BP_KIND_CPU ? -1 : i));
  return out;
}
inline void synchronize(Device device) {
  detail::call([&](bp_error** e) { return bp_synchronize(device.value(), e); });
}

// One plugin file that was found or tried; see BP_STAGE_* in c_api.h.
struct ReportEntry {
  std::int32_t stage = 0;
  bp_status status = BP_OK;
  std::uint32_t n_devices = 0;
  std::uint64_t nanoseconds = 0;
  std::string kind, path, version, cause, remedy;
};
inline std::vector<ReportEntry> report() {
  bp_report* handle = nullptr;
  detail::call([&](bp_error** e) { return bp_report_create(&handle, e); });
  const std::unique_ptr<bp_report, void (*)(bp_report*)> owned(handle, bp_report_release);
  std::vector<ReportEntry> out;
  for (std::uint32_t i = 0, n = bp_report_count(handle); i < n; ++i) {
    bp_report_entry c{};
    c.struct_size = sizeof c;
    detail::call([&](bp_error** e) { return bp_report_get(handle, i, &c, e); });
    out.push_back({c.stage, c.status, c.n_devices, c.nanoseconds, c.kind, c.path, c.version,
                   c.cause, c.remedy});
  }
  return out;
}

inline void manual_seed(std::uint64_t seed) {
  detail::call([&](bp_error** e) { return bp_manual_seed(seed, e); });
}
inline void set_num_threads(std::int32_t n) {
  detail::call([&](bp_error** e) { return bp_set_num_threads(n, e); });
}
// Returns where the number of threads comes from, "OMP_NUM_THREADS=2" for example.
inline std::string num_threads_source() {
  return detail::text([](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
    return bp_get_num_threads_source(buf, n, needed, e);
  });
}
// The precision of products of f32 in the whole process; see bp_set_matmul_precision.
enum class Precision : bp_precision {
  highest = BP_PRECISION_HIGHEST,
  high = BP_PRECISION_HIGH,
  medium = BP_PRECISION_MEDIUM
};
inline void set_matmul_precision(Precision p) {
  detail::call(
      [&](bp_error** e) { return bp_set_matmul_precision(static_cast<bp_precision>(p), e); });
}
inline Precision matmul_precision() { return static_cast<Precision>(bp_get_matmul_precision()); }

inline bp_memory_stats memory_stats(Device device) {
  bp_memory_stats stats{};
  stats.struct_size = sizeof stats;
  detail::call([&](bp_error** e) { return bp_memory_get_stats(device.value(), &stats, e); });
  return stats;
}
// What was copied from src to dst since the start.
inline bp_transfer_stats transfers(Device src, Device dst) {
  bp_transfer_stats stats{};
  stats.struct_size = sizeof stats;
  detail::call(
      [&](bp_error** e) { return bp_transfer_get_stats(src.value(), dst.value(), &stats, e); });
  return stats;
}
// How often a caller waited for the device, since it was opened.
inline std::uint64_t waits(Device device) {
  std::uint64_t n = 0;
  detail::call([&](bp_error** e) { return bp_device_get_waits(device.value(), &n, e); });
  return n;
}

}  // namespace backplane
#endif
