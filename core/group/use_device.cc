// SPDX-License-Identifier: Apache-2.0
#include "core/group/use_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/backend/resolve.h"
#include "core/device/collective.h"
#include "core/device/plugin_call.h"
#include "core/group/device_way.h"
#include "core/group/offer.h"
#include "core/process/runtime.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

const bp_wide_api* table_of_wide(const Backend& b) {
  const auto* api = static_cast<const bp_wide_api*>(
      call_plugin<&bp_plugin_api::extension>(b.api, b.plugin, BP_WIDE_ID));
  return api && api->struct_size >= sizeof *api ? api : nullptr;
}

// What a member says about a step, and rank 0's id.
struct Said {
  char why_not[256] = {};
  bp_wide_id id{};
};

Offer offer_of(const Device& d, const bp_wide_api& api) {
  Offer o;
  put_text(o.kind, d.backend->name);
  put_text(o.device, d.label);
  put_text(o.uuid, d.props.uuid);
  put_text(o.pci, d.props.pci);
  o.machine = machine_of_process();
  const DeviceCall inside(d);
  const char* name = "";
  bp_error* err = nullptr;
  bp_status status = BP_OK;
  collectives(*d.backend).take_turn([&] {
    status = call_plugin<&bp_wide_api::library>(api, d.handle, &name, &err);
  });
  if (status < 0) throw_taken(status, err, 0, DeviceWay::kWithoutReason);
  bp_error_release(err);
  put_text(o.library, name ? name : "");
  return o;
}

// Never throws for what keeps this member from it: the others must learn that.
Offer offer_of(bp_device value, Device*& d, const bp_wide_api*& api) {
  try {
    d = &resolve_device(value);
    if (wants_ring()) fail(BP_UNSUPPORTED, "BACKPLANE_COLLECTIVES is \"ring\"");
    api = table_of_wide(*d->backend);
    if (!api)
      fail(BP_UNSUPPORTED, "the plugin of {} exchanges nothing between processes: it has no \"{}\"",
           d->backend->name, BP_WIDE_ID);
    return offer_of(*d, *api);
  } catch (const Error& e) {
    Offer o;
    put_text(o.why_not, e.message());
    return o;
  }
}

std::string open_together(ProcessGroup& g, const std::shared_ptr<DeviceWay>& way,
                          const bp_wide_id& id) {
  Offer mine;
  try {
    way->open(id);
    DeviceWay::watch(way, g.member);
  } catch (const Error& e) {
    if (!g.member->works()) throw;
    put_text(mine.why_not, e.message());
    mine.follows = e.status() == BP_CANCELLED;
  }
  std::vector<Offer> all(g.size());
  all_gather_bytes(g, &mine, sizeof mine, all.data());
  return refusal(all);
}

}  // namespace

std::string use_device(ProcessGroup& g, bp_device value) {
  only_unrecorded("use_device", "other processes take part in it");
  g.member->check_process();
  if (const auto now = g.member->way(); now && now->device()) {
    if (now->device() == &resolve_device(value)) return "";
    fail(BP_BAD_STATE, "use_device: the group uses {} already", now->device()->label);
  }
  Device* d = nullptr;
  const bp_wide_api* api = nullptr;
  const Offer mine = offer_of(value, d, api);
  std::vector<Offer> all(g.size());
  all_gather_bytes(g, &mine, sizeof mine, all.data());
  if (std::string why = refusal(all); !why.empty()) return why;
  Said said;
  if (g.rank() == 0) {
    bp_error* err = nullptr;
    const DeviceCall inside(*d);
    if (call_plugin<&bp_wide_api::make_id>(*api, d->handle, &said.id, &err) < 0)
      put_text(said.why_not, fmt::format("rank 0: {}", bp_error_message(err, nullptr)));
    bp_error_release(err);
  }
  broadcast_bytes(g, &said, sizeof said, /*root=*/0);
  if (*said.why_not) return said.why_not;
  const auto way = DeviceWay::make(*g.member, *d, *api, mine.library);
  try {
    if (std::string why = open_together(g, way, said.id); !why.empty()) {
      way->end();
      return why;
    }
  } catch (...) {
    way->end();
    throw;
  }
  g.member->set_way(way);
  log(kLogInfo, "{}: exchanges of {} go through {}", g.member->about.kind, d->label,
      way->library());
  return "";
}

DeviceOffer device_offer(const ProcessGroup& g, const Device& d) noexcept {
  if (const auto now = g.member->way(); now && now->device()) return DeviceOffer::kUses;
  return table_of_wide(*d.backend) ? DeviceOffer::kCan : DeviceOffer::kNone;
}

void try_device(ProcessGroup& g, const Device& d, std::span<const DeviceOffer> by_rank) {
  const auto count = [&](DeviceOffer o) {
    return static_cast<size_t>(std::count(by_rank.begin(), by_rank.end(), o));
  };
  if (const size_t n = count(DeviceOffer::kUses); n == by_rank.size())
    return;
  else if (n > 0)
    fail(BP_BAD_STATE,
         "the devices of {} of the group's {} members exchange by themselves, and those of the "
         "others do not: all join anew",
         n, by_rank.size());
  const bool all_can = count(DeviceOffer::kCan) == by_rank.size();
  const std::string why = all_can ? use_device(g, d.value)
                                  : fmt::format("some member's plugin has no \"{}\"", BP_WIDE_ID);
  if (!why.empty())
    log(kLogInfo, "{}: tensors pass through the host: {}", g.member->about.kind, why);
}

}  // namespace bp
