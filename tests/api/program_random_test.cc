// SPDX-License-Identifier: Apache-2.0
// Random programs (random_calls.h). Each is recorded once and run over other inputs, and has the
// results and leaves the states that the same calls have and leave. BP_RANDOM_PROGRAMS says how
// many, and BP_RANDOM_SEED from which on.
#include <cmath>
#include <cstdlib>
#include <random>

#include "api/random_calls.h"
#include "kit/session.h"

namespace bp_test {
namespace {

using RandomProgram = Handle<bp_program, bp_program_release>;

int64_t from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

// Equal, or both no number; with `nearly` within a rounding of sums, which the cpu cuts otherwise
// in blocks.
void expect_same(const Several& got, const Several& wanted, bool nearly) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(shape_of(got[i]), shape_of(wanted[i]));
    ASSERT_EQ(bp_tensor_dtype(got[i].get()), bp_tensor_dtype(wanted[i].get()));
    const Doubles a = doubles(got[i]), b = doubles(wanted[i]);
    for (size_t k = 0; k < a.size(); ++k) {
      if (a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) continue;
      ASSERT_TRUE(nearly && std::fabs(a[k] - b[k]) <= 1e-3 * (std::fabs(a[k]) + std::fabs(b[k])))
          << "result " << i << "[" << k << "]: " << a[k] << " and " << b[k];
    }
  }
}

void check(uint64_t seed, bp_device device, bp_device other, uint32_t without) {
  std::mt19937_64 random(seed * 3 + 1);
  const auto fresh = [&](int64_t start) {
    Several all;
    for (uint64_t i = 0; i < 1 + seed % 3; ++i) {
      Shape shape;
      const uint64_t rank = (seed + i) % 4;
      for (uint64_t d = 0; d < rank; ++d)
        shape.push_back(1 + static_cast<int64_t>((seed / 4 + d * 7 + i) % 9));
      // The cpu goes over long rows in phases, and reduces many of them in parts.
      if (rank > 1 && seed % 7 < 3) shape.back() = 16 + static_cast<int64_t>(seed / 7 % 150);
      if (rank > 1 && seed % 7 > 1 && seed % 7 < 5)
        shape.front() = 16 * (1 + static_cast<int64_t>(seed / 7 % 9));
      T x;
      const T raw = counting(shape);
      EXPECT_EQ(invoke(BP_OP_SIN, {value(raw)}, x).status, BP_OK);
      T y;
      EXPECT_EQ(invoke(BP_OP_ADD, {value(x), number(start)}, y).status, BP_OK);
      all.push_back(to(y, device));
    }
    return all;
  };
  Several first = fresh(0), eager_states = fresh(3), states = fresh(3);
  const std::vector<bp_tensor*> in = raw(first);
  ASSERT_EQ(bp_program_begin(in.data(), static_cast<uint32_t>(in.size()), 0, nullptr), BP_OK);
  const Several made_then = RandomCalls(seed, first, states, other).run();
  const bp_program_options options{sizeof options, without, /*block_bytes=*/256};
  const std::vector<bp_tensor*> outputs = raw(made_then);
  bp_program* p = nullptr;
  const Answer ended =
      attempt(bp_program_end, outputs.data(), static_cast<uint32_t>(outputs.size()), &options, &p);
  ASSERT_EQ(ended.message, "");
  const RandomProgram program(p);
  Several again = fresh(0);
  const Several eager_then = RandomCalls(seed, again, eager_states, other).run();
  static_cast<void>(eager_then);
  for (int64_t k = 1; k <= 2; ++k) {
    Several x = fresh(k), same_x = fresh(k);
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const Several wanted = RandomCalls(seed, x, eager_states, other).run();
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const std::vector<bp_tensor*> bound = raw(same_x);
    std::vector<bp_tensor*> out(made_then.size());
    const Answer a =
        attempt(bp_program_run, program.get(), bound.data(), static_cast<uint32_t>(bound.size()),
                out.data(), static_cast<uint32_t>(out.size()));
    ASSERT_EQ(a.message, "");
    Several got;
    for (bp_tensor* t : out) got.emplace_back(t);
    const bool nearly = device == kCpu && !(without & BP_PASS_GROUP);
    expect_same(got, wanted, nearly);
    expect_same(states, eager_states, nearly);
    expect_same(same_x, x, nearly);  // what was written in place
  }
}

TEST(RandomPrograms, EqualTheirCalls) {
  bp_shutdown(-1, nullptr);  // of whoever came before in this process
  const Session session;
  const auto n = from_environment("BP_RANDOM_PROGRAMS", 300),
             first = from_environment("BP_RANDOM_SEED", 1);
  const bp_device sim = has_kind("sim:0") ? device("sim:0") : 0;
  for (int64_t seed = first; seed < first + n; ++seed) {
    const bp_device device = sim && seed % 4 == 3 ? sim : kCpu, other = seed % 3 == 0 ? sim : 0;
    const uint32_t without = seed % 5 == 0 ? uint32_t{BP_PASS_GROUP} : seed % 5 == 1 ? 7u : 0u;
    check(static_cast<uint64_t>(seed), device, other, without);
    if (testing::Test::HasFatalFailure()) FAIL() << "BP_RANDOM_SEED=" << seed;
  }
}

}  // namespace
}  // namespace bp_test
