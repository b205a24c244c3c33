// SPDX-License-Identifier: Apache-2.0
#include "train/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

constexpr const char* kDescription = "run.model";  // a run's metadata, which job.cc writes
constexpr const char* kPrefix = "model.";          // of its weights, as the trainer writes them

// Where in the file something is: "net.json, module 2".
struct Place {
  std::string text;
  [[noreturn]] void fail_with(const std::string& what) const {
    throw BadInput(fmt::format("{}: {}", text, what));
  }
  Place inside(std::size_t i) const { return {fmt::format("{}, module {}", text, i)}; }
};

std::vector<std::string> option_names(const bp_module_kind_info& kind) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < kind.n_attrs; ++i) {
    bp_attr_info info{};
    info.struct_size = sizeof info;
    bp::detail::call([&](bp_error** e) { return bp_module_kind_attr(kind.name, i, &info, e); });
    names.emplace_back(info.default_value.name);
  }
  return names;
}

bp::Attr attribute(const std::string& name, const json& value, const Place& place) {
  if (value.is_boolean()) return {name, value.get<bool>()};
  if (value.is_number_integer()) return {name, value.get<std::int64_t>()};
  if (value.is_number()) return {name, value.get<double>()};
  if (value.is_string()) return {name, value.get<std::string>().c_str()};
  if (value.is_array() &&
      std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_number_integer(); }))
    return {name, value.get<bp::Shape>()};
  place.fail_with(
      fmt::format("{} is {}, expected a number, true, false, a text or a list of whole numbers",
                  name, value.dump()));
}

constexpr int kDeepest = 100;  // what goes through a description calls itself
template <class Input>
json parsed(Input&& input, const std::string& path) {
  try {
    return json::parse(input, [&](int depth, json::parse_event_t, const json&) {
      if (depth < kDeepest) return true;
      throw BadInput(fmt::format("{} nests {} deep and deeper", path, kDeepest));
    });
  } catch (const json::exception& e) {
    throw BadInput(fmt::format("{} is no JSON: {}", path, e.what()));
  }
}

bp::Module build(const json& j, const Place& place) {
  if (j.is_array()) return build({{"kind", "sequential"}, {"modules", j}}, place);
  if (!j.is_object() || !j.contains("kind") || !j["kind"].is_string())
    place.fail_with(
        fmt::format(R"({} is no module, expected {{"kind": "linear", ...}})", j.dump()));
  const std::string name = j["kind"].get<std::string>();
  bp_module_kind_info kind{};
  kind.struct_size = sizeof kind;
  try {
    bp::detail::call([&](bp_error** e) { return bp_module_kind_find(name.c_str(), &kind, e); });
  } catch (const bp::Error& e) {
    place.fail_with(e.what());
  }
  const auto known = option_names(kind);
  bp::Attrs attributes;
  for (const auto& [key, value] : j.items()) {
    if (key == "kind" || key == "modules" || value.is_null()) continue;
    if (std::find(known.begin(), known.end(), key) == known.end())
      place.fail_with(
          fmt::format("{} has no option '{}'; it has {}{}", name, key,
                      known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                      did_you_mean(key, known)));
    attributes.push_back(attribute(key, value, place));
  }
  try {
    bp::Module module(name, attributes, "cpu");
    if (j.contains("modules")) {
      if (!j["modules"].is_array()) place.fail_with("modules is no list");
      for (std::size_t i = 0; i < j["modules"].size(); ++i)
        module.append(build(j["modules"][i], place.inside(i)));
    }
    return module;
  } catch (const bp::Error& e) {
    place.fail_with(e.what());
  }
}

bp::Dict load_tensors(const std::string& path) {
  return std::filesystem::path(path).extension() == ".npz" ? bp::load_npz(path, "cpu")
                                                           : bp::load_safetensors(path, "cpu");
}

}  // namespace

Model model_of(const json& description, const std::string& path) {
  return {description, build(description, {path})};
}

Model load_model(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  if (!(file >> first)) throw BadInput(path + " is empty");
  if (first == '[' || first == '{') {
    file.seekg(0);
    return model_of(parsed(file, path), path);
  }
  const bp::Dict state = bp::load_safetensors(path, "cpu");
  std::string description;
  try {
    description = state.meta(kDescription);
  } catch (const bp::Error&) {
    throw BadInput(fmt::format(
        "{} holds weights and no model; describe it in JSON, and give the file as --weights",
        path));
  }
  Model model = model_of(parsed(description, path), path);
  model.module.load_state_dict(model_weights(state));
  return model;
}

void load_weights(Model& model, const std::string& path) {
  const bp::Dict state = load_tensors(path), own = model_weights(state);
  model.module.load_state_dict(own.empty() ? state : own);
}

bp::Dict model_weights(const bp::Dict& state) {
  const std::string prefix = kPrefix;
  bp::Dict weights;
  for (const auto& [name, tensor] : state.items())
    if (name.compare(0, prefix.size(), prefix) == 0)
      weights.set(name.substr(prefix.size()), tensor);
  return weights;
}

bool takes_integers(const json& description) {
  if (description.is_array()) return !description.empty() && takes_integers(description[0]);
  if (!description.is_object()) return false;
  if (description.contains("modules")) return takes_integers(description["modules"]);
  const std::string kind = description.value("kind", "");
  return kind == "embedding" || kind == "embedding_bag";
}

}  // namespace cli
