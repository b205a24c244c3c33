// SPDX-License-Identifier: Apache-2.0
// fake.h: the vendors' libraries of these tests (fake_<name>.cc): what was made and called in them,
// and the status that they answer with next.
//
//   const Fake fake("dnn");
//   Session session("sim.dnn=" + Fake::file("dnn"));
//   fake.answer(5000);
#pragma once
#include <dlfcn.h>

#include <string>

#include "sim/works.h"

class Fake {
 public:
  static std::string file(const std::string& name) {
    return std::string(FAKE_FOLDER) + "/libfake_" + name + ".so";
  }

  // The same file as the plugin's.
  explicit Fake(const std::string& name) : file_(dlopen(file(name).c_str(), RTLD_NOW)) {
    EXPECT_NE(file_, nullptr) << dlerror();
  }
  ~Fake() { dlclose(file_); }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;

  int handles() const { return number("fake_handles"); }
  int descriptors() const { return number("fake_descriptors"); }
  int choices() const { return number("fake_choices"); }
  int calls() const { return number("fake_calls"); }
  void answer(int status) const { function<void (*)(int)>("fake_answer")(status); }

 private:
  template <class F>
  F function(const char* name) const {
    return reinterpret_cast<F>(dlsym(file_, name));
  }
  int number(const char* name) const { return function<int (*)()>(name)(); }

  void* file_;
};
