// SPDX-License-Identifier: Apache-2.0
// State dicts of modules: what they hold, loading them by name on other devices, PyTorch's texts
// for what does not fit, and the way through a file.
#include <cstdio>

#include "kit/dicts.h"
#include "kit/modules.h"

namespace bp_test {
namespace {

D state(const M& m, const char* prefix = nullptr) {
  return made<D>(bp_module_state_dict, m.get(), prefix);
}
std::string names_of(const D& d) {
  std::string all;
  for (const std::string& name : names(d)) all += (all.empty() ? "" : " ") + name;
  return all;
}
Answer load(const M& m, const D& d, uint32_t flags = BP_LOAD_STRICT) {
  char text[1024] = "";
  Answer r = attempt(bp_module_load_state_dict, m.get(), d.get(), flags, static_cast<char*>(text),
                     uint64_t{sizeof text}, static_cast<uint64_t*>(nullptr));
  if (r.status == BP_OK) r.message = text;
  return r;
}
M net(bp_device device = kCpu) {
  return sequential(linear(3, 2, device),
                    module("batch_norm1d", {attr("num_features", int64_t{2})}, device));
}

TEST(StateDict, HoldsParametersAndBuffersByPath) {
  const M m = net();
  EXPECT_EQ(names_of(state(m)),
            "0.weight 0.bias 1.weight 1.bias 1.running_mean 1.running_var 1.num_batches_tracked");
  EXPECT_EQ(names_of(state(m, "net.")).substr(0, 12), "net.0.weight");
  const T w = made(bp_dict_get, state(m).get(), "0.weight");
  EXPECT_EQ(bp_tensor_same_storage(w.get(), named(m, "0.weight").get()), 1u);
  EXPECT_EQ(bp_tensor_requires_grad(w.get()), 0u);
}

TEST(StateDict, LeavesOutBuffersThatAreNotPersistent) {
  const M m = module("identity");
  const T t = counting<float>({2});
  ASSERT_EQ(bp_module_set_buffer(m.get(), "kept", t.get(), 1, nullptr), BP_OK);
  ASSERT_EQ(bp_module_set_buffer(m.get(), "temporary", t.get(), 0, nullptr), BP_OK);
  EXPECT_EQ(names_of(state(m)), "kept");
}

TEST(StateDict, IsCopiedToWhereTheModuleIs) {
  const bp_device there = has_kind("sim") ? device("sim:1") : kCpu;
  const M from = net(), into = net(there);
  const T weight = named(into, "0.weight");
  EXPECT_EQ(load(into, state(from)).message, "<All keys matched successfully>");
  EXPECT_EQ(named(into, "0.weight").get(), weight.get());
  EXPECT_EQ(bp_tensor_device(weight.get()), there);
  EXPECT_EQ(bp_tensor_requires_grad(weight.get()), 1u);
  EXPECT_EQ(values<float>(to(weight, kCpu)), values<float>(named(from, "0.weight")));
}

TEST(StateDict, IsTakenOverWhenAssigned) {
  const M from = net(), to = net();
  ASSERT_EQ(bp_module_to(from.get(), 0, BP_F64, 0, nullptr), BP_OK);
  const T weight = named(to, "0.weight");
  EXPECT_EQ(load(to, state(from), BP_LOAD_STRICT | BP_LOAD_ASSIGN).status, BP_OK);
  EXPECT_EQ(bp_tensor_dtype(weight.get()), BP_F64);
  EXPECT_EQ(bp_tensor_same_storage(weight.get(), named(from, "0.weight").get()), 1u);
  EXPECT_EQ(bp_tensor_requires_grad(weight.get()), 1u);
}

TEST(StateDict, SaysWhatDoesNotFit) {
  const M from = sequential(linear(3, 2), linear(1, 1)),
          to = sequential(linear(4, 2), module("relu"), linear(2, 1));
  EXPECT_EQ(
      load(to, state(from)).message,
      "Error(s) in loading state_dict for Sequential: \tMissing key(s) in state_dict: \"2.weight\", \"2.bias\".  "
      "\tUnexpected key(s) in state_dict: \"1.weight\", \"1.bias\".  \tsize mismatch for 0.weight: copying a param with shape "
      "torch.Size([2, 3]) from checkpoint, the shape in current model is torch.Size([2, 4]).");
  EXPECT_EQ(load(to, state(from), 0).message.substr(0, 71),
            "Error(s) in loading state_dict for Sequential: \tsize mismatch for 0.wei");
  const M fits = sequential(linear(3, 2), module("relu"), linear(2, 1));
  EXPECT_EQ(load(fits, state(from), 0).message,
            "missing: \"2.weight\", \"2.bias\"; unexpected: \"1.weight\", \"1.bias\"");
  EXPECT_EQ(values<float>(named(fits, "0.weight")), values<float>(named(from, "0.weight")));
}

TEST(StateDict, GivesLazyModulesTheirShape) {
  const M from = linear(3, 2), to = module("lazy_linear", {attr("out_features", int64_t{2})});
  const T weight = named(to, "weight");
  EXPECT_EQ(load(to, state(from)).status, BP_OK);
  EXPECT_EQ(values<float>(weight), values<float>(named(from, "weight")));
  const T x = counting<float>({2, 3});
  EXPECT_EQ(values<float>(run(to, x)), values<float>(run(from, x)));
  EXPECT_EQ(text(to), "Linear(in_features=3, out_features=2, bias=True)");
}

TEST(StateDict, GoesThroughAFile) {
  const std::string path = testing::TempDir() + "state_dict_test.safetensors";
  const M from = net(), to = net();
  ASSERT_EQ(bp_safetensors_save(state(from).get(), path.c_str(), nullptr), BP_OK);
  bp_dict* read = nullptr;
  ASSERT_EQ(bp_safetensors_load(path.c_str(), kCpu, &read, nullptr), BP_OK);
  EXPECT_EQ(load(to, D(read)).message, "<All keys matched successfully>");
  EXPECT_EQ(values<float>(named(to, "0.weight")), values<float>(named(from, "0.weight")));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace bp_test
