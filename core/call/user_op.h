// SPDX-License-Identifier: Apache-2.0
// user_op.h: ops that applications register: an infer callback, and kernels per kind or a
// composition. Ids from 2^31. The callbacks run on the calling thread; no lock of ours is held
// while they do.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace bp {

constexpr uint32_t kFirstUserOp = 1u << 31;

struct UserOp {
  uint32_t id = 0;
  std::string name, doc;
  bp_op_desc desc{};
  struct Kernel {
    bp_kind kind;
    bp_op_kernel_fn run;
    void* user;
  };
  std::vector<Kernel> kernels;  // replaced as a whole when one is added

  const Kernel* kernel(bp_kind kind) const;
  ~UserOp() {
    if (desc.destroy) desc.destroy(desc.user);
  }
};

uint32_t register_op(const bp_op_desc& desc);
void register_kernel(uint32_t op, bp_kind kind, bp_op_kernel_fn run, void* user);
std::shared_ptr<const UserOp> find_user_op(uint32_t id);            // throws NOT_FOUND
std::shared_ptr<const UserOp> find_user_op(std::string_view name);  // empty when there is none
uint32_t user_op_count();
uint32_t user_op_at(uint32_t i);  // ids in increasing order; throws INDEX_OUT_OF_RANGE
void reset_user_ops() noexcept;   // at shutdown

void invoke_user(const UserOp& op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::span<Ref<Tensor>> out);

}  // namespace bp
