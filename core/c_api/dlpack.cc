// SPDX-License-Identifier: Apache-2.0
// dlpack.cc: tensors to and from other libraries; declared in c_dlpack.h.
#include "core/io/dlpack.h"

#include "c_dlpack.h"
#include "core/base/guard.h"

using namespace bp;

namespace {

template <class Managed>
bp_status give(bp_tensor* t, uint32_t flags, Managed** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = to_dlpack<Managed>(checked(t, "t"), flags);
  });
}

template <class Managed>
bp_status take(Managed* m, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    need(m, "m");
    need(out, "out");
    *out = from_dlpack(*m).release();
  });
}

template <class Managed>
void give_up(Managed* m) {
  if (m && m->deleter) m->deleter(m);
}

}  // namespace

extern "C" {

bp_status bp_tensor_dlpack_device(bp_tensor* t, int32_t* type, int32_t* id, bp_error** err) {
  return guard(err, [&] {
    need(type, "type");
    need(id, "id");
    const dlpack::Device d = dlpack_device(checked(t, "t"));
    *type = d.type, *id = d.id;
  });
}

bp_status bp_tensor_to_dlpack(bp_tensor* t, uint32_t flags, DLManagedTensorVersioned** out,
                              bp_error** err) {
  return give(t, flags, out, err);
}
bp_status bp_tensor_to_dlpack_unversioned(bp_tensor* t, uint32_t flags, DLManagedTensor** out,
                                          bp_error** err) {
  return give(t, flags, out, err);
}

bp_status bp_tensor_from_dlpack(DLManagedTensorVersioned* m, bp_tensor** out, bp_error** err) {
  return take(m, out, err);
}
bp_status bp_tensor_from_dlpack_unversioned(DLManagedTensor* m, bp_tensor** out, bp_error** err) {
  return take(m, out, err);
}

void bp_dlpack_release(DLManagedTensorVersioned* m) { give_up(m); }
void bp_dlpack_release_unversioned(DLManagedTensor* m) { give_up(m); }

}  // extern "C"
