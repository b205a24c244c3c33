// SPDX-License-Identifier: Apache-2.0
// One model on several devices: sums over them, replicas whose gradients are averaged while
// backward computes, training that gives what one device gives.
#include <cmath>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

std::vector<bp_device> sims(size_t n) {
  std::vector<bp_device> out;
  for (size_t i = 0; i < n; ++i) out.push_back(device("sim:" + std::to_string(i)));
  return out;
}
T on(bp_device d, const T& t) { return made(bp_tensor_to, t.get(), d, BP_DTYPE_NONE, 1u, 0u); }
uint32_t length(const std::vector<T>& v) { return static_cast<uint32_t>(v.size()); }

TEST(AllReduce, GivesTheSameSumOnEveryDevice) {
  for (const size_t n : {1u, 2u, 3u, 4u})
    for (const int64_t size : {0, 1, 3, 7, 1000}) {
      std::vector<T> all;
      std::vector<float> sum(static_cast<size_t>(size), 0);
      for (size_t i = 0; i < n; ++i) {
        std::vector<float> v;
        for (int64_t k = 0; k < size; ++k)
          v.push_back(static_cast<float>(k + 1) * static_cast<float>(1 << i));
        for (size_t k = 0; k < v.size(); ++k) sum[k] += v[k];
        all.push_back(on(sims(n)[i], tensor<float>({size}, v)));
      }
      auto list = raw(all);
      const Answer r = attempt(bp_all_reduce, list.data(), length(all), 0u);
      ASSERT_EQ(r.status, BP_OK) << r.message;
      for (const T& t : all)
        EXPECT_EQ(values<float>(t), sum) << n << " devices, " << size << " elements";
    }
}

TEST(AllReduce, GivesMeansOfAnyLayout) {
  std::vector<T> all;
  for (size_t i = 0; i < 2; ++i) {
    const T t =
        on(sims(2)[i], tensor<float>({2, 3}, {1, 2, 3, 4, 5, static_cast<float>(6 + 2 * i)}));
    all.push_back(made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1}));
  }
  auto list = raw(all);
  ASSERT_EQ(attempt(bp_all_reduce, list.data(), 2u, 1u).status, BP_OK);
  for (const T& t : all) EXPECT_EQ(values<float>(t), (std::vector<float>{1, 4, 2, 5, 3, 7}));
}

TEST(AllReduce, RefusesWhatItCannotSum) {
  const auto said = [](const std::vector<T>& all) {
    auto list = raw(all);
    return attempt(bp_all_reduce, list.data(), length(all), 0u).message;
  };
  std::vector<T> mixed, shapes, twice, whole;
  mixed.push_back(counting({2}));
  mixed.push_back(on(sims(1)[0], counting({2})));
  EXPECT_EQ(
      said(mixed),
      "all_reduce: tensors are on devices of several kinds, cpu and sim:0; sums over devices are of one kind");
  shapes.push_back(on(sims(2)[0], counting({2})));
  shapes.push_back(on(sims(2)[1], counting({3})));
  EXPECT_EQ(said(shapes), "all_reduce: tensor 1 is float32 [3], expected float32 [2]");
  for (int i = 0; i < 2; ++i) twice.push_back(on(sims(1)[0], counting({2})));
  EXPECT_EQ(said(twice), "all_reduce: tensors 0 and 1 are both on sim:0");
  whole.push_back(to(counting<int64_t>({2}), kCpu, BP_BOOL));
  EXPECT_EQ(said(whole), "all_reduce: expected numbers, got bool");
  whole[0] = counting<int64_t>({2});
  bp_tensor* integers = whole[0].get();
  EXPECT_EQ(attempt(bp_all_reduce, &integers, 1u, 1u).message,
            "all_reduce: expected floating tensors for a mean, got int64");
  EXPECT_EQ(said({}), "all_reduce: expected at least one tensor");
}

