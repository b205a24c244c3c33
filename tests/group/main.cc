// SPDX-License-Identifier: Apache-2.0
// The main of programs that mpirun starts several times. Member 0 prints what a test program
// prints; the others print what fails alone, and say who they are. Whoever has a failure exits with
// 1, and mpirun with it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

class Failures : public testing::EmptyTestEventListener {
 public:
  explicit Failures(const char* rank) : rank_(rank) {}
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& r) override {
    if (r.failed())
      std::printf("rank %s, %s: %s:%d: %s\n", rank_, test_.c_str(),
                  r.file_name() ? r.file_name() : "", r.line_number(), r.message());
    std::fflush(stdout);
  }

 private:
  const char* rank_;
  std::string test_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank && std::strcmp(rank, "0") != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures(rank));
  }
  return RUN_ALL_TESTS();
}
