// SPDX-License-Identifier: Apache-2.0
// exchange.cc: DLPack's capsules, both ways, over the C API (c_dlpack.h).
#include <memory>
#include <string>

#include "bind.h"

// DLPack's structs, as far as needed to put a deleter of ours before theirs. The library reads what
// they describe.
struct DLManagedTensor {
  alignas(8) unsigned char array[48];
  void* owner;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* owner;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  alignas(8) unsigned char array[48];
};

namespace bp_py {
namespace {

// DLPack 1.x, and what came before it.
struct Versioned {
  using Managed = DLManagedTensorVersioned;
  static constexpr const char *kName = "dltensor_versioned", *kUsed = "used_dltensor_versioned";
  static constexpr auto give = bp_tensor_to_dlpack;
  static constexpr auto take = bp_tensor_from_dlpack;
  static constexpr auto release = bp_dlpack_release;
  static bool is_known(const Managed* m) { return m->major == 1; }
};
struct Unversioned {
  using Managed = DLManagedTensor;
  static constexpr const char *kName = "dltensor", *kUsed = "used_dltensor";
  static constexpr auto give = bp_tensor_to_dlpack_unversioned;
  static constexpr auto take = bp_tensor_from_dlpack_unversioned;
  static constexpr auto release = bp_dlpack_release_unversioned;
  static bool is_known(const Managed*) { return true; }
};

// Raises a BufferError for what cannot be handed over, as the array API standard wants it.
template <class F>
void call_exchange(F&& f) {
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run;
    status = f(&err);
  }
  if (status == BP_INVALID_ARGUMENT || status == BP_UNSUPPORTED || status == BP_UNAVAILABLE) {
    const std::string text = bp_error_message(err, nullptr);
    bp_error_release(err);
    fail(PyExc_BufferError, "%s", text.c_str());
  }
  check(status, err);
}

template <class Version>
typename Version::Managed* held(PyObject* capsule) {
  return static_cast<typename Version::Managed*>(PyCapsule_GetPointer(capsule, Version::kName));
}

template <class Version>
void drop_unused(PyObject* capsule) {  // nobody took it
  if (PyCapsule_IsValid(capsule, Version::kName)) Version::release(held<Version>(capsule));
}

template <class Version>
nb::object give(bp_tensor* t, uint32_t flags) {
  typename Version::Managed* m = nullptr;
  call_exchange([&](bp_error** err) { return Version::give(t, flags, &m, err); });
  PyObject* capsule = PyCapsule_New(m, Version::kName, drop_unused<Version>);
  if (!capsule) {
    Version::release(m);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

// A copy of another library's struct with a deleter that locks the interpreter: their deleter may
// be Python's, and the last release may be on any thread.
template <class Managed>
struct Borrowed {
  Managed managed;
  Managed* theirs;

  explicit Borrowed(Managed* m) : managed(*m), theirs(m) {
    managed.owner = this;
    managed.deleter = give_back;
  }
  static void give_back(Managed* m) {
    const Locked python;
    if (!python) return;  // both stay until the process ends
    const std::unique_ptr<Borrowed> own(static_cast<Borrowed*>(m->owner));
    if (own->theirs->deleter) own->theirs->deleter(own->theirs);
  }
};

template <class Version>
nb::object take(nb::handle capsule) {
  auto* m = held<Version>(capsule.ptr());
  std::unique_ptr<Borrowed<typename Version::Managed>> borrowed;
  // The library knows a struct of its own by the deleter, which therefore must stay.
  if (Version::is_known(m) && PyCapsule_GetDestructor(capsule.ptr()) != drop_unused<Version>) {
    borrowed = std::make_unique<Borrowed<typename Version::Managed>>(m);
    m = &borrowed->managed;
  }
  // This comes first, because other threads may hold the capsule too.
  PyCapsule_SetName(capsule.ptr(), Version::kUsed);
  bp_tensor* out = nullptr;
  try {
    call_exchange([&](bp_error** err) { return Version::take(m, &out, err); });
  } catch (...) {
    PyCapsule_SetName(capsule.ptr(), Version::kName);
    throw;
  }
  static_cast<void>(borrowed.release());  // the tensor ends it
  PyCapsule_SetDestructor(capsule.ptr(), nullptr);
  PyObject* o = wrap(out);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

nb::object from_capsule(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), Versioned::kName)) return take<Versioned>(capsule);
  if (PyCapsule_IsValid(capsule.ptr(), Unversioned::kName)) return take<Unversioned>(capsule);
  fail(PyExc_BufferError, "expected a capsule of DLPack that was not used yet, got %R",
       capsule.ptr());
}

}  // namespace

void bind_exchange(nb::module_& m) {
  // None for a simulated device that the caller does not know.
  m.def("to_dlpack", [](Tensor t, bool versioned, bool copied, bool ordered, bool known) {
    if (!known && bp_device_kind(bp_tensor_device(t)) != BP_KIND_CPU) {
      int32_t type = 0, id = 0;
      call([&](bp_error** err) { return bp_tensor_dlpack_device(t, &type, &id, err); });
      constexpr int32_t kExtension = 12;  // DLPack's kDLExtDev
      if (type == kExtension) return nb::object(nb::none());
    }
    const uint32_t flags =
        (copied ? +BP_DLPACK_COPIED : 0u) | (ordered ? 0u : +BP_DLPACK_UNORDERED);
    return versioned ? give<Versioned>(t, flags) : give<Unversioned>(t, flags);
  });
  m.def("dlpack_device", [](Tensor t) {
    int32_t type = 0, id = 0;
    call([&](bp_error** err) { return bp_tensor_dlpack_device(t, &type, &id, err); });
    return nb::make_tuple(type, id);
  });
  m.def("from_dlpack", from_capsule);
}

}  // namespace bp_py
