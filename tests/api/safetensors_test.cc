// SPDX-License-Identifier: Apache-2.0
// Safetensors, through the C API: what is written, what is read, and what is refused.
#include <sys/stat.h>
#include <unistd.h>

#include <complex>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "kit/dicts.h"
#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

std::string format(const D& d) {
  uint64_t n = 0;
  EXPECT_EQ(
      attempt(bp_safetensors_format, d.get(), static_cast<void*>(nullptr), uint64_t{0}, &n).message,
      "");
  std::string bytes(n, '\0');
  EXPECT_EQ(
      attempt(bp_safetensors_format, d.get(), static_cast<void*>(bytes.data()), n, &n).message, "");
  return bytes;
}
D parse(const std::string& bytes, bp_device device = kCpu) {
  return made<D>(bp_safetensors_parse, static_cast<const void*>(bytes.data()),
                 uint64_t{bytes.size()}, device);
}
Answer refused(const std::string& bytes) {
  return refusal<D>(bp_safetensors_parse, static_cast<const void*>(bytes.data()),
                    uint64_t{bytes.size()}, kCpu);
}
// A file of this header and so many bytes of data.
std::string file_of(const std::string& header, size_t data = 0) {
  const uint64_t n = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &n, sizeof n);
  return bytes + header + std::string(data, '\1');
}

std::string path_of(const char* name) { return testing::TempDir() + "safetensors_test_" + name; }
std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
D load(const std::string& path) { return made<D>(bp_safetensors_load, path.c_str(), kCpu); }

TEST(Safetensors, AreWrittenAsTheFormatSays) {
  const D d = dict({{"a", counting<uint8_t>({3}).get()}, {"b", counting<int32_t>({1, 2}).get()}});
  ASSERT_EQ(bp_dict_set_meta(d.get(), "format", "p\"t", nullptr), BP_OK);
  const std::string header =
      R"({"__metadata__":{"format":"p\"t"},"a":{"dtype":"U8","shape":[3],"data_offsets":[8,11]},"b":{"dtype":"I32","shape":[1, 2],"data_offsets":[0,8]}})";
  const size_t padded = (header.size() + 7) / 8 * 8;
  const std::string bytes = format(d);
  EXPECT_EQ(bytes.substr(0, 8), std::string(1, static_cast<char>(padded)) + std::string(7, '\0'));
  EXPECT_EQ(bytes.substr(8, padded), header + std::string(padded - header.size(), ' '));
  // wide elements first
  EXPECT_EQ(bytes.substr(8 + padded), std::string("\0\0\0\0\1\0\0\0\0\1\2", 11));
}

TEST(Safetensors, GiveBackEveryDtypeTheFormatHas) {
  std::map<bp_dtype, const char*> all;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (t != BP_C128) all[t] = bp_dtype_name(t);
  const D d = dict();
  for (const auto& [dtype, name] : all) {
    const int64_t shape[] = {2, 3};
    const bp_value value = number(int64_t{1});
    ASSERT_EQ(bp_dict_set(d.get(), name,
                          made(bp_tensor_full, 2, &shape[0], &value, dtype, kCpu).get(), nullptr),
              BP_OK);
  }
  const D back = parse(format(d));
  ASSERT_EQ(names(back), names(d));
  for (const auto& [dtype, name] : all) {
    EXPECT_EQ(bp_tensor_dtype(get(back, name).get()), dtype);
    const T f64 = made(bp_tensor_to, get(back, name).get(), kCpu,
                       dtype == BP_C64 ? BP_DTYPE_NONE : BP_F64, 1u, 0u);
    if (dtype == BP_C64) continue;
    EXPECT_EQ(values<double>(f64), std::vector<double>(6, 1)) << name;
  }
  const T c128 = tensor<std::complex<double>>({1}, {{1, 2}});
  const Answer r =
      attempt(bp_safetensors_format, dict({{"z", c128.get()}}).get(), static_cast<void*>(nullptr),
              uint64_t{0}, static_cast<uint64_t*>(nullptr));
  EXPECT_EQ(r.status, BP_UNSUPPORTED);
  EXPECT_EQ(r.message,
            "safetensors bytes: tensor 'z' is complex128, which safetensors files cannot hold");
}

