// SPDX-License-Identifier: Apache-2.0
// devices.cc: what is there: what the backend says of itself, its devices, and
// the vendor's libraries.
#include <fmt/format.h>

#include "libraries.h"
#include "part.h"

namespace gpu_check {
namespace bp = backplane;
namespace {

nlohmann::json facts(const bp_device_info& d) {
  return {{"name", d.name},
          {"driver", d.driver},
          {"uuid", d.uuid},
          {"pci", d.pci},
          {"units", d.n_units},
          {"compute", fmt::format("{}.{}", d.compute_major, d.compute_minor)},
          {"memory_total", d.memory_total},
          {"memory_used", d.memory_used}};
}

void look_for(const char* what, const char* key, const Library& library, const char* else_what,
              Report& report) {
  report.set(key, library.path);
  report.say(library.handle
                 ? fmt::format("{}: {}", what, library.path)
                 : fmt::format("{}: not there ({}): {}", what, library.problem, else_what));
}

}  // namespace

void run_devices(const Settings& settings, Report& report) {
  std::int32_t n = 0;
  report.set("count", n);
  const bp_kind kind = settings.device().kind();
  call([&](bp_error** e) { return bp_kind_require(kind, &n, e); });
  report.set("count", n);
  nlohmann::json list = nlohmann::json::array();
  for (std::int32_t i = 0; i < n; ++i) {
    const bp::Device device = bp::Device::make(kind, i);
    bp::synchronize(device);  // opens it: what is in use is known only of open devices
    const bp_device_info d = bp::device_info(device);
    list.push_back(facts(d));
    constexpr double kGiB = 1 << 30;
    report.say(fmt::format("{}: {}{}, compute {}.{}, {} units, {:.1f} of {:.1f} GiB in use, {}",
                           device.str(), d.name,
                           d.flags & BP_DEVICE_SIMULATED ? " (simulated)" : "", d.compute_major,
                           d.compute_minor, d.n_units, static_cast<double>(d.memory_used) / kGiB,
                           static_cast<double>(d.memory_total) / kGiB, d.driver));
  }
  report.set("devices", list);
  for (const auto& entry : bp::report())
    if (entry.kind == settings.kind && entry.stage == BP_STAGE_READY)
      report.say(fmt::format("backend: {}, loaded in {:.0f} ms", entry.path,
                             static_cast<double>(entry.nanoseconds) / 1e6));
  look_for("cuBLAS", "cublas", open_library(kCublas),
           "products of matrices are our own, with nothing beside them", report);
  look_for("cuBLASLt", "cublaslt", open_library(kCublasLt),
           "products get their bias afterwards, and those of i8 are our own", report);
  look_for("NCCL", "nccl", open_library(kNccl), "sums over devices go around a ring of copies",
           report);
  look_for("cuDNN", "cudnn", open_library(kCudnn), "convolutions are our own", report);
}

}  // namespace gpu_check
