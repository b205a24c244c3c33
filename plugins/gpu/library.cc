// SPDX-License-Identifier: Apache-2.0
#include "gpu/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <sys/stat.h>

#include <string_view>

namespace bp_gpu {
namespace {

Words matches(const std::string& pattern) {
  Words files;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  return files;
}

// Returns ".../site-packages" or ".../dist-packages" if this plugin was installed into one, or "".
std::string own_packages() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<void*>(&own_packages), &self) || !self.dli_fname) return "";
  const std::string path = self.dli_fname;
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"})
    if (const size_t at = path.rfind(folder); at != std::string::npos)
      return path.substr(0, at + folder.size() - 1);
  return "";
}

Words python_folders() {
  Words folders;
  if (const std::string own = own_packages(); !own.empty())
    folders.push_back(own + "/nvidia/*/lib");
  folders.push_back("$CONDA_PREFIX/lib");
  for (const char* prefix : {"$VIRTUAL_ENV", "$CONDA_PREFIX", "/usr/local", "/usr"})
    for (const char* packages : {"site-packages", "dist-packages"})
      folders.push_back(std::string(prefix) + "/lib/python3*/" + packages + "/nvidia/*/lib");
  return folders;
}

// Returns "" when the variable is not set.
std::string with_variable(const bp_host* host, const std::string& folder) {
  if (folder[0] != '$') return folder;
  const size_t end = folder.find('/');
  const std::string value = option(host, folder.substr(1, end - 1).c_str());
  return value.empty() ? "" : value + folder.substr(end);
}

bool open(const std::string& file, int flags, Opened* out) {
  out->handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
  if (out->handle) {
    out->file = file;
    return true;
  }
  if (const char* why = flags ? nullptr : dlerror()) out->why = why;
  return false;
}

bool is_folder(const std::string& path) {
  struct stat s {};
  return stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
}

bool open_in(const Words& folders, const Words& names, Opened* out) {
  for (const std::string& name : names)
    for (const std::string& folder : folders)
      for (const std::string& file : matches(std::string(folder).append("/").append(name)))
        if (open(file, 0, out)) return true;
  return false;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::string option(const bp_host* host, const char* key) {
  const char* text = host->option(host->self, key);
  return text ? text : "";
}

Opened open_library(const bp_host* host, const char* key, const Words& names,
                    const Words& folders) {
  Opened out;
  const std::string given = option(host, key);
  if (given == "off") {
    out.why = "is switched off";
  } else if (given.empty()) {
    for (const int flags : {RTLD_NOLOAD, 0})
      for (const std::string& name : names)
        if (open(name, flags, &out)) return out;
    Words all;
    for (const Words& some : {folders, python_folders()})
      for (const std::string& folder : some)
        if (std::string path = with_variable(host, folder); !path.empty())
          all.push_back(std::move(path));
    if (open_in(all, names, &out)) return out;
    out.why = "was not found (" + joined(names) + ")";
  } else if (is_folder(given)) {
    if (!open_in({given}, names, &out))
      out.why = out.why.empty() ? "is not in " + given : "cannot be opened: " + out.why;
  } else if (!open(given, 0, &out)) {
    out.why = "cannot be opened: " + out.why;
  }
  return out;
}

}  // namespace bp_gpu
