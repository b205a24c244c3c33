// SPDX-License-Identifier: Apache-2.0
// The cpu's sums and normalisations give the same bits with any number of threads.
#include <gtest/gtest.h>

#include "cases/cases.h"
#include "judge.h"

namespace conformance {
namespace {

TEST(Threads, SumsAndNormalisationsDoNotDependOnTheirNumber) {
  const Session session(bp_device_make(BP_KIND_CPU, -1));
  const int32_t before = bp_get_num_threads();
  for (const char* name : {"sum", "mean", "prod", "layer_norm", "rms_norm", "batch_norm",
                           "batch_norm_running", "group_norm", "nll_loss", "layer_norm_grad",
                           "rms_norm_grad", "batch_norm_grad", "group_norm_grad"}) {
    const Spec* spec = oracle_of(name);
    ASSERT_NE(spec, nullptr) << name;
    for (const Call& call : cases_of(*spec, BP_F32)) {
      std::vector<Array> alone;
      for (const int32_t threads : {1, 2, 5}) {
        ASSERT_EQ(bp_set_num_threads(threads, nullptr), BP_OK);
        const Outcome o = session.run(op_named(name).id, call);
        ASSERT_EQ(o.status, BP_OK) << name << ": " << o.message;
        if (threads == 1) alone = o.results;
        for (size_t k = 0; k < alone.size(); ++k)
          for (size_t i = 0; i < alone[k].size(); ++i) {
            const Real one = alone[k].re[i], other = o.results[k].re[i];
            EXPECT_TRUE(one == other || (one != one && other != other))
                << headline(op_named(name), call, session.device()) << ", " << threads
                << " threads: " << other << " instead of " << one;
            if (HasFailure()) return static_cast<void>(bp_set_num_threads(before, nullptr));
          }
      }
    }
  }
  ASSERT_EQ(bp_set_num_threads(before, nullptr), BP_OK);
}

}  // namespace
}  // namespace conformance
