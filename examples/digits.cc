// SPDX-License-Identifier: Apache-2.0
#include "digits.h"

#include <array>
#include <random>

namespace digits {
namespace {

namespace bp = backplane;

// From 8x8 to 4x4 to 2x2, and from 1 to 64 channels. It is in eval mode except while it learns.
bp::Module new_net(std::uint64_t seed) {
  bp::manual_seed(seed);
  bp::Module net("sequential", {}, "cpu");
  const auto convolution = [&](int in, int out) {
    net.append(bp::Module(
        "conv2d", {{"in_channels", in}, {"out_channels", out}, {"kernel_size", 3}, {"padding", 1}},
        "cpu"));
    net.append(bp::Module("batch_norm2d", {{"num_features", out}}, "cpu"));
    net.append(bp::Module("relu"));
  };
  convolution(1, 16);
  convolution(16, 32);
  net.append(bp::Module("max_pool2d", {{"kernel_size", 2}}));
  convolution(32, 64);
  net.append(bp::Module("max_pool2d", {{"kernel_size", 2}}));
  net.append(bp::Module("flatten"));
  net.append(bp::Module("dropout", {{"p", 0.3}}));
  net.append(bp::linear(256, 10, /*bias=*/true, "cpu"));
  return net.eval();
}

// Returns images [n, 1, 8, 8] of values 0 to 1, and their labels, on the cpu.
bp::Batch chosen_of(const Images& all, const std::vector<std::int64_t>& chosen) {
  const auto n = static_cast<std::int64_t>(chosen.size());
  const bp::Tensor rows = bp::tensor(chosen, "cpu"),
                   pixels = bp::tensor(all.pixels, {all.count(), 1, 8, 8}, "cpu");
  return {bp::index_select(pixels, rows, /*axis=*/0).to(BP_F32).reshape({n, 1, 8, 8}) / 16,
          bp::index_select(bp::tensor(all.labels, "cpu"), rows, /*axis=*/0)};
}

bp::Trainer new_trainer(const Settings& settings, const std::vector<bp::Module>& models,
                        const bp::Batch& learned, const bp::Batch& held_out) {
  // For several devices, batches are cut on the cpu.
  const bp::Device to = settings.devices.size() > 1 ? bp::Device("cpu") : settings.devices[0];
  bp::LoaderOptions how{/*batch_size=*/64, /*shuffle=*/true};
  how.device = to;
  how.seed = settings.seed;
  if (settings.group) how.part = settings.group->rank(), how.n_parts = settings.group->size();
  bp::TrainerOptions what{models, {}, bp::Loader(bp::Dataset(learned), how)};
  how.shuffle = false;
  how.batch_size = 512;
  what.val_loader = bp::Loader(bp::Dataset(held_out), how);
  for (const bp::Module& m : models) {
    what.optimizers.emplace_back("AdamW", m.parameters(),
                                 bp::Attrs{{"lr", 5e-3}, {"weight_decay", 0.01}});
    // Nothing depends on how many epochs there will be, so a resumed run is the same.
    what.schedules.emplace_back("exponential", what.optimizers.back(), bp::Attrs{{"gamma", 0.9}});
  }
  what.group = settings.group;
  what.shard_states = settings.shard_states;
  what.csv = settings.csv;
  what.loss = bp::Module("cross_entropy_loss");
  what.accuracy = true;
  what.prepare_batch = [](bp::Batch& batch, bool training) {
    if (training) batch[0] = warped(batch[0]);
  };
  if (settings.on_batch)
    what.on_batch = [tell = settings.on_batch](bp::Trainer&, const bp::TrainFigures& f) {
      tell(f);
    };
  if (settings.on_epoch)
    what.on_epoch = [tell = settings.on_epoch](bp::Trainer&, const bp::TrainFigures& f) {
      tell(f);
    };
  return bp::Trainer(what);
}

}  // namespace

Split stratified(const Images& images, std::uint64_t seed) {
  std::array<std::vector<std::int64_t>, 10> by_digit;
  for (std::int64_t i = 0; i < images.count(); ++i)
    by_digit[static_cast<std::size_t>(images.labels[static_cast<std::size_t>(i)])].push_back(i);
  std::mt19937_64 random(seed);
  Split split;
  for (auto& group : by_digit) {
    for (std::size_t i = group.size(); i > 1; --i)
      std::swap(group[i - 1], group[random() % i]);  // no library's shuffle, which would vary
    const auto held = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 5);
    split.held_out.insert(split.held_out.end(), group.begin(), held);
    split.train.insert(split.train.end(), held, group.end());
  }
  return split;
}

