// SPDX-License-Identifier: Apache-2.0
// kept.cc: calls that come again as programs; declared in call/kept.h. Each thread has its own, the
// last few dozen: shapes change from call to call in some programs, and a recording that is used
// once costs more than it brings, so that the first call of its kind is run as it is.
#include "core/call/kept.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "c_program.h"
#include "core/base/thread_end.h"
#include "core/call/recording.h"
#include "core/program/recorder.h"

namespace bp {
namespace {

constexpr size_t kMost = 64;  // calls that a thread knows again
// Below, a run of a program takes as long as its loops save. On an accelerator a launch is what
// costs, whatever it computes.
constexpr int64_t kWorthOnHost = 16384;  // elements

struct Known {
  enum class State : uint8_t { kMet, kKept, kPlain };
  uint64_t hash = 0, last = 0;  // when it was asked for last
  std::vector<uint64_t> words{};
  State state = State::kMet;
  uint32_t made = 0;  // bits of the results that there are
  Ref<Program> program{};
};

struct KnownCalls {
  uint32_t born = 0;  // the generation of the runtime
  bool is_recording =
      false;  // one of its calls is recorded, and looks at its place here afterwards
  uint64_t now = 0;
  std::vector<Known> calls;
};
constinit thread_local KnownCalls* known_calls = nullptr;

// Returns this thread's, or nullptr when there is no memory for any.
KnownCalls* calls_of_thread() {
  static const ThreadEnd at_end([](void* calls) { delete static_cast<KnownCalls*>(calls); });
  if (!known_calls) {
    auto made = std::make_unique<KnownCalls>();
    if (!at_end.note(made.get())) return nullptr;
    known_calls = made.release();
  }
  if (known_calls->born != generation()) {
    known_calls->calls.clear();
    known_calls->born = generation();
  }
  return known_calls;
}

uint64_t hashed(std::span<const uint64_t> words) {
  uint64_t h = words.size();
  for (const uint64_t w : words) h = (h ^ w ^ h >> 29) * 0x9e3779b97f4a7c15U;
  return h;
}

// The call among those that are known, or a new one in the place of what was not asked for longest.
Known& found(KnownCalls& mine, const Likeness& like, bool* is_new) {
  const std::span<const uint64_t> words = like.words();
  const uint64_t hash = hashed(words);
  for (Known& k : mine.calls)
    if (k.hash == hash && std::equal(words.begin(), words.end(), k.words.begin(), k.words.end())) {
      *is_new = false;
      return k.last = ++mine.now, k;
    }
  Known made{hash, ++mine.now, {words.begin(), words.end()}};
  *is_new = true;
  if (mine.calls.size() < kMost) return mine.calls.emplace_back(std::move(made));
  return *std::min_element(mine.calls.begin(), mine.calls.end(),
                           [](const Known& a, const Known& b) { return a.last < b.last; }) =
             std::move(made);
}

// Whether the program passes over its elements less often than the calls did, and depends on its
// inputs alone. (A group whose steps have a loop each is slower than these by themselves where its
// operands are larger than a cache: x * cos(x) of a million by a third.)
bool is_worth(const Program& p) {
  const bool is_plain = std::all_of(p.steps.begin(), p.steps.end(),
                                    [](const Step& s) { return s.row && !s.refresh; });
  const bool holds = std::any_of(p.buffers.begin(), p.buffers.end(), [](const Buffer& b) {
    return b.kind == Buffer::Kind::kHeld || (b.kind == Buffer::Kind::kInput && b.written);
  });
  size_t passes = 0;
  for (const Group& g : p.groups) passes += g.passes;
  return is_plain && !holds && p.draws.empty() && passes < p.steps.size();
}

bool share_memory(std::span<Tensor* const> operands) {
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (operands[i]->storage.get() == operands[k]->storage.get()) return true;
  return false;
}

void record(KnownCalls& mine, Known& k, const Likeness& like, std::span<Ref<Tensor>> out,
            const std::function<void()>& make) {
  k.state = Known::State::kPlain;  // unless all goes well
  if (share_memory(like.operands())) return make();
  Recorder::begin(like.operands(), BP_PROGRAM_GOES_ON);
  struct Recording {
    KnownCalls& mine;
    explicit Recording(KnownCalls& m) : mine(m) { mine.is_recording = true; }
    Recording(const Recording&) = delete;
    ~Recording() {
      mine.is_recording = false;
      Recorder::abandon();  // if it has not ended
    }
  } const recording(mine);
  make();
  std::vector<Tensor*> made;
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i]) continue;
    k.made |= 1U << i;
    made.push_back(out[i].get());
  }
  try {
    k.program = Recorder::end(made, {.same_bits = true});
  } catch (const Error&) {
    return;  // what cannot be recorded was computed all the same
  }
  if (is_worth(*k.program))
    k.state = Known::State::kKept;
  else
    k.program = {};
}

}  // namespace

