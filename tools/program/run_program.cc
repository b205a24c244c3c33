// SPDX-License-Identifier: Apache-2.0
// backplane run: runs the file of a recorded program over arrays from files, or over random numbers
// where it is told to, and times it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "program/saved.h"

namespace cli {
namespace {

namespace bp = backplane;
using Clock = std::chrono::steady_clock;

struct Given {
  std::string path, device;
  std::vector<std::string> inputs;
  std::string out;
  bool random = false;
  std::uint64_t repeat = 1;
};

std::string name_of(std::size_t i) { return fmt::format("in{}", i); }

// Takes the arrays that one --input names: "in0=FILE.npz", "in0=FILE.npz:array", "FILE.npz".
void take(const std::string& text, const Saved& saved,
          std::vector<std::optional<bp::Tensor>>& inputs) {
  const std::size_t equals = text.find('=');
  const bool is_named = equals != std::string::npos && text.rfind("in", 0) == 0;
  std::string path = is_named ? text.substr(equals + 1) : text, array;
  if (const std::size_t colon = path.rfind(".npz:"); is_named && colon != std::string::npos) {
    array = path.substr(colon + 5);
    path.resize(colon + 4);
  }
  const bp::Dict dict = bp::load_npz(path, "cpu");
  if (!is_named) {
    bool any = false;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (dict.contains(name_of(i))) inputs[i] = dict.get(name_of(i)), any = true;
    if (!any)
      throw BadInput(
          fmt::format("'{}' has no array in0, in1 ...; --input in0={}:NAME takes one by "
                      "its own name",
                      path, path));
    return;
  }
  const std::string name = text.substr(0, equals);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (name != name_of(i)) continue;
    if (array.empty() && dict.size() != 1 && !dict.contains(name))
      throw BadInput(fmt::format("'{}' has {} arrays; --input {}={}:NAME says which", path,
                                 dict.size(), name, path));
    inputs[i] = !array.empty()        ? dict.get(array)
                : dict.contains(name) ? dict.get(name)
                                      : dict.items()[0].second;
    return;
  }
  throw BadInput(
      fmt::format("the program has no input '{}'; it has {}", name,
                  saved.inputs.empty() ? "none" : "in0 to " + name_of(saved.inputs.size() - 1)));
}

bp_dtype dtype_named(const std::string& name) {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (name == bp_dtype_name(t)) return t;
  throw std::runtime_error(name + " is no dtype");
}

// Numbers of [0, 1) for floats, and 0 or 1 for all others, which are indices as a rule.
bp::Tensor random_like(const Saved::Place& place) {
  const bp_dtype dtype = dtype_named(place.dtype);
  const bool is_float = bp_dtype_kind(dtype) == BP_DTYPE_KIND_FLOAT;
  const bp::Tensor x = bp::uniform(place.shape, BP_F32);
  return (is_float ? x : x.mul(2).floor()).to(dtype);
}

int run_program(const Given& given) {
  const bp::Program program = load_on(given.path, given.device);
  const Saved saved = read_saved(given.path);
  std::vector<std::optional<bp::Tensor>> found(saved.inputs.size());
  for (const std::string& text : given.inputs) take(text, saved, found);
  std::vector<bp::Tensor> inputs;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Saved::Place& place = saved.inputs[i];
    if (!found[i] && !given.random)
      throw BadInput(fmt::format(
          "input {} ({}) is not given: --input {}=FILE.npz gives it, --random fills what is not "
          "given with random numbers",
          name_of(i), place.text(), name_of(i)));
    if (!found[i]) {
      found[i] = random_like(place);
      fmt::print("{}: {}, random numbers\n", name_of(i), place.text());
    }
    inputs.push_back(
        found[i]->to(bp::Device(given.device.empty() ? saved.device_of(place) : given.device)));
  }
  std::vector<bp::Device> devices;
  for (const std::string& d : saved.devices)
    devices.emplace_back(given.device.empty() ? d : given.device);
  std::vector<double> seconds;
  std::vector<bp::Tensor> outputs;
  for (std::uint64_t i = 0; i < given.repeat; ++i) {
    const auto start = Clock::now();
    outputs = program(inputs);
    for (const bp::Device d : devices) bp::synchronize(d);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  bp::Dict results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    fmt::print("out{}: {}, on {}\n", i, saved.outputs[i].text(), outputs[i].device().str());
    results.set(fmt::format("out{}", i), outputs[i]);
  }
  std::nth_element(seconds.begin(),
                   seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                   seconds.end());
  fmt::print("{}: {:.3g} ms{}\n", given.repeat == 1 ? "time" : "median time",
             seconds[seconds.size() / 2] * 1e3,
             given.repeat == 1 ? "" : fmt::format(" of {} runs", given.repeat));
  if (!given.out.empty()) bp::save_npz(results, given.out);
  return 0;
}

}  // namespace

Run run(CLI::App& app) {
  auto given = std::make_shared<Given>();
  app.add_option("FILE", given->path, "The file of a program: what bp_program_save wrote")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--device", given->device,
                 "Where all of it runs: cpu, cuda:0 ... (default: where the file says)");
  app.add_option("--input", given->inputs,
                 "in0=FILE.npz: an input from the only array of a file, or from the one of its "
                 "name; in0=FILE.npz:NAME: from another one; FILE.npz: all that the file has. May "
                 "come several times");
  app.add_flag("--random", given->random,
               "Fill inputs that are not given: floats from [0, 1), others with 0 and 1");
  app.add_option("--repeat", given->repeat, "How often it runs (default: 1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--out", given->out, "Write the results into this .npz file, as out0, out1 ...")
      ->type_name("FILE");
  app.footer(
      "Each run writes what the program holds, as a training step does, in memory; the file stays "
      "as it is. The first run is slower: it takes its memory.");
  return [=] { return run_program(*given); };
}

}  // namespace cli
