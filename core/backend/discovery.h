// SPDX-License-Identifier: Apache-2.0
// discovery.h: which plugin files there are. It reads directories; it opens no file and runs no
// code of a plugin. Kind `k` is the file libbackplane_k.so. Searched are, in this order, bp_init's
// plugin_dirs, BACKPLANE_PLUGIN_PATH, and backplane/ beside the core library; the first file of a
// kind wins. Directories are absolute, and the working directory is never searched. Where the core
// is linked into a program or another library, that is the file beside which plugins lie; from a
// program in <prefix>/bin, <prefix>/lib/backplane (or what libdir is) is searched too.
//
//   Search s = discover(settings());   // s.found[0].path, s.searched
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "c_api.h"

namespace bp {

struct Settings;

struct PluginFile {
  std::string kind, path;
  int32_t stage = BP_STAGE_FOUND;  // or SHADOWED, SKIPPED; FILE when the name can be no kind
  std::string cause, remedy;
};
// What is wrong with a directory, or with a file that is no candidate because of it.
struct PathFault {
  std::string path;
  int32_t stage = BP_STAGE_DIRECTORY;
  bp_status status = BP_UNAVAILABLE;  // BP_OK: a warning; what lies there is used
  std::string cause, remedy;
  bool passing = false;  // the system did not answer (descriptor.h): another search may differ
};
struct Alias {
  std::string name, target;  // `target`'s plugin is offered as `name` too
};

struct Search {
  std::vector<PluginFile> found;  // directories in their order, names sorted within each
  std::vector<PathFault> faults;
  std::vector<std::string> searched;
};

Search discover(const Settings& settings);
// Parses "cuda=sim;hip=sim", where ',' may stand for ';'. Throws BP_INVALID_ARGUMENT with `source`
// in the text.
std::vector<Alias> parse_aliases(std::string_view text, std::string_view source);
// Whether a list such as "cpu,cuda" allows the kind; an empty one allows everything.
bool allowed(std::string_view allow, std::string_view kind);

}  // namespace bp
