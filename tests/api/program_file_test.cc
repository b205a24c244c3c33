// SPDX-License-Identifier: Apache-2.0
// Programs in files: what was saved on one backend runs on it and on others, draws and counts as
// before, and holds tensors of its own. What a file may not say: program_hostile_test.cc.
#include <cmath>
#include <cstdlib>

#include "api/own_file.h"
#include "api/random_calls.h"
#include "kit/devices.h"
#include "kit/dicts.h"
#include "kit/modules.h"
#include "kit/programs.h"
#include "kit/session.h"

namespace bp_test {
namespace {

std::string steps_of(const P& program) {
  std::vector<char> text(1 << 20);
  EXPECT_EQ(bp_program_format(program.get(), text.data(), text.size(), nullptr, nullptr), BP_OK);
  return text.data();
}
// The same program by way of a file.
P kept(const P& program, const Devices& devices = {}) {
  const OwnFile file;
  EXPECT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  P same;
  EXPECT_EQ(loaded(file.path, same, devices).message, "");
  return same;
}

void expect_near(const Tensors& got, const Tensors& wanted, double relative) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(shape_of(got[i]), shape_of(wanted[i]));
    ASSERT_EQ(bp_tensor_dtype(got[i].get()), bp_tensor_dtype(wanted[i].get()));
    const Doubles a = doubles(got[i]), b = doubles(wanted[i]);
    for (size_t k = 0; k < a.size(); ++k)
      ASSERT_TRUE(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])) ||
                  std::fabs(a[k] - b[k]) <= relative * (1 + std::fabs(b[k])))
          << "result " << i << "[" << k << "]: " << a[k] << " and " << b[k];
  }
}

// ---- random programs ----

Tensors fresh(uint64_t seed, int64_t start, bp_device device) {
  Tensors all;
  for (uint64_t i = 0; i < 1 + seed % 3; ++i) {
    Shape shape;
    for (uint64_t d = 0; d < (seed + i) % 4; ++d)
      shape.push_back(1 + static_cast<int64_t>((seed / 4 + d * 7 + i) % 9));
    all.push_back(wave(shape, device, start));
  }
  return all;
}

struct Way {
  const char* name;
  const char *from, *onto;  // "": where it was
};

// Runs a random program and what was loaded of it over the same inputs and states.
void check(uint64_t seed, const Way& way) {
  const bp_device from = device(way.from), onto = *way.onto ? device(way.onto) : from;
  const bp_device other = *way.onto || seed % 3 ? 0 : device("sim:1");
  Tensors states = fresh(seed, 3, from);
  // Sums go over what kernels computed: another backend's differ in the last bits, and what looks
  // at single bits (floor, comparisons) would see it.
  const uint32_t without = seed % 5 == 0 ? uint32_t{BP_PASS_GROUP} : seed % 5 == 1 ? 7u : 0u;
  const P program = recorded(
      fresh(seed, 0, from),
      [&](const Tensors& x) { return RandomCalls(seed, x, states, other).run(); }, without);
  const P same = kept(program, *way.onto ? Devices{onto} : Devices{});
  ASSERT_TRUE(same);
  if (onto == from) {
    EXPECT_EQ(steps_of(kept(same)), steps_of(same));
  }
  for (int64_t k = 1; k <= 2; ++k) {
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const Tensors x = fresh(seed, k, from), y = fresh(seed, k, onto);
    const Tensors wanted = results(program, x);
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const Tensors got = results(same, y);
    expect_near(got, wanted, onto == from ? 0 : 1e-3);
    expect_near(y, x, onto == from ? 0 : 1e-3);  // what was written in place
  }
}

TEST(ProgramFile, KeepsRandomPrograms) {
  bp_shutdown(-1, nullptr);  // of whoever came before in this process
  const Session session;
  const char* count = std::getenv("BP_RANDOM_PROGRAMS");
  const char* first = std::getenv("BP_RANDOM_SEED");
  const uint64_t n = count ? std::strtoull(count, nullptr, 10) : 60,
                 from = first ? std::strtoull(first, nullptr, 10) : 1;
  for (const Way& way :
       {Way{"on the cpu", "cpu", ""}, Way{"on sim", "sim:0", ""},
        Way{"from the cpu to sim", "cpu", "sim:0"}, Way{"from sim to the cpu", "sim:0", "cpu"}}) {
    SCOPED_TRACE(way.name);
    for (uint64_t seed = from; seed < from + n; ++seed) {
      check(seed, way);
      if (testing::Test::HasFailure()) FAIL() << way.name << ", BP_RANDOM_SEED=" << seed;
    }
  }
}

// ---- training ----

