// SPDX-License-Identifier: Apache-2.0
// parse_saved.cc: a saved program from JSON; declared in saved.h. Nothing that is read is trusted:
// each number has its range, each name is looked up, each view lies in its buffer.
#include <algorithm>
#include <limits>

#include "c_program.h"
#include "core/base/shown.h"
#include "core/io/json.h"
#include "core/io/refuse.h"
#include "core/program/saved.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

// More than any memory has, and so few that what is computed of them (for each thread, for
// alignment) stays in range.
constexpr int64_t kMostBytes = int64_t{1} << 48;

// A value of the JSON and where it stands, for messages.
class Field {
 public:
  Field(const Json& j, std::string where) : j_(&j), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  void name(std::string where) { where_ = std::move(where); }
  const Json& value() const { return *j_; }

  bool has(const char* key) const { return object().find(key); }
  Field at(const char* key) const {
    const Json* found = object().find(key);
    if (!found) refuse("{} has no '{}'", where_, key);
    return {*found, fmt::format("{}, '{}'", where_, key)};
  }
  // Refuses what a later version may have added and this one would overlook.
  void only(std::initializer_list<std::string_view> known) const {
    for (const std::string& key : object().keys)
      if (std::find(known.begin(), known.end(), key) == known.end())
        refuse("{} has a field '{}', which is not known", where_, shown(key));
  }
  const Json& object() const {
    if (j_->kind != Json::Kind::kObject) wrong("an object");
    return *j_;
  }
  size_t size(size_t most) const {
    if (j_->kind != Json::Kind::kList) wrong("a list");
    if (j_->list.size() > most)
      refuse("{} has {} entries, at most {} are possible", where_, j_->list.size(), most);
    return j_->list.size();
  }
  Field entry(size_t i) const { return {j_->list[i], fmt::format("{} {}", where_, i)}; }
  // The same, called by a name of its own.
  Field entry(size_t i, const char* called) const {
    return {j_->list[i], fmt::format("{} {}", called, i)};
  }
  int64_t integer(int64_t low, int64_t high) const {
    if (j_->kind == Json::Kind::kLarge)
      refuse("{} is {:.0f}, expected {} to {}", where_, j_->number, low, high);
    if (j_->kind != Json::Kind::kInteger) wrong("a whole number");
    if (j_->integer < low || j_->integer > high)
      refuse("{} is {}, expected {} to {}", where_, j_->integer, low, high);
    return j_->integer;
  }
  int64_t any_integer() const {
    return integer(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
  }
  uint32_t index(size_t n, const char* of) const {
    if (n == 0) refuse("{} names one of {}, and there is none", where_, of);
    return static_cast<uint32_t>(integer(0, static_cast<int64_t>(n) - 1));
  }
  double number() const {
    switch (j_->kind) {
      case Json::Kind::kInteger:
      case Json::Kind::kLarge:
      case Json::Kind::kFloat: return j_->number;
      case Json::Kind::kText: break;
      default: wrong("a number");
    }
    if (j_->text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (j_->text == "inf") return std::numeric_limits<double>::infinity();
    if (j_->text == "-inf") return -std::numeric_limits<double>::infinity();
    refuse("{} is '{}', expected a number", where_, shown(j_->text));
  }
  bool flag() const {
    if (j_->kind != Json::Kind::kFlag) wrong("true or false");
    return j_->flag;
  }
  bool is_text() const { return j_->kind == Json::Kind::kText; }
  const std::string& text() const {
    if (!is_text()) wrong("a text");
    return j_->text;
  }
  bp_dtype dtype() const {
    const std::string& t = text();
    for (bp_dtype d = 0; d < BP_DTYPE_COUNT; ++d)
      if (t == dtype_name(d)) return d;
    refuse("{} is '{}', which is no dtype", where_, shown(t));
  }
  std::vector<int64_t> integers(size_t most) const {
    std::vector<int64_t> out(size(most));
    for (size_t i = 0; i < out.size(); ++i) out[i] = entry(i).any_integer();
    return out;
  }
  [[noreturn]] void wrong(const char* wanted) const {
    constexpr const char* kNames[] = {kJsonNull,  "true or false", "a number", "a number",
                                      "a number", "a text",        "a list",   "an object"};
    refuse("{} is {}, expected {}", where_, kNames[static_cast<size_t>(j_->kind)], wanted);
  }

 private:
  const Json* j_;
  std::string where_;
};

class Reading {
 public:
  SavedProgram read(const Field& top) {
    top.only({"version", "library", "devices", "passes", "buffers", "inputs", "outputs", "draws",
              "steps"});
    const Field devices = top.at("devices");
    const size_t n_devices = devices.size(kMostEntries);
    for (size_t i = 0; i < n_devices; ++i) saved_.devices.push_back(devices.entry(i).text());
    const Field passes = top.at("passes");
    passes.only({"without", "block_bytes"});
    saved_.planned.without = static_cast<uint32_t>(passes.at("without").integer(0, kPasses));
    saved_.planned.block_bytes =
        static_cast<uint64_t>(passes.at("block_bytes").integer(1, kMostBytes));
    read_buffers(top.at("buffers"));
    read_inputs(top.at("inputs"));
    const Field draws = top.at("draws");
    const size_t n_draws = draws.size(kMostEntries);
    for (size_t i = 0; i < n_draws; ++i) {
      const Field d = draws.entry(i);
      d.only({"device", "count"});
      saved_.draws.push_back({d.at("device").index(saved_.devices.size(), "the devices"),
                              d.at("count").integer(0, kMostBytes)});
    }
    const Field steps = top.at("steps");
    const size_t n_steps = steps.size(kMostEntries);
    for (size_t i = 0; i < n_steps; ++i) saved_.steps.push_back(step(steps.entry(i, "step")));
    const Field outputs = top.at("outputs");
    const size_t n_outputs = outputs.size(kMostEntries);
    for (size_t i = 0; i < n_outputs; ++i)
      saved_.outputs.push_back(view(outputs.entry(i, "output")));
    return std::move(saved_);
  }

 private:
  // The JSON is bounded by its file; a list of so many entries is bounded by that already.
  static constexpr size_t kMostEntries = size_t{1} << 24;

  void read_buffers(const Field& list) {
    const size_t n = list.size(kMostEntries);
    int64_t all = 0;
    for (size_t i = 0; i < n; ++i) {
      const Field b = list.entry(i, "buffer");
      b.only({"is", "device", "bytes", "tensor"});
      const std::string& is = b.at("is").text();
      const auto kind = std::find(std::begin(kSavedKinds), std::end(kSavedKinds), is);
      if (kind == std::end(kSavedKinds))
        refuse("{} is '{}', which is not known", b.where(), shown(is));
      SavedBuffer made{static_cast<Buffer::Kind>(kind - std::begin(kSavedKinds)),
                       b.at("device").index(saved_.devices.size(), "the devices"),
                       static_cast<uint64_t>(b.at("bytes").integer(0, kMostBytes))};
      if (__builtin_add_overflow(all, static_cast<int64_t>(made.bytes), &all) || all > kMostBytes)
        refuse("{}: the buffers take more bytes together than memory can have", b.where());
      if (made.kind == Buffer::Kind::kHeld)
        made.tensor = b.at("tensor").text();
      else if (b.has("tensor"))
        refuse("{} is '{}', and has a tensor", b.where(), is);
      saved_.buffers.push_back(std::move(made));
    }
  }

  // An input's buffer is what the input reaches, and nothing else.
  void read_inputs(const Field& list) {
    const size_t n = list.size(kMostEntries);
    std::vector<bool> bound(saved_.buffers.size());
    for (size_t i = 0; i < n; ++i) {
      const Field at = list.entry(i, "input");
      const BufferView v = view(at);
      const SavedBuffer& b = saved_.buffers[v.buffer];
      if (b.kind != Buffer::Kind::kInput || bound[v.buffer])
        refuse("{} is bound to buffer {}, which is {}", at.where(), v.buffer,
               bound[v.buffer] ? "another input's" : "no input's");
      bound[v.buffer] = true;
      const Extent e = extent(v.shape, v.strides);
      const int64_t item = dtype_bytes(v.dtype);
      if (v.offset != -e.low * item || b.bytes != static_cast<uint64_t>((e.high - e.low) * item))
        refuse("{} reaches {} bytes from byte {} on, but its buffer has {} bytes", at.where(),
               (e.high - e.low) * item, v.offset + e.low * item, b.bytes);
      saved_.inputs.push_back(v);
    }
    for (size_t b = 0; b < bound.size(); ++b)
      if (saved_.buffers[b].kind == Buffer::Kind::kInput && !bound[b])
        refuse("buffer {} is an input's, but no input is bound to it", b);
  }

  BufferView view(const Field& n) const {
    n.only({"buffer", "dtype", "at", "shape", "strides"});
    BufferView v;
    v.buffer = n.at("buffer").index(saved_.buffers.size(), "the buffers");
    v.dtype = n.at("dtype").dtype();
    const auto bytes = static_cast<int64_t>(saved_.buffers[v.buffer].bytes);
    v.offset = n.has("at") ? n.at("at").integer(0, bytes) : 0;
    const int64_t item = dtype_bytes(v.dtype);
    if (v.offset % item)
      refuse("{} begins at byte {}, which is no multiple of {}'s {} bytes", n.where(), v.offset,
             dtype_name(v.dtype), item);
    v.shape = Dims(std::span<const int64_t>(n.at("shape").integers(BP_MAX_RANK)));
    for (const int64_t size : v.shape)
      if (size < 0) refuse("{} has a size of {}", n.where(), size);
    try {
      checked_bytes(v.shape, item);
    } catch (const Error& e) {
      refuse("{}: {}", n.where(), e.message());
    }
    v.strides = contiguous_strides(v.shape);
    if (n.has("strides")) read_strides(n, v, item);
    if (numel(v.shape) == 0) {
      v.strides = contiguous_strides(v.shape);
      return v;
    }
    const Extent e = extent(v.shape, v.strides);
    const Int128 low = v.offset + Int128{e.low} * item, high = v.offset + Int128{e.high} * item;
    if (low < 0 || high > bytes)
      refuse("{} reaches beyond buffer {}: shape {}, strides {} from byte {} on, of {} bytes",
             n.where(), v.buffer, format_shape(v.shape), format_shape(v.strides), v.offset, bytes);
    return v;
  }

  static void read_strides(const Field& n, BufferView& v, int64_t item) {
    const std::vector<int64_t> strides = n.at("strides").integers(BP_MAX_RANK);
    if (strides.size() != v.shape.size())
      refuse("{} has {} sizes and {} strides", n.where(), v.shape.size(), strides.size());
    for (size_t d = 0; d < strides.size(); ++d) {
      if (strides[d] < -kMostBytes / item || strides[d] > kMostBytes / item)
        refuse("{} has a stride of {}", n.where(), strides[d]);
      v.strides[d] = strides[d];
    }
    try {
      static_cast<void>(checked_extent(v.shape, v.strides, item));
    } catch (const Error& e) {
      refuse("{}: {}", n.where(), e.message());
    }
  }

  SavedOperand operand(const Field& n) const {
    SavedOperand o;
    switch (n.value().kind) {
      case Json::Kind::kObject:
        o.is_view = true;
        o.view = view(n);
        break;
      case Json::Kind::kInteger:
        o.number.kind = BP_VALUE_I64;
        o.number.as.i64 = n.any_integer();
        break;
      case Json::Kind::kFlag:
        o.number.kind = BP_VALUE_BOOL;
        o.number.as.i64 = n.flag();
        break;
      case Json::Kind::kList:
        if (n.size(2) != 2) refuse("{} has not a real and an imaginary part", n.where());
        o.number.kind = BP_VALUE_C128;
        for (size_t i = 0; i < 2; ++i) o.number.as.c128[i] = n.entry(i).number();
        break;
      case Json::Kind::kNull: break;
      default: o.number.kind = BP_VALUE_F64; o.number.as.f64 = n.number();
    }
    return o;
  }

  SavedStep step(Field n) {
    n.only({"op", "name", "device", "in", "out", "attrs", "draw", "counts"});
    SavedStep s;
    if (n.has("op")) {
      const int64_t id = n.at("op").integer(0, std::numeric_limits<uint32_t>::max());
      s.row = find_op(static_cast<uint32_t>(id));
      if (!s.row) refuse("{} is of op {}, which this library does not know", n.where(), id);
      if (n.at("name").text() != s.row->name)
        refuse("{} is of op {}, which is {} and not '{}'", n.where(), id, s.row->name,
               shown(n.at("name").text()));
      n.name(fmt::format("{} ({})", n.where(), s.row->name));
    }
    s.device = n.at("device").index(saved_.devices.size(), "the devices");
    const Field in = n.at("in"), out = n.at("out");
    const size_t n_in = in.size(BP_MAX_INPUTS), n_out = out.size(BP_MAX_OUTPUTS);
    for (size_t i = 0; i < n_in; ++i)
      s.in.push_back(
          operand(Field(in.value().list[i], fmt::format("{}, operand {}", n.where(), i))));
    for (size_t i = 0; i < n_out; ++i)
      s.out.push_back(view(Field(out.value().list[i], fmt::format("{}, result {}", n.where(), i))));
    if (s.row && n_out != s.row->n_outputs())
      refuse("{} has {} results, expected {}", n.where(), n_out, s.row->n_outputs());
    if (s.row) return call(n, std::move(s));
    if (n_in != 1 || n_out != 1 || !s.in[0].is_view || s.in[0].view.shape != s.out[0].shape ||
        s.in[0].view.dtype != s.out[0].dtype || s.out[0].shape.size() != 1 ||
        !is_contiguous(s.out[0].shape, s.out[0].strides) ||
        !is_contiguous(s.in[0].view.shape, s.in[0].view.strides))
      refuse("{} copies a run of elements, and has other operands than two such runs", n.where());
    return s;
  }

  SavedStep call(const Field& n, SavedStep s) {
    const AttrSpecs& specs = s.row->attrs;
    if (n.has("attrs")) {
      const Field attrs = n.at("attrs");
      for (const std::string& key : attrs.object().keys) {
        const int at = specs.find(key);
        if (at < 0) refuse("{} has an attribute '{}', which is not known", n.where(), shown(key));
        s.attrs.push_back(attr(
            specs.at(static_cast<size_t>(at)),
            Field(*attrs.object().find(key), fmt::format("{}, attribute '{}'", n.where(), key))));
      }
    }
    if (n.has("draw")) {
      const Field draw = n.at("draw");
      if (!(s.row->flags & kRandom) || draw.size(2) != 2)
        refuse("{} is no draw of random numbers and where it begins", draw.where());
      s.draw = static_cast<int32_t>(draw.entry(0).index(saved_.draws.size(), "the draws"));
      const int64_t drawn = saved_.draws[static_cast<size_t>(s.draw)].n;
      s.draw_shift =
          static_cast<uint64_t>(draw.entry(1).integer(0, std::max<int64_t>(drawn, 1) - 1));
      for (const bp_attr& a : s.attrs)
        if (std::string_view(a.name) == "seed" || std::string_view(a.name) == "offset")
          refuse("{} has a draw and an attribute '{}'", n.where(), a.name);
    }
    s.counts = n.has("counts") && n.at("counts").flag();
    if (s.counts && specs.find("step") < 0)
      refuse("{} counts its steps, but has no attribute 'step'", n.where());
    return s;
  }

  bp_attr attr(const AttrSpec& spec, const Field& n) {
    bp_attr a{spec.name, spec.kind, 1, {}, 0};
    switch (spec.kind) {
      case BP_ATTR_F64: a.value.f64 = n.number(); break;
      case BP_ATTR_BOOL: a.value.i64 = n.flag(); break;
      case BP_ATTR_DTYPE:
        a.value.i64 = n.value().kind == Json::Kind::kNull ? BP_DTYPE_NONE : n.dtype();
        break;
      case BP_ATTR_STR: return saved_.text_of(spec.name, n.text());
      case BP_ATTR_INTS:
        if (spec.text_too && n.is_text()) return saved_.text_of(spec.name, n.text());
        return saved_.ints_of(spec.name, n.integers(spec.any_length ? kMostEntries : +BP_MAX_RANK));
      default: a.value.i64 = n.any_integer();
    }
    return a;
  }

  SavedProgram saved_;
};

}  // namespace

SavedProgram parse_saved(std::string_view json) {
  const Json whole = parse_json(json);
  const Field top(whole, "the program");
  const int64_t version = top.at("version").any_integer();
  if (version != kSavedVersion)
    fail(BP_UNSUPPORTED, "it is of version {}, and this library reads version {}", version,
         kSavedVersion);
  return Reading().read(top);
}

}  // namespace bp
