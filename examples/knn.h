// knn.h: a real job through the C++ binding: which digit is on an 8x8 image? Each of the 1,797
// images of the UCI optical digits set is classified by its nearest neighbours among all others
// (leave one out): squared distances by one matmul, topk, a vote. `backplane demo` runs it on every
// device.
//
//   Digits digits = load_digits("digits.csv");
//   Outcome cpu = classify(digits, backplane::Device("cpu"));
//   std::cout << cpu.accuracy << '\n';
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backplane.hpp"

namespace knn {

struct Digits {
  std::vector<std::uint8_t> pixels;  // count x 64, 0..16
  std::vector<std::int64_t> labels;  // count, 0..9
  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

// Lines of 64 pixels and a label. Throws std::runtime_error naming the file and the line.
Digits load_digits(const std::string& path);

struct Outcome {
  backplane::Device device;
  std::vector<std::int64_t> predictions;
  double accuracy = 0;                        // 0..1
  double seconds = 0;                         // copies included
  std::uint64_t bytes_in = 0, bytes_out = 0;  // that crossed from and to the cpu
};

// done(images finished) is called after each batch. finish_on: half way, all data moves to that
// device and the work goes on there. Throws backplane::Error.
Outcome classify(const Digits& digits, backplane::Device device, std::int64_t neighbours = 3,
                 const std::function<void(std::int64_t)>& done = {},
                 backplane::Device finish_on = {});

// The ops that classify needs and the device's backend lacks, as "matmul of f32"; empty: it can run
// there.
std::vector<std::string> missing_ops(backplane::Device device);

}  // namespace knn
