// SPDX-License-Identifier: Apache-2.0
// program.cc: recorded programs; declared in c_program.h.
#include "c_program.h"
#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/program/file.h"
#include "core/program/recorder.h"

using namespace bp;

namespace {

Planning planning(const bp_program_options* options) {
  const bp_program_options chosen =
      options ? get_struct(options, "bp_program_options") : bp_program_options{};
  if (chosen.without & ~kPasses)
    fail(BP_INVALID_ARGUMENT, "bp_program_options.without has flags that are not known: {:#x}",
         chosen.without);
  return {chosen.without, chosen.block_bytes ? chosen.block_bytes : kBlockBytes};
}

}  // namespace

extern "C" {

bp_status bp_program_begin(bp_tensor* const* inputs, uint32_t n, uint32_t flags, bp_error** err) {
  return guard(err, [&] {
    if (flags & ~(BP_PROGRAM_GOES_ON | BP_PROGRAM_GRADIENTS))
      fail(BP_INVALID_ARGUMENT, "bp_program_begin: flags {:#x} are not known", flags);
    Recorder::begin(tensor_list(inputs, n, "inputs"), flags);
  });
}

bp_status bp_program_end(bp_tensor* const* outputs, uint32_t n, const bp_program_options* options,
                         bp_program** out, bp_error** err) {
  return guard(err, [&] {
    struct Abandoned {  // when it fails
      ~Abandoned() { Recorder::abandon(); }
    } abandoned;
    need(out, "out");
    *out = Recorder::end(tensor_list(outputs, n, "outputs"), planning(options)).release();
  });
}

void bp_program_abandon(void) { Recorder::abandon(); }

uint32_t bp_program_recording(void) { return Recorder::records() ? 1 : 0; }

bp_program* bp_program_retain(bp_program* p) {
  if (p && p->tag == Tag::kProgram) p->refs.fetch_add(1, std::memory_order_relaxed);
  return p;
}
void bp_program_release(bp_program* p) {
  if (p && p->tag == Tag::kProgram) Ref<Program>::drop(p);
}

bp_status bp_program_run(bp_program* p, bp_tensor* const* inputs, uint32_t n_in,
                         bp_tensor** outputs, uint32_t n_out, bp_error** err) {
  return guard(err, [&] {
    Program& program = checked(p);
    check_counts(program, n_in, n_out);  // before the lists are read
    const std::vector<Tensor*> in = tensor_list(inputs, n_in, "inputs");
    if (n_out) need(outputs, "outputs");
    std::vector<Ref<Tensor>> out(n_out);
    for (uint32_t i = 0; i < n_out; ++i)
      if (outputs[i]) out[i] = Ref<Tensor>::share(&checked(outputs[i], "outputs"));
    run(program, in, out);
    for (uint32_t i = 0; i < n_out; ++i)
      if (!outputs[i]) outputs[i] = out[i].release();
  });
}

bp_status bp_program_save(bp_program* p, const char* path, bp_error** err) {
  return guard(err, [&] {
    const Program& x = checked(p);
    save_program(x, need(path, "path"));
  });
}

bp_status bp_program_load(const char* path, const bp_device* devices, uint32_t n,
                          const bp_program_options* options, bp_program** out, bp_error** err) {
  return guard(err, [&] {
    need(path, "path");
    need(out, "out");
    if (n) need(devices, "devices");
    const Planning how = planning(options);
    *out = load_program(path, {devices, n}, options ? &how : nullptr).release();
  });
}

bp_status bp_program_info(bp_program* p, bp_program_facts* out, bp_error** err) {
  return guard(err, [&] {
    const Program& x = checked(p);
    bp_program_facts f{};
    f.n_inputs = static_cast<uint32_t>(x.inputs.size());
    f.n_outputs = static_cast<uint32_t>(n_results(x));
    f.n_recorded = x.facts.recorded;
    f.n_steps = static_cast<uint32_t>(x.steps.size());
    f.n_launches = static_cast<uint32_t>(x.groups.size());
    f.n_dead = x.facts.dead;
    f.n_equal = x.facts.equal;
    f.n_joined = x.facts.joined;
    for (const Program::Block& b : x.blocks) f.arena_bytes += b.bytes;
    f.eager_peak_bytes = x.facts.eager_peak;
    for (const Buffer& b : x.buffers) f.held_bytes += b.kind == Buffer::Kind::kHeld ? b.bytes : 0;
    f.moved_bytes = moved_bytes(x);
    put_struct(f, out, "bp_program_facts");
  });
}

bp_status bp_program_format(bp_program* p, char* buf, uint64_t capacity, uint64_t* needed,
                            bp_error** err) {
  return guard(err, [&] { put_text(text(checked(p)), buf, capacity, needed); });
}

}  // extern "C"
