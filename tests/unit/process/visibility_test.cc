// SPDX-License-Identifier: Apache-2.0
// CUDA's rules for <KIND>_VISIBLE_DEVICES as one table (the rows of PyTorch's
// test_cuda_nvml_based_avail.py are among them), ROCm's chain, and the grammar of
// BACKPLANE_VISIBLE_DEVICES.
#include "core/process/visibility.h"

#include <map>

#include "unit/thrown.h"

namespace bp {
namespace {

using Ids = std::vector<int32_t>;
using Ordinals = std::vector<int64_t>;
using Names = std::vector<std::string>;
using Env = std::map<std::string, std::string>;

const Names kUuids = {
    "GPU-9942190a-aa31-4ff1-4aa9-c388d80f85f1", "GPU-9e8d35e3-a134-0fdd-0e01-23811fdbd293",
    "GPU-e429a63e-c61c-4795-b757-5132caeb8e70", "GPU-eee1dfbc-0a0f-6ad8-5ff6-dc942a8b9d98",
    "GPU-bbcd6503-5150-4e92-c266-97cc4390d04e", "GPU-472ea263-58d7-410d-cc82-f7fdece5bd28",
    "GPU-e56257c4-947f-6a5b-7ec9-0f45567ccf4e", "GPU-1c20e77d-1c1a-d9ed-fe37-18b8466a78ad"};

Names uuids(size_t n) { return Names(kUuids.begin(), kUuids.begin() + static_cast<ptrdiff_t>(n)); }

TEST(ParseMask, TakesEntriesAsCudaDoes) {
  const struct {
    const char* value;
    Ordinals ordinals;
    Names names;
  } rows[] = {
      {"1gpu2,2ampere", {1, 2}, {}},
      {"0, 1, 2, -1, 3", {0, 1, 2}, {}},
      {"0,2,-1,1", {0, 2}, {}},
      {"0, 1, 2, 1", {}, {}},  // a duplicate
      {"2, +3, -0, 5", {2, 3, 0, 5}, {}},
      {"one,two,3,4", {}, {}},
      {"4,3,two,one", {4, 3}, {}},
      {"GPU-9e8d35e3", {}, {"GPU-9e8d35e3"}},
      {"GPU-123, 2", {}, {"GPU-123"}},
      {"MIG-89c850dc", {}, {"MIG-89c850dc"}},
      {"MIG-GPU-8932f937/1/0", {}, {"MIG-GPU-8932f937/1/0"}},
      {"", {}, {}},
      {"  ", {}, {}},
      {",", {}, {}},
      {"0,", {0}, {}},
      {"0,,1", {0}, {}},
      {"2,1", {2, 1}, {}},
      {"1gpu2", {1}, {}},
      {"0x10", {0}, {}},
      {"3 4", {3}, {}},
      {"007", {7}, {}},
      {"-0", {0}, {}},
      {"+", {}, {}},  // an exception in PyTorch's parser
      {"-", {}, {}},
      {"-1", {}, {}},
      {"+-1", {}, {}},
      {" 1 ,\t2\n", {1, 2}, {}},
      {"1,GPU-9e8d35e3", {1}, {}},
      {"GPU-1,MIG-2", {}, {"GPU-1"}},
      {"GPU-1,GPU-1", {}, {}},
      {"GPU-1, GPU-2 ", {}, {"GPU-1", "GPU-2"}},
      {"GPU-1,gpu-2", {}, {"GPU-1"}},
      {"ACME-a0", {}, {"ACME-a0"}},
      {"7,99999999999999999999,0", {7, INT64_MAX, 0}, {}},
      {"7,99999999999999999999,88888888888888888888", {7, INT64_MAX, INT64_MAX}, {}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.value);
    const MaskList list = parse_mask(row.value);
    EXPECT_EQ(list.ordinals, row.ordinals);
    EXPECT_EQ(list.names, row.names);
  }
}

TEST(ApplyMask, ShowsWhatTheMaskNamesInItsOrder) {
  const struct {
    const char* value;
    size_t n;
    Ids shown;
  } rows[] = {
      {"GPU-9e8d35e3", 8, {1}},
      {"GPU-e4,GPU-9e8d35e3", 8, {2, 1}},
      {"GPU-9e8d35e3,GPU-1,GPU-47", 8, {1, 7, 5}},
      {"GPU-123,GPU-9e8d35e3", 8, {}},          // unknown first
      {"GPU-9e8d35e3,GPU-123,GPU-47", 8, {1}},  // unknown in the middle
      {"GPU-9e8d35e3,GPU-e,GPU-47", 8, {1}},    // ambiguous in the middle
      {"GPU-9e8d35e3,GPU-47,GPU-9e8", 8, {}},   // the same device twice
      {"GPU-", 1, {0}},
      {"GPU-", 2, {}},
      {"1, 0", 2, {1, 0}},
      {"1, 5, 0", 2, {1}},
      {"0, 1, 2, -1, 3", 8, {0, 1, 2}},
      {"0, 1, 2, 1", 8, {}},
      {"5,5", 2, {}},
      {"32", 8, {}},
      {"", 8, {}},
      {"0", 0, {}},
      {"7,99999999999999999999,0", 8, {7}},
      {"gpu-9e8d35e3", 8, {}},  // case counts
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.value);
    std::string why_not;
    EXPECT_EQ(apply_mask(row.value, uuids(row.n), &why_not), row.shown);
    EXPECT_NE(why_not, "");
  }
}

TEST(ApplyMask, MatchesMigNamesOfBothForms) {
  const Names mig = {"MIG-89c850dc-1111", "MIG-GPU-8932f937-d72c/1/0"};
  std::string why_not;
  EXPECT_EQ(apply_mask("MIG-89c850dc", mig, &why_not), Ids{0});
  EXPECT_EQ(apply_mask("MIG-GPU-8932f937-d72c/1/0", mig, &why_not), Ids{1});
  EXPECT_EQ(apply_mask("MIG-", mig, &why_not), Ids{});
}

// ---- all filters of a kind ----

struct Asked {
  bp_kind kind = BP_KIND_CUDA;
  std::string name = "cuda";
  size_t n = 4;
  Env env{};
  std::optional<std::string> spec{};
  std::string driver{};
};

Visibility resolve(const Asked& a) {
  const Names ids = uuids(a.n);
  VisibleQuery q;
  q.kind = a.kind;
  q.name = a.name;
  q.uuids = ids;
  q.driver_masks = a.driver;
  q.spec = a.spec;
  q.env = [&](const std::string& variable) -> std::optional<std::string> {
    const auto found = a.env.find(variable);
    return found == a.env.end() ? std::nullopt : std::optional(found->second);
  };
  return resolve_visibility(q);
}

Ids shown(const Asked& a) { return resolve(a).physical; }

std::string error_of(const Asked& a) {
  return bp_test::thrown([&] { resolve(a); });
}

Asked hip(Env env, std::string driver = "") {
  return {BP_KIND_HIP, "hip", 4, std::move(env), {}, std::move(driver)};
}

TEST(Visible, ShowsAllWhenNothingIsSet) {
  EXPECT_EQ(shown({}), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(shown({.n = 0}), Ids{});
}

TEST(Visible, ReadsTheVariableOfTheKind) {
  EXPECT_EQ(shown({.env = {{"CUDA_VISIBLE_DEVICES", "2,1"}}}), (Ids{2, 1}));
  EXPECT_EQ(shown({.env = {{"HIP_VISIBLE_DEVICES", "2,1"}}}), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(
      shown({.kind = BP_KIND_DYNAMIC, .name = "acme", .env = {{"ACME_VISIBLE_DEVICES", "3"}}}),
      Ids{3});
  // An alias is masked as the kind under whose name it is offered.
  EXPECT_EQ(shown({.env = {{"SIM_VISIBLE_DEVICES", "3"}, {"CUDA_VISIBLE_DEVICES", "1"}}}), Ids{1});
}

TEST(Visible, LeavesAMaskToTheDriverThatAppliesIt) {
  EXPECT_EQ(shown({.env = {{"CUDA_VISIBLE_DEVICES", "2"}}, .driver = "CUDA_VISIBLE_DEVICES"}),
            (Ids{0, 1, 2, 3}));
  EXPECT_EQ(shown({.env = {{"CUDA_VISIBLE_DEVICES", "2"}}, .driver = "OTHER_VISIBLE_DEVICES"}),
            Ids{2});
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "3,2"}, {"HIP_VISIBLE_DEVICES", "0"}},
                      "HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES")),
            (Ids{0, 1, 2, 3}));
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "3,2"}, {"HIP_VISIBLE_DEVICES", "0"}},
                      "ROCR_VISIBLE_DEVICES")),
            Ids{0});
}

