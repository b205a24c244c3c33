// SPDX-License-Identifier: Apache-2.0
// replay.cc: makes a program of saved calls; declared in saved.h. They go the way of all calls,
// with its checks, under a recorder for which nothing happens (Tape::acts). So operands need no
// memory: a buffer that no tensor holds lies at an address that no memory has.
#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/call/invoke.h"
#include "core/call/recording.h"
#include "core/io/refuse.h"
#include "core/program/recorder.h"
#include "core/program/saved.h"
#include "core/value/attr_values.h"

namespace bp {
namespace {

// The attribute "step" of a loaded optimiser's step goes on from where it was saved. Its other
// attributes stay.
Refresh counting_from(int64_t first, size_t at) {
  const auto next = std::make_shared<std::atomic<int64_t>>(first);
  return [next, at](std::span<bp_attr> attrs, bool counts) {
    attrs[at].value.i64 = counts ? next->fetch_add(1) : next->load();
  };
}

class Replay {
 public:
  Replay(const SavedProgram& saved, const std::vector<Ref<Tensor>>& held,
         const std::vector<Device*>& devices)
      : saved_(saved), devices_(devices), buffers_(saved.buffers.size()) {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const SavedBuffer& b = saved.buffers[i];
      Place& s = buffers_[i];
      s.written = b.kind != Buffer::Kind::kMade;
      if (b.kind == Buffer::Kind::kHeld)
        s.storage = held[i]->storage, s.base = held[i]->offset * dtype_bytes(held[i]->dtype);
      else
        s.storage = unbacked(*devices[b.device], b.bytes);
    }
    for (size_t i = 0; i < saved.steps.size(); ++i) {
      for (const SavedOperand& o : saved.steps[i].in)
        if (o.is_view) buffers_[o.view.buffer].last = i;
      for (const BufferView& v : saved.steps[i].out) buffers_[v.buffer].last = i;
    }
    for (const BufferView& v : saved.outputs) buffers_[v.buffer].last = saved.steps.size();
  }

  Ref<Program> done() {
    std::vector<Ref<Tensor>> inputs;
    std::vector<Tensor*> list;
    for (const BufferView& v : saved_.inputs) inputs.push_back(tensor_of(v));
    for (const Ref<Tensor>& t : inputs) list.push_back(t.get());
    const RecordGuard no_gradients(false);
    Recorder::begin(list, /*flags=*/0);
    struct Abandoned {  // when it fails
      ~Abandoned() { Recorder::abandon(); }
    } abandoned;
    Tape::of_thread->acts = false;
    draw();
    for (size_t i = 0; i < saved_.steps.size(); ++i) make_again(i);
    std::vector<Ref<Tensor>> outputs;
    list.clear();
    for (size_t i = 0; i < saved_.outputs.size(); ++i) {
      const BufferView& v = saved_.outputs[i];
      if (!buffers_[v.buffer].written)
        refuse("output {} is buffer {}, which no step writes", i, v.buffer);
      outputs.push_back(tensor_of(v));
    }
    for (const Ref<Tensor>& t : outputs) list.push_back(t.get());
    return Recorder::end(list, saved_.planned);
  }

 private:
  struct Place {
    Ref<Storage> storage{};
    int64_t base = 0;  // where the buffer begins in it, in bytes
    bool written = false, announced = false;
    size_t last = 0;  // step that uses it
  };

  Ref<Storage> unbacked(Device& d, uint64_t bytes) {
    auto s = Ref<Storage>::adopt(new Storage(d, /*pins=*/nullptr));
    s->data = reinterpret_cast<void*>(next_);
    s->bytes = bytes;
    next_ += (bytes + 127) & ~uint64_t{63};
    return s;
  }

  Ref<Tensor> tensor_of(const BufferView& v) const {
    const Place& b = buffers_[v.buffer];
    auto t = Ref<Tensor>::adopt(new Tensor);
    t->storage = b.storage;
    t->dtype = v.dtype;
    t->shape = v.shape;
    t->strides = v.strides;
    t->count = numel(v.shape);
    t->contiguous = is_contiguous(v.shape, v.strides);
    t->offset = (b.base + v.offset) / dtype_bytes(v.dtype);
    return t;
  }

  // Announces the draws with seeds by which the recorder knows them again in the steps.
  void draw() {
    std::set<int64_t> taken;  // by steps that were called with a seed
    for (const SavedStep& s : saved_.steps)
      for (const bp_attr& a : s.attrs)
        if (std::string_view(a.name) == "seed" && a.kind == BP_ATTR_I64) taken.insert(a.value.i64);
    int64_t seed = 0;
    for (const SavedDraw& d : saved_.draws) {
      while (taken.contains(++seed)) {
      }
      seeds_.push_back(seed);
      Tape::of_thread->drew(*devices_[d.device], d.n, static_cast<uint64_t>(seed), 0);
    }
  }

  void make_again(size_t i) {
    const SavedStep& s = saved_.steps[i];
    try {
      for (const SavedOperand& o : s.in)
        if (o.is_view && !buffers_[o.view.buffer].written && numel(o.view.shape))
          refuse("it reads buffer {} before any step writes it", o.view.buffer);
      s.row ? call(s) : transfer(s);
      for (const SavedOperand& o : s.in)
        if (o.is_view) let_go(o.view, i);
      for (const BufferView& v : s.out) let_go(v, i);
    } catch (const Error& e) {
      throw Error(e.status(), fmt::format("{}: {}", named(i), e.message()), e.flags());
    }
  }

