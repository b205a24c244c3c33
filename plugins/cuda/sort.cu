// SPDX-License-Identifier: Apache-2.0
// sort.cu: pairs sorted by CUB, which is compiled in: the toolkit's headers are all of it.
#include <cub/device/device_radix_sort.cuh>

#include "gpu/card_driver.h"

namespace bp_gpu {
namespace {

template <class Key>
cudaError_t sort_by(SortPairs* s, cudaStream_t stream) {
  cub::DoubleBuffer<Key> keys(static_cast<Key*>(s->keys), static_cast<Key*>(s->other_keys));
  cub::DoubleBuffer<uint32_t> values(s->values, s->other_values);
  size_t bytes = s->temporary_bytes;
  const cudaError_t e =
      cub::DeviceRadixSort::SortPairs(s->temporary, bytes, keys, values,
                                      static_cast<uint32_t>(s->n), s->first_bit, s->bits, stream);
  s->temporary_bytes = bytes;
  s->keys = keys.Current(), s->other_keys = keys.Alternate();
  s->values = values.Current(), s->other_values = values.Alternate();
  return e;
}

cudaError_t sort(SortPairs* s, cudaStream_t stream) {
  return s->key_bytes == 4 ? sort_by<uint32_t>(s, stream) : sort_by<uint64_t>(s, stream);
}

}  // namespace

PairSort pair_sort() { return sort; }

}  // namespace bp_gpu
