// SPDX-License-Identifier: Apache-2.0
// machine.h: facts about this computer.
#pragma once
#include <cstdint>

namespace bp_cpu {

uint64_t physical_memory_bytes();
uint64_t available_memory_bytes();
int32_t core_count();
int64_t last_level_cache_bytes();               // a guess where the system does not say
bool multiplies_bf16();                         // by instructions of its own (AVX512-BF16)
void processor_name(char* out, uint64_t room);  // "AMD EPYC", always NUL-terminated

}  // namespace bp_cpu
