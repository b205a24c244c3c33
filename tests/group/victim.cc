// SPDX-License-Identifier: Apache-2.0
// One of four members of which member 2 gets lost, in one of several ways: victim <way> <folder>.
// It leaves in the folder <rank>.pid at its start and <rank>.said at its end: a line for each thing
// that it learned, "<status> <sentence>". The other members end by themselves with code 0.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "backplane.hpp"
#include "c_api.h"

namespace {

namespace bp = backplane;

constexpr uint32_t kLost = 2;
constexpr int64_t kSecond = 1000000000;

struct Member {
  std::string folder;
  bp_group* all = nullptr;
  uint32_t rank = 0;
  std::ofstream said{};

  bool is_lost() const { return rank == kLost; }
  std::string file(uint32_t of, const char* what) const {
    return folder + "/" + std::to_string(of) + what;
  }
  // Writes what a call said down; whether it succeeded.
  bool hear(bp_status status, bp_error* err) {
    said << status << " " << bp_error_message(err, nullptr) << std::endl;
    bp_error_release(err);
    return status == BP_OK;
  }
  [[noreturn]] void fail(const char* what) {
    said << "1000 " << what << std::endl;
    std::exit(9);
  }
};

bp_tensor* ones(int64_t n) {
  bp_tensor* t = nullptr;
  if (bp_tensor_ones(1, &n, BP_F32, 0, &t, nullptr) != BP_OK) std::exit(8);
  return t;
}

bp_status sum(bp_group* g, bp_error** err, int64_t n = 10) {
  bp_tensor* t = ones(n);
  const bp_status s = bp_group_all_reduce(g, t, BP_REDUCE_SUM, nullptr, err);
  bp_tensor_release(t);
  return s;
}
void sum_of_all(Member& m) {
  bp_error* err = nullptr;
  if (sum(m.all, &err) != BP_OK) m.fail(bp_error_message(err, nullptr));
}
// Sums until that fails, and says how.
void sum_until_it_fails(Member& m, bp_group* g, int64_t n = 1000) {
  bp_error* err = nullptr;
  bp_status s = BP_OK;
  while ((s = sum(g, &err, n)) == BP_OK) bp_error_release(err);
  m.hear(s, err);
}
void sum_once_more(Member& m) {
  bp_error* err = nullptr;
  const bp_status s = sum(m.all, &err);
  m.hear(s, err);
}

void wait_for(const Member& m, const std::vector<uint32_t>& ranks) {
  for (const uint32_t r : ranks)
    while (!std::ifstream(m.file(r, ".done")).good())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
void say_done(const Member& m) { std::ofstream(m.file(m.rank, ".done")) << "done"; }
// Whoever ends first is gone for those who look later.
void end_together(const Member& m) {
  say_done(m);
  wait_for(m, {0, 1, 3});
}

// Dies within some milliseconds, wherever it is then.
void die_soon() {
  const auto when = std::chrono::microseconds(2000 + ::getpid() * 7919 % 20000);
  std::thread([when] {
    std::this_thread::sleep_for(when);
    ::kill(::getpid(), SIGKILL);
  }).detach();
}

// ---- the ways ----

void killed(Member& m) {
  if (m.is_lost()) die_soon();
  sum_until_it_fails(m, m.all);
  sum_once_more(m);  // and each later call says the same
}

void killed_with_works(Member& m) {
  if (m.is_lost()) die_soon();
  std::vector<bp_work*> works;
  bp_error* err = nullptr;
  bp_tensor* t = ones(100000);
  for (bp_status s = BP_OK; s == BP_OK;) {
    bp_work* w = nullptr;
    s = bp_group_all_reduce(m.all, t, BP_REDUCE_MAX, &w, &err);
    works.push_back(w);
    if (works.size() % 8 == 0) s = bp_work_wait(works[works.size() - 5], &err);
  }
  m.hear(BP_UNAVAILABLE, err);
  err = nullptr;
  const bp_status last = bp_work_wait(works[works.size() - 2], &err);
  m.hear(last, err);
  for (bp_work* w : works) bp_work_release(w);
  bp_tensor_release(t);
}

// Ranks 0 and 2 have a group of two, and 1 and 3.
void killed_in_half(Member& m) {
  bp_group* half = nullptr;
  if (bp_group_split(m.all, static_cast<int32_t>(m.rank % 2), 0, &half, nullptr) != BP_OK)
    m.fail("split");
  if (m.is_lost()) die_soon();
  if (m.rank % 2 == 0) {
    sum_until_it_fails(m, half);
  } else {
    for (int i = 0; i < 200; ++i) {
      bp_error* err = nullptr;
      const bp_status s = sum(half, &err);
      if (s != BP_OK || i == 199) m.hear(s, err);
    }
  }
  sum_once_more(m);
  end_together(m);
  bp_group_release(half);
}

// The others send to it, and one waits for a message from it.
void killed_beside_messages(Member& m) {
  if (m.is_lost()) {
    die_soon();
    for (;;) ::pause();
  }
  bp_tensor* t = ones(1 << 20);
  bp_error* err = nullptr;
  const bp_status s = m.rank == 3 ? bp_group_receive(m.all, t, kLost, 0, nullptr, &err)
                                  : bp_group_send(m.all, t, kLost, 0, nullptr, &err);
  m.hear(s, err);
  sum_once_more(m);
  bp_tensor_release(t);
}

// A net with a bucket for each layer.
class Learner {
 public:
  explicit Learner(Member& m) : m_(m) {
    if (bp_replicas_join(replicas_.get(), m.all, nullptr) != BP_OK) m.fail("join of replicas");
  }
  void step() {
    sgd_.zero_grad();
    bp::Tensor x = bp::ones({32, kWide});
    for (const bp::Tensor& w : weights_) x = bp::tanh(bp::matmul(x, w));
    bp::mean(x).backward();
    replicas_.finish();
    sgd_.step();
  }
  // Dies in the middle of a backward, when gradients of some layers are with the others already and
  // that of this one is about to be.
  void die_in_step(unsigned n, unsigned layer) {
    weights_[layer].register_hook([n, begun = 0u](const bp::Tensor&) mutable {
      if (begun++ == n) ::kill(::getpid(), SIGKILL);
    });
  }
  std::vector<float> values() const {
    std::vector<float> all;
    for (const bp::Tensor& w : weights_) {
      const auto some = w.detach().read<float>();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  // Writes the weights, and reads them again.
  std::vector<float> saved() const {
    const std::string path = m_.file(m_.rank, ".safetensors");
    bp::Dict d;
    for (size_t i = 0; i < weights_.size(); ++i) d.set(std::to_string(i), weights_[i].detach());
    bp::save_safetensors(d, path);
    std::vector<float> all;
    const bp::Dict again = bp::load_safetensors(path);
    for (size_t i = 0; i < weights_.size(); ++i) {
      const auto some = again.get(std::to_string(i)).read<float>();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  void go_on_alone() {
    if (bp_replicas_join(replicas_.get(), nullptr, nullptr) != BP_OK) m_.fail("leaving the group");
    const std::vector<float> before = values();
    step();
    if (values() == before) m_.fail("alone it learns nothing");
  }
  static constexpr unsigned kLayers = 6;

 private:
  static constexpr int64_t kWide = 256;
  static std::vector<bp::Tensor> layers() {
    std::vector<bp::Tensor> all;
    for (unsigned i = 0; i < kLayers; ++i) {
      all.push_back(bp::ones({kWide, kWide}) * (0.5 / kWide));
      all.back().set_requires_grad();
    }
    return all;
  }
  Member& m_;
  std::vector<bp::Tensor> weights_ = layers();
  bp::Replicas replicas_{{weights_}, /*bucket_bytes=*/1024};
  bp::Optimizer sgd_{"SGD", weights_, {{"lr", 0.1}}};
};

// Nobody has taken a step of which a member's part is missing.
void killed_in_backward(Member& m) {
  Learner learner(m);
  const auto drawn = static_cast<unsigned>(::getpid()) * 7919u;
  if (m.is_lost()) learner.die_in_step(drawn % 5, drawn / 5 % Learner::kLayers);
  std::vector<float> before;
  try {
    for (;;) {
      before = learner.values();
      learner.step();
    }
  } catch (const bp::Error& e) {
    m.said << e.status() << " " << e.what() << std::endl;
  }
  if (learner.values() != before) m.fail("a step that failed changed the weights");
  if (learner.saved() != before) m.fail("other weights were saved");
  sum_once_more(m);
  learner.go_on_alone();
}

// ---- on devices ----

bp_device own_device(const Member& m) {
  bp_device d = 0;
  if (bp_device_parse(("sim:" + std::to_string(m.rank)).c_str(), &d, nullptr) != BP_OK)
    std::exit(8);
  return d;
}
bp_tensor* ones_on(bp_device d, int64_t n) {
  bp_tensor* t = nullptr;
  if (bp_tensor_ones(1, &n, BP_F32, d, &t, nullptr) != BP_OK) std::exit(8);
  return t;
}
bp_device used_device(Member& m) {
  const bp_device d = own_device(m);
  bp_error* err = nullptr;
  if (bp_group_use_device(m.all, d, &err) != BP_OK) m.fail(bp_error_message(err, nullptr));
  return d;
}
// The stream goes on when the group is broken: whoever waits for it comes back.
void synchronize(Member& m, bp_device d) {
  bp_error* err = nullptr;
  if (bp_synchronize(d, &err) != BP_OK) m.fail(bp_error_message(err, nullptr));
}
bp_status sum_on(Member& m, bp_tensor* t, bp_work** w, bp_error** err) {
  return bp_group_all_reduce(m.all, t, BP_REDUCE_SUM, w, err);
}

void killed_on_device(Member& m) {
  const bp_device d = used_device(m);
  bp_tensor* t = ones_on(d, 10000);
  if (m.is_lost()) die_soon();
  bp_error* err = nullptr;
  bp_status s = BP_OK;
  while ((s = sum_on(m, t, nullptr, &err)) == BP_OK) synchronize(m, d);
  m.hear(s, err);
  bp_tensor_release(t);
  synchronize(m, d);
  sum_once_more(m);
  if (bp_shutdown(-1, nullptr) != BP_OK) m.fail("shutdown");
}

// Several exchanges are queued when it dies, and nobody waits before they are.
void killed_with_device_works(Member& m) {
  const bp_device d = used_device(m);
  bp_tensor* t = ones_on(d, 10000);
  if (m.is_lost()) die_soon();
  std::vector<bp_work*> works;
  bp_error* err = nullptr;
  for (bp_status s = BP_OK; s == BP_OK;) {
    bp_work* w = nullptr;
    s = sum_on(m, t, &w, &err);
    if (w) works.push_back(w);
    if (works.size() % 8 == 0) synchronize(m, d);
  }
  m.hear(BP_UNAVAILABLE, err);
  err = nullptr;
  const bp_status last = bp_work_wait(works.back(), &err);
  m.hear(last, err);
  for (bp_work* w : works) bp_work_release(w);
  bp_tensor_release(t);
  synchronize(m, d);
}

void late_on_device(Member& m) {
  const bp_device d = used_device(m);
  bp_tensor* t = ones_on(d, 10);
  if (m.is_lost()) wait_for(m, {0, 1, 3});
  bp_error* err = nullptr;
  bp_status s = sum_on(m, t, nullptr, &err);
  if (s == BP_OK) {
    synchronize(m, d);
    s = sum_on(m, t, nullptr, &err);
  }
  m.hear(s, err);
  bp_tensor_release(t);
}

void late(Member& m) {
  if (m.is_lost()) wait_for(m, {0, 1, 3});
  sum_once_more(m);
}

void left(Member& m) {
  if (m.is_lost()) {
    bp_group_release(m.all);
    m.all = nullptr;
    wait_for(m, {0, 1, 3});
  } else {
    sum_once_more(m);
  }
}

void stopped(Member& m) {
  if (m.is_lost()) ::raise(SIGSTOP);
  sum_once_more(m);
  if (m.rank != 0) return;
  end_together(m);  // they too shall find it silent
  pid_t lost = 0;
  std::ifstream(m.file(kLost, ".pid")) >> lost;
  ::kill(lost, SIGCONT);
  ::kill(lost, SIGKILL);
}

void gave_up(Member& m) {
  if (m.is_lost()) std::exit(3);  // a callback of the program failed, say
  sum_once_more(m);
}

// Its wait ends by its own callback, and the program ends with the exchange under way.
void cancelled(Member& m) {
  if (m.is_lost())
    bp_set_wait_callback([](void*, bp_error**) -> bp_status { return BP_CANCELLED; }, nullptr,
                         nullptr);
  if (m.rank == 3) wait_for(m, {0, 1});  // it is under way until then
  sum_once_more(m);
  if (!m.is_lost()) end_together(m);
}

struct Way {
  const char* name;
  void (*run)(Member&);
  int64_t seconds;  // the group's timeout
};
constexpr Way kWays[] = {{"killed", killed, 20},
                         {"killed_with_works", killed_with_works, 20},
                         {"killed_in_half", killed_in_half, 20},
                         {"killed_beside_messages", killed_beside_messages, 20},
                         {"killed_in_backward", killed_in_backward, 20},
                         {"killed_on_device", killed_on_device, 20},
                         {"killed_with_device_works", killed_with_device_works, 20},
                         {"late_on_device", late_on_device, 2},
                         {"late", late, 2},
                         {"left", left, 20},
                         {"stopped", stopped, 2},
                         {"gave_up", gave_up, 20},
                         {"cancelled", cancelled, 20}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 7;
  ::alarm(50);  // nobody is left over
  ::setenv("SIM_NCCL", FAKE_NCCL, 1);
  ::setenv("FAKE_NCCL_FOLDER", argv[2], 1);
  for (const Way& way : kWays) {
    if (way.name != std::string(argv[1])) continue;
    Member m{argv[2]};
    bp_group_desc d{};
    d.struct_size = sizeof d;
    d.kind = "mpi";
    d.timeout_ns = 20 * kSecond;
    bp_error* err = nullptr;
    if (bp_group_join(&d, &m.all, &err) != BP_OK) {
      std::fprintf(stderr, "%s\n", bp_error_message(err, nullptr));
      return 6;
    }
    bp_group_info info{};
    info.struct_size = sizeof info;
    bp_group_get_info(m.all, &info, nullptr);
    m.rank = info.rank;
    std::ofstream(m.file(m.rank, ".pid")) << ::getpid() << std::endl;
    m.said.open(m.file(m.rank, ".said"));
    sum_of_all(m);  // all have written their numbers
    bp_group_set_timeout(m.all, way.seconds * kSecond, nullptr);
    way.run(m);
    say_done(m);
    bp_group_release(m.all);
    return 0;
  }
  return 7;
}
