// SPDX-License-Identifier: Apache-2.0
#include "core/io/dict.h"

#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/base/nearest.h"
#include "core/base/utf8.h"

namespace bp {
namespace {

void check_text(std::string_view text, const char* what) {
  if (!is_utf8(text)) fail(BP_INVALID_ARGUMENT, "{} is not UTF-8", what);
}

template <class Map>
[[noreturn]] void fail_missing(const Map& map, std::string_view name, const char* what) {
  if (map.empty()) fail(BP_NOT_FOUND, "the dict has no {} '{}'; it has none at all", what, name);
  fail(BP_NOT_FOUND, "the dict has no {} '{}'; the nearest is '{}'", what, name,
       nearest(name, map.names()));
}

template <class Map>
const typename Map::Entry& entry_at(const Map& map, uint64_t i, const char* what) {
  if (i >= map.size())
    fail(BP_INDEX_OUT_OF_RANGE, "index {} is out of range for a dict of {} {}s", i, map.size(),
         what);
  return map.at(i);
}

}  // namespace

Dict& checked(const bp_dict* d, const char* what) {
  if (need(d, what)->tag != Tag::kDict) fail(BP_INVALID_ARGUMENT, "{} is not a dict", what);
  if (d->born != generation()) fail(BP_BAD_STATE, "{} was made before bp_shutdown", what);
  return *const_cast<Dict*>(d);
}

}  // namespace bp

using bp::Ref;
using bp::Tensor;

void bp_dict::set(std::string_view name, Ref<Tensor> t) {
  bp::check_text(name, "the name");
  // The last reference may run its owner's callback, which may come back to this dict.
  std::optional<Ref<Tensor>> gone;
  std::lock_guard lock(mutex_);
  gone = tensors_.set(name, std::move(t));
}

Ref<Tensor> bp_dict::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const Ref<Tensor>* t = tensors_.find(name);
  return t ? *t : Ref<Tensor>{};
}

Ref<Tensor> bp_dict::get(std::string_view name) const {
  std::lock_guard lock(mutex_);
  if (const Ref<Tensor>* t = tensors_.find(name)) return *t;
  bp::fail_missing(tensors_, name, "tensor");
}

void bp_dict::remove(std::string_view name) {
  std::optional<Ref<Tensor>> gone;
  std::lock_guard lock(mutex_);
  gone = tensors_.remove(name);
  if (!gone) bp::fail_missing(tensors_, name, "tensor");
}

size_t bp_dict::size() const {
  std::lock_guard lock(mutex_);
  return tensors_.size();
}

Ref<Tensor> bp_dict::at(uint64_t i, const char** name) const {
  std::lock_guard lock(mutex_);
  const auto& entry = bp::entry_at(tensors_, i, "tensor");
  *name = entry.name.c_str();
  return entry.value;
}

void bp_dict::set_meta(std::string_view key, std::string_view text) {
  bp::check_text(key, "the key");
  bp::check_text(text, "the text");
  std::lock_guard lock(mutex_);
  texts_.set(key, std::string(text));
}

void bp_dict::remove_meta(std::string_view key) {
  std::lock_guard lock(mutex_);
  if (!texts_.remove(key)) bp::fail_missing(texts_, key, "text");
}

const char* bp_dict::meta(std::string_view key) const {
  std::lock_guard lock(mutex_);
  if (const std::string* text = texts_.find(key)) return text->c_str();
  bp::fail_missing(texts_, key, "text");
}

size_t bp_dict::meta_size() const {
  std::lock_guard lock(mutex_);
  return texts_.size();
}

void bp_dict::meta_at(uint64_t i, const char** key, const char** text) const {
  std::lock_guard lock(mutex_);
  const auto& entry = bp::entry_at(texts_, i, "text");
  *key = entry.name.c_str();
  *text = entry.value.c_str();
}

std::vector<bp_dict::Tensors::Entry> bp_dict::entries() const {
  std::lock_guard lock(mutex_);
  return {tensors_.begin(), tensors_.end()};
}

std::vector<bp_dict::Texts::Entry> bp_dict::meta_entries() const {
  std::lock_guard lock(mutex_);
  return {texts_.begin(), texts_.end()};
}
