// SPDX-License-Identifier: Apache-2.0
// block.cc: runs one kernel, block by block in shuffled order. With one thread per block a barrier
// has nothing to wait for and the kernel is a plain loop. With more, threads run on fibers, each
// until its next barrier: a kernel that forgets one reads what other threads have not written yet,
// every time; shared memory starts poisoned.
#undef _FORTIFY_SOURCE  // which takes a jump to another stack for a fault
#include "block.h"

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#if defined(BP_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(BP_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace bp_gpu {

// What threads of a block run on, or the loop that runs fibers.
struct Fiber {
  ucontext_t context{};
  jmp_buf left{};        // where, last
  bool entered = false;  // at least once, so that it goes on there
  Fiber* scheduler = nullptr;
  void (*start)(Fiber*) = nullptr;
  void* what = nullptr;
  int64_t until_skip = 0;  // barriers until the one that holds nobody; 0: there is none
  bool ended = false;
  std::unique_ptr<char[]> stack;
  static constexpr size_t kStackBytes = 256 * 1024;
#if defined(BP_ASAN)
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  size_t size = 0;
#endif
#if defined(BP_TSAN)
  void* tsan = nullptr;
#endif

  void enter();  // called on the scheduler: runs this until it leaves or ends
  void leave(bool last);
};

namespace {

#if defined(BP_ASAN) || defined(BP_TSAN)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Sanitizers follow a thread's stack, so they are told when it changes. Without them swapcontext is
// for the first time alone: it asks the system about signals, which takes ten times as long as the
// rest.
void switch_stacks(Fiber& from, Fiber& to, [[maybe_unused]] bool last) {
#if defined(BP_ASAN)
  __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#if defined(BP_TSAN)
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
  if (kSanitized) {
    swapcontext(&from.context, &to.context);
  } else if (_setjmp(from.left) == 0) {
    if (to.entered) _longjmp(to.left, 1);
    to.entered = true;
    setcontext(&to.context);
  }
#if defined(BP_ASAN)
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void trampoline(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>((static_cast<uintptr_t>(high) << 32) | low);
#if defined(BP_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &self->scheduler->bottom, &self->scheduler->size);
#endif
  for (;;) {
    self->start(self);
    self->leave(/*last=*/true);
  }
}

}  // namespace

void Fiber::enter() { switch_stacks(*scheduler, *this, false); }
void Fiber::leave(bool last) {
  ended = last;
  switch_stacks(*this, *scheduler, last);
}

void Place::wait() const {
  if (--fiber_->until_skip != 0) fiber_->leave(/*last=*/false);
}

}  // namespace bp_gpu

namespace bp_sim {
namespace {

using bp_gpu::Fiber;
using bp_gpu::KernelRun;
using bp_gpu::Place;

constexpr unsigned char kPoison = 0xCB;

// A block whose threads are being run. A fiber takes them one after the other until one has to wait
// at a barrier, so a kernel without barriers takes one fiber.
struct Block {
  KernelRun run;
  const void* kernel;
  int64_t block, blocks;
  int32_t next, threads;
  char* shared;
  int64_t skip_barrier;
};

void run_threads(Fiber* fiber) {
  auto* b = static_cast<Block*>(fiber->what);
  while (b->next < b->threads) {
    fiber->until_skip = b->skip_barrier;
    b->run(b->kernel, Place(b->block, b->blocks, b->next++, b->threads, b->shared, fiber));
  }
}

void prepare(Fiber& f, Fiber& scheduler, Block* block) {
  f.scheduler = &scheduler;
  f.ended = false;
  f.what = block;
  f.start = run_threads;
  if (f.entered) return;  // it goes on in the trampoline
  getcontext(&f.context);
  f.context.uc_stack.ss_sp = f.stack.get();
  f.context.uc_stack.ss_size = Fiber::kStackBytes;
  f.context.uc_link = nullptr;
#if defined(BP_ASAN)
  f.bottom = f.stack.get();
  f.size = Fiber::kStackBytes;
  f.fake_stack = nullptr;
#endif
#if defined(BP_TSAN)
  if (!f.tsan) f.tsan = __tsan_create_fiber(0);
#endif
  const auto address = reinterpret_cast<uintptr_t>(&f);
  makecontext(&f.context, reinterpret_cast<void (*)()>(bp_gpu::trampoline), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address & 0xffffffff));
}

}  // namespace

