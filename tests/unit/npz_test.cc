// .npz: the head of an array as pure text; zip files as bytes; both together through the C API.
// What NumPy makes of our files, and we of its, is tested in tests/python.
#include <cstring>
#include <fstream>
#include <iterator>

#include "c_api.h"
#include "core/base/error.h"
#include "core/io/npy.h"
#include "core/io/zip.h"
#include "tests/unit/tensors.h"

namespace bp {
namespace {

template <class F>
std::string refused(F&& call, bp_status status = BP_INVALID_ARGUMENT) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), status) << e.message();
    return e.message();
  }
  return "no error";
}

TEST(NpyHead, IsWrittenAsNumpyWritesIt) {
  const auto text = [](bp_dtype dtype, std::initializer_list<int64_t> shape) {
    return print_npy_head({dtype, false, Dims(shape)});
  };
  const std::string f4 = text(BP_F32, {3, 4});
  EXPECT_EQ(f4.size(), 128u);
  EXPECT_EQ(f4.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(f4.substr(10), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" +
                               std::string(58, ' ') + "\n");
  EXPECT_EQ(text(BP_BOOL, {}).substr(10, 58),
            "{'descr': '|b1', 'fortran_order': False, 'shape': (), }   ");
  EXPECT_EQ(text(BP_C128, {5}).substr(10, 60),
            "{'descr': '<c16', 'fortran_order': False, 'shape': (5,), }  ");
  Dims most;
  for (int i = 0; i < 64; ++i) most.push_back(1);
  EXPECT_EQ(print_npy_head({BP_U8, false, most}).size() % 64, 0u);
  EXPECT_EQ(refused([&] { text(BP_BF16, {1}); }, BP_UNSUPPORTED),
            "NumPy has no bfloat16: save it as float32, or as safetensors");
}

TEST(NpyHead, IsReadHoweverItIsSpaced) {
  for (const char* text :
       {"{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3), }   \n",
        "{'shape':(2,3),'fortran_order':True,'descr':'<i8'}",
        "{\"descr\": \"<i8\", \"fortran_order\": True, \"shape\": (2L, 3L,)}\n",
        "\n { 'descr' : '<i8' , 'fortran_order' : True , 'shape' : ( 2 , 3 ) } "}) {
    const NpyHead head = parse_npy_head(text);
    EXPECT_EQ(head.dtype, BP_I64) << text;
    EXPECT_TRUE(head.fortran_order) << text;
    EXPECT_EQ(head.shape, (Dims{2, 3})) << text;
  }
  EXPECT_EQ(parse_npy_head("{'descr': '<u1', 'fortran_order': False, 'shape': ()}").dtype, BP_U8);
}

TEST(NpyHead, ThatIsWrongIsRefused) {
  const auto head = [](const char* descr, const char* order, const char* shape) {
    return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", descr, order, shape);
  };
  const struct {
    std::string text;
    bp_status status;
    const char* message;
  } rows[] = {
      {head("'>f4'", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of dtype '>f4' is big-endian, which is not supported"},
      {head("'|O'", "False", "(1,)"), BP_UNSUPPORTED, "an array of dtype '|O' is not supported"},
      {head("'<f16'", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of dtype '<f16' is not supported"},
      {head("[('a', '<f4')]", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of records is not supported"},
      {"{'descr': '<f4', 'shape': (1,), }", BP_INVALID_ARGUMENT,
       "the head of an array has no fortran_order"},
      {"{'descr': '<f4', 'descr': '<f4'}", BP_INVALID_ARGUMENT,
       "the head of an array has 'descr' twice, or where it is not known"},
      {"{'x': 1}", BP_INVALID_ARGUMENT,
       "the head of an array has 'x' twice, or where it is not known"},
      {"", BP_INVALID_ARGUMENT, "the head of an array is damaged at byte 0: ''"},
      {"{'descr", BP_INVALID_ARGUMENT, "the head of an array is damaged at byte 2: '{'descr'"},
      {"{'descr': '<f4'", BP_INVALID_ARGUMENT,
       "the head of an array is damaged at byte 15: '{'descr': '<f4''"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(refused([&] { parse_npy_head(row.text); }, row.status), row.message);
  for (const char* shape :
       {"(-1,)", "(1.5,)", "(9223372036854775808,)", "(1, 2", "((1,),)", "7", "(,)", "(1,,)"})
    EXPECT_NE(refused([&] { parse_npy_head(head("'<f4'", "False", shape)); }), "no error") << shape;
  EXPECT_NE(refused([&] { parse_npy_head(head("'<f4'", "false", "()")); }), "no error");
  EXPECT_NE(refused([&] { parse_npy_head(head("'<f4'", "False", "()") + "x"); }), "no error");
  EXPECT_EQ(refused([&] { parse_npy_prefix("\x89PNG\r\n\x1a\n"); }), "not an array of NumPy's");
  EXPECT_EQ(
      refused([&] { parse_npy_prefix(std::string_view("\x93NUMPY\4\0", 8)); }, BP_UNSUPPORTED),
      "an array in version 4.0 of NumPy's format is not supported");
  EXPECT_EQ(parse_npy_prefix(std::string_view("\x93NUMPY\3\0", 8)).length_bytes, 4u);
}

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
  EXPECT_EQ(refused(list("PK")), "2 bytes, which is too short for a zip file");
  EXPECT_EQ(refused(list(std::string(100, 'x'))), "not a zip file: it has no end record");
  EXPECT_EQ(refused(list(file.substr(0, file.size() - 1))), "not a zip file: it has no end record");
  EXPECT_EQ(refused(list(with(file, end + 10, uint16_t{3}))),
            "its directory has 2 entries, its end record says 3");
  EXPECT_EQ(refused(list(with(file, end + 16, uint32_t{1000}))),
            "its directory of 94 bytes at 1000 reaches into its end record");
  EXPECT_EQ(refused(list(with(file, directory, 'Q'))),
            fmt::format("its directory is damaged at byte {}", directory));
  EXPECT_EQ(refused(list(with(file, directory + 8, uint16_t{1})), BP_UNSUPPORTED),
            "'a' is encrypted");
  EXPECT_EQ(refused(list(with(file, directory + 10, uint16_t{12})), BP_UNSUPPORTED),
            "'a' is packed by method 12; stored (0) and deflated (8) are supported");
  EXPECT_EQ(refused(list(with(file, directory + 24, uint32_t{6}))),
            "'a' cannot have 6 bytes packed into 5");
  const std::string long_one =
      with(with(file, directory + 24, uint32_t{5000}), directory + 20, uint32_t{5000});
  EXPECT_EQ(refused(list(long_one)),
            fmt::format("'a' has 5000 bytes at 31, but the file has {}", file.size()));
  const std::string longer =
      with(with(file, directory + 24, uint32_t{9}), directory + 20, uint32_t{9});
  EXPECT_EQ(refused(list(longer)), "'a' and 'b' overlap");
  EXPECT_EQ(refused(list(with(file, second + 30, 'c'))),
            fmt::format("the entry at byte {} is not 'b'", second));
  EXPECT_EQ(refused(list(with(file, directory + 42, uint32_t{1}))), "'a' has no entry at byte 1");
  EXPECT_EQ(refused(list(with(file, directory + 46, '\xff'))), "an entry's name is not UTF-8: '?'");
  const std::string damaged = with(file, 31, 'F');
  EXPECT_EQ(refused([&] { unpacked(damaged, list_zip(damaged)[0]); }).substr(0, 29),
            "'a' is damaged: its checksum ");
}

TEST(Zip, UnpacksWhatIsDeflatedAndSeesWhereItEnds) {
  // "aaaa...": 100 of them, packed by zlib into 6 bytes.
  const std::string packed("\x4b\x4c\xa4\x3d\x00\x00", 6), text(100, 'a');
  Inflater good(packed);
  std::string out(100, '\0');
  good.read(out.data(), 60);
  good.read(out.data() + 60, 40);
  EXPECT_EQ(out, text);
  EXPECT_TRUE(good.at_end());
  EXPECT_EQ(refused([&] { Inflater(packed).read(std::string(101, '\0').data(), 101); }),
            "the packed bytes end too early");
  EXPECT_EQ(refused([&] {
              Inflater({packed.data(), 2}).read(out.data(), 100);
            }),
            "the packed bytes end too early");
  EXPECT_EQ(refused([&] { Inflater("\xff\xff\xff").read(out.data(), 100); }),
            "the packed bytes are damaged: invalid block type");
  Inflater rest(packed);
  rest.read(out.data(), 99);
  EXPECT_FALSE(rest.at_end());
  const std::string tail = packed + "x";
  Inflater followed(tail);
  followed.read(out.data(), 100);
  EXPECT_FALSE(followed.at_end());
}

}  // namespace
}  // namespace bp

namespace bp_test {
namespace {

D new_dict(std::initializer_list<std::pair<const char*, bp_tensor*>> tensors = {}) {
  bp_dict* d = nullptr;
  EXPECT_EQ(bp_dict_create(&d, nullptr), BP_OK);
  for (const auto& [name, t] : tensors) EXPECT_EQ(bp_dict_set(d, name, t, nullptr), BP_OK);
  return D(d);
}
D load(const std::string& path, bp_device device = kCpu) {
  bp_dict* d = nullptr;
  bp_error* e = nullptr;
  EXPECT_EQ(bp_npz_load(path.c_str(), device, &d, &e), BP_OK) << bp_error_message(e, nullptr);
  bp_error_release(e);
  return D(d);
}
std::string path_of(const char* name) { return testing::TempDir() + "npz_test_" + name; }

TEST(Npz, GivesBackEveryDtypeNumpyHas) {
  const D d = new_dict();
  std::vector<bp_dtype> dtypes;
  for (bp_dtype dtype = 0; dtype < BP_DTYPE_COUNT; ++dtype)
    if (dtype != BP_BF16) dtypes.push_back(dtype);
  for (bp_dtype dtype : dtypes) {
    const T t = tensor<int64_t>({3}, {0, 1, 1});
    const T cast = made(bp_tensor_to, t.get(), kCpu, dtype, 0u, 0u);
    ASSERT_EQ(bp_dict_set(d.get(), std::to_string(dtype).c_str(), cast.get(), nullptr), BP_OK);
  }
  const std::string path = path_of("dtypes");
  ASSERT_EQ(attempt(bp_npz_save, d.get(), path.c_str()).message, "");
  const D back = load(path, null_device(0));
  for (bp_dtype dtype : dtypes) {
    const T t = made(bp_dict_get, back.get(), std::to_string(dtype).c_str());
    EXPECT_EQ(bp_tensor_device(t.get()), null_device(0));
    EXPECT_EQ(bp_tensor_dtype(t.get()), dtype);
    const T wide = made(bp_tensor_to, t.get(), kCpu, BP_C128, 0u, 0u);
    EXPECT_EQ(values<std::complex<double>>(wide), (std::vector<std::complex<double>>{0, 1, 1}));
  }
}

TEST(Npz, RefusesWhatItCannotHold) {
  const std::string path = path_of("refused");
  const T one = tensor<float>({1}, {1}),
          half = made(bp_tensor_to, one.get(), kCpu, BP_BF16, 0u, 0u);
  EXPECT_EQ(
      attempt(bp_npz_save, new_dict({{"h", half.get()}}).get(), path.c_str()).message,
      "npz '" + path + "': 'h': NumPy has no bfloat16: save it as float32, or as safetensors");
  const D texts = new_dict({{"a", one.get()}});
  ASSERT_EQ(bp_dict_set_meta(texts.get(), "epoch", "3", nullptr), BP_OK);
  EXPECT_EQ(attempt(bp_npz_save, texts.get(), path.c_str()).message,
            "npz '" + path + "': the dict has text ('epoch', ...), which .npz files cannot hold");
  bp_dict* out = nullptr;
  EXPECT_EQ(attempt(bp_npz_load, "/no/such.npz", kCpu, &out).message,
            "cannot open '/no/such.npz': No such file or directory");
  const Refusal r =
      attempt(bp_npz_parse, static_cast<const void*>("no zip file, but more than 22 bytes"),
              uint64_t{35}, kCpu, &out);
  EXPECT_EQ(r.message, "npz bytes: not a zip file: it has no end record");
}

TEST(Npz, WhoseArrayHasOtherThanItsShapesBytesIsRefused) {
  const std::string path = path_of("shape");
  ASSERT_EQ(
      attempt(bp_npz_save, new_dict({{"a", counting({4}).get()}}).get(), path.c_str()).message, "");
  std::ifstream in(path, std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  file.replace(file.find("(4,)"), 4, "(5,)");
  bp_dict* out = nullptr;
  const Refusal r = attempt(bp_npz_parse, static_cast<const void*>(file.data()),
                            uint64_t{file.size()}, kCpu, &out);
  EXPECT_EQ(r.message, "npz bytes: 'a.npy': an array of 20 bytes ([5] float32) has 16");
}

}  // namespace
}  // namespace bp_test
