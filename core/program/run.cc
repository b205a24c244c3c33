// SPDX-License-Identifier: Apache-2.0
// run.cc: runs a program; declared in program.h. Memory is bound to buffers first, and then steps
// are launched one after the other in the current streams of their devices.
#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/call/invoke.h"
#include "core/device/plugin_call.h"
#include "core/device/queue_trace.h"
#include "core/process/threads.h"
#include "core/program/way_back.h"
#include "core/tensor/transfer.h"

namespace bp {
namespace {

// Memory for a run.
Ref<Storage> held(Device& d, uint64_t bytes) {
  auto s = Ref<Storage>::adopt(new Storage(current_stream(d), bytes));
  if (keeps_profile()) [[unlikely]]
    note_holder(*s);
  return s;
}

class Run {
 public:
  Run(Program& p, std::span<Tensor* const> in, std::span<Ref<Tensor>> out)
      : p_(p), in_(in), out_(out), base_(p.buffers.size()), owner_(p.buffers.size()) {}

  void bind_inputs();
  void bind_held();
  void refuse_overlaps() const;
  void bind_outputs();
  void bind_blocks();
  void draw();
  void count_writes() const;
  void launch();
  void finish();

 private:
  void check_input(size_t i, const Tensor& t) const;
  bool is_bound(const char* from, uint64_t bytes, size_t i) const;
  bool writes_into(const BufferView& place, const Tensor& given) const;
  void await(Storage& s, bool written) const {
    if (s.used()) [[unlikely]]
      await_copies(s, /*readers_too=*/written);
  }
  void fill_args(const Step& s, bp_arg* args) const;
  bp_launch launch_of(const Step& s, const bp_arg* args);
  void launch_one(const Step& s);
  void launch_group(const Group& g);
  void transfer(const Step& s);
  Ref<Tensor> tensor_of(const Step& s, size_t i) const;

