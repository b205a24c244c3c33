// SPDX-License-Identifier: Apache-2.0
// group.cc: processes that exchange tensors, as backplane/distributed.py sees them. Each exchange
// returns a handle of work that is under way, or waits, while other Python threads run, and returns
// None. A signal's handler that raises ends a wait (runtime.cc).
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bind.h"
#include "device.h"
#include "handles.h"

namespace bp_py {
namespace {

struct WorkHandle : Handle<bp_work, bp_work_release> {};

bp_group_info info_of(const GroupHandle& g) {
  bp_group_info info{};
  info.struct_size = sizeof info;
  call([&](bp_error** err) { return bp_group_get_info(g.handle, &info, err); });
  return info;
}

nb::dict info(const GroupHandle& g) {
  const bp_group_info i = info_of(g);
  nb::dict out;
  out["kind"] = i.kind;
  out["rank"] = i.rank;
  out["size"] = i.size;
  out["local_rank"] = i.local_rank;
  out["local_size"] = i.local_size;
  out["checks"] = i.checks != 0;
  out["timeout_ns"] = i.timeout_ns;
  out["n_exchanges"] = i.n_exchanges;
  out["exchanged_bytes"] = i.exchanged_bytes;
  out["device_library"] = i.device_library;
  out["native"] = reinterpret_cast<uintptr_t>(i.native);
  return out;
}

// begin(bp_work**, bp_error**) begins the exchange.
template <class F>
nb::object exchange(bool work, F&& begin) {
  bp_work* under_way = nullptr;
  call_unlocked([&](bp_error** err) { return begin(work ? &under_way : nullptr, err); });
  if (!work) return nb::none();
  auto* handle = new WorkHandle;
  handle->handle = under_way;
  return nb::cast(handle, nb::rv_policy::take_ownership);
}

bp_tensor* optional_tensor(nb::handle t) {
  if (t.is_none()) return nullptr;
  if (!is_tensor(t.ptr()))
    fail(PyExc_TypeError, "expected a tensor or None, got %s", Py_TYPE(t.ptr())->tp_name);
  return handle_of(t.ptr());
}

nb::bytes new_bytes(size_t n) {
  nb::bytes out =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(n)));
  if (!out) throw nb::python_error();
  return out;
}

// Returns the n bytes of member root; the others' own are not looked at.
nb::bytes broadcast_bytes(const GroupHandle& g, nb::handle own, uint64_t n, uint32_t root) {
  nb::bytes out = new_bytes(n);
  char* p = PyBytes_AS_STRING(out.ptr());
  if (!own.is_none()) {
    const auto bytes = nb::cast<nb::bytes>(own);
    if (bytes.size() != n)
      fail(PyExc_ValueError, "%zu bytes given, %llu announced", bytes.size(),
           static_cast<unsigned long long>(n));
    std::copy_n(bytes.c_str(), n, p);
  }
  call_unlocked(
      [&](bp_error** err) { return bp_group_broadcast_bytes(g.handle, p, n, root, err); });
  return out;
}

// Returns the bytes of all members, one after the other.
nb::bytes all_gather_bytes(const GroupHandle& g, nb::bytes own) {
  nb::bytes out = new_bytes(own.size() * info_of(g).size);
  char* p = PyBytes_AS_STRING(out.ptr());
  call_unlocked([&](bp_error** err) {
    return bp_group_all_gather_bytes(g.handle, own.c_str(), own.size(), p, err);
  });
  return out;
}

