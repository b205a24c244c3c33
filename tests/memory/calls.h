// SPDX-License-Identifier: Apache-2.0
// calls.h: calls of the library that tests make while something beneath them fails: memory here, a
// plugin in tests/plugin_calls. Together they make every function that can fail (covered.sh).
//
//   Call call{"tensors", "clone", [](bp_error** err) {
//     T copy;
//     TRY(bp_tensor_clone(operand(), into(copy), err));
//     return BP_OK;
//   }};
#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "kit/handles.h"

namespace bp_test {

enum class Threads { kThis, kAll };

struct Call {
  std::string family, name;
  // Calls the library, and allocates nothing itself but at its first run.
  std::function<bp_status(bp_error**)> run;
  // Whether things fail on the threads of the library too.
  Threads threads = Threads::kThis;
  bool keeps = false;  // what succeeds stays until a shutdown
};
inline void PrintTo(const Call& c, std::ostream* out) { *out << c.family << ": " << c.name; }

std::vector<Call> runtime_calls();
std::vector<Call> stream_calls(const std::string& device);
std::vector<Call> tensor_calls(const std::string& device);
std::vector<Call> gradient_calls(const std::string& device);
std::vector<Call> file_calls();
std::vector<Call> module_calls();
std::vector<Call> optimizer_calls();
std::vector<Call> training_calls();
// Every op that the device serves: the conformance suite's plain cases, once as they are and once
// with operands that require a gradient, which backward then fetches.
std::vector<Call> op_calls(const std::string& device);

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
