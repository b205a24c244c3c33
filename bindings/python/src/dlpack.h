// dlpack.h: the structs of DLPack 1.0 (dmlc/dlpack, include/dlpack/dlpack.h), whose layout is
// frozen: a tensor handed from one library to another without a copy.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bp_py::dlpack {

enum : int32_t { kCpu = 1, kExtDev = 12 };
enum : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };
enum : uint64_t { kReadOnly = 1, kIsCopied = 2 };
constexpr uint32_t kMajor = 1, kMinor = 0;

struct Device {
  int32_t type, id;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Array {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape, *strides;  // strides in elements; NULL: row-major
  uint64_t byte_offset;
};
struct Managed {  // "dltensor"
  Array array;
  void* owner;
  void (*deleter)(Managed*);
};
struct Versioned {  // "dltensor_versioned"
  uint32_t major, minor;
  void* owner;
  void (*deleter)(Versioned*);
  uint64_t flags;
  Array array;
};
static_assert(sizeof(Array) == 48 && sizeof(Managed) == 64 && sizeof(Versioned) == 80);
static_assert(offsetof(Versioned, array) == 32 && offsetof(Versioned, flags) == 24);

}  // namespace bp_py::dlpack
