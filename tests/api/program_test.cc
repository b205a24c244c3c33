// SPDX-License-Identifier: Apache-2.0
// Programs through the C API: what they compute is what eager calls compute, on every backend that
// is there; what they hold, draw and count; and what cannot be recorded, in which words.
#include <cmath>
#include <functional>
#include <thread>

#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/modules.h"
#include "kit/programs.h"
#include "kit/session.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

// (x - mean) / sqrt(mean of squares) over rows, times e^x, with a view, a copy and a second result.
Tensors mixed(const Tensors& in) {
  const T& x = in[0];
  int64_t last = -1;
  const bp_attr axes{"axes", BP_ATTR_INTS, 1, {.ints = &last}, 0};
  const T mean = op(BP_OP_MEAN, {value(x)}, {axes, flag("keepdims", true)});
  const T centred = op(BP_OP_SUB, {value(x), value(mean)});
  const T squares = op(BP_OP_MUL, {value(centred), value(centred)});
  const T spread =
      op(BP_OP_SQRT, {value(op(BP_OP_MEAN, {value(squares)}, {axes, flag("keepdims", true)}))});
  T y = op(BP_OP_MUL, {value(op(BP_OP_DIV, {value(centred), value(spread)})),
                       value(op(BP_OP_EXP, {value(x)}))});
  const T turned = made(bp_tensor_transpose, y.get(), int64_t{0}, int64_t{1});
  T sums = op(BP_OP_SUM, {value(made(bp_tensor_contiguous, turned.get()))}, {axes});
  Tensors out;
  out.push_back(std::move(y));
  out.push_back(std::move(sums));
  return out;
}

TEST(Program, ComputesWhatTheCallsCompute) {
  const Session session;
  for (bp_device d : devices_with_kernels())
    for (uint32_t without : {0u, uint32_t{BP_PASS_GROUP}, 7u}) {
      SCOPED_TRACE(info_of(d).name + std::string(", without ") + std::to_string(without));
      Tensors first, second;
      first.push_back(wave({40, 65}, d));
      second.push_back(wave({40, 65}, d, 77));
      const P program = recorded(first, mixed, without);
      for (const Tensors* in : {&second, &first, &second}) {
        const Tensors wanted = mixed(*in), got = results(program, *in);
        ASSERT_EQ(got.size(), 2u);
        EXPECT_EQ(doubles(got[0]), doubles(wanted[0]));
        EXPECT_EQ(doubles(got[1]), doubles(wanted[1]));
        EXPECT_EQ(shape_of(got[0]), (Shape{40, 65}));
      }
    }
}

// (a cos - b sin, a sin + b cos) of the halves a, b of each row, joined again: rows are read and
// written in parts, beside numbers that stay for a row.
Tensors turned(const Tensors& in) {
  const int64_t rank = bp_tensor_rank(in[0].get()),
                half = bp_tensor_shape(in[0].get())[rank - 1] / 2;
  const T a = made(bp_tensor_narrow, in[0].get(), rank - 1, int64_t{0}, half);
  const T b = made(bp_tensor_narrow, in[0].get(), rank - 1, half, half);
  const auto mul = [](const T& x, const T& y) { return op(BP_OP_MUL, {value(x), value(y)}); };
  const T left = op(BP_OP_SUB, {value(mul(a, in[1])), value(mul(b, in[2]))});
  const T right = op(BP_OP_ADD, {value(mul(a, in[2])), value(mul(b, in[1]))});
  const bp_attr axis{"axis", BP_ATTR_I64, 1, {.i64 = -1}, 0};
  Tensors out;
  out.push_back(op(BP_OP_CONCAT, {value(left), value(right)}, {axis}));
  return out;
}

TEST(Program, JoinsPartsOfRowsAsTheCallsDo) {
  const Session session;
  for (bp_device d : devices_with_kernels())
    for (int64_t width : {2, 30, 32, 34, 66, 1000}) {
      SCOPED_TRACE(info_of(d).name + std::string(", rows of ") + std::to_string(width));
      Tensors in;
      in.push_back(wave({7, 3, width}, d));
      in.push_back(wave({7, 1, width / 2}, d, 5));
      in.push_back(wave({7, 3, 1}, d, 9));
      const P program = recorded(in, turned);
      EXPECT_EQ(doubles(results(program, in)[0]), doubles(turned(in)[0]));
    }
}

