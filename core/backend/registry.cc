// SPDX-License-Identifier: Apache-2.0
#include "core/backend/registry.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>

#include "core/backend/device_map.h"
#include "core/backend/discovery.h"
#include "core/backend/handshake.h"
#include "core/base/error.h"
#include "core/device/collective.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

// A file, an alias or a directory: one line of the load report, and the backend once it is loaded.
struct Candidate {
  ReportLine line;
  bp_kind kind = BP_KIND_NONE;  // NONE when it cannot be asked for
  std::string plugin_kind;      // the file's kind: differs from line.kind for an alias
  bool tried = false;
  std::unique_ptr<Backend> backend;
};

struct Registry {
  bool searched = false;
  std::string doubt;  // what did not answer the search, so that the next use repeats it
  std::vector<Candidate> candidates;
  std::vector<std::string> directories;
};

// Guarded by loader_mutex() and never destroyed: a release at exit may still look at its backends.
Registry& storage() {
  static Registry& r = *new Registry;
  return r;
}

Candidate from_file(const PluginFile& file) {
  Candidate c;
  c.line.stage = file.stage;
  c.line.kind = file.kind;
  c.line.path = file.path;
  c.line.cause = file.cause;
  c.line.remedy = file.remedy;
  c.plugin_kind = file.kind;
  if (file.stage == BP_STAGE_FILE) c.line.status = BP_INCOMPATIBLE;
  if (file.stage != BP_STAGE_FOUND) return c;
  try {
    c.kind = intern_kind(file.kind);
  } catch (const Error& e) {  // the other files are used
    c.line.stage = BP_STAGE_FILE;
    c.line.status = e.status();
    c.line.cause = fmt::format("{} is not used: {}", file.path, e.message());
    c.line.remedy = "remove the plugins that nobody needs, or allow those alone that are needed";
  }
  return c;
}

Candidate from_fault(int32_t stage, bp_status status, std::string path, std::string cause,
                     std::string remedy) {
  Candidate c;
  c.line.stage = stage;
  c.line.status = status;
  c.line.path = std::move(path);
  c.line.cause = std::move(cause);
  c.line.remedy = std::move(remedy);
  return c;
}

void add_alias(Registry& r, const Search& search, const Alias& alias) {
  if (!allowed(settings().allow, alias.name)) return;
  for (Candidate& c : r.candidates) {
    if (c.line.kind != alias.name || c.kind == BP_KIND_NONE) continue;
    c.kind = BP_KIND_NONE;
    c.line.stage = BP_STAGE_SHADOWED;
    c.line.cause = fmt::format("{} is not used: the alias {}={} takes its place", c.line.path,
                               alias.name, alias.target);
    c.line.remedy = "nothing to do, unless the alias was not meant: then remove it";
  }
  Candidate c;
  c.kind = intern_kind(alias.name);
  c.line.kind = alias.name;
  c.plugin_kind = alias.target;
  for (const PluginFile& file : search.found) {
    if (file.kind != alias.target) continue;
    c.line.path = file.path;
    break;
  }
  r.candidates.push_back(std::move(c));
}

void add_aliases(Registry& r, const Search& search) {
  constexpr const char* kVariable = "BACKPLANE_ALIAS";
  const bool given = settings().alias.has_value();
  const auto text = given ? settings().alias : read_env(kVariable);
  if (!text) return;
  try {
    for (const Alias& alias : parse_aliases(*text, given ? "alias of bp_init" : kVariable))
      add_alias(r, search, alias);
  } catch (const Error& e) {
    log_text(kLogError, e.message());
    r.candidates.push_back(from_fault(BP_STAGE_FOUND, e.status(), "", e.message(),
                                      "write BACKPLANE_ALIAS as kind=backend;kind=backend"));
  }
}

// `before` is what an earlier search found: what it said already is not logged again.
Registry searched(const Registry& before) {
  const Search search = discover(settings());
  Registry found;
  found.directories = search.searched;
  for (const PluginFile& file : search.found) found.candidates.push_back(from_file(file));
  for (const PathFault& f : search.faults) {
    if (f.passing) found.doubt = f.cause;
    const bool said = std::any_of(before.candidates.begin(), before.candidates.end(),
                                  [&](const Candidate& c) { return c.line.cause == f.cause; });
    if (!said) log_text(kLogWarning, f.cause);
    found.candidates.push_back(from_fault(f.stage, f.status, f.path, f.cause, f.remedy));
  }
  add_aliases(found, search);
  found.searched = true;
  return found;
}

Candidate* find(Registry& r, bp_kind kind) {
  for (Candidate& c : r.candidates)
    if (kind != BP_KIND_NONE && c.kind == kind) return &c;
  return nullptr;
}

// Moves what was tried, but for one kind, from an earlier search into a later one. Throws before it
// moves anything.
void keep_tried(Registry& before, Registry& found, bp_kind but) {
  found.candidates.reserve(found.candidates.size() + before.candidates.size());
  for (Candidate& c : before.candidates) {
    if (c.kind == but || !c.tried) continue;
    if (Candidate* same = find(found, c.kind))
      *same = std::move(c);
    else
      found.candidates.push_back(std::move(c));
  }
}

