// SPDX-License-Identifier: Apache-2.0
#include "train/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace cli {
namespace {

namespace bp = backplane;
namespace fs = std::filesystem;

// The trainer that Ctrl-C stops.
std::atomic<bp_trainer*> running{nullptr};
extern "C" void stop_running(int) {
  if (bp_trainer* t = running.load()) bp_trainer_stop(t);
}

// Returns the first real accelerator, or the cpu.
bp::Device best_device() {
  for (const char* kind : kAccelerators)
    if (bp::device_count(bp::Device(kind).kind()) > 0) return std::string(kind) + ":0";
  return "cpu";
}

}  // namespace

Interruptible::Interruptible(const bp::Trainer& trainer) {
  running = trainer.get();
  struct sigaction how {};
  how.sa_handler = stop_running;
  how.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &how, &before_);
}

Interruptible::~Interruptible() {
  sigaction(SIGINT, &before_, nullptr);
  running = nullptr;
}

bp::Device device_named(const std::string& name) {
  if (name == "auto") return best_device();
  bp::Device device;
  try {
    device = bp::Device(name);
  } catch (const bp::Error& e) {
    throw BadInput(e.what());
  }
  // throws when there is no such device
  const bp::Device there = bp::Device::from_value(bp::device_info(device).device);
  return there.kind() == BP_KIND_CPU ? bp::Device("cpu") : there;
}

void join_members(RunOptions& o) {
  if (!o.group.empty()) o.members = bp::ProcessGroup::join(o.group);
}

// Processes of one machine take its devices in turns, unless --device names one.
std::vector<bp::Device> chosen_devices(const RunOptions& o) {
  const bp::Device one = device_named(o.device);
  const bool is_named = o.device.find(':') != std::string::npos;
  if (o.devices.empty() && o.members && !is_named && one.kind() != BP_KIND_CPU)
    return {bp::Device::make(one.kind(), static_cast<std::int32_t>(o.members->local_rank()) %
                                             bp::device_count(one.kind()))};
  if (o.devices.empty()) return {one};
  if (one.kind() == BP_KIND_CPU)
    throw BadInput("--devices all needs a --device of an accelerator's kind; cpu is one device");
  std::vector<bp::Device> all;
  for (std::int32_t i = 0; i < bp::device_count(one.kind()); ++i)
    all.push_back(bp::Device::make(one.kind(), i));
  return all;
}

std::string processes_text(const RunOptions& o) {
  return o.members ? fmt::format(" in {} processes", o.members->size()) : "";
}

std::string device_names(const std::vector<bp::Device>& devices) {
  std::string out;
  for (bp::Device d : devices) out += (out.empty() ? "" : ", ") + d.str();
  return out;
}

void check_writable(const std::string& path) {
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw BadInput(fmt::format("--out: {} is a folder, expected a file's name", path));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw BadInput(fmt::format("--out: cannot write {} into {}: {}",
                               fs::path(path).filename().string(), folder.string(),
                               std::strerror(errno)));
}

}  // namespace cli
