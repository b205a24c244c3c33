// SPDX-License-Identifier: Apache-2.0
// runtime_test.h: a machine of a test, and calls that are to give a code.
//
//   Machine machine{{"DEVICES", "3"}, {"PEERS", "0>1"}};      // CUDA_MACHINE_DEVICES, ...
//   EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(3));
//
// Over the real library (chosen by LD_LIBRARY_PATH) a test whose machine has options, or a reason
// why it is none for a card, is skipped; each wants a process of its own (on_card.sh).
#pragma once
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels_in_ptx.h"

inline void restart_machine() {
  reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "cuda_machine_restart"))();
}

#define EXPECT_CODE(code, call)                                \
  EXPECT_STREQ(cudaGetErrorName(code), cudaGetErrorName(call)) \
      << cudaGetErrorString(cudaPeekAtLastError())
#define OK(call) EXPECT_CODE(cudaSuccess, call)

class Machine {
 public:
  Machine(std::initializer_list<std::pair<const std::string, std::string>> options = {})
      : options_(options) {
    if (is_a_card()) {
      if (!options_.empty()) skip(options_.begin()->first + " is the machine's option");
      return;
    }
    for (const auto& [name, value] : options_)
      setenv((name[0] == '!' ? name.substr(1) : "CUDA_MACHINE_" + name).c_str(), value.c_str(), 1);
    restart_machine();
  }
  explicit Machine(const char* none_for_a_card) : Machine() {
    if (is_a_card()) skip(none_for_a_card);
  }
  ~Machine() {
    if (is_a_card()) return;
    restart_machine();
    for (const auto& [name, value] : options_)
      unsetenv((name[0] == '!' ? name.substr(1) : "CUDA_MACHINE_" + name).c_str());
    restart_machine();
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

 private:
  // Ends the test, as googletest lets an exception do that was reported before.
  [[noreturn]] static void skip(const std::string& why) {
    [&] { GTEST_SKIP() << why; }();
    throw testing::AssertionException(
        testing::TestPartResult(testing::TestPartResult::kSkip, __FILE__, __LINE__, why.c_str()));
  }

  std::map<std::string, std::string> options_;
};

// A stream that does nothing until it is opened.
class Gate {
 public:
  explicit Gate(cudaStream_t s) {
    auto* waits = new std::shared_future<void>(opened_.get_future());
    const auto wait = [](void* f) {
      const std::unique_ptr<std::shared_future<void>> opened(
          static_cast<std::shared_future<void>*>(f));
      opened->wait();
    };
    OK(cudaLaunchHostFunc(s, wait, waits));
  }
  ~Gate() { open(); }
  void open() {
    if (!is_open_) opened_.set_value();
    is_open_ = true;
  }

 private:
  std::promise<void> opened_;
  bool is_open_ = false;
};

inline char* block(size_t bytes) {
  void* p = nullptr;
  OK(cudaMalloc(&p, bytes));
  return static_cast<char*>(p);
}
inline char* pinned(size_t bytes) {
  void* p = nullptr;
  OK(cudaHostAlloc(&p, bytes, cudaHostAllocPortable));
  return static_cast<char*>(p);
}
inline cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t s = nullptr;
  OK(cudaStreamCreateWithPriority(&s, flags, 0));
  return s;
}
inline cudaEvent_t event() {
  cudaEvent_t e = nullptr;
  OK(cudaEventCreate(&e));
  return e;
}

// Kernels of one pointer; each thread of the grid's first row has a word of it.
inline const Kernels& kernels() {
  static const std::string
      begin = "(.param .u64 p)",
      body =
          "{ .reg .b64 %rd<5>; .reg .b32 %r<5>; ld.param.u64 %rd1, [p];"
          "cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;"
          "mov.u32 %r3, %tid.x; mad.lo.s32 %r1, %r1, %r2, %r3; mul.wide.u32 %rd2, %r1, 4;"
          "add.s64 %rd1, %rd1, %rd2;\n";
  static const Kernels all(
      ".visible .entry fill" + begin + body + "st.global.u32 [%rd1], %r1;\n ret; }\n" +  //
          ".visible .entry look" + begin + body + "ld.global.u32 %r4, [%rd1];\n ret; }\n" +
          ".visible .entry bounded" + begin + ".maxntid 64, 1, 1" + body + "ret; }\n" +
          ".visible .entry sharing" + begin + body +
          ".shared .align 4 .b8 s[1024]; st.shared.u32 [s], %r1;\n ret; }\n" +
          (is_a_card()
               ? ""
               : ".visible .entry strange" + begin + body + "frobnicate.u32 %r1, %r2;\n ret; }\n"),
      {"fill", "look", "bounded", "sharing", "strange", "absent"});
  return all;
}
inline cudaError_t launch(const std::string& name, const char* p, cudaStream_t s,
                          dim3 blocks = dim3(1), dim3 threads = dim3(32), size_t shared_bytes = 0) {
  void* arguments[] = {&p};
  return cudaLaunchKernel(kernels()[name], blocks, threads, arguments, shared_bytes, s);
}
