// SPDX-License-Identifier: Apache-2.0
// Named tensors, through the C API.
#include <string>
#include <thread>
#include <vector>

#include "kit/dicts.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

struct Dict : testing::Test {
  bp_dict* d = nullptr;
  void SetUp() override { ASSERT_EQ(bp_dict_create(&d, nullptr), BP_OK); }
  void TearDown() override { bp_dict_release(d); }

  void set(const char* name, const T& t) {
    ASSERT_EQ(attempt(bp_dict_set, d, name, t.get()).message, "");
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (uint64_t i = 0; i < bp_dict_size(d); ++i) {
      const char* name = nullptr;
      bp_tensor* t = nullptr;
      EXPECT_EQ(bp_dict_at(d, i, &name, &t, nullptr), BP_OK);
      all.push_back(name);
      bp_tensor_release(t);
    }
    return all;
  }
};
using Names = std::vector<std::string>;

TEST_F(Dict, KeepsTheOrderInWhichNamesCame) {
  const T a = counting({2}), b = counting({3});
  for (const char* name : {"z", "a", "m"}) set(name, a);
  set("a", b);
  EXPECT_EQ(names(), (Names{"z", "a", "m"}));
  EXPECT_EQ(made(bp_dict_get, d, "a"), b);
}

TEST_F(Dict, SharesItsTensors) {
  T a = counting({2});
  set("a", a);
  const T same = made(bp_dict_get, d, "a");
  EXPECT_EQ(same, a);
  a.reset();
  EXPECT_EQ(values<float>(same), (std::vector<float>{0, 1}));
}

TEST_F(Dict, ForgetsWhatIsRemoved) {
  const T a = counting({2});
  for (const char* name : {"x", "y", "z"}) set(name, a);
  EXPECT_EQ(attempt(bp_dict_remove, d, "x").message, "");
  EXPECT_EQ(names(), (Names{"y", "z"}));
  EXPECT_EQ(made(bp_dict_get, d, "z"), a);  // what stood behind it is found in its new place
  set("x", a);
  EXPECT_EQ(names(), (Names{"y", "z", "x"}));
  EXPECT_EQ(attempt(bp_dict_remove, d, "q").status, BP_NOT_FOUND);
}

TEST_F(Dict, NamesTheNearestOfWhatIsNotThere) {
  EXPECT_EQ(refusal(bp_dict_get, d, "bias").message,
            "the dict has no tensor 'bias'; it has none at all");
  const T a = counting({2});
  set("0.weight", a);
  set("0.bias", a);
  const Answer r = refusal(bp_dict_get, d, "0.wieght");
  EXPECT_EQ(r.status, BP_NOT_FOUND);
  EXPECT_EQ(r.message, "the dict has no tensor '0.wieght'; the nearest is '0.weight'");
}

TEST_F(Dict, KnowsItsEnd) {
  set("a", counting({2}));
  const char* name = "untouched";
  const Answer r = refusal(bp_dict_at, d, uint64_t{1}, &name);
  EXPECT_EQ(r.status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(r.message, "index 1 is out of range for a dict of 1 tensors");
  EXPECT_STREQ(name, "untouched");
}

TEST_F(Dict, TakesNamesInUnicodeAndNothingElse) {
  const T a = counting({2});
  set("Gewicht.\xc3\xa4", a);
  set("\xe5\xb1\x82.0 \xf0\x9f\x98\x80", a);
  set("", a);
  EXPECT_EQ(made(bp_dict_get, d, "\xe5\xb1\x82.0 \xf0\x9f\x98\x80"), a);
  for (const char* bad : {"\xff", "a\x80", "\xc0\xaf", "\xed\xa0\x80", "\xe5\xb1",
                          "\xf4\x90\x80\x80", "\xf0\x80\x80\xaf"})
    EXPECT_EQ(attempt(bp_dict_set, d, bad, a.get()).message, "the name is not UTF-8") << bad;
  EXPECT_EQ(bp_dict_size(d), 3u);
}

TEST_F(Dict, CarriesTextBesideTensors) {
  EXPECT_EQ(attempt(bp_dict_set_meta, d, "format", "pt").message, "");
  EXPECT_EQ(attempt(bp_dict_set_meta, d, "epoch", "7").message, "");
  EXPECT_EQ(attempt(bp_dict_set_meta, d, "format", "bp").message, "");
  const char *key = nullptr, *text = nullptr;
  ASSERT_EQ(bp_dict_get_meta(d, "format", &text, nullptr), BP_OK);
  EXPECT_STREQ(text, "bp");
  ASSERT_EQ(bp_dict_meta_at(d, 1, &key, &text, nullptr), BP_OK);
  EXPECT_STREQ(key, "epoch");
  EXPECT_STREQ(text, "7");
  EXPECT_EQ(bp_dict_size(d), 0u);
  EXPECT_EQ(attempt(bp_dict_set_meta, d, "format", static_cast<const char*>(nullptr)).message, "");
  EXPECT_EQ(bp_dict_meta_size(d), 1u);
  EXPECT_EQ(attempt(bp_dict_get_meta, d, "epoc", &text).message,
            "the dict has no text 'epoc'; the nearest is 'epoch'");
}

TEST_F(Dict, MayBeUsedByManyThreads) {
  const T a = counting({2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 200; ++k) {
        const std::string name = std::to_string(i) + "." + std::to_string(k);
        bp_dict_set(d, name.c_str(), a.get(), nullptr);
        bp_tensor_release(made(bp_dict_get, d, name.c_str()).release());
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(bp_dict_size(d), 800u);
}

TEST_F(Dict, OfAnEarlierGenerationSaysSo) {
  tensor<float>({1}, {1});  // the runtime has started
  bp_shutdown(-1, nullptr);
  EXPECT_EQ(refusal(bp_dict_get, d, "a").message, "dict was made before bp_shutdown");
}

}  // namespace
}  // namespace bp_test
