// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <unistd.h>

#include <cstring>
#include <map>
#include <string_view>

#include "card.h"

namespace cuda_machine {
namespace {

struct Number {
  std::string_view name;
  uint64_t Options::*to;
  uint64_t least, most;
};
constexpr uint64_t kMany = uint64_t{1} << 42;
constexpr Number kNumbers[] = {
    {"DEVICES", &Options::devices, 0, kMostDevices},
    {"MEMORY", &Options::memory, 4096, kMany},
    {"CAPABILITY", &Options::capability, 75, 120},
    {"DRIVER", &Options::driver, 0, 99999},
    {"WORKERS", &Options::workers, 1, 256},
    {"SEED", &Options::seed, 0, kMany},
    {"HAZARDS", &Options::hazards, 0, 1},
    {"SLOW_US", &Options::slow_us, 0, 1000000},
    {"SLOW_STREAM", &Options::slow_stream, 0, kMany},
    {"FAIL_TIMES", &Options::fail_times, 1, kMany},
    {"FAIL_ALLOC", &Options::fail_alloc, 0, kMany},
    {"FAIL_PINNED", &Options::fail_pinned, 0, kMany},
    {"FAIL_LAUNCH", &Options::fail_launch, 0, kMany},
    {"FAIL_COPY", &Options::fail_copy, 0, kMany},
    {"FAIL_KERNEL", &Options::fail_kernel, 0, kMany},
    {"FAIL_INSTRUCTION", &Options::fail_instruction, 0, kMany},
    {"ECC", &Options::ecc, 0, kMany},
    {"LOSE_DEVICE", &Options::lose_device, 0, kMany},
};

// Reads a count, with K, M or G for powers of 1024.
bool parse(const char* text, uint64_t* out) {
  char* end = nullptr;
  if (*text < '0' || *text > '9') return false;
  *out = std::strtoull(text, &end, 10);
  for (const char* unit = "KMG"; *end && *unit; ++unit) {
    *out <<= 10;
    if (*end == *unit) return end[1] == 0;
  }
  return *end == 0;
}

bool parse_peers(const char* text, std::array<uint64_t, kMostDevices>* out) {
  if (!std::strcmp(text, "0")) return true;
  if (!std::strcmp(text, "1")) return out->fill(~uint64_t{0}), true;
  for (const char* p = text;; ++p) {
    char *sign = nullptr, *end = nullptr;
    const uint64_t a = std::strtoull(p, &sign, 10);
    if (sign == p || (*sign != '>' && *sign != '-')) return false;
    const uint64_t b = std::strtoull(sign + 1, &end, 10);
    if (end == sign + 1 || (*end && *end != ',') || a >= kMostDevices || b >= kMostDevices)
      return false;
    (*out)[a] |= uint64_t{1} << b;
    if (*sign == '-') (*out)[b] |= uint64_t{1} << a;
    if (!*end) return true;
    p = end;
  }
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  for (;;) {
    const size_t comma = text.find(',');
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

// Returns what was expected of the variable instead, or "".
std::string read_one(std::string_view name, const char* value, Options* o) {
  for (const Number& n : kNumbers) {
    if (n.name != name) continue;
    uint64_t& to = o->*n.to;
    const bool known = name != "CAPABILITY" || !parse(value, &to) || find_card(to);
    if (!known) return "75, 80, 86, 89, 90, 100 or 120";
    if (parse(value, &to) && to >= n.least && to <= n.most) return "";
    return "a number from " + std::to_string(n.least) + " to " + std::to_string(n.most);
  }
  if (name == "PEERS") return parse_peers(value, &o->peers) ? "" : "0, 1 or pairs like 0>1,2-3";
  if (name == "NAME") return o->name = value, "";
  if (name == "UUID") return o->uuids = split(value), "";
  if (name == "PCI") return o->pcis = split(value), "";
  return "no variable of this name";
}

}  // namespace

std::string read(Options* options) {
  *options = {};
  constexpr std::string_view kPrefix = "CUDA_MACHINE_";
  for (char** e = environ; e && *e; ++e) {
    const std::string_view entry = *e;
    const size_t equals = entry.find('=');
    if (entry.substr(0, kPrefix.size()) != kPrefix || equals == std::string_view::npos) continue;
    const std::string_view name = entry.substr(kPrefix.size(), equals - kPrefix.size());
    const char* value = *e + equals + 1;
    if (!*value) continue;
    if (const std::string wanted = read_one(name, value, options); !wanted.empty())
      return std::string(entry.substr(0, equals)) + " is \"" + value + "\", expected " + wanted;
  }
  return "";
}

}  // namespace cuda_machine
