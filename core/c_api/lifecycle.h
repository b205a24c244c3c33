// SPDX-License-Identifier: Apache-2.0
// lifecycle.h: the ends of a runtime: shutdown, the unloading of one kind, and fork.
//   Shutdown waits for the devices, closes them and their plugins, and begins a new generation.
//   Backends and devices stay as shells (device.h) for whatever still holds one, which may be
//   released at any later time, and some generations more. Blocks of live tensors: a device that is
//   not host memory is closed and takes its blocks along; one that is host memory stays open behind
//   the scenes while blocks of it live, and each late release frees its block.
//   Unloading does the same with one backend, in the same generation: what lives on its devices is
//   refused because they are closed.
//   Fork: the locks are held across it. In the child the backends that are not BP_PLUGIN_FORK_SAFE
//   are lost: using them is BP_BAD_STATE, releasing does nothing, no driver is called; the cpu goes
//   on with one thread.
//
//   if (!shutdown(timeout_ns)) return BP_TIMEOUT;
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp {

// A forked child has no profile: it would be its parent's (profile.cc).
void forget_profile_in_child() noexcept;

// timeout_ns < 0: for ever. False when a device did not finish; then nothing was closed.
bool shutdown(int64_t timeout_ns);
// The same for one kind. Throws BP_BAD_STATE while tensors of the cpu, or of a kind that computes
// in the host's memory, use what its backend gave.
bool unload(bp_kind kind, int64_t timeout_ns);

}  // namespace bp
