// SPDX-License-Identifier: Apache-2.0
// A set-user-id program, and a caller who would like it to load code of theirs: load_all.c runs as
// root for the user "nobody", whose environment names marked.c's library wherever it can.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;

namespace {

constexpr const char* kNobody = "65534";

struct Trap {
  fs::path folder, program;
  std::vector<std::string> environment;

  explicit Trap(const std::string& name) {
    // The caller must reach it, which a home or a folder of root's may not let them.
    char pattern[] = "/tmp/backplane-XXXXXX";
    folder = ::mkdtemp(pattern);
    fs::permissions(folder, fs::perms(0755));
    program = folder / name;
    fs::copy_file(LOADER_LOAD_ALL, program);
    const fs::path theirs = folder / "theirs";
    for (const char* place : {"", "lib", "lib64", "targets/x86_64-linux/lib"}) {
      fs::create_directories(theirs / place);
      for (const char* library :
           {"libbackplane_broken.so", "libamdhip64.so.7", "libcublas.so.12", "libnccl.so.2",
            "librccl.so.1", "libopenblas.so.0", "liblapack.so.3", "libdnnl.so.3", "libz.so.1"})
        fs::copy_file(LOADER_MARKED, theirs / place / library);
    }
    const std::string at = theirs.string();
    for (const char* variable :
         {"BACKPLANE_PLUGIN_PATH", "ROCM_PATH", "HIP_PATH", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV",
          "CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH"})
      environment.push_back(std::string(variable) + "=" + at);
    for (const char* option : {"SIM_BLAS", "CUDA_BLAS", "HIP_BLAS", "CPU_BLAS"})
      environment.push_back(std::string(option) + "=" + at + "/libcublas.so.12");
    environment.push_back("LD_PRELOAD=" + at + "/libz.so.1");
  }
  ~Trap() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  Said spring() const {
    std::vector<std::string> command{"/usr/bin/setpriv", "--reuid",     kNobody, "--regid", kNobody,
                                     "--clear-groups",   "/usr/bin/env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(program.string());
    return ::run(command);
  }
};

class SetUserId : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can make a program set-user-id root";
    if (::access(LOADER_LIBRARY, R_OK) != 0) GTEST_SKIP() << LOADER_LIBRARY << " cannot be read";
  }
};

TEST_F(SetUserId, AnOrdinaryProgramLoadsWhatItsCallerNames) {
  const Trap trap("ordinary");
  const Said said = trap.spring();
  if (said.code != 0) GTEST_SKIP() << "user " << kNobody << " cannot run it: " << said.err;
  EXPECT_TRUE(has(said.out, "secure 0")) << said.out;
  for (const char* library : {"libbackplane_broken.so", "libcublas.so.12", "libz.so.1"})
    EXPECT_TRUE(has(said.out, "theirs/" + std::string(library))) << library << ": " << said.out;
}

TEST_F(SetUserId, ASetUserIdProgramLoadsNothingThatItsCallerNames) {
  const Trap trap("privileged");
  ASSERT_EQ(::chmod(trap.program.c_str(), 04755), 0);
  const Said said = trap.spring();
  if (!has(said.out, "secure 1"))
    GTEST_SKIP() << "the system gives it no rights (code " << said.code << "): " << said.err;
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(has(said.out, "loaded ")) << said.out;
}

}  // namespace