// A net that learns one of ten digits of 64 pixels, with dropout and running statistics.
struct Training {
  M net = sequential(linear(64, 32), module("batch_norm1d", {attr("num_features", int64_t{32})}),
                     module("relu"), module("dropout", {attr("p", 0.1)}), linear(32, 10));
  M loss = module("cross_entropy_loss");
  Optimizer optimizer;
  explicit Training(const char* kind) {
    EXPECT_EQ(bp_manual_seed(1, nullptr), BP_OK);
    std::vector<bp_tensor*> params;
    const auto all = listed(net.get(), bp_module_parameter_at);
    for (const auto& [name, t] : all) params.push_back(t.get());
    optimizer = made<Optimizer>(bp_optimizer_create, kind, params.data(),
                                static_cast<uint32_t>(params.size()),
                                static_cast<const bp_attr*>(nullptr), 0u);
  }
  Tensors step(const Tensors& in) {
    EXPECT_EQ(bp_optimizer_zero_grad(optimizer.get(), 1, nullptr), BP_OK);
    const T scores = run(net, in[0]);
    bp_tensor *both[] = {scores.get(), in[1].get()}, *out = nullptr;
    EXPECT_EQ(
        attempt(bp_module_forward, loss.get(), static_cast<bp_tensor* const*>(both), 2u, &out, 1u)
            .message,
        "");
    const T l(out);
    EXPECT_EQ(attempt(bp_backward, &out, static_cast<bp_tensor* const*>(nullptr), 1u, 0u).message,
              "");
    EXPECT_EQ(attempt(bp_optimizer_step, optimizer.get()).message, "");
    return one(made(bp_tensor_detach, l.get()));
  }
};
Tensors batch(int64_t i, bp_device d = kCpu) {
  Tensors all;
  all.push_back(wave({16, 64}, d, i));
  std::vector<int64_t> digits(16);
  for (size_t k = 0; k < 16; ++k) digits[k] = (static_cast<int64_t>(k) * 7 + i) % 10;
  all.push_back(to(tensor<int64_t>({16}, digits), d));
  return all;
}