TEST(Visible, AnEmptyMaskHidesAllEvenIfADriverTakesItForUnset) {  // HIP's runtime does
  const std::string by_driver = "ROCR_VISIBLE_DEVICES,HIP_VISIBLE_DEVICES,CUDA_VISIBLE_DEVICES";
  EXPECT_EQ(shown(hip({{"HIP_VISIBLE_DEVICES", ""}}, by_driver)), Ids{});
  EXPECT_EQ(shown(hip({{"HIP_VISIBLE_DEVICES", " "}, {"CUDA_VISIBLE_DEVICES", "1"}}, by_driver)),
            Ids{});
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", ""}}, by_driver)), Ids{});
  EXPECT_EQ(shown(hip({{"HIP_VISIBLE_DEVICES", "1"}}, by_driver)), (Ids{0, 1, 2, 3}));
}

TEST(Visible, ChainsRocmsVariables) {
  EXPECT_EQ(shown(hip({{"HIP_VISIBLE_DEVICES", "2,0"}})), (Ids{2, 0}));
  EXPECT_EQ(shown(hip({{"CUDA_VISIBLE_DEVICES", "1"}})), Ids{1});
  EXPECT_EQ(shown(hip({{"CUDA_VISIBLE_DEVICES", "1"}, {"HIP_VISIBLE_DEVICES", "2"}})), Ids{2});
  EXPECT_EQ(shown(hip({{"CUDA_VISIBLE_DEVICES", "1"}, {"HIP_VISIBLE_DEVICES", ""}})), Ids{});
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "3,1"}})), (Ids{3, 1}));
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "GPU-e4,GPU-9e8d35e3"}})), (Ids{2, 1}));
  // HIP's indexes what ROCR's left.
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "3,1"}, {"HIP_VISIBLE_DEVICES", "1"}})), Ids{1});
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "3,1"}, {"HIP_VISIBLE_DEVICES", "1,0"}})),
            (Ids{1, 3}));
  // The well-known trap: nothing is left of ROCR=1 for HIP=1.
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "1"}, {"HIP_VISIBLE_DEVICES", "1"}})), Ids{});
  EXPECT_EQ(
      error_of(hip({{"ROCR_VISIBLE_DEVICES", "1"}, {"HIP_VISIBLE_DEVICES", "0,1"}})),
      "HIP_VISIBLE_DEVICES contains more devices than ROCR_VISIBLE_DEVICES (2 in '0,1', 1 in '1')");
  // CUDA's may be meant for another kind's cards; only HIP's own is held against ROCR's.
  EXPECT_EQ(shown(hip({{"ROCR_VISIBLE_DEVICES", "2"}, {"CUDA_VISIBLE_DEVICES", "0,1"}})), Ids{2});
  EXPECT_EQ(mask_chain(BP_KIND_HIP, "hip"),
            (std::vector<Names>{{"ROCR_VISIBLE_DEVICES"},
                                {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}}));
}

