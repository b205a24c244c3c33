// SPDX-License-Identifier: Apache-2.0
// dict.cc: dicts of named tensors and text; declared in c_io.h.
#include "core/io/dict.h"

#include "core/base/guard.h"

using namespace bp;

extern "C" {

bp_status bp_dict_create(bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = new_dict().release();
  });
}

bp_dict* bp_dict_retain(bp_dict* d) {
  if (d && d->tag == Tag::kDict) d->refs.fetch_add(1, std::memory_order_relaxed);
  return d;
}

void bp_dict_release(bp_dict* d) {
  if (d && d->tag == Tag::kDict) Ref<bp_dict>::drop(d);
}

bp_status bp_dict_set(bp_dict* d, const char* name, bp_tensor* t, bp_error** err) {
  return guard(err, [&] {
    checked(d, "dict").set(need(name, "name"), Ref<Tensor>::share(&checked(t, "t")));
  });
}

bp_status bp_dict_get(bp_dict* d, const char* name, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    need(out, "out");
    *out = dict.get(need(name, "name")).release();
  });
}

bp_status bp_dict_remove(bp_dict* d, const char* name, bp_error** err) {
  return guard(err, [&] { checked(d, "dict").remove(need(name, "name")); });
}

uint64_t bp_dict_size(const bp_dict* d) { return d && d->tag == Tag::kDict ? d->size() : 0; }

bp_status bp_dict_at(bp_dict* d, uint64_t i, const char** name, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    need(name, "name");
    need(out, "out");
    *out = dict.at(i, name).release();
  });
}

bp_status bp_dict_set_meta(bp_dict* d, const char* key, const char* text, bp_error** err) {
  return guard(err, [&] {
    Dict& dict = checked(d, "dict");
    need(key, "key");
    if (text)
      dict.set_meta(key, text);
    else
      dict.remove_meta(key);
  });
}

bp_status bp_dict_get_meta(bp_dict* d, const char* key, const char** out, bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    need(out, "out");
    *out = dict.meta(need(key, "key"));
  });
}

uint64_t bp_dict_meta_size(const bp_dict* d) {
  return d && d->tag == Tag::kDict ? d->meta_size() : 0;
}

bp_status bp_dict_meta_at(bp_dict* d, uint64_t i, const char** key, const char** text,
                          bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    need(key, "key");
    need(text, "text");
    dict.meta_at(i, key, text);
  });
}

}  // extern "C"