TEST(ScatterBatch, CutsAlongTheFirstDimension) {
  const auto devices = sims(4);
  bp_tensor* outs[4];
  const T x = counting({5, 2});
  ASSERT_EQ(attempt(bp_scatter_batch, x.get(), devices.data(), 4u, outs).status, BP_OK);
  const Shape rows[] = {{2, 2}, {2, 2}, {1, 2}, {0, 2}};
  for (size_t i = 0; i < 4; ++i) {
    const T part(outs[i]);
    EXPECT_EQ(shape_of(part), rows[i]);
    EXPECT_EQ(bp_tensor_device(part.get()), devices[i]);
    if (i == 2) {
      EXPECT_EQ(values<float>(part), (std::vector<float>{8, 9}));
    }
  }
}

// A net of two layers; params: w1, b1, w2, b2, and one that nobody uses.
struct Net {
  std::vector<T> params;
  explicit Net(bp_device d) {
    const Shape shapes[] = {{3, 8}, {8}, {8, 1}, {1}, {4}};
    for (size_t i = 0; i < 5; ++i) {
      std::vector<float> v;
      int64_t n = 1;
      for (const int64_t s : shapes[i]) n *= s;
      for (int64_t k = 0; k < n; ++k)
        v.push_back(std::sin(static_cast<float>(k + 10 * static_cast<int64_t>(i))));
      params.push_back(leaf(on(d, tensor<float>(shapes[i], v))));
    }
  }
  Net() = default;
};
T loss(const std::vector<T>& p, const T& x, const T& y) {
  const T h =
      made(bp_tanh, made(bp_add, made(bp_matmul, x.get(), p[0].get()).get(), p[1].get()).get());
  const T out = made(bp_add, made(bp_matmul, h.get(), p[2].get()).get(), p[3].get());
  const T off = made(bp_sub, out.get(), y.get());
  return made(bp_mean, made(bp_mul, off.get(), off.get()).get(),
              static_cast<const int64_t*>(nullptr), 0u, 0u, BP_DTYPE_NONE);
}
T batch(int64_t columns, int step) {
  std::vector<float> v;
  for (int64_t k = 0; k < 24 * columns; ++k)
    v.push_back(std::cos(static_cast<float>(k * (step + 1)) * 0.7f));
  return tensor<float>({24, columns}, v);
}
void backward(const std::vector<T>& losses) {
  auto list = raw(losses);
  const Answer r = attempt(bp_backward, list.data(), static_cast<bp_tensor* const*>(nullptr),
                           length(losses), 0u);
  ASSERT_EQ(r.status, BP_OK) << r.message;
}
Optimizer adam(const std::vector<bp_tensor*>& params) {
  const bp_attr lr = attr("lr", 0.05);
  return made<Optimizer>(bp_optimizer_create, "Adam", params.data(),
                         static_cast<uint32_t>(params.size()), &lr, 1u);
}
Replicas replicas(const std::vector<bp_tensor*>& params, uint32_t n, uint64_t bucket_bytes) {
  return made<Replicas>(bp_replicas_create, params.data(), static_cast<uint32_t>(params.size()), n,
                        bucket_bytes);
}

Doubles trained_alone(bp_device d, int steps) {
  const Net net(d);
  const Optimizer o = adam(raw(net.params));
  for (int s = 0; s < steps; ++s) {
    std::vector<T> losses;
    losses.push_back(loss(net.params, on(d, batch(3, s)), on(d, batch(1, s))));
    EXPECT_EQ(bp_optimizer_zero_grad(o.get(), 1, nullptr), BP_OK);
    backward(losses);
    EXPECT_EQ(bp_optimizer_step(o.get(), nullptr), BP_OK);
  }
  Doubles all;
  for (const T& p : net.params)
    for (const double v : doubles(p)) all.push_back(v);
  return all;
}

