// SPDX-License-Identifier: Apache-2.0
// Every allocation of first uses, each in a process of its own: the first call at all, the first of
// a kind, the first error, the first thread, the release of a graph. Nothing here uses the library
// in the process of the tests, whose children all start cold.
#include <gtest/gtest.h>

#include "kit/invoke.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

bool is_out_of_memory(bp_status s) {
  return s == BP_OUT_OF_HOST_MEMORY || s == BP_OUT_OF_DEVICE_MEMORY;
}

// `Refusing` refuses something after so many that it grants.
template <class Refusing>
void each(const First& call, const std::string& what) {
  long n = 0;
  for (const long refused : {1L, Refusals::kForEver})
    n += fail_each_point_of_a_first(
        call, what + (refused == 1 ? "" : ", with all later ones,"), points(),
        [&](long granted, bp_error** err, bool* struck) {
          const Refusing after(granted, refused);
          const bp_status status = call(err);
          *struck = Refusing::struck();
          return status;
        },
        [](bp_status status, const char*) -> std::string {
          return status >= 0 || is_out_of_memory(status) ? "" : "not that memory ran out";
        });
  EXPECT_GT(n, 0);
  testing::Test::RecordProperty("points", static_cast<int>(n));
  points().count("first " + what, 1, n);
}

struct ExhaustedEverywhere : Exhausted {
  ExhaustedEverywhere(long granted, long refused) : Exhausted(granted, refused, kAllThreads) {}
};

void each_allocation(const First& call) { each<Exhausted>(call, "allocation"); }
void each_allocation_of_all_threads(const First& call) {
  each<ExhaustedEverywhere>(call, "allocation");
}
void each_thread(const First& call) { each<NoThreads>(call, "thread"); }

bp_status used(const char* name, bp_error** err) {
  constexpr int64_t kShape[] = {2, 3};
  bp_device d = 0;
  T a, b;
  float out[6];
  TRY(bp_device_parse(name, &d, err));
  TRY(bp_tensor_ones(2, kShape, BP_F32, d, into(a), err));
  TRY(bp_tensor_to(a.get(), bp_device_make(BP_KIND_CPU, -1), BP_DTYPE_NONE, 1, 0, into(b), err));
  TRY(bp_tensor_read(a.get(), out, sizeof out, err));
  return bp_synchronize(d, err);
}
bp_status multiplied(const char* name, bp_error** err) {
  constexpr int64_t kShape[] = {200, 200};
  bp_device d = 0;
  T a, b, c;
  TRY(bp_device_parse(name, &d, err));
  TRY(bp_tensor_ones(2, kShape, BP_F32, d, into(a), err));
  TRY(bp_matmul(a.get(), a.get(), into(b), err));
  TRY(bp_exp(b.get(), into(c), err));
  return bp_synchronize(d, err);
}

TEST(EachAllocationOfAFirst, CallOfTheRuntime) {
  each_allocation([](bp_error** err) {
    uint32_t n = 0;
    return bp_kind_count(&n, err);
  });
}
TEST(EachAllocationOfAFirst, Report) {
  each_allocation([](bp_error** err) {
    Handle<bp_report, bp_report_release> r;
    return bp_report_create(into(r), err);
  });
}
TEST(EachAllocationOfAFirst, UseOfTheCpu) {
  each_allocation([](bp_error** err) { return used("cpu", err); });
}
TEST(EachAllocationOfAFirst, UseOfNull) {
  each_allocation([](bp_error** err) {
    bp_device d = 0;
    TRY(bp_device_parse("null", &d, err));
    return bp_synchronize(d, err);
  });
}
TEST(EachAllocationOfAFirst, UseOfSim) {
  each_allocation([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachAllocationOfAFirst, UnloadOfSim) {
  each_allocation([](bp_error** err) {
    bp_device d = 0;
    TRY(used("sim:0", err));
    TRY(bp_device_parse("sim:0", &d, err));
    return bp_unload_kind(bp_device_kind(d), -1, err);
  });
}
TEST(EachAllocationOfAFirst, ShutdownOfSim) {
  each_allocation([](bp_error** err) {
    TRY(used("sim:0", err));
    return bp_shutdown(-1, err);
  });
}
TEST(EachAllocationOfAFirst, InitWithOptions) {
  each_allocation([](bp_error** err) {
    bp_init_desc d{};
    d.struct_size = sizeof d;
    d.options = "sim.device_count=2;cpu.isa=base";
    d.visible_devices = "sim:1";
    d.alias = "cuda=sim";
    const bp_status status = bp_init(&d, err);
    if (status != BP_BAD_STATE) return status;  // it runs since the call before
    bp_error_release(*err);
    *err = nullptr;
    return bp_status{BP_OK};
  });
}
TEST(EachAllocationOfAFirst, Gradient) {
  each_allocation([](bp_error** err) {
    constexpr int64_t kShape[] = {3};
    T x, y, z;
    TRY(bp_tensor_ones(1, kShape, BP_F32, bp_device_make(BP_KIND_CPU, -1), into(x), err));
    TRY(bp_tensor_set_requires_grad(x.get(), 1, err));
    TRY(bp_mul(x.get(), x.get(), into(y), err));
    TRY(bp_sum(y.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(z), err));
    bp_tensor* roots[] = {z.get()};
    return bp_backward(roots, nullptr, 1, 0, err);
  });
}
TEST(EachAllocationOfAFirst, Module) {
  each_allocation([](bp_error** err) {
    const bp_attr size[] = {attr("in_features", int64_t{3}), attr("out_features", int64_t{2})};
    M m;
    return bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, into(m), err);
  });
}
TEST(EachAllocationOfAFirst, Error) {
  each_allocation([](bp_error** err) {
    bp_error* why = nullptr;
    const bp_status status = bp_set_num_threads(-1, &why);
    if (is_out_of_memory(status)) {
      *err = why;
      return status;
    }
    bp_error_release(why);
    return status == BP_INVALID_ARGUMENT ? bp_status{BP_OK} : bp_status{BP_INTERNAL};
  });
}
TEST(EachThreadOfAFirst, UseOfSim) {
  each_thread([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachThreadOfAFirst, PrefetchingLoader) {
  each_thread([](bp_error** err) {
    constexpr int64_t kShape[] = {4};
    T x;
    TRY(bp_tensor_ones(1, kShape, BP_F32, bp_device_make(BP_KIND_CPU, -1), into(x), err));
    bp_tensor *all[] = {x.get()}, *batch[1] = {};
    Dataset d;
    Loader l;
    TRY(bp_dataset_from_tensors(all, 1, into(d), err));
    bp_loader_desc desc{};
    desc.struct_size = sizeof desc;
    desc.batch_size = 2;
    desc.device = bp_device_make(BP_KIND_CPU, -1);
    desc.prefetch = 2;
    TRY(bp_loader_create(d.get(), &desc, into(l), err));
    TRY(bp_loader_next(l.get(), batch, 1, err));
    bp_tensor_release(batch[0]);
    return bp_status{BP_OK};
  });
}
// Products of matrices go to libraries that are opened for them, where there are any, and these end
// the process when memory runs out; so sim's, which is ours alone.
TEST(EachAllocationOfAFirst, ProductOnSim) {
  each_allocation_of_all_threads([](bp_error** err) { return multiplied("sim:0", err); });
}

}  // namespace
}  // namespace bp_test