void Likeness::number(const bp_value& v) {
  word(static_cast<uint64_t>(v.kind));
  uint64_t bits[2] = {};
  if (v.kind == BP_VALUE_C128)
    std::memcpy(bits, v.as.c128, sizeof bits);
  else if (v.kind != BP_VALUE_NONE)
    std::memcpy(bits, &v.as.i64, sizeof v.as.i64);
  word(bits[0]), word(bits[1]);
}

void Likeness::attributes(std::span<const bp_attr> attrs) {
  for (const bp_attr& a : attrs) {
    word(static_cast<uint64_t>(a.kind) << 32 | a.count);
    if (a.kind == BP_ATTR_INTS)
      for (uint32_t i = 0; i < a.count; ++i) word(static_cast<uint64_t>(a.value.ints[i]));
    else if (a.kind == BP_ATTR_STR)
      for (uint32_t i = 0; i < a.count; ++i) word(static_cast<unsigned char>(a.value.str[i]));
    else
      word(static_cast<uint64_t>(a.value.i64));
  }
}

void Likeness::reads(Tensor& t) {
  operands_.push_back(&t);
  word(reinterpret_cast<uintptr_t>(&t.device()));
  word(static_cast<uint64_t>(t.dtype) << 32 | t.rank());
  for (const int64_t n : t.shape) word(static_cast<uint64_t>(n));
  for (const int64_t n : t.strides) word(static_cast<uint64_t>(n));
}

bool is_worth_keeping(const Device& device, int64_t count) {
  return device.fuses && count >= (device.is_host() ? kWorthOnHost : 1) && !Tape::of_thread;
}

bool may_be_kept(const OpRow& row, const Device& device, int64_t count) {
  constexpr uint32_t kOthers = kRandom | kCreates | kDataShape | kAnyOutputDtype | kProducts;
  return is_worth_keeping(device, count) && !(row.flags & kOthers) &&
         row.layout != Layout::kForeach && !row.takes_list() && row.id < kMaxBuiltinOp;
}

void run_kept(const Likeness& like, std::span<Ref<Tensor>> out, const std::function<void()>& make) {
  KnownCalls* const mine = calls_of_thread();
  if (!mine || mine->is_recording) return make();
  bool is_new = false;
  Known& k = found(*mine, like, &is_new);
  if (is_new || k.state == Known::State::kPlain) return make();  // which may come here itself
  if (k.state == Known::State::kMet) return record(*mine, k, like, out, make);
  const Ref<Program> program = k.program;
  const uint32_t bits = k.made;
  std::vector<Ref<Tensor>> made(program->outputs.size());
  run_steps(*program, like.operands(), made);
  for (size_t i = 0, n = 0; i < out.size(); ++i)
    if (bits >> i & 1) out[i] = std::move(made[n++]);
}

void forget_kept() noexcept {
  if (known_calls) known_calls->calls.clear();
}

}  // namespace bp
