// inflate.h: zlib, opened by the first call that wants it, so that a machine without it lacks this
// and no more. Where it is not there: BP_UNAVAILABLE, with the loader's text.
//
//   Inflater unpack(packed_bytes);
//   unpack.read(into, n);          // exactly n bytes
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace bp {

// The checksum of zip files (CRC-32, ISO 3309), carried on from what came before.
uint32_t crc32_of(std::span<const char> bytes, uint32_t before = 0);

// A raw deflate stream (RFC 1951), read in order.
class Inflater {
 public:
  explicit Inflater(std::span<const char> packed);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Throws BP_INVALID_ARGUMENT when the stream ends before, or is no such stream.
  void read(char* into, size_t n);
  // The stream's end comes next, and the packed bytes end with it.
  bool at_end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bp
