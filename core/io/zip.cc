// SPDX-License-Identifier: Apache-2.0
#include "core/io/zip.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/refuse.h"

namespace bp {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

constexpr uint32_t kLocal = 0x04034b50, kDirectory = 0x02014b50, kEnd = 0x06054b50,
                   kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr uint32_t kIn64 = 0xffffffff;  // the size stands in the extra field instead
constexpr uint16_t kIn64Short = 0xffff;
constexpr uint16_t kEncrypted = 1, kUtf8 = 0x800, kStored = 0, kDeflated = 8, kExtra64 = 1;
constexpr uint64_t kMostPacked = 1032;  // deflate makes at most about so many bytes of one
constexpr size_t kEndBytes = 22, kMaxComment = 65535;

// Reads numbers and bytes one after the other. Reading beyond the end is an error.
class Cursor {
 public:
  Cursor(std::span<const char> bytes, uint64_t at, const char* what) : bytes_(bytes), what_(what) {
    if (at > bytes.size()) refuse("{} would begin at byte {} of {}", what, at, bytes.size());
    at_ = at;
  }
  template <class T>
  T number() {
    T v;
    std::memcpy(&v, take(sizeof v).data(), sizeof v);
    return v;
  }
  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  std::span<const char> take(uint64_t n) {
    if (n > bytes_.size() - at_) refuse("the file ends within {}", what_);
    const auto taken = bytes_.subspan(at_, n);
    at_ += n;
    return taken;
  }
  void skip(uint64_t n) { take(n); }
  bool empty() const { return at_ == bytes_.size(); }
  uint64_t at() const { return at_; }