TEST(Visible, SpecIndexesWhatTheKindsMaskLeft) {
  const Env mask = {{"CUDA_VISIBLE_DEVICES", "3,1,2"}};
  const struct {
    Env env;
    const char* spec;
    Ids shown;
  } rows[] = {
      {{}, "cuda:0,2;sim:*", {0, 2}},
      {{}, "sim:*;cuda:0,2", {0, 2}},
      {{}, " cuda : 2 , 0 ; sim : * ", {2, 0}},
      {{}, "cuda:*", {0, 1, 2, 3}},
      {{}, "cuda:GPU-e42", {2}},
      {{}, "cuda:GPU-e42,0", {2, 0}},
      {{}, "sim:0", {}},
      {{}, "cpu:0", {}},
      {{}, "", {}},
      {{}, "  ", {}},
      {mask, "cuda:0,2", {3, 2}},
      {mask, "cuda:*", {3, 1, 2}},
      {mask, "cuda:GPU-9e8d35e3", {1}},
      {mask, "sim:*", {}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.spec);
    EXPECT_EQ(shown({.env = row.env, .spec = row.spec}), row.shown);
  }
}

TEST(Visible, AlwaysShowsTheCpu) {
  for (const char* spec : {"cuda:0", "", "cpu:0", "cpu:*"})
    EXPECT_EQ(shown({BP_KIND_CPU, "cpu", 1, {{"CPU_VISIBLE_DEVICES", ""}}, spec, ""}), Ids{0})
        << spec;
}

