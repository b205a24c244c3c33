// SPDX-License-Identifier: Apache-2.0
#include "device/machine.h"

#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace bp_cpu {

uint64_t physical_memory_bytes() {
  static const uint64_t bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

uint64_t available_memory_bytes() {
  // MemAvailable counts what the page cache would give back; free pages alone do not.
  uint64_t kib = 0;
  if (FILE* f = std::fopen("/proc/meminfo", "re")) {
    char line[128];
    unsigned long long value = 0;
    while (std::fgets(line, sizeof line, f))
      if (std::sscanf(line, "MemAvailable: %llu kB", &value) == 1) kib = value;
    std::fclose(f);
  }
  if (kib) return kib * 1024;
  return static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

int32_t core_count() {
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set)) return CPU_COUNT(&set);
  return static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
}

int64_t last_level_cache_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  const int64_t bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return int64_t{32} << 20;
}

bool multiplies_bf16() {
#if defined(__x86_64__)
  static const bool does = __builtin_cpu_supports("avx512bf16");
  return does;
#else
  return false;
#endif
}

void processor_name(char* out, uint64_t room) {
  std::snprintf(out, room, "CPU");
  FILE* f = std::fopen("/proc/cpuinfo", "re");
  if (!f) return;
  char line[256];
  while (std::fgets(line, sizeof line, f)) {
    const char* colon = std::strchr(line, ':');
    if (!colon || std::strncmp(line, "model name", 10) != 0) continue;
    line[std::strcspn(line, "\n")] = 0;
    std::snprintf(out, room, "%s", colon + 1 + (colon[1] == ' '));
    break;
  }
  std::fclose(f);
}

}  // namespace bp_cpu