 private:
  std::span<const char> bytes_;
  const char* what_;
  uint64_t at_ = 0;
};

struct Directory {
  uint64_t n = 0, bytes = 0, at = 0;
};

// The end record is the last one behind which its comment fits.
uint64_t find_end(std::span<const char> file) {
  if (file.size() < kEndBytes) refuse("{} bytes, which is too short for a zip file", file.size());
  const uint64_t lowest = file.size() - std::min(file.size(), kEndBytes + kMaxComment);
  for (uint64_t at = file.size() - kEndBytes + 1; at-- > lowest;) {
    Cursor c(file, at, "its end record");
    if (c.u32() != kEnd) continue;
    c.skip(16);
    if (c.u16() == file.size() - at - kEndBytes) return at;
  }
  refuse("not a zip file: it has no end record");
}

Directory find_directory(std::span<const char> file) {
  const uint64_t end = find_end(file);
  Cursor c(file, end + 4, "its end record");
  const uint16_t disk = c.u16(), first_disk = c.u16();
  c.skip(2);
  Directory d;
  d.n = c.u16();
  d.bytes = c.u32();
  d.at = c.u32();
  if (disk != first_disk && disk != kIn64Short)
    fail(BP_UNSUPPORTED, "a zip file in several parts is not supported");
  if (d.n == kIn64Short || d.bytes == kIn64 || d.at == kIn64) {
    if (end < 20) refuse("it has no zip64 locator");
    Cursor locator(file, end - 20, "its zip64 locator");
    if (locator.u32() != kLocator64) refuse("it has no zip64 locator");
    locator.skip(4);
    Cursor end64(file, locator.u64(), "its zip64 end record");
    if (end64.u32() != kEnd64) refuse("it has no zip64 end record");
    end64.skip(28);
    d.n = end64.u64();
    d.bytes = end64.u64();
    d.at = end64.u64();
  }
  if (d.at > end || d.bytes > end - d.at)
    refuse("its directory of {} bytes at {} reaches into its end record", d.bytes, d.at);
  return d;
}

// What does not fit in 32 bits stands in this field, in this order.
void read_extra64(std::span<const char> extra, ZipEntry& e) {
  Cursor c(extra, 0, "an extra field");
  while (!c.empty()) {
    const uint16_t id = c.u16(), n = c.u16();
    if (id != kExtra64) {
      c.skip(n);
      continue;
    }
    Cursor field(c.take(n), 0, "the zip64 field");
    for (uint64_t* v : {&e.size, &e.packed, &e.header_at})
      if (*v == kIn64) *v = field.u64();
    return;
  }
}

// The entry's own head, before its data, must give the same name.
void find_data(std::span<const char> file, ZipEntry& e) {
  Cursor c(file, e.header_at, "an entry");
  if (c.u32() != kLocal) refuse("'{}' has no entry at byte {}", shown(e.name), e.header_at);
  c.skip(22);
  const uint16_t name = c.u16(), extra = c.u16();
  const auto said = c.take(name);
  if (std::string_view(said.data(), said.size()) != e.name)
    refuse("the entry at byte {} is not '{}'", e.header_at, shown(e.name));
  c.skip(extra);
  e.data_at = c.at();
  if (e.packed > file.size() - e.data_at)
    refuse("'{}' has {} bytes at {}, but the file has {}", shown(e.name), e.packed, e.data_at,
           file.size());
}

ZipEntry read_entry(std::span<const char> file, Cursor& c) {
  if (c.u32() != kDirectory) refuse("its directory is damaged at byte {}", c.at() - 4);
  c.skip(4);
  const uint16_t flags = c.u16(), method = c.u16();
  c.skip(4);
  ZipEntry e;
  e.crc = c.u32();
  e.packed = c.u32();
  e.size = c.u32();
  const uint16_t name = c.u16(), extra = c.u16(), comment = c.u16();
  c.skip(8);
  e.header_at = c.u32();
  const auto text = c.take(name);
  e.name.assign(text.data(), text.size());
  read_extra64(c.take(extra), e);
  c.skip(comment);

  const bool ascii =
      std::none_of(e.name.begin(), e.name.end(), [](char byte) { return byte & 0x80; });
  if ((!ascii && !(flags & kUtf8)) || !is_utf8(e.name) || e.name.find('\0') != std::string::npos)
    refuse("an entry's name is not UTF-8: '{}'", shown(e.name));
  if (flags & kEncrypted) fail(BP_UNSUPPORTED, "'{}' is encrypted", shown(e.name));
  if (method != kStored && method != kDeflated)
    fail(BP_UNSUPPORTED, "'{}' is packed by method {}; stored (0) and deflated (8) are supported",
         shown(e.name), method);
  e.deflated = method == kDeflated;
  if (e.deflated ? e.size / kMostPacked > e.packed : e.size != e.packed)
    refuse("'{}' cannot have {} bytes packed into {}", shown(e.name), e.size, e.packed);
  find_data(file, e);
  return e;
}

// Entries must not share bytes: small files that unpack to vast ones let many do so.
void check_apart(const std::vector<ZipEntry>& entries) {
  std::vector<const ZipEntry*> by_place;
  for (const ZipEntry& e : entries) by_place.push_back(&e);
  std::sort(by_place.begin(), by_place.end(),
            [](auto* a, auto* b) { return a->header_at < b->header_at; });
  for (size_t i = 1; i < by_place.size(); ++i)
    if (by_place[i]->header_at < by_place[i - 1]->data_at + by_place[i - 1]->packed)
      refuse("'{}' and '{}' overlap", shown(by_place[i - 1]->name), shown(by_place[i]->name));
}

template <class... T>
std::string numbers(T... v) {
  std::string out;
  (out.append(reinterpret_cast<const char*>(&v), sizeof v), ...);
  return out;
}
uint32_t low(uint64_t v) { return v < kIn64 ? static_cast<uint32_t>(v) : kIn64; }

}  // namespace

std::vector<ZipEntry> list_zip(std::span<const char> file) {
  const Directory d = find_directory(file);
  Cursor c(file.subspan(0, d.at + d.bytes), d.at, "its directory");
  std::vector<ZipEntry> entries;
  while (!c.empty()) entries.push_back(read_entry(file, c));
  if (entries.size() != d.n)
    refuse("its directory has {} entries, its end record says {}", entries.size(), d.n);
  check_apart(entries);
  return entries;
}

