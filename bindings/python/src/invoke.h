// SPDX-License-Identifier: Apache-2.0
// invoke.h: a call of an op with one result, from a slot: NULL, with an exception set, on failure.
#pragma once
#include "profile.h"
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
  const Profiled told(op);
  bp_status status;
  {
    const Unlocked others_run(unlocked);
    status = bp_invoke(op, in, n, attrs, n_attrs, out, n_out, err);
  }
  return told.ended(status);
}

// The array API standard promotes 0-d arrays as any others, the library's ops as PyTorch does: not
// where one of the same kind has dimensions. So a 0-d operand gets a dimension of 1 here when the
// result has one anyway.
class StandardPromotion {
 public:
  StandardPromotion(bp_value* in, uint32_t n, PyTypeObject* type) {
    const bp_tensor *flat = nullptr, *wide = nullptr;
    for (uint32_t i = 0; i < n; ++i)
      if (in[i].kind == BP_VALUE_TENSOR)
        (bp_tensor_rank(in[i].as.tensor) ? wide : flat) = in[i].as.tensor;
    if (!flat || !wide || bp_tensor_dtype(flat) == bp_tensor_dtype(wide)) return;
    if (torch_class && type && PyType_IsSubtype(type, torch_class)) return;
    for (uint32_t i = 0; i < n && n_ < 4; ++i) {
      bp_tensor* t = in[i].kind == BP_VALUE_TENSOR ? in[i].as.tensor : nullptr;
      if (!t || bp_tensor_rank(t) || bp_tensor_device(t) != bp_tensor_device(wide)) continue;
      if (bp_tensor_unsqueeze(t, 0, &made_[n_], nullptr) >= 0) in[i].as.tensor = made_[n_++];
    }
  }
  ~StandardPromotion() {
    while (n_) bp_tensor_release(made_[--n_]);
  }
  StandardPromotion(const StandardPromotion&) = delete;
  StandardPromotion& operator=(const StandardPromotion&) = delete;

 private:
  bp_tensor* made_[4];
  uint32_t n_ = 0;
};

inline PyObject* invoke_one(uint32_t op, const bp_value* in, uint32_t n, PyTypeObject* type) {
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  const bp_status status = invoke(op, in, n, nullptr, 0, &out, 1, any_may_block(in, n), &err);
  return status < 0 ? raise(status, err) : wrap(out, type);
}

}  // namespace bp_py
