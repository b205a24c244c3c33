// SPDX-License-Identifier: Apache-2.0
// Bytes as a DLPack struct over 512 bytes of memory: an error, after which the struct is still the
// caller's, or a tensor, whose elements are read where all of them lie in that memory, and with
// which the struct goes.
#include <cstring>
#include <optional>

#include "tests/fuzz/fuzz.h"

namespace dlpack {

// dlpack.h of DLPack 1.0, and of the versions before.
struct Array {
  void* data;
  int32_t device_type, device_id;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset_bytes;
};

}  // namespace dlpack

struct DLManagedTensor {
  dlpack::Array array;
  void* owner;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* owner;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  dlpack::Array array;
};

namespace {

using dlpack::Array;
constexpr int64_t kBytes = 512;

struct Given {
  alignas(64) unsigned char memory[kBytes];
  int64_t shape[70], strides[70];
  int n_deleted = 0;
};

template <class Managed>
void deleted(Managed* m) {
  ++static_cast<Given*>(m->owner)->n_deleted;
}

Array array_of(fuzz::Input& in, Given& given) {
  Array a{given.memory, 1, 0, static_cast<int32_t>(in.below(5)), 2, 32, 1, given.shape, nullptr, 0};
  const uint8_t how = in.byte(), rarely = in.byte();
  constexpr uint8_t kTypes[][2] = {{0, 8},  {1, 8},  {0, 64},  {2, 64},
                                   {2, 16}, {4, 16}, {5, 128}, {6, 8}};
  if (how & 1) a.code = kTypes[how / 32][0], a.bits = kTypes[how / 32][1];
  if (how & 2) a.strides = given.strides;
  if (how & 4) a.offset_bytes = in.byte();
  if (how & 8) a.data = given.memory + in.byte();
  if (rarely > 200) switch (rarely % 8) {
      case 0: a.rank = in.number<int32_t>() % 71; break;
      case 1: a.data = nullptr; break;
      case 2: a.shape = nullptr; break;
      case 3: a.device_type = in.number<int8_t>(); break;
      case 4: a.device_id = in.number<int32_t>(); break;
      case 5: a.code = in.byte(), a.bits = in.byte(); break;
      case 6: a.lanes = in.number<uint16_t>(); break;
      default: a.offset_bytes = in.number<uint64_t>(); break;
    }
  for (int32_t d = 0; d < std::min(a.rank, 70); ++d) {
    given.shape[d] = in.any_integer();
    if (a.strides) given.strides[d] = in.any_integer();
  }
  return a;
}

// The bytes of the elements in row-major order; nothing when one lies elsewhere, or there are many.
std::optional<std::string> elements(const Array& a, const Given& given) {
  const auto item = static_cast<int64_t>(a.bits / 8);
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d)
    if (__builtin_mul_overflow(n, a.shape[d], &n) || n > 4096) return {};
  const int64_t first = static_cast<const unsigned char*>(a.data) - given.memory +
                        static_cast<int64_t>(a.offset_bytes);
  std::string bytes;
  for (int64_t i = 0; i < n; ++i) {
    int64_t place = 0, row_major = 1, rest = i, step = 0;
    for (int32_t d = a.rank; d-- > 0;) {
      const int64_t index = rest % a.shape[d];
      if (__builtin_mul_overflow(index, a.strides ? a.strides[d] : row_major, &step) ||
          __builtin_add_overflow(place, step, &place))
        return {};
      row_major *= a.shape[d], rest /= a.shape[d];
    }
    if (place < -kBytes || place > kBytes) return {};
    place = first + place * item;
    if (place < 0 || place + item > kBytes) return {};
    bytes.append(reinterpret_cast<const char*>(given.memory) + place, static_cast<size_t>(item));
  }
  return bytes;
}

template <class Managed>
void import(Managed m, Given& given, bp_status (*from)(Managed*, bp_tensor**, bp_error**)) {
  m.owner = &given;
  m.deleter = deleted<Managed>;
  bp_tensor* t = nullptr;
  if (!fuzz::attempt(from, &m, &t)) {
    if (given.n_deleted) fuzz::die("taken in spite of an error");
    return;
  }
  const Array& a = m.array;
  const auto n = static_cast<uint64_t>(bp_tensor_numel(t));
  const uint32_t item = bp_dtype_bytes(bp_tensor_dtype(t));
  if (bp_tensor_rank(t) != a.rank || item * 8 != a.bits || a.lanes != 1)
    fuzz::die("another rank or dtype");
  if (const auto want = elements(a, given)) {
    std::string got(want->size() + 1, 0);
    if (n * item != want->size() || bp_tensor_read(t, got.data(), want->size(), nullptr) != BP_OK)
      fuzz::die("it cannot be read");
    got.pop_back();
    if (got != *want) fuzz::die("other elements");
  }
  if (given.n_deleted) fuzz::die("given back too early");
  bp_tensor_release(t);
  if (given.n_deleted != 1) fuzz::die("not given back once");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  fuzz::Input in(data, size);
  static Given given;
  for (int64_t i = 0; i < kBytes; ++i)
    given.memory[i] = static_cast<unsigned char>(i * 7 + i / 256);
  given.n_deleted = 0;
  const uint8_t how = in.byte();
  if (how & 1) {
    DLManagedTensorVersioned m{};
    m.major = how & 128 ? in.byte() : 1;
    m.flags = how & 64 ? in.byte() : 0;
    m.array = array_of(in, given);
    import(m, given, bp_tensor_from_dlpack);
  } else {
    DLManagedTensor m{};
    m.array = array_of(in, given);
    import(m, given, bp_tensor_from_dlpack_unversioned);
  }
  return 0;
}
