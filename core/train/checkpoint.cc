// SPDX-License-Identifier: Apache-2.0
#include "core/train/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/file.h"
#include "core/io/safetensors.h"

namespace bp {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNumber = "trainer.checkpoint";
constexpr const char* kCount = "trainer.parts";
constexpr std::string_view kPart = "trainer.part.", kSuffix = ".safetensors";

std::optional<std::string> meta_of(const Dict& d, std::string_view key) {
  for (const auto& [name, text] : d.meta_entries())
    if (name == key) return text;
  return {};
}

// What the names of the parts begin with.
std::string stem_of(const fs::path& index) {
  const std::string name = index.filename().string();
  return (name.ends_with(kSuffix) ? name.substr(0, name.size() - kSuffix.size()) : name) + "-";
}

std::string part_name(const fs::path& index, const std::string& number, size_t rank, size_t size) {
  return fmt::format("{}{}-{}-of-{}{}", stem_of(index), number, rank, size, kSuffix);
}

std::string drawn_number(ProcessGroup& group) {
  std::random_device source;
  uint64_t number = uint64_t{source()} << 32 | source();
  broadcast_bytes(group, &number, sizeof number, /*root=*/0);
  return fmt::format("{:016x}", number);
}

bool takes_number(std::string_view& text) {
  const size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(n);
  return n > 0;
}
bool takes(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// Whether a file of this name is a part of some checkpoint of this index.
bool is_part(std::string_view name, std::string_view stem) {
  if (!takes(name, stem)) return false;
  const size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  name.remove_prefix(digits);
  return digits == 16 && takes(name, "-") && takes_number(name) && takes(name, "-of-") &&
         takes_number(name) && name == kSuffix;
}

// Removes parts that no index names any more.
void remove_others(const fs::path& index, const std::string& number) {
  std::error_code none;
  const std::string stem = stem_of(index);
  const fs::path folder = index.has_parent_path() ? index.parent_path() : fs::path(".");
  std::vector<fs::path> others;
  for (fs::directory_iterator i(folder, none), end; i != end; i.increment(none)) {
    const std::string name = i->path().filename().string();
    if (is_part(name, stem) && !name.starts_with(stem + number)) others.push_back(i->path());
  }
  for (const fs::path& p : others) fs::remove(p, none);
}

void add_part(Dict& all, const Dict& part, const std::string& path, const std::string& number) {
  if (meta_of(part, kNumber) != number)
    fail(BP_INVALID_ARGUMENT, "{} is not of this checkpoint, whose number is {}", path,
         shown(number, 32));
  for (const auto& [name, tensor] : part.entries()) {
    if (all.find(name))
      fail(BP_INVALID_ARGUMENT, "{} has '{}', which another file of the checkpoint has as well",
           path, name);
    all.set(name, tensor);
  }
}

}  // namespace

void save_checkpoint(Dict& index, Dict& part, ProcessGroup& group, const std::string& path) {
  const fs::path place = followed(path);
  std::error_code none;
  if (!place.has_filename() || fs::is_directory(place, none))
    fail(BP_INVALID_ARGUMENT, "{} is a folder, expected a file's name", path);
  const std::string number = drawn_number(group);
  const auto name = [&](size_t rank) { return part_name(place, number, rank, group.size()); };
  part.set_meta(kNumber, number);
  save_safetensors(part, place.parent_path() / name(group.rank()));
  wait(*barrier(group, /*timeout_ns=*/0));
  if (group.rank() == 0) {
    index.set_meta(kNumber, number);
    index.set_meta(kCount, std::to_string(group.size()));
    for (size_t r = 0; r < group.size(); ++r) {
      if (!fs::exists(place.parent_path() / name(r), none))
        fail(BP_UNAVAILABLE,
             "{}: the part of rank {} is not there; all members must write to one folder that rank "
             "0 sees",
             path, r);
      index.set_meta(fmt::format("{}{}", kPart, r), name(r));
    }
    save_safetensors(index, place.string());
  }
  wait(*barrier(group, /*timeout_ns=*/0));
  if (group.rank() == 0) remove_others(place, number);
}

Ref<Dict> load_checkpoint(const std::string& path, Device& device) {
  Ref<Dict> all = load_safetensors(path, device);
  const auto count = meta_of(*all, kCount);
  if (!count) return all;
  const std::string number = meta_of(*all, kNumber).value_or("");
  const fs::path folder = fs::path(followed(path)).parent_path();
  std::vector<std::string> names;
  for (const auto& [key, text] : all->meta_entries())
    if (key.starts_with(kPart)) names.push_back(text);
  if (std::to_string(names.size()) != *count)
    fail(BP_INVALID_ARGUMENT, "{} names {} parts, and says that it has {}", path, names.size(),
         shown(*count, 32));
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || names[i].find('/') != std::string::npos)
      fail(BP_INVALID_ARGUMENT, "{} names '{}' as a part, expected a file beside it", path,
           shown(names[i], 200));
    const std::string there = folder / names[i];
    add_part(*all, *load_safetensors(there, device), there, number);
    all->remove_meta(fmt::format("{}{}", kPart, i));
  }
  all->remove_meta(kNumber), all->remove_meta(kCount);
  return all;
}

void need_whole(const Dict& state) {
  if (const auto count = meta_of(state, kCount))
    fail(BP_INVALID_ARGUMENT,
         "the state is the index of a checkpoint in {} parts: bp_checkpoint_load loads all of them",
         shown(*count, 32));
}

}  // namespace bp
