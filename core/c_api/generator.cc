// SPDX-License-Identifier: Apache-2.0
// generator.cc: seeds, and generators of random numbers; declared in c_api.h.
#include "core/process/generator.h"

#include "core/backend/resolve.h"
#include "core/base/guard.h"
#include "core/device/device.h"

namespace bp {
namespace {

bp_generator& checked(bp_generator* g) {
  if (need(g, "generator")->tag != Tag::kGenerator)
    fail(BP_INVALID_ARGUMENT, "generator is not a generator");
  return *g;
}

}  // namespace
}  // namespace bp

using bp::checked;
using bp::guard;
using bp::need;

extern "C" {

bp_status bp_manual_seed(uint64_t seed, bp_error** err) {
  return guard(err, [&] {
    // A device that is opened in between takes the new seed; one that was opened before is visited.
    bp::set_initial_seed(seed);
    bp::each_open_device([&](bp::Device& d) { d.generator->set_state(seed, 0); });
  });
}

bp_status bp_generator_create(uint64_t seed, bp_generator** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = new bp_generator(seed);
  });
}

bp_status bp_generator_default(bp_device d, bp_generator** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = bp::Ref<bp_generator>(bp::resolve_device(d).generator).release();
  });
}

bp_status bp_generator_seed(bp_generator* g, uint64_t seed, bp_error** err) {
  return guard(err, [&] { checked(g).set_state(seed, 0); });
}

bp_status bp_generator_get_state(bp_generator* g, uint64_t* seed, uint64_t* offset,
                                 bp_error** err) {
  return guard(err, [&] {
    bp_generator& generator = checked(g);
    need(seed, "seed");
    need(offset, "offset");
    const bp_generator::State now = generator.state();
    *seed = now.seed;
    *offset = now.offset;
  });
}

bp_status bp_generator_set_state(bp_generator* g, uint64_t seed, uint64_t offset, bp_error** err) {
  return guard(err, [&] { checked(g).set_state(seed, offset); });
}

bp_status bp_generator_reserve(bp_generator* g, int64_t numel, uint64_t* seed, uint64_t* offset,
                               bp_error** err) {
  return guard(err, [&] {
    bp_generator& generator = checked(g);
    need(seed, "seed");
    need(offset, "offset");
    if (numel < 0) bp::fail(BP_INVALID_ARGUMENT, "numel must not be negative, got {}", numel);
    *offset = generator.reserve(numel, seed);
  });
}

bp_generator* bp_generator_retain(bp_generator* g) {
  if (g && g->tag == bp::Tag::kGenerator) g->refs.fetch_add(1, std::memory_order_relaxed);
  return g;
}

void bp_generator_release(bp_generator* g) {
  if (g && g->tag == bp::Tag::kGenerator) bp::Ref<bp_generator>::drop(g);
}

}  // extern "C"
