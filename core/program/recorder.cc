// SPDX-License-Identifier: Apache-2.0
#include "core/program/recorder.h"

#include <algorithm>
#include <tuple>

#include "c_program.h"
#include "core/base/error.h"
#include "core/base/thread_end.h"
#include "core/grad/autograd.h"

namespace bp {
namespace {

constinit thread_local Recorder* of_this_thread = nullptr;

Recorder& current() {
  if (!of_this_thread) fail(BP_BAD_STATE, "this thread records no program");
  return *of_this_thread;
}

const ThreadEnd& at_thread_end() {
  static const ThreadEnd end([](void* r) {
    of_this_thread = nullptr;
    Tape::of_thread = nullptr;
    delete static_cast<Recorder*>(r);
  });
  return end;
}

// What of_this_thread names, which is then nobody's tape any more.
std::unique_ptr<Recorder> taken() noexcept {
  Tape::of_thread = nullptr;
  at_thread_end().note(nullptr);
  return std::unique_ptr<Recorder>(std::exchange(of_this_thread, nullptr));
}

// As fail, within the recorder: see Recorder::note.
[[noreturn]] void refusal(std::string_view what, std::string_view why) {
  fail(BP_BAD_STATE, "{} cannot be recorded in a program: {}", what, why);
}

}  // namespace

void Recorder::begin(std::span<Tensor* const> inputs, uint32_t flags) {
  if (of_this_thread)
    fail(BP_BAD_STATE, "this thread records a program already: end that one first");
  auto made = std::make_unique<Recorder>(inputs, flags);
  if (!at_thread_end().note(made.get())) throw std::bad_alloc();
  Tape::of_thread = of_this_thread = made.release();
}

Ref<Program> Recorder::end(std::span<Tensor* const> outputs, const Planning& how) {
  struct Abandoned {  // when it fails
    ~Abandoned() { abandon(); }
  } const abandoned;
  Recorder& here = current();
  std::vector<Tensor*> all(outputs.begin(), outputs.end());
  std::vector<Ref<Tensor>> gradients;
  std::optional<Trail> trail;
  if (here.gradients_) trail = here.go_back(outputs, gradients);
  for (const Ref<Tensor>& g : gradients) all.push_back(g.get());
  const std::unique_ptr<Recorder> recorder = taken();
  Ref<Program> p = recorder->finish(all);
  if (trail) {
    p = split(*p, *trail);
    plan(*p->back->program, how);
  }
  plan(*p, how);
  return p;
}

bool Recorder::records() noexcept { return of_this_thread; }
void Recorder::abandon() noexcept { taken(); }

Recorder::Recorder(std::span<Tensor* const> inputs, uint32_t flags)
    : program_(Ref<Program>::adopt(new Program)),
      goes_on_(flags & BP_PROGRAM_GOES_ON),
      gradients_(flags & BP_PROGRAM_GRADIENTS) {
  add_inputs(inputs);
  unrecorded_generation.fetch_add(kRecordings);
}

void Recorder::add_inputs(std::span<Tensor* const> inputs) {
  Program& p = *program_;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& t = *inputs[i];
    Storage* s = t.storage.get();
    if (const auto before = known_.find(s); before != known_.end())
      fail(BP_INVALID_ARGUMENT,
           "inputs {} and {} of a program share memory; give one of them and make the other of it",
           p.buffers[before->second.buffer].input, p.inputs.size());
    const Extent reach = extent(t.shape, t.strides);
    const int64_t item = dtype_bytes(t.dtype);
    Buffer b;
    b.kind = Buffer::Kind::kInput;
    b.device = &t.device();
    b.bytes = static_cast<uint64_t>((reach.high - reach.low) * item);
    b.input = static_cast<uint32_t>(p.inputs.size());
    b.first = (t.offset + reach.low) * item;
    known_.emplace(s, Known{static_cast<uint32_t>(p.buffers.size()), {}});
    p.inputs.push_back(
        {{static_cast<uint32_t>(p.buffers.size()), -reach.low * item, t.dtype, t.shape, t.strides},
         &t.device()});
    p.buffers.push_back(std::move(b));
    inputs_.push_back(t.storage);
    given_.push_back(Ref<Tensor>::share(inputs[i]));
  }
}

Recorder::~Recorder() { unrecorded_generation.fetch_sub(kRecordings); }

void Recorder::give_up(const std::string& sentence) {
  refused_ = sentence;
  Tape::of_thread = nullptr;
  known_.clear();
}

