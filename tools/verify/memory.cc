// SPDX-License-Identifier: Apache-2.0
// memory.cc: blocks of a device are aligned and apart, and what is given back is back. A leak is
// what grows in every round of the same work: a backend may keep blocks of the first for the next.
// See parts.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "verify/parts.h"
#include "verify/slots.h"

namespace verifier {
namespace {

constexpr int kRounds = 4;  // the first makes what a backend keeps
constexpr uint64_t kBlock = 64 << 10;
constexpr int kBlocks = 64;

// Runs the rounds. `used` tells how many bytes are in use, or nothing where that is not known.
template <class Used, class Round>
void expect_no_growth(const std::string& what, Findings& findings, Used&& used, Round&& round) {
  findings.begin(what);
  std::vector<uint64_t> after;
  for (int i = 0; i < kRounds; ++i) {
    round();
    const std::optional<uint64_t> bytes = used();
    if (!bytes) {
      findings.skip("how much of the device's memory this process uses is not told");
      return;
    }
    after.push_back(*bytes);
  }
  bool grows = true;
  for (size_t i = 1; i < after.size(); ++i) grows &= after[i] > after[i - 1];
  findings.check(!grows, [&] {
    return fmt::format("leaks device memory: after each of {} rounds more was in use, {} bytes",
                       kRounds, fmt::join(after, ", "));
  });
}

struct Block {
  char* begin;
  uint64_t bytes;
};

// Every size up to kBlock that a boundary is near to, all of them at once.
void take_blocks(const Slots& slots, bp_pdev* device, Findings& findings) {
  const bp_plugin_api& api = slots.api();
  std::vector<Block> blocks;
  for (int i = 0; i < kBlocks; ++i) {
    const uint64_t bytes = i % 2 ? kBlock : (uint64_t{1} << (i / 4)) + static_cast<uint64_t>(i % 4);
    void* p = nullptr;
    const Said said = ask([&](bp_error** e) { return api.mem_alloc(device, bytes, &p, e); });
    if (!findings.check(said.good(), [&] { return said.sentence(); })) break;
    blocks.push_back({static_cast<char*>(p), bytes});
    const auto misplaced = reinterpret_cast<uintptr_t>(p) % 64;
    findings.check(misplaced == 0, [&] {
      return fmt::format("a block of {} bytes lies {} bytes behind a multiple of 64", bytes,
                         misplaced);
    });
  }
  std::sort(blocks.begin(), blocks.end(), [](Block a, Block b) { return a.begin < b.begin; });
  for (size_t i = 1; i < blocks.size(); ++i)
    findings.check(blocks[i - 1].begin + blocks[i - 1].bytes <= blocks[i].begin, [&] {
      return fmt::format("blocks of {} and {} bytes overlap", blocks[i - 1].bytes, blocks[i].bytes);
    });
  for (const Block& b : blocks)
    findings.check(ask([&](bp_error**) {
                     api.mem_free(device, b.begin, b.bytes);
                     return BP_OK;
                   }).good(),
                   [] { return "mem_free threw an exception"; });
}

void take_streams(const Slots& slots, bp_pdev* device, Findings& findings) {
  const bp_plugin_api& api = slots.api();
  bp_pstream* stream = nullptr;
  bp_pevent* event = nullptr;
  for (int i = 0; i < 8; ++i) {
    const Said said = ask([&](bp_error** e) {
      bp_status status = api.stream_open(device, 0, &stream, e);
      if (status < 0) return status;
      status = api.event_open(device, &event, e);
      if (status >= 0) status = api.event_record(event, stream, e);
      if (status >= 0) status = api.event_sync(event, e);
      if (status >= 0) api.event_close(event);
      api.stream_close(stream);
      return status;
    });
    findings.check(said.good(), [&] { return said.sentence(); });
  }
}

// By the plugin's own functions: device memory by its memory_info, host memory by what it takes
// from the host.
void balance_slots(const Subject& subject, Findings& findings) {
  const Library library(subject.file);
  CountingHost host(subject.kind);
  {
    const Slots slots(library, host);
    const uint32_t physical = std::min(static_cast<uint32_t>(subject.index), slots.n_devices() - 1);
    const bool is_host = (slots.props(physical).flags & BP_PROP_HOST_MEMORY) != 0;
    bp_pdev* device = slots.open(physical);
    const auto used = [&]() -> std::optional<uint64_t> {
      uint64_t free_bytes = 0, total_bytes = 0;
      if (is_host || !slots.api().memory_info) return {};
      const Said said = ask([&](bp_error** e) {
        return slots.api().memory_info(device, &free_bytes, &total_bytes, e);
      });
      return said.good() ? std::optional(total_bytes - free_bytes) : std::nullopt;
    };
    expect_no_growth(fmt::format("mem_alloc and mem_free of {} blocks", kBlocks), findings, used,
                     [&] { take_blocks(slots, device, findings); });
    findings.begin("8 streams and events");
    take_streams(slots, device, findings);
    slots.api().device_close(device);
  }
  findings.begin("close");
  findings.check(host.left().empty(),
                 [&] { return "leaks host memory: " + host.left() + " not freed"; });
}

// By the library: tensors, ops, streams and events.
void balance_tensors(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  const bp::Device device = runtime.device();
  const auto used = [&]() -> std::optional<uint64_t> {
    bp::detail::call([&](bp_error** e) { return bp_memory_trim(device.value(), e); });
    const bp_device_info info = bp::device_info(device);
    return runtime.is_host() || info.memory_total == 0 ? std::nullopt
                                                       : std::optional(info.memory_used);
  };
  expect_no_growth("tensors, copies, sums, streams and events", findings, used, [&] {
    const bp::Stream stream(device);
    const bp::StreamGuard in(stream);
    for (const std::int64_t n : {1, 100, 5000, 300000}) {
      bp::Tensor x = bp::tensor(std::vector<float>(static_cast<size_t>(n), 1), device);
      if (runtime.serves("add", BP_F32)) x = bp::add(x, x);
      findings.check(x.clone().read<float>()[0] == x.read<float>()[0],
                     [] { return "a clone differs"; });
    }
    stream.record().synchronize();
  });
  const bp_memory_stats stats = bp::memory_stats(device);
  findings.check(runtime.is_host() || stats.reserved_bytes == 0, [&] {
    return fmt::format("{} bytes in {} blocks are still out", stats.reserved_bytes, stats.n_live);
  });
}

}  // namespace

void memory(const Subject& subject, Findings& findings) {
  balance_slots(subject, findings);
  balance_tensors(subject, findings);
}

void shutdown(const Subject& subject, Findings& findings) {
  constexpr int kStarts = 4;
  const std::vector<float> sent{1, 2, 3, 4};
  std::vector<uint64_t> used;
  bool is_host = false;
  for (int i = 0; i < kStarts; ++i) {
    findings.begin(fmt::format("start {} of {}", i + 1, kStarts));
    bp::Tensor left;  // outlives the library's end
    {
      const Runtime runtime(subject, findings);
      is_host = runtime.is_host();
      bp::synchronize(runtime.device());
      used.push_back(bp::device_info(runtime.device()).memory_used);
      left = bp::tensor(sent, runtime.device());
      const std::vector<float> got = left.read<float>();
      findings.check(got == sent,
                     [&] { return fmt::format("4 floats came back as {}", fmt::join(got, ", ")); });
      const bp::Stream stream(runtime.device());
      stream.record().synchronize();
    }
  }
  bool grows = !is_host;
  for (size_t i = 1; i < used.size(); ++i) grows &= used[i] > used[i - 1];
  findings.begin("starts");
  findings.check(!grows, [&] {
    return fmt::format(
        "leaks device memory: device_close keeps the blocks of tensors that outlive a shutdown; "
        "in use at each start: {} bytes",
        fmt::join(used, ", "));
  });
}

}  // namespace verifier
