// SPDX-License-Identifier: Apache-2.0
// fused.cc: groups of steps as their backend sees them ("bp.fuse/1"); declared in program.h.
#include "core/base/error.h"
#include "core/device/plugin_call.h"
#include "core/program/group.h"

namespace bp {

FusedCode::~FusedCode() {
  if (!code_) return;
  if (const DeviceCall inside(*device_, std::nothrow); inside)
    call_plugin<&bp_fuse_api::drop>(*device_->fuses, code_);
}

FusedCall::FusedCall(std::span<const Step> steps, const Group& group, const bp_arg* args,
                     bp_pstream* queue) {
  launches_.resize(group.count);
  parts_.resize(group.count);
  size_t at = 0;
  for (uint32_t k = 0; k < group.count; ++k) {
    const Step& s = steps[k];
    launches_[k] = {sizeof(bp_launch),
                    s.row->id,
                    args + at,
                    s.n_in,
                    s.n_out,
                    s.attrs.data(),
                    static_cast<uint32_t>(s.attrs.size()),
                    s.flags,
                    queue,
                    nullptr,
                    0};
    parts_[k] = {s.kernel->run,
                 &launches_[k],
                 group.dim_per_unit[k],
                 group.unit_bytes.data() + at,
                 group.in_scratch.data() + at,
                 group.memory.data() + at};
    at += s.args.size();
  }
  fused = {sizeof(bp_fused), group.count, parts_.data(),       group.units,
           group.block,      nullptr,     group.scratch_bytes, group.code.get()};
}

void make_code(const Program& p, Group& g, uint32_t* together) {
  Device& device = *p.steps[g.first].device;
  FusedCall call(p.steps_of(g), g, g.args.data(), current_stream(device).queue);
  const DeviceCall inside(device);
  bp_error* err = nullptr;
  bp_fused_code* code = nullptr;
  const bp_status status =
      call_plugin<&bp_fuse_api::make>(*device.fuses, &call.fused, together, &code, &err);
  if (status < 0) check_plugin(device, status, err, "a program's group of steps");
  g.code = FusedCode(device, code);
}

}  // namespace bp