ZipStream::ZipStream(std::span<const char> file, const ZipEntry& entry)
    : entry_(entry), stored_(file.subspan(entry.data_at, entry.packed)), left_(entry.size) {
  if (entry.deflated) inflater_.emplace(stored_);
}

void ZipStream::read(char* into, size_t n) {
  if (n > left_) refuse("'{}' ends too early", shown(entry_.name));
  if (n == 0) return;
  if (inflater_) {
    inflater_->read(into, n);
  } else {
    std::memcpy(into, stored_.data(), n);
    stored_ = stored_.subspan(n);
  }
  crc_ = crc32_of({into, n}, crc_);
  left_ -= n;
}

void ZipStream::finish() {
  if (left_ || (inflater_ && !inflater_->at_end()))
    refuse("'{}' is longer than what it says it holds", shown(entry_.name));
  if (crc_ != entry_.crc)
    refuse("'{}' is damaged: its checksum is {:08x}, not {:08x}", shown(entry_.name), crc_,
           entry_.crc);
}

void ZipWriter::put(std::string_view bytes) {
  out_.write(bytes.data(), bytes.size());
  at_ += bytes.size();
}

// Makes an entry's own head, or its row in the directory, which also gives its place.
std::string ZipWriter::entry_head(const ZipEntry& e, bool in_directory) const {
  const bool big = e.size >= kIn64, far = in_directory && e.header_at >= kIn64;
  std::string extra;
  if (big) extra += numbers(e.size, e.packed);
  if (far) extra += numbers(e.header_at);
  if (!extra.empty()) extra = numbers(kExtra64, static_cast<uint16_t>(extra.size())) + extra;
  const uint16_t version = big || far ? 45 : 20;
  const bool ascii = std::none_of(e.name.begin(), e.name.end(), [](char c) { return c & 0x80; });
  const uint32_t first_day = 0x00210000;  // 1980-01-01: equal tensors make equal files
  std::string head = in_directory ? numbers(kDirectory, version) : numbers(kLocal);
  head += numbers(version, ascii ? uint16_t{0} : kUtf8, kStored, first_day, e.crc, low(e.packed),
                  low(e.size), static_cast<uint16_t>(e.name.size()),
                  static_cast<uint16_t>(extra.size()));
  if (in_directory)
    head += numbers(uint16_t{0}, uint16_t{0}, uint16_t{0}, uint32_t{0}, low(e.header_at));
  return head + e.name + extra;
}

void ZipWriter::add(std::string_view name, std::initializer_list<std::span<const char>> parts) {
  if (name.size() >= kIn64Short) refuse("the name '{}' is too long for a zip file", shown(name));
  ZipEntry e;
  e.name = name;
  for (const auto& part : parts) {
    e.size += part.size();
    e.crc = crc32_of(part, e.crc);
  }
  e.packed = e.size;
  e.header_at = at_;
  put(entry_head(e, /*in_directory=*/false));
  for (const auto& part : parts) put({part.data(), part.size()});
  entries_.push_back(std::move(e));
}

void ZipWriter::finish() {
  const uint64_t start = at_;
  for (const ZipEntry& e : entries_) put(entry_head(e, /*in_directory=*/true));
  const uint64_t end = at_, bytes = end - start, n = entries_.size();
  if (n >= kIn64Short || start >= kIn64 || bytes >= kIn64) {
    const uint16_t version = 45;
    put(numbers(kEnd64, uint64_t{44}, version, version, uint32_t{0}, uint32_t{0}, n, n, bytes,
                start));
    put(numbers(kLocator64, uint32_t{0}, end, uint32_t{1}));
  }
  const auto short_n = n < kIn64Short ? static_cast<uint16_t>(n) : kIn64Short;
  put(numbers(kEnd, uint16_t{0}, uint16_t{0}, short_n, short_n, low(bytes), low(start),
              uint16_t{0}));
}

}  // namespace bp
