// SPDX-License-Identifier: Apache-2.0
// job.h: a run of a user's model on a user's data: backplane train --data, and eval of what it
// left. The file of a run is a trainer's state and, as metadata, everything that eval and --resume
// need.
#pragma once
#include <string>
#include <vector>

#include "train/run.h"

namespace cli {

struct JobOptions {
  std::vector<std::string> targets;
  std::string features, model, weights, loss, optimizer = "AdamW", predictions;
  double lr = 1e-3, hold_out = 0.2;
  std::int64_t batch_size = 32;
  bool standardize = false;
};

int train_job(RunOptions run, JobOptions job);
// Whether `train --data` wrote the file.
bool is_job_run(const std::string& path);
// Prints the loss and the accuracy on the data.
int eval_job(const RunOptions& run, const JobOptions& job, const std::string& path);

}  // namespace cli