Split in_order(const Images& images) {
  constexpr std::int64_t kLearned = 1437;
  Split split;
  for (std::int64_t i = 0; i < images.count(); ++i)
    (i < kLearned ? split.train : split.held_out).push_back(i);
  return split;
}

// The source of a pixel is a linear function of its place. Its value is interpolated between the
// four pixels around its source, and is 0 outside the image. The weights are hats of width 1 about
// the source, applied first along y, by a product of matrices.
bp::Tensor warped(const bp::Tensor& images) {
  const bp::Device device = images.device();
  const std::int64_t n = images.size(0);
  const auto random = [&](double most) {
    return bp::uniform({n, 1}, BP_F32, -most, most, -1, -1, device);
  };
  const bp::Tensor at = bp::arange(0, 8, 1, BP_F32, device) - 3.5;  // counted from the middle
  const bp::Tensor x = at.expand({8, 8}).reshape({64}),
                   y = at.unsqueeze(1).expand({8, 8}).reshape({64});
  const bp::Tensor turn = random(0.1), shear = random(0.1);
  const bp::Tensor from_x = x * (1 + random(0.1)) + y * (turn + shear) + random(0.5);  // [n, 64]
  const bp::Tensor from_y = y * (1 + random(0.1)) - x * turn + random(0.5);
  const auto hats = [&](const bp::Tensor& from) {
    return bp::relu(1 - bp::abs(from.unsqueeze(2) - at));
  };  // [n, 64, 8]
  return bp::sum(bp::matmul(hats(from_y), images.reshape({n, 8, 8})) * hats(from_x), {2})
      .reshape({n, 1, 8, 8});
}

Job::Job(const Settings& settings, const Images& images, const Split& split)
    : held_out_(chosen_of(images, split.held_out)),
      models_(bp::replicate(new_net(settings.seed), settings.devices)),
      trainer_(new_trainer(settings, models_, chosen_of(images, split.train), held_out_)) {
  held_out_[0] = held_out_[0].to(settings.devices[0]);
  // Members warp their images by numbers of their own.
  if (settings.group) bp::manual_seed(settings.seed + settings.group->rank());
}

void Job::load_model(const bp::Dict& state) {
  const std::string prefix = "model.";
  bp::Dict weights;
  for (const auto& [name, tensor] : state.items())
    if (name.compare(0, prefix.size(), prefix) == 0)
      weights.set(name.substr(prefix.size()), tensor);
  models_.front().load_state_dict(weights);
}

std::vector<std::int64_t> Job::predictions() const {
  const bp::NoGradGuard guard;
  return bp::argmax(models_.front()(held_out_[0]), {1}).read<std::int64_t>();
}

double Job::accuracy() const {
  const auto given = predictions(), right = held_out_[1].read<std::int64_t>();
  std::size_t hits = 0;
  for (std::size_t i = 0; i < given.size(); ++i) hits += given[i] == right[i];
  return static_cast<double>(hits) / static_cast<double>(given.size());
}

std::int64_t Job::parameter_count() const {
  std::int64_t n = 0;
  for (const bp::Tensor& p : models_.front().parameters()) n += p.numel();
  return n;
}

}  // namespace digits
