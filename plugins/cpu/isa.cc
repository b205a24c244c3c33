// SPDX-License-Identifier: Apache-2.0
#include "isa.h"

#include <cstring>
#include <string>

#include "device/error.h"
#include "families.h"

namespace bp_cpu {

// One declaration per family and set, and one function per set that calls them all.
#define BP_DECLARE_FAMILY(family) void add_##family(Registry&);
#define BP_CALL_FAMILY(family) add_##family(r);
#define BP_DECLARE_ISA(set)                                              \
  namespace isa_##set {                                                  \
    BP_CPU_FAMILIES(BP_DECLARE_FAMILY)                                   \
    static void add_all(Registry& r) { BP_CPU_FAMILIES(BP_CALL_FAMILY) } \
  }
BP_CPU_ISAS(BP_DECLARE_ISA)

namespace {

[[maybe_unused]] bool supports_base() { return true; }
#if defined(__x86_64__)
[[maybe_unused]] bool supports_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
}
[[maybe_unused]] bool supports_avx512() {
  return supports_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

#define BP_LIST_ISA(set) {#set, supports_##set, isa_##set::add_all},
constexpr Isa kIsas[] = {BP_CPU_ISAS(BP_LIST_ISA)};  // from the least to the best

}  // namespace

bp_status choose_isa(const bp_host* host, const char* wanted, const Isa** out, bp_error** err) {
  bool any = !wanted || !*wanted;
  const Isa* found = nullptr;
  std::string choices;
  for (const Isa& isa : kIsas) {
    if (!isa.supported()) continue;
    choices += choices.empty() ? isa.name : std::string(", ") + isa.name;
    if (any || !std::strcmp(isa.name, wanted)) found = &isa;
  }
  if (!found)
    return fail(
        host, err, BP_INVALID_ARGUMENT,
        "cpu.isa: '%s' is not an instruction set of this build on this machine (choices: %s)",
        wanted, choices.c_str());
  *out = found;
  return BP_OK;
}

}  // namespace bp_cpu
