// backplane demo: the digits job of examples/knn.h on every visible device in turn; the devices
// must agree.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli.h"
#include "knn.h"

namespace cli {
namespace {

namespace bp = backplane;

constexpr double kWanted = 0.98;

// One line redrawn on a terminal; elsewhere nothing, so that a log holds only results.
class Progress {
 public:
  Progress(std::string label, std::int64_t total) : label_(std::move(label)), total_(total) {}
  void show(std::int64_t done) const {
    if (!is_terminal(STDOUT_FILENO)) return;
    constexpr std::int64_t kWidth = 40;
    const auto filled = static_cast<std::size_t>(kWidth * done / total_);
    fmt::print("\r{:<10} [{:<{}}] {:>3}%", label_, std::string(filled, '#'), kWidth,
               100 * done / total_);
    std::fflush(stdout);
  }
  void clear() const {
    if (is_terminal(STDOUT_FILENO)) fmt::print("\r{:<70}\r", "");
  }

 private:
  std::string label_;
  std::int64_t total_;
};

std::vector<bp::Device> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return bp::devices();
  std::vector<bp::Device> out;
  for (const std::string& name : names) {
    const bp::Device device(name),
        with_index = bp::Device::from_value(bp::device_info(device).device);
    out.push_back(device.kind() == BP_KIND_CPU ? bp::Device("cpu") : with_index);
  }
  return out;
}

// "a, b, c and 4 more".
std::string shortened(std::vector<std::string> names) {
  constexpr std::size_t kShown = 3;
  const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more ? fmt::format(" and {} more", more) : "");
}

void print_outcome(const knn::Outcome& o) {
  fmt::print("{:<10} {:.2f} % right   {:>7.3f} s   {:>9} to the device, {:>9} back\n",
             o.device.str(), 100 * o.accuracy, o.seconds, byte_text(o.bytes_in),
             byte_text(o.bytes_out));
}

// Whether the device could do it and did it well; the outcome is appended.
bool try_device(const knn::Digits& digits, bp::Device device, std::vector<knn::Outcome>& outcomes) {
  const auto missing = knn::missing_ops(device);
  if (!missing.empty()) {
    fmt::print("{:<10} skipped: its backend lacks {}\n", device.str(), shortened(missing));
    return true;
  }
  const Progress progress(device.str(), digits.count());
  try {
    const knn::Outcome o = knn::classify(digits, device, /*neighbours=*/3,
                                         [&](std::int64_t done) { progress.show(done); });
    progress.clear();
    print_outcome(o);
    outcomes.push_back(o);
    return o.accuracy >= kWanted;
  } catch (const bp::Error& e) {
    progress.clear();
    fmt::print("{:<10} FAILED: {}\n", device.str(), e.what());
    return false;
  }
}

// The backend is swapped in mid-run: the first device starts, the last one finishes.
bool swap_on_the_way(const knn::Digits& digits, const std::vector<knn::Outcome>& outcomes) {
  const bp::Device first = outcomes.front().device, last = outcomes.back().device;
  const knn::Outcome moved = knn::classify(digits, first, /*neighbours=*/3, {}, last);
  const bool same = moved.predictions == outcomes.front().predictions;
  fmt::print("{}: started on {}, moved half way, finished on {}\n",
             same ? "The same answers again" : "DISAGREE", first.str(), last.str());
  return same;
}

int run(const std::string& path, const std::vector<std::string>& names) {
  const knn::Digits digits = knn::load_digits(path);
  const std::vector<bp::Device> devices = chosen(names);
  fmt::print(
      "Which digit is it? {} images of 8x8, each by its 3 nearest neighbours among all others.\n",
      digits.count());
  std::vector<knn::Outcome> outcomes;
  bool good = true;
  for (bp::Device device : devices) good = try_device(digits, device, outcomes) && good;

  if (outcomes.empty()) {
    fmt::print("No device could run it.\n");
    return 1;
  }
  for (const auto& o : outcomes) {
    if (o.predictions == outcomes.front().predictions) continue;
    fmt::print("DISAGREE: {} and {} give different answers\n", outcomes.front().device.str(),
               o.device.str());
    good = false;
  }
  if (good && outcomes.size() > 1)
    fmt::print("All {} devices give the same {} answers.\n", outcomes.size(), digits.count());
  if (good && outcomes.size() > 1) good = swap_on_the_way(digits, outcomes);
  if (good && outcomes.size() == 1)
    fmt::print("One device ran it; there is no second one to compare with.\n");
  return good ? 0 : 1;
}

}  // namespace

Run demo(CLI::App& app) {
  auto path = std::make_shared<std::string>(default_data());
  auto devices = std::make_shared<std::vector<std::string>>();
  app.add_option("--data", *path,
                 "The images: lines of 64 pixels and a label (default: the ones that came with it)")
      ->check(CLI::ExistingFile);
  app.add_option("--device", *devices,
                 "Only these devices, as cpu or cuda:1 (default: every visible one)")
      ->take_all();
  app.footer(
      "Distances by matmul, topk, a vote; at least 98 % must be right, and all devices must agree, "
      "else the exit code is 1.\n"
      "A device whose backend lacks an op is skipped with the reason. Times contain the copies.");
  return [=] { return run(*path, *devices); };
}

}  // namespace cli
