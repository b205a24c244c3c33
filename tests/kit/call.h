// SPDX-License-Identifier: Apache-2.0
// call.h: a call of the library as a value, for tests that make it again and again.
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

#include "c_api.h"

namespace bp_test {

using Run = std::function<bp_status(bp_error**)>;
enum class Threads { kThis, kAll };

struct Call {
  std::string family, name;
  // Calls the library, and asks the system for nothing itself but at its first run.
  Run run;
  // Whether things fail on the threads of the library too.
  Threads threads = Threads::kThis;
  bool keeps = false;  // what succeeds stays until a shutdown
};
inline void PrintTo(const Call& c, std::ostream* out) { *out << c.family << ": " << c.name; }

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
