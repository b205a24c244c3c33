// SPDX-License-Identifier: Apache-2.0
// A set-user-id program, and a caller who would like it to load code of theirs: load_all.c runs as
// root for the user "nobody", whose environment names marked.c's library wherever it can, in a file
// of every name that the core, a backend or a library of theirs opens.
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
constexpr uid_t kNobodysId = 65534;

// A cpu of theirs is not among them, so that there is one in an ordinary program that opens the
// rest.
constexpr const char* kLibraries[] = {"libbackplane_broken.so", "libbackplane_cuda.so",
                                      "libbackplane_hip.so",    "libopenblas.so.0",
                                      "libblis.so.4",           "libblas.so.3",
                                      "liblapack.so.3",         "libdnnl.so.2",
                                      "libdnnl.so.3",           "libz.so.1",
                                      "libcuda.so.1",           "libcudart.so.12",
                                      "libcublas.so.12",        "libcublas.so.13",
                                      "libcublasLt.so.12",      "libcublasLt.so.13",
                                      "libnccl.so.2",           "libamdhip64.so.5",
                                      "libamdhip64.so.6",       "libamdhip64.so.7",
                                      "libhipblas.so.2",        "librocblas.so.4",
                                      "librccl.so.1",           "libJitPI.so",
                                      "libittnotify.so",        "libscipy_openblas.so"};

// Those whose value is a folder.
constexpr const char* kFolders[] = {"BACKPLANE_PLUGIN_PATH",
                                    "ROCM_PATH",
                                    "HIP_PATH",
                                    "CUDA_HOME",
                                    "CUDA_PATH",
                                    "NCCL_HOME",
                                    "VIRTUAL_ENV",
                                    "CONDA_PREFIX",
                                    "PYTHONHOME",
                                    "PYTHONPATH",
                                    "LD_LIBRARY_PATH"};

// Those whose value is a file: options of backends, and what libraries that a backend opens read.
constexpr const char* kOptions[] = {"SIM_BLAS",   "SIM_NCCL",   "SIM_DNN",  "SIM_LT",
                                    "CUDA_BLAS",  "CUDA_NCCL",  "CUDA_DNN", "CUDA_LT",
                                    "HIP_BLAS",   "HIP_NCCL",   "CPU_BLAS", "CPU_LAPACK",
                                    "CPU_ONEDNN", "LD_PRELOAD", "LD_AUDIT"};
constexpr const char* kLibrariesOwn[] = {"INTEL_JIT_PROFILER64", "VS_PROFILER",
                                         "INTEL_LIBITTNOTIFY64", "OMP_TOOL_LIBRARIES"};

struct Trap {
  fs::path folder, program, ours, theirs;

  explicit Trap(const std::string& name) {
    // The caller must reach it, which a home or a folder of root's may not let them.
    char pattern[] = "/tmp/backplane-XXXXXX";
    folder = ::mkdtemp(pattern);
    fs::permissions(folder, fs::perms(0755));
    program = folder / name;
    fs::copy_file(LOADER_LOAD_ALL, program);
    ours = folder / "ours";
    fs::create_directories(ours);
    fs::permissions(ours, fs::perms(0755));
    for (const char* plugin : {"libbackplane_cpu.so", "libbackplane_sim.so"}) {
      fs::copy_file(fs::path(LOADER_PLUGINS) / plugin, ours / plugin);
      fs::permissions(ours / plugin, fs::perms(0755));
    }
    theirs = folder / "theirs";
    for (const char* place : {"", "lib", "lib64", "targets/x86_64-linux/lib",
                              "lib/python3.11/site-packages/nvidia/cublas/lib"}) {
      fs::create_directories(theirs / place);
      for (const char* library : kLibraries) fs::copy_file(LOADER_MARKED, theirs / place / library);
    }
  }
  ~Trap() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  std::string marked(const char* library) const { return (theirs / library).string(); }

  std::vector<std::string> whole_environment() const {
    std::vector<std::string> set;
    for (const char* name : kFolders) set.push_back(name + ("=" + theirs.string()));
    for (const char* name : kOptions) set.push_back(name + ("=" + marked("libcublas.so.12")));
    for (const char* name : kLibrariesOwn) set.push_back(name + ("=" + marked("libJitPI.so")));
    return set;
  }

