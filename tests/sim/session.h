// session.h: one runtime from bp_init to bp_shutdown with the options of a test, and short words
// for devices.
//
//   Session s("sim.device_count=2;sim.fail_launch=1");
//   T t = ones("sim:0");
//   Refusal r = synchronize("sim:0");   // r.status, r.message
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "c_api.h"
#include "unit/tensors.h"

using namespace bp_test;

// Builds with asan have the debug allocator on, whose blocks are larger, are never reused and are
// filled by copies.
#ifdef BP_DEBUG_ALLOCATOR
#define SKIP_WITH_DEBUG_ALLOCATOR() \
  GTEST_SKIP() << "the debug allocator adds guard bytes and copies of its own"
#else
#define SKIP_WITH_DEBUG_ALLOCATOR() static_cast<void>(0)
#endif

class Session {
 public:
  // BP_INIT_NO_ENV unless the test is about variables.
  explicit Session(const std::string& options = "", uint32_t flags = BP_INIT_NO_ENV) {
    bp_init_desc desc{};
    desc.struct_size = sizeof desc;
    desc.flags = flags;
    desc.options = options.c_str();
    const Refusal r = attempt(bp_init, static_cast<const bp_init_desc*>(&desc));
    EXPECT_EQ(r.status, BP_OK) << r.message;
  }
  ~Session() { EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

inline bp_device device(const std::string& text) {
  bp_device d = 0;
  const Refusal r = attempt(bp_device_parse, text.c_str(), &d);
  EXPECT_EQ(r.status, BP_OK) << r.message;
  return d;
}

inline Refusal synchronize(const std::string& where) {
  return attempt(bp_synchronize, device(where));
}

inline T ones(const std::string& where, Shape shape = {4}) {
  return made(bp_tensor_ones, rank(shape), static_cast<const int64_t*>(shape.data()), BP_F32,
              device(where));
}
inline T add(const T& a, const T& b) { return made(bp_add, a.get(), b.get()); }

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// The device computes, and what it computes is right.
inline void expect_works(const std::string& where) {
  const T t = ones(where);
  ASSERT_TRUE(t) << where;
  EXPECT_EQ(values<float>(add(t, t)), std::vector<float>(4, 2)) << where;
}

inline void expect_nothing_lives(const std::string& where) {
  bp_memory_stats stats{};
  stats.struct_size = sizeof stats;
  const Refusal r = attempt(bp_memory_get_stats, device(where), &stats);
  EXPECT_EQ(r.status, BP_OK) << r.message;
  EXPECT_EQ(stats.n_live, 0u) << where;
  EXPECT_EQ(stats.allocated_bytes, 0u) << where;
}
