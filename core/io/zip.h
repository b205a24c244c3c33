// SPDX-License-Identifier: Apache-2.0
// zip.h: zip files: entries are written stored, and read stored or deflated. Zip64 is
// used where sizes ask for it; there is no encryption and there are no parts. Source:
// PKWARE's APPNOTE.TXT 6.3.
//
//   replace_file("a.zip", [](Sink& out) {
//     ZipWriter zip(out);
//     zip.add("a.txt", {std::span<const char>("text", 4)});
//     zip.finish();
//   });
//   auto file = Mapping::open("a.zip");
//   for (const ZipEntry& entry : list_zip(file->bytes())) {
//     std::string text(entry.size, ' ');
//     ZipStream in(file->bytes(), entry);
//     in.read(text.data(), text.size());
//     in.finish();
//   }
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/file.h"
#include "core/io/inflate.h"

namespace bp {

struct ZipEntry {
  std::string name;  // UTF-8
  bool deflated = false;
  uint32_t crc = 0;
  uint64_t packed = 0, size = 0;  // in the file, and unpacked
  uint64_t header_at = 0, data_at = 0;
};

// Returns the entries in the directory's order. Throws BP_INVALID_ARGUMENT for what is no zip file,
// and for entries that reach beyond it or overlap, that lie about their names, or that would unpack
// to more than deflate can. Throws BP_UNSUPPORTED for other methods.
std::vector<ZipEntry> list_zip(std::span<const char> file);

class ZipStream {
 public:
  ZipStream(std::span<const char> file, const ZipEntry& entry);
  void read(char* into, size_t n);  // exactly n bytes, as long as entry.size allows
  void finish();                    // throws unless all was read and its checksum is right

 private:
  const ZipEntry& entry_;
  std::span<const char> stored_;
  std::optional<Inflater> inflater_;
  uint64_t left_;
  uint32_t crc_ = 0;
};

class ZipWriter {
 public:
  explicit ZipWriter(Sink& out) : out_(out) {}
  void add(std::string_view name, std::initializer_list<std::span<const char>> parts);
  void finish();

 private:
  void put(std::string_view bytes);
  std::string entry_head(const ZipEntry& e, bool in_directory) const;

  Sink& out_;
  uint64_t at_ = 0;
  std::vector<ZipEntry> entries_;
};

}  // namespace bp
