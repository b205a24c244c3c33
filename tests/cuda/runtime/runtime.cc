// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kernels.h"

namespace cuda_machine {
namespace {

thread_local bool is_in_host_func = false;
std::mutex runtime_mutex;
std::atomic<Runtime*> the_runtime{nullptr};
std::atomic<int> threads{0};  // of streams

std::string uuid_of(const Options& o, uint64_t k) {
  if (k < o.uuids.size()) return o.uuids[k];
  char text[48];
  std::snprintf(text, sizeof text, "GPU-c0da0000-0000-4000-8000-%012llx",
                static_cast<unsigned long long>(k));
  return text;
}

std::string pci_of(const Options& o, uint64_t k) {
  if (k < o.pcis.size()) return o.pcis[k];
  char text[48];
  std::snprintf(text, sizeof text, "0000:%02llx:00.0", static_cast<unsigned long long>(k + 1));
  return text;
}

// As the driver reads CUDA_VISIBLE_DEVICES: ordinals, or beginnings of UUIDs; what comes after the
// first that is not there is not looked at, and a device that is named twice leaves none.
std::vector<uint64_t> visible(const Options& o) {
  std::vector<uint64_t> out;
  const char* mask = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!mask) {
    for (uint64_t k = 0; k < o.devices; ++k) out.push_back(k);
    return out;
  }
  for (std::string rest = mask; !rest.empty();) {
    const size_t comma = rest.find(',');
    const std::string word = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    char* end = nullptr;
    uint64_t k = std::strtoull(word.c_str(), &end, 10);
    if (word.rfind("GPU-", 0) == 0) {
      for (k = 0; k < o.devices && uuid_of(o, k).rfind(word, 0) != 0; ++k)
        ;
    } else if (end == word.c_str() || word[0] == '-') {
      break;
    }
    if (k >= o.devices) break;
    for (const uint64_t other : out)
      if (other == k) return {};
    out.push_back(k);
  }
  return out;
}

}  // namespace

// ---- a device ----

void Device::fail(cudaError_t code, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (failure_ != cudaSuccess) return;
  why_ = why;
  failure_ = code;
}

void Device::check() const {
  if (failure() == cudaSuccess) return;
  const std::lock_guard lock(mutex_);
  throw Error{failure_, why_};
}

// ---- the runtime ----

Runtime& runtime() {
  if (Runtime* r = the_runtime.load(std::memory_order_acquire)) return *r;
  const std::lock_guard lock(runtime_mutex);
  if (!the_runtime.load())
    the_runtime = new Runtime;  // never deleted at exit: others may still call
  return *the_runtime;
}

bool in_host_func() { return is_in_host_func; }

bool stays(cudaError_t e) {
  Runtime& r = runtime();
  if (e == cudaSuccess) return false;
  if (r.broken.code == e) return true;
  const auto at = static_cast<size_t>(Runtime::current_ordinal());
  return at < r.devices.size() && r.devices[at]->failure() == e;
}

std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

Runtime::Runtime() {
  if (const std::string wrong = read(&options); !wrong.empty()) {
    broken = {cudaErrorInitializationError, wrong};
    return;
  }
  if (options.driver < CUDART_VERSION) {
    broken = {cudaErrorInsufficientDriver, ""};
    return;
  }
  const std::vector<uint64_t> numbers = visible(options);
  if (numbers.empty()) broken = {cudaErrorNoDevice, ""};
  memory = std::make_unique<machine::Memory>(static_cast<int>(numbers.size()), options.memory);
  hazards = std::make_unique<Hazards>(options.hazards != 0);
  for (const uint64_t k : numbers) {
    auto d = std::make_unique<Device>();
    d->number = k;
    d->uuid = uuid_of(options, k);
    d->pci = pci_of(options, k);
    devices.push_back(std::move(d));
  }
}

int& Runtime::current_ordinal() {
  static thread_local int current = 0;
  return current;
}

Device& Runtime::device(int ordinal) {
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= devices.size())
    refuse(cudaErrorInvalidDevice,
           "device " + std::to_string(ordinal) + " of " + std::to_string(devices.size()));
  return *devices[static_cast<size_t>(ordinal)];
}

bool Runtime::reaches(int device, int owner) const {
  return owner == machine::kHost || owner == device ||
         (devices[static_cast<size_t>(device)]->peers.load() >> owner & 1) != 0;
}

