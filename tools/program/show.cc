// SPDX-License-Identifier: Apache-2.0
// backplane show: what is in the file of a recorded program, as text and as a picture.
#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

#include "program/saved.h"

namespace cli {
namespace {

namespace bp = backplane;

void print_places(const char* what, const char* prefix, const Saved& saved,
                  const std::vector<Saved::Place>& places) {
  fmt::print("{}:{}\n", what, places.empty() ? " none" : "");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < places.size(); ++i)
    rows.push_back(
        {fmt::format("  {}{}", prefix, i), places[i].text(), saved.device_of(places[i])});
  if (!rows.empty()) fmt::print("{}", columns(rows));
}

void print_held(const Saved& saved) {
  std::vector<std::vector<std::string>> rows;
  std::uint64_t bytes = 0;
  for (const Saved::Buffer& b : saved.buffers) {
    if (b.is != "held") continue;
    rows.push_back({"  " + b.tensor, saved.held.at(b.tensor), byte_text(b.bytes), b.device,
                    b.written ? "written" : "read"});
    bytes += b.bytes;
  }
  fmt::print("holds:{}\n", rows.empty() ? " nothing" : fmt::format(" {}", byte_text(bytes)));
  if (!rows.empty()) fmt::print("{}", columns(rows));
}

// The plain list of steps, before any are put together.
std::string steps_before(const std::string& path, const std::string& device) {
  const bp_program_options apart{sizeof apart,
                                 BP_PASS_DEAD | BP_PASS_EQUAL | BP_PASS_GROUP | BP_PASS_JOIN, 0};
  bp_program* p = nullptr;
  bp_error* err = nullptr;
  const bp_device on = device.empty() ? 0 : bp::Device(device).value();
  const bp_status status =
      bp_program_load(path.c_str(), &on, device.empty() ? 0 : 1, &apart, &p, &err);
  const std::unique_ptr<bp_program, void (*)(bp_program*)> owned(p, bp_program_release);
  const std::unique_ptr<bp_error, void (*)(bp_error*)> why(err, bp_error_release);
  if (status < 0) throw std::runtime_error(bp_error_message(err, nullptr));
  std::uint64_t n = 0;
  bp_program_format(p, nullptr, 0, &n, nullptr);
  std::string text(n + 1, '\0');
  bp_program_format(p, text.data(), text.size(), nullptr, nullptr);
  text.resize(n);
  return text;
}

int show_program(const std::string& path, const std::string& device, const std::string& svg) {
  const bp::Program program = load_on(path, device);
  const Saved saved = read_saved(path);
  const bp_program_facts facts = program.facts();
  fmt::print("{}: a program, written by Backplane {}, for {}{}\n", path, saved.library,
             fmt::join(saved.devices, ", "), device.empty() ? "" : ", here on " + device);
  print_places("inputs", "in", saved, saved.inputs);
  print_places("outputs", "out", saved, saved.outputs);
  print_held(saved);
  fmt::print("a run: {} steps in {} launches, {} in between, {} read and written\n", facts.n_steps,
             facts.n_launches, byte_text(facts.arena_bytes), byte_text(facts.moved_bytes));
  fmt::print("steps as they were saved:\n{}", steps_before(path, device));
  fmt::print("steps as they run:\n{}", program.text());
  if (svg.empty()) return 0;
  std::ofstream out(svg, std::ios::binary);
  out << svg_of(saved);
  out.close();
  if (!out) throw std::system_error(errno, std::system_category(), "cannot write '" + svg + "'");
  fmt::print("the picture is in {}\n", svg);
  return 0;
}

}  // namespace

Run show(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto device = std::make_shared<std::string>();
  auto svg = std::make_shared<std::string>();
  app.add_option("FILE", *path, "The file of a program: what bp_program_save wrote")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--device", *device,
                 "Where all of it is to run: cpu, cuda:0 ... (default: where the file says)");
  app.add_option("--svg", *svg, "Also draw its steps, into this file")->type_name("FILE");
  app.footer(
      "What is in between is memory that a run takes for results that only its steps see. What is "
      "read and written is what its launches move to and from memory.");
  return [=] { return show_program(*path, *device, *svg); };
}

}  // namespace cli