TEST(Program, RunsChainsInOneLaunchWithNothingInBetween) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    Tensors in;
    in.push_back(wave({300, 1000}, d));
    const Work chain = [](const Tensors& x) {
      return one(op(BP_OP_MUL,
                    {value(op(BP_OP_EXP, {value(op(BP_OP_NEG, {value(x[0])}))})), number(2.0)}));
    };
    const bp_program_facts together = facts(recorded(in, chain)),
                           apart = facts(recorded(in, chain, BP_PASS_GROUP));
    EXPECT_EQ(together.n_recorded, 3u);
    EXPECT_EQ(together.n_steps, 3u);
    EXPECT_EQ(together.n_launches, 1u);
    EXPECT_EQ(together.arena_bytes, 0u);
    EXPECT_EQ(apart.n_launches, 3u);
    EXPECT_EQ(apart.arena_bytes, 2u * 300 * 1000 * 4);
    EXPECT_GE(apart.eager_peak_bytes, 2u * 300 * 1000 * 4);
    EXPECT_EQ(together.moved_bytes, 2u * 300 * 1000 * 4);
    EXPECT_EQ(apart.moved_bytes, 6u * 300 * 1000 * 4);
  }
}

// Rows of any length beside a column, through values of every width; a loop does several elements
// at once, and a row may end anywhere.
Tensors through_all_widths(const Tensors& in) {
  const T &x = in[0], &column = in[1];
  Tensors out;
  const T y = op(BP_OP_SUB, {value(op(BP_OP_MUL, {value(x), value(column)})), number(0.25)});
  const T positive = op(BP_OP_GT, {value(y), number(0.0)}),
          small = op(BP_OP_LE, {value(op(BP_OP_ABS, {value(y)})), value(x)});
  const T one_of_them = op(BP_OP_LOGICAL_XOR, {value(positive), value(small)});
  out.push_back(op(BP_OP_WHERE, {value(one_of_them), value(op(BP_OP_RELU, {value(y)})),
                                 value(op(BP_OP_SIGN, {value(y)}))}));
  out.push_back(op(BP_OP_LOGICAL_NOT, {value(one_of_them)}));
  for (const bp_dtype d : {BP_I32, BP_U8, BP_I8, BP_U16, BP_I16, BP_BOOL}) {
    const T narrow = to(op(BP_OP_MUL, {value(y), number(90.0)}), bp_tensor_device(x.get()), d);
    out.push_back(op(BP_OP_ADD, {value(to(narrow, bp_tensor_device(x.get()), BP_F32)), value(x)}));
    out.push_back(same(narrow));
    for (const uint32_t compares : {BP_OP_EQ, BP_OP_NE, BP_OP_LT, BP_OP_LE, BP_OP_GT, BP_OP_GE})
      if (d != BP_BOOL) out.push_back(op(compares, {value(narrow), number(int64_t{3})}));
  }
  out.push_back(op(BP_OP_MAXIMUM, {value(y), value(op(BP_OP_ROUND, {value(x)}))}));
  return out;
}

TEST(Program, EndsRowsOfAnyLength) {
  const Session session;
  for (bp_device d : devices_with_kernels())
    for (int64_t n = 1; n <= 40; ++n) {
      SCOPED_TRACE(n);
      Tensors in = one(wave({3, n}, d)), flat = one(wave({n}, d));
      in.push_back(wave({3, 1}, d, 50));
      flat.push_back(wave({n}, d, 50));
      for (const Tensors* given : {&in, &flat}) {
        const Tensors wanted = through_all_widths(*given),
                      got = results(recorded(*given, through_all_widths), *given);
        for (size_t i = 0; i < wanted.size(); ++i)
          EXPECT_EQ(doubles(got[i]), doubles(wanted[i])) << "result " << i;
      }
    }
}

