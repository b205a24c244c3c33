// SPDX-License-Identifier: Apache-2.0
// backplane_runtime.hpp: start and end, guards, devices, the load report, random generators,
// memory. Include backplane.hpp.
//
//   bp::DefaultDeviceGuard on("sim:0");  // factories put data there until the block ends
//   bp::DefaultDtypeGuard wide(bp::f64);
//   bp::Generator(42).seed(7);
#ifndef BACKPLANE_RUNTIME_HPP
#define BACKPLANE_RUNTIME_HPP

#include "backplane_base.hpp"

namespace backplane {

inline const char* version() noexcept { return bp_version(); }  // of the library: "0.1.0"
inline std::uint32_t abi_version() noexcept { return bp_abi_version(); }

// How the runtime starts; see bp_init_desc. "" stands for what the environment says.
struct InitOptions {
  std::uint32_t flags = 0;  // BP_INIT_*
  std::string plugin_dirs = {}, allow = {}, options = {}, visible_devices = {}, alias = {};
  bp_log_fn log = nullptr;
  void* log_user = nullptr;
};
// Starts the runtime, which otherwise starts by itself. BP_BAD_STATE: it runs already.
inline void init(const InitOptions& o = {}) {
  const auto given = [](const std::string& text) {
    return text.empty() ? nullptr : detail::c_text(text);
  };
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  desc.flags = o.flags;
  desc.plugin_dirs = given(o.plugin_dirs);
  desc.allow = given(o.allow);
  desc.options = given(o.options);
  desc.visible_devices = given(o.visible_devices);
  desc.alias = given(o.alias);
  desc.log = o.log;
  desc.log_user = o.log_user;
  detail::call([&](bp_error** e) { return bp_init(&desc, e); });
}
// Closes all devices and plugins, or those of one kind. Returns false, and closes nothing, if a
// device or a call did not finish in time; a negative time is for ever.
inline bool shutdown(std::int64_t timeout_ns = -1) {
  return detail::call([&](bp_error** e) { return bp_shutdown(timeout_ns, e); }) != BP_TIMEOUT;
}
inline bool unload_kind(bp_kind kind, std::int64_t timeout_ns = -1) {
  return detail::call([&](bp_error** e) { return bp_unload_kind(kind, timeout_ns, e); }) !=
         BP_TIMEOUT;
}
// Sets what is called a few times a second while a thread waits; nullptr: nothing.
inline void set_wait_callback(bp_wait_fn call, void* user = nullptr) {
  detail::call([&](bp_error** e) { return bp_set_wait_callback(call, user, e); });
}

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
// Sets the default device of the process, for threads that have no guard; {}: the cpu again.
inline void set_default_device(Device device) {
  detail::call([&](bp_error** e) { return bp_set_default_device(device.value(), e); });
}
// The calling thread's current device of a kind, which a bare kind means.
inline Device current_device(bp_kind kind) {
  bp_device d = 0;
  detail::call([&](bp_error** e) { return bp_current_get(kind, &d, e); });
  return Device::from_value(d);
}
inline void set_current_device(Device device) {
  detail::call([&](bp_error** e) { return bp_set_current(device.value(), e); });
}
// What BACKPLANE_VISIBLE_DEVICES says, for kinds of which no device is open: "cuda:0,2;sim:*".
// nullptr: what the environment says.
inline void set_visible_devices(const char* spec) {
  detail::call([&](bp_error** e) { return bp_set_visible_devices(spec, e); });
}

// The default and current devices of a thread, to be taken to another one. Copies share it.
class Context {
 public:
  static Context capture() {
    bp_context* c = nullptr;
    detail::call([&](bp_error** e) { return bp_context_capture(&c, e); });
    return Context(c);
  }
  bp_context* get() const noexcept { return handle_.get(); }

 private:
  explicit Context(bp_context* owned) noexcept : handle_(owned) {}
  detail::Handle<bp_context, bp_context_retain, bp_context_release> handle_;
};
// Puts this thread into a context until the end of the block.
class ContextGuard {
 public:
  explicit ContextGuard(Context context) : context_(std::move(context)) {
    detail::call([&](bp_error** e) { return bp_context_enter(context_.get(), &token_, e); });
  }
  ~ContextGuard() { bp_context_leave(token_, nullptr); }
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;

 private:
  Context context_;
  std::uint64_t token_ = 0;
};

// ---- dtypes ----
struct DtypeLimits {
  double epsilon = 0, largest = 0, smallest_normal = 0;
};
// Throws BP_DTYPE_MISMATCH for a dtype that is neither floating nor complex.
inline DtypeLimits limits(bp_dtype dtype) {
  DtypeLimits l;
  detail::call([&](bp_error** e) {
    return bp_dtype_limits(dtype, &l.epsilon, &l.largest, &l.smallest_normal, e);
  });
  return l;
}
// The dtype of floating results that are made of integers and numbers, in the whole process.
inline Dtype default_dtype() noexcept { return Dtype(bp_get_default_dtype()); }
inline void set_default_dtype(bp_dtype dtype) {
  detail::call([&](bp_error** e) { return bp_set_default_dtype(dtype, e); });
}
// Sets it until the end of the block, for every thread.
class DefaultDtypeGuard {
 public:
  explicit DefaultDtypeGuard(bp_dtype dtype) : before_(default_dtype()) {
    set_default_dtype(dtype);
  }
  ~DefaultDtypeGuard() { bp_set_default_dtype(before_, nullptr); }
  DefaultDtypeGuard(const DefaultDtypeGuard&) = delete;
  DefaultDtypeGuard& operator=(const DefaultDtypeGuard&) = delete;

