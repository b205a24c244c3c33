// SPDX-License-Identifier: Apache-2.0
// wrapping.cc: a plugin over another one's file (BASE), of the same kind. Every call goes through
// the border (border.h), which says whether it is refused, and then on to the other plugin; every
// handle that goes out or comes back is told to the border.
#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "c_collective.h"
#include "c_plugin.h"
#include "c_plugin_foreign.h"
#include "c_plugin_fuse.h"
#include "c_plugin_wide.h"
#include "kit/plugin_over.h"
#include "plugin_calls/border.h"

namespace {

using bp_test::border;
using bp_test::Border;

template <class Table>
Table base{};                         // the other plugin's
std::atomic<const bp_host*> host{};   // of the last open
constexpr size_t kMostKernels = 768;  // for each of which there is a function of this file
std::array<bp_kernel, kMostKernels> base_kernels{}, told_kernels{};

bp_status refusal(const std::string& slot, bp_status status, bp_error** err) {
  const std::string text = "the wrapping plugin refused '" + slot + "'";
  const bp_host* h = host;
  return h->fail(h->self, err, status, text.data(), text.size());
}

// ---- handles, by the type of an argument or of a slot ----

template <class T>
void uses(const char*, T) {}
void uses(const char* slot, bp_plugin* p) { border().uses(Border::kPlugin, p, slot); }
void uses(const char* slot, bp_pdev* d) { border().uses(Border::kDevice, d, slot); }
void uses(const char* slot, bp_pstream* s) { border().uses(Border::kStream, s, slot); }
void uses(const char* slot, bp_pevent* e) { border().uses(Border::kEvent, e, slot); }
void uses(const char* slot, bp_pcommunicator* c) { border().uses(Border::kCommunicator, c, slot); }

void uses(const char* slot, bp_pwide* w) { border().uses(Border::kWide, w, slot); }

template <class Table>
constexpr Border::Kind kBlocks =
    std::is_same_v<Table, bp_pinned_api> ? Border::kPinned : Border::kBlock;

// What a slot that succeeded has opened.
template <class Table, class... A>
void opened(A...) {}
template <class Table>
void opened(bp_plugin* p, uint32_t, uint64_t, bp_pdev** out, bp_error**) {
  border().opens(Border::kDevice, *out, p);
}
template <class Table>
void opened(bp_pdev* d, int32_t, bp_pstream** out, bp_error**) {
  border().opens(Border::kStream, *out, d);
}
template <class Table>
void opened(bp_pdev* d, bp_pevent** out, bp_error**) {
  border().opens(Border::kEvent, *out, d);
}
template <class Table>
void opened(bp_pdev* const* devices, uint32_t, bp_pcommunicator** out, bp_error**) {
  border().opens(Border::kCommunicator, *out, devices[0]);
}
template <class Table>
void opened(bp_pdev* d, const bp_wide_id*, uint32_t, uint32_t, bp_pwide** out, bp_error**) {
  border().opens(Border::kWide, *out, d);
}
template <class Table>
void opened(const bp_fused*, uint32_t*, bp_fused_code** out, bp_error**) {
  if (*out) border().opens(Border::kCode, *out, nullptr);
}
template <class Table>
void opened(bp_pdev* d, uint64_t bytes, void** out, bp_error**) {
  border().opens(kBlocks<Table>, *out, d, bytes);
}

// What a slot without an answer closes.
template <class Table>
void closed(bp_plugin* p) {
  border().closes(Border::kPlugin, p);
}
template <class Table>
void closed(bp_pdev* d) {
  border().closes(Border::kDevice, d);
}
template <class Table>
void closed(bp_pstream* s) {
  border().closes(Border::kStream, s);
}
template <class Table>
void closed(bp_pevent* e) {
  border().closes(Border::kEvent, e);
}
template <class Table>
void closed(bp_pcommunicator* c) {
  border().closes(Border::kCommunicator, c);
}
template <class Table>
void closed(bp_pwide* w) {
  border().closes(Border::kWide, w);
}
template <class Table>
void closed(bp_fused_code* c) {
  border().closes(Border::kCode, c);
}
template <class Table>
void closed(bp_pdev*, void* p, uint64_t bytes) {
  border().closes(kBlocks<Table>, p, bytes);
}

// ---- slots ----

struct Name {
  char text[16]{};
  template <size_t N>
  consteval Name(const char (&t)[N]) {
    std::copy(t, t + N, text);
  }
};
template <auto kSlot, Name kName>
struct Slot;
template <class Table, class Answer, class... A, Answer (*Table::*kSlot)(A...), Name kName>
struct Slot<kSlot, kName> {
  static Answer call(A... given) {
    constexpr const char* kText = kName.text;
    (uses(kText, given), ...);
    const auto function = base<Table>.*kSlot;
    if constexpr (std::is_same_v<Answer, bp_status>) {
      bp_error** err = std::get<sizeof...(A) - 1>(std::tie(given...));
      if (const bp_status refused = border().answer(kText)) {
        if constexpr (sizeof...(A) == 2)
          if (Border::is_wait(kText)) function(std::get<0>(std::tie(given...)), nullptr);
        return refusal(kText, refused, err);
      }
      const bp_status status = function(given...);
      if (status == BP_OK) opened<Table>(given...);
      return status;
    } else {
      if constexpr (std::is_void_v<Answer>) closed<Table>(given...);
      return function(given...);
    }
  }
};
#define WRAPPED(table, slot) \
  table.slot = Slot<&std::remove_reference_t<decltype(table)>::slot, #slot>::call

// ---- kernels ----

template <class Slot, class... More>
bp_status run_kernel(size_t i, Slot slot, const char* name, const bp_launch* launch, bp_error** err,
                     More... more) {
  uses(name, launch->stream);
  if (const bp_status refused = border().answer(name))
    return refusal(name + (" of op " + std::to_string(launch->op)), refused, err);
  return (base_kernels[i].*slot)(launch, more..., err);
}
template <size_t kIndex>
bp_status run(const bp_launch* launch, bp_error** err) {
  return run_kernel(kIndex, &bp_kernel::run, "run", launch, err);
}
template <size_t kIndex>
bp_status workspace(const bp_launch* launch, uint64_t* bytes, bp_error** err) {
  return run_kernel(kIndex, &bp_kernel::workspace, "workspace", launch, err, bytes);
}
template <size_t... kIndices>
void wrap_kernels(size_t count, std::index_sequence<kIndices...>) {
  static constexpr decltype(bp_kernel::run) kRun[] = {run<kIndices>...};
  static constexpr decltype(bp_kernel::workspace) kWorkspace[] = {workspace<kIndices>...};
  for (size_t i = 0; i < count; ++i) {
    told_kernels[i] = base_kernels[i];
    told_kernels[i].run = kRun[i];
    if (base_kernels[i].workspace) told_kernels[i].workspace = kWorkspace[i];
  }
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error** err) {
  const bp_status status = Slot<&bp_plugin_api::kernels, "kernels">::call(p, records, count, err);
  if (status != BP_OK) return status;
  if (*count > kMostKernels) return refusal("more than 768 kernels", BP_INTERNAL, err);
  std::copy_n(*records, *count, base_kernels.data());
  wrap_kernels(*count, std::make_index_sequence<kMostKernels>());
  *records = told_kernels.data();
  return BP_OK;
}

// ---- tables ----

template <class Table>
const void* wrapped(const void* table, void (*fill)(Table&)) {
  static const Table told = [&] {
    Table t = base<Table> = *static_cast<const Table*>(table);
    fill(t);
    return t;
  }();
  return &told;
}
void fill_peer(bp_peer_api& t) { WRAPPED(t, reaches); }
void fill_pinned(bp_pinned_api& t) {
  WRAPPED(t, alloc);
  WRAPPED(t, free);
}
void fill_foreign(bp_foreign_api& t) {
  WRAPPED(t, owns);
  WRAPPED(t, sync);
}
void fill_fuse(bp_fuse_api& t) {
  WRAPPED(t, run);
  WRAPPED(t, make);
  WRAPPED(t, drop);
}
void fill_collective(bp_collective_api& t) {
  WRAPPED(t, open);
  WRAPPED(t, close);
  WRAPPED(t, abort);
  WRAPPED(t, name);
  WRAPPED(t, dtypes);
  WRAPPED(t, all_reduce);
  WRAPPED(t, check);
}
void fill_wide(bp_wide_api& t) {
  WRAPPED(t, library);
  WRAPPED(t, make_id);
  WRAPPED(t, open);
  WRAPPED(t, ready);
  WRAPPED(t, dtypes);
  WRAPPED(t, exchange);
  t.check = Slot<&bp_wide_api::check, "wide_check">::call;
  WRAPPED(t, close);  // abort closes nothing here
}
const void* extension(bp_plugin* p, const char* id) {
  uses("extension", p);
  const void* table = base<bp_plugin_api>.extension(p, id);
  const std::string_view known = id;
  if (!table) return nullptr;
  if (known == "bp.peer/1") return wrapped(table, fill_peer);
  if (known == "bp.pinned/1") return wrapped(table, fill_pinned);
  if (known == BP_FOREIGN_ID) return wrapped(table, fill_foreign);
  if (known == BP_FUSE_ID) return wrapped(table, fill_fuse);
  if (known == BP_COLLECTIVE_ID) return wrapped(table, fill_collective);
  if (known == BP_WIDE_ID) return wrapped(table, fill_wide);
  return nullptr;  // nothing passes that is not wrapped
}

void fill(bp_plugin_api& t) {
  WRAPPED(t, close);
  WRAPPED(t, probe);
  WRAPPED(t, device_props);
  WRAPPED(t, device_open);
  WRAPPED(t, device_close);
  if (t.memory_info) WRAPPED(t, memory_info);
  WRAPPED(t, mem_alloc);
  WRAPPED(t, mem_free);
  WRAPPED(t, stream_open);
  WRAPPED(t, stream_close);
  WRAPPED(t, stream_query);
  WRAPPED(t, stream_sync);
  WRAPPED(t, stream_wait);
  WRAPPED(t, event_open);
  WRAPPED(t, event_close);
  WRAPPED(t, event_record);
  WRAPPED(t, event_query);
  WRAPPED(t, event_sync);
  if (t.event_elapsed) WRAPPED(t, event_elapsed);
  WRAPPED(t, copy);
  if (t.host_func) WRAPPED(t, host_func);
  t.kernels = kernels;
  if (t.extension) t.extension = extension;
}
static_assert(sizeof(bp_plugin_api) == 2 * sizeof(uint32_t) + 23 * sizeof(void*),
              "a new slot is wrapped above");

bp_status open_plugin(const bp_host* h, bp_plugin** out, const bp_plugin_api** api,
                      bp_error** err) {
  static bp_plugin_api told;
  host = h;
  const bp_status status = Slot<&bp_plugin_info::open, "open">::call(h, out, api, err);
  if (status != BP_OK) return status;
  border().opens(Border::kPlugin, *out, nullptr);
  told = base<bp_plugin_api> = **api;
  fill(told);
  *api = &told;
  return BP_OK;
}

}  // namespace

extern "C" BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                                      bp_plugin_info* info) {
  const bp_status status = bp_test::base_query()(host_abi_min, host_abi_max, info);
  base<bp_plugin_info> = *info;
  info->open = open_plugin;
  return status;
}
