// SPDX-License-Identifier: Apache-2.0
// text.cc: a program as text; declared in program.h.
//
//   in0: f32 [1000, 256] cpu
//   held0: 1024 bytes of cpu, read
//   %0 = exp(in0 f32 [256000])
//   out0: %0
#include "core/base/error.h"
#include "core/program/way_back.h"

namespace bp {
namespace {

std::string name_of(const Program& p, uint32_t buffer) {
  const Buffer& b = p.buffers[buffer];
  if (b.kind == Buffer::Kind::kInput) return fmt::format("in{}", b.input);
  return fmt::format("{}{}", b.kind == Buffer::Kind::kHeld ? "held" : "%", buffer);
}

std::string argument_text(const Program& p, const Step& s, size_t i) {
  const bp_arg& a = s.args[i];
  if (s.uses[i].buffer == Argument::kNumber)
    return a.kind == BP_ARG_NONE         ? std::string("none")
           : a.kind == BP_ARG_SCALAR_I64 ? fmt::format("{}", a.i64)
                                         : fmt::format("{}", a.f64);
  const auto rank = static_cast<size_t>(a.rank);
  const Span shape{a.shape, rank}, strides{a.strides, rank};
  std::string text = fmt::format("{} {} {}", name_of(p, s.uses[i].buffer), dtype_name(a.dtype),
                                 format_shape(shape));
  if (!is_contiguous(shape, strides)) text += fmt::format(" strides {}", format_shape(strides));
  if (const auto at = reinterpret_cast<intptr_t>(a.data)) text += fmt::format(" at {}", at);
  return text;
}

std::string step_text(const Program& p, const Step& s) {
  std::string in, out;
  for (size_t i = 0; i < s.args.size(); ++i) {
    std::string& to = i < s.n_in ? in : out;
    to += (to.empty() ? "" : ", ") + argument_text(p, s, i);
  }
  const char* name = s.row ? s.row->name : "transfer";
  return out.empty() ? fmt::format("{}({})", name, in) : fmt::format("{} = {}({})", out, name, in);
}

}  // namespace

std::string text(const Program& p) {
  std::string lines;
  for (size_t i = 0; i < p.inputs.size(); ++i)
    lines += fmt::format("in{}: {} {} {}\n", i, dtype_name(p.inputs[i].place.dtype),
                         format_shape(p.inputs[i].place.shape), p.inputs[i].device->label);
  for (uint32_t i = 0; i < p.buffers.size(); ++i)
    if (const Buffer& b = p.buffers[i]; b.kind == Buffer::Kind::kHeld)
      lines += fmt::format("{}: {} bytes of {}, {}\n", name_of(p, i), b.bytes, b.device->label,
                           b.written ? "written" : "read");
  for (const Group& g : p.groups) {
    if (g.count > 1)
      lines += fmt::format("together, {} units in blocks of {}:\n", g.units, g.block);
    for (uint32_t i = g.first; i < g.first + g.count; ++i)
      lines += fmt::format("{}{}\n", g.count > 1 ? "  " : "", step_text(p, p.steps[i]));
  }
  for (size_t i = 0; i < p.outputs.size(); ++i)
    lines += fmt::format("out{}: {} {} {}\n", i, name_of(p, p.outputs[i].buffer),
                         dtype_name(p.outputs[i].dtype), format_shape(p.outputs[i].shape));
  const Facts& f = p.facts;
  uint64_t bytes = 0;
  for (const Program::Block& b : p.blocks) bytes += b.bytes;
  lines += fmt::format(
      "{} of {} recorded steps, {} dead, {} equal, {} joined, {} added, in {} launches; {} bytes in between, "
      "{} when recorded\n",
      p.steps.size() - f.added, f.recorded, f.dead, f.equal, f.joined, f.added, p.groups.size(),
      bytes, f.eager_peak);
  if (p.back) lines += "the way back:\n" + text(*p.back->program);
  return lines;
}

}  // namespace bp