TEST(ProgramFile, GoesOnTrainingWhereItWasSaved) {
  const Session session;
  for (const char* kind : {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad"}) {
    SCOPED_TRACE(kind);
    Training training(kind);
    training.step(batch(0));  // makes the states
    const P step = recorded(batch(1), [&](const Tensors& in) { return training.step(in); });
    for (int i = 2; i < 5; ++i) results(step, batch(i));
    const P here = kept(step), there = kept(step, {device("sim:0")}), again = kept(here);
    Doubles losses;
    for (int i = 5; i < 12; ++i) {
      const auto seeded = [&](const P& p, bp_device d) {
        EXPECT_EQ(bp_manual_seed(static_cast<uint64_t>(i), nullptr), BP_OK);
        return doubles(results(p, batch(i, d))[0])[0];
      };
      const double wanted = seeded(step, kCpu);
      EXPECT_EQ(seeded(here, kCpu), wanted) << i;
      EXPECT_EQ(seeded(again, kCpu), wanted) << i;
      EXPECT_NEAR(seeded(there, device("sim:0")), wanted, 1e-6) << i;
    }
    // What was loaded goes on when it was saved again, too.
    EXPECT_EQ(bp_manual_seed(99, nullptr), BP_OK);
    const Doubles wanted = doubles(results(step, batch(12))[0]);
    const P later = kept(here);
    EXPECT_EQ(bp_manual_seed(99, nullptr), BP_OK);
    EXPECT_EQ(doubles(results(later, batch(12))[0]), wanted);
  }
}

TEST(ProgramFile, HoldsTensorsOfItsOwn) {
  const Session session;
  T total = counting({4});
  const P program = recorded(one(counting({4})), [&](const Tensors& x) {
    EXPECT_EQ(invoke(BP_OP_ADD, {value(total), value(x[0])}, total).status, BP_OK);
    return one(op(BP_OP_MUL, {value(total), number(int64_t{10})}));
  });
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  P first, second;
  ASSERT_EQ(loaded(file.path, first).message, "");
  ASSERT_EQ(loaded(file.path, second).message, "");
  const Tensors x = one(counting({4}));
  EXPECT_EQ(doubles(results(first, x)[0]), (Doubles{0, 30, 60, 90}));
  EXPECT_EQ(doubles(results(first, x)[0]), (Doubles{0, 40, 80, 120}));
  EXPECT_EQ(doubles(results(second, x)[0]), (Doubles{0, 30, 60, 90}));
  EXPECT_EQ(doubles(total), (Doubles{0, 2, 4, 6}));
  // Its tensors are in the file, to be read by anybody.
  const D dict = made<D>(bp_safetensors_load, file.path.c_str(), kCpu);
  EXPECT_EQ(doubles(made(bp_dict_get, dict.get(), "held.0")), (Doubles{0, 2, 4, 6}));
}

TEST(ProgramFile, SavesWhatTwoTensorsBorrowOnce) {
  const Session session;
  std::vector<float> memory{1, 2, 3, 4};
  const int64_t shape[] = {4};
  const auto borrowed = [&] {
    return made(bp_tensor_borrow, static_cast<void*>(memory.data()), 1, shape,
                static_cast<const int64_t*>(nullptr), bp_dtype{BP_F32},
                static_cast<void (*)(void*)>(nullptr), static_cast<void*>(nullptr));
  };
  const T a = borrowed(), b = borrowed();
  const P program = recorded(one(counting({4})), [&](const Tensors& x) {
    return one(op(BP_OP_ADD, {value(op(BP_OP_MUL, {value(x[0]), value(a)})), value(b)}));
  });
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  EXPECT_EQ(bp_dict_size(made<D>(bp_safetensors_load, file.path.c_str(), kCpu).get()), 1u);
  P same;
  ASSERT_EQ(loaded(file.path, same).message, "");
  EXPECT_EQ(doubles(results(same, one(counting({4})))[0]), (Doubles{1, 4, 9, 16}));
}

TEST(ProgramFile, KeepsNumbersThatJsonCannotSay) {
  const Session session;
  const double inf = INFINITY;
  const P program = recorded(one(counting({3})), [&](const Tensors& x) {
    Tensors out;
    out.push_back(op(BP_OP_MINIMUM, {value(x[0]), number(inf)}));
    out.push_back(op(BP_OP_MAXIMUM, {value(x[0]), number(-inf)}));
    out.push_back(op(BP_OP_ADD, {value(x[0]), number(std::nan(""))}));
    out.push_back(op(BP_OP_ADD, {value(x[0]), number(0.1)}));
    return out;
  });
  expect_near(results(kept(program), one(counting({3}))), results(program, one(counting({3}))), 0);
}

TEST(ProgramFile, RunsOnTheDevicesThatAreGiven) {
  const Session session;
  const bp_device d0 = device("sim:0"), d1 = device("sim:1");
  const P program = recorded(one(wave({5, 7}, kCpu)), [&](const Tensors& x) {
    const T there = to(op(BP_OP_NEG, {value(x[0])}), d0);
    Tensors out;
    out.push_back(op(BP_OP_ADD, {value(to(op(BP_OP_EXP, {value(there)}), kCpu)), value(x[0])}));
    out.push_back(op(BP_OP_SIN, {value(there)}));
    return out;
  });
  const Doubles first = doubles(results(program, one(wave({5, 7}, kCpu)))[0]);
  for (const Devices& on :
       {Devices{}, Devices{kCpu, d1}, Devices{d1, d0}, Devices{kCpu}, Devices{d1}}) {
    const P moved = kept(program, on);
    const Tensors got = results(moved, one(wave({5, 7}, on.empty() ? kCpu : on[0])));
    expect_near(got, results(program, one(wave({5, 7}, kCpu))), 1e-6);
    EXPECT_EQ(bp_tensor_device(got[1].get()), on.empty() ? d0 : on.back());
  }
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  P none;
  const Answer three = loaded(file.path, none, {kCpu, d0, d1});
  EXPECT_EQ(three.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(three.message, "program '" + file.path +
                               "': the program uses 2 devices (cpu, sim:0), and 3 are given in "
                               "their place");
}

TEST(ProgramFile, IsMadeReadyAsAsked) {
  const Session session;
  const P program = recorded(one(counting({64})), [](const Tensors& x) {
    return one(op(BP_OP_EXP, {value(op(BP_OP_NEG, {value(x[0])}))}));
  });
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  const auto launches = [&](const bp_program_options* options) {
    bp_program* p = nullptr;
    EXPECT_EQ(bp_program_load(file.path.c_str(), nullptr, 0, options, &p, nullptr), BP_OK);
    const P owned(p);
    bp_program_facts f{};
    f.struct_size = sizeof f;
    EXPECT_EQ(bp_program_info(p, &f, nullptr), BP_OK);
    return f.n_launches;
  };
  const bp_program_options apart{sizeof apart, BP_PASS_GROUP, 0};
  EXPECT_EQ(launches(nullptr), 1u);
  EXPECT_EQ(launches(&apart), 2u);
}

TEST(ProgramFile, IsNoPartOfARecording) {
  const Session session;
  const P program = recorded(one(counting({4})),
                             [](const Tensors& x) { return one(op(BP_OP_NEG, {value(x[0])})); });
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
  ASSERT_EQ(bp_program_begin(nullptr, 0, 0, nullptr), BP_OK);
  P none;
  EXPECT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message,
            "saving a program cannot be recorded in a program: it would read tensors that the "
            "recording may write");
  EXPECT_EQ(loaded(file.path, none).message,
            "loading a program cannot be recorded in a program: a recording is no part of another "
            "yet");
  bp_program_abandon();
  EXPECT_EQ(loaded(file.path, none).message, "");
}

}  // namespace
}  // namespace bp_test
