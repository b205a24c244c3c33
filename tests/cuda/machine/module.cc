// SPDX-License-Identifier: Apache-2.0
// module.cc: finds the PTX in a fat binary, and runs entries of it.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "fat_binary.h"
#include "machine.h"
#include "program.h"
#include "ptx.h"
#include "warp.h"

namespace machine {
namespace {

// The capability that a text is for: of ".target sm_75".
uint64_t target(std::string_view ptx) {
  constexpr std::string_view kTarget = ".target sm_";
  const size_t at = ptx.find(kTarget);
  return at == ptx.npos ? 0 : std::strtoull(ptx.data() + at + kTarget.size(), nullptr, 10);
}

std::string_view find_ptx(const void* wrapper, uint64_t capability) {
  const auto* w = static_cast<const FatBinaryWrapper*>(wrapper);
  if (!w || w->magic != FatBinaryWrapper::kMagic) return {};
  FatBinaryHead head;
  std::memcpy(&head, w->data, sizeof head);
  if (head.magic != FatBinaryHead::kMagic) return {};
  const std::byte* at = w->data + head.head_bytes;
  const std::byte* end = at + head.bytes;
  std::string_view found;
  while (at + sizeof(FatBinaryPart) <= end) {
    FatBinaryPart part;
    std::memcpy(&part, at, sizeof part);
    const auto* text = reinterpret_cast<const char*>(at + part.head_bytes);
    if (part.kind == FatBinaryPart::kPtx && (part.flags & FatBinaryPart::kCompressed) == 0 &&
        part.compressed_bytes == 0) {
      const std::string_view ptx(text, strnlen(text, part.bytes));
      if (target(ptx) <= capability && (found.empty() || target(ptx) > target(found))) found = ptx;
    }
    at += part.head_bytes + part.bytes;
  }
  return found;
}

}  // namespace

struct Module::Inside {
  std::string_view text;
  std::mutex mutex;
  bool indexed = false;
  Source source;
  std::map<std::string_view, std::unique_ptr<EntryInfo>> entries;
  std::map<std::string_view, std::unique_ptr<Function>> functions;
  std::map<std::pair<const EntryInfo*, int>, std::unique_ptr<Program>> programs;  // by device
  std::map<int, std::map<std::string_view, uint64_t>> variables;                  // by device

  void read() {
    if (std::exchange(indexed, true)) return;
    source = index(text);
  }
  const std::map<std::string_view, uint64_t>& variables_of(Memory& memory, int device) {
    const auto [it, fresh] = variables.try_emplace(device);
    if (!fresh) return it->second;
    for (const Variable& v : source.global) {
      const uint64_t address = memory.allocate(device, v.bytes);
      if (address == 0)
        throw Fault(kLaunchFailure, "no memory for the variable " + std::string(v.name));
      Block& b = *memory.find(address);
      std::memset(b.bytes, 0, v.bytes);
      std::memcpy(b.bytes, v.initial.data(), std::min<size_t>(v.initial.size(), v.bytes));
      std::memset(b.written, 1, v.bytes);
      it->second[v.name] = address;
    }
    return it->second;
  }
  const Program& program(const EntryInfo* entry, Memory& memory, int device) {
    const std::lock_guard lock(mutex);
    std::unique_ptr<Program>& p = programs[{entry, device}];
    if (!p)
      p = std::make_unique<Program>(
          decode({source, variables_of(memory, device)}, *functions.at(entry->name)));
    return *p;
  }
};

Module::Module(const void* wrapper, uint64_t capability) : inside_(std::make_unique<Inside>()) {
  inside_->text = find_ptx(wrapper, capability);
}
Module::~Module() = default;

const EntryInfo* Module::entry(std::string_view name) {
  Inside& in = *inside_;
  const std::lock_guard lock(in.mutex);
  if (const auto it = in.entries.find(name); it != in.entries.end()) return it->second.get();
  in.read();
  const auto place = in.source.entries.find(name);
  if (place == in.source.entries.end()) return nullptr;
  auto function = std::make_unique<Function>(parse(place->second));
  auto info = std::make_unique<EntryInfo>();
  info->name = name;
  const auto up = [](uint32_t n, uint32_t step) { return (n + step - 1) / step * step; };
  for (const Variable& v : function->parameters) {
    info->parameter_bytes = up(info->parameter_bytes, v.align);
    info->parameters.push_back({info->parameter_bytes, v.bytes});
    info->parameter_bytes += v.bytes;
  }
  for (const Variable& v : function->shared)
    info->static_shared_bytes = up(info->static_shared_bytes, v.align) + v.bytes;
  for (const Variable& v : function->local)
    info->local_bytes = up(info->local_bytes, v.align) + v.bytes;
  for (const uint8_t bytes : function->registers) info->registers += (bytes + 3u) / 4;
  info->max_threads = function->max_threads;
  const std::string_view key = place->second.name;
  in.functions[key] = std::move(function);
  return (in.entries[key] = std::move(info)).get();
}

uint64_t Module::variable(std::string_view name, Memory& memory, int device, uint64_t* bytes) {
  Inside& in = *inside_;
  const std::lock_guard lock(in.mutex);
  in.read();
  for (const Variable& v : in.source.global) {
    if (v.name != name) continue;
    *bytes = v.bytes;
    return in.variables_of(memory, device).at(v.name);
  }
  return 0;
}

uint64_t run(Memory& memory, const Launch& asked) {
  std::mutex mutex;
  Launch launch = asked;
  if (asked.touches && asked.workers > 1)
    launch.touches = [&](uint64_t address, bool writes) {
      const std::lock_guard lock(mutex);
      asked.touches(address, writes);
    };
  const Program& program = launch.module->inside().program(launch.entry, memory, launch.device);
  std::vector<uint64_t> order(launch.blocks.count());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(),
               std::minstd_rand(static_cast<unsigned>(launch.seed + 1)));
  std::atomic<size_t> next{0};
  std::atomic<uint64_t> steps{0};
  std::exception_ptr fault;
  // Workers take one block after the other.
  const auto work = [&] {
    try {
      Team team(memory, launch, program);
      for (size_t k; (k = next.fetch_add(1)) < order.size();) team.run(order[k]);
      steps += team.steps;
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!fault) fault = std::current_exception();
      next = order.size();
    }
  };
  std::vector<std::thread> others;
  for (int k = 1; k < launch.workers && static_cast<size_t>(k) < order.size(); ++k)
    others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  if (fault) std::rethrow_exception(fault);
  return steps;
}

}  // namespace machine
