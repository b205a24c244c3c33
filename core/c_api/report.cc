// SPDX-License-Identifier: Apache-2.0
// report.cc: the load report as a handle, a snapshot that outlives the runtime it was taken of;
// declared in c_api.h.
#include "core/backend/registry.h"
#include "core/base/guard.h"

struct bp_report final : bp::Object {
  std::vector<bp::ReportLine> lines;
  bp_report() : Object(bp::Tag::kReport) {}
  static void destroy(bp_report* r) noexcept {
    r->tag = bp::Tag::kDead;
    delete r;
  }
};

using namespace bp;

namespace {
bool valid(const bp_report* r) { return r && r->tag == Tag::kReport; }
}  // namespace

extern "C" {

bp_status bp_report_create(bp_report** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    auto report = Ref<bp_report>::adopt(new bp_report);
    report->lines = load_report();
    *out = report.release();
  });
}

uint32_t bp_report_count(const bp_report* r) {
  return valid(r) ? static_cast<uint32_t>(r->lines.size()) : 0;
}

bp_status bp_report_get(const bp_report* r, uint32_t i, bp_report_entry* out, bp_error** err) {
  return guard(err, [&] {
    need(r, "r");
    if (!valid(r)) fail(BP_INVALID_ARGUMENT, "r is not a report handle");
    if (i >= r->lines.size())
      fail(BP_INDEX_OUT_OF_RANGE, "entry {} is out of range: the report has {}", i,
           r->lines.size());
    const ReportLine& line = r->lines[i];
    bp_report_entry entry{};
    entry.stage = line.stage;
    entry.status = line.status;
    entry.n_devices = line.n_devices;
    entry.nanoseconds = line.nanoseconds;
    entry.kind = line.kind.c_str();
    entry.path = line.path.c_str();
    entry.version = line.version.c_str();
    entry.cause = line.cause.c_str();
    entry.remedy = line.remedy.c_str();
    put_struct(entry, out, "out");
  });
}

bp_report* bp_report_retain(bp_report* r) {
  if (valid(r)) r->refs.fetch_add(1, std::memory_order_relaxed);
  return r;
}

void bp_report_release(bp_report* r) {
  if (valid(r)) Ref<bp_report>::drop(r);
}

}  // extern "C"
