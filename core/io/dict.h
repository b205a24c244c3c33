// dict.h: named tensors in order, with named text beside them: what files of tensors hold, and what
// modules and optimisers hand over as their state. The C handle bp_dict is this struct; bp::Dict is
// another name for it. Owner: Ref<Dict>. Names and text are UTF-8. It shares the tensors: a write
// to one is seen through it. Any thread; a borrowed name or text lives until the dict changes.
//
//   Ref<Dict> d = new_dict();
//   d->set("weight", w);
//   for (const auto& [name, tensor] : d->entries()) { ... }
#pragma once
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "c_api.h"
#include "core/base/object.h"
#include "core/base/ordered_map.h"
#include "core/tensor/tensor.h"

struct bp_dict final : bp::Object {
  using Tensors = bp::OrderedMap<bp::Ref<bp::Tensor>>;
  using Texts = bp::OrderedMap<std::string>;

  bp_dict() : Object(bp::Tag::kDict) {}
  static void destroy(bp_dict* d) noexcept { delete d; }

  // A name that is there keeps its place. Throws when name is not UTF-8.
  void set(std::string_view name, bp::Ref<bp::Tensor> t);
  bp::Ref<bp::Tensor> find(std::string_view name) const;  // none: empty
  bp::Ref<bp::Tensor> get(std::string_view name) const;   // none: BP_NOT_FOUND with the nearest
  void remove(std::string_view name);                     // none: BP_NOT_FOUND with the nearest
  size_t size() const;
  // BP_INDEX_OUT_OF_RANGE beyond the last.
  bp::Ref<bp::Tensor> at(uint64_t i, const char** name) const;

  void set_meta(std::string_view key, std::string_view text);
  void remove_meta(std::string_view key);
  const char* meta(std::string_view key) const;  // none: BP_NOT_FOUND with the nearest
  size_t meta_size() const;
  void meta_at(uint64_t i, const char** key, const char** text) const;

  // What it holds now; each tensor is held for the caller too.
  std::vector<Tensors::Entry> entries() const;
  std::vector<Texts::Entry> meta_entries() const;

 private:
  mutable std::mutex mutex_;
  Tensors tensors_;
  Texts texts_;
};

namespace bp {

using Dict = bp_dict;

inline Ref<Dict> new_dict() { return Ref<Dict>::adopt(new Dict); }

// Handle check at the border.
Dict& checked(const bp_dict* d, const char* what);

}  // namespace bp
