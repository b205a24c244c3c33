// SPDX-License-Identifier: Apache-2.0
// saved.h: what `show` and `run` read of a program's file: the text beside its tensors, which
// docs/programs.md describes. The library has loaded the file before, and checked all of it.
//
//   const Saved saved = read_saved("step.safetensors");
//   for (const Saved::Place& in : saved.inputs) use(in.dtype, in.shape);
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli.h"

namespace cli {

struct Saved {
  // A look at a buffer.
  struct Place {
    std::size_t buffer = 0;
    std::string dtype{};
    std::vector<std::int64_t> shape{};
    std::string text() const;  // "float32 [2, 3]"
  };
  struct Buffer {
    std::string is{}, tensor{}, device{};
    std::uint64_t bytes = 0;
    bool written = false;
  };
  struct Operand {
    bool is_place = false;
    Place place{};
    std::string number{};
  };
  struct Step {
    std::string name{}, device{}, attrs{};
    std::vector<Operand> in{};
    std::vector<Place> out{};
    bool in_place = false;  // it writes its operands: a step of an optimiser
  };

  std::string library;
  std::vector<std::string> devices;
  std::vector<Buffer> buffers;
  std::vector<Place> inputs, outputs;
  std::vector<Step> steps;
  std::map<std::string, std::string> held;  // tensors by name: "float32 [64, 32]"

  std::string device_of(const Place& p) const { return buffers.at(p.buffer).device; }
};

Saved read_saved(const std::string& path);
// All of it on one device, or for "" where the file says.
backplane::Program load_on(const std::string& path, const std::string& device);

// Draws the steps from top to bottom, each below those whose results it takes. (svg.cc)
std::string svg_of(const Saved& saved);

}  // namespace cli
