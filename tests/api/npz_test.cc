// SPDX-License-Identifier: Apache-2.0
// .npz files. What NumPy makes of ours, and we of its, is tested in tests/python.
#include <fstream>
#include <iterator>

#include "kit/dicts.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

D load_npz(const std::string& path, bp_device device = kCpu) {
  return made<D>(bp_npz_load, path.c_str(), device);
}
std::string npz_path(const char* name) { return testing::TempDir() + "npz_test_" + name; }

// Its one float of less than four bytes is IEEE 754's.
bool numpy_has(bp_dtype t) {
  return bp_dtype_kind(t) != BP_DTYPE_KIND_FLOAT || bp_dtype_bytes(t) >= 4 || t == BP_F16;
}

TEST(Npz, GivesBackEveryDtypeNumpyHas) {
  const D d = dict();
  std::vector<bp_dtype> dtypes;
  for (bp_dtype dtype = 0; dtype < BP_DTYPE_COUNT; ++dtype)
    if (numpy_has(dtype)) dtypes.push_back(dtype);
  for (bp_dtype dtype : dtypes) {
    const T t = tensor<int64_t>({3}, {0, 1, 1});
    const T cast = to(t, kCpu, dtype);
    ASSERT_EQ(bp_dict_set(d.get(), std::to_string(dtype).c_str(), cast.get(), nullptr), BP_OK);
  }
  const std::string path = npz_path("dtypes");
  ASSERT_EQ(attempt(bp_npz_save, d.get(), path.c_str()).message, "");
  const D back = load_npz(path, device("null:0"));
  for (bp_dtype dtype : dtypes) {
    const T t = made(bp_dict_get, back.get(), std::to_string(dtype).c_str());
    EXPECT_EQ(bp_tensor_device(t.get()), device("null:0"));
    EXPECT_EQ(bp_tensor_dtype(t.get()), dtype);
    const T wide = to(t, kCpu, BP_C128);
    EXPECT_EQ(values<std::complex<double>>(wide), (std::vector<std::complex<double>>{0, 1, 1}));
  }
}

TEST(Npz, RefusesWhatItCannotHold) {
  const std::string path = npz_path("refused");
  const T one = tensor<float>({1}, {1}), half = to(one, kCpu, BP_BF16);
  EXPECT_EQ(
      attempt(bp_npz_save, dict({{"h", half.get()}}).get(), path.c_str()).message,
      "npz '" + path + "': 'h': NumPy has no bfloat16: save it as float32, or as safetensors");
  const D texts = dict({{"a", one.get()}});
  ASSERT_EQ(bp_dict_set_meta(texts.get(), "epoch", "3", nullptr), BP_OK);
  EXPECT_EQ(attempt(bp_npz_save, texts.get(), path.c_str()).message,
            "npz '" + path + "': the dict has text ('epoch', ...), which .npz files cannot hold");
  bp_dict* out = nullptr;
  EXPECT_EQ(attempt(bp_npz_load, "/no/such.npz", kCpu, &out).message,
            "cannot open '/no/such.npz': No such file or directory");
  const Answer r =
      attempt(bp_npz_parse, static_cast<const void*>("no zip file, but more than 22 bytes"),
              uint64_t{35}, kCpu, &out);
  EXPECT_EQ(r.message, "npz bytes: not a zip file: it has no end record");
}

TEST(Npz, WhoseArrayHasOtherThanItsShapesBytesIsRefused) {
  const std::string path = npz_path("shape");
  ASSERT_EQ(attempt(bp_npz_save, dict({{"a", counting({4}).get()}}).get(), path.c_str()).message,
            "");
  std::ifstream in(path, std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  file.replace(file.find("(4,)"), 4, "(5,)");
  bp_dict* out = nullptr;
  const Answer r = attempt(bp_npz_parse, static_cast<const void*>(file.data()),
                           uint64_t{file.size()}, kCpu, &out);
  EXPECT_EQ(r.message, "npz bytes: 'a.npy': an array of 20 bytes ([5] float32) has 16");
}

}  // namespace
}  // namespace bp_test
