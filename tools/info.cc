// SPDX-License-Identifier: Apache-2.0
// backplane info: what whoever reads a bug report asks for first.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

#ifdef __clang__
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

// Returns what stands behind "key:" or "key=" in the first line of a file that begins so; "" where
// there is no such file or line.
std::string fact_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t at = line.find_first_not_of(" \t:=\"", key.size());
    if (at == std::string::npos) return "";
    line.erase(line.find_last_not_of(" \t\"") + 1);
    return line.substr(at);
  }
  return "";
}

// Returns those of the processor's flags that kernels are chosen by.
std::vector<std::string> processor_features() {
  std::string flags = fact_in("/proc/cpuinfo", "flags");
  if (flags.empty()) flags = fact_in("/proc/cpuinfo", "Features");  // Arm
  std::vector<std::string> out;
  std::istringstream words(flags);
  for (std::string word; words >> word;)
    for (const char* known :
         {"sse4_2", "avx", "fma", "f16c", "bmi2", "amx", "asimd", "sve", "bf16"})
      if (word.rfind(known, 0) == 0) {
        out.push_back(word);
        break;
      }
  return out;
}

std::string library_file() {
  Dl_info where{};
  return dladdr(reinterpret_cast<void*>(&bp_version), &where) && where.dli_fname ? where.dli_fname
                                                                                 : "";
}

json system_facts() {
  utsname name{};
  uname(&name);
  return {{"os", fact_in("/etc/os-release", "PRETTY_NAME")},
          {"kernel", fmt::format("{} {}", name.sysname, name.release)},
          {"machine", name.machine},
          {"cpu", fact_in("/proc/cpuinfo", "model name")},
          {"cpu_features", processor_features()}};
}

json facts() {
  const auto report = try_everything();
  json page{{"version", bp_version()},
            {"abi", bp_abi_version()},
            {"compiler", kCompiler},
            {"library", library_file()},
            {"system", system_facts()},
            {"threads", {{"count", bp_get_num_threads()}, {"source", bp::num_threads_source()}}},
            {"plugins", json::array()},
            {"devices", json::array()},
            {"environment", json::object()}};
  for (const auto& e : report)
    page["plugins"].push_back({{"kind", e.kind},
                               {"path", e.path},
                               {"stage", stage_name(e.stage)},
                               {"version", e.version},
                               {"devices", e.n_devices},
                               {"cause", e.cause}});
  for (const bp::Device d : bp::devices()) {
    const bp_device_info i = bp::device_info(d);
    page["devices"].push_back({{"device", d.str()},
                               {"name", i.name},
                               {"driver", i.driver},
                               {"memory_total", i.memory_total},
                               {"simulated", (i.flags & BP_DEVICE_SIMULATED) != 0}});
  }
  for (const auto& [name, value] : environment()) page["environment"][name] = value;
  return page;
}

// Prints a list of what has parts, one in a line.
void print_list(const char* title, const json& list,
                const std::function<std::string(const json&)>& line) {
  fmt::print("{}\n",
             painted(Paint::kBold, fmt::format("{}:{}", title, list.empty() ? " none" : "")));
  for (const json& item : list) fmt::print("  {}\n", line(item));
}

std::string text_of(const json& value) { return value.get<std::string>(); }

void print_facts(const json& page) {
  const json& system = page["system"];
  std::string features;
  for (const json& f : system["cpu_features"]) features += " " + text_of(f);
  const std::vector<std::pair<const char*, std::string>> lines{
      {"Backplane", fmt::format("{} (C ABI {})", text_of(page["version"]), page["abi"].get<int>())},
      {"Library", text_of(page["library"])},
      {"Compiler", text_of(page["compiler"])},
      {"System", fmt::format("{}, {}, {}", text_of(system["os"]), text_of(system["kernel"]),
                             text_of(system["machine"]))},
      {"CPU", text_of(system["cpu"]) + features},
      {"Threads", fmt::format("{} ({})", page["threads"]["count"].get<int>(),
                              text_of(page["threads"]["source"]))}};
  for (const auto& [name, value] : lines)
    fmt::print("{} {}\n", painted(Paint::kBold, fmt::format("{:<10}", std::string(name) + ":")),
               value);
  print_list("Plugins", page["plugins"], [](const json& p) {
    const std::string cause = text_of(p["cause"]);
    return fmt::format("{}: {} {}, {}{}{}", text_of(p["kind"]), text_of(p["path"]),
                       text_of(p["version"]), text_of(p["stage"]), cause.empty() ? "" : ": ",
                       cause);
  });
  print_list("Devices", page["devices"], [](const json& d) {
    return fmt::format("{}: {}, {}, driver {}", text_of(d["device"]), text_of(d["name"]),
                       byte_text(d["memory_total"].get<std::uint64_t>()), text_of(d["driver"]));
  });
  std::vector<std::string> set;
  for (const auto& [name, value] : page["environment"].items())
    set.push_back(fmt::format("{}={}", name, text_of(value)));
  print_list("Environment", json(set), text_of);
}

}  // namespace

Run info(CLI::App& app) {
  auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json,
               "Print JSON: version, abi, compiler, library, system, threads, plugins, devices, "
               "environment");
  app.footer(
      "It holds paths, and the variables that begin with BACKPLANE_, OMP_, LD_ or a backend's name: "
      "read it before you publish it.");
  return [=] {
    const json page = facts();
    if (*as_json)
      fmt::print("{}\n", page.dump(2, ' ', false, json::error_handler_t::replace));
    else
      print_facts(page);
    return 0;
  };
}

}  // namespace cli
