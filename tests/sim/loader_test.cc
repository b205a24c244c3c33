// SPDX-License-Identifier: Apache-2.0
// Datasets, loaders and metrics on the CPU and on a simulated accelerator.
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "kit/child.h"
#include "sim/works.h"

namespace {

using Ints = std::vector<int64_t>;

// Example i: features {i, 10 i}, label i.
Dataset numbers(int64_t n) {
  std::vector<float> features;
  Ints labels;
  for (int64_t i = 0; i < n; ++i) {
    features.push_back(static_cast<float>(i));
    features.push_back(static_cast<float>(10 * i));
    labels.push_back(i);
  }
  features.reserve(1);
  labels.reserve(1);
  const T x = tensor<float>({n, 2}, features), y = tensor<int64_t>({n}, labels);
  bp_tensor* const columns[] = {x.get(), y.get()};
  return made<Dataset>(bp_dataset_from_tensors, &columns[0], 2u);
}

struct How {
  int64_t batch_size = 4;
  uint32_t flags = BP_LOADER_SHUFFLE, prefetch = 2;
  uint64_t seed = 42;
};
Loader loader(const Dataset& d, const std::string& where, How how = {}) {
  const bp_loader_desc desc = {
      sizeof desc, how.flags, how.batch_size, device(where), how.prefetch, 0, how.seed, 0, 1};
  return made<Loader>(bp_loader_create, d.get(), &desc);
}

struct Batch {
  bp_status status = BP_OK;
  std::string message{};
  T x{}, y{};
};
Batch next(const Loader& l, uint32_t n = 2) {
  bp_tensor* outs[2] = {};
  const Answer a = attempt(bp_loader_next, l.get(), outs, n);
  return {a.status, a.message, T(outs[0]), T(outs[1])};
}
// The labels of an epoch in their order; each batch is what its examples are.
Ints epoch(const Loader& l, const std::string& where, std::vector<size_t>* sizes = nullptr) {
  Ints all;
  for (;;) {
    const Batch b = next(l);
    if (b.status != BP_OK) {
      EXPECT_EQ(b.status, BP_EPOCH_END) << b.message;
      return all;
    }
    EXPECT_EQ(bp_tensor_device(b.x.get()), device(where));
    const Ints labels = values<int64_t>(b.y);
    const std::vector<float> features = values<float>(b.x);
    for (size_t i = 0; i < labels.size(); ++i) {
      EXPECT_EQ(features[2 * i], static_cast<float>(labels[i]));
      EXPECT_EQ(features[2 * i + 1], static_cast<float>(10 * labels[i]));
    }
    all.insert(all.end(), labels.begin(), labels.end());
    if (sizes) sizes->push_back(labels.size());
  }
}

void wait_until(const std::function<bool()>& there) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!there() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(there());
}

// A dataset whose callback is a function of the test's: it fills the labels, or says what is wrong.
// It outlives the loader's thread, which lets go of it some time after the loader was released.
struct Source {
  ~Source() {
    wait_until([&] { return destroyed == made; });
  }
  int made = 0;
  std::function<std::string(const int64_t* indices, uint64_t n)> before =
      [](const int64_t*, uint64_t) { return ""; };
  std::atomic<int> calls{0}, destroyed{0};

  static bp_status get(void* user, const int64_t* indices, uint64_t n, bp_tensor** outs, uint32_t,
                       bp_error** err) {
    auto& self = *static_cast<Source*>(user);
    ++self.calls;
    const std::string fault = self.before(indices, n);
    if (!fault.empty()) return bp_error_set(err, BP_CALLBACK, fault.c_str());
    const int64_t shape[] = {static_cast<int64_t>(n)};
    return bp_tensor_from_data(indices, 1, shape, BP_I64, kCpu, &outs[0], err);
  }
  Dataset data(int64_t length) {
    const bp_dataset_desc desc = {
        sizeof desc, 1,    length,
        get,         this, [](void* user) { ++static_cast<Source*>(user)->destroyed; }};
    bp_dataset* d = nullptr;
    EXPECT_EQ(attempt(bp_dataset_create, &desc, &d).message, "");
    ++made;
    return Dataset(d);
  }
};

class LoaderOn : public testing::TestWithParam<const char*> {
 protected:
  Session session_{"sim.device_count=2"};
  const std::string where_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Each, LoaderOn, testing::Values("cpu", "sim:1"),
                         [](const auto& info) { return std::string(info.param).substr(0, 3); });

