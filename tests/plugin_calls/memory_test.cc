// SPDX-License-Identifier: Apache-2.0
// What plugins are left with when the core's memory runs out in a first use: nothing.
#include <gtest/gtest.h>

#include "memory/each_allocation.h"
#include "memory/first_use.h"
#include "plugin_calls/each_plugin_call.h"

namespace bp_test {
namespace {

using Stream = Handle<bp_stream, bp_stream_release>;
using Event = Handle<bp_event, bp_event_release>;

void each_allocation(const Run& call) {
  fail_each_allocation_of_first(call, Threads::kThis, left_at_the_border);
}

TEST(EachAllocationAtTheBorder, OfAFirstUseOfTheCpu) {
  each_allocation([](bp_error** err) { return used("cpu", err); });
}
TEST(EachAllocationAtTheBorder, OfAFirstUseOfSim) {
  each_allocation([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachAllocationAtTheBorder, OfAFirstStream) {
  each_allocation([](bp_error** err) {
    bp_device d = 0;
    Stream s;
    Event e;
    TRY(bp_device_parse("sim:0", &d, err));
    TRY(bp_stream_create(d, 0, into(s), err));
    TRY(bp_event_create(d, into(e), err));
    return bp_event_record(e.get(), s.get(), err);
  });
}

}  // namespace
}  // namespace bp_test
