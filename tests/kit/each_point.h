// SPDX-License-Identifier: Apache-2.0
// each_point.h: a call of the library made again and again, while something under it fails at
// another point each time: an allocation, a call of the system. Afterwards the call has succeeded
// or said why not, nothing is left behind, and the same call succeeds.
//
//   class Allocations : public Failing { ... };
//   fail_each_point(call, allocations, points);
//
// Where a first use is meant, each point has a process of its own (fail_each_point_of_a_first).
#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "c_api.h"
#include "kit/child.h"

namespace bp_test {

struct Call {
  std::string family, name;
  // Calls the library, and asks the system for nothing itself but at its first run.
  std::function<bp_status(bp_error**)> run;
  bool keeps = false;  // what succeeds stays until a shutdown
};
inline void PrintTo(const Call& c, std::ostream* out) { *out << c.family << ": " << c.name; }

// The points that a program tries: the first 40 of a call, and of later ones every `step`-th, or
// every n-th of all of them where the variable has a number n; then the program prints at its end
// what it tried. One of these, at the start of the program, which belongs to gtest.
class Points : public testing::Environment {
 public:
  Points(const char* variable, long step);
  long next(long point) const;
  void count(const std::string& family, long calls, long points);
  void TearDown() override;

 private:
  struct Count {
    long calls = 0, points = 0;
  };
  const bool printed_;
  const long step_;
  std::map<std::string, Count> families_;
};

// What fails under a call.
class Failing {
 public:
  virtual ~Failing() = default;
  // Makes the call while a point fails. Returns whether the call came so far.
  virtual bool reaches(long point, const std::function<void()>& call) = 0;
  virtual std::string named(long point) const = 0;
  // Expects of a call that reached the point, or did not, that it said the right thing.
  virtual void judge(const std::string& point, bool reached, bp_status status,
                     const char* message) = 0;
  // What must not grow from one failure to the next.
  virtual std::vector<uint64_t> held() = 0;
};

// Returns at the first point that the call does not reach.
void fail_each_point(const Call& call, Failing& failing, Points& points);

// ---- first uses ----

using First = std::function<bp_status(bp_error**)>;
// What a child found, in memory that it shares with the tests.
struct Found {
  bool struck;
  char wrong[512];
};
// Makes the call while a point fails, and says whether that came to pass.
using Strike = std::function<bp_status(long point, bp_error**, bool* struck)>;
// Returns what is wrong with a failure, or "".
using Judge = std::function<std::string(bp_status, const char* message)>;

// In a child for each point: the call while the point fails, the same call without, and a shutdown.
// Returns how many points there were.
long fail_each_point_of_a_first(const First& call, const std::string& what, const Points& points,
                                const Strike& strike, const Judge& judge);

// A handle that a call fills: TRY(bp_tensor_clone(x, into(copy), err)).
template <class Owner>
class Into {
 public:
  explicit Into(Owner& owner) : owner_(owner) {}
  ~Into() {
    if (made_) owner_.reset(made_);
  }
  Into(const Into&) = delete;
  Into& operator=(const Into&) = delete;
  operator typename Owner::pointer *() { return &made_; }

 private:
  Owner& owner_;
  typename Owner::pointer made_ = nullptr;
};
template <class Owner>
Into<Owner> into(Owner& owner) {
  return Into<Owner>(owner);
}

#define TRY(...)                                                     \
  do {                                                               \
    if (const bp_status said = (__VA_ARGS__); said < 0) return said; \
  } while (false)

}  // namespace bp_test