TEST_P(LoaderOn, GivesEveryExampleOnceAnEpochWhateverIsMadeAhead) {
  const Dataset d = numbers(11);
  Ints first, second;
  for (uint32_t prefetch : {0u, 1u, 2u, 7u}) {
    const Loader l = loader(d, where_, {4, BP_LOADER_SHUFFLE, prefetch});
    EXPECT_EQ(bp_loader_length(l.get()), 3);
    std::vector<size_t> sizes;
    const Ints one = epoch(l, where_, &sizes), two = epoch(l, where_);
    EXPECT_EQ(sizes, (std::vector<size_t>{4, 4, 3}));
    if (first.empty()) first = one, second = two;
    EXPECT_EQ(one, first);
    EXPECT_EQ(two, second);
  }
  EXPECT_NE(first, second);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, (Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST_P(LoaderOn, KeepsTheOrderAndDropsTheRestWhenItShall) {
  const Dataset d = numbers(11);
  EXPECT_EQ(epoch(loader(d, where_, {4, 0}), where_), (Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(epoch(loader(d, where_, {4, BP_LOADER_DROP_LAST}), where_),
            (Ints{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(bp_loader_length(loader(d, where_, {12, BP_LOADER_DROP_LAST}).get()), 0);
  EXPECT_TRUE(epoch(loader(d, where_, {12, BP_LOADER_DROP_LAST}), where_).empty());
  EXPECT_TRUE(epoch(loader(numbers(0), where_), where_).empty());
}

TEST_P(LoaderOn, GoesOnWhereItsStateSays) {
  const Dataset d = numbers(11);
  const Loader whole = loader(d, where_);
  epoch(whole, where_);
  next(whole);
  uint64_t at = 0, batch = 0, seed = 0;
  ASSERT_EQ(attempt(bp_loader_get_state, whole.get(), &at, &batch, &seed).message, "");
  EXPECT_EQ(at, 1u);
  EXPECT_EQ(batch, 1u);
  const Ints rest = epoch(whole, where_), then = epoch(whole, where_);
  EXPECT_EQ(rest.size(), 7u);
  for (uint32_t prefetch : {0u, 3u}) {
    const Loader resumed = loader(d, where_, {4, BP_LOADER_SHUFFLE, prefetch, 1});
    next(resumed);  // what was made ahead is dropped
    ASSERT_EQ(attempt(bp_loader_set_state, resumed.get(), at, batch, seed).message, "");
    EXPECT_EQ(epoch(resumed, where_), rest);
    EXPECT_EQ(epoch(resumed, where_), then);
    ASSERT_EQ(attempt(bp_loader_set_state, resumed.get(), at, uint64_t{3}, seed).message, "");
    EXPECT_TRUE(epoch(resumed, where_).empty());  // behind the last batch
    EXPECT_EQ(attempt(bp_loader_set_state, resumed.get(), at, uint64_t{4}, seed).message,
              "batch 4 is out of range for an epoch of 3 batches");
  }
}

TEST_P(LoaderOn, HandsOnWhatACallbackSaysAndTriesAgain) {
  Source source;
  bool broken = true;
  source.before = [&](const int64_t* indices, uint64_t) {
    return broken && indices[0] == 2 ? "example 2 is unreadable" : "";
  };
  const Dataset d = source.data(6);
  for (uint32_t prefetch : {0u, 2u}) {
    broken = true;
    const Loader l = loader(d, where_, {2, 0, prefetch});
    EXPECT_EQ(values<int64_t>(next(l, 1).x), (Ints{0, 1}));
    for (int i = 0; i < 2; ++i) {
      const Batch b = next(l, 1);
      EXPECT_EQ(b.status, BP_CALLBACK);
      EXPECT_EQ(b.message, "example 2 is unreadable");
    }
    broken = false;
    EXPECT_EQ(values<int64_t>(next(l, 1).x), (Ints{2, 3}));
    EXPECT_EQ(values<int64_t>(next(l, 1).x), (Ints{4, 5}));
    EXPECT_EQ(next(l, 1).status, BP_EPOCH_END);
  }
}

TEST_P(LoaderOn, MakesNoMoreAheadThanItShallAndNothingBehindAnEpochsEnd) {
  Source source;
  const Dataset d = source.data(100);
  const Loader l = loader(d, where_, {10, 0, 3});
  next(l, 1);
  wait_until([&] { return source.calls == 4; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(source.calls, 4);
  while (next(l, 1).status == BP_OK) continue;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(source.calls, 10);
}

TEST_P(LoaderOn, IsReleasedWhileItsThreadWorks) {
  Source source;
  std::atomic<bool> go{false};
  source.before = [&](const int64_t* indices, uint64_t) {
    while (indices[0] == 2 && !go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return "";
  };
  {
    const Dataset d = source.data(6);
    const Loader l = loader(d, where_, {2, 0, 2});
    next(l, 1);
    wait_until([&] { return source.calls == 2; });
  }
  EXPECT_EQ(source.destroyed, 0);  // the thread is still in the callback
  go = true;
  wait_until([&] { return source.destroyed == 1; });
  EXPECT_EQ(source.calls, 2);
}

TEST_P(LoaderOn, IsWaitedForUntilTheWaitCallbackRefuses) {
  Source source;
  std::atomic<bool> go{false};
  source.before = [&](const int64_t*, uint64_t) {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return "";
  };
  const Dataset d = source.data(6);
  const Loader l = loader(d, where_, {2, 0, 2});
  int waits = 0;
  const auto third = [](void* user, bp_error** err) {
    return ++*static_cast<int*>(user) < 3 ? BP_OK : bp_error_set(err, BP_CALLBACK, "stop");
  };
  ASSERT_EQ(bp_set_wait_callback(third, &waits, nullptr), BP_OK);
  const Batch refused = next(l, 1);
  EXPECT_EQ(refused.status, BP_CALLBACK);
  EXPECT_EQ(refused.message, "stop");
  EXPECT_EQ(waits, 3);
  ASSERT_EQ(bp_set_wait_callback(nullptr, nullptr, nullptr), BP_OK);
  go = true;
  const Batch b = next(l, 1);
  EXPECT_EQ(values<int64_t>(b.x), (Ints{0, 1}));  // nothing was lost
}

TEST_P(LoaderOn, IsStoppedByAShutdown) {
  Source source;
  source.before = [&](const int64_t*, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return "";
  };
  Dataset d = source.data(1000);
  Loader l = loader(d, where_, {2, 0, 100});
  next(l, 1);
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  const int calls = source.calls;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(source.calls, calls);
  EXPECT_EQ(next(l, 1).message, "loader was made before bp_shutdown");
  l.reset();
  d.reset();
  wait_until([&] { return source.destroyed == 1; });
}

#if !defined(BP_TSAN)  // which allows no thread in a forked child
TEST_P(LoaderOn, InTheChildOfAForkSaysSoAndAnotherWorks) {
#if defined(BP_ASAN)
  GTEST_SKIP() << "GCC 12's address sanitizer does not hold its allocator's locks across a fork";
#endif
  const Dataset d = numbers(11);
  Loader l = loader(d, where_);
  next(l);
  expect_true_in_child([&] {
    bp_tensor* outs[2] = {};
    uint64_t at = 9, batch = 9, seed = 9;
    bool good = bp_loader_next(l.get(), outs, 2, nullptr) == BP_BAD_STATE;
    good = good && bp_loader_get_state(l.get(), &at, &batch, &seed, nullptr) == BP_OK && at == 0 &&
           batch == 1 && seed == 42;
    l.reset();
    const Loader here = loader(d, "cpu");
    return good && bp_loader_set_state(here.get(), at, batch, seed, nullptr) == BP_OK &&
           bp_loader_next(here.get(), outs, 2, nullptr) == BP_OK;
  });
  EXPECT_EQ(next(l).status, BP_OK);
}
#endif

TEST_P(LoaderOn, NeedsNoNewMemoryOnceItRuns) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  const Dataset d = numbers(64);
  const Loader l = loader(d, where_, {8, BP_LOADER_SHUFFLE, 2});
  const auto allocations = [&] { return memory_of(device(where_)).n_backend_allocations; };
  for (int i = 0; i < 3; ++i) epoch(l, where_);
  const uint64_t before = allocations();
  for (int i = 0; i < 5; ++i) epoch(l, where_);
  // At most what can be alive at once (two batches ahead, one being made, one in use, of two
  // columns each), if the first epochs never had it; not the 80 tensors that were made.
  EXPECT_LE(allocations(), before + (2 + 1 + 1) * 2);
}

TEST(Loader, CopiesBesideTheProgramWhoseStreamWaits) {
  // Stream 0 is the device's default one, 1 the loader's: without the wait the program would read
  // what is not there yet.
  Session session("sim.device_count=1;sim.slow_us=20000;sim.slow_stream=1");
  synchronize("sim:0");
  const Dataset d = numbers(12);
  const Loader l = loader(d, "sim:0", {4, 0, 2});
  const auto start = crossed(kCpu, device("sim:0"));
  std::vector<T> sums;
  for (Batch b = next(l); b.status == BP_OK; b = next(l))
    sums.push_back(made(bp_add, b.x.get(), b.x.get()));
  const auto end = crossed(kCpu, device("sim:0"));
  EXPECT_EQ(end.n_copies, start.n_copies + 6);
  EXPECT_EQ(end.n_waits, start.n_waits);  // nobody stood still
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_EQ(values<float>(sums[1]), (std::vector<float>{8, 80, 10, 100, 12, 120, 14, 140}));
}

TEST(Dataset, HasEqualRowsOnTheCpu) {
  Session session;
  bp_dataset* d = nullptr;
  const T a = counting({3, 2}), b = counting({2}),
          scalar = made(bp_tensor_select, b.get(), int64_t{0}, int64_t{0}), far = ones("sim:0");
  const auto of = [&](std::initializer_list<bp_tensor*> tensors) {
    return attempt(bp_dataset_from_tensors, tensors.begin(), static_cast<uint32_t>(tensors.size()),
                   &d)
        .message;
  };
  EXPECT_EQ(of({}), "0 tensors, a dataset has 1 to 64");
  EXPECT_EQ(of({a.get(), b.get()}),
            "Size mismatch between tensors: tensor 0 has 3 examples, tensor 1 has 2");
  EXPECT_EQ(of({scalar.get()}), "tensor 0 of a dataset has no dimension that counts examples");
  EXPECT_EQ(of({far.get()}), "tensor 0 of a dataset is on sim:0, expected it on the cpu");
  EXPECT_EQ(d, nullptr);
}

TEST(Dataset, GivesAndSubsetsByIndex) {
  Session session;
  const Dataset d = numbers(5);
  EXPECT_EQ(bp_dataset_length(d.get()), 5);
  EXPECT_EQ(bp_dataset_n_tensors(d.get()), 2u);
  const int64_t some[] = {4, 0, 4}, second[] = {1, 2}, beyond[] = {5};
  bp_dataset* s = nullptr;
  ASSERT_EQ(attempt(bp_dataset_subset, d.get(), &some[0], uint64_t{3}, &s).message, "");
  const Dataset part(s);
  EXPECT_EQ(bp_dataset_length(part.get()), 3);
  bp_tensor* outs[2] = {};
  ASSERT_EQ(attempt(bp_dataset_get, part.get(), &second[0], uint64_t{2}, &outs[0], 2u).message, "");
  const T x(outs[0]), y(outs[1]);
  EXPECT_EQ(values<int64_t>(y), (Ints{0, 4}));
  EXPECT_EQ(values<float>(x), (std::vector<float>{0, 0, 4, 40}));
  EXPECT_EQ(attempt(bp_dataset_get, d.get(), &beyond[0], uint64_t{1}, &outs[0], 2u).message,
            "index 5 is out of range for a dataset of 5 examples");
  EXPECT_EQ(attempt(bp_dataset_get, d.get(), &second[0], uint64_t{1}, &outs[0], 1u).message,
            "n_outs is 1, the dataset has 2 tensors");
}

TEST(Dataset, WhoseCallbackGivesNonsenseSaysSo) {
  Session session;
  const struct {
    bp_status (*get)(void*, const int64_t*, uint64_t, bp_tensor**, uint32_t, bp_error**);
    const char* message;
  } rows[] = {
      {[](void*, const int64_t*, uint64_t, bp_tensor**, uint32_t, bp_error**) -> bp_status {
         return BP_OK;
       },
       "the dataset's callback gave no tensor 0"},
      {[](void*, const int64_t*, uint64_t, bp_tensor**, uint32_t, bp_error**) -> bp_status {
         return BP_INTERNAL;
       },
       "the dataset's callback failed without saying why"},
      {[](void*, const int64_t*, uint64_t, bp_tensor** out, uint32_t, bp_error** e) {
         return bp_tensor_empty(0, nullptr, BP_F32, kCpu, out, e);
       },
       "the dataset's callback gave tensor 0 of shape [] for a batch of 1 examples"},
      {[](void*, const int64_t*, uint64_t, bp_tensor** out, uint32_t, bp_error** e) {
         const int64_t one[] = {1};
         return bp_tensor_empty(1, one, BP_F32, bp_device_make(BP_KIND_DYNAMIC, 0), out, e);
       },
       "the dataset's callback gave tensor 0 on sim:0, expected it on the cpu"},
  };
  const int64_t first[] = {0};
  for (const auto& row : rows) {
    if (std::string(row.message).find("sim:0") != std::string::npos &&
        bp_device_kind(device("sim:0")) != BP_KIND_DYNAMIC)
      continue;
    const bp_dataset_desc desc = {sizeof desc, 1, 3, row.get, nullptr, nullptr};
    bp_dataset* d = nullptr;
    ASSERT_EQ(attempt(bp_dataset_create, &desc, &d).message, "");
    const Dataset owned(d);
    bp_tensor* outs[1] = {};
    EXPECT_EQ(attempt(bp_dataset_get, d, &first[0], uint64_t{1}, &outs[0], 1u).message,
              row.message);
  }
}

Metric metric(bp_metric_kind kind) {
  bp_metric* m = nullptr;
  EXPECT_EQ(attempt(bp_metric_create, kind, &m).message, "");
  return Metric(m);
}
double value(const Metric& m) {
  double v = 0;
  EXPECT_EQ(attempt(bp_metric_value, m.get(), &v).message, "");
  return v;
}

TEST_P(LoaderOn, MeansAndAccuraciesAreSummedWhereTheTensorsAre) {
  const Metric loss = metric(BP_METRIC_MEAN), accuracy = metric(BP_METRIC_ACCURACY);
  EXPECT_TRUE(std::isnan(value(loss)));
  const T logits = tensor<float>({3, 2}, {1, 2, 4, 3, 0, 9}, device(where_)),
          labels = tensor<int64_t>({3}, {1, 1, 1}, device(where_));
  const T low = tensor<float>({}, {1}, device(where_)),
          high = tensor<float>({}, {4}, device(where_));
  ASSERT_EQ(bp_tensor_set_requires_grad(low.get(), 1, nullptr), BP_OK);
  bp_tensor* const none = nullptr;
  const auto back = [&] { return crossed(device(where_), kCpu).n_copies; };
  const uint64_t before = back();
  EXPECT_EQ(attempt(bp_metric_add, accuracy.get(), logits.get(), labels.get(), 1.0).message, "");
  EXPECT_EQ(attempt(bp_metric_add, loss.get(), low.get(), none, 100.0).message, "");
  EXPECT_EQ(attempt(bp_metric_add, loss.get(), high.get(), none, 50.0).message, "");
  EXPECT_EQ(back(), before);  // nothing was fetched
  EXPECT_DOUBLE_EQ(value(accuracy), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(loss), 2);
  // from the cpu too
  EXPECT_EQ(
      attempt(bp_metric_add, loss.get(), tensor<float>({2}, {2, 2}).get(), none, 150.0).message,
      "");
  EXPECT_DOUBLE_EQ(value(loss), 2);
  EXPECT_EQ(attempt(bp_metric_reset, loss.get()).message, "");
  EXPECT_TRUE(std::isnan(value(loss)));
  EXPECT_EQ(attempt(bp_metric_add, loss.get(), high.get(), labels.get(), 1.0).message,
            "a mean has no target");
  EXPECT_EQ(attempt(bp_metric_add, accuracy.get(), logits.get(), none, 1.0).message,
            "an accuracy needs a target");
  EXPECT_EQ(attempt(bp_metric_add, loss.get(), high.get(), none, -1.0).message,
            "weight is -1, expected a finite number >= 0");
  EXPECT_EQ(attempt(bp_metric_add, accuracy.get(), logits.get(), high.get(), 1.0).message,
            "accuracy: target must hold integers, got float32");
  EXPECT_EQ(
      attempt(bp_metric_add, accuracy.get(), labels.get(), labels.get(), 1.0).message,
      "accuracy: target must have x's shape without its last dimension; x is [3], target [3]");
}

}  // namespace
