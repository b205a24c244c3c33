// SPDX-License-Identifier: Apache-2.0
// dict.h: named tensors in order, with named text beside them: what files of tensors hold, and what
// modules and optimisers hand over as their state. The C handle bp_dict is this struct, and
// bp::Dict is another name for it. Whoever holds a Ref<Dict> owns it. Names and text are UTF-8. A
// dict shares its tensors: a write to one is seen through it. Any thread may use it; a borrowed
// name or text lives until the dict changes.
//
//   Ref<Dict> dict = new_dict();
//   dict->set("weight", Ref<Tensor>::share(&t));
//   std::string name = dict->entries()[0].name;   // "weight"
#pragma once
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "c_api.h"
#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/base/ordered_map.h"
#include "core/tensor/tensor.h"

struct bp_dict final : bp::Object {
  using Tensors = bp::OrderedMap<bp::Ref<bp::Tensor>>;
  using Texts = bp::OrderedMap<std::string>;

  bp_dict() : Object(bp::Tag::kDict) {}
  static void destroy(bp_dict* d) noexcept { delete d; }

  // Adds a tensor, or replaces the one of that name, which keeps its place. Throws when the name
  // is not UTF-8.
  void set(std::string_view name, bp::Ref<bp::Tensor> t);
  bp::Ref<bp::Tensor> find(std::string_view name) const;  // empty when there is none
  bp::Ref<bp::Tensor> get(std::string_view name) const;   // or BP_NOT_FOUND with the nearest name
  void remove(std::string_view name);                     // or BP_NOT_FOUND with the nearest name
  size_t size() const;
  // Throws BP_INDEX_OUT_OF_RANGE beyond the last.
  bp::Ref<bp::Tensor> at(uint64_t i, const char** name) const;

  void set_meta(std::string_view key, std::string_view text);
  void remove_meta(std::string_view key);
  const char* meta(std::string_view key) const;  // or BP_NOT_FOUND with the nearest key
  size_t meta_size() const;
  void meta_at(uint64_t i, const char** key, const char** text) const;

  // Returns what the dict holds now; the caller holds each tensor too.
  std::vector<Tensors::Entry> entries() const;
  std::vector<Texts::Entry> meta_entries() const;

 private:
  std::mutex& mutex_ = bp::leaf_mutexes.of(this);
  Tensors tensors_;
  Texts texts_;
};

namespace bp {

using Dict = bp_dict;

inline Ref<Dict> new_dict() { return Ref<Dict>::adopt(new Dict); }

// The handle check at the border: throws BP_INVALID_ARGUMENT or BP_BAD_STATE.
Dict& checked(const bp_dict* d, const char* what);

}  // namespace bp
