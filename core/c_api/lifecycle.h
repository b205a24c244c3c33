// SPDX-License-Identifier: Apache-2.0
// lifecycle.h: the ends of a runtime: shutdown, and fork.
//   Shutdown waits for the devices, closes them and their plugins, and begins a new generation.
//   Backends and devices stay as shells (device.h) for whatever still holds one, which may be
//   released at any later time, and a few generations more. Blocks of live tensors: a device that is not host memory is closed
//   and takes its blocks along; one that is host memory stays open behind the scenes while blocks
//   of it live, and each late release frees its block.
//   Fork: the locks are held across it. In the child the backends that are not BP_PLUGIN_FORK_SAFE
//   are lost: using them is BP_BAD_STATE, releasing does nothing, no driver is called; the cpu goes
//   on with one thread.
//
//   if (!shutdown(timeout_ns)) return BP_TIMEOUT;
#pragma once
#include <cstdint>

namespace bp {

// timeout_ns < 0: for ever. False when a device did not finish; then nothing was closed.
bool shutdown(int64_t timeout_ns);

}  // namespace bp