// A worker's fibers and the memory that a block's threads share, kept from block to block. Nothing
// is allocated while a kernel runs, since a worker has nobody to tell that memory ran out.
struct Crew {
  using Unit = std::max_align_t;
  static constexpr size_t kUnits = kMostSharedBytes / sizeof(Unit);
  std::unique_ptr<Unit[]> shared_memory = std::make_unique_for_overwrite<Unit[]>(kUnits);
  Fiber scheduler;
  std::vector<Fiber> fibers;
  const int32_t threads;
  std::minstd_rand shuffler{1};

  explicit Crew(int32_t n) : fibers(n > 1 ? static_cast<size_t>(n) : 0), threads(n) {
    scheduler.entered = true;
    for (Fiber& f : fibers) f.stack = std::make_unique_for_overwrite<char[]>(Fiber::kStackBytes);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // At the end of the memory, where the address sanitizer sees who writes past it.
  std::span<char> shared(size_t bytes) const {
    const size_t units = (bytes + sizeof(Unit) - 1) / sizeof(Unit);
    return {reinterpret_cast<char*>(shared_memory.get() + (kUnits - units)), bytes};
  }

  void run(Block block) {
#if defined(BP_TSAN)
    scheduler.tsan = __tsan_get_current_fiber();
#endif
    size_t used = 0;
    while (block.next < block.threads) {
      Fiber& f = fibers[used++];
      prepare(f, scheduler, &block);
      f.enter();
    }
    // Each round runs every thread that waits up to its next barrier.
    for (bool alive = true; alive;) {
      alive = false;
      for (size_t i = 0; i < used; ++i) {
        Fiber& f = fibers[i];
        if (f.ended) continue;
        f.enter();
        alive |= !f.ended;
      }
    }
  }
#if defined(BP_TSAN)
  ~Crew() {
    for (Fiber& f : fibers)
      if (f.tsan) __tsan_destroy_fiber(f.tsan);
  }
#endif
};

std::shared_ptr<Crew> new_crew(int32_t threads) { return std::make_shared<Crew>(threads); }

Grid::Grid(const bp_gpu::Shape& shape, const void* kernel, uint64_t bytes,
           std::pmr::memory_resource& memory)
    : blocks_(static_cast<size_t>(shape.blocks)),
      shared_bytes_(static_cast<size_t>(shape.shared_bytes)),
      kernel_units_(units(bytes)),
      room_(static_cast<Unit*>(memory.allocate(
          (kernel_units_ + units(blocks_ * sizeof(int64_t))) * sizeof(Unit), alignof(Unit)))) {
  std::memcpy(room_, kernel, bytes);
  std::iota(order().begin(), order().end(), 0);
}

void run_kernel(Crew& crew, const Grid& grid, int64_t skip_barrier, KernelRun run) {
  const std::span<int64_t> order = grid.order();
  const std::span<char> shared = crew.shared(grid.shared_bytes());
  std::shuffle(order.begin(), order.end(), crew.shuffler);
  const auto blocks = static_cast<int64_t>(order.size());
  for (const int64_t block : order) {
    std::fill(shared.begin(), shared.end(), static_cast<char>(kPoison));
    if (crew.threads == 1)
      run(grid.kernel(), Place(block, blocks, 0, 1, shared.data(), nullptr));
    else
      crew.run({run, grid.kernel(), block, blocks, 0, crew.threads, shared.data(), skip_barrier});
  }
}

}  // namespace bp_sim
