// SPDX-License-Identifier: Apache-2.0
// Where a vendor's library is looked for (plugins/gpu/library.h).
#include "gpu/library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

namespace {

namespace fs = std::filesystem;

// A host with options alone.
std::map<std::string, std::string>* options;
bp_host host_with(std::map<std::string, std::string>* given) {
  options = given;
  bp_host host{};
  host.option = [](void*, const char* key) -> const char* {
    const auto found = options->find(key);
    return found == options->end() ? nullptr : found->second.c_str();
  };
  return host;
}

struct Tree {
  fs::path root;
  Tree() {
    std::string name = (fs::temp_directory_path() / "backplane_library_XXXXXX").string();
    root = mkdtemp(name.data());
  }
  ~Tree() { fs::remove_all(root); }
  // A library that no other test opens, so that the process does not have it yet.
  std::string put(const std::string& path) const {
    fs::create_directories((root / path).parent_path());
    fs::copy_file(fs::path(FAKE_FOLDER) / "libfake_incomplete.so", root / path);
    return (root / path).string();
  }
  std::string operator/(const std::string& path) const { return (root / path).string(); }
};

bp_gpu::Opened opened(std::map<std::string, std::string> given, const bp_gpu::Words& names,
                      const bp_gpu::Words& folders = {}) {
  const bp_host host = host_with(&given);
  return bp_gpu::open_library(&host, "blas", names, folders);
}

TEST(Library, IsFoundInTheFirstFolderOfTheBestName) {
  const Tree tree;
  tree.put("kit-1/lib/libold_bp.so");
  const std::string best = tree.put("kit-2/lib/libnew_bp.so");
  const auto found = opened({}, {"libnew_bp.so", "libold_bp.so"}, {tree / "kit-*/lib"});
  EXPECT_NE(found.handle, nullptr) << found.why;
  EXPECT_EQ(found.file, best);
}

TEST(Library, IsFoundInAPythonEnvironment) {
  const Tree tree;
  const std::string venv =
      tree.put("venv/lib/python3.11/site-packages/nvidia/some/lib/libvenv_bp.so");
  const std::string conda = tree.put("conda/lib/libconda_bp.so");
  EXPECT_EQ(opened({{"VIRTUAL_ENV", tree / "venv"}}, {"libvenv_bp.so"}).file, venv);
  EXPECT_EQ(opened({{"CONDA_PREFIX", tree / "conda"}}, {"libconda_bp.so"}).file, conda);
}

TEST(Library, IsFoundWhereAVariableSays) {
  const Tree tree;
  const std::string file = tree.put("kit/lib64/libkit_bp.so");
  EXPECT_EQ(
      opened({{"KIT_HOME", tree / "kit"}}, {"libkit_bp.so"}, {"$NO_HOME/lib64", "$KIT_HOME/lib64"})
          .file,
      file);
  EXPECT_EQ(opened({}, {"libkit2_bp.so"}, {"$KIT_HOME/lib64"}).handle, nullptr);
}

TEST(Library, ThatTheProcessHasComesFirst) {
  const auto found = opened({}, {"libnowhere_bp.so.9", "libm.so.6"}, {"/usr/lib"});
  EXPECT_EQ(found.file, "libm.so.6");
}

TEST(Library, IsTheOneThatTheOptionNames) {
  const Tree tree;
  const std::string file = tree.put("mine/libmine_bp.so.1");
  EXPECT_EQ(opened({{"blas", file}}, {"libm.so.6"}).file, file);
  EXPECT_EQ(opened({{"blas", tree / "mine"}}, {"libm.so.6", "libmine_bp.so.1"}).file, file);
  EXPECT_EQ(opened({{"blas", tree / "mine"}}, {"libm.so.6"}).why, "is not in " + (tree / "mine"));
  EXPECT_EQ(opened({{"blas", "off"}}, {"libm.so.6"}).why, "is switched off");
  EXPECT_EQ(opened({{"blas", tree / "mine"}}, {"libm.so.6"}).handle, nullptr);
}

TEST(Library, ThatIsNowhereIsCalledSo) {
  const auto found =
      opened({}, {"libnowhere_bp.so.2", "libnowhere_bp.so.1"}, {"/usr/local/nowhere*/lib"});
  EXPECT_EQ(found.handle, nullptr);
  EXPECT_EQ(found.why, "was not found (libnowhere_bp.so.2, libnowhere_bp.so.1)");
}

}  // namespace
