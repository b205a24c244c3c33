// SPDX-License-Identifier: Apache-2.0
// loader.cc: loaders of batches; declared in c_train.h.
#include "core/train/loader.h"

#include "core/base/guard.h"

namespace bp {
namespace {

LoaderOptions options_arg(const bp_loader_desc& desc) {
  constexpr uint32_t kMostAhead = 1024;
  if (desc.flags & ~(BP_LOADER_SHUFFLE | BP_LOADER_DROP_LAST))
    fail(BP_INVALID_ARGUMENT, "desc.flags has bits that are not known: {:#x}", desc.flags);
  if (desc.batch_size < 1)
    fail(BP_INVALID_ARGUMENT, "desc.batch_size is {}, expected 1 or more", desc.batch_size);
  if (desc.prefetch > kMostAhead)
    fail(BP_INVALID_ARGUMENT, "desc.prefetch is {}, at most {} are possible", desc.prefetch,
         kMostAhead);
  if (desc.reserved) fail(BP_INVALID_ARGUMENT, "desc.reserved is {}, expected 0", desc.reserved);
  const uint32_t n_parts = desc.n_parts ? desc.n_parts : 1;
  if (desc.part >= n_parts)
    fail(BP_INDEX_OUT_OF_RANGE, "desc.part {} is out of range for {} parts", desc.part, n_parts);
  return {desc.batch_size,
          (desc.flags & BP_LOADER_SHUFFLE) != 0,
          (desc.flags & BP_LOADER_DROP_LAST) != 0,
          &resolve_device(desc.device),
          desc.prefetch,
          desc.part,
          n_parts};
}

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_loader_create(bp_dataset* dataset, const bp_loader_desc* desc, bp_loader** out,
                           bp_error** err) {
  return guard(err, [&] {
    Dataset& d = checked(dataset, "dataset");
    const auto given = get_struct(desc, "desc");
    const LoaderOptions options = options_arg(given);
    need(out, "out");
    *out = new_loader(Ref<Dataset>::share(&d), options, given.seed).release();
  });
}

bp_loader* bp_loader_retain(bp_loader* l) {
  if (l && l->tag == Tag::kLoader) l->refs.fetch_add(1, std::memory_order_relaxed);
  return l;
}

void bp_loader_release(bp_loader* l) {
  if (l && l->tag == Tag::kLoader) Ref<bp_loader>::drop(l);
}

int64_t bp_loader_length(const bp_loader* l) {
  return l && l->tag == Tag::kLoader ? l->length() : 0;
}

bp_status bp_loader_next(bp_loader* l, bp_tensor** outs, uint32_t n_outs, bp_error** err) {
  bool there = false;
  const bp_status status = guard(err, [&] {
    Loader& loader = checked(l, "loader");
    if (n_outs != loader.n_tensors())
      fail(BP_INVALID_ARGUMENT, "n_outs is {}, the dataset has {} tensors", n_outs,
           loader.n_tensors());
    need(outs, "outs");
    Batch batch;
    there = loader.next(batch);
    for (uint32_t i = 0; there && i < n_outs; ++i) outs[i] = batch[i].release();
  });
  return status == BP_OK && !there ? BP_EPOCH_END : status;
}

bp_status bp_loader_get_state(bp_loader* l, uint64_t* epoch, uint64_t* batch, uint64_t* seed,
                              bp_error** err) {
  return guard(err, [&] {
    const Loader& loader = checked(l, "loader");
    need(epoch, "epoch");
    need(batch, "batch");
    need(seed, "seed");
    const Place p = loader.place();
    *epoch = p.epoch;
    *batch = p.batch;
    *seed = p.seed;
  });
}

bp_status bp_loader_set_state(bp_loader* l, uint64_t epoch, uint64_t batch, uint64_t seed,
                              bp_error** err) {
  return guard(err, [&] { checked(l, "loader").set_place({epoch, batch, seed}); });
}

}  // extern "C"