bool Runtime::strikes(std::atomic<uint64_t>& count, uint64_t k) const {
  const uint64_t n = ++count;
  return k != 0 && n >= k && n < k + options.fail_times;
}

// ---- handles ----

std::shared_ptr<Stream> Runtime::open_stream(int device, bool blocking, int priority) {
  const std::lock_guard lock(mutex);
  auto s =
      std::make_shared<Stream>(device, stream_numbers_++, blocking, priority, hazards->take_lane());
  ++threads;
  s->open([this](Stream& stream, Task& task) { run(stream, task); },
          [this, lane = s->lane] {
            hazards->give_lane(lane);
            --threads;
            threads.notify_all();
          });
  every_stream_.push_back(s);
  return s;
}

cudaStream_t Runtime::add(std::shared_ptr<Stream> s) {
  const std::lock_guard lock(mutex);
  streams_[++handles_] = std::move(s);
  return reinterpret_cast<cudaStream_t>(handles_ << 4);
}

cudaEvent_t Runtime::add(std::shared_ptr<Event> e) {
  const std::lock_guard lock(mutex);
  events_[++handles_] = std::move(e);
  return reinterpret_cast<cudaEvent_t>(handles_ << 4);
}

std::shared_ptr<Stream> Runtime::stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    static std::mutex making;
    const std::lock_guard lock(making);
    Device& d = current();
    if (!d.default_stream) d.default_stream = open_stream(current_ordinal(), false, 0);
    return d.default_stream;
  }
  if (handle == cudaStreamPerThread)
    refuse(cudaErrorNotSupported, "the machine has no default stream of each thread");
  const std::lock_guard lock(mutex);
  const auto it = streams_.find(reinterpret_cast<uint64_t>(handle) >> 4);
  if (it == streams_.end())
    refuse(cudaErrorInvalidResourceHandle, "no such stream, or it was destroyed");
  return it->second;
}

std::shared_ptr<Event> Runtime::event(cudaEvent_t handle) {
  const std::lock_guard lock(mutex);
  const auto it = events_.find(reinterpret_cast<uint64_t>(handle) >> 4);
  if (it == events_.end())
    refuse(cudaErrorInvalidResourceHandle, "no such event, or it was destroyed");
  return it->second;
}

std::shared_ptr<Stream> Runtime::take(cudaStream_t handle) {
  const std::lock_guard lock(mutex);
  const auto it = streams_.find(reinterpret_cast<uint64_t>(handle) >> 4);
  if (it == streams_.end())
    refuse(cudaErrorInvalidResourceHandle, "no such stream, or it was destroyed");
  auto s = std::move(it->second);
  streams_.erase(it);
  return s;
}

void Runtime::take(cudaEvent_t handle) {
  const std::lock_guard lock(mutex);
  if (events_.erase(reinterpret_cast<uint64_t>(handle) >> 4) == 0)
    refuse(cudaErrorInvalidResourceHandle, "no such event, or it was destroyed");
}

// Also those that were destroyed and still work.
std::vector<std::shared_ptr<Stream>> Runtime::streams_of(int device) {
  const std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<Stream>> out;
  std::erase_if(every_stream_, [](const auto& w) { return w.expired(); });
  for (const auto& w : every_stream_)
    if (auto s = w.lock(); s && s->device == device) out.push_back(std::move(s));
  return out;
}

void Runtime::forget_handles(int device) {
  const std::lock_guard lock(mutex);
  std::erase_if(streams_, [&](const auto& s) {
    return s.second->device == device && (s.second->close(), true);
  });
  std::erase_if(events_, [&](const auto& e) { return e.second->device == device; });
}

// ---- work ----

void Runtime::run(Stream& s, Task& task) {
  Device& d = *devices[static_cast<size_t>(s.device)];
  if (task.is_work) {
    if (options.slow_us && (options.slow_stream == UINT64_MAX || options.slow_stream == s.number))
      std::this_thread::sleep_for(std::chrono::microseconds(options.slow_us));
    const uint64_t n = ++tasks;
    if (n == options.ecc) d.fail(cudaErrorECCUncorrectable, "CUDA_MACHINE_ECC");
    if (n == options.lose_device) d.fail(cudaErrorDevicesUnavailable, "CUDA_MACHINE_LOSE_DEVICE");
    if (d.failure() != cudaSuccess) return;
  }
  try {
    task.run();
  } catch (const machine::Fault& f) {
    d.fail(static_cast<cudaError_t>(f.code), f.what());
  }
}