// Returns the registry after the first search of this generation, or after one more where that one
// left a doubt. The caller holds loader_mutex().
Registry& registry() {
  Registry& r = storage();
  if (r.searched && r.doubt.empty()) return r;
  ensure_started();
  install_fork_handlers();
  Registry found = searched(r);
  keep_tried(r, found, BP_KIND_NONE);
  r = std::move(found);
  return r;
}

std::string directory_list(const Registry& r) {
  std::string list;
  for (const std::string& d : r.directories) list += (list.empty() ? "" : ", ") + d;
  return list.empty() ? "no directory at all" : list;
}

std::optional<LoadFault> load_into(Backend& backend, const std::string& path, int32_t* stage) {
  bp_plugin_query_fn query = nullptr;
  *stage = BP_STAGE_DLOPEN;
  if (auto fault = open_library(path, &query)) return fault;
  *stage = BP_STAGE_QUERY;
  return shake_hands(backend, path, query);
}

LoadFault no_file(const Registry& r, const Candidate& c) {
  if (!r.doubt.empty())
    return {BP_STAGE_FILE, BP_UNAVAILABLE, r.doubt,
            "nothing, if it passes: the next use tries again",
            /*passing=*/true};
  return {BP_STAGE_FILE, BP_UNAVAILABLE,
          fmt::format("alias {}={}: there is no libbackplane_{}.so in {}", c.line.kind,
                      c.plugin_kind, c.plugin_kind, directory_list(r)),
          fmt::format("install the plugin of {}, or name its directory in BACKPLANE_PLUGIN_PATH",
                      c.plugin_kind)};
}

LoadFault thrown(int32_t stage, const std::string& path, const char* what) {
  return {stage, BP_INTERNAL, fmt::format("{}: an exception left the plugin: {}", path, what),
          "report it to the plugin's author, and remove the file meanwhile"};
}

std::optional<LoadFault> attempt(Backend& backend, const std::string& path) {
  int32_t stage = BP_STAGE_FILE;
  try {
    return load_into(backend, path, &stage);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return thrown(stage, path, e.what());
  } catch (...) {
    return thrown(stage, path, "one of no known kind");
  }
}

// Loads a kind at its first use, as far as that goes; a fault is kept as data. Memory that runs out
// on the way is no fault of the plugin's: this throws, and the next use tries again, as it does
// where a device had no memory left, or the system did not let the file be seen.
void load(Registry& r, Candidate& c) {
  ReportLine line = c.line;
  line.status = BP_OK;  // an earlier attempt that came to nothing left these
  line.cause.clear(), line.remedy.clear();
  struct Part {
    void operator()(Backend* b) const noexcept {
      part_from(*b);
      delete b;
    }
  };
  std::unique_ptr<Backend, Part> backend;
  std::optional<LoadFault> fault;
  if (line.path.empty()) {
    fault = no_file(r, c);
  } else {
    backend.reset(new Backend);
    backend->kind = c.kind;
    backend->name = line.kind;
    backend->plugin_kind = c.plugin_kind;
    const auto before = std::chrono::steady_clock::now();
    fault = attempt(*backend, line.path);
    line.nanoseconds = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                 std::chrono::steady_clock::now() - before)
                                                 .count());
    line.version = backend->version;
  }
  if (fault && fault->status == BP_OUT_OF_HOST_MEMORY) fail_text(fault->status, fault->cause);
  line.stage = fault ? fault->stage : BP_STAGE_READY;
  if (fault) {
    line.status = fault->status;
    line.cause = std::move(fault->cause);
    line.remedy = std::move(fault->remedy);
    backend.reset();
  }
  c.line = std::move(line);
  c.backend.reset(backend.release());
  c.tried = !fault || !fault->passing;
  if (!c.backend)
    log(kLogWarning, "{}: {}", c.line.kind, c.line.cause);
  else
    log(kLogInfo, "{}: {} is ready with {} physical devices", c.line.kind, c.line.path,
        c.backend->physical.size());
}

Candidate* loaded(Registry& r, bp_kind kind) {
  Candidate* c = find(r, kind);
  if (c && !c->tried) load(r, *c);
  return c;
}

// Whether it is a plugin without devices: one of a known name, or one that said so.
bool connects_processes(const Candidate& c) {
  static constexpr std::string_view kKnown[] = {BP_KNOWN_GROUPS};
  if (c.backend) return c.backend->physical.empty();
  return std::find(std::begin(kKnown), std::end(kKnown), c.plugin_kind) != std::end(kKnown);
}