// Runs an entry of the tape. What it cannot take is an error of the call, or ends the recording.
template <class F>
void Recorder::note(F&& entry) {
  if (!goes_on_) return entry();
  try {
    entry();
  } catch (const Error& e) {
    give_up(e.what());
  }
}

void Recorder::refuse(std::string_view what, std::string_view why) {
  note([&] { refusal(what, why); });
}

void Recorder::made(Storage& s) {
  sweep();
  Program& p = *program_;
  Buffer b;
  b.kind = Buffer::Kind::kMade;
  b.device = s.device;
  b.bytes = s.bytes;
  known_[&s] = {static_cast<uint32_t>(p.buffers.size()), Ref<Storage>::share(&s)};
  p.buffers.push_back(std::move(b));
  live_ += s.bytes;
  p.facts.eager_peak = std::max(p.facts.eager_peak, live_);
}

// Lets go of what nobody else has any more. It looks at everything each time that a 64th of it is
// new, so that long recordings take no longer for each call than short ones.
void Recorder::sweep() {
  if (++unswept_ * 64 < known_.size()) return;
  unswept_ = 0;
  for (auto at = known_.begin(); at != known_.end();) {
    const Known& k = at->second;
    const bool alone = k.held && k.held->refs.load(std::memory_order_acquire) == 1 &&
                       program_->buffers[k.buffer].kind == Buffer::Kind::kMade;
    if (alone) live_ -= k.held->bytes;
    at = alone ? known_.erase(at) : std::next(at);
  }
}

uint32_t Recorder::buffer_of(const Tensor& t, bool reads, bool writes) {
  Program& p = *program_;
  Storage* s = t.storage.get();
  auto at = known_.find(s);
  if (at == known_.end()) {
    Buffer b;
    b.device = s->device;
    b.bytes = s->bytes;
    b.held = Ref<Storage>::share(s);
    at = known_.emplace(s, Known{static_cast<uint32_t>(p.buffers.size()), {}}).first;
    p.buffers.push_back(std::move(b));
  }
  Buffer& b = p.buffers[at->second.buffer];
  if (b.kind == Buffer::Kind::kMade && reads && !b.written) {
    // Its first use reads it: the host wrote it, and it stays what it is.
    b.kind = Buffer::Kind::kHeld;
    b.held = at->second.held;
  }
  if (b.kind == Buffer::Kind::kHeld && writes && at->second.held)
    refusal("writing a tensor that the recording made from host memory",
            "each run would go on from what the one before it wrote; make it before");
  if (b.kind == Buffer::Kind::kInput && t.count) {
    const Extent e = extent(t.shape, t.strides);
    const int64_t item = dtype_bytes(t.dtype), low = (t.offset + e.low) * item - b.first;
    if (low < 0 || low + (e.high - e.low) * item > static_cast<int64_t>(b.bytes))
      refusal(fmt::format("using memory beside input {}", b.input),
              "only the input itself is bound at each run");
  }
  b.written |= writes;
  return at->second.buffer;
}

void Recorder::add(Step& step, const Tensor& t, bool reads, bool writes) {
  step.uses.push_back({buffer_of(t, reads, writes), reads, writes});
}

void Recorder::copy_attrs(Step& step, const bp_launch& launch) {
  step.attrs.assign(launch.attrs, launch.attrs + launch.n_attr);
  for (bp_attr& a : step.attrs) {
    if (a.kind == BP_ATTR_INTS && a.count) {
      step.ints.emplace_back(a.value.ints, a.value.ints + a.count);
      a.value.ints = step.ints.back().data();
    } else if (a.kind == BP_ATTR_STR) {
      step.texts.emplace_back(a.value.str, a.count);
    }
  }
  // Short texts move with their strings.
  size_t text = 0;
  for (bp_attr& a : step.attrs)
    if (a.kind == BP_ATTR_STR) a.value.str = step.texts[text++].data();
}

// A launch whose seed and offset were drawn while recording draws anew at each run.
void Recorder::match_draw(Step& step) {
  if (!(step.row->flags & kRandom)) return;
  const auto seed = static_cast<uint64_t>(step.attrs[step.attrs.size() - 2].value.i64),
             offset = static_cast<uint64_t>(step.attrs.back().value.i64);
  const std::vector<Draw>& draws = program_->draws;
  for (size_t i = draws.size(); i-- > 0;) {
    const Draw& d = draws[i];
    if (d.seed != seed || offset < d.offset || offset >= d.offset + static_cast<uint64_t>(d.n))
      continue;
    step.draw = static_cast<int32_t>(i);
    step.draw_shift = offset - d.offset;
    return;
  }
}

