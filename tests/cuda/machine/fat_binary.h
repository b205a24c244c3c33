// SPDX-License-Identifier: Apache-2.0
// fat_binary.h: what nvcc leaves in a program for the runtime, as far as PTX that is not compressed
// needs: the layout that CUDA 13's fatbinary writes. No document gives it.
//
//   const FatBinary binary(".version 9.0 ...");        // for tests that have no nvcc
//   __cudaRegisterFatBinary(binary.wrapper());
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace machine {

struct FatBinaryWrapper {
  static constexpr uint32_t kMagic = 0x466243b1;
  uint32_t magic, version;
  const std::byte* data;
  void* unused;
};
struct FatBinaryHead {
  static constexpr uint32_t kMagic = 0xba55ed50;
  uint32_t magic;
  uint16_t version, head_bytes;
  uint64_t bytes;  // behind the head
};
struct FatBinaryPart {
  static constexpr uint16_t kPtx = 1;
  static constexpr uint64_t kCompressed = 0x2000 | 0x8000;  // of flags
  uint16_t kind, version;
  uint32_t head_bytes;
  uint64_t bytes;
  uint32_t compressed_bytes, unused[5];
  uint64_t flags;
};

// One that holds a text of PTX, and lives as long as whoever reads it.
class FatBinary {
 public:
  explicit FatBinary(const std::string& ptx) {
    const FatBinaryPart part = {
        FatBinaryPart::kPtx, 0x101, sizeof(FatBinaryPart), ptx.size() + 1, 0, {}, 0};
    const FatBinaryHead head = {FatBinaryHead::kMagic, 1, sizeof(FatBinaryHead),
                                sizeof part + ptx.size() + 1};
    image_.resize(sizeof head + head.bytes);
    std::memcpy(image_.data(), &head, sizeof head);
    std::memcpy(image_.data() + sizeof head, &part, sizeof part);
    std::memcpy(image_.data() + sizeof head + sizeof part, ptx.c_str(), ptx.size() + 1);
    wrapper_ = {FatBinaryWrapper::kMagic, 1, image_.data(), nullptr};
  }
  FatBinary(const FatBinary&) = delete;
  FatBinary& operator=(const FatBinary&) = delete;
  void* wrapper() { return &wrapper_; }

 private:
  std::vector<std::byte> image_;
  FatBinaryWrapper wrapper_{};
};

// What a text of PTX for compute_75 begins with.
constexpr char kPtxHead[] = ".version 9.0\n.target sm_75\n.address_size 64\n";

}  // namespace machine