TEST(Visible, RefusesAMalformedSpecAndListsTheValidIdsOfTheKindAtFault) {
  const char* const none = "";  // the fault is another kind's, or of no kind
  const struct {
    const char *spec, *says, *ids = "; valid ids: cuda:0, cuda:1, cuda:2, cuda:3";
  } rows[] = {
      {"cuda", "'cuda' is not <kind>:<ids>, such as acme:0,2 or acme:*"},
      {"0,1", "'0,1' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
      {"*", "'*' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
      {"cuda:0;", "'' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
      {";cuda:0", "'' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
      {":0", "':0' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
      {"cuda:", "'' in 'cuda:' is neither an index nor a UUID"},
      {"cuda:0,", "'' in 'cuda:0,' is neither an index nor a UUID"},
      {"cuda:-1", "'-1' in 'cuda:-1' is neither an index nor a UUID"},
      {"cuda:1gpu2", "'1gpu2' in 'cuda:1gpu2' is neither an index nor a UUID"},
      {"cuda:*,0", "'*' in 'cuda:*,0' is neither an index nor a UUID"},
      {"cuda:0:1", "'0:1' in 'cuda:0:1' is neither an index nor a UUID"},
      {"cuda:99999999999", "'99999999999' in 'cuda:99999999999' is neither an index nor a UUID"},
      {"cu da:0", "'cu da' names no kind", none},
      {"cuda:0;cuda:1", "cuda is listed twice"},
      {"cuda:0,0", "'0' of cuda is listed twice"},
      {"cuda:0,GPU-9942190a", "'GPU-9942190a' of cuda is listed twice"},
      {"cuda:0,7", "'7' is no device of cuda"},
      {"cuda:GPU-none", "'GPU-none' is no device of cuda"},
      {"cuda:GPU-e", "several UUIDs of cuda start with 'GPU-e'"},
      {"cuda:0;sim:x", "'x' in 'sim:x' is neither an index nor a UUID", none},
      {"cuda:0;sim", "'sim' is not <kind>:<ids>, such as acme:0,2 or acme:*", none},
  };
  for (const auto& row : rows)
    EXPECT_EQ(error_of({.spec = row.spec}),
              std::string("BACKPLANE_VISIBLE_DEVICES='") + row.spec + "': " + row.says + row.ids);
  // Also for a kind that is not at fault, the cpu included: it fails closed.
  EXPECT_NE(error_of({.kind = BP_KIND_CPU, .name = "cpu", .n = 1, .spec = "cuda"}), "no error");
  EXPECT_EQ(error_of({.n = 0, .spec = "cuda:0"}),
            "BACKPLANE_VISIBLE_DEVICES='cuda:0': '0' is no device of cuda; valid ids: none");
}

TEST(Visible, SaysForEachPhysicalDeviceWhyItWasDropped) {
  const auto reasons = [](const Asked& a) {
    std::vector<std::string> texts;
    for (const auto& fate : resolve(a).fates) {
      texts.push_back(fate.logical < 0 ? fate.reason : std::to_string(fate.logical));
      EXPECT_EQ(fate.reason.empty(), fate.logical >= 0);
      EXPECT_LT(fate.reason.size(), 192u);
    }
    return texts;
  };
  const std::string not_listed = "CUDA_VISIBLE_DEVICES='2,0' does not list it";
  EXPECT_EQ(reasons({.env = {{"CUDA_VISIBLE_DEVICES", "2,0"}}}),
            (Names{"1", not_listed, "0", not_listed}));
  EXPECT_EQ(reasons({.n = 2, .env = {{"CUDA_VISIBLE_DEVICES", "1,7,0"}}}),
            (Names{"CUDA_VISIBLE_DEVICES='1,7,0' ends at '7', which is not below 2", "0"}));
  EXPECT_EQ(reasons({.n = 2, .env = {{"CUDA_VISIBLE_DEVICES", "1,x,0"}}}),
            (Names{"CUDA_VISIBLE_DEVICES='1,x,0' ends at 'x', which is no valid entry", "0"}));
  EXPECT_EQ(reasons({.n = 1, .env = {{"CUDA_VISIBLE_DEVICES", ""}}}),
            (Names{"CUDA_VISIBLE_DEVICES='' is empty, which hides all"}));
  EXPECT_EQ(reasons({.n = 1, .env = {{"CUDA_VISIBLE_DEVICES", "0,0"}}}),
            (Names{"CUDA_VISIBLE_DEVICES='0,0' names a device twice ('0'), which hides all"}));
  EXPECT_EQ(reasons({.n = 1, .env = {{"CUDA_VISIBLE_DEVICES", "GPU-1"}}}),
            (Names{"CUDA_VISIBLE_DEVICES='GPU-1' ends at 'GPU-1', which no UUID starts with"}));
  EXPECT_EQ(reasons({.n = 2, .env = {{"CUDA_VISIBLE_DEVICES", "1,0"}}, .spec = "cuda:0"}),
            (Names{"BACKPLANE_VISIBLE_DEVICES='cuda:0' does not list it", "0"}));
  EXPECT_EQ(reasons({.n = 1, .spec = "sim:*"}),
            (Names{"BACKPLANE_VISIBLE_DEVICES='sim:*' does not list cuda"}));
  reasons({.n = 8, .env = {{"CUDA_VISIBLE_DEVICES", std::string(5000, 'x')}}});
  reasons({.n = 8, .env = {{"CUDA_VISIBLE_DEVICES", "GPU-" + std::string(5000, 'e') + "\n"}}});
}

TEST(VisibleSpec, IsCheckedBeforeAnyDeviceIsKnown) {
  const Names known = {"cpu", "cuda", "sim"};
  const auto check = [&](const char* spec) {
    return bp_test::thrown([&] {
      check_visible_spec(spec, "bp_set_visible_devices", known, [](std::string_view kind) {
        return kind == "cuda" ? std::string("cuda:0") : std::string();
      });
    });
  };
  EXPECT_EQ(check("cuda:0,99;sim:*"), "no error");
  EXPECT_EQ(check(""), "no error");
  EXPECT_EQ(check("cdua:0"),
            "bp_set_visible_devices='cdua:0': there is no kind 'cdua'; kinds: cpu, cuda, sim");
  EXPECT_EQ(check("cuda:x"),
            "bp_set_visible_devices='cuda:x': 'x' in 'cuda:x' is neither an index nor a UUID; "
            "valid ids: cuda:0");
  EXPECT_EQ(visible_spec_kinds("cuda:0,2;sim:*"), (Names{"cuda", "sim"}));
  EXPECT_EQ(visible_spec_kinds(""), Names{});
}

}  // namespace
}  // namespace bp
