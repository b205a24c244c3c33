// SPDX-License-Identifier: Apache-2.0
// model.h: a model out of a file: a list of module kinds with their options as JSON, or what an
// earlier run left.
//
//   [{"kind": "linear", "in_features": 4, "out_features": 8},
//    {"kind": "relu"},
//    {"kind": "linear", "in_features": 8, "out_features": 3}]
//
// A list is a sequential. {"kind": "sequential", "modules": [...]} says the same, so that lists
// nest. Kinds and options are those of the library's reflection.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "cli.h"

namespace cli {

struct Model {
  nlohmann::json description;
  backplane::Module module;  // on the cpu
};

// Throws BadInput with the file, the place in it and what is wrong there.
Model model_of(const nlohmann::json& description, const std::string& path);
// Reads a description, or a run's file, whose weights the model then has.
Model load_model(const std::string& path);
// Takes the weights in a .safetensors or .npz file: a run's, or a state dict of the same names.
void load_weights(Model& model, const std::string& path);
// Returns the tensors of a state dict that belong to a run's model, without their prefix.
backplane::Dict model_weights(const backplane::Dict& state);
// Whether the model's first layer looks its input up by number.
bool takes_integers(const nlohmann::json& description);

}  // namespace cli