  // "step 3 (add of float32 on sim:0)".
  std::string named(size_t i) const {
    const SavedStep& s = saved_.steps[i];
    const auto view =
        std::find_if(s.in.begin(), s.in.end(), [](const auto& o) { return o.is_view; });
    const char* dtype = view != s.in.end() ? dtype_name(view->view.dtype)
                        : s.out.empty()    ? "nothing"
                                           : dtype_name(s.out[0].dtype);
    return fmt::format("step {} ({} of {} on {})", i, s.row ? s.row->name : "transfer", dtype,
                       devices_[s.device]->label);
  }

  // The recorder counts what is alive at once.
  void let_go(const BufferView& v, size_t step) {
    if (buffers_[v.buffer].last == step && saved_.buffers[v.buffer].kind == Buffer::Kind::kMade)
      buffers_[v.buffer].storage = {};
  }

  void transfer(const SavedStep& s) {
    const Ref<Tensor> from = tensor_of(s.in[0].view), into = given(s.out[0]);
    copy_into(*into, *from, /*non_blocking=*/false);
  }

  // A tensor for a result that lies where the file says.
  Ref<Tensor> given(const BufferView& v) {
    Place& b = buffers_[v.buffer];
    if (saved_.buffers[v.buffer].kind == Buffer::Kind::kMade && !b.announced) {
      Tape::of_thread->made(*b.storage);
      b.announced = true;
    }
    b.written = true;
    return tensor_of(v);
  }

  // Whether the call makes all of a buffer that is not there yet. What a composition makes is then
  // taken as it is, and not copied.
  bool is_made(const SavedStep& s, const BufferView& v) const {
    const SavedBuffer& b = saved_.buffers[v.buffer];
    if (b.kind != Buffer::Kind::kMade || buffers_[v.buffer].announced || v.offset ||
        !is_contiguous(v.shape, v.strides) ||
        checked_bytes(v.shape, dtype_bytes(v.dtype)) != b.bytes ||
        (s.row->flags & (kCreates | kAnyOutputDtype)) || s.row->find_attr("dtype") >= 0)
      return false;
    if (s.row->layout == Layout::kForeach) return true;
    const size_t n = s.in.size() + s.out.size();
    const size_t key = s.row->key < 0 ? n - std::min(n, static_cast<size_t>(-s.row->key))
                                      : static_cast<size_t>(s.row->key);
    const bp_dtype dtype = key >= s.in.size()
                               ? s.out[std::min(key - s.in.size(), s.out.size() - 1)].dtype
                           : s.in[key].is_view ? s.in[key].view.dtype
                                               : v.dtype;
    return !devices_[s.device]->backend->kernel(s.row->id, dtype);
  }

  void call(const SavedStep& s) {
    Device& device = *devices_[s.device];
    std::vector<bp_attr> given_attrs = s.attrs;
    if (s.draw >= 0) {
      const int64_t seed = seeds_[static_cast<size_t>(s.draw)];
      given_attrs.push_back({"seed", BP_ATTR_I64, 1, {.i64 = seed}, 0});
      given_attrs.push_back(
          {"offset", BP_ATTR_I64, 1, {.i64 = static_cast<int64_t>(s.draw_shift)}, 0});
    }
    const AttrValues attrs(s.row->name, s.row->attrs, given_attrs);
    if (s.row->flags & kRandom) {
      const size_t n = attrs.attrs.size();
      if (attrs.attrs[n - 2].value.i64 == -1 && attrs.attrs[n - 1].value.i64 == -1)
        refuse("it draws random numbers, and says no draw");
    }
    std::vector<Ref<Tensor>> kept;
    std::vector<bp_value> in;
    for (const SavedOperand& o : s.in) {
      if (o.is_view) kept.push_back(tensor_of(o.view));
      in.push_back(o.is_view ? tensor_value(*kept.back()) : o.number);
    }
    std::vector<Ref<Tensor>> out(s.out.size());
    std::vector<bool> made(s.out.size());
    for (size_t i = 0; i < out.size(); ++i) {
      for (size_t k = 0; k < i; ++k)
        if (s.out[k].buffer == s.out[i].buffer && made[k]) refuse("two results are one buffer");
      made[i] = is_made(s, s.out[i]);
      if (!made[i]) out[i] = given(s.out[i]);
    }
    for (const Ref<Tensor>& t : kept) check_device(*t, device);
    for (const Ref<Tensor>& t : out)
      if (t) check_device(*t, device);
    if (s.counts) {
      const auto at = static_cast<size_t>(s.row->find_attr("step"));
      Tape::of_thread->refresh_next(*s.row, counting_from(attrs.attrs[at].value.i64, at));
    }
    invoke(*s.row, in, attrs.attrs, out);
    for (size_t i = 0; i < out.size(); ++i)
      if (made[i]) take(s.out[i], *out[i]);
  }

  static void check_device(const Tensor& t, const Device& device) {
    if (&t.device() != &device)
      refuse("it runs on {}, and has an operand on {}", device.label, t.device().label);
  }

  void take(const BufferView& v, const Tensor& t) {
    if (t.dtype != v.dtype || t.shape != v.shape)
      refuse("it makes {} {}, but the file says {} {}", dtype_name(t.dtype), format_shape(t.shape),
             dtype_name(v.dtype), format_shape(v.shape));
    Place& b = buffers_[v.buffer];
    b.storage = t.storage;
    b.base = t.offset * dtype_bytes(t.dtype);
    b.written = b.announced = true;
  }

  const SavedProgram& saved_;
  const std::vector<Device*>& devices_;
  std::vector<Place> buffers_;
  std::vector<int64_t> seeds_;
  // No memory of a process lies in this half of the addresses.
  uint64_t next_ = uint64_t{1} << 63;
};

}  // namespace

Ref<Program> replayed(const SavedProgram& saved, const std::vector<Ref<Tensor>>& held,
                      const std::vector<Device*>& devices) {
  return Replay(saved, held, devices).done();
}

}  // namespace bp
