// SPDX-License-Identifier: Apache-2.0
// backplane_profile.hpp: what a program does, and when; what a profile sees is in c_profile.h.
// Include backplane.hpp.
//
//   {
//     bp::Profile profile("trace.json");
//     bp::ProfileRange range("warm-up");
//     bp::Tensor z = x.exp();
//   }   // saved here; profile.save() would throw what fails
#ifndef BACKPLANE_PROFILE_HPP
#define BACKPLANE_PROFILE_HPP

#include <string>
#include <utility>

#include "backplane_base.hpp"

namespace backplane {

// A profile of the process, from here to save() or to the end of the scope.
class Profile {
 public:
  // Throws BP_BAD_STATE while another one runs. `most_spans` are kept; 0: 1,000,000.
  explicit Profile(std::string path, std::uint64_t most_spans = 0) : path_(std::move(path)) {
    const bp_profile_options options{sizeof options, 0, most_spans};
    detail::call([&](bp_error** e) { return bp_profile_start(&options, e); });
  }
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  // A failure to save is lost here.
  ~Profile() {
    if (!ended_ && bp_profile_stop(nullptr) == BP_OK) bp_profile_save(path_.c_str(), nullptr);
  }
  // Ends the profile and writes the file.
  void save() {
    ended_ = true;
    detail::call([&](bp_error** e) { return bp_profile_stop(e); });
    detail::call([&](bp_error** e) { return bp_profile_save(path_.c_str(), e); });
  }
  // Whether one runs, whoever started it.
  static bool is_running() noexcept { return bp_profile_running() != 0; }

 private:
  std::string path_;
  bool ended_ = false;
};

// A range around what this thread does in the scope. It costs nothing while no profile runs.
class ProfileRange {
 public:
  explicit ProfileRange(const std::string& name) {
    detail::call([&](bp_error** e) { return bp_profile_push(name.c_str(), &token_, e); });
  }
  ProfileRange(const ProfileRange&) = delete;
  ProfileRange& operator=(const ProfileRange&) = delete;
  ~ProfileRange() { bp_profile_pop(token_, nullptr); }

 private:
  std::uint64_t token_ = 0;
};

// Writes who holds memory now, while a profile runs; `backplane profile memory` prints it.
inline void memory_snapshot(const std::string& path) {
  detail::call([&](bp_error** e) { return bp_memory_snapshot(path.c_str(), e); });
}

}  // namespace backplane

#endif
