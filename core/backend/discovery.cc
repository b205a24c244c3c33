// SPDX-License-Identifier: Apache-2.0
#include "core/backend/discovery.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "core/backend/writers.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

constexpr std::string_view kPrefix = "libbackplane_";
constexpr std::string_view kSuffix = ".so";
constexpr const char* kPathVariable = "BACKPLANE_PLUGIN_PATH";

std::vector<std::string_view> split(std::string_view list, const char* separators) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const size_t end = list.find_first_of(separators);
    if (end != 0) parts.push_back(list.substr(0, end));
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  return parts;
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Returns the name of the file that this code was loaded from: the core library, or the program or
// library that the core is linked into; "" when that is not known. The dynamic linker knows a
// program by argv[0], which its caller chooses, so the kernel is asked.
std::string own_name() {
  Dl_info info{};
  void* loaded = nullptr;
  if (!::dladdr1(reinterpret_cast<const void*>(&discover), &info, &loaded, RTLD_DL_LINKMAP) ||
      !info.dli_fname)
    return "";
  const bool of_program = *static_cast<const link_map*>(loaded)->l_name == '\0';
  return of_program ? "/proc/self/exe" : info.dli_fname;
}

// Returns the kind that a file name stands for, or "" when it is no plugin's name.
std::string_view kind_of_file(std::string_view name) {
  if (name.size() <= kPrefix.size() + kSuffix.size() || name.substr(0, kPrefix.size()) != kPrefix ||
      name.substr(name.size() - kSuffix.size()) != kSuffix)
    return "";
  return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
}

struct CloseDirectory {
  void operator()(DIR* d) const noexcept { ::closedir(d); }
};

PathFault written_by_others(const std::string& path, int32_t stage, const std::string& writers,
                            int error) {
  const bool refused = privileged();
  return {.path = path,
          .stage = stage,
          .status = refused ? BP_UNAVAILABLE : BP_OK,
          .cause = fmt::format(
              "{}; {}", writers,
              refused ? "a program with rights that its caller lacks loads nothing from there"
                      : "whoever can do that can run code in this process"),
          .remedy = "give it to root or to this user, and let nobody else write it",
          .passing = passing(error)};
}

// Lists the names of plugins in a directory, sorted. Returns 0 or an errno, and throws
// std::bad_alloc when memory ran out: the next call searches again.
int list_plugins(const std::string& path, std::vector<std::string>* names) {
  DIR* opened;
  do opened = ::opendir(path.c_str());
  while (!opened && errno == EINTR);
  if (!opened && errno == ENOMEM) throw std::bad_alloc();
  if (!opened) return errno;
  const std::unique_ptr<DIR, CloseDirectory> directory(opened);
  for (;;) {
    errno = 0;  // readdir says by this alone that it failed
    const dirent* entry = ::readdir(opened);
    if (!entry) break;
    if (!kind_of_file(entry->d_name).empty()) names->emplace_back(entry->d_name);
  }
  if (errno) return errno;
  std::sort(names->begin(), names->end());
  return 0;
}

struct Scan {
  const Settings& settings;
  Search result;

  void add_list(std::string_view list, std::string_view source) {
    for (const std::string_view part : split(list, ":")) {
      if (part.front() == '/') {
        add_directory(std::string(part), source, /*optional=*/false);
        continue;
      }
      result.faults.push_back(
          {.path = std::string(part),
           .cause = fmt::format("'{}' in {} is not an absolute path", part, source),
           .remedy = "write the directory with its full path"});
    }
  }

  void add_directory(const std::string& path, std::string_view source, bool optional) {
    if (std::find(result.searched.begin(), result.searched.end(), path) != result.searched.end())
      return;
    std::vector<std::string> names;
    const int error = list_plugins(path, &names);
    result.searched.push_back(path);
    if (optional && (error == ENOENT || error == ENOTDIR)) return;  // bin/backplane is the command
    if (error) {
      add_unread(path, source, error);
      return;
    }
    int unseen = 0;
    const auto writers = others_may_write(path, &unseen);
    if (writers) {
      result.faults.push_back(written_by_others(path, BP_STAGE_DIRECTORY, *writers, unseen));
      if (privileged()) return;
    }
    for (const std::string& name : names)
      add_file(fmt::format("{}/{}", path, name), std::string(kind_of_file(name)), !writers);
  }

