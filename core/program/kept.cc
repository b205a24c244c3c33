// SPDX-License-Identifier: Apache-2.0
// kept.cc: calls that come again as programs; declared in call/kept.h. Each thread has its own.
// Shapes change from call to call in some programs, and a recording that is used once costs more
// than it brings, so that the first call of its kind is run as it is.
#include "core/call/kept.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "c_program.h"
#include "core/base/thread_end.h"
#include "core/call/recording.h"
#include "core/program/recorder.h"

namespace bp {
namespace {

constexpr size_t kMost = 256;   // programs that a thread keeps
constexpr size_t kSeen = 1024;  // calls that it knows by their hash
// Below, a run of a program takes as long as its loops save. On an accelerator a launch is what
// costs, whatever it computes.
constexpr int64_t kWorthOnHost = 16384, kWorthElsewhere = 2;  // elements

struct Kept {
  std::vector<uint64_t> words{};
  Ref<Program> program{};
  uint32_t made = 0;  // bits of the results that there are
  uint64_t last = 0;  // when it ran last, by the thread's count
};

struct KnownCalls {
  uint32_t born = 0;  // the generation of the runtime
  uint64_t now = 0;
  std::unordered_map<uint64_t, Kept> kept{};  // by the hash of their words
  // Of calls that came before, at the place that their hash gives: the hash, odd where it is known
  // that no program is worth it.
  std::array<uint64_t, kSeen> seen{};

  uint64_t& place_of(uint64_t hash) { return seen[hash / 2 % kSeen]; }
  bool came_before(uint64_t hash) { return place_of(hash) / 2 == hash / 2; }
  void stays_plain(uint64_t hash) { place_of(hash) = hash | 1; }
  void forget() {
    kept.clear();
    seen.fill(0);
  }
};
constinit thread_local KnownCalls* known_calls = nullptr;

// Returns this thread's, or nullptr when there is no memory for any.
KnownCalls* calls_of_thread() {
  static const ThreadEnd at_end([](void* calls) {
    known_calls = nullptr;
    delete static_cast<KnownCalls*>(calls);
  });
  if (!known_calls) {
    std::unique_ptr<KnownCalls> made(new (std::nothrow) KnownCalls);
    if (!made || !at_end.note(made.get())) return nullptr;
    known_calls = made.release();
  }
  if (known_calls->born != generation()) {
    known_calls->forget();
    known_calls->born = generation();
  }
  return known_calls;
}

uint64_t hashed(std::span<const uint64_t> words) {
  uint64_t h = words.size();
  for (const uint64_t w : words) h = (h ^ w ^ h >> 29) * 0x9e3779b97f4a7c15U;
  return h;
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

// Makes the call while it is recorded. Returns nothing where that cannot be; it was computed all
// the same.
Ref<Program> recorded(const Likeness& like, std::span<Ref<Tensor>> out,
                      const std::function<void()>& make) {
  Recorder::begin(like.operands(), BP_PROGRAM_GOES_ON);
  struct Recording {
    Recording() = default;
    Recording(const Recording&) = delete;
    ~Recording() { Recorder::abandon(); }  // if it has not ended
  } const recording;
  make();
  try {
    std::vector<Tensor*> made;
    for (const Ref<Tensor>& t : out)
      if (t) made.push_back(t.get());
    return Recorder::end(made, {.same_bits = true});
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
  return {};
}

void keep(KnownCalls& mine, uint64_t hash, Kept k) {
  if (mine.kept.size() >= kMost) {
    const auto oldest = std::min_element(
        mine.kept.begin(), mine.kept.end(),
        [](const auto& a, const auto& b) { return a.second.last < b.second.last; });
    mine.stays_plain(oldest->first);  // or more kinds than these would be recorded round and round
    mine.kept.erase(oldest);
  }
  mine.kept.emplace(hash, std::move(k));
}

// Whether the same call may do without a program.
bool is_of_program(bp_status s) {
  return s == BP_OUT_OF_DEVICE_MEMORY || s == BP_OUT_OF_HOST_MEMORY || s == BP_UNSUPPORTED;
}

// Returns false, and leaves `out` empty, where a plain call may do what `run` could not.
template <class F>
bool runs(std::span<Ref<Tensor>> out, F&& run) {
  try {
    run();
    return true;
  } catch (const Error& e) {
    if (!is_of_program(e.status())) throw;
  } catch (const std::bad_alloc&) {
  }
  for (Ref<Tensor>& t : out) t = {};
  return false;
}

// A recording holds what the call lets go of: where memory does not suffice it is made without.
void record(KnownCalls& mine, uint64_t hash, const Likeness& like, std::span<Ref<Tensor>> out,
            const std::function<void()>& make) {
  mine.stays_plain(hash);  // unless all goes well
  Kept k;
  if (!runs(out, [&] { k.program = recorded(like, out, make); })) return make();
  if (!k.program || !is_worth(*k.program)) return;
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i]) k.made |= 1U << i;
  try {
    k.words.assign(like.words().begin(), like.words().end());
    k.last = ++mine.now;
    keep(mine, hash, std::move(k));
  } catch (const std::bad_alloc&) {  // a plain call again, then
  }
}

void run_program(const Kept& k, const Likeness& like, std::span<Ref<Tensor>> out) {
  const Ref<Program> program = k.program;
  std::vector<Ref<Tensor>> made(program->outputs.size());
  run_steps(*program, like.operands(), made);
  for (size_t i = 0, n = 0; i < out.size(); ++i)
    if (k.made >> i & 1) out[i] = std::move(made[n++]);
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
  return device.fuses && count >= (device.is_host() ? kWorthOnHost : kWorthElsewhere) &&
         !Tape::of_thread;
}

bool may_be_kept(const OpRow& row, const Device& device, int64_t count) {
  constexpr uint32_t kOthers = kRandom | kCreates | kDataShape | kAnyOutputDtype | kProducts;
  return is_worth_keeping(device, count) && !(row.flags & kOthers) &&
         row.layout != Layout::kForeach && !row.takes_list() && row.id < kMaxBuiltinOp;
}

void run_kept(const Likeness& like, std::span<Ref<Tensor>> out, const std::function<void()>& make) {
  KnownCalls* const mine = Recorder::records() ? nullptr : calls_of_thread();
  if (!mine) return make();
  const std::span<const uint64_t> words = like.words();
  const uint64_t hash = hashed(words);
  if (const auto at = mine->kept.find(hash); at != mine->kept.end()) {
    Kept& k = at->second;
    if (!std::equal(words.begin(), words.end(), k.words.begin(), k.words.end())) return make();
    k.last = ++mine->now;
    if (runs(out, [&] { run_program(k, like, out); })) return;
    mine->stays_plain(hash);
    mine->kept.erase(at);
    return make();
  }
  // A plain call may come here itself.
  if (!mine->came_before(hash)) return mine->place_of(hash) = hash & ~uint64_t{1}, make();
  if (mine->place_of(hash) & 1 || share_memory(like.operands())) return make();
  record(*mine, hash, like, out, make);
}

void forget_kept() noexcept {
  if (known_calls) known_calls->forget();
}

}  // namespace bp
