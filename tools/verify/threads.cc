// SPDX-License-Identifier: Apache-2.0
// threads.cc: any thread may call any slot, for different streams at the same time. See parts.h.
#include <fmt/format.h>

#include <mutex>
#include <thread>

#include "verify/parts.h"

namespace verifier {
namespace {

constexpr int kThreads = 4, kPasses = 50;

std::vector<float> numbers(int thread, int round) {
  std::vector<float> all(static_cast<size_t>(1000 + 37 * thread + round));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<float>(thread * 1000 + round) + static_cast<float>(i) / 4;
  return all;
}

// Returns what is wrong with one round's results, or "".
std::string work(const Runtime& runtime, int thread, int round) {
  const std::vector<float> sent = numbers(thread, round);
  bp::Tensor x = bp::tensor(sent, runtime.device());
  float times = 1;
  if (runtime.serves("add", BP_F32)) {
    x = bp::add(x, x);
    times = 2;
  }
  const std::vector<float> got = x.clone().read<float>();
  for (size_t i = 0; i < sent.size(); ++i)
    if (got[i] != times * sent[i])
      return fmt::format("thread {}, round {}: element {} is {}, expected {}", thread, round, i,
                         got[i], times * sent[i]);
  return "";
}

}  // namespace

void threads(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  findings.begin(fmt::format("{} threads, each with its own stream and events", kThreads));
  std::mutex mutex;
  std::vector<std::thread> team;
  for (int thread = 0; thread < kThreads; ++thread)
    team.emplace_back([&, thread] {
      std::string fault;
      int passed = 0;
      try {
        for (; passed < kPasses && fault.empty(); ++passed) {
          const bp::Stream stream(runtime.device());
          const bp::StreamGuard in(stream);
          fault = work(runtime, thread, passed);
          stream.record().synchronize();
        }
      } catch (const std::exception& e) {
        fault = fmt::format("thread {}, round {}: {}", thread, passed, e.what());
      }
      std::lock_guard lock(mutex);
      if (!fault.empty()) findings.fail(fault);
      findings.pass(fault.empty() ? passed : passed - 1);
    });
  for (std::thread& t : team) t.join();
}

}  // namespace verifier
