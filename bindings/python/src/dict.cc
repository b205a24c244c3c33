// SPDX-License-Identifier: Apache-2.0
#include "dict.h"

namespace bp_py {
namespace {

// Returns the text, borrowed from o. A zero byte in it is an error, for C would end there.
const char* text_of(nb::handle o, const char* what) {
  if (!PyUnicode_Check(o.ptr()))
    fail(PyExc_TypeError, "%s must be a str, not %s", what, Py_TYPE(o.ptr())->tp_name);
  Py_ssize_t n = 0;
  const char* text = PyUnicode_AsUTF8AndSize(o.ptr(), &n);
  if (!text) throw nb::python_error();
  refuse_zero_byte({text, static_cast<size_t>(n)}, what);
  return text;
}

nb::str str_of(const char* text) { return nb::str(text); }

}  // namespace

Dict dict_of(nb::dict tensors, nb::handle texts) {
  bp_dict* made = nullptr;
  call([&](bp_error** err) { return bp_dict_create(&made, err); });
  Dict d(made);
  for (auto [name, value] : tensors) {
    const char* key = text_of(name, "a name");
    if (!is_tensor(value.ptr()))
      fail(PyExc_TypeError, "'%s' must be a tensor, not %s", key, Py_TYPE(value.ptr())->tp_name);
    bp_tensor* t = handle_of(value.ptr());
    call([&](bp_error** err) { return bp_dict_set(d.get(), key, t, err); });
  }
  if (texts.is_none()) return d;
  if (!PyDict_Check(texts.ptr())) fail(PyExc_TypeError, "metadata must be a dict of str");
  for (auto [name, value] : nb::borrow<nb::dict>(texts)) {
    const char *key = text_of(name, "a key of metadata"),
               *text = text_of(value, "a value of metadata");
    call([&](bp_error** err) { return bp_dict_set_meta(d.get(), key, text, err); });
  }
  return d;
}

nb::dict python_dict(const Dict& d) {
  nb::dict out;
  for (uint64_t i = 0, n = bp_dict_size(d.get()); i < n; ++i) {
    const char* name = nullptr;
    const nb::object tensor =
        make(tensor_class, /*unlocked=*/false,
             [&](bp_tensor** t, bp_error** err) { return bp_dict_at(d.get(), i, &name, t, err); });
    out[str_of(name)] = tensor;
  }
  return out;
}

nb::dict python_texts(const Dict& d) {
  nb::dict out;
  for (uint64_t i = 0, n = bp_dict_meta_size(d.get()); i < n; ++i) {
    const char *key = nullptr, *text = nullptr;
    call([&](bp_error** err) { return bp_dict_meta_at(d.get(), i, &key, &text, err); });
    out[str_of(key)] = str_of(text);
  }
  return out;
}

}  // namespace bp_py
