// SPDX-License-Identifier: Apache-2.0
#include "core/io/inflate.h"

#include <dlfcn.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/base/error.h"

namespace bp {
namespace {

struct Zlib {
  decltype(&::inflateInit2_) init = nullptr;
  decltype(&::inflate) inflate = nullptr;
  decltype(&::inflateEnd) end = nullptr;
  decltype(&::crc32) crc32 = nullptr;

  Zlib() {
    void* library = ::dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
      const char* why = ::dlerror();
      fail_missing(why ? why : "the loader gave no reason");
    }
    find(library, "inflateInit2_", init);
    find(library, "inflate", inflate);
    find(library, "inflateEnd", end);
    find(library, "crc32", crc32);
  }
  template <class F>
  void find(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (!function) fail_missing(fmt::format("libz.so.1 has no {}", name));
  }
  [[noreturn]] static void fail_missing(std::string_view why) {
    fail(BP_UNAVAILABLE, "zlib is needed for this: {}; install zlib1g", why);
  }
};

const Zlib& zlib() {
  static const Zlib opened;  // when that throws, the next call tries again
  return opened;
}

constexpr size_t kMost = std::numeric_limits<uInt>::max();  // what one call of zlib takes

}  // namespace

uint32_t crc32_of(std::span<const char> bytes, uint32_t before) {
  uLong crc = before;
  for (size_t at = 0; at < bytes.size();) {
    const size_t n = std::min(bytes.size() - at, kMost);
    crc =
        zlib().crc32(crc, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(n));
    at += n;
  }
  return static_cast<uint32_t>(crc);
}

struct Inflater::State {
  z_stream stream = {};
  std::span<const char> left;
  bool ended = false;

  // Unpacks into the n bytes at `into` as much as one call gives. Packed bytes are handed over as
  // they are used up.
  size_t step(char* into, size_t n) {
    if (stream.avail_in == 0) {
      const size_t more = std::min(left.size(), kMost);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));
      stream.avail_in = static_cast<uInt>(more);
      left = left.subspan(more);
    }
    const auto room = static_cast<uInt>(std::min(n, kMost));
    stream.next_out = reinterpret_cast<Bytef*>(into);
    stream.avail_out = room;
    const int result = zlib().inflate(&stream, Z_NO_FLUSH);
    ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) fail(BP_OUT_OF_HOST_MEMORY, "zlib ran out of memory");
    if (result != Z_OK && !ended && result != Z_BUF_ERROR)
      fail(BP_INVALID_ARGUMENT, "the packed bytes are damaged: {}",
           stream.msg ? stream.msg : "zlib says no more");
    return room - stream.avail_out;
  }
};

Inflater::Inflater(std::span<const char> packed) : state_(std::make_unique<State>()) {
  state_->left = packed;
  if (zlib().init(&state_->stream, -MAX_WBITS, ZLIB_VERSION, sizeof(z_stream)) != Z_OK)
    fail(BP_OUT_OF_HOST_MEMORY, "zlib cannot start");
}

Inflater::~Inflater() { zlib().end(&state_->stream); }

void Inflater::read(char* into, size_t n) {
  while (n) {
    const bool more = state_->stream.avail_in || !state_->left.empty();
    const size_t got = state_->ended ? 0 : state_->step(into, n);
    if (got == 0 && (state_->ended || !more))
      fail(BP_INVALID_ARGUMENT, "the packed bytes end too early");
    into += got;
    n -= got;
  }
}

bool Inflater::at_end() {
  char beyond;
  while (!state_->ended) {
    const bool more = state_->stream.avail_in || !state_->left.empty();
    if (state_->step(&beyond, 1) || (!more && !state_->ended)) return false;
  }
  return state_->stream.avail_in == 0 && state_->left.empty();
}

}  // namespace bp
