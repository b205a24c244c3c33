// SPDX-License-Identifier: Apache-2.0
// The functions are declared here as their libraries have them, for these are optional and looked
// up by name: NVTX 2 and roctx alike, ITT in the version 3.0 of its pointers.
#include "core/process/tool_ranges.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "core/base/shown.h"

namespace bp {
namespace {

using Push = int (*)(const char*);
using Pop = int (*)();

// ITT's own types: a domain, of which the flag alone is read, and an id of no object.
struct IttDomain {
  volatile int flags;
};
struct IttHandle;
struct IttId {
  unsigned long long d1 = 0, d2 = 0, d3 = 0;
};
// The library exports variables that hold its functions.
struct Itt {
  IttDomain* (**domain)(const char*);
  IttHandle* (**name)(const char*);
  void (**begin)(const IttDomain*, IttId, IttId, IttHandle*);
  void (**end)(const IttDomain*);
};
Itt itt;
IttDomain* itt_domain;

int push_itt(const char* name) {
  if (itt_domain->flags) (*itt.begin)(itt_domain, {}, {}, (*itt.name)(name));
  return 0;
}
int pop_itt() {
  if (itt_domain->flags) (*itt.end)(itt_domain);
  return 0;
}

template <class F>
bool look_up(void* library, const char* name, F* f) {
  *f = reinterpret_cast<F>(::dlsym(library, name));
  return *f;
}

bool open_itt(void* library) {
  if (!look_up(library, "__itt_domain_create_ptr__3_0", &itt.domain) ||
      !look_up(library, "__itt_string_handle_create_ptr__3_0", &itt.name) ||
      !look_up(library, "__itt_task_begin_ptr__3_0", &itt.begin) ||
      !look_up(library, "__itt_task_end_ptr__3_0", &itt.end))
    return false;
  itt_domain = *itt.domain ? (*itt.domain)("backplane") : nullptr;
  // Without a tool the library's first calls empty its pointers.
  return itt_domain && *itt.name && *itt.begin && *itt.end;
}

struct Tool {
  const char* name;
  const char* files[3];  // the first that is there
  const char *push_name, *pop_name;
  Push push;
  Pop pop;
};
Tool tools[] = {
    {"nvtx", {"libnvToolsExt.so.1"}, "nvtxRangePushA", "nvtxRangePop", nullptr, nullptr},
    {"roctx",
     {"librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so.0", "libroctx64.so.4"},
     "roctxRangePushA",
     "roctxRangePop",
     nullptr,
     nullptr},
    {"itt", {"libittnotify.so"}, nullptr, nullptr, push_itt, pop_itt},
};
std::atomic<bool> in_use[std::size(tools)];

bool open(Tool& tool) {
  for (const char* file : tool.files) {
    void* library = file ? ::dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : nullptr;
    if (!library) continue;
    if (!tool.push_name) return open_itt(library);
    return look_up(library, tool.push_name, &tool.push) &&
           look_up(library, tool.pop_name, &tool.pop);
  }
  return false;
}

}  // namespace

std::string open_tool_ranges(std::string_view list) {
  for (auto& one : in_use) one.store(false);
  std::string wrong;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    size_t i = 0;
    while (i < std::size(tools) && name != tools[i].name) ++i;
    if (i == std::size(tools))
      wrong = "'" + shown(name, 40) + "' is none of nvtx, roctx and itt";
    else if (open(tools[i]))
      in_use[i].store(true, std::memory_order_release);
    else
      wrong = std::string("the library of ") + tools[i].name + " was not found, or is another one";
  }
  return wrong;
}

void begin_tool_range(const char* name) noexcept {
  for (size_t i = 0; i < std::size(tools); ++i)
    if (in_use[i].load(std::memory_order_acquire)) tools[i].push(name);
}

void end_tool_range() noexcept {
  for (size_t i = 0; i < std::size(tools); ++i)
    if (in_use[i].load(std::memory_order_acquire)) tools[i].pop();
}

}  // namespace bp
