// SPDX-License-Identifier: Apache-2.0
// data.cc: datasets, loaders and metrics, as backplane/data.py and backplane/metrics.py see them. A
// dataset of Python's is asked on whatever thread makes its batches, a loader's own as well; what
// it raises there comes out of the call that wants the batch. The library has a weak reference to
// the function that makes a batch, because what that holds may hold the loader.
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bind.h"
#include "callback.h"
#include "device.h"
#include "handles.h"

namespace bp_py {
namespace {

constexpr uint32_t kMostTensors = 64;  // in an example

nb::list listed(bp_tensor* const* owned, uint32_t n, bool torch) {
  nb::list out;
  for (uint32_t i = 0; i < n; ++i) {
    PyObject* o = wrap(owned[i], torch && torch_class ? torch_class : tensor_class);
    if (!o) throw nb::python_error();
    out.append(nb::steal(o));
  }
  return out;
}

// Counts the loaders' threads that are inside a Python function. When Python ends, it ends such
// threads by unwinding them, which C++ answers with terminate(). So from Python's atexit on no
// thread goes in any more, and atexit waits for those that are inside.
std::atomic<int> inside{0};
std::atomic<bool> ending{false};
class Inside {
 public:
  Inside() { ++inside; }  // comes before `ending` is read
  ~Inside() { --inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  explicit operator bool() const { return !ending; }
};

// A dataset that is stuck does not keep the process.
void end_batches() {
  constexpr int kMostMilliseconds = 5000;
  ending = true;
  const Unlocked others_run;
  for (int i = 0; inside > 0 && i < kMostMilliseconds; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void drop_function(void* user) {
  if (const Inside there; there) Kept::destroy(user);  // or it stays until the process ends
}

// Makes a batch by a Python function: get([numbers of examples]) returns as many tensors as an
// example has. `user` is a weak reference to get.
bp_status python_batch(void* user, const int64_t* indices, uint64_t n, bp_tensor** outs,
                       uint32_t n_outs, bp_error** err) {
  const Inside there;
  if (!there) return bp_error_set(err, BP_CALLBACK, "Python is ending");
  return run_python(err, [&] {
    const nb::object get = Kept::of(user)();
    if (get.is_none()) throw std::runtime_error("the DataLoader is gone");  // nobody asks for it
    nb::list wanted;
    for (uint64_t i = 0; i < n; ++i) wanted.append(indices[i]);
    const nb::object given = get(wanted);
    if (const size_t found = nb::len(given); found != n_outs)
      fail(PyExc_ValueError, "a batch has %zu tensors, the first example has %u", found, n_outs);
    for (uint32_t i = 0; i < n_outs; ++i) {
      const nb::object t = given[i];
      if (!is_tensor(t.ptr()))
        fail(PyExc_TypeError, "tensor %u of a batch is of type %s", i, Py_TYPE(t.ptr())->tp_name);
      outs[i] = bp_tensor_retain(handle_of(t.ptr()));
    }
  });
}

void bind_datasets(nb::module_& m) {
  nb::class_<DatasetHandle>(m, "DatasetHandle")
      .def("__init__",
           [](DatasetHandle* self, nb::list tensors) {
             new (self) DatasetHandle;
             std::vector<bp_tensor*> list;
             for (nb::handle h : tensors) {
               if (!is_tensor(h.ptr()))
                 fail(PyExc_TypeError, "expected a tensor, got %s", Py_TYPE(h.ptr())->tp_name);
               list.push_back(handle_of(h.ptr()));
             }
             call_unlocked([&](bp_error** err) {
               return bp_dataset_from_tensors(list.data(), static_cast<uint32_t>(list.size()),
                                              &self->handle, err);
             });
           })
      .def("__init__",
           [](DatasetHandle* self, int64_t length, uint32_t n_tensors, nb::object weak) {
             new (self) DatasetHandle;
             bp_dataset_desc desc{};
             desc.struct_size = sizeof desc;
             desc.n_tensors = n_tensors;
             desc.length = length;
             desc.get = python_batch;
             auto kept = std::make_unique<Kept>(Kept{std::move(weak)});
             desc.user = kept.get();
             desc.destroy = drop_function;
             call([&](bp_error** err) { return bp_dataset_create(&desc, &self->handle, err); });
             kept.release();
           })
      .def(
          "subset",
          [](const DatasetHandle& d, const std::vector<int64_t>& indices) {
            auto part = std::make_unique<DatasetHandle>();
            call([&](bp_error** err) {
              return bp_dataset_subset(d.handle, indices.data(), indices.size(), &part->handle,
                                       err);
            });
            return part.release();
          },
          nb::rv_policy::take_ownership)
      .def("get",
           [](const DatasetHandle& d, const std::vector<int64_t>& indices, bool torch) {
             bp_tensor* outs[kMostTensors] = {};
             const uint32_t n = bp_dataset_n_tensors(d.handle);
             call_unlocked([&](bp_error** err) {
               return bp_dataset_get(d.handle, indices.data(), indices.size(), outs, n, err);
             });
             return listed(outs, n, torch);
           })
      .def("__len__", [](const DatasetHandle& d) { return bp_dataset_length(d.handle); })
      .def_prop_ro("n_tensors",
                   [](const DatasetHandle& d) { return bp_dataset_n_tensors(d.handle); });
}

void bind_loaders(nb::module_& m) {
  nb::class_<LoaderHandle>(m, "LoaderHandle")
      .def("__init__",
           [](LoaderHandle* self, const DatasetHandle& d, int64_t batch_size, bool shuffle,
              bool drop_last, uint32_t prefetch, uint64_t seed, nb::handle device, uint32_t part,
              uint32_t n_parts) {
             new (self) LoaderHandle;
             const uint32_t flags =
                 (shuffle ? BP_LOADER_SHUFFLE : 0u) | (drop_last ? BP_LOADER_DROP_LAST : 0u);
             const bp_loader_desc desc{sizeof desc, flags, batch_size, device_of(device),
                                       prefetch,    0,     seed,       part,
                                       n_parts};
             call_unlocked([&](bp_error** err) {
               return bp_loader_create(d.handle, &desc, &self->handle, err);
             });
           })
      // Returns None at the end of the epoch.
      .def("next",
           [](const LoaderHandle& l, uint32_t n, bool torch) -> nb::object {
             bp_tensor* outs[kMostTensors] = {};
             if (n > kMostTensors)
               fail(PyExc_ValueError, "an example has at most %u tensors, not %u", kMostTensors, n);
             const bp_status status = call_unlocked(
                 [&](bp_error** err) { return bp_loader_next(l.handle, outs, n, err); });
             if (status == BP_EPOCH_END) return nb::none();
             return listed(outs, n, torch);
           })
      .def("state",
           [](const LoaderHandle& l) {
             uint64_t epoch = 0, batch = 0, seed = 0;
             call([&](bp_error** err) {
               return bp_loader_get_state(l.handle, &epoch, &batch, &seed, err);
             });
             return nb::make_tuple(epoch, batch, seed);
           })
      .def("set_state",
           [](const LoaderHandle& l, uint64_t epoch, uint64_t batch, uint64_t seed) {
             call_unlocked([&](bp_error** err) {
               return bp_loader_set_state(l.handle, epoch, batch, seed, err);
             });
           })
      .def("__len__", [](const LoaderHandle& l) { return bp_loader_length(l.handle); });
}

void bind_metrics(nb::module_& m) {
  nb::class_<MetricHandle>(m, "MetricHandle")
      .def("__init__",
           [](MetricHandle* self, bool accuracy) {
             new (self) MetricHandle;
             call([&](bp_error** err) {
               return bp_metric_create(accuracy ? BP_METRIC_ACCURACY : BP_METRIC_MEAN,
                                       &self->handle, err);
             });
           })
      .def(
          "add",
          [](const MetricHandle& k, Tensor x, nb::handle target, double weight) {
            if (!target.is_none() && !is_tensor(target.ptr()))
              fail(PyExc_TypeError, "target must be a tensor, not %s",
                   Py_TYPE(target.ptr())->tp_name);
            bp_tensor* wanted = target.is_none() ? nullptr : handle_of(target.ptr());
            call_unlocked(
                [&](bp_error** err) { return bp_metric_add(k.handle, x, wanted, weight, err); });
          },
          nb::arg(), nb::arg().none(), nb::arg())
      .def("value",
           [](const MetricHandle& k) {
             double value = 0;
             call_unlocked([&](bp_error** err) { return bp_metric_value(k.handle, &value, err); });
             return value;
           })
      .def("reset", [](const MetricHandle& k) {
        call([&](bp_error** err) { return bp_metric_reset(k.handle, err); });
      });
}

}  // namespace

void bind_data(nb::module_& m) {
  m.def("is_ending", [] { return ending.load(); });
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(end_batches));
  bind_datasets(m);
  bind_loaders(m);
  bind_metrics(m);
}

}  // namespace bp_py
