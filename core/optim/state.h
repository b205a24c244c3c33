// SPDX-License-Identifier: Apache-2.0
// state.h: what an optimiser or a schedule has become, as a dict (core/io/dict.h), and back. The
// names are in c_optim.h.
#pragma once
#include "core/io/dict.h"
#include "core/optim/optimizer.h"
#include "core/optim/schedule.h"

namespace bp {

// Returns the optimiser's own tensors, not copies.
Ref<Dict> state_of(Optimizer& o);
// Copies the tensors to where the parameters are. Throws before anything has changed.
void load_state(Optimizer& o, const Dict& state);

Ref<Dict> state_of(Schedule& s);
void load_state(Schedule& s, const Dict& state);

}  // namespace bp
