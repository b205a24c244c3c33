// SPDX-License-Identifier: Apache-2.0
// streams.cc: order within a stream and between streams, and what events say. A stream is held by a
// function in it (host_func) that waits until it is let go, so that nothing here depends on how
// fast a device is. On a backend that does its work at once nothing can be held, and the rest is
// asked. See parts.h.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "verify/parts.h"

namespace verifier {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kCount = 4096;

// Holds a stream from its construction until open().
class Gate {
 public:
  explicit Gate(const bp::Stream& stream) : stream_(stream), caller_(std::this_thread::get_id()) {
    stream.host_func([](void* self) { static_cast<Gate*>(self)->wait(); }, this);
    std::lock_guard lock(mutex_);
    holds_ = !passed_;
    queued_ = true;
  }
  ~Gate() {
    open();
    bp_stream_synchronize(stream_.get(), nullptr);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // False on a backend that calls the function before the request returns.
  bool holds() const { return holds_; }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    // Either on the caller's own thread, or while the caller waits for it.
    if (std::this_thread::get_id() != caller_ &&
        (changed_.wait_for(lock, seconds(2), [this] { return open_; }) || queued_))
      changed_.wait_for(lock, seconds(60), [this] { return open_; });
    passed_ = true;
  }
  bp::Stream stream_;
  std::thread::id caller_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, queued_ = false, passed_ = false, holds_ = false;
};

bp::Tensor filled(float value, bp::Device device) {
  return bp::tensor(std::vector<float>(kCount, value), device);
}

// The value that every element has, or NaN.
float value_of(const bp::Tensor& t) {
  const std::vector<float> all = t.read<float>();
  for (const float v : all)
    if (v != all[0]) return NAN;
  return all[0];
}

void expect_value(const bp::Tensor& t, float want, Findings& findings, const char* otherwise) {
  const float got = value_of(t);
  findings.check(got == want,
                 [&] { return fmt::format("{}: got {}, expected {}", otherwise, got, want); });
}

// Waits until a stream says that it is done; false when it does not within two seconds.
bool runs_dry(const bp::Stream& stream) {
  const auto limit = std::chrono::steady_clock::now() + seconds(2);
  while (!stream.query()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

void copy_in(const bp::Stream& stream, bp::Tensor& to, const bp::Tensor& from) {
  const bp::StreamGuard in(stream);
  to.copy_(from);
}

void keep_order_within(bp::Device device, Findings& findings) {
  findings.begin("order in one stream");
  const bp::Stream stream(device);
  std::vector<bp::Tensor> row;
  for (int i = 0; i < 17; ++i) row.push_back(filled(static_cast<float>(i), device));
  bp::synchronize(device);
  for (size_t i = 1; i < row.size(); ++i) copy_in(stream, row[i], row[i - 1]);
  stream.synchronize();
  findings.check(stream.query(), [] { return "stream_query is BP_NOT_READY after stream_sync"; });
  expect_value(row.back(), 0, findings, "16 copies, each of the one before, went out of order");
}

void call_back(bp::Device device, Findings& findings) {
  findings.begin("host_func");
  const bp::Stream stream(device);
  std::atomic<int> calls = 0;
  for (int i = 0; i < 3; ++i)
    stream.host_func([](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &calls);
  stream.synchronize();
  findings.check(calls == 3, [&] {
    return fmt::format("3 functions were queued, {} were called when stream_sync returned",
                       calls.load());
  });
}

void wait_for_each_other(bp::Device device, Findings& findings) {
  findings.begin("one stream waits for an event of another");
  const bp::Stream writer(device), reader(device);
  const bp::Tensor source = filled(5, device);
  bp::Tensor middle = filled(1, device), result = filled(1, device);
  bp::synchronize(device);
  Gate gate(writer);
  copy_in(writer, middle, source);
  reader.wait(writer.record());
  copy_in(reader, result, middle);
  if (gate.holds()) {
    findings.check(!writer.query(),
                   [] { return "stream_query of a stream that is held is BP_OK"; });
    bool early = false;  // a wait that holds nobody lets the reader go on within this time
    for (int i = 0; i < 100 && !early; ++i) {
      early = reader.query();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    findings.check(!early, [] {
      return "stream_wait held nobody: the stream was done before the event that it waits for";
    });
  }
  gate.open();
  reader.synchronize();
  expect_value(result, 5, findings, "the reader came before the writer");
}

// Both ends of many streams, of which a backend may have a bound.
void open_many(bp::Device device, Findings& findings) {
  findings.begin("32 streams");
  std::vector<bp::Stream> all;
  for (int i = 0; i < 32; ++i) all.emplace_back(device);
  std::vector<bp::Tensor> results(all.size(), bp::Tensor());
  const bp::Tensor source = filled(7, device);
  bp::synchronize(device);
  for (size_t i = 0; i < all.size(); ++i) {
    const bp::StreamGuard in(all[i]);
    results[i] = source.clone();
  }
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].synchronize();
    expect_value(results[i], 7, findings, "a copy in one of 32 streams");
  }
}

// One question about streams or events; what the backend lacks is a skip.
void step(Findings& findings, void (*question)(bp::Device, Findings&), bp::Device device) {
  try {
    question(device, findings);
  } catch (const bp::Error& e) {
    if (e.status() == BP_UNSUPPORTED)
      findings.skip(e.what());
    else
      findings.fail(fmt::format("{}: {}", e.status_name(), e.what()));
  }
}

void expect_done(const bp::Event& event, bool done, Findings& findings, const char* which) {
  findings.check(event.query() == done, [&] {
    return fmt::format("event_query of {} is {}, expected {}", which,
                       done ? "BP_NOT_READY" : "BP_OK", done ? "BP_OK" : "BP_NOT_READY");
  });
}

void tell_of_nothing(bp::Device device, Findings& findings) {
  findings.begin("an event that was never recorded");
  const bp::Event event(device);
  expect_done(event, true, findings, "it");
  event.synchronize();
  const bp::Stream stream(device);
  stream.wait(event);
  findings.check(runs_dry(stream), [] { return "it holds up the stream that waits for it"; });
}

void tell_of_their_stream(bp::Device device, Findings& findings) {
  findings.begin("events of a held and an idle stream");
  const bp::Stream held(device), idle(device);
  bp::Event of_held(device), of_idle(device), moved(device);
  bp::synchronize(device);
  Gate gate(held);
  if (!gate.holds()) {
    of_held.record(held);
    expect_done(of_held, true, findings, "an event, after work that is done at once,");
    return;
  }
  // Each of the two is recorded last in one of the rounds.
  for (int round = 0; round < 2; ++round) {
    if (round == 0) of_held.record(held);
    of_idle.record(idle);
    if (!runs_dry(idle)) {
      findings.skip("streams of this backend do not run beside each other");
      return;
    }
    if (round == 1) of_held.record(held);
    expect_done(of_held, false, findings, "an event in a stream that is held");
    expect_done(of_idle, true, findings, "an event in an idle stream, while another is held,");
  }
  moved.record(held);
  expect_done(moved, false, findings, "an event in a stream that is held");
  moved.record(idle);
  runs_dry(idle);
  expect_done(moved, true, findings, "an event that was recorded again, in an idle stream,");
  gate.open();
  of_held.synchronize();
  expect_done(of_held, true, findings, "an event after event_sync");
}

void wait_for_the_record_before(bp::Device device, Findings& findings) {
  findings.begin("a wait is for the record before it");
  const bp::Stream held(device), waiting(device);
  bp::Event event(device);
  bp::synchronize(device);
  event.record(waiting);
  Gate gate(held);
  waiting.wait(event);
  event.record(held);
  findings.check(runs_dry(waiting),
                 [] { return "a later record of the event moved a wait that was queued before"; });
}

void measure(bp::Device device, Findings& findings) {
  findings.begin("event_elapsed");
  const bp::Stream stream(device);
  bp::Event first(device), second(device);
  bp::Tensor x = filled(1, device);
  const bp::Tensor y = filled(2, device);
  bp::synchronize(device);
  first.record(stream);
  copy_in(stream, x, y);
  second.record(stream);
  const double there = first.elapsed_to(second), back = second.elapsed_to(first);
  findings.check(there >= 0 && back <= 0 && std::isfinite(there), [&] {
    return fmt::format("{} ms from the first to the second, {} ms back", there, back);
  });
}

}  // namespace

void streams(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  for (auto* question : {keep_order_within, call_back, wait_for_each_other, open_many})
    step(findings, question, runtime.device());
}

void events(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  for (auto* question :
       {tell_of_nothing, tell_of_their_stream, wait_for_the_record_before, measure})
    step(findings, question, runtime.device());
}

}  // namespace verifier
