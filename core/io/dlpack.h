// SPDX-License-Identifier: Apache-2.0
// dlpack.h: DLPack 1.0's structs, whose layout is frozen (dmlc/dlpack,
// include/dlpack/dlpack.h), and tensors as them. Managed is DLManagedTensorVersioned or
// DLManagedTensor. Any thread may call these.
//
//   auto* managed = to_dlpack<DLManagedTensorVersioned>(t, /*flags=*/0);
//   Ref<Tensor> same = from_dlpack(*managed);   // else managed->deleter(managed) gives it back
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/io/dtype_codes.h"
#include "core/tensor/tensor.h"

namespace bp::dlpack {

enum : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kRocmHost = 11,
  kExtension = 12,
  kCudaManaged = 13
};
enum : uint64_t { kReadOnly = 1, kCopied = 2 };
constexpr uint32_t kMajor = 1, kMinor = 0;

struct Device {
  int32_t type, id;
};
struct Type {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Array {
  void* data;
  Device device;
  int32_t rank;
  Type type;
  int64_t *shape, *strides;  // strides count elements; NULL is row-major
  uint64_t offset_bytes;
};

}  // namespace bp::dlpack

struct DLManagedTensor {
  bp::dlpack::Array array;
  void* owner;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* owner;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  bp::dlpack::Array array;
};

namespace bp {

dlpack::Device dlpack_device(const Tensor& t);
// Hands t out; flags are BP_DLPACK_*. Waits for t's device unless they say otherwise. Whoever gets
// the struct gives it back by its deleter.
template <class Managed>
Managed* to_dlpack(Tensor& t, uint32_t flags);
// Takes m over, and calls its deleter when the last tensor over it is gone. Throws before it
// takes m over.
template <class Managed>
Ref<Tensor> from_dlpack(Managed& m);

}  // namespace bp