  // Runs the program for nobody.
  Said spring(const std::vector<std::string>& environment) const {
    std::vector<std::string> command{"/usr/bin/setpriv", "--reuid",     kNobody, "--regid", kNobody,
                                     "--clear-groups",   "/usr/bin/env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(command.end(), {program.string(), ours.string()});
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
  const Said said = trap.spring(trap.whole_environment());
  if (said.code != 0) GTEST_SKIP() << "user " << kNobody << " cannot run it: " << said.err;
  EXPECT_TRUE(has(said.out, "secure 0")) << said.out;
  EXPECT_TRUE(has(said.out, "cpu BP_OK")) << said.out;
  // The plugin path, an option that names a file, LD_PRELOAD, and the loader's own path.
  for (const char* library :
       {"libbackplane_broken.so", "libbackplane_cuda.so", "libbackplane_hip.so", "libcublas.so.12",
        "libdnnl.so.2", "libdnnl.so.3", "libscipy_openblas.so", "libopenblas.so.0",
        "liblapack.so.3"})
    EXPECT_TRUE(has(said.out, "loaded " + trap.marked(library))) << library << ": " << said.out;
}

TEST_F(SetUserId, AnOrdinaryProgramsLibrariesLoadWhatTheirVariablesName) {
  const Trap trap("ordinary");
  std::vector<std::string> set;
  for (const char* name : kLibrariesOwn) set.push_back(name + ("=" + trap.marked("libJitPI.so")));
  const Said said = trap.spring(set);
  if (said.code != 0) GTEST_SKIP() << "user " << kNobody << " cannot run it: " << said.err;
  EXPECT_TRUE(has(said.out, "cpu BP_OK")) << said.out;
  if (!has(said.out, "loaded ")) GTEST_SKIP() << "no library here reads such a variable";
}

TEST_F(SetUserId, ASetUserIdProgramLoadsNothingThatItsCallerNames) {
  const Trap trap("privileged");
  ASSERT_EQ(::chmod(trap.program.c_str(), 04755), 0);
  const Said said = trap.spring(trap.whole_environment());
  if (!has(said.out, "secure 1"))
    GTEST_SKIP() << "the system gives it no rights (code " << said.code << "): " << said.err;
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "cpu BP_OK")) << said.out;
  EXPECT_TRUE(has(said.out, "sim BP_OK")) << said.out;
  EXPECT_FALSE(has(said.out, "loaded ")) << said.out;
}

// Somebody who may write a plugin, or the folder of it, as their own or because of its mode.
struct Writers {
  const char* title;
  void (*let_in)(const Trap& trap);
  const char* stage;
  bool file;
};
const Writers kWriters[] = {
    {"a folder that everybody may write",
     [](const Trap& t) { ASSERT_EQ(::chmod(t.ours.c_str(), 0777), 0); }, "directory", false},
    {"a folder of the caller's",
     [](const Trap& t) { ASSERT_EQ(::chown(t.ours.c_str(), kNobodysId, 0), 0); }, "directory",
     false},
    {"a file that everybody may write",
     [](const Trap& t) { ASSERT_EQ(::chmod((t.ours / "libbackplane_sim.so").c_str(), 0666), 0); },
     "file", true},
    {"a file of the caller's",
     [](const Trap& t) {
       ASSERT_EQ(::chown((t.ours / "libbackplane_sim.so").c_str(), kNobodysId, 0), 0);
     },
     "file", true}};

TEST_F(SetUserId, ASetUserIdProgramRefusesWhatOthersMayWrite) {
  for (const Writers& writers : kWriters) {
    SCOPED_TRACE(writers.title);
    const Trap trap("privileged");
    ASSERT_EQ(::chmod(trap.program.c_str(), 04755), 0);
    ASSERT_NO_FATAL_FAILURE(writers.let_in(trap));
    const Said said = trap.spring({});
    if (!has(said.out, "secure 1"))
      GTEST_SKIP() << "the system gives it no rights (code " << said.code << "): " << said.err;
    const fs::path refused = writers.file ? trap.ours / "libbackplane_sim.so" : trap.ours;
    EXPECT_TRUE(has(said.out, writers.stage + (" BP_UNAVAILABLE " + refused.string()) + "\n"))
        << said.out;
  }
}

// What only a privileged program minds, the caller's own, is no complaint of an ordinary one that
// runs as the caller.
TEST_F(SetUserId, AnOrdinaryProgramReportsWhatOthersMayWriteAndUsesIt) {
  for (const Writers& writers : kWriters) {
    SCOPED_TRACE(writers.title);
    const Trap trap("ordinary");
    ASSERT_NO_FATAL_FAILURE(writers.let_in(trap));
    const Said said = trap.spring({});
    if (said.code != 0) GTEST_SKIP() << "user " << kNobody << " cannot run it: " << said.err;
    const fs::path used = writers.file ? trap.ours / "libbackplane_sim.so" : trap.ours;
    EXPECT_EQ(has(said.out, writers.stage + (" BP_OK " + used.string()) + "\n"),
              has(writers.title, "everybody"))
        << said.out;
    EXPECT_TRUE(has(said.out, "sim BP_OK")) << said.out;
  }
}

}  // namespace
