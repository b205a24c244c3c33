// SPDX-License-Identifier: Apache-2.0
// group_calls.cc: the calls of groups, of one member (group/lone.c). The library beneath them is
// driven by a thread, whose allocations fail too: the group is then of no use any more.
#include "kit/tensors.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

using Group = Handle<bp_group, bp_group_release>;
using Work = Handle<bp_work, bp_work_release>;

bp_status join(Group& g, bp_error** err) {
  bp_group_desc how{};
  how.struct_size = sizeof how;
  how.flags = BP_GROUP_CHECK;
  how.kind = "lone";
  how.timeout_ns = 5'000'000'000;
  return bp_group_join(&how, into(g), err);
}

// The cpu has no library for it, and the group goes on.
bp_status without_devices(bp_group* g, bp_error** err) {
  const bp_status status = bp_group_use_device(g, device("cpu"), err);
  if (status != BP_UNSUPPORTED) return status;
  bp_error_release(*err);
  *err = nullptr;
  return BP_OK;
}

bp_status groups(bp_error** err) {
  Group g, part;
  TRY(join(g, err));
  TRY(bp_group_split(g.get(), 0, 0, into(part), err));
  bp_group_info info{};
  info.struct_size = sizeof info;
  TRY(bp_group_get_info(part.get(), &info, err));
  TRY(bp_group_set_timeout(part.get(), 5'000'000'000, err));
  TRY(without_devices(part.get(), err));
  TRY(bp_group_barrier(part.get(), 0, nullptr, err));
  char bytes[3] = "ab", all[3];
  TRY(bp_group_broadcast_bytes(g.get(), bytes, sizeof bytes, 0, err));
  TRY(bp_group_all_gather_bytes(g.get(), bytes, sizeof bytes, all, err));
  return bp_group_abort(g.get(), "enough", err);
}

// A result stays as it is in tensors of these calls, which are made again and again.
bp_status exchanges(bp_tensor* x, bp_tensor* part, bp_tensor* out, bp_error** err) {
  Group g;
  TRY(join(g, err));
  bp_group* const group = g.get();
  TRY(bp_group_broadcast(group, x, 0, nullptr, err));
  TRY(bp_group_all_reduce(group, x, BP_REDUCE_MEAN, nullptr, err));
  TRY(bp_group_reduce(group, x, BP_REDUCE_SUM, 0, nullptr, err));
  TRY(bp_group_all_gather(group, part, out, nullptr, err));
  TRY(bp_group_reduce_scatter(group, out, BP_REDUCE_MAX, part, nullptr, err));
  TRY(bp_group_all_to_all(group, out, x, nullptr, err));
  TRY(bp_group_gather(group, part, 0, out, nullptr, err));
  TRY(bp_group_scatter(group, out, 0, part, nullptr, err));
  Work sent, received;
  TRY(bp_group_send(group, part, 0, 7, into(sent), err));
  TRY(bp_group_receive(group, part, 0, 7, into(received), err));
  bp_status status = BP_NOT_READY;
  while (status == BP_NOT_READY) status = bp_work_query(sent.get(), err);
  TRY(status);
  return bp_work_wait(received.get(), err);
}

// What a profile has no memory for it counts.
bp_status seen_exchanges(bp_tensor* x, bp_tensor* part, bp_tensor* out, bp_error** err) {
  struct Stopped {
    ~Stopped() { bp_profile_stop(nullptr); }
  };
  TRY(bp_profile_start(nullptr, err));
  const Stopped at_end;
  return exchanges(x, part, out, err);
}

bp_status replicas(bp_tensor* leaf, bp_error** err) {
  TRY(bp_tensor_set_grad(leaf, nullptr, err));
  bp_tensor* params[] = {leaf};
  Group g;
  Replicas r;
  TRY(join(g, err));
  TRY(bp_replicas_create(params, 1, 1, 0, into(r), err));
  TRY(bp_replicas_join(r.get(), g.get(), err));
  TRY(bp_replicas_hold(r.get(), 1, err));
  TRY(bp_replicas_hold(r.get(), 0, err));
  T sum;
  TRY(bp_sum(leaf, nullptr, 0, 0, BP_DTYPE_NONE, into(sum), err));
  bp_tensor* root = sum.get();
  TRY(bp_backward(&root, nullptr, 1, 0, err));
  return bp_replicas_finish(r.get(), err);
}

}  // namespace

std::vector<Call> group_calls(const std::string& name) {
  const auto x = std::make_shared<T>(counting({1, 4}, device(name)));
  const auto part = std::make_shared<T>(counting({4}, device(name)));
  const auto out = std::make_shared<T>(counting({1, 4}, device(name)));
  const auto leaf = std::make_shared<T>(bp_test::leaf(counting({3}, device(name))));
  return {
      {"groups", name + ", joined and split", groups},
      {"groups", name + ", exchanges",
       [=](bp_error** err) { return exchanges(x->get(), part->get(), out->get(), err); }},
      {"profile", name + ", exchanges that it sees",
       [=](bp_error** err) { return seen_exchanges(x->get(), part->get(), out->get(), err); }},
      {"groups", name + ", replicas", [=](bp_error** err) { return replicas(leaf->get(), err); }}};
}

}  // namespace bp_test
