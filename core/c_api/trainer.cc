// SPDX-License-Identifier: Apache-2.0
// trainer.cc: the training loop; declared in c_trainer.h.
#include "core/train/trainer.h"

#include <cmath>

#include "core/base/guard.h"
#include "core/train/checkpoint.h"

using namespace bp;

extern "C" {

bp_status bp_trainer_create(const bp_trainer_desc* desc, bp_trainer** out, bp_error** err) {
  return guard(err, [&] {
    const auto given = get_struct(desc, "desc");
    need(out, "out");
    *out = new_trainer(given).release();
  });
}

bp_trainer* bp_trainer_retain(bp_trainer* t) {
  if (t && t->tag == Tag::kTrainer) t->refs.fetch_add(1, std::memory_order_relaxed);
  return t;
}

void bp_trainer_release(bp_trainer* t) {
  if (t && t->tag == Tag::kTrainer) Ref<bp_trainer>::drop(t);
}

bp_status bp_trainer_fit(bp_trainer* t, const bp_fit_desc* desc, bp_error** err) {
  bool finished = true;
  const bp_status status = guard(err, [&] {
    Trainer& trainer = checked(t);
    const auto given = get_struct(desc, "desc");
    if (given.reserved)
      fail(BP_INVALID_ARGUMENT, "desc.reserved is {}, expected 0", given.reserved);
    if (!(given.gradient_clip_val >= 0) || !std::isfinite(given.gradient_clip_val))
      fail(BP_INVALID_ARGUMENT, "desc.gradient_clip_val is {}, expected a finite number >= 0",
           given.gradient_clip_val);
    finished = trainer.fit(
        {given.max_epochs, given.gradient_clip_val, given.checkpoint ? given.checkpoint : ""});
  });
  return status == BP_OK && !finished ? BP_TRAINING_STOPPED : status;
}

void bp_trainer_stop(bp_trainer* t) {
  if (t && t->tag == Tag::kTrainer) t->stop();
}

uint64_t bp_trainer_epoch(const bp_trainer* t) {
  return t && t->tag == Tag::kTrainer ? t->epoch() : 0;
}

bp_status bp_trainer_evaluate(bp_trainer* t, bp_loader* loader, double* loss, double* accuracy,
                              bp_error** err) {
  return guard(err, [&] { checked(t).evaluate(checked(loader, "loader"), loss, accuracy); });
}

bp_status bp_trainer_state_dict(bp_trainer* t, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    Trainer& trainer = checked(t);
    need(out, "out");
    *out = trainer.state().release();
  });
}

bp_status bp_trainer_save(bp_trainer* t, const char* path, bp_dict* extra, bp_error** err) {
  return guard(err, [&] {
    Trainer& trainer = checked(t);
    trainer.save(need(path, "path"), extra ? &checked(extra, "extra") : nullptr);
  });
}

bp_status bp_checkpoint_load(const char* path, bp_device device, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    need(path, "path");
    need(out, "out");
    *out = load_checkpoint(path, resolve_device(device)).release();
  });
}

bp_status bp_trainer_load_state_dict(bp_trainer* t, bp_dict* state, bp_error** err) {
  return guard(err, [&] { checked(t).load(checked(state, "state")); });
}

}  // extern "C"
