// SPDX-License-Identifier: Apache-2.0
// library.h: a vendor's library, opened at run time from where the machine has it. In order:
//   the process, when something else opened it already
//   the loader's own path
//   the toolkit's folders
//   Python environments, whose packages put such libraries into nvidia/<name>/lib: the one that
//   this plugin lies in, the active one (VIRTUAL_ENV, CONDA_PREFIX), the system's
// The plugin's option `key` may name a file or a folder instead, which is then the only one, or say
// "off".
//
//   const Opened blas = open_library(host, "blas", {"libcublas.so.13"}, {"$CUDA_HOME/lib64"});
//   if (!blas.handle) log(host, 1, "cuda: cuBLAS %s", blas.why.c_str());
// A library stays open: closing those that have threads and contexts of their own is not safe.
#pragma once
#include <dlfcn.h>

#include <string>
#include <vector>

#include "c_plugin.h"

namespace bp_gpu {

// Returns the value of a plugin's option, or "" when it is not set.
std::string option(const bp_host* host, const char* key);

using Words = std::vector<std::string>;

struct Opened {
  void* handle = nullptr;
  std::string file;  // as it was opened
  std::string why;   // without a handle: "is switched off", "was not found (...)", ...
};

// Sets *out to a function of an opened library; returns false when it has none of that name.
template <class F>
bool find_function(void* library, const char* name, F* out) {
  *out = name ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
  return *out != nullptr;
}

// Finds the functions that must be there, and remembers the first that is missing.
class Functions {
 public:
  explicit Functions(void* library) : library_(library) {}
  template <class F>
  void need(const char* name, F* out) {
    if (!find_function(library_, name, out) && !missing_) missing_ = name;
  }
  const char* missing() const { return missing_; }  // null when nothing is

 private:
  void* library_;
  const char* missing_ = nullptr;
};

// The best of `names` comes first. `folders` are patterns of glob(7), the first part of which may
// be a variable: "$CUDA_HOME/lib64". Throws std::bad_alloc only.
Opened open_library(const bp_host* host, const char* key, const Words& names, const Words& folders);

}  // namespace bp_gpu
