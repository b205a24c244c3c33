// SPDX-License-Identifier: Apache-2.0
// user_ops.h: descriptions of a program's own ops of one input and one output.
//
//   const bp_op_desc d = described("test.same", infer_same);
//   bp_op_register(&d, &op, nullptr);
#pragma once
#include "c_api.h"

namespace bp_test {

// The output is like the input.
inline bp_status infer_same(void*, const bp_tensor_spec* in, uint32_t, const bp_attr*, uint32_t,
                            bp_tensor_spec* out, uint32_t, bp_error**) {
  out[0] = in[0];
  return BP_OK;
}
inline bp_op_desc described(const char* name, decltype(bp_op_desc::infer) infer,
                            void* user = nullptr) {
  bp_op_desc d{};
  d.struct_size = sizeof d;
  d.name = name;
  d.doc = "a test's op";
  d.n_inputs = d.n_outputs = 1;
  d.infer = infer;
  d.user = user;
  return d;
}

}  // namespace bp_test
