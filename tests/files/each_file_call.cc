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
constexpr const char* kNeedNotTell[] = {
    "access",   "close",
    "dlopen",   "fchmod",
    "flock",    "linkat",
    "opendir",  "readdir",
    "realpath", "open of a file without a name",
    "unlink",   "open of a leftover",
};

uint64_t n_descriptors() {
  using Entries = std::filesystem::directory_iterator;
  return static_cast<uint64_t>(std::distance(Entries("/proc/self/fd"), Entries()));
}
uint64_t n_mappings_of(const std::string& folder) {
  std::ifstream maps("/proc/self/maps");
  uint64_t n = 0;
  for (std::string line; std::getline(maps, line);) n += has(line, folder);
  return n;
}

class FileFaults : public Failing {
 public:
  FileFaults(const FileCall& call, const std::string& fresh, const Fault& fault,
             FailingFiles::Manner manner)
      : call_(call), fresh_(fresh), fault_(fault), manner_(manner) {}

  bool reaches(long point, const std::function<void()>& make) override {
    put(call_.file, call_.before);
    if (!call_.leftover.empty()) put(call_.leftover, "half of it");
    const FailingFiles after(fault_.value, point, manner_);
    make();
    return FailingFiles::struck();
  }
  std::string named(long point) const override {
    return FailingFiles::first() + ", call " + std::to_string(point) + ", " +
           described(fault_, manner_);
  }
  void judge(const std::string& point, bool reached, bp_status status,
             const char* message) override {
    if (status < 0) {
      EXPECT_EQ(wrong_with(fault_, status, message), "") << point;
      const bool names_it =
          has(message, call_.file) || (!call_.shown.empty() && has(message, call_.shown));
      EXPECT_TRUE(names_it || status == BP_OUT_OF_HOST_MEMORY) << point << ": " << message;
    } else if (reached && !fault_.unseen) {
      EXPECT_TRUE(std::count_if(std::begin(kNeedNotTell), std::end(kNeedNotTell),
                                [](const char* f) { return f == FailingFiles::first(); }))
          << point << " was not told";
    }
    const std::string now = content(call_.file);
    if (status >= 0) {
      EXPECT_TRUE(now == fresh_) << point
                                 << ": the call succeeded, and the file is not the new one";
    } else {
      EXPECT_TRUE(now == call_.before || now == fresh_) << point << ": the file is neither";
    }
    if (!FailingFiles::failed("unlink") && call_.leftover.empty()) {
      EXPECT_EQ(call_.folder.names(), name_) << point;
    }
    EXPECT_EQ(FailingFiles::wrong_closes(), 0) << point;
    if (call_.check) call_.check(point);
  }
  std::vector<uint64_t> held() override {
    EXPECT_EQ(call_.folder.names(), name_) << "after " << named(-1);
    return {n_descriptors(), n_mappings_of(call_.folder.path()),
            static_cast<uint64_t>(blocks_held()), memory_of(device("cpu")).n_live,
            memory_of(device("sim:0")).n_live};
  }

 private:
  const FileCall& call_;
  const std::string name_ = std::filesystem::path(call_.file).filename().string() + " ";
  const std::string& fresh_;
  const Fault& fault_;
  const FailingFiles::Manner manner_;
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

std::vector<FailingFiles::Manner> manners_of(const Fault& fault) {
  if (fault.value == EINTR) return {FailingFiles::kOnce};
  return {FailingFiles::kOnce, FailingFiles::kThatFunction, FailingFiles::kForEver};
}
std::string described(const Fault& fault, FailingFiles::Manner manner) {
  static constexpr const char* kManners[] = {" once", " from then on in that function",
                                             " from then on"};
  return std::string(fault.name) + kManners[manner];
}
std::string wrong_with(const Fault& fault, bp_status status, const std::string& message) {
  if (fault.unseen) return "it is seen: " + message;
  if (fault.value == ENOMEM && status == BP_OUT_OF_HOST_MEMORY) return "";
  if (status != BP_UNAVAILABLE) return std::string(bp_status_name(status)) + ": " + message;
  const int error = fault.value == FailingFiles::kNothing ? EIO : fault.value;
  return has(message, std::strerror(error)) ? "" : "no cause in: " + message;
}

Points& points() {
  static auto& all =
      *static_cast<Points*>(testing::AddGlobalTestEnvironment(new Points("BP_FILES_EVERY", 5)));
  return all;
}
[[maybe_unused]] static Points& at_start = points();

void fail_each_file_call(const FileCall& call) {
  points().count(call.call.family, 1, 0);
  for (int i = 0; i < 20; ++i) {  // until what threads keep for reuse is full
    put(call.file, call.before);
    bp_error* err = nullptr;
    ASSERT_GE(call.call.run(&err), 0) << call.call.name << ": " << bp_error_message(err, nullptr);
  }
  const std::string fresh = content(call.file);
  ASSERT_EQ(fresh != call.before, call.saves) << call.call.name;
  for (const Fault& fault : kFaults)
    for (const FailingFiles::Manner manner : manners_of(fault)) {
      FileFaults faults(call, fresh, fault, manner);
      fail_each_point(call.call, faults, points());
    }
}

}  // namespace bp_test
