// SPDX-License-Identifier: Apache-2.0
// train.cc: the options of backplane train and eval, whether of the digits or of a user's model and
// data.
#include <fmt/format.h>

#include <memory>

#include "train/job.h"

namespace cli {
namespace {

void common_options(CLI::App& app, RunOptions& run, JobOptions& job) {
  app.add_option(
         "--data", run.data,
         "A table (.csv) or arrays (.npz) of yours; of the digits, lines of 64 pixels and a label\n"
         "(default: those that came with it)")
      ->check(CLI::ExistingFile);
  app.add_option(
         "--target", job.targets,
         "What is predicted: a column by its name or number, also several times (default: the last), or the\n"
         "array (default: y)")
      ->take_all();
  app.add_option("--features", job.features,
                 "The array that is learned from (default: x); of a table, all other columns");
  app.add_option(
      "--loss", job.loss,
      "A kind of loss (default: cross_entropy_loss for whole numbers and texts, else mse_loss)");
  app.add_option(
      "--device", run.device,
      "Where: auto, cpu, sim:1, cuda:0 ... (default: auto, an accelerator if there is one)");
}

}  // namespace

Run train(CLI::App& app) {
  auto run = std::make_shared<RunOptions>();
  auto job = std::make_shared<JobOptions>();
  app.add_option("JOB", run->job, "digits: the handwritten ones that came with it")
      ->check(CLI::IsMember({"digits"}));
  common_options(app, *run, *job);
  const std::vector<CLI::Option*> own{
      app.add_option(
             "--model", job->model,
             "The model: a .json list of module kinds with their options, or the file of an earlier run")
          ->check(CLI::ExistingFile),
      app.add_option("--weights", job->weights,
                     "Weights to begin with, by name: .safetensors or .npz (default: random ones)")
          ->check(CLI::ExistingFile),
      app.add_option("--optimizer", job->optimizer, "A kind of optimiser (default: AdamW)"),
      app.add_option("--lr", job->lr, "The rate of learning (default: 0.001)")
          ->check(CLI::Range(1e-12, 1e6))
          ->check(kNoNan),
      app.add_option("--batch-size", job->batch_size, "Rows in a step (default: 32)")
          ->check(CLI::Range(1, 1 << 24)),
      app.add_option(
             "--hold-out", job->hold_out,
             "The share of rows that is not learned but predicted after each epoch (default: 0.2)")
          ->check(CLI::Range(0.0, 1.0))
          ->check(kNoNan),
      app.add_flag("--standardize", job->standardize,
                   "Give each feature mean 0 and deviation 1 over the learned rows"),
      app.get_option("--target"),
      app.get_option("--features"),
      app.get_option("--loss")};
  app.add_option("--devices", run->devices,
                 "all: every device of that kind takes a part of each batch")
      ->check(CLI::IsMember({"all"}));
  app.add_option(
      "--group", run->group,
      "mpi: this is one of several processes that share each batch; start it by mpirun or srun");
  app.add_option("--log", run->log,
                 "A table of the figures, .csv, that grows by a line for each epoch")
      ->type_name("FILE");
  app.add_flag(
      "--shard-states", run->shard_states,
      "Spread what the optimiser keeps over all devices and processes: the same steps with less memory");
  app.add_option("--epochs", run->epochs,
                 "Times each example is learned, in all (default: 30 of the digits, else 10)")
      ->check(CLI::Range(1, 100000));
  CLI::Option* seed =
      app.add_option(
             "--seed", run->seed,
             "Of first weights, orders and what is held out (default: 42; a resumed run has its own)")
          ->check(CLI::NonNegativeNumber);
  app.add_option(
         "--out", run->out,
         "The model and everything to go on from it, written after each epoch (default: digits.safetensors or\n"
         "run.safetensors; of a resumed run, its file)")
      ->type_name("FILE");
  app.add_option("--resume", run->resume, "Go on with the run in this file")
      ->check(CLI::ExistingFile)
      ->excludes(seed);
  app.add_flag("--quick", run->quick,
               "Of the digits: leave out the second run, on the first 1,437 images");
  app.footer(
      "  backplane train digits\n"
      "  backplane train --data iris.csv --target species --model net.json\n"
      "  mpirun -n 4 backplane train digits --group mpi\n"
      "net.json: [{\"kind\": \"linear\", \"in_features\": 4, \"out_features\": 8}, {\"kind\": \"relu\"},\n"
      "           {\"kind\": \"linear\", \"in_features\": 8, \"out_features\": 3}]\n"
      "\n"
      "A fifth of the digits, chosen by the seed, is held out; the others are learned a little turned, stretched and "
      "moved,\n"
      "so that at first they are harder than those held out. Ctrl-C writes the file and ends with exit code 1; "
      "--resume goes on\n"
      "where it stopped, on the cpu bit for bit as if it had not.");
  return [=] {
    // What digits and a run that goes on have of their own.
    for (const CLI::Option* o : own)
      if (o->count() > 0 && !(run->job.empty() && run->resume.empty()))
        throw BadInput(fmt::format("{} does not go with {}, which has its own", o->get_name(),
                                   run->job.empty() ? "--resume" : run->job));
    if (!run->job.empty()) return train_digits(*run);
    if (run->quick) throw BadInput("--quick goes with digits alone");
    if (run->data.empty())
      throw BadInput(
          "JOB or --data is missing: `train digits`, or `train --data FILE --model FILE`");
    return train_job(*run, *job);
  };
}

Run eval(CLI::App& app) {
  auto run = std::make_shared<RunOptions>();
  auto job = std::make_shared<JobOptions>();
  auto path = std::make_shared<std::string>();
  app.add_option("FILE", *path, "What `backplane train` wrote")
      ->required()
      ->check(CLI::ExistingFile);
  common_options(app, *run, *job);
  app.add_option("--predictions", job->predictions,
                 "Write what the model says of each row of --data, as a table")
      ->type_name("FILE");
  app.footer(
      "Of the digits the exit code is 1 when a prediction differs from those that the file holds.\n"
      "Of a model of yours, the loss and the accuracy on --data are printed.");
  return [=] { return is_job_run(*path) ? eval_job(*run, *job, *path) : eval_digits(*run, *path); };
}

}  // namespace cli