TEST(Safetensors, TakeTensorsOfAnyLayout) {
  const T base = counting({2, 3});
  const T columns = made(bp_tensor_transpose, base.get(), int64_t{0}, int64_t{1});
  const T row = made(bp_tensor_select, base.get(), int64_t{0}, int64_t{1});
  const int64_t wide[] = {2, 2}, back_to_front[] = {0};
  const T one = counting({1});
  const T repeated = made(bp_tensor_expand, one.get(), 2, &wide[0]);
  const T flipped = made(bp_tensor_flip, row.get(), &back_to_front[0], 1u);
  const T scalar = made(bp_tensor_select, row.get(), int64_t{0}, int64_t{2}),
          nothing = counting({0, 4});
  const D d = parse(format(dict({{"columns", columns.get()},
                                 {"row", row.get()},
                                 {"repeated", repeated.get()},
                                 {"flipped", flipped.get()},
                                 {"scalar", scalar.get()},
                                 {"nothing", nothing.get()}})));
  EXPECT_EQ(values<float>(get(d, "columns")), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values<float>(get(d, "row")), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(values<float>(get(d, "repeated")), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(values<float>(get(d, "flipped")), (std::vector<float>{5, 4, 3}));
  EXPECT_EQ(shape_of(get(d, "scalar")), Shape{});
  EXPECT_EQ(values<float>(get(d, "scalar")), std::vector<float>{5});
  EXPECT_EQ(shape_of(get(d, "nothing")), (Shape{0, 4}));
}

TEST(Safetensors, TakeATensorThatRequiresAGradient) {
  const T w = counting({2});
  ASSERT_EQ(bp_tensor_set_requires_grad(w.get(), 1, nullptr), BP_OK);
  const T back = get(parse(format(dict({{"w", w.get()}}))), "w");
  EXPECT_EQ(values<float>(back), (std::vector<float>{0, 1}));
  EXPECT_EQ(bp_tensor_requires_grad(back.get()), 0u);
}

TEST(Safetensors, OfNothingAreAnEmptyDict) {
  EXPECT_EQ(bp_dict_size(parse(format(dict())).get()), 0u);
  EXPECT_EQ(bp_dict_size(parse(file_of("{}")).get()), 0u);
}

TEST(Safetensors, LeaveABufferThatIsTooShortAlone) {
  const D d = dict({{"a", counting({3}).get()}});
  uint64_t n = 0;
  std::string room(40, 'x');
  EXPECT_EQ(
      attempt(bp_safetensors_format, d.get(), static_cast<void*>(room.data()), uint64_t{40}, &n)
          .message,
      "");
  EXPECT_EQ(n, format(d).size());
  EXPECT_EQ(room, std::string(40, 'x'));
}

struct Bad {
  const char* header;
  size_t data;
  const char* message;
};
// NOLINTBEGIN: one line a case
// clang-format off
const Bad kBad[] = {
    {"", 0, "the header does not begin with '{'"},
    {" {}", 0, "the header does not begin with '{'"},
    {"[1]", 0, "the header does not begin with '{'"},
    {"{", 0, "the header is not JSON: it goes wrong at byte 2 of it"},
    {"{}x", 0, "the header is not JSON: it goes wrong at byte 3 of it"},
    {"{\"a\":{}}", 0, "tensor 'a' has no dtype"},
    {"{\"\xff\":{}}", 0, "the header is not JSON: it goes wrong at byte 3 of it"},
    {R"({"a":7})", 0, "'a' is a number, expected an object"},
    {R"({"a":[[[[)", 0, "'a' is an array, expected an object"},
    {R"({"a":null})", 0, "'a' is a null, expected an object"},
    {R"({"__metadata__":{"k":3}})", 0, "the metadata 'k' is a number, expected text"},
    {R"({"__metadata__":{"k":{"k":{}}}})", 0, "the metadata 'k' is an object, expected text"},
    {R"({"__metadata__":"k"})", 0, "'__metadata__' is text, expected an object"},
    {R"({"__metadata__":{"k":"1","k":"2"}})", 0, "the metadata 'k' comes twice"},
    {R"({"__metadata__":{"k":"1\u0000"}})", 0, "the metadata 'k' holds a zero byte"},
    {R"({"a\u0000":{}})", 0, "a name holds a zero byte"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "the name 'a' comes twice"},
    {R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "tensor 'a' has its dtype twice"},
    {R"({"a":{"dtype":"U8","shape":[1]}})", 1, "tensor 'a' has no data_offsets"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":1}})", 1, "tensor 'a' has a field 'more', which is not known"},
    {R"({"a":{"dtype":"Q9","shape":[1],"data_offsets":[0,1]}})", 1, "tensor 'a' has dtype 'Q9', which is not known"},
    {R"({"a":{"dtype":3,"shape":[1],"data_offsets":[0,1]}})", 1, "tensor 'a' has a number for a dtype"},
    {R"({"a":{"dtype":"F6_E2M3","shape":[1],"data_offsets":[0,1]}})", 1, "tensor 'a' has dtype F6_E2M3, which is not supported"},
    {R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1, "tensor 'a' has a negative number in its shape"},
    {R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", 1, "tensor 'a' has a fraction or a number beyond 64 bits in its shape"},
    {R"({"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}})", 1, "tensor 'a' has a fraction or a number beyond 64 bits in its shape"},
    {R"({"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}})", 1, "tensor 'a' has a size of 9223372036854775808"},
    {R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1, "tensor 'a' has a number in its shape"},
    {R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1, "tensor 'a' has an array in its shape"},
    {R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0, "tensor 'a': the number of elements of shape [4294967296, 4294967296] does not fit in 64 bits"},
    {R"({"a":{"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0, "tensor 'a': shape [4611686018427387904] of 8-byte elements is too large to address"},
    {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,7]}})", 7, "tensor 'a' is of 8 bytes ([2] float32), but its data_offsets are [0, 7]"},
    {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "tensor 'a' is of 8 bytes ([2] float32), but its data_offsets are [8, 0]"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", 1, "tensor 'a' has a number in its data_offsets, expected two numbers"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1, "tensor 'a' has 1 data_offsets, expected 2"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,0]}})", 1, "tensor 'a' is of 1 bytes ([1] uint8), but its data_offsets are [18446744073709551615, 0]"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2, "tensor 'a' begins at byte 1 of the data, but the one before it ends at 0"},
    {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3, "tensor 'b' begins at byte 1 of the data, but the one before it ends at 2"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 2, "the tensors take 1 bytes, but 2 follow the header"},
    {R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", 2, "the tensors take 3 bytes, but 2 follow the header"},
};
// clang-format on
// NOLINTEND

