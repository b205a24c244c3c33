// SPDX-License-Identifier: Apache-2.0
// backplane doctor: every plugin file that was found or tried, stage by stage, with the cause
// and the remedy.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

// One kind that was asked for by name. It is usable, or `problem` says why not.
struct Wish {
  std::string kind;
  std::int32_t devices = 0;
  std::string problem;  // "" when usable
  std::string sums;     // why sums over its devices failed; "" when they work or it has one device
};

// Tries a sum over a kind's devices. It may go through a library of the vendor's, which is looked
// for at the first sum; the report then says why it is not used.
std::string try_sum(bp_kind kind, std::int32_t n_devices) try {
  std::vector<bp::Tensor> parts;
  std::vector<bp_tensor*> list;
  for (std::int32_t i = 0; i < n_devices; ++i) {
    parts.push_back(bp::ones({n_devices}, BP_F32, bp::Device::make(kind, i)));
    list.push_back(parts.back().get());
  }
  bp::detail::call([&](bp_error** e) {
    return bp_all_reduce(list.data(), static_cast<std::uint32_t>(list.size()), 0, e);
  });
  const bool right = parts.back().cpu().read<float>() ==
                     std::vector<float>(parts.size(), static_cast<float>(n_devices));
  return right ? "" : "wrong numbers";
} catch (const bp::Error& e) {
  return e.what();
}

Wish ask_for(const std::string& kind) {
  Wish wish{kind, 0, "", ""};
  try {
    const bp::Device device(kind);
    bp::detail::call(
        [&](bp_error** e) { return bp_kind_require(device.kind(), &wish.devices, e); });
    if (wish.devices == 0) wish.problem = "no device of it is visible";
    if (wish.devices > 1) wish.sums = try_sum(device.kind(), wish.devices);
  } catch (const bp::Error& e) {
    wish.problem = e.what();
  }
  return wish;
}

// Shows the way of a candidate: the stages it passed, then the one where it stopped.
std::string way(const bp::ReportEntry& e) {
  if (e.stage == BP_STAGE_READY)
    return "file ok, dlopen ok, symbol ok, query ok, open ok, probe ok, devices ok: ready";
  if (e.stage == BP_STAGE_SHADOWED) return "not tried: shadowed by another file of the same kind";
  if (e.stage == BP_STAGE_SKIPPED) return "not tried: not in the allow-list";
  if (e.stage == BP_STAGE_FOUND) return "found, not tried";
  if (e.stage == BP_STAGE_DIRECTORY) return "directory FAILED";
  std::string text;
  for (std::int32_t stage = BP_STAGE_FILE; stage < e.stage; ++stage)
    text += fmt::format("{} ok, ", stage_name(stage));
  return text + fmt::format("{} FAILED ({})", stage_name(e.stage), bp_status_name(e.status));
}

void print_entry(const bp::ReportEntry& e) {
  const std::string mark = e.stage == BP_STAGE_READY ? painted(Paint::kGood, "ok")
                           : is_absent(e)            ? painted(Paint::kBad, "!!")
                                                     : painted(Paint::kDim, "--");
  fmt::print("[{}] {}  {}\n", mark, painted(Paint::kBold, e.kind.empty() ? "?" : e.kind), e.path);
  fmt::print("     {}\n", way(e));
  if (e.stage == BP_STAGE_READY)
    fmt::print("     version {}, {} visible device{}, loaded in {:.1f} ms\n", e.version,
               e.n_devices, e.n_devices == 1 ? "" : "s", static_cast<double>(e.nanoseconds) / 1e6);
  if (!e.cause.empty()) fmt::print("     why:    {}\n", e.cause);
  if (!e.remedy.empty()) fmt::print("     remedy: {}\n", e.remedy);
}

json page(const std::vector<bp::ReportEntry>& report, const std::vector<Wish>& wishes) {
  json out{{"version", bp_version()},
           {"plugins", json::array()},
           {"asked", json::array()},
           {"environment", json::object()}};
  for (const auto& e : report)
    out["plugins"].push_back({{"kind", e.kind},
                              {"path", e.path},
                              {"version", e.version},
                              {"stage", stage_name(e.stage)},
                              {"status", bp_status_name(e.status)},
                              {"devices", e.n_devices},
                              {"milliseconds", static_cast<double>(e.nanoseconds) / 1e6},
                              {"cause", e.cause},
                              {"remedy", e.remedy}});
  for (const auto& w : wishes)
    out["asked"].push_back({{"kind", w.kind},
                            {"usable", w.problem.empty()},
                            {"devices", w.devices},
                            {"problem", w.problem},
                            {"sums", w.sums}});
  for (const auto& [name, value] : environment()) out["environment"][name] = value;
  return out;
}

void print_page(const std::vector<bp::ReportEntry>& report, const std::vector<Wish>& wishes) {
  fmt::print("Backplane {}\n", bp_version());
  for (const auto& [name, value] : environment()) fmt::print("{}={}\n", name, value);
  if (!report.empty()) fmt::print("\n");
  for (const auto& e : report) print_entry(e);
  if (report.empty() && wishes.empty())
    fmt::print(
        "\nNo plugin file was found.\n     remedy: put libbackplane_<kind>.so into backplane/ beside "
        "the library, or name its "
        "directory in BACKPLANE_PLUGIN_PATH\n");
  if (!wishes.empty()) fmt::print("\n");
  for (const auto& w : wishes)
    if (w.problem.empty())
      fmt::print("{}: {}, {} device{}{}\n", w.kind, painted(Paint::kGood, "usable"), w.devices,
                 w.devices == 1 ? "" : "s",
                 w.sums.empty() ? "" : "; sums over them FAIL: " + w.sums);
    else
      fmt::print("{}: {}: {}\n", w.kind, painted(Paint::kBad, "MISSING"), w.problem);
}

int run(const std::vector<std::string>& kinds, bool as_json) {
  std::vector<Wish> wishes;
  for (const std::string& kind : kinds) wishes.push_back(ask_for(kind));
  std::vector<bp::ReportEntry> report = try_everything();
  if (!kinds.empty()) {
    const auto unasked = [&](const bp::ReportEntry& e) {
      return std::find(kinds.begin(), kinds.end(), e.kind) == kinds.end();
    };
    report.erase(std::remove_if(report.begin(), report.end(), unasked), report.end());
  }
  if (as_json)
    fmt::print("{}\n", page(report, wishes).dump(2));
  else
    print_page(report, wishes);
  for (const auto& w : wishes)
    if (!w.problem.empty()) return 1;
  return 0;
}

}  // namespace

Run doctor(CLI::App& app) {
  auto kinds = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  app.add_option(
      "kind", *kinds,
      "Backends to ask for by name (cpu, cuda ...); exit code 1 when one cannot be used");
  app.add_flag("--json", *as_json, "Print JSON: version, plugins, asked, environment");
  app.footer(
      "Stages: file, dlopen, symbol, query, open, probe, devices, ready. Marks: ok usable, -- not "
      "tried, !! failed.\n"
      "Of a kind that is named, a sum over its devices is tried.\n"
      "Without a name every backend is tried and the exit code is 0.");
  return [=] { return run(*kinds, *as_json); };
}

}  // namespace cli
