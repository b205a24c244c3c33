// SPDX-License-Identifier: Apache-2.0
// foreach.cu: steps of optimisers over lists of tensors, and the norm of lists. A launch takes as
// many tensors as its arguments have room for, and cuts them into chunks, which blocks take one
// after the other. A norm has a part for each chunk, and one block joins the parts.
#include "gpu/block.h"
#include "kit/optimizers.h"

namespace bp_gpu {
namespace {

constexpr int32_t kMost = 64;  // tensors of a launch: its arguments are 4 KiB on a card
constexpr int64_t kChunk = 1024, kPart = 8192;

// Which chunk belongs to which tensor.
struct Chunks {
  int32_t count;
  int64_t first[kMost + 1];  // a tensor's first chunk; first[count] in the end
  int64_t size[kMost];       // elements

  GPU_FN int32_t tensor_of(int64_t chunk) const {
    int32_t low = 0, high = count;
    while (high - low > 1) {
      const int32_t middle = (low + high) / 2;
      if (first[middle] <= chunk)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
};
Chunks chunks_of(const bp_arg* args, int32_t count, int64_t chunk) {
  Chunks c{};
  c.count = count;
  for (int32_t k = 0; k < count; ++k) {
    c.size[k] = args[k].shape[0];
    c.first[k + 1] = c.first[k] + (c.size[k] + chunk - 1) / chunk;
  }
  return c;
}

template <class T, class Op>
struct Update {
  Op op;
  Chunks chunks;
  T* lists[Op::kLists][kMost];
  GPU_FN void operator()(const Place& at) const {
    using C = typename Op::Calc;
    for (int64_t chunk = at.block(); chunk < chunks.first[chunks.count]; chunk += at.blocks()) {
      const int32_t k = chunks.tensor_of(chunk);
      const int64_t from = (chunk - chunks.first[k]) * kChunk, left = chunks.size[k] - from;
      for (int64_t i = from + at.thread(); i < from + (left < kChunk ? left : kChunk);
           i += at.threads()) {
        C v[5] = {};
        for (int32_t j = 0; j < Op::kLists; ++j) v[j] = convert<C>(lists[j][k][i]);
        op(v[0], v[1], v[2], v[3], v[4]);
        for (int32_t j = 0; j < Op::kLists; ++j)
          if (j != 1) lists[j][k][i] = convert<T>(v[j]);
      }
    }
  }
};

template <class T, class Op>
bp_status update(const bp_launch& l, const Op& op, bp_error** err) {
  Update<T, Op> kernel{op, chunks_of(l.args, static_cast<int32_t>(count_of<Op>(l)), kChunk), {}};
  for (int32_t j = 0; j < Op::kLists; ++j)
    for (int32_t k = 0; k < kernel.chunks.count; ++k)
      kernel.lists[j][k] = static_cast<T*>(l.args[j * kernel.chunks.count + k].data);
  const int64_t n = kernel.chunks.first[kernel.chunks.count] * kChunk;
  return n ? launch(l, cover(n), kernel, err) : BP_OK;
}

// Makes *out the launch of tensors [from, from + count) of every list and of the operands after the
// lists, whose addresses kernels may use; args and room have kRoom operands each.
constexpr uint32_t kRoom = 5 * kMost + 1;
bp_status piece(const bp_launch& l, uint32_t lists, uint32_t singles, uint32_t from, uint32_t count,
                bp_arg* args, bp_arg* room, bp_launch* out, bp_error** err) {
  const uint32_t all = (l.n_in - singles) / lists;
  *out = l;
  for (uint32_t j = 0; j < lists; ++j)
    for (uint32_t k = 0; k < count; ++k) args[j * count + k] = l.args[j * all + from + k];
  for (uint32_t s = 0; s < singles + l.n_out; ++s)
    args[lists * count + s] = l.args[lists * all + s];
  out->n_in = lists * count + singles;
  out->args = args;
  if constexpr (kTranslates) {
    if (const bp_status status = translate(*out, room, &out->workspace, err)) return status;
    out->args = room;
  }
  return BP_OK;
}

bp_status run_update(const bp_launch* launch, bp_error** err) {
  const bp_launch& l = *launch;
  const bool one_list = l.op == BP_OP_FOREACH_SCALE || l.op == BP_OP_FOREACH_CLAMP;
  const uint32_t singles = l.op == BP_OP_FOREACH_SCALE ? 1 : 0;
  const uint32_t all = one_list
                           ? l.n_in - singles
                           : static_cast<uint32_t>(l.attrs[BP_ATTR_FOREACH_SGD_COUNT].value.i64);
  const uint32_t lists = one_list ? 1 : l.n_in / all;
  bp_attr attrs[BP_MAX_ATTRS];
  for (uint32_t i = 0; i < l.n_attr; ++i) attrs[i] = l.attrs[i];
  bp_arg args[kRoom], room[kRoom];
  for (uint32_t from = 0; from < all; from += kMost) {
    const uint32_t count = all - from < kMost ? all - from : kMost;
    bp_launch part;
    if (const bp_status s = piece(l, lists, singles, from, count, args, room, &part, err)) return s;
    if (!one_list) attrs[BP_ATTR_FOREACH_SGD_COUNT].value.i64 = count;
    part.attrs = attrs;
    const bp_status s = with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
      using T = decltype(t);
      return with_update<Calc<T>>(part, [&](const auto& op) { return update<T>(part, op, err); });
    });
    if (s) return s;
  }
  return BP_OK;
}

// ---- norm ----
// A chunk's part: lanes take elements in turn and are folded.
template <class T>
struct NormParts {
  NormOf norm;
  Chunks chunks;
  const T* tensors[kMost];
  double* parts;
  GPU_FN void operator()(const Place& at) const {
    double* s = at.shared<double>();
    for (int64_t chunk = at.block(); chunk < chunks.first[chunks.count]; chunk += at.blocks()) {
      const int32_t k = chunks.tensor_of(chunk);
      const int64_t from = (chunk - chunks.first[k]) * kPart, left = chunks.size[k] - from;
      const int64_t n = left < kPart ? left : kPart;
      for_lanes(at, kLanes, [&](int32_t lane) {
        double sum = norm.none();
        for (int64_t i = lane; i < n; i += kLanes)
          sum = norm.join(sum,
                          norm.term(static_cast<double>(convert<Calc<T>>(tensors[k][from + i]))));
        s[lane] = sum;
      });
      block_fold(at, s, kLanes, 1, [&](double a, double b) { return norm.join(a, b); });
      if (at.thread() == 0) parts[chunk] = s[0];
      at.barrier();
    }
  }
};
template <class T>
struct NormEnd {
  NormOf norm;
  const double* parts;
  int64_t n;
  T* out;
  GPU_FN void operator()(const Place& at) const {
    double* s = at.shared<double>();
    for_lanes(at, kLanes, [&](int32_t lane) {
      double sum = norm.none();
      for (int64_t i = lane; i < n; i += kLanes) sum = norm.join(sum, parts[i]);
      s[lane] = sum;
    });
    block_fold(at, s, kLanes, 1, [&](double a, double b) { return norm.join(a, b); });
    if (at.thread() == 0) *out = static_cast<T>(n ? norm.end(s[0]) : 0.0);
  }
};

bp_status norm_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  *bytes = sizeof(double);
  for (uint32_t k = 0; k < l->n_in; ++k)
    *bytes += static_cast<uint64_t>((l->args[k].shape[0] + kPart - 1) / kPart) * sizeof(double);
  return BP_OK;
}

template <class T>
bp_status norm_parts(const bp_launch& l, const NormOf& norm, double* parts, int64_t* n,
                     bp_error** err) {
  NormParts<T> kernel{norm, chunks_of(l.args, static_cast<int32_t>(l.n_in), kPart), {}, parts};
  for (uint32_t k = 0; k < l.n_in; ++k) kernel.tensors[k] = static_cast<const T*>(l.args[k].data);
  *n = kernel.chunks.first[kernel.chunks.count];
  const Shape shape{.blocks = *n < kManyBlocks ? *n : kManyBlocks,
                    .shared_bytes = kLanes * sizeof(double)};
  return *n ? launch(l, shape, kernel, err) : BP_OK;
}

bp_status run_norm(const bp_launch* launch_of, bp_error** err) {
  const bp_launch& l = *launch_of;
  const NormOf norm(l.attrs[BP_ATTR_FOREACH_NORM_ORD].value.f64);
  bp_arg args[kRoom], room[kRoom];
  bp_launch part = l;
  int64_t done = 0;
  for (uint32_t from = 0; from < l.n_in; from += kMost) {
    const uint32_t count = l.n_in - from < kMost ? l.n_in - from : kMost;
    if (const bp_status s = piece(l, 1, 0, from, count, args, room, &part, err)) return s;
    int64_t n = 0;
    double* parts = static_cast<double*>(part.workspace) + done;
    const bp_status s = with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
      return norm_parts<decltype(t)>(part, norm, parts, &n, err);
    });
    if (s) return s;
    done += n;
  }
  const bp_arg& out = part.args[part.n_in];
  const double* parts = static_cast<const double*>(part.workspace);
  const Shape shape{.shared_bytes = kLanes * sizeof(double)};
  return out.dtype == BP_F64
             ? launch(l, shape, NormEnd<double>{norm, parts, done, static_cast<double*>(out.data)},
                      err)
             : launch(l, shape, NormEnd<float>{norm, parts, done, static_cast<float*>(out.data)},
                      err);
}

}  // namespace

void add_foreach(Registry& r) {
  for (const uint32_t op : kUpdateOps) r.add(op, kFloats, run_update);
  r.add(BP_OP_FOREACH_NORM, kFloats, run_norm, 0, norm_workspace);
}

}  // namespace bp_gpu
