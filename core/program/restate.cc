// SPDX-License-Identifier: Apache-2.0
// restate.cc: a program's launches as calls; declared in saved.h. A launch's operands are arranged
// as call/arrange.h says, by the row's layout; attributes that name dims are said again for these.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "core/base/error.h"
#include "core/program/saved.h"

namespace bp {
namespace {

class Restating {
 public:
  explicit Restating(const Program& p) : p_(p) {}

  SavedProgram done() && {
    saved_.planned = {p_.facts.without, p_.facts.block_bytes};
    for (const Input& i : p_.inputs) device_at(i.device);
    for (const Step& s : p_.steps) device_at(s.device);
    for (const Input& i : p_.inputs) saved_.inputs.push_back(placed(i.place));
    for (const Draw& d : p_.draws) saved_.draws.push_back({device_at(d.device), d.n});
    for (const Step& s : p_.steps) add_step(s);
    for (const BufferView& v : p_.outputs) saved_.outputs.push_back(placed(v));
    return std::move(saved_);
  }

 private:
  uint32_t device_at(const Device* d) {
    const auto [at, is_new] = devices_.emplace(d, static_cast<uint32_t>(devices_.size()));
    if (is_new) saved_.devices.push_back(d->label);
    return at->second;
  }

  // Buffers that are used get numbers in the order of their use.
  uint32_t buffer_at(uint32_t index) {
    const auto [at, is_new] = buffers_.emplace(index, static_cast<uint32_t>(buffers_.size()));
    if (!is_new) return at->second;
    const Buffer& b = p_.buffers[index];
    SavedBuffer s{b.kind, device_at(b.device), b.bytes};
    if (b.kind == Buffer::Kind::kHeld) {
      const auto [name, is_first] =
          held_.emplace(std::tuple(b.device, b.held->data, b.bytes), held_.size());
      s.tensor = fmt::format("held.{}", name->second);
      saved_.held.push_back(b.held.get());
    } else {
      saved_.held.push_back(nullptr);
    }
    saved_.buffers.push_back(std::move(s));
    return at->second;
  }

  BufferView placed(BufferView v) {
    if (v.offset % dtype_bytes(v.dtype))
      fail(BP_UNSUPPORTED,
           "a view of {} at byte {} of its memory lies between elements, which a file cannot say",
           dtype_name(v.dtype), v.offset);
    v.buffer = buffer_at(v.buffer);
    return v;
  }

  BufferView view_of(const Step& s, size_t i) {
    const bp_arg& a = s.args[i];
    const auto rank = static_cast<size_t>(a.rank);
    return placed({s.uses[i].buffer, reinterpret_cast<intptr_t>(a.data), a.dtype,
                   Dims(Span{a.shape, rank}), Dims(Span{a.strides, rank})});
  }

  static bp_value number_of(const bp_arg& a) {
    bp_value v{};
    switch (a.kind) {
      case BP_ARG_SCALAR_I64:
        v.kind = a.dtype == BP_BOOL ? BP_VALUE_BOOL : BP_VALUE_I64;  // as it promotes
        v.as.i64 = a.i64;
        break;
      case BP_ARG_SCALAR_F64:
        v.kind = BP_VALUE_F64;
        v.as.f64 = a.f64;
        break;
      case BP_ARG_SCALAR_C128:
        v.kind = BP_VALUE_C128;
        v.as.c128[0] = a.f64;
        v.as.c128[1] = std::bit_cast<double>(a.i64);
        break;
      default: v.kind = BP_VALUE_NONE;
    }
    return v;
  }

  void add_step(const Step& s) {
    SavedStep made;
    made.row = s.row;
    made.device = device_at(s.device);
    for (size_t i = 0; i < s.args.size(); ++i) {
      const bool is_view = s.uses[i].buffer != Argument::kNumber;
      if (i >= s.n_in)
        made.out.push_back(view_of(s, i));
      else if (is_view)
        made.in.push_back({{}, view_of(s, i), true});
      else
        made.in.push_back({number_of(s.args[i]), {}, false});
    }
    if (s.row) restate(s, made);
    saved_.steps.push_back(std::move(made));
  }

