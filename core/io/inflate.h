// SPDX-License-Identifier: Apache-2.0
// inflate.h: zlib, opened by the first call that wants it, so that a machine without it lacks only
// this. Without it these throw BP_UNAVAILABLE with the loader's text.
//
//   const char packed[] = {3, 0};   // the empty stream
//   Inflater unpack(packed);
//   bool nothing = unpack.at_end();
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace bp {

// The checksum of zip files (CRC-32, ISO 3309), continued from that of the bytes before.
uint32_t crc32_of(std::span<const char> bytes, uint32_t before = 0);

// A raw deflate stream (RFC 1951), read in order.
class Inflater {
 public:
  explicit Inflater(std::span<const char> packed);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Unpacks exactly n bytes. Throws BP_INVALID_ARGUMENT when the stream ends before, or is
  // no deflate stream.
  void read(char* into, size_t n);
  // Whether the stream ends here, and the packed bytes with it.
  bool at_end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bp
