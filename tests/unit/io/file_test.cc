// SPDX-License-Identifier: Apache-2.0
// Files as memory, and files replaced as a whole. Modes, links and more faults:
// tests/api/safetensors_test.cc.
#include "core/io/file.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "unit/thrown.h"

namespace bp {
namespace {

struct Replacing : testing::Test {
  std::string path = testing::TempDir() + "file_test_" + std::to_string(::getpid());
  void TearDown() override { std::remove(path.c_str()); }
  std::string content() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& text) const {
    replace_file(path, [&](Sink& out) { out.write(text.data(), text.size()); });
  }
};

TEST_F(Replacing, WritesWhatFillGivesInOrder) {
  replace_file(path, [](Sink& out) {
    out.write("ab", 2);
    out.write("", 0);
    out.write("c", 1);
  });
  EXPECT_EQ(content(), "abc");
  put("");
  EXPECT_EQ(content(), "");
}

TEST_F(Replacing, LeavesWhatWasThereWhenFillThrows) {
  put("before");
  EXPECT_THROW(replace_file(path,
                            [](Sink& out) {
                              out.write("half", 4);
                              throw 7;
                            }),
               int);
  EXPECT_EQ(content(), "before");
}

TEST_F(Replacing, LeavesAMappingOfTheOldFileAsItWas) {
  put("before");
  const auto mapped = Mapping::open(path);
  put("after it");
  EXPECT_EQ(std::string(mapped->bytes().begin(), mapped->bytes().end()), "before");
  EXPECT_EQ(content(), "after it");
}

TEST_F(Replacing, LeavesTheFileAloneWhenAMappingIsWritten) {
  put("before");
  const auto mapped = Mapping::open(path);
  mapped->bytes()[0] = 'B';
  EXPECT_EQ(content(), "before");
  EXPECT_EQ(Mapping::open(path)->bytes()[0], 'b');
}

TEST_F(Replacing, OfNothingMapsToNothing) {
  put("");
  EXPECT_EQ(Mapping::open(path)->bytes().size(), 0u);
}

TEST(Mapping, OfWhatIsNoFileSaysWhatTheSystemSays) {
  EXPECT_EQ(bp_test::thrown([] { Mapping::open("/no/such/file"); }, BP_NOT_FOUND),
            "cannot open '/no/such/file': No such file or directory");
  EXPECT_NE(bp_test::thrown([] { Mapping::open("/"); }), "no error");
}

}  // namespace
}  // namespace bp
