// SPDX-License-Identifier: Apache-2.0
#include "files/each_file_call.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "kit/devices.h"
#include "kit/has.h"
#include "memory/exhausted.h"

namespace bp_test {
namespace {

// Functions whose failure need not be told, because the call does its work without what they give:
// what frees, what looks for leftovers, and what there is another way for. The path may have been
// real, and the mode right; calls_test.cc has a link and a private file.
const std::vector<std::string> kNeedNotTell = {
    "access",   "close",
    "dlopen",   "fchmod",
    "flock",    "linkat",
    "opendir",  "readdir",
    "realpath", "open of a file without a name",
    "unlink",   "open of a leftover",
};

struct Manner {
  int fault;
  // It must not be seen at all, because a call is made again or goes on.
  bool unseen;
  FailingFiles::Manner manner;
  std::string name;
};
const std::vector<Manner> kManners = [] {
  using F = FailingFiles;
  std::vector<Manner> all;
  for (const auto& [fault, name] : {std::pair{EIO, "EIO"},
                                    {ENOSPC, "ENOSPC"},
                                    {EMFILE, "EMFILE"},
                                    {ENFILE, "ENFILE"},
                                    {ENOMEM, "ENOMEM"},
                                    {EAGAIN, "EAGAIN"},
                                    {EINTR, "EINTR"},
                                    {int{F::kShort}, "one byte"},
                                    {int{F::kNothing}, "nothing"}})
    for (const auto& [manner, when] : {std::pair{F::kOnce, " once"},
                                       {F::kThatFunction, " from then on in that function"},
                                       {F::kForEver, " from then on"}})
      if (fault != EINTR || manner == F::kOnce)  // a signal does not interrupt for ever
        all.push_back(
            {fault, fault == EINTR || fault == F::kShort, manner, std::string(name) + when});
  return all;
}();
std::vector<std::string> names_of_manners() {
  std::vector<std::string> names;
  for (const Manner& m : kManners) names.push_back(m.name);
  return names;
}

long n_descriptors() {
  using Entries = std::filesystem::directory_iterator;
  return static_cast<long>(std::distance(Entries("/proc/self/fd"), Entries()));
}
long n_mappings_of(const std::string& folder) {
  std::ifstream maps("/proc/self/maps");
  long n = 0;
  for (std::string line; std::getline(maps, line);) n += has(line, folder);
  return n;
}

// Of a call whose folder is known.
class FolderFailure final : public FileFailure {
 public:
  FolderFailure(const FileCall& call, const std::string& fresh)
      : FileFailure(kNeedNotTell), call_(call), fresh_(fresh) {}
  void start(long granted, size_t manner, Threads threads) override {
    put(call_.file, call_.before);
    if (!call_.leftover.empty()) put(call_.leftover, "half of it");
    FileFailure::start(granted, manner, threads);
  }
  std::string fault_in(bp_status status, const bp_error* err) override {
    if (std::string fault = FileFailure::fault_in(status, err); !fault.empty()) return fault;
    const std::string message = bp_error_message(err, nullptr), now = content(call_.file);
    const bool names_it =
        has(message, call_.file) || (!call_.shown.empty() && has(message, call_.shown));
    if (status < 0 && !names_it && status != BP_OUT_OF_HOST_MEMORY) return "it names no file";
    if (now != fresh_ && (status >= 0 || now != call_.before)) return "the file has other bytes";
    if (!FailingFiles::failed("unlink") && call_.leftover.empty() && call_.folder.names() != name_)
      return "the folder has " + call_.folder.names();
    return call_.fault_in ? call_.fault_in() : "";
  }
  Held held() override {
    EXPECT_EQ(call_.folder.names(), name_) << "after the call that nothing failed in";
    return {n_descriptors(), n_mappings_of(call_.folder.path()), blocks_held()};
  }

 private:
  const FileCall& call_;
  const std::string name_ = std::filesystem::path(call_.file).filename().string() + " ";
  const std::string& fresh_;
};

}  // namespace

Folder::Folder()
    : path_([] {
        static int n = 0;
        return testing::TempDir() + "files-" + std::to_string(::getpid()) + "-" +
               std::to_string(n++);
      }()) {
  std::filesystem::remove_all(path_);
  std::filesystem::create_directory(path_);
}
Folder::~Folder() { std::filesystem::remove_all(path_); }
std::string Folder::names() const {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    all.push_back(entry.path().filename());
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& name : all) text += name + " ";
  return text;
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

FileFailure::FileFailure(std::vector<std::string> need_not_tell, const std::string* log)
    : Failure("BP_FILES_EVERY", names_of_manners()),
      need_not_tell_(std::move(need_not_tell)),
      log_(log) {}
void FileFailure::start(long granted, size_t manner, Threads) {
  manner_ = manner;
  now_.emplace(kManners[manner].fault, granted, kManners[manner].manner);
}
std::string FileFailure::stop() {
  now_.reset();
  return FailingFiles::first();
}
std::string FileFailure::fault_in(bp_status status, const bp_error* err) {
  const std::string first = FailingFiles::first();
  const auto& [fault, unseen, manner, name] = kManners[manner_];
  const int error = fault == FailingFiles::kNothing ? EIO : fault;
  const auto tells = [&](const std::string& text) { return has(text, std::strerror(error)); };
  if (FailingFiles::wrong_closes()) return "what was not open was closed";
  if (status < 0) {
    if (unseen) return "it is seen";
    if (error == ENOMEM && status == BP_OUT_OF_HOST_MEMORY) return "";
    if (status != BP_UNAVAILABLE) return "it has another status";
    return tells(bp_error_message(err, nullptr)) ? "" : "it does not say why";
  }
  if (first.empty() || unseen || (log_ && tells(*log_))) return "";
  return std::count(need_not_tell_.begin(), need_not_tell_.end(), first) ? "" : "nobody was told";
}

void fail_each_file_call(const FileCall& call) {
  put(call.file, call.before);
  ASSERT_EQ(attempt(call.call.run).message, "") << call.call.name;
  const std::string fresh = content(call.file);
  ASSERT_EQ(fresh != call.before, call.saves) << call.call.name;
  FolderFailure failure(call, fresh);
  fail_each_point(call.call, failure);
}

}  // namespace bp_test
