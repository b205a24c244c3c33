// SPDX-License-Identifier: Apache-2.0
// dict.h: named tensors go between a Python dict and the library's.
#pragma once
#include <memory>
#include <string>

#include "tensor_object.h"

namespace bp_py {

struct DictRelease {
  void operator()(bp_dict* d) const { bp_dict_release(d); }
};
using Dict = std::unique_ptr<bp_dict, DictRelease>;

// The names are str, the values tensors. texts is a dict of str, or None.
Dict dict_of(nb::dict tensors, nb::handle texts);
// Returns {name: tensor}, in order.
nb::dict python_dict(const Dict& d);
nb::dict python_texts(const Dict& d);

// io.cc
void bind_io(nb::module_& m);
// Returns a path that os.fsencode made.
std::string path_of(nb::bytes path);

}  // namespace bp_py
