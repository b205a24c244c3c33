// SPDX-License-Identifier: Apache-2.0
// parallel.cc: one model on several devices, as backplane/parallel.py sees it.
#include <vector>

#include "bind.h"
#include "device.h"
#include "handles.h"

namespace bp_py {
namespace {

struct ReplicasHandle {
  bp_replicas* handle = nullptr;
  ReplicasHandle() = default;
  ReplicasHandle(const ReplicasHandle&) = delete;
  ~ReplicasHandle() { bp_replicas_release(handle); }
};

std::vector<bp_tensor*> tensors_of(nb::handle list) {
  std::vector<bp_tensor*> out;
  for (nb::handle h : list) {
    if (!is_tensor(h.ptr()))
      fail(PyExc_TypeError, "expected a tensor, got %s", Py_TYPE(h.ptr())->tp_name);
    out.push_back(handle_of(h.ptr()));
  }
  return out;
}
std::vector<bp_device> devices_of(nb::handle list) {
  std::vector<bp_device> out;
  for (nb::handle h : list) out.push_back(device_of(h));
  return out;
}
template <class T>
uint32_t length(const std::vector<T>& v) {
  return static_cast<uint32_t>(v.size());
}
nb::object wrapped(bp_tensor* owned, PyTypeObject* type) {
  PyObject* o = wrap(owned, type);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

// Returns the parameters of each device in turn. One that is there already is the object that was
// given.
nb::list replicate(nb::list params, nb::handle devices) {
  const auto list = tensors_of(params);
  const auto where = devices_of(devices);
  std::vector<bp_tensor*> made(list.size() * where.size());
  call_unlocked([&](bp_error** err) {
    return bp_replicate(list.data(), length(list), where.data(), length(where), made.data(), err);
  });
  nb::list out;
  for (size_t i = 0; i < made.size(); ++i) {
    const size_t at = i % list.size();
    const nb::object given = params[at];
    if (made[i] == list[at]) {
      bp_tensor_release(made[i]);
      out.append(given);
    } else {
      out.append(wrapped(made[i], Py_TYPE(given.ptr())));
    }
  }
  return out;
}

nb::list scatter_batch(Tensor batch, nb::handle devices) {
  const auto where = devices_of(devices);
  std::vector<bp_tensor*> made(where.size());
  call_unlocked([&](bp_error** err) {
    return bp_scatter_batch(batch, where.data(), length(where), made.data(), err);
  });
  nb::list out;
  for (bp_tensor* t : made) out.append(wrapped(t, batch.type()));
  return out;
}

}  // namespace

void bind_parallel(nb::module_& m) {
  m.def("all_reduce", [](nb::handle tensors, bool mean) {
    const auto list = tensors_of(tensors);
    call_unlocked(
        [&](bp_error** err) { return bp_all_reduce(list.data(), length(list), mean, err); });
  });
  m.def("replicate", replicate);
  m.def("scatter_batch", scatter_batch);
  nb::class_<ReplicasHandle>(m, "ReplicasHandle")
      .def("__init__",
           [](ReplicasHandle* self, nb::handle params, uint32_t n_devices, uint64_t bucket_bytes) {
             new (self) ReplicasHandle;
             const auto list = tensors_of(params);
             call_unlocked([&](bp_error** err) {
               return bp_replicas_create(list.data(), length(list), n_devices, bucket_bytes,
                                         &self->handle, err);
             });
           })
      .def("join",
           [](ReplicasHandle& r, const GroupHandle& g) {
             call_unlocked(
                 [&](bp_error** err) { return bp_replicas_join(r.handle, g.handle, err); });
           })
      .def("hold",
           [](ReplicasHandle& r, bool on) {
             call_unlocked([&](bp_error** err) { return bp_replicas_hold(r.handle, on, err); });
           })
      .def("finish", [](ReplicasHandle& r) {
        call_unlocked([&](bp_error** err) { return bp_replicas_finish(r.handle, err); });
      });
}

}  // namespace bp_py
