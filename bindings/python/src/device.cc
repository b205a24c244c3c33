// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <unordered_map>
#include <vector>

namespace bp_py {
namespace {

struct Device {
  bp_device value;
};
PyTypeObject* device_type = nullptr;
// The devices of tensors: few, kept for ever, guarded by the interpreter's lock. Most calls ask for
// the one that the call before asked for.
std::unordered_map<bp_device, PyObject*> made;
bp_device last = 0;
PyObject* last_object = nullptr;

std::string text(bp_device d) {
  char buffer[96];
  call([&](bp_error** err) { return bp_device_format(d, buffer, sizeof buffer, nullptr, err); });
  return buffer;
}

bp_device parse(const char* name) {
  bp_device d = 0;
  call([&](bp_error** err) { return bp_device_parse(name, &d, err); });
  return d;
}

// Makes device(type, index) as torch.device has it.
bp_device from_parts(nb::handle type, nb::handle index) {
  if (!nb::isinstance<nb::str>(type)) {
    if (!index.is_none())
      fail(PyExc_TypeError, "an index goes with the type's name, got %R", type.ptr());
    const bp_device d = device_of(type);
    if (!d) fail(PyExc_TypeError, "expected the name of a device or a device, got None");
    return d;
  }
  const bp_device d = device_of(type);
  if (index.is_none()) return d;
  if (bp_device_index(d) >= 0)
    fail(PyExc_RuntimeError,
         "type (string) must not include an index because index was passed explicitly: %U",
         type.ptr());
  const long long i = PyLong_AsLongLong(index.ptr());
  if (i == -1 && PyErr_Occurred()) throw nb::python_error();
  if (i < 0) fail(PyExc_RuntimeError, "Device index must not be negative");
  if (i > INT32_MAX) fail(PyExc_RuntimeError, "Device index %lld is too large", i);
  return bp_device_make(bp_device_kind(d), static_cast<int32_t>(i));
}

// The devices that `with` pushed in this thread, newest last. One may be entered several times.
struct Entered {
  const void* by;
  uint64_t token;
};
thread_local std::vector<Entered> entered;

template <class Push>
void enter(const void* by, Push push) {
  uint64_t token = 0;
  call([&](bp_error** err) { return push(&token, err); });
  entered.push_back({by, token});
}

template <class Pop>
void leave(const void* by, Pop pop) {
  for (size_t i = entered.size(); i-- > 0;) {
    if (entered[i].by != by) continue;
    const uint64_t token = entered[i].token;
    entered.erase(entered.begin() + static_cast<std::ptrdiff_t>(i));
    call([&](bp_error** err) { return pop(token, err); });
    return;
  }
  fail(PyExc_RuntimeError, "left in a thread that did not enter it");
}

void bind_class(nb::module_& m) {
  nb::class_<Device> type(
      m, "device",
      "device(type, index=None): a device by name, 'cuda:1' or 'cuda'. A bare kind is the current "
      "device of that kind. In a `with` statement it is where factories put data, and the current "
      "device of its kind.\n\n"
      ">>> bp.device(\"cuda\", 1)\ndevice(type='cuda', index=1)\n");
  type.def(
          "__init__",
          [](Device* self, nb::object t, nb::object index) {
            new (self) Device{from_parts(t, index)};
          },
          nb::arg("type"), nb::arg("index") = nb::none())
      .def_prop_ro("type", [](const Device& d) { return bp_kind_name(bp_device_kind(d.value)); })
      .def_prop_ro("index",
                   [](const Device& d) -> nb::object {
                     const int32_t i = bp_device_index(d.value);
                     return i < 0 ? nb::none() : nb::object(nb::int_(i));
                   })
      .def("__str__", [](const Device& d) { return text(d.value); })
      .def("__repr__",
           [](const Device& d) {
             const int32_t i = bp_device_index(d.value);
             return std::string("device(type='") + bp_kind_name(bp_device_kind(d.value)) + "'" +
                    (i < 0 ? "" : ", index=" + std::to_string(i)) + ")";
           })
      .def(
          "__eq__",
          [](const Device& d, nb::handle other) -> nb::object {
            if (!nb::isinstance<Device>(other)) return nb::borrow(Py_NotImplemented);
            return nb::bool_(nb::cast<const Device&>(other).value == d.value);
          },
          nb::arg("other").none())
      .def("__hash__", [](const Device& d) { return std::hash<int64_t>{}(d.value); })
      .def("__reduce__",
           [](nb::handle self) {
             return nb::make_tuple(self.type(),
                                   nb::make_tuple(text(nb::cast<const Device&>(self).value)));
           })
      .def("__enter__",
           [](nb::object self) {
             const bp_device d = nb::cast<const Device&>(self).value;
             enter(self.ptr(),
                   [&](uint64_t* token, bp_error** err) { return bp_device_push(d, token, err); });
             return self;
           })
      .def("__exit__", [](nb::handle self, nb::args) { leave(self.ptr(), bp_device_pop); });
  device_type = reinterpret_cast<PyTypeObject*>(type.ptr());
}

nb::dict info(nb::handle device) {
  bp_device_info i{};
  i.struct_size = sizeof i;
  const bp_device d = device_of(device);
  call_unlocked([&](bp_error** err) { return bp_device_get_info(d, &i, err); });
  nb::dict facts;
  facts["device"] = nb::steal(device_object(i.device));
  facts["name"] = i.name;
  facts["total_memory"] = i.memory_total;
  facts["used_memory"] = i.memory_used;
  facts["multi_processor_count"] = i.n_units;
  facts["major"] = i.compute_major;
  facts["minor"] = i.compute_minor;
  facts["uuid"] = i.uuid;
  facts["pci"] = i.pci;
  facts["driver"] = i.driver;
  facts["simulated"] = (i.flags & BP_DEVICE_SIMULATED) != 0;
  facts["host_memory"] = (i.flags & BP_DEVICE_HOST_MEMORY) != 0;
  return facts;
}

}  // namespace

PyObject* device_object(bp_device d) {
  if (d == last && last_object) return Py_NewRef(last_object);
  PyObject*& o = made[d];
  if (!o) {
    try {
      o = nb::cast(Device{d}).release().ptr();
    } catch (nb::python_error& e) {
      e.restore();
      return nullptr;
    }
  }
  last = d;
  last_object = o;
  return Py_NewRef(o);
}

bool parse_device(PyObject* o, bp_device& out) {
  out = 0;
  if (o == Py_None) return true;
  if (Py_TYPE(o) == device_type) {
    out = nb::inst_ptr<Device>(o)->value;
    return true;
  }
  if (!PyUnicode_Check(o)) {
    PyErr_Format(PyExc_TypeError, "expected a device or its name, such as 'cuda:1', got %R", o);
    return false;
  }
  Py_ssize_t n = 0;
  const char* name = PyUnicode_AsUTF8AndSize(o, &n);
  if (!name) return false;
  if (std::strlen(name) != static_cast<size_t>(n)) {
    PyErr_Format(PyExc_ValueError, "embedded null byte in a device: %R", o);
    return false;
  }
  bp_error* err = nullptr;
  const bp_status status = bp_device_parse(name, &out, &err);
  if (status < 0) raise(status, err);
  return status >= 0;
}

bp_device device_of(nb::handle o) {
  bp_device d;
  if (!parse_device(o.ptr(), d)) throw nb::python_error();
  return d;
}

void bind_devices(nb::module_& m) {
  bind_class(m);
  m.def("device_info", info);
  m.def("kinds", [] {
    uint32_t n = 0;
    call_unlocked([&](bp_error** err) { return bp_kind_count(&n, err); });
    nb::list names;
    for (uint32_t i = 0; i < n; ++i) {
      bp_kind kind = 0;
      call([&](bp_error** err) { return bp_kind_at(i, &kind, err); });
      names.append(nb::str(bp_kind_name(kind)));
    }
    return names;
  });
  const auto count = [](bool require) {
    return [=](const std::string& kind) {
      const bp_kind k = bp_device_kind(parse(c_text(kind, "a device")));
      int32_t n = 0;
      call_unlocked([&](bp_error** err) {
        return require ? bp_kind_require(k, &n, err) : bp_device_count(k, &n, err);
      });
      return n;
    };
  };
  m.def("device_count", count(false),
        "Visible devices of a kind; 0 when its backend cannot be used.");
  m.def("require", count(true), "The same; a backend that cannot be used raises its reason.");
  m.def(
      "get_default_device",
      [] {
        bp_device d = 0;
        call([&](bp_error** err) { return bp_default_get(&d, err); });
        return nb::steal(device_object(d));
      },
      "Returns the device on which factories make tensors.\n\n"
      ">>> isinstance(bp.get_default_device(), bp.device)\nTrue");
  m.def(
      "set_default_device",
      [](nb::handle device) {
        const bp_device d = device_of(device);
        call([&](bp_error** err) { return bp_set_default_device(d, err); });
      },
      nb::arg().none(),
      "Sets the device on which factories make tensors; None is the CPU.\n\n"
      ">>> bp.set_default_device(None)");
  m.def("get_current", [](const std::string& kind) {
    const bp_kind k = bp_device_kind(parse(c_text(kind, "a device")));
    bp_device d = 0;
    call_unlocked([&](bp_error** err) { return bp_current_get(k, &d, err); });
    return nb::steal(device_object(d));
  });
  m.def("set_current", [](nb::handle device) {
    const bp_device d = device_of(device);
    call_unlocked([&](bp_error** err) { return bp_set_current(d, err); });
  });
  m.def("push_current", [](nb::handle device) {
    const bp_device d = device_of(device);
    uint64_t token = 0;
    call([&](bp_error** err) { return bp_current_push(d, &token, err); });
    return token;
  });
  m.def("pop_current",
        [](uint64_t token) { call([&](bp_error** err) { return bp_current_pop(token, err); }); });
  m.def("synchronize", [](nb::handle device) {
    const bp_device d = device_of(device);
    call_unlocked([&](bp_error** err) { return bp_synchronize(d, err); });
  });
  m.def(
      "set_visible_devices",
      [](nb::object spec) {
        const char* text = spec.is_none() ? nullptr : nb::cast<const char*>(spec);
        call_unlocked([&](bp_error** err) { return bp_set_visible_devices(text, err); });
      },
      nb::arg("spec").none());
}

}  // namespace bp_py
