// SPDX-License-Identifier: Apache-2.0
// each_file_call.h: a call of the library made again and again, with another of its calls about
// files failing each time, in each way that it can. Afterwards the call has succeeded or named the
// file and what the system said; the folder has the old file or the new one, whole, and nothing
// else; no descriptor and no mapping stays; and the same call succeeds (each_point.h).
//
//   Folder folder;
//   fail_each_file_call({{"files", "save", save}, folder, folder.file("saved"), "old", true});
#pragma once
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "files/failing_files.h"
#include "kit/each_point.h"

namespace bp_test {

// A folder of this process's own, removed with what is in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  // The names of the files in it, sorted, each followed by a space.
  std::string names() const;

 private:
  const std::filesystem::path path_;
};

void put(const std::string& path, const std::string& bytes);
std::string content(const std::string& path);

struct FileCall {
  Call call;
  const Folder& folder;
  std::string file;        // the path of the one file in the folder
  std::string before;      // its bytes before each call
  bool saves;              // whether the call puts bytes of its own there, the same each time
  std::string leftover{};  // the path of what a killed writer left, before each call
  std::string shown{};     // the path as the call has it, where that is another
  std::function<void(const std::string& point)> check{};  // expects more after each call
};

// BP_FILES_EVERY=1 has each call fail (each_point.h).
Points& points();
void fail_each_file_call(const FileCall& call);

// The faults, and whether one must not be seen at all, because a call is made again or goes on.
struct Fault {
  int value;
  const char* name;
  bool unseen;
};
inline constexpr Fault kFaults[] = {{EIO, "EIO", false},
                                    {ENOSPC, "ENOSPC", false},
                                    {EMFILE, "EMFILE", false},
                                    {ENFILE, "ENFILE", false},
                                    {ENOMEM, "ENOMEM", false},
                                    {EAGAIN, "EAGAIN", false},
                                    {EINTR, "EINTR", true},
                                    {FailingFiles::kShort, "one byte", true},
                                    {FailingFiles::kNothing, "nothing", false}};
// The manners in which a fault may come. A signal does not interrupt for ever.
std::vector<FailingFiles::Manner> manners_of(const Fault& fault);
std::string described(const Fault& fault, FailingFiles::Manner manner);
// Returns what is wrong with a failure, or "": its status, and the cause in its text.
std::string wrong_with(const Fault& fault, bp_status status, const std::string& message);

}  // namespace bp_test
