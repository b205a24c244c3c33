// SPDX-License-Identifier: Apache-2.0
#include "torch.h"

#include <fmt/format.h>

#include <cstdlib>

namespace gpu_check {

// Returns nullptr when there is no PyTorch; the report then says why.
static std::shared_ptr<Conversation> connect(const Settings& settings, Report& report) {
  // The libraries on our path are of no use to it, and may be of another version.
  const char* before = std::getenv("GPU_CHECK_LIBRARY_PATH_BEFORE");
  auto peer = std::make_shared<Conversation>();
  const std::string device = settings.simulated() ? "cpu" : "cuda";
  if (!peer->start({settings.python, settings.beside("torch_peer.py"), device},
                   {std::string("LD_LIBRARY_PATH=") + (before ? before : "")}))
    report.say("torch: there is no " + settings.python);
  else if (const std::string answer = peer->ask("", /*seconds=*/60); answer.rfind("ready ", 0) != 0)
    report.say("torch: not used: " + (answer.empty() ? "it did not start" : answer));
  else {
    report.say("torch: " + answer.substr(6));
    return peer;
  }
  return nullptr;
}

Torch::Torch(const Settings& settings, Report& report) : peer_(connect(settings, report)) {}

void Torch::add(bench::Case& c, const std::string& op, const std::string& dtype, int64_t n,
                Report& report) const {
  if (!peer_) return;
  const bool counts = c.drain_counts;
  const auto timed = [peer = peer_, op, dtype, n, counts](int runs) {
    const std::string answer =
        peer->ask(fmt::format("{} {} {} {} {}", op, dtype, n, runs, counts ? 1 : 0), 60);
    char* end = nullptr;
    const double seconds = std::strtod(answer.c_str(), &end);
    if (answer.empty() || *end)
      throw std::runtime_error("torch: " + (answer.empty() ? "it ended" : answer));
    return seconds;
  };
  try {
    timed(1);  // makes the data and compiles
    c.rivals.push_back({"torch", {}, timed});
  } catch (const std::exception& e) {
    report.say(e.what());
  }
}

}  // namespace gpu_check
