// SPDX-License-Identifier: Apache-2.0
// nn.cc: modules. The classes around them are in backplane/nn/. A Python module holds a bp_module;
// the library calls back a Python forward through a weak reference, so that the two do not keep
// each other.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <vector>

#include "attrs.h"
#include "bind.h"
#include "callback.h"
#include "device.h"
#include "dict.h"
#include "dtype.h"
#include "handles.h"

namespace bp_py {
namespace {

std::unique_ptr<Module> owned(bp_module* m) { return std::make_unique<Module>(m); }

template <class F>
std::string text(F&& f) {
  uint64_t n = 0;
  call([&](bp_error** err) { return f(nullptr, uint64_t{0}, &n, err); });
  std::string out(n + 1, '\0');
  call([&](bp_error** err) { return f(out.data(), uint64_t{out.size()}, &n, err); });
  out.resize(n);
  return out;
}

nb::object wrapped(bp_tensor* t, PyTypeObject* type) {
  if (!t) return nb::none();
  PyObject* o = wrap(t, type);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

bp_tensor* optional_tensor(nb::handle o) {
  if (o.is_none()) return nullptr;
  if (!is_tensor(o.ptr()))
    fail(PyExc_TypeError, "expected a tensor or None, got %s", Py_TYPE(o.ptr())->tp_name);
  return handle_of(o.ptr());
}

// ---- kinds ----

nb::list kinds() {
  nb::list all;
  for (uint32_t i = 0; i < bp_module_kind_count(); ++i) {
    bp_module_kind_info k{};
    k.struct_size = sizeof k;
    call([&](bp_error** err) { return bp_module_kind_at(i, &k, err); });
    const nb::list attrs =
        attr_tuples(k.n_attrs, [&](uint32_t a, bp_attr_info* info, bp_error** err) {
          return bp_module_kind_attr(k.name, a, info, err);
        });
    all.append(
        nb::make_tuple(k.name, k.title, k.doc, attrs, k.min_inputs, k.max_inputs, k.n_outputs));
  }
  return all;
}

nb::dict attrs_of(const Module& m) {
  nb::dict all;
  const std::string kind = bp_module_kind(m.handle);
  if (kind.empty()) return all;
  bp_module_kind_info k{};
  k.struct_size = sizeof k;
  call([&](bp_error** err) { return bp_module_kind_find(kind.c_str(), &k, err); });
  for (uint32_t i = 0; i < k.n_attrs; ++i) {
    bp_attr a{};
    call([&](bp_error** err) { return bp_module_attr(m.handle, i, &a, err); });
    all[a.name] = attr_value(a);
  }
  return all;
}

// ---- forward ----

struct Inputs {
  bp_tensor* list[8];
  uint32_t n = 0;
  PyTypeObject* type = tensor_class;
  explicit Inputs(nb::handle args) {
    for (nb::handle h : args) {
      if (n == 8) fail(PyExc_TypeError, "a built-in module takes at most 8 inputs");
      if (!h.is_none() && !is_tensor(h.ptr()))
        fail(PyExc_TypeError, "expected a tensor, got %s", Py_TYPE(h.ptr())->tp_name);
      if (!n && !h.is_none()) type = Py_TYPE(h.ptr());
      list[n++] = h.is_none() ? nullptr : handle_of(h.ptr());
    }
  }
};

using Run = bp_status (*)(bp_module*, bp_tensor* const*, uint32_t, bp_tensor**, uint32_t,
                          bp_error**);
// Returns one output alone, or several in a tuple.
template <Run run>
nb::object forward(const Module& m, nb::handle args, uint32_t n_out) {
  const Inputs in(args);
  bp_tensor* out[BP_MAX_OUTPUTS] = {};
  call_unlocked([&](bp_error** err) { return run(m.handle, in.list, in.n, out, n_out, err); });
  if (n_out == 1) return wrapped(out[0], in.type);
  nb::list all;
  for (uint32_t i = 0; i < n_out; ++i) all.append(wrapped(out[i], in.type));
  return nb::tuple(all);
}

// `user` is a weak reference to the Python module.
bp_status python_forward(void* user, bp_module*, bp_tensor* const* inputs, uint32_t n_in,
                         bp_tensor** outputs, uint32_t n_out, bp_error** err) {
  return run_python(err, [&] {
    const nb::object module = Kept::of(user)();
    if (module.is_none()) fail(PyExc_ReferenceError, "the Python module is gone");
    nb::list args;
    for (uint32_t i = 0; i < n_in; ++i)
      args.append(wrapped(
          bp_tensor_retain(inputs[i]),
          torch_class && nb::cast<bool>(module.attr("_is_torch")) ? torch_class : tensor_class));
    nb::object result = module(*nb::tuple(args));
    if (is_tensor(result.ptr())) result = nb::make_tuple(result);
    uint32_t n = 0;
    for (nb::handle h : result) {
      if (n == n_out) break;
      if (!is_tensor(h.ptr()))
        fail(PyExc_TypeError, "forward gave %s, expected a tensor", Py_TYPE(h.ptr())->tp_name);
      outputs[n++] = bp_tensor_retain(handle_of(h.ptr()));
    }
  });
}

void set_forward(const Module& m, nb::handle weak) {
  if (weak.is_none()) {
    call_alone([&](bp_error** err) {
      return bp_module_set_forward(m.handle, nullptr, nullptr, nullptr, err);
    });
    return;
  }
  auto kept = std::make_unique<Kept>(Kept{nb::borrow(weak)});
  call_alone([&](bp_error** err) {
    return bp_module_set_forward(m.handle, python_forward, kept.get(), &Kept::destroy, err);
  });
  kept.release();
}

std::unique_ptr<Module> custom(const std::string& title, nb::handle weak) {
  auto kept = std::make_unique<Kept>(Kept{nb::borrow(weak)});
  bp_module_desc desc{};
  desc.struct_size = sizeof desc;
  desc.title = c_text(title, "a title");
  desc.forward = python_forward;
  desc.user = kept.get();
  desc.destroy = &Kept::destroy;
  bp_module* m = nullptr;
  call([&](bp_error** err) { return bp_module_custom(&desc, &m, err); });
  kept.release();
  return owned(m);
}

// ---- what is in it ----

using TensorAt = bp_status (*)(bp_module*, uint32_t, uint32_t, char*, uint64_t, uint64_t*,
                               bp_tensor**, bp_error**);
using Count = bp_status (*)(bp_module*, uint32_t, uint32_t*, bp_error**);
template <Count count, TensorAt at>
nb::list tensors(const Module& m, uint32_t flags, nb::type_object type) {
  uint32_t n = 0;
  call([&](bp_error** err) { return count(m.handle, flags, &n, err); });
  nb::list all;
  char name[512];
  for (uint32_t i = 0; i < n; ++i) {
    bp_tensor* t = nullptr;
    call([&](bp_error** err) {
      return at(m.handle, flags, i, name, sizeof name, nullptr, &t, err);
    });
    nb::object o = nb::none();
    if (t) {
      PyObject* made = wrap_as(t, reinterpret_cast<PyTypeObject*>(type.ptr()));
      if (!made) throw nb::python_error();
      o = nb::steal(made);
    }
    all.append(nb::make_tuple(name, o));
  }
  return all;
}
nb::list children(const Module& m) {
  uint32_t n = 0;
  call([&](bp_error** err) {
    return bp_module_child_count(m.handle, BP_MODULE_DUPLICATES, &n, err);
  });
  nb::list all;
  char name[512];
  for (uint32_t i = 0; i < n; ++i) {
    bp_module* c = nullptr;
    call([&](bp_error** err) {
      return bp_module_child_at(m.handle, BP_MODULE_DUPLICATES, i, name, sizeof name, nullptr, &c,
                                err);
    });
    all.append(nb::make_tuple(name, owned(c)));
  }
  return all;
}

void bind_module_class(nb::module_& m) {
  nb::class_<Module>(m, "Module", "A module of the library.")
      .def_prop_ro("kind", [](const Module& s) { return std::string(bp_module_kind(s.handle)); })
      .def_prop_ro("title", [](const Module& s) { return std::string(bp_module_title(s.handle)); })
      .def("same", [](const Module& a, const Module& b) { return a.handle == b.handle; })
      .def("attrs", attrs_of)
      .def("parameters", tensors<bp_module_parameter_count, bp_module_parameter_at>)
      .def("buffers", tensors<bp_module_buffer_count, bp_module_buffer_at>)
      .def("children", children)
      .def(
          "set_parameter",
          [](const Module& s, const std::string& name, nb::handle t) {
            bp_tensor* given = optional_tensor(t);
            call_alone([&](bp_error** err) {
              return bp_module_set_parameter(s.handle, c_text(name, "a name"), given, err);
            });
          },
          nb::arg("name"), nb::arg("t").none())
      .def(
          "set_buffer",
          [](const Module& s, const std::string& name, nb::handle t, bool persistent) {
            bp_tensor* given = optional_tensor(t);
            call_alone([&](bp_error** err) {
              return bp_module_set_buffer(s.handle, c_text(name, "a name"), given, persistent, err);
            });
          },
          nb::arg("name"), nb::arg("t").none(), nb::arg("persistent"))
      .def(
          "set_child",
          [](const Module& s, const std::string& name, const Module* child) {
            call_alone([&](bp_error** err) {
              return bp_module_set_child(s.handle, c_text(name, "a name"),
                                         child ? child->handle : nullptr, err);
            });
          },
          nb::arg("name"), nb::arg("child").none())
      .def("remove",
           [](const Module& s, const std::string& name) {
             call_alone([&](bp_error** err) {
               return bp_module_remove(s.handle, c_text(name, "a name"), err);
             });
           })
      .def("forward", forward<bp_module_forward>)
      .def("kind_forward", forward<bp_module_kind_forward>)
      .def("set_forward", set_forward, nb::arg("weak").none())
      .def("set_training",
           [](const Module& s, bool on) {
             call([&](bp_error** err) { return bp_module_set_training(s.handle, on, err); });
           })
      .def_prop_ro("training", [](const Module& s) { return bp_module_is_training(s.handle) != 0; })
      .def(
          "to",
          [](const Module& s, nb::handle device, nb::handle dtype, bool non_blocking) {
            const bp_device d = device_of(device);
            const bp_dtype t = dtype_of(dtype);
            call_alone(
                [&](bp_error** err) { return bp_module_to(s.handle, d, t, non_blocking, err); });
          },
          nb::arg("device").none(), nb::arg("dtype").none(), nb::arg("non_blocking"))
      .def("set_name",
           [](const Module& s, const std::string& name) {
             call([&](bp_error** err) {
               return bp_module_set_name(s.handle, c_text(name, "a name"), err);
             });
           })
      .def("extra",
           [](const Module& s) {
             return text([&](char* b, uint64_t n, uint64_t* needed, bp_error** err) {
               return bp_module_extra(s.handle, b, n, needed, err);
             });
           })
      .def("summary",
           [](const Module& s, nb::handle args) {
             const Inputs in(args);
             return text([&](char* b, uint64_t n, uint64_t* needed, bp_error** err) {
               return bp_module_summary(s.handle, in.list, in.n, b, n, needed, err);
             });
           })
      .def("enter", [](const Module& s) {
        uint64_t token = 0;
        call([&](bp_error** err) { return bp_module_enter(s.handle, &token, err); });
        return token;
      });
}

using Init2 = bp_status (*)(bp_tensor*, double, double, bp_error**);
using Init1 = bp_status (*)(bp_tensor*, double, bp_error**);
template <Init2 f>
void init2(Tensor t, double a, double b) {
  call_unlocked([&](bp_error** err) { return f(t, a, b, err); });
}
template <Init1 f>
void init1(Tensor t, double a) {
  call_unlocked([&](bp_error** err) { return f(t, a, err); });
}
using Kaiming = bp_status (*)(bp_tensor*, double, const char*, const char*, bp_error**);
template <Kaiming f>
void kaiming(Tensor t, double a, const std::string& mode, const std::string& nonlinearity) {
  const char *by = c_text(mode, "mode"), *behind = c_text(nonlinearity, "nonlinearity");
  call_unlocked([&](bp_error** err) { return f(t, a, by, behind, err); });
}

void bind_init(nb::module_& m) {
  m.def("init_uniform", init2<bp_init_uniform>);
  m.def("init_normal", init2<bp_init_normal>);
  m.def("init_xavier_uniform", init1<bp_init_xavier_uniform>);
  m.def("init_xavier_normal", init1<bp_init_xavier_normal>);
  m.def("init_orthogonal", init1<bp_init_orthogonal>);
  m.def("init_kaiming_uniform", kaiming<bp_init_kaiming_uniform>);
  m.def("init_kaiming_normal", kaiming<bp_init_kaiming_normal>);
  m.def("init_trunc_normal", [](Tensor t, double mean, double std, double low, double high) {
    call_unlocked(
        [&](bp_error** err) { return bp_init_trunc_normal(t, mean, std, low, high, err); });
  });
  m.def("init_constant", [](Tensor t, double value) {
    bp_value v{};
    v.kind = BP_VALUE_F64, v.as.f64 = value;
    call([&](bp_error** err) { return bp_init_constant(t, &v, err); });
  });
  m.def("init_eye", [](Tensor t) { call([&](bp_error** err) { return bp_init_eye(t, err); }); });
  m.def("init_gain", [](const std::string& nonlinearity, double a) {
    double gain = 0;
    call([&](bp_error** err) {
      return bp_init_gain(c_text(nonlinearity, "nonlinearity"), a, &gain, err);
    });
    return gain;
  });
}

}  // namespace

void bind_modules(nb::module_& m) {
  bind_module_class(m);
  bind_init(m);
  m.def("module_kinds", kinds);
  m.def(
      "module_create",
      [](const std::string& kind, nb::dict attrs, nb::handle device, nb::handle dtype) {
        const Attrs given(attrs);
        const bp_device d = device_of(device);
        const bp_dtype t = dtype_of(dtype);
        bp_module* made = nullptr;
        call_unlocked([&](bp_error** err) {
          return bp_module_create(kind.c_str(), given.data(), given.size(), d, t, &made, err);
        });
        return owned(made);
      },
      nb::arg("kind"), nb::arg("attrs"), nb::arg("device").none(), nb::arg("dtype").none());
  m.def("module_custom", custom);
  m.def("module_leave",
        [](uint64_t token) { call([&](bp_error** err) { return bp_module_leave(token, err); }); });
  m.def("module_where", [] {
    return text([](char* b, uint64_t n, uint64_t* needed, bp_error** err) {
      return bp_module_where(b, n, needed, err);
    });
  });
  m.def("set_data", [](Tensor t, Tensor from) {
    call_alone([&](bp_error** err) { return bp_tensor_set_data(t, from, err); });
  });
  // Only as_class makes instances of a class of parameters. The results of ops on them are of the
  // class from which it derives.
  m.def("add_parameter_class", [](nb::type_object type) {
    add_parameter_class(reinterpret_cast<PyTypeObject*>(Py_NewRef(type.ptr())));
  });
  m.def("is_uninitialized", [](Tensor t) { return bp_tensor_rank(t) < 0; });
}

}  // namespace bp_py
