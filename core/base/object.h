// SPDX-License-Identifier: Apache-2.0
// object.h: the head of every handle: a tag that tells its type, a generation, and a reference
// count, which Ref<T> keeps. Whoever holds a Ref owns the object. Any thread may retain and
// release; the last release calls T::destroy.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace bp {

enum class Tag : uint32_t {
  kTensor = 0x62705431,
  kTracedTensor,         // a tensor that takes part in automatic differentiation
  kUninitializedTensor,  // a parameter of a lazy module, until its shape is known
  kStorage,
  kGenerator,
  kContext,
  kReport,
  kStream,
  kEvent,
  kError,
  kNode,
  kDict,
  kModule,
  kDataset,
  kLoader,
  kMetric,
  kOptimizer,
  kSchedule,
  kReplicas,
  kTrainer,
  kProgram,
  kGroup,
  kWork,
  kDead = 0xdeadbeef
};

// The runtime's generation, which each shutdown raises by one. Handles remember theirs. A fork does
// not change it: the cpu's tensors go on in the child, and devices that cannot go on say so
// themselves (Device::alive).
extern std::atomic<uint32_t> current_generation;  // process/runtime.cc
inline uint32_t generation() noexcept { return current_generation.load(std::memory_order_relaxed); }
// The generation again, except while some thread records a program: then it is none that a handle
// has. Calls that look at it instead take their long way, which a tape sees (call/launch.h).
extern std::atomic<uint32_t> unrecorded_generation;  // process/runtime.cc
inline constexpr uint32_t kRecordings = 1u << 24;    // what each recording adds to it

struct Object {
  Tag tag;        // tag and born come first, side by side: has_head compares them as one
  uint32_t born;  // generation
  std::atomic<uint32_t> refs{1};

  explicit Object(Tag t) noexcept : tag(t), born(generation()) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  static Ref adopt(T* p) noexcept {
    Ref r;
    r.p_ = p;
    return r;
  }
  static Ref share(T* p) noexcept {
    if (p) p->refs.fetch_add(1, std::memory_order_relaxed);
    return adopt(p);
  }
  Ref(const Ref& o) noexcept : Ref(share(o.p_)) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  [[gnu::always_inline]] ~Ref() {
    if (p_) drop(p_);  // most have been moved from
  }

  T* get() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_; }
  T* release() noexcept { return std::exchange(p_, nullptr); }

  static void drop(T* p) noexcept {
    // A count of 1 is ours alone: nobody else can raise it, so no locked instruction is needed.
    if (p && (p->refs.load(std::memory_order_acquire) == 1 ||
              p->refs.fetch_sub(1, std::memory_order_acq_rel) == 1))
      T::destroy(p);
  }

 private:
  T* p_ = nullptr;
};

}  // namespace bp