TEST(Program, ReadsNothingThatItsLaunchHasWritten) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    Tensors in;
    in.push_back(wave({300, 1000}, d));
    const bp_program_facts both = facts(recorded(in, [](const Tensors& x) {
      Tensors out;
      out.push_back(op(BP_OP_NEG, {value(x[0])}));
      out.push_back(op(BP_OP_EXP, {value(out[0])}));
      return out;
    }));
    EXPECT_EQ(both.n_launches, 1u);
    EXPECT_EQ(both.moved_bytes, 3u * 300 * 1000 * 4);
  }
}

// What is reduced over the outermost dim, and then is multiplied by that. `overwrites`: the first
// input changes in between.
Tensors over_batches(const Tensors& in, uint32_t reduction, std::vector<int64_t> axes,
                     bool overwrites) {
  const T off = op(BP_OP_SUB, {value(in[0]), value(in[1])});
  const T squares = op(BP_OP_MUL, {value(off), value(off)});
  const bp_attr over{
      "axes", BP_ATTR_INTS, static_cast<uint32_t>(axes.size()), {.ints = axes.data()}, 0};
  T reduced = op(reduction, {value(squares)}, {over, flag("keepdims", true)});
  if (overwrites) {
    T self = same(in[0]);
    EXPECT_EQ(invoke(BP_OP_ADD, {value(self), number(1.0)}, self).status, BP_OK);
  }
  Tensors out = one(op(BP_OP_MUL, {value(off), value(reduced)}));
  out.push_back(std::move(reduced));
  return out;
}

TEST(Program, ReducesTheOutermostDimInPartsAndMakesCheapValuesAgain) {
  struct Case {
    Shape shape, row;
    std::vector<int64_t> axes;
    uint32_t n_split;
  };
  const Case cases[] = {{{512, 600}, {600}, {0}, 1},
                        {{3906, 256}, {256}, {0}, 1},
                        {{64, 16, 300}, {16, 1}, {0, 2}, 1},
                        {{24, 40, 300}, {40, 300}, {0}, 1},
                        {{521, 600}, {600}, {0}, 0},  // a prime has no parts
                        {{300, 40}, {40}, {0}, 0}};   // and what stays in a cache needs none
  const Session session;
  for (const Case& c : cases)
    for (const uint32_t reduction : {BP_OP_SUM, BP_OP_MEAN, BP_OP_MAX, BP_OP_MIN})
      for (const bool overwrites : {false, true}) {
        SCOPED_TRACE(c.shape[0] * 10000 + reduction * 10 + overwrites);
        const auto inputs = [&] {
          Tensors in = one(wave(c.shape, kCpu));
          in.push_back(wave(c.row, kCpu, 7));
          return in;
        };
        const Work work = [&](const Tensors& x) {
          return over_batches(x, reduction, c.axes, overwrites);
        };
        const P program = recorded(inputs(), work);
        const uint32_t n_again = c.shape[0] != 300 && !overwrites;
        EXPECT_EQ(facts(program).n_steps, facts(program).n_recorded + c.n_split + n_again);
        EXPECT_EQ(facts(recorded(inputs(), work, BP_PASS_GROUP)).n_steps,
                  facts(program).n_recorded);
        const Tensors got = results(program, inputs()), wanted = work(inputs());
        for (size_t i = 0; i < 2; ++i) {
          const Doubles a = doubles(got[i]), b = doubles(wanted[i]);
          ASSERT_EQ(a.size(), b.size());
          for (size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 2e-6 * std::fabs(b[k]));
        }
      }
}

TEST(Program, LeavesOutWhatNobodyReadsAndWhatWasComputedBefore) {
  const Session session;
  Tensors in;
  in.push_back(wave({8}, kCpu));
  const Work work = [](const Tensors& x) {
    op(BP_OP_EXP, {value(op(BP_OP_NEG, {value(x[0])}))});  // for nobody
    const T a = op(BP_OP_SIN, {value(x[0])}), b = op(BP_OP_SIN, {value(x[0])});
    Tensors out;
    out.push_back(op(BP_OP_ADD, {value(a), value(b)}));
    return out;
  };
  const P program = recorded(in, work);
  EXPECT_EQ(facts(program).n_recorded, 5u);
  EXPECT_EQ(facts(program).n_dead, 2u);
  EXPECT_EQ(facts(program).n_equal, 1u);
  EXPECT_EQ(facts(program).n_steps, 2u);
  EXPECT_EQ(facts(recorded(in, work, BP_PASS_DEAD | BP_PASS_EQUAL)).n_steps, 5u);
  EXPECT_EQ(values<float>(results(program, in)[0]), values<float>(work(in)[0]));
}

