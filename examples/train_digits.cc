// SPDX-License-Identifier: Apache-2.0
// train_digits.cc: a small convolutional net learns which digit is on an 8x8 image, is saved, and
// gives the same predictions on another backend.
//   ./train_digits_cpp [DEVICE] [DIGITS.CSV] [FILE]
// DEVICE is where the net is loaded (sim:0 if it is there, else cpu), DIGITS.CSV holds the images
// (data/digits.csv), and FILE is where the net is saved (digits.safetensors).
#include <algorithm>
#include <backplane.hpp>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>

namespace bp = backplane;

struct Digits {
  std::vector<float> pixels;  // 64 for each image, 0 to 1
  std::vector<std::int64_t> labels;
};

// Reads lines of 64 pixels, 0 to 16, and a label.
Digits load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  Digits all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream fields(line);
    int value = 0;
    char comma = 0;
    for (int i = 0; i < 64 && fields >> value >> comma; ++i)
      all.pixels.push_back(static_cast<float>(value) / 16);
    if (fields >> value && value >= 0 && value <= 9) all.labels.push_back(value);
    if (all.pixels.size() != 64 * all.labels.size())
      throw std::runtime_error(path + ", line " + std::to_string(number) +
                               ": expected 64 pixels and a label");
  }
  return all;
}

struct Split {
  std::vector<std::int64_t> learned, held_out;  // indices of images
};

// Holds out a fifth of each digit's images.
Split stratified(const std::vector<std::int64_t>& labels, unsigned seed) {
  std::vector<std::int64_t> order(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  Split split;
  std::vector<std::ptrdiff_t> held(10, 0);
  for (const std::int64_t i : order) {
    const std::int64_t digit = labels[static_cast<std::size_t>(i)];
    std::ptrdiff_t& n = held[static_cast<std::size_t>(digit)];
    const bool more = n < std::count(labels.begin(), labels.end(), digit) / 5;
    n += more;
    (more ? split.held_out : split.learned).push_back(i);
  }
  return split;
}

bp::Module new_net() {
  const auto convolution = [](int in, int out) {
    return bp::Module(
        "conv2d", {{"in_channels", in}, {"out_channels", out}, {"kernel_size", 3}, {"padding", 1}});
  };
  return bp::sequential(
      {convolution(1, 16), bp::Module("relu"), bp::Module("max_pool2d", {{"kernel_size", 2}}),
       convolution(16, 32), bp::Module("batch_norm2d", {{"num_features", 32}}), bp::Module("relu"),
       bp::Module("flatten"), bp::Module("dropout", {{"p", 0.3}}), bp::linear(512, 10)});
}

std::vector<std::int64_t> predictions(bp::Module net, const bp::Loader& loader, bp::Device device) {
  const bp::NoGradGuard guard;
  net.eval();
  std::vector<std::int64_t> all;
  for (const bp::Batch& batch : loader)
    for (const std::int64_t digit : bp::argmax(net(batch[0].to(device)), {1}).read<std::int64_t>())
      all.push_back(digit);
  return all;
}

int main(int argc, char** argv) try {
  const bp::Device here("cpu");
  bp::Device there(argc > 1 ? argv[1] : "cpu");
  for (const bp::Device d : bp::devices())
    if (argc < 2 && d.str() == "sim:0") there = d;
  const std::string path = argc > 3 ? argv[3] : "digits.safetensors";
  bp::manual_seed(42);

  const Digits digits = load(argc > 2 ? argv[2] : "data/digits.csv");
  const auto n = static_cast<std::int64_t>(digits.labels.size());
  const bp::Dataset all(
      {bp::tensor(digits.pixels, {n, 1, 8, 8}, here), bp::tensor(digits.labels, here)});
  const Split split = stratified(digits.labels, 42);
  const bp::Dataset learned = all.subset(split.learned), held_out = all.subset(split.held_out);

  bp::Module net = new_net().to(here), loaded = new_net().to(there);
  const bp::Optimizer adam("AdamW", net.parameters(), {{"lr", 4e-3}});
  const bp::Loader batches(learned,
                           {/*batch_size=*/64, /*shuffle=*/true, /*drop_last=*/false, here});
  bp::TrainerOptions what{{net}, {adam}, batches};
  what.schedules = {bp::Schedule("exponential", adam, {{"gamma", 0.8}})};
  what.val_loader =
      bp::Loader(held_out, {/*batch_size=*/512, /*shuffle=*/false, /*drop_last=*/false, here});
  what.loss = bp::Module("cross_entropy_loss");
  what.accuracy = true;
  what.on_epoch = [](bp::Trainer&, const bp::TrainFigures& f) {
    std::cout << "epoch " << std::setw(2) << f.epoch + 1 << std::fixed << std::setprecision(2)
              << "   learned " << 100 * f.train_accuracy << " %   held out " << 100 * f.val_accuracy
              << " %" << std::endl;
  };
  bp::Trainer(what).fit({/*max_epochs=*/10});
  bp::save_safetensors(net.state_dict(), path);

  loaded.load_state_dict(bp::load_safetensors(path, there));
  const auto before = predictions(net, *what.val_loader, here),
             after = predictions(loaded, *what.val_loader, there);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < before.size(); ++i) equal += before[i] == after[i];
  std::cout << equal << " of " << before.size() << " predictions on " << there << " are those of "
            << here << '\n';
  return equal == before.size() ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "train_digits: " << e.what() << '\n';
  return 1;
}
