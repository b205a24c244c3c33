// SPDX-License-Identifier: Apache-2.0
// tape.h: what a thread's calls are told to while they are recorded as a program. The calls below
// announce what they have done: memory that was made, kernels that were launched, bytes that went
// between devices, random numbers that were drawn. What a program cannot repeat is refused.
// program/recorder.h is the one tape there is; it is declared here because every room from here up
// announces something. A tape belongs to its thread.
//
//   run_kernel(kernel, row, launch, device);
//   if (Tape* tape = Tape::of_thread) tape->launched({row, kernel, launch, device, tensors});
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "c_plugin.h"
#include "core/tensor/tensor.h"

namespace bp {

struct OpRow;

// Puts what a recorded call's attributes are at its next run in the place of what they were. With
// `counts` that run is now.
using Refresh = std::function<void(std::span<bp_attr>, bool counts)>;

class Tape {
 public:
  // A kernel that ran. `tensors` has one entry for each argument, nullptr for a number; `changed`
  // says which of the inputs were written.
  struct Launch {
    const OpRow& row;
    const bp_kernel& kernel;
    const bp_launch& launch;
    Device& device;
    std::span<Tensor* const> tensors;
    std::function<bool(size_t)> changed{};
  };

  // The tape of this thread, or nullptr while nothing is recorded.
  static thread_local constinit Tape* of_thread;
  // Whether what the calls announce also happens. A program that is read from a file is recorded
  // again without: no kernel runs and no bytes move, so that operands need no memory.
  bool acts = true;

  Tape() = default;
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  virtual void made(Storage& s) = 0;
  virtual void launched(const Launch& call) = 0;
  virtual void transferred(Tensor& dst, Tensor& src) = 0;
  virtual void drew(Device& device, int64_t n, uint64_t seed, uint64_t offset) = 0;
  // The host is about to read or write t's memory beside the calls. It may where no recorded call
  // has written and nothing is bound later; a program then holds the memory and reads it as it is.
  virtual void host_touches(Tensor& t, std::string_view what) = 0;
  // Whether the tape has a reference of its own to memory that the calls made.
  virtual bool keeps(const Storage& s) const noexcept = 0;
  // The next launch is of this row, and its attributes are asked anew at each run.
  virtual void refresh_next(const OpRow& row, Refresh refresh) = 0;
  // `what` cannot be recorded, because of `why`: throws BP_BAD_STATE, or, where calls go on, ends
  // the tape's part in them.
  virtual void refuse(std::string_view what, std::string_view why) = 0;

 protected:
  ~Tape() = default;
};

// Refuses what cannot be recorded while this thread records.
inline void only_unrecorded(std::string_view what, std::string_view why) {
  if (Tape::of_thread) [[unlikely]]
    Tape::of_thread->refuse(what, why);
}

// Whether calls of this thread run kernels and move bytes.
inline bool calls_act() noexcept { return !Tape::of_thread || Tape::of_thread->acts; }

// What happens in the scope is not recorded.
class TapePause {
 public:
  TapePause() : tape_(std::exchange(Tape::of_thread, nullptr)) {}
  ~TapePause() { Tape::of_thread = tape_; }
  TapePause(const TapePause&) = delete;
  TapePause& operator=(const TapePause&) = delete;

 private:
  Tape* tape_;
};

}  // namespace bp
