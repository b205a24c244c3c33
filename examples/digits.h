// SPDX-License-Identifier: Apache-2.0
// digits.h: the job of `backplane train digits`, through the C++ binding: a small convolutional net
// learns which digit is on an 8x8 image. It sees neither the terminal nor signals.
//
//   digits::Job job({.devices = {backplane::Device("cpu")}}, images, digits::stratified(images, 42));
//   job.trainer().fit({.max_epochs = digits::kEpochs, .checkpoint = "digits.safetensors"});
//   std::cout << job.accuracy() << '\n';
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backplane.hpp"
#include "images.h"

namespace digits {

constexpr std::uint64_t kEpochs = 30;  // the rate of learning has then fallen to a twentieth

// Indices of images.
struct Split {
  std::vector<std::int64_t> train, held_out;
};
// Holds out a fifth of each digit's images, chosen by the seed.
Split stratified(const Images& images, std::uint64_t seed);
// The first 1,437 images are learned and the rest is held out: it is other people's
// handwriting, and harder.
Split in_order(const Images& images);

// Returns [n, 1, 8, 8] on the images' device: each image turned, stretched, sheared and moved a
// little, by random numbers of its own.
backplane::Tensor warped(const backplane::Tensor& images);

struct Settings {
  std::vector<backplane::Device> devices;  // several, of one kind, share each batch
  // for the first weights, the order of batches and how images are warped
  std::uint64_t seed = 42;
  std::function<void(const backplane::TrainFigures&)> on_batch = {}, on_epoch = {};
  // Processes that share each batch; the net learns once.
  std::optional<backplane::ProcessGroup> group = {};
  std::string csv = {};       // a table of the epochs' figures
  bool shard_states = false;  // what the optimisers keep is spread over devices and processes
};

// A run. All its functions throw backplane::Error.
class Job {
 public:
  Job(const Settings& settings, const Images& images, const Split& split);
  backplane::Trainer& trainer() { return trainer_; }
  // Loads the model alone, out of a trainer's state.
  void load_model(const backplane::Dict& state);

  std::vector<std::int64_t> predictions() const;  // of the held-out images
  double accuracy() const;                        // the share of them that is right, 0 to 1
  std::int64_t parameter_count() const;

 private:
  backplane::Batch held_out_;              // images, on the first device, and labels
  std::vector<backplane::Module> models_;  // one for each device
  backplane::Trainer trainer_;
};

}  // namespace digits
