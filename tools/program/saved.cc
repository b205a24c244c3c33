// SPDX-License-Identifier: Apache-2.0
#include "program/saved.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

Saved::Place place_of(const json& j) {
  return {j.at("buffer").get<std::size_t>(), j.at("dtype").get<std::string>(),
          j.at("shape").get<std::vector<std::int64_t>>()};
}

Saved::Step step_of(const json& j, const std::vector<std::string>& devices) {
  Saved::Step s;
  s.name = j.value("name", "transfer");
  s.device = devices.at(j.at("device").get<std::size_t>());
  for (const json& o : j.at("in")) {
    if (o.is_object())
      s.in.push_back({true, place_of(o)});
    else
      s.in.push_back({false, {}, o.dump()});
  }
  for (const json& o : j.at("out")) s.out.push_back(place_of(o));
  s.in_place = s.out.empty();
  if (j.contains("attrs"))
    for (const auto& [name, value] : j.at("attrs").items())
      s.attrs += fmt::format("{}{}={}", s.attrs.empty() ? "" : ", ", name, value.dump());
  return s;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

std::string Saved::Place::text() const { return dtype + " " + shape_text(shape); }

Saved read_saved(const std::string& path) {
  const bp::Dict dict = bp::load_safetensors(path, "cpu");
  const json j = json::parse(dict.meta("backplane.program"));
  Saved s;
  s.library = j.value("library", "?");
  s.devices = j.at("devices").get<std::vector<std::string>>();
  for (const json& b : j.at("buffers"))
    s.buffers.push_back({b.at("is").get<std::string>(), b.value("tensor", ""),
                         s.devices.at(b.at("device").get<std::size_t>()),
                         b.at("bytes").get<std::uint64_t>()});
  for (const json& v : j.at("inputs")) s.inputs.push_back(place_of(v));
  for (const json& v : j.at("outputs")) s.outputs.push_back(place_of(v));
  for (const json& step : j.at("steps")) {
    s.steps.push_back(step_of(step, s.devices));
    const Saved::Step& made = s.steps.back();
    for (const Saved::Place& p : made.out) s.buffers.at(p.buffer).written = true;
    // In the lists of an optimiser's step the second is of gradients, which it only reads; those
    // are no tensors that a program holds.
    for (const Saved::Operand& o : made.in)
      if (made.in_place && o.is_place) s.buffers.at(o.place.buffer).written = true;
  }
  for (const auto& [name, t] : dict.items()) {
    const auto sizes = t.shape();
    s.held[name] =
        fmt::format("{} {}", bp_dtype_name(t.dtype()), shape_text({sizes.begin(), sizes.end()}));
  }
  return s;
}

bp::Program load_on(const std::string& path, const std::string& device) {
  return bp::Program::load(path, device.empty() ? std::vector<bp::Device>{}
                                                : std::vector<bp::Device>{bp::Device(device)});
}

}  // namespace cli
