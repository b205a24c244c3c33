// SPDX-License-Identifier: Apache-2.0
// listed.h: lists of what is inside a module, for those who go through them by number. A long list
// is kept for the thread's next question until some module changes, so that all of it takes time
// by its length, not by the square of it.
//
//   const List<NamedTensor> all = listed(*module, BP_MODULE_RECURSE, list_parameters);
//   for (const NamedTensor& p : *all) fmt::print("{}\n", p.name);
#pragma once
#include <memory>

#include "core/module/module.h"

namespace bp {

template <class Named>
using List = std::shared_ptr<const std::vector<Named>>;

List<NamedTensor> listed(Module& m, uint32_t flags,
                         std::vector<NamedTensor> (*list)(Module&, uint32_t));
List<NamedModule> listed(Module& m, uint32_t flags,
                         std::vector<NamedModule> (*list)(Module&, uint32_t));

}  // namespace bp
