#include "elementwise.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "parallel.h"
#include "scalar.h"

namespace bp_cpu {
namespace {

constexpr int kMaxInputs = 3;
constexpr int64_t kBlock = 512;    // elements: the buffers of one block stay in a first-level cache
constexpr int64_t kLongRow = 128;  // from this inner length on, blocks follow rows and rows lie where they are

struct Sixteen {
  uint64_t half[2];
};

// How an operand reaches the loop.
enum class Way : uint8_t {
  kDense,      // row-major as the whole: pointer arithmetic
  kSingle,     // one element for all
  kRow,        // dense within a row
  kRowSingle,  // one element for a row
  kBlock       // through a buffer
};

struct Operand {
  char* data = nullptr;
  int32_t bytes = 0;    // of one element
  Way way = Way::kDense;
  bool widened = false;  // f16 or bf16 whose loop works in f32
  int64_t stride[BP_MAX_RANK];  // in elements
};

// The sizes that all operands share, outermost first.
struct Space {
  int rank = 0;
  int64_t size[BP_MAX_RANK];
  int64_t inner() const { return size[rank - 1]; }
};

// ---- between an operand's place and a dense block ----

template <class T>
void copy_run(T* dst, int64_t dst_stride, const T* src, int64_t src_stride, int64_t n) {
  if (dst_stride == 1 && src_stride == 1)
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
  else if (dst_stride == 1)
    for (int64_t i = 0; i < n; ++i) dst[i] = src[i * src_stride];
  else
    for (int64_t i = 0; i < n; ++i) dst[i * dst_stride] = src[i * src_stride];
}

// Elements [first, first + n) in row-major order.
template <class T, bool kGather>
void move_elements(const Space& s, const Operand& o, int64_t first, int64_t n, void* buffer) {
  T* block = static_cast<T*>(buffer);
  T* base = reinterpret_cast<T*>(o.data);
  int64_t at[BP_MAX_RANK];
  const int last = s.rank - 1;
  for (int d = last; d >= 0; --d) {
    at[d] = first % s.size[d];
    first /= s.size[d];
    base += at[d] * o.stride[d];
  }
  const int64_t stride = o.stride[last];
  while (true) {
    const int64_t run = std::min(n, s.size[last] - at[last]);
    if constexpr (kGather)
      copy_run(block, 1, base, stride, run);
    else
      copy_run(base, stride, block, 1, run);
    n -= run;
    if (n == 0) return;
    block += run;
    base -= at[last] * stride;
    at[last] = 0;
    for (int d = last - 1; d >= 0; --d) {
      base += o.stride[d];
      if (++at[d] < s.size[d]) break;
      base -= s.size[d] * o.stride[d];
      at[d] = 0;
    }
  }
}

template <bool kGather>
void move_block(const Space& s, const Operand& o, int64_t first, int64_t n, void* buffer) {
  switch (o.bytes) {
    case 1: return move_elements<uint8_t, kGather>(s, o, first, n, buffer);
    case 2: return move_elements<uint16_t, kGather>(s, o, first, n, buffer);
    case 4: return move_elements<uint32_t, kGather>(s, o, first, n, buffer);
    case 8: return move_elements<uint64_t, kGather>(s, o, first, n, buffer);
    default: return move_elements<Sixteen, kGather>(s, o, first, n, buffer);
  }
}

char* locate(const Space& s, const Operand& o, int64_t first) {
  int64_t offset = 0;
  for (int d = s.rank - 1; d >= 0; --d) {
    offset += first % s.size[d] * o.stride[d];
    first /= s.size[d];
  }
  return o.data + offset * o.bytes;
}

// Which bit of Loops::dense's index stands for input i; 0 when none does.
unsigned mask_bit(int n_in, int i) {
  const int place = n_in == 1 ? i : i - (n_in - 2);
  return place < 0 ? 0u : 1u << place;
}

bool is_half(bp_dtype d) { return d == BP_F16 || d == BP_BF16; }

// ---- the general call: strides, broadcasts, halves ----

class Walk {
 public:
  Walk(const bp_launch& launch, const Loops& loops);
  void run() const {
    parallel_for(count_, loops_.grain, [this](int64_t begin, int64_t end) { part(begin, end); });
  }

 private:
  struct Buffers {
    alignas(64) char raw[kMaxInputs + 1][kBlock * 16];
    alignas(64) float wide[kMaxInputs + 1][kBlock];
  };
  void follow_output();
  void merge_dimensions();
  void choose_ways();
  bool row_major(const Operand& o) const;
  const void* input(int i, int64_t first, int64_t n, Buffers& b) const;
  void part(int64_t begin, int64_t end) const;

