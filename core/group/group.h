// SPDX-License-Identifier: Apache-2.0
// group.h: exchanges of tensors between processes. The C handle bp_group is the struct below, and
// bp::ProcessGroup is another name for it. Whoever holds a Ref<ProcessGroup> is a member; the last
// release leaves the group, once what is under way is over. The plugin beneath exchanges host
// memory. A row-major tensor of the cpu, of a dtype that it takes, is exchanged where it lies; any
// other is copied: an accelerator's into pinned memory, in the order of its stream, f16 and bf16 as
// f32. A work holds the operands, and puts results that were copied in their place when it is
// waited for. No gradient goes through an exchange.
//
//   Ref<ProcessGroup> g = new_group("mpi", {.timeout_ns = 30'000'000'000});
//   Ref<Work> w = all_reduce(*g, t, BP_REDUCE_MEAN);
//   wait(*w);
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "core/group/membership.h"

struct bp_group final : bp::Object {
  std::shared_ptr<bp::Membership> member;

  bp_group() : Object(bp::Tag::kGroup) {}
  static void destroy(bp_group* g) noexcept;
  uint32_t rank() const { return member->about.rank; }
  uint32_t size() const { return member->about.size; }
};

namespace bp {

using ProcessGroup = bp_group;

// Loads the plugin of this kind.
Ref<ProcessGroup> new_group(std::string_view kind, const JoinOptions& options);
Ref<ProcessGroup> split(ProcessGroup& g, int32_t color, int32_t key);  // empty for a color < 0

// Each begins an exchange; c_group.h says what tensors it takes.
Ref<Work> barrier(ProcessGroup& g, int64_t timeout_ns);  // 0: the group's
Ref<Work> broadcast(ProcessGroup& g, Tensor& t, uint32_t root);
Ref<Work> all_reduce(ProcessGroup& g, Tensor& t, bp_reduce_op operation);
Ref<Work> reduce(ProcessGroup& g, Tensor& t, bp_reduce_op operation, uint32_t root);
Ref<Work> all_gather(ProcessGroup& g, Tensor& t, Tensor& out);
Ref<Work> reduce_scatter(ProcessGroup& g, Tensor& t, bp_reduce_op operation, Tensor& out);
Ref<Work> all_to_all(ProcessGroup& g, Tensor& t, Tensor& out);
Ref<Work> gather(ProcessGroup& g, Tensor& t, uint32_t root, Tensor* out);
Ref<Work> scatter(ProcessGroup& g, Tensor* t, uint32_t root, Tensor& out);
Ref<Work> send(ProcessGroup& g, Tensor& t, uint32_t to, uint32_t tag);
Ref<Work> receive(ProcessGroup& g, Tensor& t, uint32_t from, uint32_t tag);
void wait(Work& w);
// Adds up the numbers of all members, in place, at once.
void sum_numbers(ProcessGroup& g, std::span<double> numbers);
// Ends a group because this member cannot go on: the others learn why.
void give_up(ProcessGroup& g, std::string_view why) noexcept;
// Bytes of the host, at once.
void broadcast_bytes(ProcessGroup& g, void* bytes, uint64_t n, uint32_t root);
void all_gather_bytes(ProcessGroup& g, const void* bytes, uint64_t n, void* out);

ProcessGroup& checked(const bp_group* g);
Work& checked(const bp_work* w);

}  // namespace bp
