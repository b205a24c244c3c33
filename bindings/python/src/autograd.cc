// SPDX-License-Identifier: Apache-2.0
// autograd.cc: automatic differentiation. The classes around it are backplane/autograd.py.
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bind.h"
#include "callback.h"

namespace bp_py {
namespace {

// Returns the class of a tensor's gradient: the plain class of the family, because a Parameter's
// gradient is no Parameter.
PyTypeObject* plain_class(PyTypeObject* type) {
  return torch_class && PyType_IsSubtype(type, torch_class) ? torch_class : tensor_class;
}

nb::object wrapped(bp_tensor* owned, PyTypeObject* type) {
  PyObject* o = wrap(owned, plain_class(type));
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

std::vector<bp_tensor*> tensors_of(nb::handle list, bool nones) {
  std::vector<bp_tensor*> out;
  for (nb::handle h : list) {
    if (nones && h.is_none()) {
      out.push_back(nullptr);
      continue;
    }
    if (!is_tensor(h.ptr()))
      fail(PyExc_TypeError, "expected a tensor%s, got %s", nones ? " or None" : "",
           Py_TYPE(h.ptr())->tp_name);
    out.push_back(handle_of(h.ptr()));
  }
  return out;
}

nb::object grad(Tensor t) {
  bp_tensor* g = nullptr;
  call([&](bp_error** err) { return bp_tensor_grad(t, &g, err); });
  return g ? wrapped(g, t.type()) : nb::none();
}

void set_grad(Tensor t, nb::handle value) {
  if (!value.is_none() && !is_tensor(value.ptr()))
    fail(PyExc_TypeError, "assigned grad expected to be a Tensor or None but got grad of type %s",
         Py_TYPE(value.ptr())->tp_name);
  call([&](bp_error** err) {
    return bp_tensor_set_grad(t, value.is_none() ? nullptr : handle_of(value.ptr()), err);
  });
}

nb::object grad_fn(Tensor t) {
  char name[256];
  call([&](bp_error** err) { return bp_tensor_grad_fn(t, name, sizeof name, nullptr, err); });
  return name[0] ? nb::object(nb::str(name)) : nb::none();
}

// ---- hooks ----

std::atomic<int> n_hooks{0};  // that live

// A function that the library calls, and the class of the tensors that it is given, alive as long
// as tensors of it are.
struct Hook : Kept {
  PyTypeObject* type;
  Hook(nb::object callable, PyTypeObject* tensors) : Kept{std::move(callable)}, type(tensors) {
    ++n_hooks;
  }
  ~Hook() { --n_hooks; }
  Hook(const Hook&) = delete;
  static void destroy(void* user) {
    const Locked python;
    if (python) delete static_cast<Hook*>(user);  // or it stays until the process ends
  }
};

// Calls visit(object), for each function of Python's that t alone keeps, with the place of it.
template <class F>
void each_hook_of(PyObject* t, F visit) {
  if (!n_hooks || is_any_inside()) return;
  bp_tensor_visit_contexts(
      handle_of(t),
      [](void* user, void (*destroy)(void*), void* arg) {
        if (destroy == &Hook::destroy) (*static_cast<F*>(arg))(static_cast<Hook*>(user)->object);
      },
      &visit, nullptr);
}

// The collector sees no object that was kept for the next (tensor_object.cc) until it is told.
void let_collector_follow(PyObject* t) {
  if (PyType_IS_GC(Py_TYPE(t)) && !PyObject_GC_IsTracked(t)) PyObject_GC_Track(t);
}

bp_status gradient_hook(void* user, bp_tensor* grad, bp_tensor** out, bp_error** err) {
  return run_python(err, [&] {
    nb::object other =
        Kept::of(user)(wrapped(bp_tensor_retain(grad), static_cast<Hook*>(user)->type));
    if (other.is_none()) return;
    if (!is_tensor(other.ptr()))
      fail(PyExc_TypeError, "expected a tensor or None of a gradient's hook, got %s",
           Py_TYPE(other.ptr())->tp_name);
    *out = bp_tensor_retain(handle_of(other.ptr()));
  });
}

bp_status accumulated_hook(void* user, bp_tensor* leaf, bp_tensor**, bp_error** err) {
  return run_python(err, [&] {
    PyObject* o = wrap_as(bp_tensor_retain(leaf), static_cast<Hook*>(user)->type);
    if (!o) throw nb::python_error();
    Kept::of(user)(nb::steal(o));
  });
}

template <auto function, auto hook>
uint64_t add_hook(Tensor t, nb::object callable) {
  auto kept = std::make_unique<Hook>(std::move(callable), t.type());
  uint64_t id = 0;
  bp_error* err = nullptr;
  const bp_status status = function(t, hook, kept.release(), &Hook::destroy, &id, &err);
  check(status, err);
  let_collector_follow(t.object);
  return id;
}

// ---- functions ----

// The callable(saved, grads) returns a gradient or None for each input.
bp_status python_backward(void* user, bp_tensor* const* saved, uint32_t n_saved,
                          bp_tensor* const* grads, uint32_t n_grads, bp_tensor** out,
                          uint32_t n_out, bp_error** err) {
  return run_python(err, [&] {
    const auto listed = [&](bp_tensor* const* list, uint32_t n) {
      nb::list all;
      for (uint32_t i = 0; i < n; ++i)
        all.append(list[i] ? wrapped(bp_tensor_retain(list[i]), static_cast<Hook*>(user)->type)
                           : nb::none());
      return all;
    };
    nb::object given = Kept::of(user)(listed(saved, n_saved), listed(grads, n_grads));
    const std::vector<bp_tensor*> found = tensors_of(given, true);
    if (found.size() != n_out)
      fail(PyExc_RuntimeError,
           "function returned an incorrect number of gradients (expected %u, got %zu)", n_out,
           found.size());
    for (uint32_t i = 0; i < n_out; ++i) out[i] = found[i] ? bp_tensor_retain(found[i]) : nullptr;
  });
}

void grad_function(const std::string& name, nb::handle saved, nb::handle inputs, nb::handle outputs,
                   nb::object backward) {
  const auto kept = tensors_of(saved, false), in = tensors_of(inputs, false),
             out = tensors_of(outputs, false);
  PyTypeObject* type = out.empty() ? tensor_class : Py_TYPE(nb::object(outputs[0]).ptr());
  bp_grad_function_desc desc{};
  desc.struct_size = sizeof desc;
  desc.name = c_text(name, "a name");
  desc.backward = python_backward;
  desc.saved = kept.data();
  desc.n_saved = static_cast<uint32_t>(kept.size());
  desc.user = new Hook(std::move(backward), type);
  desc.destroy = &Hook::destroy;
  call([&](bp_error** err) {
    return bp_grad_function(&desc, in.data(), static_cast<uint32_t>(in.size()), out.data(),
                            static_cast<uint32_t>(out.size()), err);
  });
  for (nb::handle t : outputs) let_collector_follow(t.ptr());
}

// ---- backward ----

void backward(nb::handle roots, nb::handle grads, bool retain_graph, bool create_graph) {
  const auto from = tensors_of(roots, false), given = tensors_of(grads, true);
  if (!given.empty() && given.size() != from.size())
    fail(PyExc_RuntimeError, "got %zu tensors and %zu gradients", from.size(), given.size());
  const uint32_t flags =
      (retain_graph ? BP_GRAD_RETAIN_GRAPH : 0u) | (create_graph ? BP_GRAD_CREATE_GRAPH : 0u);
  call_unlocked([&](bp_error** err) {
    return bp_backward(from.data(), given.empty() ? nullptr : given.data(),
                       static_cast<uint32_t>(from.size()), flags, err);
  });
}

nb::object grads_of(nb::handle roots, nb::handle grads, nb::handle inputs, bool retain_graph,
                    bool create_graph, bool allow_unused) {
  const auto from = tensors_of(roots, false), given = tensors_of(grads, true),
             to = tensors_of(inputs, false);
  if (!given.empty() && given.size() != from.size())
    fail(PyExc_RuntimeError, "got %zu tensors and %zu gradients", from.size(), given.size());
  const uint32_t flags = (retain_graph ? BP_GRAD_RETAIN_GRAPH : 0u) |
                         (create_graph ? BP_GRAD_CREATE_GRAPH : 0u) |
                         (allow_unused ? BP_GRAD_ALLOW_UNUSED : 0u);
  std::vector<bp_tensor*> out(to.size());
  call_unlocked([&](bp_error** err) {
    return bp_grad(from.data(), given.empty() ? nullptr : given.data(),
                   static_cast<uint32_t>(from.size()), to.data(), static_cast<uint32_t>(to.size()),
                   flags, out.data(), err);
  });
  nb::list found;
  size_t i = 0;
  for (nb::handle input : inputs) {
    found.append(out[i] ? wrapped(out[i], Py_TYPE(input.ptr())) : nb::none());
    ++i;
  }
  return nb::tuple(found);
}

// Is called when Python's collector begins and when it ends.
void collect_gradients(nb::str phase, nb::dict info) {
  if (is_any_inside() || std::strcmp(phase.c_str(), "start") != 0 ||
      nb::cast<int>(info["generation"]) != 2)
    return;
  call([](bp_error** err) { return bp_grad_collect(nullptr, err); });
}

}  // namespace

int visit_hooks(PyObject* t, visitproc visit, void* arg) {
  int stopped = 0;
  each_hook_of(t, [&](const nb::object& o) {
    if (!stopped && o.ptr()) stopped = visit(o.ptr(), arg);
  });
  return stopped;
}

// The functions die when all are taken, for one that dies may remove another.
void clear_hooks(PyObject* t) {
  std::vector<nb::object> taken;
  each_hook_of(t, [&](nb::object& o) { taken.push_back(std::exchange(o, nb::none())); });
}

void bind_autograd(nb::module_& m) {
  m.def("requires_grad", [](Tensor t) { return bp_tensor_requires_grad(t) != 0; });
  m.def("set_requires_grad", [](Tensor t, bool on) {
    call([&](bp_error** err) { return bp_tensor_set_requires_grad(t, on, err); });
  });
  m.def("is_leaf", [](Tensor t) { return bp_tensor_is_leaf(t) != 0; });
  m.def("grad", grad);
  m.def("set_grad", set_grad, nb::arg("t"), nb::arg("value").none());
  m.def("grad_fn", grad_fn, "The name of what made it; None of a leaf.");
  m.def("retain_grad",
        [](Tensor t) { call([&](bp_error** err) { return bp_tensor_retain_grad(t, err); }); });
  m.def("detach", [](Tensor t) {
    return make(plain_class(t.type()), false,
                [&](bp_tensor** out, bp_error** err) { return bp_tensor_detach(t, out, err); });
  });
  m.def(
      "grad_enabled", [] { return bp_grad_enabled() != 0; },
      "Returns whether this thread records ops.\n\n>>> bp.is_grad_enabled()\nTrue");
  m.def(
      "set_grad_enabled", [](bool on) { return bp_grad_set_enabled(on) != 0; },
      "Gives what was before.");
  m.def("register_hook", add_hook<bp_tensor_register_hook, &gradient_hook>);
  m.def("register_accumulated_hook",
        add_hook<bp_tensor_register_accumulated_hook, &accumulated_hook>);
  m.def("remove_hook", [](Tensor t, uint64_t id) {
    call([&](bp_error** err) { return bp_tensor_remove_hook(t, id, err); });
  });
  m.def("grad_function", grad_function);
  m.def("collect_gradients", collect_gradients);
  m.def("backward", backward);
  m.def("grads_of", grads_of);
}

}  // namespace bp_py