[[noreturn]] void fail_not_offered(const Registry& r, bp_kind kind) {
  const char* name = kind_name(kind);
  if (!name) fail(BP_NOT_FOUND, "{} is no kind of device: no plugin file was found for it", kind);
  if (!r.doubt.empty()) fail(BP_UNAVAILABLE, "{} is not available: {}", name, r.doubt);
  for (const Candidate& c : r.candidates)
    if (c.line.kind == name && c.line.stage == BP_STAGE_SKIPPED)
      fail(BP_UNAVAILABLE, "{} is not available: {}. To fix it: {}", name, c.line.cause,
           c.line.remedy);
  fail(BP_UNAVAILABLE,
       "{} is not available: there is no libbackplane_{}.so in {}. To fix it: install that "
       "plugin, or name its directory in BACKPLANE_PLUGIN_PATH",
       name, name, directory_list(r));
}

}  // namespace

const char* stage_name(int32_t stage) noexcept {
  static constexpr const char* kNames[] = {"found",   "directory", "file",     "dlopen",
                                           "symbol",  "query",     "open",     "probe",
                                           "devices", "ready",     "shadowed", "skipped"};
  return stage >= 0 && stage < static_cast<int32_t>(std::size(kNames)) ? kNames[stage] : "?";
}

std::vector<bp_kind> all_kinds() {
  std::lock_guard lock(loader_mutex());
  std::vector<bp_kind> kinds{BP_KIND_CPU};
  for (const Candidate& c : registry().candidates)
    if (c.kind != BP_KIND_NONE && c.kind != BP_KIND_CPU && !connects_processes(c))
      kinds.push_back(c.kind);
  return kinds;
}

std::string doubt_of_search() {
  std::lock_guard lock(loader_mutex());
  return storage().doubt;
}

Backend* try_backend(bp_kind kind) {
  std::lock_guard lock(loader_mutex());
  Candidate* c = loaded(registry(), kind);
  return c && c->backend && !c->backend->lost_in_fork ? c->backend.get() : nullptr;
}

Backend& require_backend(bp_kind kind) {
  std::lock_guard lock(loader_mutex());
  Registry& r = registry();
  Candidate* c = loaded(r, kind);
  if (!c) fail_not_offered(r, kind);
  if (!c->backend)
    fail(BP_UNAVAILABLE, "{} is not available (stage {}): {}. To fix it: {}", c->line.kind,
         stage_name(c->line.stage), c->line.cause, c->line.remedy);
  if (c->backend->lost_in_fork)
    fail(BP_BAD_STATE,
         "Cannot re-initialize {} in forked subprocess: it was in use before fork(). To use it "
         "with multiprocessing, you must use the 'spawn' start method",
         c->line.kind);
  return *c->backend;
}

Backend* loaded_backend(bp_kind kind) {
  std::lock_guard lock(loader_mutex());
  if (!kind_name(kind)) fail(BP_NOT_FOUND, "{} is no kind of device", kind);
  Candidate* c = find(storage(), kind);
  return c ? c->backend.get() : nullptr;
}

void each_backend(const std::function<void(Backend&)>& visit) {
  std::lock_guard lock(loader_mutex());
  for (Candidate& c : storage().candidates)
    if (c.backend) visit(*c.backend);
}

std::vector<ReportLine> load_report() {
  std::lock_guard lock(loader_mutex());
  std::vector<ReportLine> lines;
  for (Candidate& c : registry().candidates) {
    ReportLine line = c.line;
    if (Backend* b = c.backend.get()) {
      map_devices(*b);
      line.n_devices = static_cast<uint32_t>(b->devices.size());
      line.cause = b->late_change;
      if (!line.cause.empty())
        line.remedy = "set it before the first use of the kind, or start the program again";
      if (const std::string why = collectives(*b).why_not(); !why.empty() && line.cause.empty()) {
        line.cause = why;
        line.remedy =
            "nothing has to be done: sums are right, and slower; BACKPLANE_COLLECTIVES=ring asks "
            "for them so";
      }
      if (const std::string why = hidden_reason(*b); !why.empty() && !b->physical.empty()) {
        line.stage = BP_STAGE_DEVICES;
        line.status = BP_UNAVAILABLE;
        line.cause = why;
        line.remedy = "change or unset the variable that the cause names";
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::unique_ptr<Backend>> take_backends() {
  std::lock_guard lock(loader_mutex());
  std::vector<std::unique_ptr<Backend>> backends;
  Registry& r = storage();
  backends.reserve(r.candidates.size());
  for (Candidate& c : r.candidates)
    if (c.backend) backends.push_back(std::move(c.backend));
  r = Registry{};
  return backends;
}

std::vector<std::unique_ptr<Backend>> take_backends(bp_kind kind) {
  std::lock_guard lock(loader_mutex());
  std::vector<std::unique_ptr<Backend>> backends;
  Registry& r = storage();
  if (!r.searched) return backends;
  Registry found = searched(r);
  backends.reserve(1);
  keep_tried(r, found, kind);
  for (Candidate& c : r.candidates)
    if (c.kind == kind && c.backend) backends.push_back(std::move(c.backend));
  r = std::move(found);
  return backends;
}

}  // namespace bp