  // Adds backplane/ beside the own file, where that is known, and for a program in <prefix>/bin
  // also the folder of <prefix> in which plugins are installed.
  void add_own_directories() {
    constexpr const char* kSource = "beside the core";
    constexpr std::string_view kBin = "/bin";
    const std::string name = own_name();
    if (name.empty()) return;
    int error = 0;
    const std::string file = real_path(name.c_str(), &error);
    const size_t slash = file.rfind('/');
    if (slash == std::string::npos) {
      if (passing(error)) add_unread(name, kSource, error);
      return;
    }
    const std::string_view folder = std::string_view(file).substr(0, slash);
    add_directory(fmt::format("{}/backplane", folder), kSource, /*optional=*/true);
    if (folder.ends_with(kBin))
      add_directory(
          fmt::format("{}/{}", folder.substr(0, folder.size() - kBin.size()), BP_PLUGIN_INSTALL),
          kSource, /*optional=*/true);
  }

  void add_unread(const std::string& path, std::string_view source, int error) {
    result.faults.push_back(
        {.path = path,
         .cause = fmt::format("{} ({}) cannot be read: {}", path, source, std::strerror(error)),
         .remedy = passing(error)
                       ? "nothing, if it passes: the next use searches again"
                       : "check that it is a directory that this user may read, or take it off "
                         "the list",
         .passing = passing(error)});
  }

  void add_file(const std::string& path, const std::string& kind, bool safe_directory) {
    int unseen = 0;
    if (const auto writers = safe_directory ? others_may_write(path, &unseen) : std::nullopt) {
      result.faults.push_back(written_by_others(path, BP_STAGE_FILE, *writers, unseen));
      if (privileged()) return;
    }
    PluginFile file{.kind = kind, .path = path, .cause = {}, .remedy = {}};
    const auto first = std::find_if(result.found.begin(), result.found.end(),
                                    [&](const PluginFile& f) { return f.kind == kind; });
    if (!valid_kind_name(kind)) {
      file.stage = BP_STAGE_FILE;
      file.cause =
          fmt::format("{}: '{}' can be no kind of device: letters and '_' only", path, kind);
      file.remedy = "rename the file and the kind that the plugin answers";
    } else if (first != result.found.end()) {
      file.stage = BP_STAGE_SHADOWED;
      file.cause = fmt::format("{} is not used: {} was found first", path, first->path);
      file.remedy = "nothing to do, unless the other one was meant: then put its directory first";
    } else if (!allowed(settings.allow, kind)) {
      file.stage = BP_STAGE_SKIPPED;
      file.cause =
          fmt::format("{} is not used: the program allows only '{}'", path, settings.allow);
      file.remedy = fmt::format("add '{}' to the allow-list given to bp_init", kind);
    }
    result.found.push_back(std::move(file));
  }
};

}  // namespace

bool allowed(std::string_view allow, std::string_view kind) {
  const auto names = split(allow, ",");
  return names.empty() ||
         std::any_of(names.begin(), names.end(), [&](auto n) { return trim(n) == kind; });
}

std::vector<Alias> parse_aliases(std::string_view text, std::string_view source) {
  std::vector<Alias> aliases;
  for (const std::string_view part : split(text, ";,")) {
    const std::string_view item = trim(part);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string_view name = trim(item.substr(0, equals));
    const std::string_view target =
        equals == std::string_view::npos ? "" : trim(item.substr(equals + 1));
    if (!valid_kind_name(name) || !valid_kind_name(target) || name == target)
      fail(BP_INVALID_ARGUMENT, "{}: '{}' is not of the form kind=backend", source, item);
    if (find_kind(name) == BP_KIND_CPU)
      fail(BP_INVALID_ARGUMENT, "{}: '{}': the cpu cannot be replaced", source, item);
    for (const Alias& a : aliases)
      if (a.name == name) fail(BP_INVALID_ARGUMENT, "{}: kind '{}' is given twice", source, name);
    aliases.push_back({std::string(name), std::string(target)});
  }
  return aliases;
}

Search discover(const Settings& settings) {
  Scan scan{settings, {}};
  scan.add_list(settings.plugin_dirs, "plugin_dirs of bp_init");
  if (const auto path = read_secure_env(kPathVariable)) scan.add_list(*path, kPathVariable);
  scan.add_own_directories();
  return std::move(scan.result);
}

}  // namespace bp
