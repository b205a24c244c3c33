// SPDX-License-Identifier: Apache-2.0
#include "core/base/guard.h"

#include <cstring>
#include <stdexcept>

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;

template <class F>
bp_test::Answer guarded(F&& body) {
  bp_error* err = nullptr;
  const bp_status status = guard(&err, body);
  return bp_test::taken(status, err);
}

TEST(Guard, TurnsEveryExceptionIntoAStatusAndASentence) {
  EXPECT_EQ(guarded([] {}).status, BP_OK);
  EXPECT_EQ(guarded([] { fail(BP_NOT_FOUND, "no {}", "such"); }).message, "no such");
  EXPECT_EQ(guarded([] { throw std::bad_alloc(); }).status, BP_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(guarded([] { throw std::length_error("too long"); }).status, BP_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(guarded([] { throw std::length_error("too long"); }).message, "too long");
  EXPECT_EQ(guarded([] { throw std::runtime_error("what"); }).status, BP_INTERNAL);
  EXPECT_EQ(guarded([] { throw std::runtime_error("what"); }).message, "what");
  EXPECT_EQ(guarded([] { throw 7; }).message, "unknown exception");
  EXPECT_EQ(guard(nullptr, [] { fail(BP_NOT_FOUND, "nobody asks"); }), BP_NOT_FOUND);
}

TEST(Guard, LeavesTheErrorAloneWhenNothingWentWrong) {
  auto* const untouched = reinterpret_cast<bp_error*>(8);
  bp_error* err = untouched;
  EXPECT_EQ(guard(&err, [] {}), BP_OK);
  EXPECT_EQ(err, untouched);
}

TEST(PutText, CutsAtTheCapacityAndTellsTheLength) {
  char buf[4] = {'x', 'x', 'x', 'x'};
  uint64_t needed = 0;
  put_text("abcdef", buf, 3, &needed);
  EXPECT_STREQ(buf, "ab");
  EXPECT_EQ(buf[3], 'x');
  EXPECT_EQ(needed, 6u);
  put_text("abc", buf, 4, nullptr);
  EXPECT_STREQ(buf, "abc");
  put_text("", buf, 1, &needed);
  EXPECT_STREQ(buf, "");
  put_text("abc", nullptr, 0, &needed);
  EXPECT_EQ(needed, 3u);
  EXPECT_EQ(thrown([] { put_text("abc", nullptr, 5, nullptr); }),
            "buf must not be NULL when capacity is 5");
}

struct Grown {
  uint32_t struct_size, flags;
  uint64_t first, second;
};

TEST(PutStruct, FillsAsMuchAsTheCallerHasRoomFor) {
  const Grown value{sizeof(Grown), 1, 2, 3};
  Grown out{offsetof(Grown, second), 9, 9, 9};
  put_struct(value, &out, "out");
  EXPECT_EQ(out.struct_size, offsetof(Grown, second)) << "stays as the caller gave it";
  EXPECT_EQ(out.first, 2u);
  EXPECT_EQ(out.second, 9u);
  out.struct_size = sizeof(Grown) + 100;
  put_struct(value, &out, "out");
  EXPECT_EQ(out.second, 3u);
  out.struct_size = 7;
  EXPECT_EQ(thrown([&] { put_struct(value, &out, "out"); }),
            "out.struct_size is 7, expected " + std::to_string(sizeof(Grown)));
  EXPECT_EQ(thrown([&] { put_struct<Grown>(value, nullptr, "out"); }), "out must not be NULL");
}

TEST(GetStruct, ExtendsAShortOneByZerosAndTakesALongOneWhoseTailIsZero) {
  struct Longer {
    Grown head;
    unsigned char tail[8];
  } in{{sizeof(Longer), 1, 2, 3}, {}};
  EXPECT_EQ(get_struct(&in.head, "desc").second, 3u);
  in.tail[2] = 1;
  EXPECT_EQ(thrown([&] { get_struct(&in.head, "desc"); }, BP_UNSUPPORTED),
            "desc has fields this library does not know (byte 26 of 32 is set)");
  in.head.struct_size = offsetof(Grown, second);
  EXPECT_EQ(get_struct(&in.head, "desc").first, 2u);
  EXPECT_EQ(get_struct(&in.head, "desc").second, 0u);
  for (const uint32_t size : {0u, 7u, 65537u}) {
    in.head.struct_size = size;
    EXPECT_NE(thrown([&] { get_struct(&in.head, "desc"); }), "no error") << size;
  }
}

}  // namespace
}  // namespace bp
