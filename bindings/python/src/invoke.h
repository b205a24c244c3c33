// invoke.h: a call of an op that gives one tensor, from a slot: NULL with an exception set when it
// fails.
#pragma once
#include "value.h"

namespace bp_py {

inline bool any_may_block(const bp_value* in, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    if (in[i].kind == BP_VALUE_TENSOR && may_block(in[i].as.tensor)) return true;
  return false;
}

inline bp_status invoke(uint32_t op, const bp_value* in, uint32_t n, const bp_attr* attrs,
                        uint32_t n_attrs, bp_tensor** out, uint32_t n_out, bool unlocked,
                        bp_error** err) {
  if (!unlocked) return bp_invoke(op, in, n, attrs, n_attrs, out, n_out, err);
  nb::gil_scoped_release released;
  return bp_invoke(op, in, n, attrs, n_attrs, out, n_out, err);
}

inline PyObject* invoke_one(uint32_t op, const bp_value* in, uint32_t n, PyTypeObject* type) {
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  const bp_status status = invoke(op, in, n, nullptr, 0, &out, 1, any_may_block(in, n), &err);
  return status < 0 ? raise(status, err) : wrap(out, type);
}

}  // namespace bp_py