  Program& p_;
  std::span<Tensor* const> in_;
  std::span<Ref<Tensor>> out_;
  std::vector<char*> base_;            // of each buffer, or nullptr
  std::vector<Ref<Storage>> owner_;    // what keeps it, of inputs and outputs
  std::vector<Ref<Tensor>> laid_out_;  // inputs that were given in another layout
  std::vector<Ref<Storage>> blocks_;   // of devices
  std::vector<uint64_t> seeds_, offsets_;
  std::vector<bp_attr> attrs_;  // of a step whose attributes are other ones in each run
};

void Run::check_input(size_t i, const Tensor& t) const {
  const Input& wanted = p_.inputs[i];
  if (t.dtype != wanted.place.dtype || t.shape != wanted.place.shape ||
      &t.device() != wanted.device)
    fail(t.dtype != wanted.place.dtype  ? BP_DTYPE_MISMATCH
         : &t.device() != wanted.device ? BP_DEVICE_MISMATCH
                                        : BP_INVALID_ARGUMENT,
         "input {} of the program was recorded as {} {} on {}, and is {} {} on {}", i,
         dtype_name(wanted.place.dtype), format_shape(wanted.place.shape), wanted.device->label,
         dtype_name(t.dtype), format_shape(t.shape), t.device().label);
}

void Run::bind_inputs() {
  for (size_t i = 0; i < in_.size(); ++i) {
    Tensor* t = in_[i];
    check_input(i, *t);
    const BufferView& place = p_.inputs[i].place;
    const Buffer& b = p_.buffers[place.buffer];
    if (t->strides != place.strides && t->count > 1) {
      if (b.written)
        fail(
            BP_INVALID_ARGUMENT,
            "input {} of the program is written in place: it was recorded with strides {}, and has "
            "{}",
            i, format_shape(place.strides), format_shape(t->strides));
      Ref<Tensor> room = new_tensor(Dims{static_cast<int64_t>(b.bytes) / dtype_bytes(t->dtype)},
                                    t->dtype, t->device());
      Ref<Tensor> same =
          make_view(*room, place.shape, place.strides, place.offset / dtype_bytes(t->dtype));
      copy_into(*same, *t, /*non_blocking=*/false);
      laid_out_.push_back(same);
      t = same.get();
    }
    await(*t->storage, b.written);
    base_[place.buffer] = t->storage->data ? t->data() - place.offset : nullptr;
    owner_[place.buffer] = t->storage;
  }
}

void Run::bind_held() {
  for (size_t i = 0; i < p_.buffers.size(); ++i) {
    const Buffer& b = p_.buffers[i];
    if (b.kind != Buffer::Kind::kHeld) continue;
    await(*b.held, b.written);
    base_[i] = static_cast<char*>(b.held->data);
    owner_[i] = b.held;
  }
}

// Whether buffer i, an input or held, is bound to some of these bytes.
bool Run::is_bound(const char* from, uint64_t bytes, size_t i) const {
  const Buffer& b = p_.buffers[i];
  return b.kind != Buffer::Kind::kMade && from < base_[i] + b.bytes && base_[i] < from + bytes;
}

// Steps run in another order than their calls where they do not depend on each other, which was
// decided for memory that lay apart.
void Run::refuse_overlaps() const {
  for (size_t i = 0; i < in_.size(); ++i)  // buffers begin with the inputs
    for (size_t k = i + 1; k < p_.buffers.size(); ++k) {
      const Buffer &a = p_.buffers[i], &b = p_.buffers[k];
      if (!(a.written || b.written) || a.device != b.device || !is_bound(base_[i], a.bytes, k))
        continue;
      if (k < in_.size())
        fail(BP_INVALID_ARGUMENT,
             "inputs {} and {} of the program share memory, and it writes one of them", i, k);
      fail(
          BP_INVALID_ARGUMENT,
          "input {} of the program shares memory with a tensor that it holds, and it writes one of "
          "them",
          i);
    }
}

// Whether the output's buffer may be the given tensor's own memory.
bool Run::writes_into(const BufferView& place, const Tensor& given) const {
  const Buffer& b = p_.buffers[place.buffer];
  if (b.kind != Buffer::Kind::kMade || owner_[place.buffer] || place.offset != 0 ||
      given.dtype != place.dtype || given.shape != place.shape || given.strides != place.strides ||
      !given.contiguous || &given.device() != b.device ||
      static_cast<uint64_t>(given.count * dtype_bytes(given.dtype)) != b.bytes)
    return false;
  for (size_t i = 0; i < p_.buffers.size(); ++i)
    if (owner_[i].get() == given.storage.get() || is_bound(given.data(), b.bytes, i)) return false;
  return true;
}

void Run::bind_outputs() {
  for (size_t i = 0; i < out_.size(); ++i) {
    const BufferView& place = p_.outputs[i];
    if (!out_[i]) continue;
    if (out_[i]->shape != place.shape)
      fail(BP_INVALID_ARGUMENT, "output {} of the program has shape {}, the given one {}", i,
           format_shape(place.shape), format_shape(out_[i]->shape));
    check_writable(*out_[i]);
    if (!writes_into(place, *out_[i])) continue;
    await(*out_[i]->storage, /*written=*/true);
    base_[place.buffer] = out_[i]->data();
    owner_[place.buffer] = out_[i]->storage;
  }
  for (size_t i = 0; i < p_.buffers.size(); ++i) {
    const Buffer& b = p_.buffers[i];
    if (b.kind != Buffer::Kind::kMade || !b.output || owner_[i]) continue;
    owner_[i] = held(*b.device, b.bytes);
    base_[i] = static_cast<char*>(owner_[i]->data);
  }
}

void Run::bind_blocks() {
  for (const Program::Block& block : p_.blocks) {
    if (!block.device->alive())
      fail(BP_BAD_STATE, "the program runs on {}, which was {}", block.device->label,
           why_closed(*block.device));
    if (!block.bytes) continue;
    blocks_.push_back(held(*block.device, block.bytes));
    char* start = static_cast<char*>(blocks_.back()->data);
    for (size_t i = 0; i < p_.buffers.size(); ++i) {
      const Buffer& b = p_.buffers[i];
      if (b.kind == Buffer::Kind::kMade && !b.output && b.scratch < 0 && b.device == block.device)
        base_[i] = start + b.at;
    }
  }
}

void Run::draw() {
  for (const Draw& d : p_.draws) {
    uint64_t seed = 0;
    offsets_.push_back(d.device->generator->reserve(d.n, &seed));
    seeds_.push_back(seed);
  }
}

void Run::fill_args(const Step& s, bp_arg* args) const {
  std::memcpy(static_cast<void*>(args), s.args.data(), s.args.size() * sizeof(bp_arg));
  for (size_t i = 0; i < s.args.size(); ++i)
    if (s.uses[i].buffer != Argument::kNumber)
      args[i].data = base_[s.uses[i].buffer] + reinterpret_cast<intptr_t>(args[i].data);
}

bp_launch Run::launch_of(const Step& s, const bp_arg* args) {
  const bp_attr* attrs = s.attrs.data();
  if (s.draw >= 0 || s.refresh) {
    attrs_ = s.attrs;
    if (s.draw >= 0) {
      const auto d = static_cast<size_t>(s.draw);
      attrs_[attrs_.size() - 2].value.i64 = static_cast<int64_t>(seeds_[d]);
      attrs_.back().value.i64 = static_cast<int64_t>(offsets_[d] + s.draw_shift);
    }
    if (s.refresh) s.refresh(attrs_, /*counts=*/true);
    attrs = attrs_.data();
  }
  return {sizeof(bp_launch),
          s.row->id,
          args,
          s.n_in,
          s.n_out,
          attrs,
          static_cast<uint32_t>(s.attrs.size()),
          is_product(*s.row) ? product_flags() : s.flags,
          current_stream(*s.device).queue,
          nullptr,
          0};
}

void Run::launch_one(const Step& s) {
  if (!s.row) return transfer(s);
  SmallVec<bp_arg, 6> args;
  args.resize(static_cast<uint32_t>(s.args.size()));
  fill_args(s, args.data());
  bp_launch l = launch_of(s, args.data());
  const TraceSpan op(TraceSort::kOp, s.row->name);
  const QueueSpan queued(&current_stream(*s.device), TraceSort::kKernel, s.row->name);
  run_kernel(*s.kernel, *s.row, l, *s.device);
}

void Run::launch_group(const Group& g) {
  SmallVec<bp_arg, 24> args;
  args.resize(static_cast<uint32_t>(g.args.size()));
  std::memcpy(static_cast<void*>(args.data()), g.args.data(), g.args.size() * sizeof(bp_arg));
  for (uint32_t i = 0; i < args.size(); ++i)
    if (g.memory[i] != Argument::kNumber && !g.in_scratch[i])
      args[i].data = base_[g.memory[i]] + reinterpret_cast<intptr_t>(args[i].data);
  Device& device = *p_.steps[g.first].device;
  FusedCall call(p_.steps_of(g), g, args.data(), current_stream(device).queue);
  const SteadyThreads steady;  // the plugin asks for their number too
  const auto threads = device.is_host() ? static_cast<uint64_t>(num_threads()) : 1;
  const Ref<Storage> scratch = held(device, g.scratch_bytes * threads);
  call.fused.scratch = scratch->data;
  const DeviceCall inside(device);
  const TraceSpan op(TraceSort::kOp, "group");
  const QueueSpan queued(&current_stream(device), TraceSort::kKernel, "group");
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_fuse_api::run>(*device.fuses, &call.fused, &err);
  if (status < 0) check_plugin(device, status, err, "a program's group of steps");
  if (device.synchronous) [[unlikely]]
    await_op(*p_.steps[g.first].row, device);
}

Ref<Tensor> Run::tensor_of(const Step& s, size_t i) const {
  const bp_arg& a = s.args[i];
  const uint32_t buffer = s.uses[i].buffer;
  const Buffer& b = p_.buffers[buffer];
  const Span shape{a.shape, 1}, strides{a.strides, 1};
  // A look at memory whose owner the run holds; what the transfer notes there, the storage keeps.
  auto t = Ref<Tensor>::adopt(new Tensor);
  t->dtype = a.dtype;
  t->count = a.shape[0];
  t->shape = Dims(shape);
  t->strides = Dims(strides);
  const int64_t item = dtype_bytes(a.dtype);
  if (owner_[buffer]) {
    t->storage = owner_[buffer];
  } else {
    for (const Ref<Storage>& block : blocks_)
      if (block->device == b.device) t->storage = block;
  }
  t->offset =
      (base_[buffer] + reinterpret_cast<intptr_t>(a.data) - static_cast<char*>(t->storage->data)) /
      item;
  return t;
}

void Run::transfer(const Step& s) {
  const Ref<Tensor> from = tensor_of(s, 0), into = tensor_of(s, 1);
  transfer_run(*into, *from, /*non_blocking=*/false);
}

void Run::launch() {
  for (const Group& g : p_.groups) {
    if (g.count == 1)
      launch_one(p_.steps[g.first]);
    else
      launch_group(g);
  }
}

// Before the steps, for one that fails leaves what those before it wrote.
void Run::count_writes() const {
  for (size_t i = 0; i < p_.buffers.size(); ++i)
    if (p_.buffers[i].written && owner_[i])
      owner_[i]->version.fetch_add(1, std::memory_order_relaxed);
}

void Run::finish() {
  for (size_t i = 0; i < out_.size(); ++i) {
    const BufferView& place = p_.outputs[i];
    const Buffer& b = p_.buffers[place.buffer];
    if (out_[i] && out_[i]->storage.get() == owner_[place.buffer].get() &&
        b.kind == Buffer::Kind::kMade)
      continue;
    auto t = Ref<Tensor>::adopt(new Tensor);
    t->storage = owner_[place.buffer];
    t->dtype = place.dtype;
    t->shape = place.shape;
    t->strides = place.strides;
    t->count = numel(place.shape);
    t->contiguous = is_contiguous(place.shape, place.strides);
    const char* start = static_cast<const char*>(t->storage->data);
    t->offset = (base_[place.buffer] + place.offset - start) / dtype_bytes(place.dtype);
    if (out_[i])
      copy_into(*out_[i], *t, /*non_blocking=*/false);
    else
      out_[i] = std::move(t);
  }
}

}  // namespace

size_t n_results(const Program& p) { return p.outputs.size() - (p.back ? p.back->n_kept : 0); }

void check_counts(const Program& p, size_t n_in, size_t n_out) {
  if (n_in != p.inputs.size())
    fail(BP_INVALID_ARGUMENT, "the program has {} inputs, got {}", p.inputs.size(), n_in);
  if (n_out != n_results(p))
    fail(BP_INVALID_ARGUMENT, "the program has {} outputs, got {}", n_results(p), n_out);
}

void run_steps(Program& p, std::span<Tensor* const> in, std::span<Ref<Tensor>> out) {
  Run r(p, in, out);
  r.bind_inputs();
  r.bind_held();
  r.refuse_overlaps();
  r.bind_outputs();
  r.bind_blocks();
  r.draw();
  r.count_writes();
  r.launch();
  r.finish();
}

void run(Program& p, std::span<Tensor* const> in, std::span<Ref<Tensor>> out) {
  if (Tape::of_thread)
    Tape::of_thread->refuse("running a program", "a recording is no part of another yet");
  const TraceSpan span(TraceSort::kStep, "program");
  check_counts(p, in.size(), out.size());
  if (p.back) check_wanted(*p.back, in);
  std::vector<Ref<Tensor>> all(out.begin(), out.end());
  all.resize(p.outputs.size());
  run_steps(p, in, all);
  if (p.back) attach(p, in, all);
  std::move(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(out.size()), out.begin());
}

}  // namespace bp