TEST(Program, WritesWhatItHoldsInPlace) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    T total = to(counting({4}), d);
    Tensors in;
    in.push_back(to(counting({4}), d));
    const P program = recorded(in, [&](const Tensors& x) {
      EXPECT_EQ(invoke(BP_OP_ADD, {value(total), value(x[0])}, total).status, BP_OK);
      Tensors out;
      out.push_back(op(BP_OP_MUL, {value(total), number(int64_t{10})}));
      return out;
    });
    EXPECT_EQ(doubles(total), (Doubles{0, 2, 4, 6}));
    const uint64_t version = bp_tensor_version(total.get());
    EXPECT_EQ(doubles(results(program, in)[0]), (Doubles{0, 30, 60, 90}));
    EXPECT_EQ(doubles(results(program, in)[0]), (Doubles{0, 40, 80, 120}));
    EXPECT_EQ(doubles(total), (Doubles{0, 4, 8, 12}));
    EXPECT_GT(bp_tensor_version(total.get()), version);
  }
}

TEST(Program, WritesAnInputInPlaceAndGivesInputsAndViewsBack) {
  const Session session;
  Tensors in, other;
  in.push_back(counting({2, 3}));
  other.push_back(counting({2, 3}));
  const P program = recorded(in, [&](const Tensors& x) {
    T self = same(x[0]);
    EXPECT_EQ(invoke(BP_OP_ADD, {value(self), number(int64_t{1})}, self).status, BP_OK);
    Tensors out;
    out.push_back(made(bp_tensor_select, self.get(), int64_t{0}, int64_t{1}));
    out.push_back(std::move(self));
    return out;
  });
  const Tensors got = results(program, other);
  EXPECT_EQ(values<float>(got[0]), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(values<float>(other[0]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  void *mine = nullptr, *theirs = nullptr;
  EXPECT_EQ(bp_tensor_data(other[0].get(), &mine, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_data(got[1].get(), &theirs, nullptr), BP_OK);
  EXPECT_EQ(mine, theirs);
}

TEST(Program, WritesGivenOutputsAndTakesOtherLayouts) {
  const Session session;
  Tensors in, turned;
  in.push_back(counting({3, 4}));
  turned.push_back(made(bp_tensor_transpose, counting({4, 3}).get(), int64_t{0}, int64_t{1}));
  const P program = recorded(in, [](const Tensors& x) {
    Tensors out;
    out.push_back(op(BP_OP_NEG, {value(x[0])}));
    return out;
  });
  const T given = counting({3, 4});
  std::vector<bp_tensor*> out = {given.get()};
  EXPECT_EQ(run(program, turned, out).message, "");
  EXPECT_EQ(out[0], given.get());
  EXPECT_EQ(values<float>(given),
            (std::vector<float>{0, -3, -6, -9, -1, -4, -7, -10, -2, -5, -8, -11}));
  const T wide = counting<double>({3, 4});  // converted
  out = {wide.get()};
  EXPECT_EQ(run(program, in, out).message, "");
  EXPECT_EQ(doubles(wide)[11], -11);
  out = {in[0].get()};  // over its own input
  EXPECT_EQ(run(program, in, out).message, "");
  EXPECT_EQ(values<float>(in[0])[11], -11);
  const T small = counting({3});
  out = {small.get()};
  EXPECT_EQ(run(program, in, out).message,
            "output 0 of the program has shape [3, 4], the given one [3]");
}

TEST(Program, DrawsRandomNumbersAsTheCallsDo) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    Tensors in;
    in.push_back(to(counting({16}), d));
    const Work work = [](const Tensors& x) {
      const T kept = op(BP_OP_DROPOUT, {value(x[0])}, {attr("p", 0.5)});
      Tensors out;
      out.push_back(
          op(BP_OP_ADD, {value(kept), value(op(BP_OP_DROPOUT, {value(x[0])}, {attr("p", 0.5)}))}));
      return out;
    };
    const P program = recorded(in, work);
    EXPECT_EQ(bp_manual_seed(5, nullptr), BP_OK);
    const Doubles first = doubles(work(in)[0]), second = doubles(work(in)[0]);
    EXPECT_EQ(bp_manual_seed(5, nullptr), BP_OK);
    EXPECT_EQ(doubles(results(program, in)[0]), first);
    EXPECT_EQ(doubles(results(program, in)[0]), second);
    EXPECT_EQ(doubles(work(in)[0]).size(), 16u);
  }
}

TEST(Program, CrossesDevices) {
  const Session session;
  if (!has_kind("sim:0")) GTEST_SKIP() << "there is no second device";
  const bp_device d = device("sim:0");
  const Work work = [&](const Tensors& x) {
    const T there = to(op(BP_OP_NEG, {value(x[0])}), d);
    const T back = to(op(BP_OP_EXP, {value(there)}), kCpu);
    Tensors out;
    out.push_back(op(BP_OP_ADD, {value(back), value(x[0])}));
    out.push_back(op(BP_OP_SIN, {value(there)}));
    return out;
  };
  Tensors in, other;
  in.push_back(wave({5, 7}, kCpu));
  other.push_back(wave({5, 7}, kCpu, 9));
  const P program = recorded(in, work);
  const Tensors wanted = work(other), got = results(program, other);
  EXPECT_EQ(doubles(got[0]), doubles(wanted[0]));
  EXPECT_EQ(doubles(got[1]), doubles(wanted[1]));
  EXPECT_EQ(bp_tensor_device(got[1].get()), d);
}

TEST(Program, ChecksItsInputs) {
  const Session session;
  Tensors in;
  in.push_back(counting({2, 3}));
  const P program = recorded(in, [](const Tensors& x) {
    Tensors out;
    out.push_back(op(BP_OP_NEG, {value(x[0])}));
    return out;
  });
  std::vector<bp_tensor*> out(1);
  Tensors shape, dtype;
  shape.push_back(counting({3, 2}));
  dtype.push_back(counting<double>({2, 3}));
  const Answer other_shape = run(program, shape, out), other_dtype = run(program, dtype, out),
               none = run(program, {}, out);
  EXPECT_EQ(other_shape.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(
      other_shape.message,
      "input 0 of the program was recorded as float32 [2, 3] on cpu, and is float32 [3, 2] on cpu");
  EXPECT_EQ(other_dtype.status, BP_DTYPE_MISMATCH);
  EXPECT_EQ(
      other_dtype.message,
      "input 0 of the program was recorded as float32 [2, 3] on cpu, and is float64 [2, 3] on cpu");
  EXPECT_EQ(none.message, "the program has 1 inputs, got 0");
  out.clear();
  EXPECT_EQ(run(program, in, out).message, "the program has 1 outputs, got 0");
  if (has_kind("sim:0")) {
    Tensors elsewhere;
    elsewhere.push_back(to(in[0], device("sim:0")));
    out.resize(1);
    EXPECT_EQ(run(program, elsewhere, out).status, BP_DEVICE_MISMATCH);
  }
}

// In eager calls the second read would see what the first write left; a run block by block would
// not.
TEST(Program, RefusesInputsThatShareMemoryWithWhatItWrites) {
  const Session session;
  const T held = counting({4}), line = counting({6});
  Tensors in;
  in.push_back(counting({4}));
  in.push_back(counting({4}));
  const P program = recorded(in, [&](const Tensors& x) {
    T self = same(x[0]);
    EXPECT_EQ(invoke(BP_OP_ADD, {value(self), value(held)}, self).status, BP_OK);
    Tensors out;
    out.push_back(op(BP_OP_NEG, {value(x[1])}));
    return out;
  });
  const auto part = [&](int64_t from) {
    return made(bp_tensor_narrow, line.get(), int64_t{0}, from, int64_t{4});
  };
  std::vector<bp_tensor*> out(1);
  Tensors overlapping, over_held, apart;
  overlapping.push_back(part(0)), overlapping.push_back(part(2));
  over_held.push_back(same(held)), over_held.push_back(counting({4}));
  apart.push_back(counting({4})), apart.push_back(same(held));  // which it only reads
  const Answer two = run(program, overlapping, out), one = run(program, over_held, out);
  EXPECT_EQ(two.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(two.message, "inputs 0 and 1 of the program share memory, and it writes one of them");
  EXPECT_EQ(one.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(
      one.message,
      "input 0 of the program shares memory with a tensor that it holds, and it writes one of "
      "them");
  EXPECT_EQ(values<float>(held), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(run(program, apart, out).message, "");
  const T owned(out[0]);
  EXPECT_EQ(values<float>(owned), (std::vector<float>{0, -1, -2, -3}));

  // Two looks at one's own memory are two storages.
  std::vector<float> memory(6);
  const int64_t shape[] = {4};
  const auto borrowed = [&](size_t from) {
    return made(bp_tensor_borrow, static_cast<void*>(memory.data() + from), 1, shape,
                static_cast<const int64_t*>(nullptr), bp_dtype{BP_F32},
                static_cast<void (*)(void*)>(nullptr), static_cast<void*>(nullptr));
  };
  T first = borrowed(0);
  const T second = borrowed(2);
  ASSERT_EQ(begun({}).message, "");
  EXPECT_EQ(invoke(BP_OP_ADD, {value(first), number(1.0)}, first).status, BP_OK);
  Tensors outputs;
  outputs.push_back(op(BP_OP_NEG, {value(second)}));
  P none;
  EXPECT_EQ(ended(outputs, none).message,
            "writing memory that another tensor borrows too cannot be recorded in a program: which "
            "of the two comes first would not be known");
}

// What cannot be recorded: the call, and the sentence.
TEST(Program, SaysWhatCannotBeRecorded) {
  const Session session;
  const T held = counting({4}), beside = counting({8});
  Tensors in;
  in.push_back(made(bp_tensor_narrow, beside.get(), int64_t{0}, int64_t{0}, int64_t{4}));
  T constant;
  const std::vector<std::pair<std::function<Answer()>, std::string>> refused = {
      {[&] {
         bp_value v{};
         return attempt(bp_tensor_item, op(BP_OP_SUM, {value(in[0])}).get(), &v);
       },
       "reading the values of a tensor cannot be recorded in a program: what they decide would be the same in each run"},
      {[&] {
         void* p = nullptr;
         return attempt(bp_tensor_data, in[0].get(), &p);
       },
       "the address of a tensor's data cannot be recorded in a program: input 0 is another tensor in each run"},
      {[&] {
         void* p = nullptr;
         return attempt(bp_tensor_data, op(BP_OP_NEG, {value(in[0])}).get(), &p);
       },
       "the address of a tensor's data cannot be recorded in a program: a recorded call writes it"},
      {[&] {
         T out;
         return invoke(BP_OP_NONZERO, {value(in[0])}, out);
       },
       "nonzero cannot be recorded in a program: the shape of its result depends on the values of its operands"},
      {[&] {
         T out;
         return invoke(BP_OP_NEG, {value(beside)}, out);
       },
       "using memory beside input 0 cannot be recorded in a program: only the input itself is bound at each run"},
      {[&] {
         return attempt(
             bp_stream_host_func,
             made<Handle<bp_stream, bp_stream_release>>(bp_stream_default, kCpu).get(),
             +[](void*) {}, static_cast<void*>(nullptr));
       },
       "bp_stream_host_func cannot be recorded in a program: a callback of the host is no call of the library"},
      {[&] {
         constant = counting({4});
         T out;
         Answer a = invoke(BP_OP_NEG, {value(constant)}, out);
         return a.status == BP_OK
                    ? invoke(BP_OP_ADD, {value(constant), number(int64_t{1})}, constant)
                    : a;
       },
       "writing a tensor that the recording made from host memory cannot be recorded in a program: each run would go on from what "
       "the one before it wrote; make it before"},
  };
  for (const auto& [call, sentence] : refused) {
    ASSERT_EQ(begun(in).message, "");
    const Answer a = call();
    EXPECT_EQ(a.status, BP_BAD_STATE);
    EXPECT_EQ(a.message, sentence);
    EXPECT_EQ(bp_program_recording(), 1u);
    bp_program_abandon();
    EXPECT_EQ(bp_program_recording(), 0u);
    // Calls that go on end the recording instead, and work.
    ASSERT_EQ(begun(in, BP_PROGRAM_GOES_ON).message, "");
    EXPECT_EQ(call().message, "");
    P program;
    EXPECT_EQ(ended({}, program).message, sentence);
    EXPECT_EQ(bp_program_recording(), 0u);
  }
}

// What an op needs is found out by calls that run on nothing, of which no program may hear.
TEST(Program, AQuestionMeanwhileIsNoPartOfIt) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    uint32_t flags = 0;
    for (const uint32_t id :
         {BP_OP_LOGSUMEXP, BP_OP_LOGADDEXP, BP_OP_STD, BP_OP_CROSS}) {  // composed
      const Tensors in = one(wave({4}, d));
      ASSERT_EQ(begun(in, flags).message, "");
      uint32_t runs = 0;
      EXPECT_EQ(attempt(bp_op_supported, id, BP_F32, bp_device_kind(d), &runs).message, "");
      EXPECT_EQ(runs, 1u) << id;
      P program;
      EXPECT_EQ(ended(one(op(BP_OP_NEG, {value(in[0])})), program).message, "");
      EXPECT_EQ(facts(program).n_recorded, 1u);
      EXPECT_EQ(doubles(results(program, in)[0]), doubles(op(BP_OP_NEG, {value(in[0])})));
      flags = BP_PROGRAM_GOES_ON;
    }
  }
}

TEST(Program, RecordsOncePerThread) {
  const Session session;
  Tensors in;
  in.push_back(counting({4}));
  P program;
  EXPECT_EQ(ended({}, program).message, "this thread records no program");
  ASSERT_EQ(begun(in).message, "");
  EXPECT_EQ(begun(in).message, "this thread records a program already: end that one first");
  std::thread([&] {
    EXPECT_EQ(bp_program_recording(), 0u);
    EXPECT_EQ(values<float>(op(BP_OP_NEG, {value(in[0])}))[1], -1);  // is nobody's step
    EXPECT_EQ(begun(in).message, "");  // and is let go of with the thread
    op(BP_OP_NEG, {value(in[0])});
  }).join();
  Tensors out;
  out.push_back(op(BP_OP_EXP, {value(in[0])}));
  EXPECT_EQ(ended(out, program).message, "");
  EXPECT_EQ(facts(program).n_recorded, 1u);
  Tensors twice;
  twice.push_back(same(in[0]));
  twice.push_back(made(bp_tensor_alias, in[0].get()));
  EXPECT_EQ(begun(twice).message,
            "inputs 0 and 1 of a program share memory; give one of them and make the other of it");
  EXPECT_EQ(begun(in, 8).message, "bp_program_begin: flags 0x8 are not known");
}

TEST(Program, EndsWithTheRuntime) {
  Tensors in;
  P program, late;
  {
    const Session session;
    in.push_back(counting({4}));
    program = recorded(in, [](const Tensors& x) {
      Tensors out;
      out.push_back(op(BP_OP_NEG, {value(x[0])}));
      return out;
    });
    ASSERT_EQ(begun(in).message, "");
    op(BP_OP_NEG, {value(in[0])});
  }
  const Session again;
  EXPECT_EQ(ended({}, late).message, "the runtime was shut down while the program was recorded");
  std::vector<bp_tensor*> out(1);
  Tensors fresh;
  fresh.push_back(counting({4}));
  EXPECT_EQ(run(program, fresh, out).message,
            "program was made before the runtime was shut down; it can only be released");
  EXPECT_EQ(values<float>(op(BP_OP_NEG, {value(fresh[0])}))[1], -1);
}

// A step of training: forward, backward, the optimiser.
struct Task {
  T w, b;
  Optimizer optimizer;
  explicit Task(bp_device d, const char* kind)
      : w(leaf(wave({6, 3}, d))), b(leaf(wave({3}, d, 50))) {
    const std::vector<bp_tensor*> params = {w.get(), b.get()};
    bp_optimizer* o = nullptr;
    EXPECT_EQ(bp_optimizer_create(kind, params.data(), 2, nullptr, 0, &o, nullptr), BP_OK);
    optimizer.reset(o);
  }
  Tensors operator()(const Tensors& x) {
    EXPECT_EQ(bp_optimizer_zero_grad(optimizer.get(), 1, nullptr), BP_OK);
    const T y =
        op(BP_OP_TANH,
           {value(op(BP_OP_ADD, {value(op(BP_OP_MATMUL, {value(x[0]), value(w)})), value(b)}))});
    const T loss = op(BP_OP_MEAN, {value(op(BP_OP_MUL, {value(y), value(y)}))});
    bp_tensor* root = loss.get();
    const Answer a = attempt(bp_backward, &root, static_cast<bp_tensor* const*>(nullptr), 1u, 0u);
    EXPECT_EQ(a.message, "");
    EXPECT_EQ(attempt(bp_optimizer_step, optimizer.get()).message, "");
    Tensors out;
    out.push_back(made(bp_tensor_detach, loss.get()));
    return out;
  }
};

TEST(Program, TrainsAsTheCallsDo) {
  const Session session;
  for (bp_device d : devices_with_kernels())
    for (const char* kind : {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad"}) {
      SCOPED_TRACE(kind);
      Task eager(d, kind), programmed(d, kind);
      Tensors x;
      x.push_back(wave({5, 6}, d, 3));
      eager(x), programmed(x);  // makes the states
      const P step = recorded(x, std::ref(programmed));
      eager(x);
      for (int i = 0; i < 5; ++i) {
        Tensors batch;
        batch.push_back(wave({5, 6}, d, 10 * i));
        EXPECT_EQ(doubles(results(step, batch)[0]), doubles(eager(batch)[0]));
      }
      EXPECT_EQ(doubles(programmed.w), doubles(eager.w));
      int64_t steps = 0;
      EXPECT_EQ(bp_optimizer_steps_at(programmed.optimizer.get(), 0, 0, &steps, nullptr), BP_OK);
      EXPECT_EQ(steps, 7);
      // The options are those of the run.
      for (Task* t : {&eager, &programmed}) {
        const bp_attr lr = attr("lr", 0.5);
        EXPECT_EQ(bp_optimizer_set_attr(t->optimizer.get(), 0, &lr, nullptr), BP_OK);
      }
      EXPECT_EQ(doubles(results(step, x)[0]), doubles(eager(x)[0]));
      EXPECT_EQ(doubles(programmed.w), doubles(eager.w));
    }
}

TEST(Program, RefusesTheFirstStepOfAnOptimizer) {
  const Session session;
  Task task(kCpu, "Adam");
  Tensors x;
  x.push_back(wave({5, 6}, kCpu));
  ASSERT_EQ(begun(x, BP_PROGRAM_GOES_ON).message, "");
  task(x);
  P program;
  EXPECT_EQ(
      ended({}, program).message,
      "Adam cannot be recorded in a program: its first step makes the states that later ones go on with; take one before");
}

TEST(Program, ShowsItsSteps) {
  const Session session;
  Tensors in;
  in.push_back(counting({2, 3}));
  const T weight = counting({3});
  const P program = recorded(in, [&](const Tensors& x) {
    Tensors out;
    out.push_back(op(BP_OP_MUL, {value(op(BP_OP_NEG, {value(x[0])})), value(weight)}));
    return out;
  });
  char text[2000] = {};
  EXPECT_EQ(bp_program_format(program.get(), text, sizeof text, nullptr, nullptr), BP_OK);
  EXPECT_EQ(
      std::string(text),
      "in0: float32 [2, 3] cpu\n"
      "held3: 12 bytes of cpu, read\n"
      "together, 2 units in blocks of 2:\n"
      "  %1 float32 [6] = neg(in0 float32 [6])\n"
      "  %2 float32 [2, 3] = mul(%1 float32 [2, 3], held3 float32 [2, 3] strides [0, 1])\n"
      "out0: %2 float32 [2, 3]\n"
      "2 of 2 recorded steps, 0 dead, 0 equal, 0 joined, 0 added, in 1 launches; 0 bytes in between, 48 "
      "when recorded\n");
}

TEST(Program, RunsInManyThreads) {
  const Session session;
  Tensors in;
  in.push_back(wave({50, 60}, kCpu));
  const P program = recorded(in, mixed);
  const Doubles wanted = doubles(mixed(in)[0]);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(doubles(results(program, in)[0]), wanted);
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace bp_test
