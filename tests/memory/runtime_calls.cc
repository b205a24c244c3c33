// SPDX-License-Identifier: Apache-2.0
// runtime_calls.cc: the calls about the process, its devices, streams and memory.
#include "kit/devices.h"
#include "kit/tensors.h"
#include "kit/user_ops.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

using Report = Handle<bp_report, bp_report_release>;
using Stream = Handle<bp_stream, bp_stream_release>;
using Event = Handle<bp_event, bp_event_release>;
using Context = Handle<bp_context, bp_context_release>;

// A token that is given back, as a program gives it back on every path.
struct Token {
  bp_status (*pop)(uint64_t, bp_error**);
  uint64_t value = 0;
  ~Token() {
    if (value) {
      EXPECT_EQ(pop(value, nullptr), BP_OK);
    }
  }
};

bp_status settings(bp_error** err) {
  TRY(bp_set_num_threads(bp_get_num_threads(), err));
  TRY(bp_set_default_dtype(BP_F32, err));
  TRY(bp_set_matmul_precision(BP_PRECISION_HIGHEST, err));
  double a, b, c;
  TRY(bp_dtype_limits(BP_F16, &a, &b, &c, err));
  TRY(bp_manual_seed(3, err));
  return bp_set_wait_callback(nullptr, nullptr, err);
}

// A refusal has an error, which costs memory too.
bp_status refusals(bp_error** err) {
  bp_error* why = nullptr;
  bp_status status = bp_set_num_threads(-1, &why);
  if (status == BP_OUT_OF_HOST_MEMORY) {
    *err = why;
    return status;
  }
  EXPECT_EQ(status, BP_INVALID_ARGUMENT);
  bp_error_release(why);
  why = nullptr;
  status = bp_error_set(&why, BP_BAD_STATE, "a text of the program's own");
  EXPECT_EQ(status, BP_BAD_STATE);
  EXPECT_TRUE(bp_error_code(why) == status || bp_error_code(why) == BP_OUT_OF_HOST_MEMORY);
  bp_error_release(why);
  return BP_OK;
}

bp_status report(bp_error** err) {
  Report r;
  TRY(bp_report_create(into(r), err));
  bp_report_entry entry{};
  entry.struct_size = sizeof entry;
  return bp_report_get(r.get(), 0, &entry, err);
}

bp_status devices(bp_error** err) {
  bp_device d = 0;
  char text[64];
  uint32_t n = 0;
  int32_t count = 0;
  bp_kind kind = 0;
  bp_device_info info{};
  info.struct_size = sizeof info;
  bp_physical_info physical{};
  physical.struct_size = sizeof physical;
  TRY(bp_device_parse("sim:1", &d, err));
  TRY(bp_device_format(d, text, sizeof text, nullptr, err));
  TRY(bp_kind_count(&n, err));
  TRY(bp_kind_at(n - 1, &kind, err));
  TRY(bp_device_count(kind, &count, err));
  TRY(bp_kind_require(bp_device_kind(d), &count, err));
  TRY(bp_device_get_info(d, &info, err));
  TRY(bp_physical_count(bp_device_kind(d), &n, err));
  TRY(bp_physical_get(bp_device_kind(d), n - 1, &physical, err));
  return bp_set_visible_devices("null:0", err);
}

bp_status context(bp_error** err) {
  bp_device d = 0, sim = 0;
  TRY(bp_device_parse("sim:1", &sim, err));
  Token pushed{bp_default_pop}, current{bp_current_pop}, both{bp_device_pop},
      inside{bp_context_leave}, runs{bp_fallback_pop};
  bp_fallback policy = BP_FALLBACK_INHERIT;
  Context c;
  TRY(bp_default_push(kCpu, &pushed.value, err));
  TRY(bp_default_get(&d, err));
  TRY(bp_set_default_device(0, err));
  TRY(bp_current_push(sim, &current.value, err));
  TRY(bp_current_get(bp_device_kind(sim), &d, err));
  TRY(bp_set_current(sim, err));
  TRY(bp_device_push(sim, &both.value, err));
  TRY(bp_context_capture(into(c), err));
  TRY(bp_context_enter(c.get(), &inside.value, err));
  TRY(bp_set_fallback(BP_FALLBACK_INHERIT, err));
  // The objects above are destroyed in reverse order, the newest token first.
  TRY(bp_fallback_push(BP_FALLBACK_CPU, &runs.value, err));
  return bp_fallback_get(&policy, err);
}

