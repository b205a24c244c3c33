// SPDX-License-Identifier: Apache-2.0
// run.h: what all runs of `backplane train` share: where they compute, the file they leave, Ctrl-C.
#pragma once
#include <signal.h>

#include <optional>
#include <string>
#include <vector>

#include "cli.h"

namespace cli {

struct RunOptions {
  std::string data, device = "auto", devices, out, resume, job, group, log;
  std::uint64_t epochs = 0, seed = 42;  // no epochs: as many as the job has
  bool quick = false, shard_states = false;
  std::optional<backplane::ProcessGroup> members = {};  // of --group

  // Whether this process speaks and writes: the only one, or the first of several.
  bool leads() const { return !members || members->rank() == 0; }
};

// Joins the processes of --group, if there is one.
void join_members(RunOptions& o);

// Returns the device of this name, where "auto" is the first real accelerator, or else the cpu.
// Throws BadInput for a text that is no device's name, and backplane::Error when it is not there.
backplane::Device device_named(const std::string& name);
// Returns the one device, or with --devices all every one of its kind.
std::vector<backplane::Device> chosen_devices(const RunOptions& o);
// Returns " in 4 processes", or "" for one alone.
std::string processes_text(const RunOptions& o);
std::string device_names(const std::vector<backplane::Device>& devices);
// Throws BadInput, before hours of work and not after, unless a file can be put there. It is put
// there by a rename, so the folder counts.
void check_writable(const std::string& path);

// While it lives, the first Ctrl-C stops the trainer's run politely; the second ends the process.
class Interruptible {
 public:
  explicit Interruptible(const backplane::Trainer& trainer);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_ {};
};

// The digits of examples/digits.h, and a run's file judged on another backend.
int train_digits(RunOptions o);
int eval_digits(const RunOptions& o, const std::string& path);

}  // namespace cli