  // The attributes for operands as they were arranged.
  void restate(const Step& s, SavedStep& made) {
    const OpRow& row = *s.row;
    std::vector<bp_attr> attrs = s.attrs;
    if (s.refresh) s.refresh(attrs, /*counts=*/false);
    made.counts = s.refresh && row.find_attr("step") >= 0;
    made.draw = s.draw;
    made.draw_shift = s.draw_shift;
    const size_t n_attrs = attrs.size() - (s.draw >= 0 ? 2 : 0);
    for (size_t i = 0; i < n_attrs; ++i) made.attrs.push_back(named(row.attrs.at(i), attrs[i]));
    const auto set = [&](std::string_view name, bp_attr value) {
      const int at = row.find_attr(name);
      if (at < 0) return;
      value.name = row.attrs.at(static_cast<size_t>(at)).name;
      made.attrs[static_cast<size_t>(at)] = value;
    };
    if (row.layout == Layout::kReduce) {
      std::vector<int64_t> axes(made.in[0].view.shape.size() - made.out[0].shape.size());
      std::iota(axes.begin(), axes.end(), static_cast<int64_t>(made.out[0].shape.size()));
      if (made.out[0].shape.empty()) axes.clear();  // all
      made.attrs[kReduceAttrs["axes"]] =
          saved_.ints_of(row.attrs.at(kReduceAttrs["axes"]).name, std::move(axes));
      made.attrs[kReduceAttrs["keepdims"]].value.i64 = 0;
    }
    if (row.layout == Layout::kRows)
      set("axis", {nullptr,
                   BP_ATTR_I64,
                   1,
                   {.i64 = static_cast<int64_t>(made.out[0].shape.size()) - 1},
                   0});
    if (row.flags & kCreates) {
      if (row.find_attr("shape") >= 0)
        set("shape", saved_.ints_of("shape", {made.out[0].shape.begin(), made.out[0].shape.end()}));
      set("dtype", {nullptr, BP_ATTR_DTYPE, 1, {.i64 = made.out[0].dtype}, 0});
    }
    if (row.layout == Layout::kForeach)  // a number, which its kernel sees as a run
      for (BufferView& v : made.out) v.shape.clear(), v.strides.clear();
  }

  // The same attribute, which lives as long as what is saved.
  bp_attr named(const AttrSpec& spec, bp_attr a) {
    if (a.kind == BP_ATTR_INTS)
      return saved_.ints_of(spec.name, {a.value.ints, a.value.ints + a.count});
    if (a.kind == BP_ATTR_STR) return saved_.text_of(spec.name, std::string(a.value.str, a.count));
    a.name = spec.name;
    return a;
  }

  const Program& p_;
  SavedProgram saved_;
  std::map<const Device*, uint32_t> devices_;
  std::map<uint32_t, uint32_t> buffers_;
  std::map<std::tuple<const Device*, const void*, uint64_t>, size_t> held_;
};

}  // namespace

bp_attr SavedProgram::ints_of(std::string_view name, std::vector<int64_t> values) {
  const std::vector<int64_t>& kept = ints_.emplace_back(std::move(values));
  return {name.data(),
          BP_ATTR_INTS,
          static_cast<uint32_t>(kept.size()),
          {.ints = kept.empty() ? nullptr : kept.data()},
          0};
}

bp_attr SavedProgram::text_of(std::string_view name, std::string text) {
  const std::string& kept = texts_.emplace_back(std::move(text));
  return {name.data(), BP_ATTR_STR, static_cast<uint32_t>(kept.size()), {.str = kept.data()}, 0};
}

SavedProgram saved_of(const Program& p) { return Restating(p).done(); }

}  // namespace bp