bp_status user_op(bp_error** err) {
  static uint64_t n = 0;
  static char name[32];
  std::snprintf(name, sizeof name, "test.same%llu", static_cast<unsigned long long>(n));
  uint32_t op = 0;
  const bp_op_desc d = described(name, infer_same);
  TRY(bp_op_register(&d, &op, err));
  ++n;
  return bp_op_register_kernel(
      op, BP_KIND_CPU, [](void*, const bp_launch*, bp_error**) -> bp_status { return BP_OK; },
      nullptr, err);
}

bp_status reflection(bp_error** err) {
  uint32_t op = 0, yes = 0;
  const char* name = nullptr;
  bp_op_info info{};
  info.struct_size = sizeof info;
  bp_attr_info attr{};
  attr.struct_size = sizeof attr;
  TRY(bp_op_find("softmax", &op, err));
  TRY(bp_op_at(0, &yes, err));
  TRY(bp_op_get_info(op, &info, err));
  TRY(bp_op_input_name(op, 0, &name, err));
  TRY(bp_op_output_name(op, 0, &name, err));
  TRY(bp_op_attr(op, 0, &attr, err));
  return bp_op_supported(op, BP_F32, BP_KIND_CPU, &yes, err);
}

bp_status generators(bp_error** err) {
  Generator own, shared;
  uint64_t seed = 0, offset = 0;
  TRY(bp_generator_create(7, into(own), err));
  TRY(bp_generator_seed(own.get(), 8, err));
  TRY(bp_generator_reserve(own.get(), 5, &seed, &offset, err));
  TRY(bp_generator_get_state(own.get(), &seed, &offset, err));
  TRY(bp_generator_set_state(own.get(), seed, offset, err));
  return bp_generator_default(kCpu, into(shared), err);
}

bp_status streams(bp_device d, bp_error** err) {
  Stream s, first, now;
  Event before, after;
  TRY(bp_stream_create(d, 0, into(s), err));
  TRY(bp_stream_default(d, into(first), err));
  TRY(bp_stream_get_current(d, into(now), err));
  TRY(bp_stream_set_current(now.get(), err));
  T t;
  {
    Token pushed{bp_stream_pop};
    TRY(bp_stream_push(s.get(), &pushed.value, err));
    const int64_t shape[] = {64};
    TRY(bp_tensor_ones(1, shape, BP_F32, d, into(t), err));
  }
  TRY(bp_event_create(d, into(before), err));
  TRY(bp_event_create(d, into(after), err));
  TRY(bp_event_record(before.get(), s.get(), err));
  TRY(bp_stream_host_func(
      s.get(), [](void*) {}, nullptr, err));
  TRY(bp_event_record(after.get(), s.get(), err));
  TRY(bp_stream_wait_event(first.get(), after.get(), err));
  TRY(bp_tensor_record_stream(t.get(), first.get(), err));
  TRY(bp_event_synchronize(after.get(), err));
  TRY(bp_event_query(after.get(), err));
  double ms = 0;
  TRY(bp_event_elapsed(before.get(), after.get(), &ms, err));
  TRY(bp_stream_synchronize(s.get(), err));
  TRY(bp_stream_query(s.get(), err));
  return bp_synchronize(d, err);
}

bp_status memory(bp_device d, bp_error** err) {
  bp_memory_stats stats{};
  stats.struct_size = sizeof stats;
  bp_transfer_stats crossed{};
  crossed.struct_size = sizeof crossed;
  uint64_t waits = 0;
  T t;
  const int64_t shape[] = {3000};
  TRY(bp_tensor_empty(1, shape, BP_F32, d, into(t), err));
  t.reset();
  TRY(bp_memory_get_stats(d, &stats, err));
  TRY(bp_memory_reset_peak(d, err));
  TRY(bp_memory_trim(d, err));
  TRY(bp_memory_set_limit(d, stats.limit_bytes, err));
  TRY(bp_transfer_get_stats(kCpu, d, &crossed, err));
  return bp_device_get_waits(d, &waits, err);
}

}  // namespace

std::vector<Call> runtime_calls() {
  return {{"runtime", "settings", settings},
          {"runtime", "refusals", refusals},
          {"runtime", "report", report},
          {"runtime", "devices", devices},
          {"runtime", "context", context},
          {"runtime", "user_op", user_op, Threads::kThis, /*keeps=*/true},
          {"runtime", "reflection", reflection},
          {"runtime", "generators", generators}};
}

std::vector<Call> stream_calls(const std::string& name) {
  const bp_device d = device(name);
  return {{"streams", "streams", [=](bp_error** err) { return streams(d, err); }},
          {"streams", "memory", [=](bp_error** err) { return memory(d, err); }}};
}

}  // namespace bp_test
