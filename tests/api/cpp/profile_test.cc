// SPDX-License-Identifier: Apache-2.0
// backplane_profile.hpp: profiles that are saved by a call, or by the end of a scope, and ranges.
#include <gtest/gtest.h>
#include <unistd.h>

#include <backplane.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace bp = backplane;

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::string text(std::istreambuf_iterator<char>(in), {});
  std::remove(path.c_str());
  return text;
}

TEST(CppProfile, IsSavedByACallOrByTheEndOfItsScope) {
  const std::string path =
      testing::TempDir() + "cpp-profile-" + std::to_string(::getpid()) + ".json";
  for (bool by_call : {true, false}) {
    {
      bp::Profile profile(path);
      EXPECT_TRUE(bp::Profile::is_running());
      EXPECT_THROW(bp::Profile("other.json"), bp::Error);
      const bp::ProfileRange range("sums");
      bp::exp(bp::ones({4}));
      bp::memory_snapshot(path);
      EXPECT_NE(text_of(path).find("\"ph\":\"C\""), std::string::npos);
      if (by_call) profile.save();
    }
    EXPECT_FALSE(bp::Profile::is_running());
    const std::string text = text_of(path);
    EXPECT_NE(text.find("\"name\":\"exp\""), std::string::npos);
    // A range that lasts longer than its profile is seen until the profile's end.
    EXPECT_NE(text.find("\"name\":\"sums\""), std::string::npos);
  }
  EXPECT_THROW(bp::memory_snapshot(path), bp::Error);
  bp::Profile nowhere("/nowhere/trace.json");
  EXPECT_THROW(nowhere.save(), bp::Error);
  EXPECT_FALSE(bp::Profile::is_running());
}

}  // namespace