// What is enqueued in the default stream waits for all blocking streams of its device, and they for
// it.
void Runtime::join_default(Stream& s) {
  const std::shared_ptr<Stream> first = devices[static_cast<size_t>(s.device)]->default_stream;
  if (!first) return;
  if (&s != first.get()) {
    if (!s.blocking || s.seen_default == first->pushed) return;
    s.seen_default = first->pushed;
    wait_locked(s, mark_locked(*first));
    return;
  }
  for (const auto& other : streams_of(s.device)) {
    if (!other->blocking || other->seen_others == other->pushed) continue;
    other->seen_others = other->pushed;
    wait_locked(s, mark_locked(*other));
  }
}

void Runtime::enqueue(Stream& s, std::string_view what, uint64_t bytes, Body body) {
  const std::lock_guard lock(enqueueing_);
  join_default(s);
  ++s.pushed;
  Ticket ticket = hazards->begin(s.clock, {s.lane, s.number, what, bytes, 0});
  s.push({[ticket = std::move(ticket), body = std::move(body)] { body(ticket); }, true});
}

std::shared_ptr<Mark> Runtime::mark_locked(Stream& s) {
  auto m = std::make_shared<Mark>();
  m->clock = hazards->mark(s.clock);
  if (!s.push({.run = [m] { m->reach(); }, .marks = true}))
    m->reach();  // all that it had to do is done
  return m;
}

void Runtime::wait_locked(Stream& s, std::shared_ptr<Mark> m) {
  hazards->wait(s.clock, m->clock);
  s.push({[m = std::move(m)] { m->wait(); }});
}

std::shared_ptr<Mark> Runtime::mark(Stream& s) {
  const std::lock_guard lock(enqueueing_);
  join_default(s);
  return mark_locked(s);
}

void Runtime::wait(Stream& s, std::shared_ptr<Mark> m) {
  const std::lock_guard lock(enqueueing_);
  join_default(s);
  ++s.pushed;
  wait_locked(s, std::move(m));
}

// The host function may tell the host that the stream came so far. It is not called on a device
// that failed.
void Runtime::host_func(Stream& s, cudaHostFn_t fn, void* user) {
  const std::lock_guard lock(enqueueing_);
  join_default(s);
  ++s.pushed;
  s.push({[this, clock = hazards->mark(s.clock), fn, user] {
            hazards->host_waited(clock);
            is_in_host_func = true;
            fn(user);
            is_in_host_func = false;
          },
          true});
}

void Runtime::synchronize(Stream& s) {
  const auto m = mark(s);
  m->wait();
  hazards->host_waited(m->clock);
  device(s.device).check();
}

// A mark of its own would make the stream busy.
bool Runtime::is_idle(Stream& s) {
  const std::lock_guard lock(enqueueing_);
  join_default(s);
  if (!s.is_idle()) return false;
  hazards->host_waited(hazards->mark(s.clock));
  return true;
}

void Runtime::synchronize(int ordinal) {
  std::vector<std::shared_ptr<Mark>> marks;
  for (const auto& s : streams_of(ordinal)) {
    const std::lock_guard lock(enqueueing_);
    marks.push_back(mark_locked(*s));
  }
  for (const auto& m : marks) {
    m->wait();
    hazards->host_waited(m->clock);
  }
}

void Runtime::drain_users(int owner) {
  for (int d = 0; d < static_cast<int>(devices.size()); ++d)
    if (owner == machine::kHost || reaches(d, owner)) synchronize(d);
}

void Runtime::end() {
  {
    const std::lock_guard lock(mutex);
    for (const auto& w : every_stream_)
      if (const auto s = w.lock()) s->close();
    streams_.clear();
    events_.clear();
  }
  for (const auto& d : devices) d->default_stream.reset();
  for (int n; (n = threads.load()) != 0;) threads.wait(n);
}

}  // namespace cuda_machine

using namespace cuda_machine;

// For tests: ends the machine, and begins another with the variables as they are now. No other
// thread may be in a call.
extern "C" void cuda_machine_restart() {
  const std::lock_guard lock(runtime_mutex);
  if (Runtime* before = the_runtime.exchange(nullptr)) {
    before->end();
    forget_modules();
    delete before;
  }
  Runtime::current_ordinal() = 0;
  last_error() = {};
}