void Recorder::launched(const Launch& call) {
  note([&] { add_launch(call); });
}
void Recorder::transferred(Tensor& dst, Tensor& src) {
  note([&] { add_transfer(dst, src); });
}

void Recorder::add_launch(const Launch& call) {
  const bp_launch& l = call.launch;
  const auto [stream, is_first] = streams_.emplace(&call.device, l.stream);
  if (!is_first && stream->second != l.stream)
    refusal(call.row.name, fmt::format("a program runs in one stream of {}, and this is another",
                                       call.device.label));
  Step step;
  step.row = &call.row;
  step.kernel = &call.kernel;
  step.device = &call.device;
  step.n_in = l.n_in, step.n_out = l.n_out, step.flags = l.flags;
  step.args.assign(l.args, l.args + l.n_in + l.n_out);
  size_t n_dims = 0;
  for (const bp_arg& a : step.args)
    n_dims += a.kind == BP_ARG_TENSOR ? 2 * static_cast<size_t>(a.rank) : 0;
  step.dims.reserve(n_dims);
  for (size_t i = 0; i < step.args.size(); ++i) {
    bp_arg& a = step.args[i];
    if (!call.tensors[i]) {
      step.uses.push_back({});
      continue;
    }
    const Tensor& t = *call.tensors[i];
    const bool is_out = i >= l.n_in, changed = !is_out && call.changed && call.changed(i);
    add(step, t, /*reads=*/!is_out, /*writes=*/is_out || changed);
    const Buffer& b = program_->buffers[step.uses.back().buffer];
    const char* start = static_cast<const char*>(t.storage->data);
    const int64_t at = a.data ? static_cast<const char*>(a.data) - start - b.first : 0;
    a.data = reinterpret_cast<void*>(at);
    const auto rank = static_cast<size_t>(a.rank);
    step.dims.insert(step.dims.end(), a.shape, a.shape + rank);
    step.dims.insert(step.dims.end(), a.strides, a.strides + rank);
    a.shape = step.dims.data() + step.dims.size() - 2 * rank;
    a.strides = a.shape + rank;
  }
  copy_attrs(step, l);
  match_draw(step);
  if (awaited_) {
    if (awaited_ != &call.row)
      refusal(awaited_->name,
              fmt::format("{} composes it, and what changes from step to step is then computed by "
                          "the host",
                          call.device.label));
    step.refresh = std::move(refresh_);
    awaited_ = nullptr;
  }
  program_->steps.push_back(std::move(step));
}

void Recorder::add_transfer(Tensor& dst, Tensor& src) {
  Step step;
  step.device = &dst.device();
  step.n_in = step.n_out = 1;
  const auto lay = [&](const Tensor& t, bool writes) {
    add(step, t, !writes, writes);
    const Buffer& b = program_->buffers[step.uses.back().buffer];
    bp_arg a{};
    a.kind = BP_ARG_TENSOR;
    a.dtype = t.dtype;
    a.rank = 1;
    a.data = reinterpret_cast<void*>(t.offset * dtype_bytes(t.dtype) - b.first);
    step.args.push_back(a);
  };
  lay(src, /*writes=*/false);
  lay(dst, /*writes=*/true);
  step.dims = {src.count, 1};
  for (bp_arg& a : step.args) a.shape = step.dims.data(), a.strides = step.dims.data() + 1;
  program_->steps.push_back(std::move(step));
}

void Recorder::drew(Device& device, int64_t n, uint64_t seed, uint64_t offset) {
  program_->draws.push_back({&device, n, seed, offset});
}

bool Recorder::keeps(const Storage& s) const noexcept {
  const auto at = known_.find(&s);
  return at != known_.end() && at->second.held;
}

void Recorder::refresh_next(const OpRow& row, Refresh refresh) {
  awaited_ = &row;
  refresh_ = std::move(refresh);
}

void Recorder::host_touches(Tensor& t, std::string_view what) {
  const auto at = known_.find(t.storage.get());
  if (at == known_.end()) return;
  const Buffer& b = program_->buffers[at->second.buffer];
  if (b.kind == Buffer::Kind::kInput)
    refuse(what, fmt::format("input {} is another tensor in each run", b.input));
  if (b.written) refuse(what, "a recorded call writes it");
}