std::vector<T> parts_of(const T& x, const std::vector<bp_device>& devices) {
  std::vector<bp_tensor*> outs(devices.size());
  EXPECT_EQ(attempt(bp_scatter_batch, x.get(), devices.data(),
                    static_cast<uint32_t>(devices.size()), outs.data())
                .status,
            BP_OK);
  std::vector<T> all;
  for (bp_tensor* t : outs) all.emplace_back(t);
  return all;
}

// [device][param] of a net that is replicated from the first device.
std::vector<Net> replicated(const std::vector<bp_device>& devices, std::vector<bp_tensor*>* all) {
  const Net first(devices[0]);
  all->resize(5 * devices.size());
  auto list = raw(first.params);
  EXPECT_EQ(attempt(bp_replicate, list.data(), 5u, devices.data(),
                    static_cast<uint32_t>(devices.size()), all->data())
                .status,
            BP_OK);
  std::vector<Net> nets(devices.size());
  for (size_t d = 0; d < devices.size(); ++d)
    for (size_t i = 0; i < 5; ++i) {
      nets[d].params.emplace_back((*all)[d * 5 + i]);
      EXPECT_EQ(bp_tensor_device(nets[d].params[i].get()), devices[d]);
    }
  EXPECT_EQ((*all)[0], list[0]);
  return nets;
}

void train_together(size_t n, uint64_t bucket_bytes, int steps, const Doubles& wanted) {
  const auto devices = sims(n);
  std::vector<bp_tensor*> all;
  const std::vector<Net> nets = replicated(devices, &all);
  const Replicas r = replicas(all, static_cast<uint32_t>(n), bucket_bytes);
  const Optimizer o = adam(all);
  for (int s = 0; s < steps; ++s) {
    const std::vector<T> x = parts_of(batch(3, s), devices), y = parts_of(batch(1, s), devices);
    ASSERT_EQ(bp_optimizer_zero_grad(o.get(), 1, nullptr), BP_OK);
    std::vector<T> losses;
    for (size_t d = 0; d < n; ++d) losses.push_back(loss(nets[d].params, x[d], y[d]));
    backward(losses);
    ASSERT_EQ(attempt(bp_replicas_finish, r.get()).message, "");
    ASSERT_EQ(bp_optimizer_step(o.get(), nullptr), BP_OK);
  }
  for (size_t d = 0; d < n; ++d) {
    size_t at = 0;
    for (size_t i = 0; i < 5; ++i) {
      const Doubles got = doubles(nets[d].params[i]);
      EXPECT_EQ(got, doubles(nets[0].params[i])) << "replicas differ";
      for (const double v : got)
        EXPECT_NEAR(v, wanted[at++], 2e-5) << n << " devices, parameter " << i;
    }
    EXPECT_EQ(grad_of(nets[d].params[4]), nullptr) << "nobody used it";
  }
}

TEST(Replicas, TrainAsOneDeviceDoes) {
  const Doubles alone = trained_alone(sims(1)[0], 20);
  for (const size_t n : {1u, 2u, 3u, 4u}) train_together(n, 25 << 20, 20, alone);
}
TEST(Replicas, TrainTheSameWithManyBuckets) {
  const Doubles alone = trained_alone(sims(1)[0], 5);
  for (const uint64_t bytes : {0, 4, 40}) train_together(2, bytes, 5, alone);
}

TEST(Replicas, AGradientThatOneDeviceLacksCountsAsZeros) {
  const auto devices = sims(2);
  std::vector<bp_tensor*> all;
  const std::vector<Net> nets = replicated(devices, &all);
  Replicas r = replicas(all, 2, 1 << 20);
  std::vector<T> losses;
  losses.push_back(sum(nets[1].params[4]));
  backward(losses);
  ASSERT_EQ(attempt(bp_replicas_finish, r.get()).message, "");
  for (const Net& net : nets) {
    EXPECT_EQ(doubles(grad_of(net.params[4])), (Doubles{0.5, 0.5, 0.5, 0.5}));
    EXPECT_EQ(grad_of(net.params[0]), nullptr);
  }
  r.reset();  // and its hooks are gone with it
  losses.clear();
  losses.push_back(sum(nets[1].params[4]));
  backward(losses);
  EXPECT_EQ(doubles(grad_of(nets[1].params[4])), (Doubles{1.5, 1.5, 1.5, 1.5}));
}

