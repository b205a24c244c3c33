// SPDX-License-Identifier: Apache-2.0
// backplane new-plugin: writes the template of a backend (plugins/null, installed as
// share/backplane/plugin-template) under a name of one's own.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "cli.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLetters = 31;
constexpr const char* kOurs[] = {"cpu", "cuda", "hip", "null", "sim"};
// What a plugin may include.
constexpr const char* kHeaders[] = {"c_collective",     "c_op_ids",      "c_plugin",
                                    "c_plugin_foreign", "c_plugin_fuse", "c_plugin_group",
                                    "c_plugin_wide",    "c_types"};

// Replaces what the template calls itself: `null`, `Null`, and `NULL` before `_` or `-`, for NULL
// alone is C's.
std::string renamed(const std::string& text, const std::string& name) {
  std::string title = name, capitals = name;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  std::transform(name.begin(), name.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 4, "null") == 0) {
      out += name, i += 4;
    } else if (text.compare(i, 4, "Null") == 0) {
      out += title, i += 4;
    } else if (text.compare(i, 5, "NULL_") == 0 || text.compare(i, 5, "NULL-") == 0) {
      out += capitals, i += 4;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || !text)
    throw std::runtime_error(
        fmt::format("{} cannot be read: {}", path.string(), std::strerror(errno)));
  return text.str();
}

// Never writes over a file that is there, and leaves none that is not whole.
void write_new(const fs::path& path, const std::string& text) {
  const auto fault = [&] {
    return std::runtime_error(
        fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno)));
  };
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) throw fault();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool whole = done == text.size();
  if (::close(file) == 0 && whole) return;
  const std::runtime_error why = fault();
  ::unlink(path.c_str());
  throw why;
}

void check_name(const std::string& name) {
  const bool letters = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
  if (name.empty() || name.size() > kMostLetters || !letters)
    throw BadInput(
        fmt::format("'{}' can be no kind of device: 1 to {} letters and '_'", name, kMostLetters));
  if (std::find(std::begin(kOurs), std::end(kOurs), name) != std::end(kOurs))
    throw BadInput(fmt::format(
        "'{}' is a backend of Backplane's own: of two files of one kind only the first is used; "
        "choose another name",
        name));
  for (const char* header : kHeaders)
    if (name == header)
      throw BadInput(fmt::format(
          "{}.h is a header of Backplane's own, which the backend's would hide; choose another name",
          name));
}

// Makes the folder, which may be there when it is empty.
void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw std::runtime_error(fmt::format("{} is there and is no folder", folder.string()));
  if (error)
    throw std::runtime_error(
        fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()));
  const bool empty = fs::is_empty(folder, error);
  if (error)
    throw std::runtime_error(
        fmt::format("the folder {} cannot be read: {}", folder.string(), error.message()));
  if (!empty)
    throw std::runtime_error(
        fmt::format("the folder {} is not empty, and nothing is written over", folder.string()));
}

int run(const std::string& name, const std::string& where) {
  check_name(name);
  const fs::path from = beside_command("plugin-template"),
                 folder = fs::absolute(where).lexically_normal();
  if (!fs::is_directory(from))
    throw std::runtime_error(fmt::format(
        "there is no template at {}: install Backplane with `cmake --install`", from.string()));
  std::vector<std::pair<std::string, std::string>> files;  // by name
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    files.emplace_back(renamed(entry.path().filename().string(), name),
                       renamed(read(entry.path()), name));
  std::sort(files.begin(), files.end());
  make_folder(folder);
  std::vector<fs::path> written;
  try {
    for (const auto& [file, text] : files) {
      write_new(folder / file, text);
      written.push_back(folder / file);
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& path : written) fs::remove(path, ignored);
    throw;
  }
  std::vector<std::string> names;
  for (const auto& [file, text] : files) names.push_back(file);
  fmt::print("{}: {}\n\n", folder.string(), fmt::join(names, ", "));
  fmt::print(
      "README.md is the way from here. Its first steps:\n"
      "  cd {}\n"
      "  cmake -B build && cmake --build build\n"
      "  backplane verify build/libbackplane_{}.so\n",
      where, name);
  return 0;
}

}  // namespace

Run new_plugin(CLI::App& app) {
  auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  app.add_option("NAME", *name,
                 "The backend's kind, as devices are named: letters and '_', `acme` for acme:0")
      ->required();
  app.add_option("DIR", *folder, "The folder to write it into, which must be empty or not be there")
      ->required();
  app.footer(
      "Writes a backend that works, in C: the source, a CMakeLists.txt and the page that says how "
      "to go on.\n"
      "The exit code is 0 when it is written, 1 when it cannot be, 2 when the name is none.");
  return [=] { return run(*name, *folder); };
}

}  // namespace cli