// Several storages may borrow the same memory. Steps that touch it do not look as if they depended
// on each other.
void Recorder::refuse_overlaps() const {
  struct Range {
    uintptr_t from, to;
    Device* device;
    bool written;
  };
  std::vector<Range> all;
  const auto add = [&](const Buffer& b, const Storage& s) {
    const uintptr_t from = reinterpret_cast<uintptr_t>(s.data) + static_cast<uintptr_t>(b.first);
    if (b.bytes) all.push_back({from, from + b.bytes, b.device, b.written});
  };
  for (const Buffer& b : program_->buffers) {
    if (b.kind == Buffer::Kind::kInput) add(b, *inputs_[b.input]);
    if (b.kind == Buffer::Kind::kHeld) add(b, *b.held);
  }
  std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) {
    return std::tuple(a.device, a.from) < std::tuple(b.device, b.from);
  });
  // Of those that began before, the one that reaches furthest.
  for (size_t i = 1, furthest = 0; i < all.size(); ++i) {
    const Range &a = all[furthest], &b = all[i];
    const bool meet = a.device == b.device && b.from < a.to;
    if (meet && (a.written || b.written))
      refusal("writing memory that another tensor borrows too",
              "which of the two comes first would not be known");
    if (!meet || b.to > a.to) furthest = i;
  }
}

std::optional<Trail> Recorder::go_back(std::span<Tensor* const> outputs,
                                       std::vector<Ref<Tensor>>& found) {
  Trail trail{program_->steps.size(),
              program_->draws.size(),
              program_->inputs.size(),
              outputs.size(),
              {},
              {},
              {},
              {}};
  std::vector<Tensor*> roots, targets, arriving;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (wants_grad(*outputs[i])) {
      trail.roots.push_back(static_cast<uint32_t>(i));
      roots.push_back(outputs[i]);
    }
  if (roots.empty() || !refused_.empty()) return {};
  for (size_t i = 0; i < given_.size(); ++i)
    if (wants_grad(*given_[i])) {
      trail.inputs.push_back(static_cast<uint32_t>(i));
      targets.push_back(given_[i].get());
    }
  trail.leaves = leaves_behind(roots, targets);
  for (const Ref<Tensor>& leaf : trail.leaves) targets.push_back(leaf.get());
  std::vector<Ref<Tensor>> owned;
  {
    const TapePause pause;
    for (const Tensor* t : roots) {
      owned.push_back(new_tensor(t->shape, t->dtype, t->device()));
      arriving.push_back(owned.back().get());
    }
  }
  add_inputs(arriving);
  std::vector<Ref<Tensor>> all;
  try {
    all = gradients(roots, arriving, targets, {.retain_graph = true, .allow_unused = true});
  } catch (const Error& e) {
    const bool of_machine = (e.flags() & BP_ERROR_FROM_PLUGIN) || e.status() == BP_INTERNAL ||
                            e.status() == BP_OUT_OF_HOST_MEMORY ||
                            e.status() == BP_OUT_OF_DEVICE_MEMORY || e.status() == BP_DEVICE_LOST;
    if (of_machine) throw;
    // What calls would have said in backward only: a program may be done without, a device not.
    fail(BP_BAD_STATE, "the way back from the program's results cannot be recorded: {}", e.what());
  }
  for (Ref<Tensor>& g : all) {
    trail.gradient_of.push_back(g ? static_cast<int32_t>(found.size()) : -1);
    if (g) found.push_back(std::move(g));
  }
  return trail;
}

Ref<Program> Recorder::finish(std::span<Tensor* const> outputs) {
  Program& p = *program_;
  if (!refused_.empty()) throw Error(BP_BAD_STATE, refused_);
  if (p.born != generation())
    fail(BP_BAD_STATE, "the runtime was shut down while the program was recorded");
  for (Tensor* t : outputs) {
    // What no call wrote is held: it is the same in each run.
    const auto found = known_.find(t->storage.get());
    const bool untouched =
        found == known_.end() || (p.buffers[found->second.buffer].kind == Buffer::Kind::kMade &&
                                  !p.buffers[found->second.buffer].written);
    const uint32_t at = buffer_of(*t, /*reads=*/untouched, /*writes=*/false);
    Buffer& b = p.buffers[at];
    b.output = true;
    p.outputs.push_back(
        {at, t->offset * dtype_bytes(t->dtype) - b.first, t->dtype, t->shape, t->strides});
  }
  refuse_overlaps();
  p.facts.recorded = static_cast<uint32_t>(p.steps.size());
  return std::move(program_);
}

Program& checked(const bp_program* p) {
  if (!p) fail(BP_INVALID_ARGUMENT, "program must not be NULL");
  if (p->tag != Tag::kProgram) fail(BP_INVALID_ARGUMENT, "program is not a program handle");
  if (p->born != generation())
    fail(BP_BAD_STATE,
         "program was made before the runtime was shut down; it can only be released");
  return const_cast<Program&>(*p);
}

}  // namespace bp
