// SPDX-License-Identifier: Apache-2.0
// What a plugin may ask of its host.
#include <gtest/gtest.h>

#include <cstdlib>

#include "c_api.h"
#include "core/backend/handshake.h"

namespace {

std::string asked(const char* key) {
  bp::Backend backend;
  backend.plugin_kind = "some_kind";
  bp::fill_host(backend, BP_PLUGIN_ABI_MAX);
  const char* answer = backend.host.option(backend.host.self, key);
  return answer ? answer : "nothing";
}

TEST(HostOption, IsTheVariableOfKindAndKeyOrOneThatIsNamedWhole) {
  ::setenv("SOME_KIND_WHERE", "here", 1);
  ::setenv("ANOTHERS_2_WHERE", "there", 1);
  EXPECT_EQ(asked("where"), "here");
  EXPECT_EQ(asked("ANOTHERS_2_WHERE"), "there");
  EXPECT_EQ(asked("WHERE"), "nothing");
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  desc.flags = BP_INIT_NO_ENV;
  desc.options = "some_kind.where=given";
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  ASSERT_EQ(bp_init(&desc, nullptr), BP_OK);
  EXPECT_EQ(asked("where"), "given");
  EXPECT_EQ(asked("ANOTHERS_2_WHERE"), "nothing");
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  ::unsetenv("SOME_KIND_WHERE");
  ::unsetenv("ANOTHERS_2_WHERE");
}

}  // namespace
