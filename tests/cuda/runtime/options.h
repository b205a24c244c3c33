// SPDX-License-Identifier: Apache-2.0
// options.h: what the variables CUDA_MACHINE_* say of the machine. They are read at the first call
// of the runtime, and again by cuda_machine_restart(). With a variable that is not of this table,
// or is malformed, every call fails with cudaErrorInitializationError, whose text says which.
//   DEVICES           2     devices, 0 to 64; CUDA_VISIBLE_DEVICES masks them, as a driver does
//   MEMORY            1G    bytes of each; K, M, G are powers of 1024
//   CAPABILITY        75    80, 86, 89, 90, 100, 120: limits and properties are those of a card that has it
//   NAME, UUID, PCI         what devices are called; of UUIDs and PCI addresses a list with commas, for the first devices
//   PEERS             0     who reaches whom: 0, 1 (all), or pairs, 0>1,2-3: 0 reaches 1, 2 and 3 reach each other
//   DRIVER            13000 the CUDA version that the driver serves; less than 13000 is too old
//   WORKERS           1     host threads that run a kernel's blocks
//   SEED              1     of the order of blocks
//   HAZARDS           1     0: work of unordered streams is not compared
//   SLOW_US           0     microseconds that each task of a stream first sleeps
//   SLOW_STREAM             of this stream alone; they are numbered as they are made, from 0
//   FAIL_ALLOC, FAIL_PINNED, FAIL_LAUNCH, FAIL_COPY   the k-th of them, from 1, is refused by the call itself
//   FAIL_TIMES        1     how many in a row
//   FAIL_KERNEL             the k-th kernel meets an illegal address: its device is of no use from then on
//   FAIL_INSTRUCTION        so does the k-th instruction of a warp, in every kernel that has so many
//   ECC                     at the k-th task of a stream, its device meets an uncorrectable ECC error
//   LOSE_DEVICE             at the k-th task of a stream, its device is lost
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cuda_machine {

constexpr uint64_t kMostDevices = 64;

struct Options {
  uint64_t devices = 2, memory = uint64_t{1} << 30, capability = 75, driver = 13000, workers = 1;
  uint64_t seed = 1, hazards = 1, slow_us = 0, slow_stream = UINT64_MAX, fail_times = 1;
  uint64_t fail_alloc = 0, fail_pinned = 0, fail_launch = 0, fail_copy = 0;  // 0: none does
  uint64_t fail_kernel = 0, fail_instruction = 0, ecc = 0, lose_device = 0;
  std::string name;
  std::vector<std::string> uuids, pcis;
  std::array<uint64_t, kMostDevices> peers{};  // of each, a bit for each that it reaches
};

// Returns what is wrong, or "".
std::string read(Options* options);

}  // namespace cuda_machine