 private:
  Dtype before_;
};

// ---- devices ----
inline const char* kind_name(bp_kind kind) noexcept { return bp_kind_name(kind); }

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
// The same, but a backend that cannot be used throws why.
inline std::int32_t require(bp_kind kind) {
  std::int32_t n = 0;
  detail::call([&](bp_error** e) { return bp_kind_require(kind, &n, e); });
  return n;
}
// The physical devices of a kind, hidden ones included, and why they are hidden.
inline std::vector<bp_physical_info> physical_devices(bp_kind kind) {
  std::uint32_t n = 0;
  detail::call([&](bp_error** e) { return bp_physical_count(kind, &n, e); });
  std::vector<bp_physical_info> out(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    out[i].struct_size = sizeof out[i];
    detail::call([&](bp_error** e) { return bp_physical_get(kind, i, &out[i], e); });
  }
  return out;
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
  const detail::Handle<bp_report, bp_report_retain, bp_report_release> owned(handle);
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
// Random numbers of a seed of their own, or of a device. Copies share it.
//
//   bp::Generator g(42);
//   auto [seed, offset] = g.reserve(6);
//   bp::Tensor t = bp::uniform({2, 3}, bp::f32, 0, 1, seed, offset);
class Generator {
 public:
  explicit Generator(std::uint64_t seed) {
    bp_generator* g = nullptr;
    detail::call([&](bp_error** e) { return bp_generator_create(seed, &g, e); });
    handle_.reset(g);
  }
  // The device's own, from which ops draw that are given no seed.
  static Generator of(Device device) {
    bp_generator* g = nullptr;
    detail::call([&](bp_error** e) { return bp_generator_default(device.value(), &g, e); });
    return Generator(g);
  }
  bp_generator* get() const noexcept { return handle_.get(); }
  void seed(std::uint64_t seed) const {
    detail::call([&](bp_error** e) { return bp_generator_seed(get(), seed, e); });
  }
  // Returns seed and offset, which are all the state there is.
  std::pair<std::uint64_t, std::uint64_t> state() const {
    std::pair<std::uint64_t, std::uint64_t> s;
    detail::call(
        [&](bp_error** e) { return bp_generator_get_state(get(), &s.first, &s.second, e); });
    return s;
  }
  void set_state(std::uint64_t seed, std::uint64_t offset) const {
    detail::call([&](bp_error** e) { return bp_generator_set_state(get(), seed, offset, e); });
  }
  // Reserves so many draws, and returns the seed and the offset that a random op takes.
  std::pair<std::int64_t, std::int64_t> reserve(std::int64_t numel) const {
    std::uint64_t seed = 0, offset = 0;
    detail::call(
        [&](bp_error** e) { return bp_generator_reserve(get(), numel, &seed, &offset, e); });
    return {static_cast<std::int64_t>(seed), static_cast<std::int64_t>(offset)};
  }

 private:
  explicit Generator(bp_generator* owned) noexcept : handle_(owned) {}
  detail::Handle<bp_generator, bp_generator_retain, bp_generator_release> handle_;
};

inline void set_num_threads(std::int32_t n) {
  detail::call([&](bp_error** e) { return bp_set_num_threads(n, e); });
}
inline std::int32_t num_threads() noexcept { return bp_get_num_threads(); }
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

// What happens to an op that a device's backend lacks; see bp_fallback.
enum class Fallback : bp_fallback {
  inherit = BP_FALLBACK_INHERIT,
  refuse = BP_FALLBACK_REFUSE,
  cpu = BP_FALLBACK_CPU
};
// In threads that have no FallbackGuard.
inline void set_fallback(Fallback policy) {
  detail::call([&](bp_error** e) { return bp_set_fallback(static_cast<bp_fallback>(policy), e); });
}
// What this thread's next call does: refuse or cpu.
inline Fallback fallback() {
  bp_fallback policy = BP_FALLBACK_INHERIT;
  detail::call([&](bp_error** e) { return bp_fallback_get(&policy, e); });
  return static_cast<Fallback>(policy);
}
// The policy of this thread in its scope.
class FallbackGuard {
 public:
  explicit FallbackGuard(Fallback policy) {
    detail::call([&](bp_error** e) {
      return bp_fallback_push(static_cast<bp_fallback>(policy), &token_, e);
    });
  }
  ~FallbackGuard() { bp_fallback_pop(token_, nullptr); }
  FallbackGuard(const FallbackGuard&) = delete;
  FallbackGuard& operator=(const FallbackGuard&) = delete;

 private:
  std::uint64_t token_ = 0;
};

inline bp_memory_stats memory_stats(Device device) {
  bp_memory_stats stats{};
  stats.struct_size = sizeof stats;
  detail::call([&](bp_error** e) { return bp_memory_get_stats(device.value(), &stats, e); });
  return stats;
}
// Makes what is handed out now the peak.
inline void reset_peak_memory(Device device) {
  detail::call([&](bp_error** e) { return bp_memory_reset_peak(device.value(), e); });
}
// Gives cached blocks back to the backend.
inline void trim_memory(Device device) {
  detail::call([&](bp_error** e) { return bp_memory_trim(device.value(), e); });
}
// Bounds the cache; 0: nothing is cached.
inline void set_memory_limit(Device device, std::uint64_t bytes) {
  detail::call([&](bp_error** e) { return bp_memory_set_limit(device.value(), bytes, e); });
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
