// zip.h: zip files: entries written as they are, read stored or deflated. Zip64 where sizes ask for
// it; no encryption, no parts. Source: PKWARE's APPNOTE.TXT 6.3.
//
//   for (const ZipEntry& e : list_zip(bytes)) { ZipStream in(bytes, e); in.read(p, e.size); in.finish(); }
//   ZipWriter zip(sink);  zip.add("a.npy", {header, data});  zip.finish();
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
  uint64_t packed = 0, size = 0;  // bytes in the file, and unpacked
  uint64_t header_at = 0, data_at = 0;
};

// In the directory's order. Throws BP_INVALID_ARGUMENT for what is no zip file, for entries that
// reach beyond it or overlap, that lie about their names, or that would unpack to more than deflate
// can; BP_UNSUPPORTED for other methods.
std::vector<ZipEntry> list_zip(std::span<const char> file);

class ZipStream {
 public:
  ZipStream(std::span<const char> file, const ZipEntry& entry);
  void read(char* into, size_t n);  // exactly n, as long as entry.size allows
  void finish();                    // all was read, and its checksum is right

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