TEST(Safetensors, ThatAreWrongAreRefusedWithWhatIsWrong) {
  for (const Bad& bad : kBad) {
    const Answer r = refused(file_of(bad.header, bad.data));
    EXPECT_EQ(r.message, std::string("safetensors bytes: ") + bad.message) << bad.header;
    EXPECT_EQ(r.status, std::strstr(bad.header, "F6_") ? BP_UNSUPPORTED : BP_INVALID_ARGUMENT)
        << bad.header;
  }
  std::string zero = file_of("{} {}");
  zero[10] = '\0';  // the JSON library takes it for the end
  EXPECT_EQ(refused(zero).message, "safetensors bytes: the header holds a zero byte");
  std::string bools = file_of(R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", 2);
  bools.back() = 2;
  EXPECT_EQ(refused(bools).message, "safetensors bytes: tensor 'a' has a bool of value 2");
}

TEST(Safetensors, WhoseLengthLiesAreRefused) {
  const std::string good = file_of("{}");
  EXPECT_EQ(refused("").message,
            "safetensors bytes: 0 bytes, which is too short for the length of a header");
  EXPECT_EQ(refused(good.substr(0, 7)).message,
            "safetensors bytes: 7 bytes, which is too short for the length of a header");
  EXPECT_EQ(refused(good.substr(0, 9)).message,
            "safetensors bytes: a header of 2 bytes, but only 1 follow its length");
  std::string huge = good;
  for (int i = 0; i < 8; ++i) huge[static_cast<size_t>(i)] = '\xff';
  EXPECT_EQ(
      refused(huge).message,
      "safetensors bytes: a header of 18446744073709551615 bytes, at most 100000000 are possible");
}

TEST(Safetensors, ShowNoMoreOfAForeignNameThanAMessageBears) {
  const std::string name = "x\\n\\u0007" + std::string(1000, 'n');
  const Answer r = refused(file_of("{\"" + name + "\":{}}"));
  EXPECT_EQ(r.message,
            "safetensors bytes: tensor 'x??" + std::string(117, 'n') + "...' has no dtype");
}

TEST(Safetensors, InAFileKeepNamesOrderAndText) {
  const std::string path = path_of("order");
  const D d = dict({{"z", counting({2}).get()},
                    {"\xc3\xa4/\xe5\xb1\x82", counting<uint8_t>({3}).get()},
                    {"a", counting<int64_t>({2}).get()}});
  ASSERT_EQ(bp_dict_set_meta(d.get(), "epoch", "7", nullptr), BP_OK);
  ASSERT_EQ(attempt(bp_safetensors_save, d.get(), path.c_str()).message, "");
  const D back = load(path);
  EXPECT_EQ(names(back), names(d));
  EXPECT_EQ(values<int64_t>(get(back, "a")), (std::vector<int64_t>{0, 1}));
  const char* text = nullptr;
  ASSERT_EQ(bp_dict_get_meta(back.get(), "epoch", &text, nullptr), BP_OK);
  EXPECT_STREQ(text, "7");
  EXPECT_EQ(content(path), format(d));
}

TEST(Safetensors, AreMappedSoThatWritesStayInTheTensor) {
  const std::string path = path_of("mapped");
  const D first = dict({{"a", counting({4}).get()}});
  ASSERT_EQ(attempt(bp_safetensors_save, first.get(), path.c_str()).message, "");
  const std::string before = content(path);
  T a = get(load(path), "a");
  const bp_value nine = number(int64_t{9});
  ASSERT_EQ(attempt(bp_tensor_fill_, a.get(), &nine).message, "");
  EXPECT_EQ(content(path), before);
  T still = get(load(path), "a");
  // in its place
  ASSERT_EQ(attempt(bp_safetensors_save, dict({{"a", a.get()}}).get(), path.c_str()).message, "");
  EXPECT_EQ(values<float>(still), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(values<float>(get(load(path), "a")), (std::vector<float>(4, 9)));
}

TEST(Safetensors, AtAnAddressUnfitForTheirDtypeAreCopied) {
  const std::string path = path_of("odd");
  std::string header =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  put(path, file_of(header) + std::string("\7\0\0\x80\x3f", 5));
  const D d = load(path);
  EXPECT_EQ(values<float>(get(d, "a")), std::vector<float>{1});
  EXPECT_EQ(values<uint8_t>(get(d, "b")), std::vector<uint8_t>{7});
}

// Ops that only move elements see a complex64 as one word of 8 bytes.
TEST(Safetensors, OfComplexNumbersAtHalfOfOneAreCopied) {
  const std::string path = path_of("half");
  std::string header =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"c":{"dtype":"C64","shape":[1],"data_offsets":[4,12]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  put(path, file_of(header) + std::string("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12));
  const D d = load(path);
  const T c = get(d, "c");
  void* data = nullptr;
  ASSERT_EQ(attempt(bp_tensor_data, c.get(), &data).message, "");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 8, 0u);
  EXPECT_EQ(values<std::complex<float>>(c), (std::vector<std::complex<float>>{{2, 3}}));
}

TEST(Safetensors, LandOnTheDeviceThatIsAsked) {
  const D d = parse(format(dict({{"a", counting({4}).get()}, {"none", counting({0}).get()}})),
                    device("null:1"));
  EXPECT_EQ(bp_tensor_device(get(d, "a").get()), device("null:1"));
  EXPECT_EQ(bp_tensor_device(get(d, "none").get()), device("null:1"));
  EXPECT_EQ(values<float>(get(d, "a")), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(values<float>(get(parse(format(d)), "a")), (std::vector<float>{0, 1, 2, 3}));
}

TEST(SafetensorsFile, ThatCannotBeReadSaysWhy) {
  bp_dict* d = nullptr;
  const auto load_of = [&](const std::string& path) {
    return attempt(bp_safetensors_load, path.c_str(), kCpu, &d);
  };
  EXPECT_EQ(load_of("/no/such/file").message,
            "cannot open '/no/such/file': No such file or directory");
  EXPECT_EQ(load_of("/no/such/file").status, BP_NOT_FOUND);
  EXPECT_EQ(load_of("/tmp").message, "cannot read '/tmp': Is a directory");
  EXPECT_EQ(load_of("/dev/null").message, "cannot read '/dev/null': not a regular file");
  const std::string pipe = path_of("pipe");
  ::unlink(pipe.c_str());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(load_of(pipe).message, "cannot read '" + pipe + "': not a regular file");
  const std::string empty = path_of("empty");
  put(empty, "");
  EXPECT_EQ(load_of(empty).message,
            "safetensors '" + empty + "': 0 bytes, which is too short for the length of a header");
  EXPECT_EQ(d, nullptr);
}

TEST(SafetensorsFile, ThatCannotBeWrittenSaysWhyAndStays) {
  const D d = dict({{"a", counting({2}).get()}});
  const auto save = [&](const bp_dict* dict, const std::string& path) {
    return attempt(bp_safetensors_save, const_cast<bp_dict*>(dict), path.c_str()).message;
  };
  EXPECT_EQ(save(d.get(), "/no/such/folder/file"),
            "cannot write '/no/such/folder/file': No such file or directory");
  EXPECT_EQ(save(d.get(), "/tmp"), "cannot write '/tmp': Is a directory");
  EXPECT_EQ(save(d.get(), "/dev/full"), "cannot write '/dev/full': not a regular file");
  const std::string path = path_of("stays");
  ASSERT_EQ(save(d.get(), path), "");
  const std::string before = content(path);
  const T c128 = tensor<std::complex<double>>({1}, {{1, 2}});
  EXPECT_EQ(
      save(dict({{"z", c128.get()}}).get(), path),
      "safetensors '" + path + "': tensor 'z' is complex128, which safetensors files cannot hold");
  EXPECT_EQ(
      save(dict({{"__metadata__", counting({1}).get()}}).get(), path),
      "safetensors '" + path + "': a tensor cannot be named '__metadata__' in a safetensors file");
  EXPECT_EQ(content(path), before);
}

TEST(SafetensorsFile, KeepsItsModeAndTheLinkToIt) {
  const D d = dict({{"a", counting({2}).get()}});
  const std::string path = path_of("target"), link = path_of("link");
  put(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ::unlink(link.c_str());
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  ASSERT_EQ(attempt(bp_safetensors_save, d.get(), link.c_str()).message, "");
  struct stat about = {};
  ASSERT_EQ(::lstat(link.c_str(), &about), 0);
  EXPECT_TRUE(S_ISLNK(about.st_mode));
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640u);
  EXPECT_EQ(content(path), format(d));
}

}  // namespace
}  // namespace bp_test
