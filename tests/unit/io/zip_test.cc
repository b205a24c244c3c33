// SPDX-License-Identifier: Apache-2.0
// Zip files as bytes.
#include "core/io/zip.h"

#include <cstring>

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;

struct Collected final : Sink {
  std::string bytes;
  void write(const void* data, size_t n) override {
    bytes.append(static_cast<const char*>(data), n);
  }
};
std::string zip_of(std::initializer_list<std::pair<const char*, const char*>> entries) {
  Collected out;
  ZipWriter zip(out);
  for (const auto& [name, text] : entries) zip.add(name, {{text, std::strlen(text)}});
  zip.finish();
  return out.bytes;
}
std::string unpacked(const std::string& file, const ZipEntry& e) {
  std::string text(e.size, '\0');
  ZipStream in(file, e);
  in.read(text.data(), text.size());
  in.finish();
  return text;
}
// n bytes at `at` become v.
template <class N>
std::string with(std::string file, size_t at, N v) {
  std::memcpy(file.data() + at, &v, sizeof v);
  return file;
}

TEST(Zip, GivesBackWhatWasAdded) {
  const std::string file = zip_of({{"a", "first"}, {"\xc3\xa4", ""}, {"b/c", "third"}});
  const auto entries = list_zip(file);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[1].name, "\xc3\xa4");
  EXPECT_EQ(unpacked(file, entries[0]), "first");
  EXPECT_EQ(unpacked(file, entries[1]), "");
  EXPECT_EQ(unpacked(file, entries[2]), "third");
  EXPECT_TRUE(list_zip(zip_of({})).empty());
}

TEST(Zip, OfMoreEntriesThanSixteenBitsCountIsReadBack) {
  Collected out;
  ZipWriter zip(out);
  for (int i = 0; i < 70000; ++i) zip.add(std::to_string(i), {});
  zip.finish();
  const auto entries = list_zip(out.bytes);
  ASSERT_EQ(entries.size(), 70000u);
  EXPECT_EQ(entries[69999].name, "69999");
}

TEST(Zip, ThatIsWrongIsRefused) {
  const std::string file = zip_of({{"a", "first"}, {"b", "second"}});
  const size_t directory = file.find("PK\1\2"), end = file.find("PK\5\6"),
               second = file.find("PK\3\4", 1);
  const auto list = [](const std::string& bytes) { return [bytes] { list_zip(bytes); }; };
  EXPECT_EQ(thrown(list("PK")), "2 bytes, which is too short for a zip file");
  EXPECT_EQ(thrown(list(std::string(100, 'x'))), "not a zip file: it has no end record");
  EXPECT_EQ(thrown(list(file.substr(0, file.size() - 1))), "not a zip file: it has no end record");
  EXPECT_EQ(thrown(list(with(file, end + 10, uint16_t{3}))),
            "its directory has 2 entries, its end record says 3");
  EXPECT_EQ(thrown(list(with(file, end + 16, uint32_t{1000}))),
            "its directory of 94 bytes at 1000 reaches into its end record");
  EXPECT_EQ(thrown(list(with(file, directory, 'Q'))),
            fmt::format("its directory is damaged at byte {}", directory));
  EXPECT_EQ(thrown(list(with(file, directory + 8, uint16_t{1})), BP_UNSUPPORTED),
            "'a' is encrypted");
  EXPECT_EQ(thrown(list(with(file, directory + 10, uint16_t{12})), BP_UNSUPPORTED),
            "'a' is packed by method 12; stored (0) and deflated (8) are supported");
  EXPECT_EQ(thrown(list(with(file, directory + 24, uint32_t{6}))),
            "'a' cannot have 6 bytes packed into 5");
  const std::string long_one =
      with(with(file, directory + 24, uint32_t{5000}), directory + 20, uint32_t{5000});
  EXPECT_EQ(thrown(list(long_one)),
            fmt::format("'a' has 5000 bytes at 31, but the file has {}", file.size()));
  const std::string longer =
      with(with(file, directory + 24, uint32_t{9}), directory + 20, uint32_t{9});
  EXPECT_EQ(thrown(list(longer)), "'a' and 'b' overlap");
  EXPECT_EQ(thrown(list(with(file, second + 30, 'c'))),
            fmt::format("the entry at byte {} is not 'b'", second));
  EXPECT_EQ(thrown(list(with(file, directory + 42, uint32_t{1}))), "'a' has no entry at byte 1");
  EXPECT_EQ(thrown(list(with(file, directory + 46, '\xff'))),
            "an entry's name is not UTF-8: '\\xff'");
  const std::string damaged = with(file, 31, 'F');
  EXPECT_EQ(thrown([&] { unpacked(damaged, list_zip(damaged)[0]); }).substr(0, 29),
            "'a' is damaged: its checksum ");
}

}  // namespace
}  // namespace bp