  const Loops& loops_;
  const int n_in_;
  Space space_;
  Operand operand_[kMaxInputs + 1];  // inputs, then the output
  alignas(16) char number_[kMaxInputs][16];
  int64_t count_ = 1;
  unsigned mask_ = 0;
  bool rows_ = false;     // blocks end at row ends
  bool buffered_ = false;  // blocks are at most kBlock long
};

Walk::Walk(const bp_launch& launch, const Loops& loops)
    : loops_(loops), n_in_(static_cast<int>(launch.n_in)) {
  const bp_arg& out = launch.args[n_in_];
  space_.rank = out.rank;
  for (int d = 0; d < out.rank; ++d) count_ *= space_.size[d] = out.shape[d];
  for (int i = 0; i <= n_in_; ++i) {
    const bp_arg& arg = launch.args[i];
    Operand& o = operand_[i];
    o.bytes = kItemBytes[arg.dtype];
    o.widened = is_half(arg.dtype) && (i == n_in_ ? loops.store != nullptr : loops.load != nullptr);
    if (arg.kind == BP_ARG_TENSOR) {
      o.data = static_cast<char*>(arg.data);
      std::copy_n(arg.strides, out.rank, o.stride);
      continue;
    }
    store_scalar(arg, arg.dtype, o.widened, number_[i]);
    if (o.widened) o.bytes = 4;
    o.widened = false;
    o.data = number_[i];
    std::fill_n(o.stride, out.rank, 0);
  }
  if (!(out.flags & BP_ARG_CONTIGUOUS)) follow_output();
  merge_dimensions();
  choose_ways();
}

// Walk in the order in which the output lies in memory.
void Walk::follow_output() {
  int order[BP_MAX_RANK];
  const Operand& out = operand_[n_in_];
  for (int d = 0; d < space_.rank; ++d) order[d] = d;
  std::stable_sort(order, order + space_.rank, [&](int a, int b) {
    return std::abs(out.stride[a]) > std::abs(out.stride[b]);
  });
  const Space before = space_;
  for (int d = 0; d < space_.rank; ++d) space_.size[d] = before.size[order[d]];
  bool flipped[BP_MAX_RANK];
  for (int d = 0; d < space_.rank; ++d) flipped[d] = out.stride[order[d]] < 0;
  for (int i = 0; i <= n_in_; ++i) {
    Operand& o = operand_[i];
    int64_t stride[BP_MAX_RANK];
    std::copy_n(o.stride, space_.rank, stride);
    for (int d = 0; d < space_.rank; ++d) {
      o.stride[d] = stride[order[d]];
      if (!flipped[d]) continue;
      o.data += (space_.size[d] - 1) * o.stride[d] * o.bytes;
      o.stride[d] = -o.stride[d];
    }
  }
}

void Walk::merge_dimensions() {
  int kept = 0;
  for (int d = 0; d < space_.rank; ++d) {
    if (space_.size[d] == 1 && (kept > 0 || d + 1 < space_.rank)) continue;
    bool merges = kept > 0;
    for (int i = 0; merges && i <= n_in_; ++i)
      merges = operand_[i].stride[kept - 1] == operand_[i].stride[d] * space_.size[d];
    if (merges)
      space_.size[kept - 1] *= space_.size[d];
    else
      space_.size[kept++] = space_.size[d];
    for (int i = 0; i <= n_in_; ++i) operand_[i].stride[kept - 1] = operand_[i].stride[d];
  }
  space_.rank = kept;
}

bool Walk::row_major(const Operand& o) const {
  int64_t expected = 1;
  for (int d = space_.rank - 1; d >= 0; --d) {
    if (space_.size[d] != 1 && o.stride[d] != expected) return false;
    expected *= space_.size[d];
  }
  return true;
}

void Walk::choose_ways() {
  rows_ = space_.inner() >= kLongRow;
  for (int i = 0; i <= n_in_; ++i) {
    Operand& o = operand_[i];
    const unsigned bit = i < n_in_ ? mask_bit(n_in_, i) : 0;
    const bool may_be_single = bit && loops_.dense[mask_ | bit];
    const int64_t inner = o.stride[space_.rank - 1];
    const bool all_zero = std::all_of(o.stride, o.stride + space_.rank, [](int64_t s) { return s == 0; });
    if (all_zero && may_be_single) {
      o.way = Way::kSingle;
    } else if (!all_zero && row_major(o)) {
      o.way = Way::kDense;
    } else if (rows_ && inner == 1) {
      o.way = Way::kRow;
    } else if (rows_ && inner == 0 && may_be_single) {
      o.way = Way::kRowSingle;
    } else {
      o.way = Way::kBlock;
    }
    if (o.way == Way::kSingle || o.way == Way::kRowSingle) mask_ |= bit;
    buffered_ |= o.way == Way::kBlock || (o.widened && o.way != Way::kSingle);
  }
  const auto by_row = [](const Operand& o) { return o.way == Way::kRow || o.way == Way::kRowSingle; };
  rows_ = std::any_of(operand_, operand_ + n_in_ + 1, by_row);
}

const void* Walk::input(int i, int64_t first, int64_t n, Buffers& b) const {
  const Operand& o = operand_[i];
  const void* from = o.data;
  int64_t length = n;
  switch (o.way) {
    case Way::kDense: from = o.data + first * o.bytes; break;
    case Way::kSingle: length = 1; break;
    case Way::kRow: from = locate(space_, o, first); break;
    case Way::kRowSingle:
      from = locate(space_, o, first);
      length = 1;
      break;
    case Way::kBlock:
      move_block<true>(space_, o, first, n, b.raw[i]);
      from = b.raw[i];
  }
  if (!o.widened) return from;
  loops_.load(b.wide[i], from, length);
  return b.wide[i];
}

void Walk::part(int64_t begin, int64_t end) const {
  Buffers buffers;
  const Operand& out = operand_[n_in_];
  const Loop loop = loops_.dense[mask_];
  const int64_t inner = space_.inner();
  int64_t n = 0;
  for (int64_t first = begin; first < end; first += n) {
    n = end - first;
    if (rows_) n = std::min(n, inner - first % inner);
    if (buffered_) n = std::min(n, kBlock);
    const void* in[kMaxInputs];
    for (int i = 0; i < n_in_; ++i) in[i] = input(i, first, n, buffers);
    char* to = out.way == Way::kBlock  ? buffers.raw[n_in_]
               : out.way == Way::kDense ? out.data + first * out.bytes
                                        : locate(space_, out, first);
    if (out.widened) {
      loop(buffers.wide[n_in_], in, n);
      loops_.store(to, buffers.wide[n_in_], n);
    } else {
      loop(to, in, n);
    }
    if (out.way == Way::kBlock) move_block<false>(space_, out, first, n, to);
  }
}

// ---- the common call: dense tensors and numbers ----

struct Plain {
  const char* in[kMaxInputs];
  int32_t step[kMaxInputs];  // bytes from one element to the next, 0 for a number
  alignas(16) char number[kMaxInputs][16];
  unsigned mask = 0;

