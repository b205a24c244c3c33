// SPDX-License-Identifier: Apache-2.0
// library.cc: a plugin's file becomes a loaded library with its one symbol;
// declared in handshake.h.
#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "core/backend/elf.h"
#include "core/backend/handshake.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace bp {
namespace {

// Returns "libfoo.so.1" for "libfoo.so.1: cannot open shared object file: No such
// file or directory".
std::string missing_library(const std::string& text, const std::string& path) {
  const size_t end = text.find(": cannot open shared object file");
  if (end == std::string::npos) return "";
  const std::string name = text.substr(0, end);
  return name == path ? "" : name;
}

std::string dlopen_remedy(const std::string& text, const std::string& path) {
  if (const std::string name = missing_library(text, path); !name.empty())
    return fmt::format("install the package that has {}, or name its directory in LD_LIBRARY_PATH",
                       name);
  if (text.find("undefined symbol") != std::string::npos)
    return "build the plugin with -Wl,-z,defs to see what it lacks; it may be made for other "
           "library versions";
  if (text.find("not found (required by") != std::string::npos)
    return "the plugin was built on a newer system: build it here, or use one built for this "
           "system";
  return "build the plugin again on this machine; `ldd` on the file shows what it asks for";
}

// The dynamic linker has no number for what the system said, only its text.
bool says(const char* text, int error) { return text && std::strstr(text, std::strerror(error)); }

LoadFault of_file(FileFault fault) {
  return {BP_STAGE_FILE, fault.passing ? BP_UNAVAILABLE : BP_INCOMPATIBLE, std::move(fault.cause),
          std::move(fault.remedy), fault.passing};
}

// The dynamic linker knows a loaded file by the path that it was asked for, and would answer with
// it when another file has taken its place. Each such file is asked for by another spelling,
// "/./a". The caller holds loader_mutex().
std::string spelled(const std::string& path, const struct stat& s) {
  using File = std::pair<dev_t, ino_t>;
  static auto& loaded = *new std::map<std::string, std::vector<File>>;
  std::vector<File>& files = loaded[path];
  const auto known = std::find(files.begin(), files.end(), File(s.st_dev, s.st_ino));
  const auto index = known - files.begin();
  if (known == files.end()) files.emplace_back(s.st_dev, s.st_ino);
  std::string text;
  for (auto i = index; i > 0; --i) text += "/.";
  return text + path;
}

}  // namespace

std::optional<LoadFault> open_library(const std::string& path, bp_plugin_query_fn* query) {
  if (auto fault = check_shared_library(path)) return of_file(std::move(*fault));
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return of_file(unseen_file(path, "opened", errno));
  ::dlerror();
  errno = 0;
  // NOW makes what is missing a sentence here and not an abort at some later call. NODELETE,
  // because a plugin's thread-local destructors and threads make unmapping unsafe: nothing
  // is ever unmapped.
  void* library = ::dlopen(spelled(path, about).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const bool no_memory = errno == ENOMEM;  // nothing more reliable tells it from other faults
    const char* why = ::dlerror();
    // That is no fault of the file: the next use tries again.
    if (no_memory || says(why, ENOMEM)) throw std::bad_alloc();
    const std::string text = why ? why : "the loader gave no reason";
    const std::string name = missing_library(text, path);
    const bool passes = std::any_of(std::begin(kPassing), std::end(kPassing),
                                    [&](int error) { return says(why, error); });
    return LoadFault{
        BP_STAGE_DLOPEN, BP_UNAVAILABLE,
        fmt::format("{} cannot be loaded{}: {}", path,
                    name.empty() ? "" : fmt::format(", because {} is missing", name), text),
        passes ? "nothing, if it passes: the next use tries again" : dlopen_remedy(text, path),
        passes};
  }
  void* symbol = ::dlsym(library, "bp_plugin_query");
  if (!symbol)
    return LoadFault{
        BP_STAGE_SYMBOL, BP_INCOMPATIBLE,
        fmt::format("{} has no symbol bp_plugin_query: it is no plugin of this library", path),
        "export bp_plugin_query (BP_PLUGIN_EXPORT in c_plugin.h), or remove the file"};
  std::memcpy(query, &symbol, sizeof symbol);
  return {};
}

}  // namespace bp
