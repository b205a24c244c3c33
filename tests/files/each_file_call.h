// SPDX-License-Identifier: Apache-2.0
// each_file_call.h: a call of the library made again and again, with another of its calls about
// files failing each time, in each way that it can. Afterwards the call has succeeded or named the
// file and what the system said; the folder has the old file or the new one, whole, and nothing
// else; no descriptor and no mapping stays; and the same call succeeds (kit/each_point.h).
//
//   Folder folder;
//   fail_each_file_call({{"files", "save", save}, folder, folder.file("saved"), "old", true});
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
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
  std::function<std::string()> fault_in{};  // what else is wrong after a call, "" when nothing is
};

void fail_each_file_call(const FileCall& call);

// The system, whose calls about files meet each fault in each manner.
class FileFailure : public Failure {
 public:
  // need_not_tell: functions whose failure a call may keep to itself. log: where it may tell it.
  explicit FileFailure(std::vector<std::string> need_not_tell, const std::string* log = nullptr);
  void start(long granted, size_t manner, Threads) override;
  std::string stop() override;
  std::string fault_in(bp_status status, const bp_error* err) override;

 private:
  const std::vector<std::string> need_not_tell_;
  const std::string* const log_;
  size_t manner_ = 0;
  std::optional<FailingFiles> now_;
};

}  // namespace bp_test
