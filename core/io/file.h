// SPDX-License-Identifier: Apache-2.0
// file.h: a file's bytes as memory, a file replaced as a whole or not at all, and one that grows by
// lines. Failures name the path and say what the system said. They are BP_NOT_FOUND,
// BP_OUT_OF_HOST_MEMORY, BP_INVALID_ARGUMENT for what is no regular file, and otherwise
// BP_UNAVAILABLE.
//
//   replace_file("a.bin", [](Sink& out) { out.write("text", 4); });
//   auto file = Mapping::open("a.bin");   // file->bytes() lives as long as somebody holds it
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bp {

// A private, copy-on-write mapping: whoever writes to the bytes changes neither the file nor what
// others see of it. What others write into the file in place shows in the pages that nobody wrote
// to here: only a copy would hide it. The file must keep its length meanwhile, because reading what
// somebody cut off raises a signal. Replacing it by a rename, as below, is harmless.
class Mapping {
 public:
  static std::shared_ptr<const Mapping> open(const std::string& path);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<char> bytes() const { return bytes_; }

 private:
  explicit Mapping(std::span<char> bytes) : bytes_(bytes) {}
  std::span<char> bytes_;
};

// Takes bytes, in order.
class Sink {
 public:
  virtual void write(const void* data, size_t n) = 0;

 protected:
  ~Sink() = default;
};

// Where a file of this path is, or will be: a symbolic link is followed. Throws where that fails.
std::string followed(const std::string& path);

// What `fill` writes becomes the file at `path` once it is safely on the disk. When anything fails
// before that, or fill throws, what was there stays. Only where the disk does not confirm the new
// name is there a failure after that, with the new file in place. A symbolic link is followed, and
// the mode of a file that was there is kept. What a killed writer leaves beside it is removed by
// the next call for the same path. fill is called a second time where the file system turns out to
// need it.
void replace_file(const std::string& path, const std::function<void(Sink&)>& fill);

// Adds the text to the end of the file, or begins the file anew with it.
void append_file(const std::string& path, std::string_view text, bool anew);

}  // namespace bp