void bind_exchanges(nb::class_<GroupHandle>& c) {
  using G = const GroupHandle&;
  c.def("barrier", [](G g, int64_t timeout_ns, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_barrier(g.handle, timeout_ns, w, err);
    });
  });
  c.def("broadcast", [](G g, Tensor t, uint32_t root, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_broadcast(g.handle, t, root, w, err);
    });
  });
  c.def("all_reduce", [](G g, Tensor t, int32_t operation, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_all_reduce(g.handle, t, operation, w, err);
    });
  });
  c.def("reduce", [](G g, Tensor t, int32_t operation, uint32_t root, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_reduce(g.handle, t, operation, root, w, err);
    });
  });
  c.def("all_gather", [](G g, Tensor t, Tensor out, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_all_gather(g.handle, t, out, w, err);
    });
  });
  c.def("reduce_scatter", [](G g, Tensor t, int32_t operation, Tensor out, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_reduce_scatter(g.handle, t, operation, out, w, err);
    });
  });
  c.def("all_to_all", [](G g, Tensor t, Tensor out, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_all_to_all(g.handle, t, out, w, err);
    });
  });
  c.def(
      "gather",
      [](G g, Tensor t, uint32_t root, nb::handle out, bool work) {
        bp_tensor* const to = optional_tensor(out);
        return exchange(work, [&](bp_work** w, bp_error** err) {
          return bp_group_gather(g.handle, t, root, to, w, err);
        });
      },
      nb::arg("t"), nb::arg("root"), nb::arg("out").none(), nb::arg("work"));
  c.def(
      "scatter",
      [](G g, nb::handle t, uint32_t root, Tensor out, bool work) {
        bp_tensor* const from = optional_tensor(t);
        return exchange(work, [&](bp_work** w, bp_error** err) {
          return bp_group_scatter(g.handle, from, root, out, w, err);
        });
      },
      nb::arg("t").none(), nb::arg("root"), nb::arg("out"), nb::arg("work"));
  c.def("send", [](G g, Tensor t, uint32_t to, uint32_t tag, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_send(g.handle, t, to, tag, w, err);
    });
  });
  c.def("receive", [](G g, Tensor t, uint32_t from, uint32_t tag, bool work) {
    return exchange(work, [&](bp_work** w, bp_error** err) {
      return bp_group_receive(g.handle, t, from, tag, w, err);
    });
  });
  c.def("broadcast_bytes", broadcast_bytes, nb::arg("own").none(), nb::arg("n"), nb::arg("root"));
  c.def("all_gather_bytes", all_gather_bytes);
}

}  // namespace

void bind_groups(nb::module_& m) {
  nb::class_<WorkHandle>(m, "WorkHandle")
      .def("wait",
           [](const WorkHandle& w) {
             call_unlocked([&](bp_error** err) { return bp_work_wait(w.handle, err); });
           })
      .def("done", [](const WorkHandle& w) {
        return call([&](bp_error** err) { return bp_work_query(w.handle, err); }) != BP_NOT_READY;
      });
  nb::class_<GroupHandle> group(m, "GroupHandle");
  group
      .def(
          "__init__",
          [](GroupHandle* self, const std::string& kind, int64_t timeout_ns, uint32_t flags,
             uintptr_t native) {
            new (self) GroupHandle;
            bp_group_desc desc{};
            desc.struct_size = sizeof desc;
            desc.flags = flags;
            desc.kind = c_text(kind, "a kind");
            desc.timeout_ns = timeout_ns;
            desc.native = reinterpret_cast<const void*>(native);
            call_unlocked([&](bp_error** err) { return bp_group_join(&desc, &self->handle, err); });
          })
      .def("split",
           [](const GroupHandle& g, int32_t color, int32_t key) -> nb::object {
             bp_group* part = nullptr;
             call_unlocked(
                 [&](bp_error** err) { return bp_group_split(g.handle, color, key, &part, err); });
             if (!part) return nb::none();
             auto* handle = new GroupHandle;
             handle->handle = part;
             return nb::cast(handle, nb::rv_policy::take_ownership);
           })
      .def("use_device",
           [](const GroupHandle& g, nb::handle device) {
             const bp_device d = device_of(device);
             call_unlocked([&](bp_error** err) { return bp_group_use_device(g.handle, d, err); });
           })
      .def("info", info)
      .def("set_timeout", [](const GroupHandle& g, int64_t timeout_ns) {
        call([&](bp_error** err) { return bp_group_set_timeout(g.handle, timeout_ns, err); });
      });
  bind_exchanges(group);
}

}  // namespace bp_py
