// SPDX-License-Identifier: Apache-2.0
// group.cc: processes that exchange tensors; declared in c_group.h.
#include "core/group/group.h"

#include <cstring>

#include "c_group.h"
#include "core/base/guard.h"
#include "core/group/device_way.h"
#include "core/group/use_device.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

constexpr int64_t kHalfAnHour = int64_t{30} * 60 * 1000000000;

// BACKPLANE_CHECK_GROUPS, else whether this is a debug build.
bool checks_by_default() {
  constexpr const char* kVariable = "BACKPLANE_CHECK_GROUPS";
  const auto value = read_env(kVariable);
  if (!value || value->empty()) {
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
  }
  if (*value != "0" && *value != "1")
    fail(BP_INVALID_ARGUMENT, "{} is \"{}\", expected 0 or 1", kVariable, *value);
  return *value == "1";
}

JoinOptions options_arg(const bp_group_desc& d) {
  if (d.flags & ~(BP_GROUP_CHECK | BP_GROUP_NO_CHECK))
    fail(BP_INVALID_ARGUMENT, "desc.flags has bits that are not known: {:#x}", d.flags);
  if (d.flags == (BP_GROUP_CHECK | BP_GROUP_NO_CHECK))
    fail(BP_INVALID_ARGUMENT, "desc.flags has both BP_GROUP_CHECK and BP_GROUP_NO_CHECK");
  if (d.timeout_ns < 0)
    fail(BP_INVALID_ARGUMENT, "desc.timeout_ns is {}, expected 0 or more", d.timeout_ns);
  return {d.timeout_ns ? d.timeout_ns : kHalfAnHour,
          d.flags ? d.flags == BP_GROUP_CHECK : checks_by_default(), d.native};
}

// Hands the work out, or waits for it.
void hand_over(Ref<Work> w, bp_work** out) {
  if (out)
    *out = w.release();
  else
    wait(*w);
}

// An exchange of one tensor or two: `make` begins it.
template <class F>
bp_status exchange(bp_group* g, bp_work** work, bp_error** err, F&& make) {
  return guard(err, [&] { hand_over(make(checked(g)), work); });
}

Tensor* optional_tensor(bp_tensor* t, const char* what) { return t ? &checked(t, what) : nullptr; }

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_group_join(const bp_group_desc* desc, bp_group** out, bp_error** err) {
  return guard(err, [&] {
    const auto given = get_struct(desc, "desc");
    need(given.kind, "desc.kind");
    const JoinOptions options = options_arg(given);
    need(out, "out");
    *out = new_group(given.kind, options).release();
  });
}

bp_status bp_group_split(bp_group* g, int32_t color, int32_t key, bp_group** out, bp_error** err) {
  return guard(err, [&] {
    ProcessGroup& group = checked(g);
    need(out, "out");
    *out = split(group, color, key).release();
  });
}

bp_group* bp_group_retain(bp_group* g) {
  if (g && g->tag == Tag::kGroup) g->refs.fetch_add(1, std::memory_order_relaxed);
  return g;
}
void bp_group_release(bp_group* g) {
  if (g && g->tag == Tag::kGroup) Ref<ProcessGroup>::drop(g);
}

bp_status bp_group_get_info(bp_group* g, bp_group_info* out, bp_error** err) {
  return guard(err, [&] {
    const Membership& m = *checked(g).member;
    const Membership::About& a = m.about;
    bp_group_info info{sizeof info,      a.rank,   a.size,       a.local_rank,
                       a.local_size,     a.checks, m.timeout_ns, m.n_exchanges,
                       m.n_bytes.load(), a.native, "",           ""};
    a.kind.copy(info.kind, sizeof info.kind - 1);
    if (const auto way = m.way(); way && way->device())
      way->library().copy(info.device_library, sizeof info.device_library - 1);
    put_struct(info, out, "out");
  });
}

bp_status bp_group_abort(bp_group* g, const char* sentence, bp_error** err) {
  return guard(err, [&] { give_up(checked(g), need(sentence, "sentence")); });
}

bp_status bp_group_set_timeout(bp_group* g, int64_t timeout_ns, bp_error** err) {
  return guard(err, [&] {
    ProcessGroup& group = checked(g);
    if (timeout_ns <= 0)
      fail(BP_INVALID_ARGUMENT, "timeout_ns is {}, expected more than 0", timeout_ns);
    group.member->timeout_ns = timeout_ns;
  });
}

