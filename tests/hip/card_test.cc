// SPDX-License-Identifier: Apache-2.0
// The hip backend over a stand-in for ROCm's runtime: what is asked of the runtime, and what a
// program sees. Of results the conformance suite judges the rest.
#include <dlfcn.h>

#include <cstdlib>

#include "hip/stand_in.h"
#include "sim/works.h"

struct DLManagedTensorVersioned {  // DLPack's, of version 1
  uint32_t major, minor;
  void* owner;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  void* data;
  int32_t type, id, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset_bytes;
};

namespace {

// What CTest sets names the stand-in, for the environment and, here, as an option.
std::string rocm_path() { return std::getenv("ROCM_PATH"); }

struct HipSession : Session {
  HipSession() : Session("hip.ROCM_PATH=" + rocm_path()) {}
};

void* opened_stand_in() {
  return dlopen((rocm_path() + "/lib/libamdhip64.so.7").c_str(), RTLD_NOW | RTLD_NOLOAD);
}

HipStandIn& stand_in() {
  void* library = opened_stand_in();
  auto* get = library ? reinterpret_cast<HipStandIn* (*)()>(dlsym(library, "stand_in")) : nullptr;
  static HipStandIn nothing;
  EXPECT_NE(get, nullptr) << "the backend did not open the stand-in";
  return get ? *get() : nothing;
}

TEST(Card, IsDescribedAsTheRuntimeDoes) {
  HipSession session;
  const bp_device_info info = info_of(device("hip:0"));
  EXPECT_STREQ(info.name, "Card gfx 0");
  EXPECT_STREQ(info.uuid, "GPU-18f68e602d1a5e1a") << "as ROCR_VISIBLE_DEVICES spells it";
  EXPECT_STREQ(info.pci, "0000:00:00.0");
  EXPECT_STREQ(info.driver, "HIP 6.3.42134");
  EXPECT_EQ(info.compute_major, 9);
  EXPECT_EQ(info.n_units, 104);
}

TEST(Card, RunsTheCodeOfItsOwnArchitecture) {
  HipSession session;
  EXPECT_EQ(synchronize("hip").status, BP_OK);
  stand_in().launches.clear();
  for (const char* where : {"hip:0", "hip:1"}) {
    const T t = ones(where, {4000});  // packs of four, a thread each
    EXPECT_EQ(values<float>(add(t, t)), std::vector<float>(4000, 2.0f));
  }
  const auto& launches = stand_in().launches;
  ASSERT_EQ(launches.size(), 4u);
  for (size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(launches[i].card, i < 2 ? 0 : 1);
    EXPECT_EQ(launches[i].machine, kMachineGfx90a);
    EXPECT_NE(launches[i].kernel, "");
    EXPECT_EQ(launches[i].threads, 256u);
    EXPECT_EQ(launches[i].blocks, 4u);
  }
}

TEST(Card, LoadsTheKernelsOfAFileOnce) {
  HipSession session;
  const T t = ones("hip:0");
  add(t, t);
  const int before = stand_in().loaded_modules;
  made(bp_sub, t.get(), t.get());  // another kernel of the same file
  EXPECT_EQ(stand_in().loaded_modules, before);
}

TEST(Card, WithoutKernelsSaysForWhichThereAre) {
  HipSession session;
  const Answer r = synchronize("hip:2");
  EXPECT_EQ(r.status, BP_UNSUPPORTED);
  EXPECT_TRUE(has(r.message, "the card is a gfx1, and this plugin has kernels for gfx90a"))
      << r.message;
  EXPECT_TRUE(has(r.message, "-DBP_HIP_ARCHITECTURES=gfx1")) << r.message;
}

TEST(Card, KeepsBytes) {
  HipSession session;
  const T there = counting<int32_t>({64}, device("hip:0"));
  EXPECT_EQ(values<int32_t>(there), values<int32_t>(counting<int32_t>({64})));
}

TEST(Card, GivesBackTheBlocksOfTensorsThatOutliveAShutdown) {
  T left;
  {
    HipSession session;
    left = counting<int32_t>({64}, device("hip:1"));
    EXPECT_GT(stand_in().blocks, 0);
  }
  EXPECT_EQ(stand_in().blocks, 0);
}

TEST(Card, HandsItsMemoryToOtherLibrariesAndTakesItFromThem) {
  HipSession session;
  const T here = counting<int32_t>({6}, device("hip:1"));
  DLManagedTensorVersioned* out = nullptr;
  ASSERT_EQ(attempt(bp_tensor_to_dlpack, here.get(), 0u, &out).status, BP_OK);
  EXPECT_EQ(out->type, 10);
  EXPECT_EQ(out->id, 1);
  int n_deleted = 0;
  DLManagedTensorVersioned theirs = *out;  // another library's array over the same memory
  theirs.owner = &n_deleted;
  theirs.deleter = [](DLManagedTensorVersioned* m) { ++*static_cast<int*>(m->owner); };
  stand_in().device_waits = 0;
  T taken = made(bp_tensor_from_dlpack, &theirs);
  EXPECT_EQ(bp_tensor_device(taken.get()), device("hip:1"));
  EXPECT_EQ(values<int32_t>(taken), values<int32_t>(here));
  EXPECT_EQ(stand_in().device_waits, 1) << "for what the other library queued";
  taken.reset();
  EXPECT_EQ(n_deleted, 1);
  bp_dlpack_release(out);
  EXPECT_EQ(stand_in().device_waits, 2);

  theirs.id = 0;
  EXPECT_TRUE(has(refusal(bp_tensor_from_dlpack, &theirs).message, "is no memory of hip:0"));
  int64_t on_the_host[6] = {};
  theirs.data = on_the_host;
  EXPECT_TRUE(has(refusal(bp_tensor_from_dlpack, &theirs).message, "is no memory of hip:0"));
  theirs.id = 3;
  const Answer r = refusal(bp_tensor_from_dlpack, &theirs);
  EXPECT_EQ(r.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(r.message, "the memory is on hip device 3, of which there are 3 here"))
      << r.message;
  EXPECT_EQ(n_deleted, 1);
}

TEST(Card, IsAskedOncePerOrderedPairWhetherItReachesAnother) {
  HipSession session;
  const auto copied = [](const std::string& from, const std::string& to) {
    const T t =
        made(bp_tensor_to, counting<int32_t>({64}, device(from)).get(), device(to), BP_I32, 1u, 0u);
    EXPECT_EQ(values<int32_t>(t), values<int32_t>(counting<int32_t>({64}))) << from << " to " << to;
  };
  EXPECT_EQ(synchronize("hip").status, BP_OK);
  HipStandIn& hip = stand_in();
  hip.asked_peers = hip.enabled_peers = 0;
  for (int again = 0; again < 2; ++again) {
    copied("hip:0", "hip:1");
    copied("hip:1", "hip:0");  // not reached: through host memory
    EXPECT_EQ(hip.asked_peers, 2);
    EXPECT_EQ(hip.enabled_peers, 1);
  }
}

TEST(Runtime, IsNotLookedForWhereAForbiddenEnvironmentSays) {
  Session session("", BP_INIT_NO_ENV);
  int32_t count = 0;
  attempt(bp_device_count, bp_device_kind(device("hip")), &count);
  EXPECT_EQ(opened_stand_in(), nullptr);
}

TEST(Card, ThatFailedForGoodIsLost) {
  HipSession session;
  const T t = ones("hip:0");
  stand_in().next_error = 700;
  bp_tensor* out = nullptr;
  const Answer r = attempt(bp_add, t.get(), t.get(), &out);
  EXPECT_EQ(r.status, BP_DEVICE_LOST);
  EXPECT_TRUE(
      has(r.message, "hip: launching a kernel: an illegal memory access (hipErrorIllegalAddress)"))
      << r.message;
}

}  // namespace
