// SPDX-License-Identifier: Apache-2.0
// Every allocation of first uses, each in a process of its own: the first call at all, the first of
// a kind, the first error, the first thread, the release of a graph. Nothing here uses the library
// in the process of the tests, whose children all start cold.
#include <gtest/gtest.h>

#include "kit/invoke.h"
#include "memory/each_allocation.h"
#include "memory/first_use.h"

namespace bp_test {
namespace {

TEST(EachAllocationOfAFirst, CallOfTheRuntime) {
  fail_each_allocation_of_first([](bp_error** err) {
    uint32_t n = 0;
    return bp_kind_count(&n, err);
  });
}
TEST(EachAllocationOfAFirst, Report) {
  fail_each_allocation_of_first([](bp_error** err) {
    Handle<bp_report, bp_report_release> r;
    return bp_report_create(into(r), err);
  });
}
TEST(EachAllocationOfAFirst, UseOfTheCpu) {
  fail_each_allocation_of_first([](bp_error** err) { return used("cpu", err); });
}
// The instruction set decides which libraries the backend may open beside it.
bp_status used_plainly(bp_error** err) {
  bp_init_desc d{};
  d.struct_size = sizeof d;
  d.options = "cpu.isa=base";
  const bp_status status = bp_init(&d, err);
  if (status == BP_BAD_STATE) {  // it runs since the call before
    bp_error_release(*err);
    *err = nullptr;
  } else if (status < 0) {
    return status;
  }
  return used("cpu", err);
}
TEST(EachAllocationOfAFirst, UseOfAPlainCpu) { fail_each_allocation_of_first(used_plainly); }
TEST(EachAllocationOfAFirst, UseOfNull) {
  fail_each_allocation_of_first([](bp_error** err) {
    bp_device d = 0;
    TRY(bp_device_parse("null", &d, err));
    return bp_synchronize(d, err);
  });
}
TEST(EachAllocationOfAFirst, UseOfSim) {
  fail_each_allocation_of_first([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachAllocationOfAFirst, UnloadOfSim) {
  fail_each_allocation_of_first([](bp_error** err) {
    bp_device d = 0;
    TRY(used("sim:0", err));
    TRY(bp_device_parse("sim:0", &d, err));
    return bp_unload_kind(bp_device_kind(d), -1, err);
  });
}
TEST(EachAllocationOfAFirst, ShutdownOfSim) {
  fail_each_allocation_of_first([](bp_error** err) {
    TRY(used("sim:0", err));
    return bp_shutdown(-1, err);
  });
}
TEST(EachAllocationOfAFirst, InitWithOptions) {
  fail_each_allocation_of_first([](bp_error** err) {
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
  fail_each_allocation_of_first([](bp_error** err) {
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
  fail_each_allocation_of_first([](bp_error** err) {
    const bp_attr size[] = {attr("in_features", int64_t{3}), attr("out_features", int64_t{2})};
    M m;
    return bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, into(m), err);
  });
}
TEST(EachAllocationOfAFirst, Error) {
  fail_each_allocation_of_first([](bp_error** err) {
    bp_error* why = nullptr;
    const bp_status status = bp_set_num_threads(-1, &why);
    if (status == BP_OUT_OF_HOST_MEMORY) {
      *err = why;
      return status;
    }
    bp_error_release(why);
    return status == BP_INVALID_ARGUMENT ? bp_status{BP_OK} : bp_status{BP_INTERNAL};
  });
}
TEST(EachThreadOfAFirst, UseOfSim) {
  fail_each_thread_of_first([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachThreadOfAFirst, PrefetchingLoader) {
  fail_each_thread_of_first([](bp_error** err) {
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
// OpenBLAS ends a process in which it gets no thread, so one is asked for before it is opened. All
// are refused here, or none: nobody can hold what others take between that one and the library's.
bp_status factored(bp_error** err) {
  constexpr int64_t kRows = 300;
  T ones, product, q, r;
  TRY(used_plainly(err));
  TRY(bp_tensor_eye(kRows, kRows, BP_F64, bp_device_make(BP_KIND_CPU, -1), into(ones), err));
  TRY(bp_matmul(ones.get(), ones.get(), into(product), err));
  return bp_qr(product.get(), 0, into(q), into(r), err);
}
TEST(WithoutThreads, NoLibraryIsOpenedThatWantsThem) { fail_all_threads_of_first(factored); }
// Products of matrices go to libraries that are opened for them, where there are any, and these end
// the process when memory runs out; so sim's, which is ours alone.
TEST(EachAllocationOfAFirst, ProductOnSim) {
  fail_each_allocation_of_first([](bp_error** err) { return multiplied("sim:0", err); },
                                Threads::kAll);
}

}  // namespace
}  // namespace bp_test
