// SPDX-License-Identifier: Apache-2.0
// schedule.cc: schedules of learning rates; declared in c_optim.h.
#include "core/optim/schedule.h"

#include "c_optim.h"
#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/optim/state.h"

using namespace bp;

namespace {

constexpr uint32_t kMostParts = 4096;

std::vector<Schedule*> parts_of(bp_schedule* const* parts, uint32_t n) {
  if (n > kMostParts)
    fail(BP_INVALID_ARGUMENT, "parts has {} schedules, at most {} are possible", n, kMostParts);
  if (n) need(parts, "parts");
  std::vector<Schedule*> out;
  for (uint32_t i = 0; i < n; ++i) out.push_back(&checked(parts[i], "parts"));
  return out;
}

// The caller's function and its user pointer, which is destroyed with this object.
class Factor {
 public:
  Factor(bp_schedule_factor_fn call, void* user, void (*destroy)(void*))
      : call_(call), user_(user), destroy_(destroy) {}
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
  ~Factor() {
    if (destroy_) destroy_(user_);
  }
  double operator()(int64_t epoch) const {
    double factor = 1;
    bp_error* err = nullptr;
    const bp_status status = call_(user_, epoch, &factor, &err);
    if (status < 0) throw_taken(status, err, 0, "the schedule's factor failed");
    return factor;
  }

 private:
  bp_schedule_factor_fn call_;
  void* user_;
  void (*destroy_)(void*);
};

}  // namespace

extern "C" {

uint32_t bp_schedule_kind_count(void) {
  uint32_t n = 0;
  guard(nullptr, [&] { n = static_cast<uint32_t>(schedule_kinds().size()); });
  return n;
}

bp_status bp_schedule_kind_at(uint32_t i, const char** name, const char** doc, uint32_t* n_attrs,
                              bp_error** err) {
  return guard(err, [&] {
    const auto kinds = schedule_kinds();
    if (i >= kinds.size()) fail(BP_INDEX_OUT_OF_RANGE, "schedule {} of {}", i, kinds.size());
    if (name) *name = kinds[i].name;
    if (doc) *doc = kinds[i].doc;
    if (n_attrs) *n_attrs = static_cast<uint32_t>(kinds[i].attrs.size());
  });
}

bp_status bp_schedule_kind_attr(const char* kind, uint32_t i, bp_attr_info* out, bp_error** err) {
  return guard(err, [&] {
    const ScheduleKind& k = schedule_kind(need(kind, "kind"));
    put_attr(k.name, k.attrs, i, out);
  });
}

bp_status bp_schedule_create(const char* kind, bp_optimizer* o, const bp_attr* attrs,
                             uint32_t n_attr, bp_schedule** out, bp_error** err) {
  return guard(err, [&] {
    need(kind, "kind");
    Optimizer& x = checked(o);
    need(out, "out");
    *out = new_schedule(kind, x, attr_list(attrs, n_attr)).release();
  });
}

bp_status bp_schedule_create_lambda(bp_optimizer* o, bp_schedule_factor_fn factor, void* user,
                                    void (*destroy)(void* user), bp_schedule** out,
                                    bp_error** err) {
  return guard(err, [&] {
    std::shared_ptr<Factor> call;
    try {
      call = std::make_shared<Factor>(factor, user, destroy);
    } catch (...) {
      if (destroy) destroy(user);
      throw;
    }
    Optimizer& x = checked(o);
    need(out, "out");
    if (!factor) fail(BP_INVALID_ARGUMENT, "factor must not be NULL");
    *out = new_lambda_schedule(x, [call](int64_t epoch) { return (*call)(epoch); }).release();
  });
}

bp_status bp_schedule_create_chained(bp_schedule* const* parts, uint32_t n_parts, bp_schedule** out,
                                     bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = new_chained_schedule(parts_of(parts, n_parts)).release();
  });
}

bp_status bp_schedule_create_sequential(bp_schedule* const* parts, uint32_t n_parts,
                                        const int64_t* milestones, uint32_t n_milestones,
                                        bp_schedule** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const auto list = parts_of(parts, n_parts);
    if (n_milestones > kMostParts)
      fail(BP_INVALID_ARGUMENT, "{} milestones, at most {} are possible", n_milestones, kMostParts);
    if (n_milestones) need(milestones, "milestones");
    *out = new_sequential_schedule(list, {milestones, n_milestones}).release();
  });
}

bp_schedule* bp_schedule_retain(bp_schedule* s) {
  if (s && s->tag == Tag::kSchedule) s->refs.fetch_add(1, std::memory_order_relaxed);
  return s;
}
void bp_schedule_release(bp_schedule* s) {
  if (s && s->tag == Tag::kSchedule) Ref<Schedule>::drop(s);
}

bp_status bp_schedule_step(bp_schedule* s, bp_error** err) {
  return guard(err, [&] { checked(s, "schedule").step(); });
}

bp_status bp_schedule_epoch(bp_schedule* s, int64_t* out, bp_error** err) {
  return guard(err, [&] {
    const Schedule& x = checked(s, "schedule");
    need(out, "out");
    const std::lock_guard lock(x.optimizer->mutex);
    *out = x.epoch;
  });
}

bp_status bp_schedule_last_lr(bp_schedule* s, uint32_t group, double* out, bp_error** err) {
  return guard(err, [&] {
    const Schedule& x = checked(s, "schedule");
    *need(out, "out") = x.last_rate(group);
  });
}

bp_status bp_schedule_state_dict(bp_schedule* s, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    Schedule& x = checked(s, "schedule");
    need(out, "out");
    *out = state_of(x).release();
  });
}

bp_status bp_schedule_load_state_dict(bp_schedule* s, bp_dict* state, bp_error** err) {
  return guard(err, [&] { load_state(checked(s, "schedule"), checked(state, "state")); });
}

}  // extern "C"
