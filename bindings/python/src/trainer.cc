// SPDX-License-Identifier: Apache-2.0
// trainer.cc: the training loop, as backplane/train.py sees it. Other Python threads run while it
// works; the callbacks are methods of one Python object, to which the loop has a weak reference,
// because that object holds the loop.
#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

#include "bind.h"
#include "callback.h"
#include "dict.h"
#include "handles.h"

namespace bp_py {
namespace {

struct Target {
  // A weak reference to an object with compute_loss, prepare_batch, on_batch and on_epoch.
  nb::object weak;
  std::vector<bp_module*> models;  // the trainer holds them
  bool torch;
  bool prepares = false;  // true if batches go through prepare_batch

  static Target& of(void* user) { return *static_cast<Target*>(user); }
  static void destroy(void* user) {
    const Locked python;
    if (python) delete static_cast<Target*>(user);  // or it stays until the process ends
  }
  nb::object object() const {
    nb::object o = weak();
    if (o.is_none()) fail(PyExc_ReferenceError, "the Trainer is gone");
    return o;
  }
  nb::object tensor(bp_tensor* borrowed) const {
    PyObject* o =
        wrap(bp_tensor_retain(borrowed), torch && torch_class ? torch_class : tensor_class);
    if (!o) throw nb::python_error();
    return nb::steal(o);
  }
  nb::list listed(bp_tensor* const* batch, uint32_t n) const {
    nb::list out;
    for (uint32_t i = 0; i < n; ++i) out.append(tensor(batch[i]));
    return out;
  }
};

struct TrainerHandle {
  bp_trainer* handle = nullptr;
  Target* target = nullptr;  // owned by the trainer
  TrainerHandle() = default;
  TrainerHandle(const TrainerHandle&) = delete;
  ~TrainerHandle() { bp_trainer_release(handle); }
};

bp_tensor* given_tensor(nb::handle h, const char* who, const char* what) {
  if (!is_tensor(h.ptr()))
    fail(PyExc_TypeError, "%s must give %s, got %s", who, what, Py_TYPE(h.ptr())->tp_name);
  return bp_tensor_retain(handle_of(h.ptr()));
}

// Python's compute_loss(model's number, batch, training) returns the loss, and the output or None.
bp_status compute_loss(void* user, bp_module* m, bp_tensor* const* batch, uint32_t n,
                       bp_tensor** loss, bp_tensor** output, bp_error** err) {
  return run_python(err, [&] {
    const Target& t = Target::of(user);
    size_t number = 0;
    while (number + 1 < t.models.size() && t.models[number] != m) ++number;
    const nb::object given =
        t.object().attr("compute_loss")(number, t.listed(batch, n), bp_module_is_training(m) != 0);
    *loss = given_tensor(nb::object(given[0]), "the step", "a loss");
    const nb::object scores = given[1];
    if (!scores.is_none()) *output = given_tensor(scores, "the step", "scores");
  });
}

bp_status prepare_batch(void* user, uint32_t training, bp_tensor** batch, uint32_t n,
                        bp_error** err) {
  if (!Target::of(user).prepares) return BP_OK;
  return run_python(err, [&] {
    const Target& t = Target::of(user);
    const nb::object given = t.object().attr("prepare_batch")(training != 0, t.listed(batch, n));
    if (const size_t found = nb::len(given); found != n)
      fail(PyExc_ValueError, "prepare_batch gave %zu tensors for a batch of %u", found, n);
    for (uint32_t i = 0; i < n; ++i) {
      bp_tensor* other = given_tensor(nb::object(given[i]), "prepare_batch", "tensors");
      bp_tensor_release(batch[i]);
      batch[i] = other;
    }
  });
}

bp_status on_batch(void* user, const bp_train_figures* f, bp_error** err) {
  return run_python(err, [&] {
    const Target& t = Target::of(user);
    t.object().attr("on_batch")(f->epoch, f->batch, f->n_batches,
                                f->loss ? t.tensor(f->loss) : nb::none());
  });
}

bp_status on_epoch(void* user, const bp_train_figures* f, bp_error** err) {
  return run_python(err, [&] {
    Target::of(user).object().attr("on_epoch")(f->epoch, f->n_batches, f->train_loss,
                                               f->train_accuracy, f->val_loss, f->val_accuracy);
  });
}

template <class T>
std::vector<decltype(T::handle)> handles_in(nb::handle list) {
  std::vector<decltype(T::handle)> out;
  for (nb::handle h : list) out.push_back(nb::cast<T&>(h).handle);
  return out;
}

// The loop calls methods of target, among them compute_loss if loss is None.
void create(TrainerHandle* self, nb::list models, nb::list optimizers, nb::list schedules,
            const Module* loss, const LoaderHandle& loader, const LoaderHandle* val,
            nb::object target, bool accuracy, bool shard_states, bool torch,
            const GroupHandle* group) {
  new (self) TrainerHandle;
  auto modules = handles_in<Module>(models);
  const auto steps = handles_in<OptimizerHandle>(optimizers);
  const auto rates = handles_in<ScheduleHandle>(schedules);
  if (steps.size() != modules.size() || (!rates.empty() && rates.size() != modules.size()))
    fail(PyExc_ValueError, "%zu models, %zu optimizers, %zu schedules", modules.size(),
         steps.size(), rates.size());
  auto user = std::make_unique<Target>(
      Target{nb::module_::import_("weakref").attr("ref")(target), modules, torch});
  bp_trainer_desc desc{};
  desc.struct_size = sizeof desc;
  desc.flags = (accuracy ? uint32_t{BP_TRAINER_ACCURACY} : 0u) |
               (shard_states ? uint32_t{BP_TRAINER_SHARD_STATES} : 0u);
  desc.n_devices = static_cast<uint32_t>(modules.size());
  desc.modules = modules.data();
  desc.optimizers = steps.data();
  desc.schedules = rates.empty() ? nullptr : rates.data();
  desc.loss = loss ? loss->handle : nullptr;
  desc.loader = loader.handle;
  desc.val_loader = val ? val->handle : nullptr;
  desc.group = group ? group->handle : nullptr;
  desc.compute_loss = loss ? nullptr : compute_loss;
  desc.prepare_batch = prepare_batch;
  desc.on_batch = on_batch;
  desc.on_epoch = on_epoch;
  desc.user = user.get();
  desc.destroy = &Target::destroy;
  call_unlocked([&](bp_error** err) { return bp_trainer_create(&desc, &self->handle, err); });
  self->target = user.release();
}

}  // namespace

void bind_trainer(nb::module_& m) {
  nb::class_<TrainerHandle>(m, "TrainerHandle")
      .def("__init__", create, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
           nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
      // Returns false if the run was stopped.
      .def(
          "fit",
          [](const TrainerHandle& t, uint64_t max_epochs, double clip, nb::handle path) {
            const std::string file =
                path.is_none() ? std::string() : path_of(nb::cast<nb::bytes>(path));
            const bp_fit_desc how{sizeof how, 0, max_epochs, clip,
                                  path.is_none() ? nullptr : file.c_str()};
            return call_unlocked([&](bp_error** err) {
                     return bp_trainer_fit(t.handle, &how, err);
                   }) == BP_OK;
          },
          nb::arg(), nb::arg(), nb::arg().none())
      .def_prop_rw(
          "prepares", [](const TrainerHandle& t) { return t.target->prepares; },
          [](const TrainerHandle& t, bool on) { t.target->prepares = on; })
      .def("stop", [](const TrainerHandle& t) { bp_trainer_stop(t.handle); })
      .def_prop_ro("epoch", [](const TrainerHandle& t) { return bp_trainer_epoch(t.handle); })
      .def("evaluate",
           [](const TrainerHandle& t, const LoaderHandle& loader) {
             double loss = 0, accuracy = 0;
             call_unlocked([&](bp_error** err) {
               return bp_trainer_evaluate(t.handle, loader.handle, &loss, &accuracy, err);
             });
             return nb::make_tuple(loss, accuracy);
           })
      .def("save",
           [](const TrainerHandle& t, nb::bytes path) {
             const std::string file = path_of(path);
             call_unlocked([&](bp_error** err) {
               return bp_trainer_save(t.handle, file.c_str(), nullptr, err);
             });
           })
      // Returns the tensors and the texts.
      .def(
          "state_dict",
          [](const TrainerHandle& t) {
            bp_dict* d = nullptr;
            call_unlocked([&](bp_error** err) { return bp_trainer_state_dict(t.handle, &d, err); });
            const Dict owned(d);
            return nb::make_tuple(python_dict(owned), python_texts(owned));
          })
      .def("load_state_dict", [](const TrainerHandle& t, nb::dict tensors, nb::dict texts) {
        const Dict d = dict_of(tensors, texts);
        call_unlocked(
            [&](bp_error** err) { return bp_trainer_load_state_dict(t.handle, d.get(), err); });
      });
}

}  // namespace bp_py