bp_status bp_group_use_device(bp_group* g, bp_device device, bp_error** err) {
  return guard(err, [&] {
    if (const std::string why = use_device(checked(g), device); !why.empty())
      fail(BP_UNSUPPORTED, "use_device: {}", why);
  });
}

bp_status bp_work_query(bp_work* w, bp_error** err) {
  bool over = false;
  const bp_status status = guard(err, [&] {
    Work& work = checked(w);
    over = work.member->is_over(work);
  });
  return status == BP_OK && !over ? BP_NOT_READY : status;
}
bp_status bp_work_wait(bp_work* w, bp_error** err) {
  return guard(err, [&] { wait(checked(w)); });
}
bp_work* bp_work_retain(bp_work* w) {
  if (w && w->tag == Tag::kWork) w->refs.fetch_add(1, std::memory_order_relaxed);
  return w;
}
void bp_work_release(bp_work* w) {
  if (w && w->tag == Tag::kWork) Ref<Work>::drop(w);
}

bp_status bp_group_barrier(bp_group* g, int64_t timeout_ns, bp_work** work, bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    if (timeout_ns < 0)
      fail(BP_INVALID_ARGUMENT, "timeout_ns is {}, expected 0 or more", timeout_ns);
    return barrier(group, timeout_ns);
  });
}

bp_status bp_group_broadcast(bp_group* g, bp_tensor* t, uint32_t root, bp_work** work,
                             bp_error** err) {
  return exchange(g, work, err,
                  [&](ProcessGroup& group) { return broadcast(group, checked(t, "t"), root); });
}

bp_status bp_group_all_reduce(bp_group* g, bp_tensor* t, bp_reduce_op operation, bp_work** work,
                              bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return all_reduce(group, checked(t, "t"), operation);
  });
}

bp_status bp_group_reduce(bp_group* g, bp_tensor* t, bp_reduce_op operation, uint32_t root,
                          bp_work** work, bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return reduce(group, checked(t, "t"), operation, root);
  });
}

bp_status bp_group_all_gather(bp_group* g, bp_tensor* t, bp_tensor* out, bp_work** work,
                              bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return all_gather(group, checked(t, "t"), checked(out, "out"));
  });
}

bp_status bp_group_reduce_scatter(bp_group* g, bp_tensor* t, bp_reduce_op operation, bp_tensor* out,
                                  bp_work** work, bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return reduce_scatter(group, checked(t, "t"), operation, checked(out, "out"));
  });
}

bp_status bp_group_all_to_all(bp_group* g, bp_tensor* t, bp_tensor* out, bp_work** work,
                              bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return all_to_all(group, checked(t, "t"), checked(out, "out"));
  });
}

bp_status bp_group_gather(bp_group* g, bp_tensor* t, uint32_t root, bp_tensor* out, bp_work** work,
                          bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return gather(group, checked(t, "t"), root, optional_tensor(out, "out"));
  });
}

bp_status bp_group_scatter(bp_group* g, bp_tensor* t, uint32_t root, bp_tensor* out, bp_work** work,
                           bp_error** err) {
  return exchange(g, work, err, [&](ProcessGroup& group) {
    return scatter(group, optional_tensor(t, "t"), root, checked(out, "out"));
  });
}

bp_status bp_group_send(bp_group* g, bp_tensor* t, uint32_t to, uint32_t tag, bp_work** work,
                        bp_error** err) {
  return exchange(g, work, err,
                  [&](ProcessGroup& group) { return send(group, checked(t, "t"), to, tag); });
}

bp_status bp_group_receive(bp_group* g, bp_tensor* t, uint32_t from, uint32_t tag, bp_work** work,
                           bp_error** err) {
  return exchange(g, work, err,
                  [&](ProcessGroup& group) { return receive(group, checked(t, "t"), from, tag); });
}

bp_status bp_group_broadcast_bytes(bp_group* g, void* bytes, uint64_t n_bytes, uint32_t root,
                                   bp_error** err) {
  return guard(err, [&] { broadcast_bytes(checked(g), bytes, n_bytes, root); });
}

bp_status bp_group_all_gather_bytes(bp_group* g, const void* bytes, uint64_t n_bytes, void* out,
                                    bp_error** err) {
  return guard(err, [&] { all_gather_bytes(checked(g), bytes, n_bytes, out); });
}

}  // extern "C"
