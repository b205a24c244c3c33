// SPDX-License-Identifier: Apache-2.0
// each_allocation.h: a call of the library made again and again, with another of its allocations
// failing each time. Afterwards the call has succeeded or said that memory ran out, nothing is left
// behind, and the same call succeeds.
//
//   fail_each_allocation({"tensors", "clone", [](bp_error** err) {
//     T copy;
//     TRY(bp_tensor_clone(operand(), into(copy), err));
//     return BP_OK;
//   }});
#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "kit/handles.h"
#include "memory/exhausted.h"

namespace bp_test {

struct Call {
  std::string family, name;
  // Calls the library, and allocates nothing itself but at its first run.
  std::function<bp_status(bp_error**)> run;
  // Whether allocations fail on the threads of the library too.
  Exhausted::Threads threads = Exhausted::kThisThread;
  bool keeps = false;  // what succeeds stays until a shutdown
};
inline void PrintTo(const Call& c, std::ostream* out) { *out << c.family << ": " << c.name; }

// All the first allocations of a call fail, and every seventh of the later ones, or every n-th
// where the variable BP_MEMORY_EVERY has a number n.
long next_allocation(long granted);
void fail_each_allocation(const Call& call);

// The calls of a family. Together they make every function that can fail (covered.sh).
std::vector<Call> runtime_calls();
std::vector<Call> stream_calls(const std::string& device);
std::vector<Call> tensor_calls(const std::string& device);
std::vector<Call> gradient_calls(const std::string& device);
std::vector<Call> file_calls();
std::vector<Call> module_calls();
std::vector<Call> optimizer_calls();
std::vector<Call> training_calls();

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
