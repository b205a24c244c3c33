// SPDX-License-Identifier: Apache-2.0
// Random programs: allocations, kernels, copies and frees over 4 devices x 4 streams and the host
// give what a serial program gives. Each tensor is used by one stream after another, ordered by
// events as a careful program does; copies to and from the host are ordered by the library alone.
#include <cstdlib>
#include <optional>
#include <random>

#include "backplane.hpp"
#include "sim/works.h"

namespace bp = backplane;

namespace {

struct Setting {
  const char* name;
  const char* options;
  std::vector<const char*> places;  // devices
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.name; }

struct Aliases {
  Aliases() { ::setenv("BACKPLANE_ALIAS", "cuda=sim,hip=sim", 1); }
  ~Aliases() { ::unsetenv("BACKPLANE_ALIAS"); }
};
class Interleavings : public testing::TestWithParam<Setting> {
  Aliases aliases_;
};

constexpr int kStreams = 4, kSlots = 6, kSteps = 24;

struct Slot {
  bp::Tensor tensor;
  std::vector<float> expected;
  int place = 0;  // one beyond the devices: the host
  std::shared_ptr<bp::Event> ready;
};

class Program {
 public:
  Program(const std::vector<const char*>& places, unsigned seed) : places_(places), random_(seed) {
    for (const char* place : places_) {
      auto& streams = streams_.emplace_back();
      for (int i = 0; i < kStreams; ++i) streams.emplace_back(bp::Device(place));
    }
  }

  // False: a value was wrong.
  bool run() {
    std::vector<Slot> slots(kSlots);
    for (int step = 0; step < kSteps; ++step)
      if (!take(slots[static_cast<size_t>(pick(kSlots))])) return false;
    for (Slot& slot : slots)
      if (slot.tensor.defined() && !holds(slot)) return false;
    return true;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int host() const { return static_cast<int>(places_.size()); }
  bp::Device device(int place) const {
    return bp::Device(place == host() ? "cpu" : places_[static_cast<size_t>(place)]);
  }
  const bp::Stream& stream(int place) {
    return streams_[static_cast<size_t>(place)][static_cast<size_t>(pick(kStreams))];
  }

  // In a stream of the slot's place that waits for what the slot waits for.
  template <class F>
  void in_some_stream(Slot& slot, F&& work) {
    if (slot.place == host()) return work(static_cast<const bp::Stream*>(nullptr));
    const bp::Stream& s = stream(slot.place);
    const bp::StreamGuard in(s);
    if (slot.ready) s.wait(*slot.ready);
    work(&s);
  }

  bool take(Slot& slot) {
    if (!slot.tensor.defined()) return make(slot), true;
    switch (pick(6)) {
      case 0: return change(slot, true), true;
      case 1: return change(slot, false), true;
      case 2:
      case 3: return move(slot), true;
      case 4: slot = Slot{}; return true;  // whatever is queued
      default: return holds(slot);
    }
  }

  void make(Slot& slot) {
    slot = Slot{};
    slot.place = pick(host() + 1);
    const int n = 16 << pick(6), value = pick(1000);
    slot.expected.assign(static_cast<size_t>(n), static_cast<float>(value));
    in_some_stream(slot, [&](const bp::Stream* s) {
      slot.tensor = bp::full({n}, value, BP_F32, device(slot.place));
      if (s) slot.ready = std::make_shared<bp::Event>(s->record());
    });
  }

  void change(Slot& slot, bool in_place) {
    in_some_stream(slot, [&](const bp::Stream* s) {
      if (s) s->uses(slot.tensor);
      if (in_place)
        slot.tensor += 1;
      else
        slot.tensor = slot.tensor * 2 - 3;
      if (s) slot.ready = std::make_shared<bp::Event>(s->record());
    });
    for (float& x : slot.expected) x = in_place ? x + 1 : x * 2 - 3;
  }

  void move(Slot& slot) {
    const int to = (slot.place + 1 + pick(host())) % (host() + 1);
    const bool non_blocking = pick(2);
    in_some_stream(slot, [&](const bp::Stream*) {
      std::optional<bp::StreamGuard> there;
      const bp::Stream* lands = to == host() ? nullptr : &stream(to);
      if (lands) there.emplace(*lands);
      slot.tensor = slot.tensor.to(device(to), BP_DTYPE_NONE, /*copy=*/false, non_blocking);
      slot.ready = lands ? std::make_shared<bp::Event>(lands->record()) : nullptr;
    });
    slot.place = to;
  }

  bool holds(Slot& slot) {
    std::vector<float> found;
    in_some_stream(slot, [&](const bp::Stream*) { found = slot.tensor.to("cpu").read<float>(); });
    EXPECT_EQ(found, slot.expected) << "on " << device(slot.place).str();
    return found == slot.expected;
  }

  const std::vector<const char*>& places_;
  std::mt19937 random_;
  std::vector<std::vector<bp::Stream>> streams_;
};

TEST_P(Interleavings, EqualASerialReference) {
  Session session(GetParam().options, /*flags=*/0);
  {
    Program program(GetParam().places, 7);
    for (int i = 0; i < INTERLEAVINGS; ++i) ASSERT_TRUE(program.run()) << "interleaving " << i;
  }
  for (const char* place : GetParam().places) {
    bp::synchronize(place);
    expect_nothing_lives(place);
  }
}

const std::vector<const char*> kFour = {"sim:0", "sim:1", "sim:2", "sim:3"};
INSTANTIATE_TEST_SUITE_P(, Interleavings,
                         testing::Values(Setting{"by_way_of_the_host", "", kFour},
                                         Setting{"between_peers", "sim.peers=1", kFour},
                                         Setting{"between_some_peers", "sim.peers=0-1,1>2", kFour},
                                         Setting{"without_pinned_memory", "sim.pinned=0", kFour},
                                         Setting{"between_kinds",
                                                 "sim.device_count=2;sim.peers=1",
                                                 {"cuda:0", "cuda:1", "hip:0", "sim:0"}}),
                         [](const auto& info) { return info.param.name; });

// A tensor's way over three backends, while the first is slow.
TEST(Kinds, KeepTheOrderOfTheirCopies) {
  const Aliases aliases;
  Session session("cuda.slow_us=20000;sim.slow_us=20000;sim.device_count=2", /*flags=*/0);
  bp::Tensor x = bp::full({4096}, 5, BP_F32, "cuda:0");
  const bp::Tensor y = x.to("hip:1");
  x.fill_(1);
  const bp::Tensor z = (y + 1).to("sim:0", BP_DTYPE_NONE, false, /*non_blocking=*/true);
  EXPECT_EQ((z + x.to("sim:0")).to("cpu").read<float>(), std::vector<float>(4096, 7));
}

}  // namespace
