// SPDX-License-Identifier: Apache-2.0
// options.cc: what the variables SIM_* say (docs/sim.md), checked.
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kit/error.h"
#include "sim.h"

namespace bp_sim {
namespace {

using bp_kit::fail;

// Reads a count, with K, M or G for powers of 1024.
bool parse(const char* text, uint64_t* out) {
  char* end = nullptr;
  if (*text < '0' || *text > '9') return false;
  const uint64_t n = std::strtoull(text, &end, 10);
  const char* const units = "KMG";
  int shift = 0;
  if (*end)
    if (const char* unit = std::strchr(units, *end))
      shift = static_cast<int>(10 * (unit - units + 1)), ++end;
  *out = n > UINT64_MAX >> shift ? UINT64_MAX : n << shift;
  return *end == 0;
}

struct Reader {
  const bp_host* host;
  bp_error** err;
  bp_status status = BP_OK;  // of the first fault

  // Returns nullptr when the option is not given, or after a fault.
  const char* text(const char* key) const {
    const char* t = status ? nullptr : host->option(host->self, key);
    return t && *t ? t : nullptr;
  }

  template <class T>
  void number(const char* key, uint64_t least, uint64_t most, T* out) {
    const char* t = text(key);
    if (!t) return;
    uint64_t n = 0;
    if (parse(t, &n) && n >= least && n <= most)
      *out = static_cast<T>(n);
    else
      status = fail(host, err, BP_INVALID_ARGUMENT,
                    "sim: option %s is \"%s\", expected a number from %" PRIu64 " to %" PRIu64, key,
                    t, least, most);
  }

  // Reads "a,b,c" with at most `room` - 1 characters each.
  void list(const char* key, size_t room, std::vector<std::string>* out) {
    const char* t = text(key);
    if (!t) return;
    for (std::string_view rest = t; !rest.empty();) {
      const size_t comma = rest.find(',');
      out->emplace_back(rest.substr(0, comma));
      if (out->back().size() >= room) {
        status = fail(host, err, BP_INVALID_ARGUMENT,
                      "sim: option %s: \"%s\" has more than %zu characters", key,
                      out->back().c_str(), room - 1);
        return;
      }
      rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
    }
  }

  // Reads 0 (none), 1 (all) or pairs: with "0>1,2-3", 0 reaches 1, and 2 and 3 reach each other.
  void peers(const char* key, std::array<uint64_t, kMostDevices>* out) {
    const char* t = text(key);
    if (!t || !std::strcmp(t, "0")) return;
    if (!std::strcmp(t, "1")) return out->fill(~uint64_t{0});
    for (const char* p = t;; ++p) {
      char *sign = nullptr, *end = nullptr;
      const uint64_t a = std::strtoul(p, &sign, 10),
                     b = *sign ? std::strtoul(sign + 1, &end, 10) : 0;
      if (sign == p || !end || end == sign + 1 || (*sign != '>' && *sign != '-') ||
          (*end && *end != ',') || a >= kMostDevices || b >= kMostDevices) {
        status = fail(
            host, err, BP_INVALID_ARGUMENT,
            "sim: option %s is \"%s\", expected 0, 1 or pairs of devices from 0 to %u like \"0>1,2-3\"",
            key, t, kMostDevices - 1);
        return;
      }
      (*out)[a] |= uint64_t{1} << b;
      if (*sign == '-') (*out)[b] |= uint64_t{1} << a;
      p = end;
      if (!*p) return;
    }
  }
};

}  // namespace

bp_status read_options(const bp_host* host, Options* o, bp_error** err) {
  constexpr uint64_t kMany = uint64_t{1} << 40;
  Reader r{host, err};
  r.number("device_count", 0, kMostDevices, &o->device_count);
  r.number("memory", 4096, kMany, &o->memory_bytes);
  r.number("block_threads", 1, 1024, &o->block_threads);
  r.number("slow_us", 0, 1000000, &o->slow_us);
  r.number("slow_stream", 0, kMany, &o->slow_stream);
  r.number("copy_mbs", 0, kMany, &o->copy_mbs);
  r.number("fail_alloc", 0, kMany, &o->fail_alloc);
  r.number("fail_launch", 0, kMany, &o->fail_launch);
  r.number("fail_copy", 0, kMany, &o->fail_copy);
  r.number("fail_pinned", 0, kMany, &o->fail_pinned);
  r.number("fail_times", 1, kMany, &o->fail_times);
  r.number("fail_kernel", 0, kMany, &o->fail_kernel);
  r.number("skip_barrier", 0, kMany, &o->skip_barrier);
  r.number("overrun", 0, kMany, &o->overrun);
  r.number("lose_device", 0, kMany, &o->lose_device);
  r.number("pinned", 0, 1, &o->pinned);
  r.number("sort", 0, 1, &o->sort);
  r.number("lt_relu", 0, 1, &o->lt_relu);
  r.peers("peers", &o->peers);
  r.list("uuid", sizeof(bp_device_props::uuid), &o->uuids);
  r.list("pci", sizeof(bp_device_props::pci), &o->pcis);
  if (const char* name = r.text("name"))
    o->name.assign(name, strnlen(name, sizeof(bp_device_props::name) - 1));
  return r.status;
}

}  // namespace bp_sim
