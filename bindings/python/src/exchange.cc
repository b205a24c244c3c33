// exchange.cc: DLPack, both ways. A tensor of any device goes out; what comes in is host memory.
#include <algorithm>
#include <type_traits>

#include "bind.h"
#include "device.h"
#include "dlpack.h"
#include "dtype.h"

namespace bp_py {
namespace {

constexpr const char* kName = "dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";

dlpack::DataType type_of(bp_dtype t) {
  const auto bits = static_cast<uint8_t>(8 * dtype_bytes(t));
  if (t == BP_BOOL) return {dlpack::kBool, bits, 1};
  if (t == BP_BF16) return {dlpack::kBfloat, bits, 1};
  if (t >= BP_C64) return {dlpack::kComplex, bits, 1};
  if (t >= BP_F16) return {dlpack::kFloat, bits, 1};
  const bool is_unsigned = t == BP_U8 || t == BP_U16 || t == BP_U32 || t == BP_U64;
  return {is_unsigned ? dlpack::kUInt : dlpack::kInt, bits, 1};
}

bp_dtype dtype_of(dlpack::DataType wanted) {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
    const dlpack::DataType d = type_of(t);
    if (d.code == wanted.code && d.bits == wanted.bits && wanted.lanes == 1) return t;
  }
  fail(PyExc_BufferError, "a DLPack type of code %d, %d bits and %d lanes is not known",
       wanted.code, wanted.bits, wanted.lanes);
}

// Known kinds have DLPack's numbers. Others, and simulated devices under whatever name, are
// extensions: their addresses mean nothing to another library.
dlpack::Device device_of(const bp_tensor* t) {
  const bp_device d = bp_tensor_device(t);
  const bp_kind kind = bp_device_kind(d);
  if (kind == BP_KIND_CPU) return {dlpack::kCpu, 0};
  bp_device_info info{};
  info.struct_size = sizeof info;
  call_unlocked([&](bp_error** err) { return bp_device_get_info(d, &info, err); });
  const bool own = kind >= BP_KIND_DYNAMIC || info.flags & BP_DEVICE_SIMULATED;
  return {own ? dlpack::kExtDev : kind, bp_device_index(d)};
}

// ---- out
// -----------------------------------------------------------------------------------------------------------

// The struct that goes out, and what it points at.
template <class Struct>
struct Export {
  Struct managed;
  bp_tensor* tensor;
  int64_t shape[BP_MAX_RANK], strides[BP_MAX_RANK];

  static void destroy(Struct* m) {
    auto* e = static_cast<Export*>(m->owner);
    bp_tensor_release(e->tensor);
    delete e;
  }
};

template <class Struct>
void drop_unused(PyObject* capsule) {  // nobody took it
  const char* name = std::is_same_v<Struct, dlpack::Versioned> ? kVersionedName : kName;
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* m = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  m->deleter(m);
}

template <class Struct>
nb::object give(bp_tensor* t, uint64_t flags) {
  void* data = nullptr;
  call_unlocked(
      [&](bp_error** err) { return bp_tensor_data(t, &data, err); });  // waits for what writes it
  const dlpack::Device device = device_of(t);
  auto* e = new Export<Struct>{};
  const int32_t rank = bp_tensor_rank(t);
  std::copy_n(bp_tensor_shape(t), rank, e->shape);
  std::copy_n(bp_tensor_strides(t), rank, e->strides);
  e->tensor = bp_tensor_retain(t);
  e->managed.owner = e;
  e->managed.deleter = Export<Struct>::destroy;
  e->managed.array = {data, device, rank, type_of(bp_tensor_dtype(t)), e->shape, e->strides, 0};
  if constexpr (std::is_same_v<Struct, dlpack::Versioned>) {
    e->managed.major = dlpack::kMajor, e->managed.minor = dlpack::kMinor;
    e->managed.flags = flags;
  }
  const char* name = std::is_same_v<Struct, dlpack::Versioned> ? kVersionedName : kName;
  PyObject* capsule = PyCapsule_New(&e->managed, name, drop_unused<Struct>);
  if (!capsule) {
    Export<Struct>::destroy(&e->managed);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

// ---- in
// ------------------------------------------------------------------------------------------------------------

template <class Struct>
void give_back(void* user) {  // on any thread; the deleter may be Python's
  const Locked python;
  if (!python) return;
  auto* m = static_cast<Struct*>(user);
  if (m->deleter) m->deleter(m);
}

template <class Struct>
nb::object take(nb::handle capsule, const char* name, const char* used) {
  auto* m = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!m) throw nb::python_error();
  if constexpr (std::is_same_v<Struct, dlpack::Versioned>) {
    if (m->major != dlpack::kMajor)
      fail(PyExc_BufferError, "DLPack version %u is not known, 1 is", m->major);
    if (m->flags & dlpack::kReadOnly)
      fail(PyExc_BufferError, "the memory is read-only; ask for a copy");
  }
  const dlpack::Array& a = m->array;
  if (a.device.type != dlpack::kCpu)
    fail(PyExc_BufferError,
         "memory of DLPack's device type %d cannot be taken over, only host memory; see dl_device",
         a.device.type);
  const bp_dtype dtype = dtype_of(a.dtype);
  void* data = static_cast<char*>(a.data) + a.byte_offset;
  nb::object out = make(tensor_class, false, [&](bp_tensor** t, bp_error** err) {
    return bp_tensor_borrow(data, a.ndim, a.shape, a.strides, dtype, give_back<Struct>, m, t, err);
  });
  PyCapsule_SetName(capsule.ptr(), used);  // it is ours now
  PyCapsule_SetDestructor(capsule.ptr(), nullptr);
  return out;
}

nb::object from_capsule(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kVersionedName))
    return take<dlpack::Versioned>(capsule, kVersionedName, "used_dltensor_versioned");
  if (PyCapsule_IsValid(capsule.ptr(), kName))
    return take<dlpack::Managed>(capsule, kName, "used_dltensor");
  fail(PyExc_BufferError, "expected a capsule of DLPack that was not used yet, got %R",
       capsule.ptr());
}

}  // namespace

void bind_exchange(nb::module_& m) {
  m.def("to_dlpack", [](Tensor t, bool versioned, bool copied) {
    const uint64_t flags = copied ? +dlpack::kIsCopied : 0;
    return versioned ? give<dlpack::Versioned>(t, flags) : give<dlpack::Managed>(t, flags);
  });
  m.def("dlpack_device", [](Tensor t) {
    const dlpack::Device d = device_of(t.get());
    return nb::make_tuple(d.type, d.id);
  });
  m.def("from_dlpack", from_capsule);
}

}  // namespace bp_py
