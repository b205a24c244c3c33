// SPDX-License-Identifier: Apache-2.0
// torch.h: PyTorch of this machine's Python as a rival, in a process of its own (torch_peer.py),
// which measures in turns with ours. Where there is none nothing is added, and the report says why.
#pragma once
#include <memory>
#include <string>

#include "part.h"
#include "process.h"

namespace gpu_check {

class Torch {
 public:
  Torch(const Settings& settings, Report& report);
  // Adds work of torch_peer.py's if it can do it. c.drain_counts must be set before.
  void add(bench::Case& c, const std::string& op, const std::string& dtype, int64_t n,
           Report& report) const;

 private:
  std::shared_ptr<Conversation> peer_;  // nullptr when there is no PyTorch
};

}  // namespace gpu_check