  // False when some operand needs the general call.
  bool take(const bp_launch& launch, const Loops& loops) {
    const int n_in = static_cast<int>(launch.n_in);
    if (!(launch.args[n_in].flags & BP_ARG_CONTIGUOUS)) return false;
    for (int i = 0; i < n_in; ++i) {
      const bp_arg& arg = launch.args[i];
      if (arg.kind == BP_ARG_TENSOR) {
        if (!(arg.flags & BP_ARG_CONTIGUOUS)) return false;
        in[i] = static_cast<const char*>(arg.data);
        step[i] = kItemBytes[arg.dtype];
      } else {
        store_scalar(arg, arg.dtype, /*wide=*/false, number[i]);
        in[i] = number[i];
        step[i] = 0;
        mask |= mask_bit(n_in, i);
      }
    }
    return loops.dense[mask] != nullptr;
  }
};

}  // namespace

void run_elementwise(const bp_launch& launch, const Loops& loops) {
  Plain plain;
  if (loops.load || loops.store || !plain.take(launch, loops)) return Walk(launch, loops).run();
  const bp_arg& out = launch.args[launch.n_in];
  const Loop loop = loops.dense[plain.mask];
  int64_t count = 1;
  for (int d = 0; d < out.rank; ++d) count *= out.shape[d];
  const void* in[kMaxInputs] = {plain.in[0], plain.in[1], plain.in[2]};
  if (count <= loops.grain) return loop(out.data, in, count);
  const int32_t out_step = kItemBytes[out.dtype];
  parallel_for(count, loops.grain, [&](int64_t begin, int64_t end) {
    const void* from[kMaxInputs];
    for (uint32_t i = 0; i < launch.n_in; ++i) from[i] = plain.in[i] + begin * plain.step[i];
    loop(static_cast<char*>(out.data) + begin * out_step, from, end - begin);
  });
}

}  // namespace bp_cpu
