// SPDX-License-Identifier: Apache-2.0
// attrs.h: attributes of modules, optimisers and schedules between Python and the library: values
// go in as a dict, and come out, as does what the library says of each.
#pragma once
#include <string>
#include <vector>

#include "bind.h"

namespace bp_py {

// A dict's values as attributes by name: bool, float, int, str, and sequences of int. The
// attributes live as long as this object.
class Attrs {
 public:
  explicit Attrs(nb::dict given);
  const bp_attr* data() const { return list_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(list_.size()); }

 private:
  void add(std::string name, nb::handle value);
  std::vector<std::string> names_, texts_;
  std::vector<std::vector<int64_t>> ints_;
  std::vector<bp_attr> list_;
};

// Returns the value alone; a list is a tuple.
nb::object attr_value(const bp_attr& a);
// Returns (name, kind, default, required, doc); a list's default is its one number, or None.
nb::tuple attr_tuple(const bp_attr_info& info);

// Returns the tuples of n attributes; get(i, &info, err) asks the library for one.
template <class F>
nb::list attr_tuples(uint32_t n, F&& get) {
  nb::list all;
  for (uint32_t i = 0; i < n; ++i) {
    bp_attr_info info{};
    info.struct_size = sizeof info;
    call([&](bp_error** err) { return get(i, &info, err); });
    all.append(attr_tuple(info));
  }
  return all;
}

}  // namespace bp_py
