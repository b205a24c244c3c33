// discovery.h: which plugin files there are. Reads directories, opens no file and runs no code of a
// plugin's. Kind `k` is the file libbackplane_k.so. Searched in this order, the first one of a kind
// wins:
//   1. bp_init's plugin_dirs     2. BACKPLANE_PLUGIN_PATH     3. backplane/ beside the core library
// Directories are absolute; the working directory is never searched.
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
  int32_t stage = BP_STAGE_FOUND;  // or SHADOWED, SKIPPED; FILE for a name that can be no kind
  std::string cause, remedy;
};
struct DirectoryFault {
  std::string path, cause, remedy;
};
struct Alias {
  std::string name, target;  // `target`'s plugin is offered as `name` too
};

struct Search {
  std::vector<PluginFile> found;  // directories in their order, names sorted within each
  std::vector<DirectoryFault> faults;
  std::vector<std::string> searched;
};

Search discover(const Settings& settings);
// "cuda=sim;hip=sim" (';' or ','). Throws BP_INVALID_ARGUMENT with `source` in the text.
std::vector<Alias> parse_aliases(std::string_view text, std::string_view source);
// "cpu,cuda"; an empty list allows everything.
bool allowed(std::string_view allow, std::string_view kind);

}  // namespace bp