// A sum over a parameter of 1,000 on each of two devices, times what each is given; the gradient of
// each is that number.
void add_gradients(const std::vector<bp_tensor*>& params, double first, double second) {
  std::vector<T> losses;
  for (size_t d = 0; d < 2; ++d) {
    const T scale = on(bp_tensor_device(params[d]),
                       tensor<float>({1}, {static_cast<float>(d ? second : first)}));
    const T scaled = made(bp_mul, params[d], scale.get());
    losses.push_back(sum(scaled));
  }
  backward(losses);
}

TEST(Replicas, AverageWhatSeveralBackwardsAddUp) {
  const auto devices = sims(2);
  const T w = leaf(on(devices[0], tensor<float>({100000}, std::vector<float>(100000, 1))));
  std::vector<bp_tensor*> all(2);
  bp_tensor* const one[] = {w.get()};
  ASSERT_EQ(bp_replicate(one, 1, devices.data(), 2, all.data(), nullptr), BP_OK);
  const T first(all[0]), second(all[1]);
  const Replicas r = replicas(all, 2, 1 << 20);
  const auto expect = [&](double wanted, const char* what) {
    for (bp_tensor* t : all)
      EXPECT_EQ(doubles(made(bp_tensor_grad, t)), Doubles(100000, wanted)) << what;
  };
  for (int i = 0; i < 8; ++i) add_gradients(all, i, i + 2);
  ASSERT_EQ(attempt(bp_replicas_finish, r.get()).message, "");
  expect(36, "eight backwards, one finish");
  add_gradients(all, 1, 3);
  ASSERT_EQ(attempt(bp_replicas_finish, r.get()).message, "");
  expect(38, "and one more");
  // On one device alone after the exchange.
  add_gradients(all, 1, 3);
  std::vector<T> alone;
  alone.push_back(
      made(bp_sum, all[1], static_cast<const int64_t*>(nullptr), 0u, 0u, BP_DTYPE_NONE));
  backward(alone);
  ASSERT_EQ(attempt(bp_replicas_finish, r.get()).message, "");
  expect(40.5, "half of what one device adds");
}

TEST(Replicas, RefuseWhatAreNone) {
  const auto devices = sims(2);
  const Net here(kCpu), there(devices[0]), same(devices[0]);
  const auto said = [](const std::vector<bp_tensor*>& params, uint32_t n) {
    return refusal<Replicas>(bp_replicas_create, params.data(),
                             static_cast<uint32_t>(params.size()), n, uint64_t{0})
        .message;
  };
  std::vector<bp_tensor*> mixed = raw(here.params), twice = raw(there.params),
                          five = raw(there.params);
  for (bp_tensor* t : raw(there.params)) mixed.push_back(t);
  for (bp_tensor* t : raw(same.params)) twice.push_back(t);
  EXPECT_EQ(
      said(mixed, 2),
      "replicas: parameters are on devices of several kinds, cpu and sim:0; replicas are of one kind");
  EXPECT_EQ(said(twice, 2), "replicas: sim:0 is there twice");
  EXPECT_EQ(said(five, 2), "replicas: 5 parameters are none of 2 equal models");
  EXPECT_EQ(said(five, 0), "replicas: 5 parameters are none of 0 equal models");
  const T plain = on(devices[0], counting({2}));
  EXPECT_EQ(said({plain.get()}, 1),
            "replicas: parameter 0 of replica 0 is no leaf that requires a gradient");
  EXPECT_EQ(attempt(bp_replicas_finish, static_cast<bp_replicas*>(nullptr)).message,
            "replicas must not be NULL");
}

}  // namespace
}  // namespace bp_test
