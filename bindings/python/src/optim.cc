// SPDX-License-Identifier: Apache-2.0
// optim.cc: optimisers, clipping and schedules as backplane/optim.py and backplane/lr_scheduler.py
// see them. Other Python threads run during a call: an optimiser is locked meanwhile, and a
// schedule's function may be Python's.
#include <nanobind/stl/string.h>

#include <vector>

#include "attrs.h"
#include "bind.h"
#include "callback.h"
#include "dict.h"
#include "handles.h"

namespace bp_py {
namespace {

std::vector<bp_tensor*> params_of(nb::handle list) {
  std::vector<bp_tensor*> out;
  for (nb::handle h : list) {
    if (!is_tensor(h.ptr()))
      fail(PyExc_TypeError, "optimizer can only optimize Tensors, but one of the params is %s",
           Py_TYPE(h.ptr())->tp_name);
    out.push_back(handle_of(h.ptr()));
  }
  return out;
}
uint32_t size_of(const std::vector<bp_tensor*>& v) { return static_cast<uint32_t>(v.size()); }

// name -> (doc, [attr_tuple], [state])
nb::dict optimizer_kinds() {
  nb::dict all;
  for (uint32_t i = 0; i < bp_optimizer_kind_count(); ++i) {
    const char *name = nullptr, *doc = nullptr;
    uint32_t n = 0;
    call([&](bp_error** err) { return bp_optimizer_kind_at(i, &name, &doc, &n, err); });
    const nb::list attrs = attr_tuples(n, [&](uint32_t k, bp_attr_info* info, bp_error** err) {
      return bp_optimizer_kind_attr(name, k, info, err);
    });
    nb::list states;
    const char* state = nullptr;
    for (uint32_t k = 0; bp_optimizer_kind_state(name, k, &state, nullptr) == BP_OK; ++k)
      states.append(nb::str(state));
    all[name] = nb::make_tuple(doc, attrs, states);
  }
  return all;
}

// name -> (doc, [attr_tuple])
nb::dict schedule_kinds() {
  nb::dict all;
  for (uint32_t i = 0; i < bp_schedule_kind_count(); ++i) {
    const char *name = nullptr, *doc = nullptr;
    uint32_t n = 0;
    call([&](bp_error** err) { return bp_schedule_kind_at(i, &name, &doc, &n, err); });
    all[name] =
        nb::make_tuple(doc, attr_tuples(n, [&](uint32_t k, bp_attr_info* info, bp_error** err) {
                         return bp_schedule_kind_attr(name, k, info, err);
                       }));
  }
  return all;
}

nb::object state_at(const OptimizerHandle& o, uint32_t group, uint32_t i, const std::string& name,
                    Tensor like) {
  bp_tensor* t = nullptr;
  call_unlocked([&](bp_error** err) {
    return bp_optimizer_state_at(o.handle, group, i, name.c_str(), &t, err);
  });
  if (!t) return nb::none();
  PyObject* object = wrap(
      t, torch_class && PyType_IsSubtype(like.type(), torch_class) ? torch_class : tensor_class);
  if (!object) throw nb::python_error();
  return nb::steal(object);
}

template <class F>
nb::tuple state_dict(F&& get) {
  bp_dict* d = nullptr;
  call_unlocked([&](bp_error** err) { return get(&d, err); });
  const Dict owned(d);
  return nb::make_tuple(python_dict(owned), python_texts(owned));
}

bp_status python_factor(void* user, int64_t epoch, double* factor, bp_error** err) {
  return run_python(err, [&] {
    const nb::object given = Kept::of(user)(epoch);
    *factor = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred()) throw nb::python_error();
  });
}

std::vector<bp_schedule*> parts_of(nb::list parts) {
  std::vector<bp_schedule*> out;
  for (nb::handle h : parts) out.push_back(nb::cast<ScheduleHandle&>(h).handle);
  return out;
}

template <class F>
ScheduleHandle* new_schedule(F&& make) {
  auto s = std::make_unique<ScheduleHandle>();
  call_unlocked([&](bp_error** err) { return make(&s->handle, err); });
  return s.release();
}

void bind_optimizers(nb::module_& m) {
  m.def("optimizer_kinds", optimizer_kinds);
  nb::class_<OptimizerHandle>(m, "OptimizerHandle")
      .def("__init__",
           [](OptimizerHandle* self, const std::string& kind, nb::handle params, nb::dict attrs) {
             new (self) OptimizerHandle;
             const auto list = params_of(params);
             const Attrs given(attrs);
             call_unlocked([&](bp_error** err) {
               return bp_optimizer_create(kind.c_str(), list.data(), size_of(list), given.data(),
                                          given.size(), &self->handle, err);
             });
           })
      .def("add_group",
           [](OptimizerHandle& o, nb::handle params, nb::dict attrs) {
             const auto list = params_of(params);
             const Attrs given(attrs);
             call_unlocked([&](bp_error** err) {
               return bp_optimizer_add_group(o.handle, list.data(), size_of(list), given.data(),
                                             given.size(), err);
             });
           })
      .def("step",
           [](OptimizerHandle& o) {
             call_unlocked([&](bp_error** err) { return bp_optimizer_step(o.handle, err); });
           })
      .def("zero_grad",
           [](OptimizerHandle& o, bool set_to_none) {
             call_unlocked([&](bp_error** err) {
               return bp_optimizer_zero_grad(o.handle, set_to_none, err);
             });
           })
      .def("get",
           [](OptimizerHandle& o, uint32_t group, const std::string& name) {
             bp_attr a{};
             const char* wanted = c_text(name, "a name");
             call_unlocked([&](bp_error** err) {
               return bp_optimizer_get_attr(o.handle, group, wanted, &a, err);
             });
             return attr_value(a);
           })
      .def("set",
           [](OptimizerHandle& o, uint32_t group, nb::dict attrs) {
             const Attrs given(attrs);
             for (uint32_t i = 0; i < given.size(); ++i)
               call_unlocked([&](bp_error** err) {
                 return bp_optimizer_set_attr(o.handle, group, given.data() + i, err);
               });
           })
      .def("state", state_at)
      .def("steps",
           [](OptimizerHandle& o, uint32_t group, uint32_t i) {
             int64_t n = 0;
             call_unlocked([&](bp_error** err) {
               return bp_optimizer_steps_at(o.handle, group, i, &n, err);
             });
             return n;
           })
      .def("state_dict",
           [](OptimizerHandle& o) {
             return state_dict([&](bp_dict** d, bp_error** err) {
               return bp_optimizer_state_dict(o.handle, d, err);
             });
           })
      .def("load_state_dict", [](OptimizerHandle& o, nb::dict tensors, nb::dict texts) {
        const Dict d = dict_of(tensors, texts);
        call_unlocked(
            [&](bp_error** err) { return bp_optimizer_load_state_dict(o.handle, d.get(), err); });
      });
  m.def("clip_grad_norm",
        [](nb::handle params, double max_norm, double norm_type, bool refuse) -> nb::object {
          const auto list = params_of(params);
          PyTypeObject* type = tensor_class;
          for (nb::handle h : params) {
            if (torch_class && PyType_IsSubtype(Py_TYPE(h.ptr()), torch_class)) type = torch_class;
            break;
          }
          return make(type, /*unlocked=*/true, [&](bp_tensor** out, bp_error** err) {
            return bp_clip_grad_norm(list.data(), size_of(list), max_norm, norm_type, refuse, out,
                                     err);
          });
        });
  m.def("clip_grad_value", [](nb::handle params, double limit) {
    const auto list = params_of(params);
    call_unlocked(
        [&](bp_error** err) { return bp_clip_grad_value(list.data(), size_of(list), limit, err); });
  });
}

void bind_schedules(nb::module_& m) {
  m.def("schedule_kinds", schedule_kinds);
  nb::class_<ScheduleHandle>(m, "ScheduleHandle")
      .def("step",
           [](ScheduleHandle& s) {
             call_unlocked([&](bp_error** err) { return bp_schedule_step(s.handle, err); });
           })
      .def("last_lr",
           [](ScheduleHandle& s, uint32_t group) {
             double lr = 0;
             call_unlocked(
                 [&](bp_error** err) { return bp_schedule_last_lr(s.handle, group, &lr, err); });
             return lr;
           })
      .def(
          "epoch",
          [](ScheduleHandle& s) {
            int64_t epoch = 0;
            call_unlocked([&](bp_error** err) { return bp_schedule_epoch(s.handle, &epoch, err); });
            return epoch;
          })
      .def("state_dict",
           [](ScheduleHandle& s) {
             return nb::object(state_dict([&](bp_dict** d, bp_error** err) {
               return bp_schedule_state_dict(s.handle, d, err);
             })[1]);
           })
      .def("load_state_dict", [](ScheduleHandle& s, nb::dict texts) {
        const Dict d = dict_of(nb::dict(), texts);
        call_unlocked(
            [&](bp_error** err) { return bp_schedule_load_state_dict(s.handle, d.get(), err); });
      });
  m.def(
      "new_schedule",
      [](const std::string& kind, OptimizerHandle& o, nb::dict attrs) {
        const Attrs given(attrs);
        return new_schedule([&](bp_schedule** s, bp_error** err) {
          return bp_schedule_create(kind.c_str(), o.handle, given.data(), given.size(), s, err);
        });
      },
      nb::rv_policy::take_ownership);
  m.def(
      "new_lambda_schedule",
      [](OptimizerHandle& o, nb::object factor) {
        return new_schedule([&](bp_schedule** s, bp_error** err) {
          return bp_schedule_create_lambda(o.handle, python_factor, new Kept{factor},
                                           &Kept::destroy, s, err);
        });
      },
      nb::rv_policy::take_ownership);
  m.def(
      "new_chained_schedule",
      [](nb::list parts) {
        const auto list = parts_of(parts);
        return new_schedule([&](bp_schedule** s, bp_error** err) {
          return bp_schedule_create_chained(list.data(), static_cast<uint32_t>(list.size()), s,
                                            err);
        });
      },
      nb::rv_policy::take_ownership);
  m.def(
      "new_sequential_schedule",
      [](nb::list parts, nb::list milestones) {
        const auto list = parts_of(parts);
        std::vector<int64_t> at;
        for (nb::handle h : milestones) at.push_back(nb::cast<int64_t>(h));
        return new_schedule([&](bp_schedule** s, bp_error** err) {
          return bp_schedule_create_sequential(list.data(), static_cast<uint32_t>(list.size()),
                                               at.data(), static_cast<uint32_t>(at.size()), s, err);
        });
      },
      nb::rv_policy::take_ownership);
}

}  // namespace

void bind_optim(nb::module_& m) {
  bind_optimizers(m);
  bind_schedules(m);
}

}  // namespace bp_py
