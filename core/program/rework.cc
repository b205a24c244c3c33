// SPDX-License-Identifier: Apache-2.0
// rework.cc: what would have to lie in main memory as a whole, because a reduction over the
// outermost dim stands between those who make it and those who read it. Declared in group.h.
#include <algorithm>
#include <map>

#include "c_op_ids.h"
#include "c_program.h"
#include "core/program/group.h"

namespace bp {
namespace {

// Results of fewer blocks stay in caches anyway.
constexpr uint64_t kLeastBlocks = 16;

// Fast beside reading what a step that is made again reads.
bool is_cheap(uint32_t op) {
  switch (op) {
    case BP_OP_ADD:
    case BP_OP_SUB:
    case BP_OP_MUL:
    case BP_OP_NEG:
    case BP_OP_ABS:
    case BP_OP_SQUARE:
    case BP_OP_MAXIMUM:
    case BP_OP_MINIMUM:
    case BP_OP_RELU:
    case BP_OP_COPY:
    case BP_OP_WHERE: return true;
    default: return false;
  }
}
// Whether a reduction of a reduction's parts of one size is the reduction.
bool is_split(uint32_t op) {
  return op == BP_OP_SUM || op == BP_OP_MEAN || op == BP_OP_MAX || op == BP_OP_MIN;
}

class Rework {
 public:
  Rework(Program& p, const Planning& how) : p_(p), how_(how) {}

  void run() {
    if (!how_.same_bits) split_reductions();
    make_again();
  }

 private:
  static bool runs_in_blocks(const Step& s) {
    return s.row && s.device->fuses && !(s.device->fuses->flags & BP_FUSE_WHOLE) && !s.refresh &&
           !s.kernel->workspace && s.n_out == 1;
  }
  static bool is_elementwise(const Step& s) {
    return runs_in_blocks(s) && s.row->layout == Layout::kElementwise && !(s.row->flags & kRandom);
  }

  // The only step that writes the buffer, if it is elementwise and writes all of it, or -1.
  void find_makers() {
    makers_.assign(p_.buffers.size(), -1);
    std::vector<uint32_t> writers(p_.buffers.size());
    for (size_t i = 0; i < p_.steps.size(); ++i)
      for (const Argument& a : p_.steps[i].uses)
        if (a.writes) ++writers[a.buffer], makers_[a.buffer] = static_cast<int64_t>(i);
    for (uint32_t b = 0; b < makers_.size(); ++b) {
      const Buffer& x = p_.buffers[b];
      if (makers_[b] < 0) continue;
      const Step& s = p_.steps[static_cast<size_t>(makers_[b])];
      if (writers[b] != 1 || x.kind != Buffer::Kind::kMade || x.output ||
          x.bytes < kLeastBlocks * how_.block_bytes || !is_elementwise(s) ||
          bytes_of(s.args[s.n_in]) != x.bytes)
        makers_[b] = -1;
    }
    group_of_.clear();
    for (const Period& g : group_bounds(p_, how_))
      group_of_.resize(g.until + 1, static_cast<uint32_t>(group_of_.size()));
  }
  static uint64_t bytes_of(const bp_arg& a) {
    return static_cast<uint64_t>(numel({a.shape, static_cast<size_t>(a.rank)}) *
                                 dtype_bytes(a.dtype));
  }

  // ---- reductions in two ----

  // A reduction over the outermost dim of what the steps before it make is done in parts, beside
  // them, and then over the parts.
  void split_reductions() {
    find_makers();
    std::vector<Step> steps;
    for (size_t i = 0; i < p_.steps.size(); ++i) {
      Step& s = p_.steps[i];
      const Parts parts = parts_of(i);
      if (!parts.size) {
        steps.push_back(std::move(s));
        continue;
      }
      Step first = copy_of(s), second = std::move(s);
      const bp_arg& x = second.args[0];
      const auto rank = static_cast<size_t>(x.rank), dim = parts.dim;
      const auto n_kept = static_cast<size_t>(second.args[1].rank);
      const int64_t n = x.shape[dim] / parts.size;
      std::vector<int64_t> shape{n}, strides{x.strides[dim] * parts.size};
      std::vector<int64_t> kept(x.shape, x.shape + n_kept), kept_strides(n_kept);
      shape.insert(shape.end(), x.shape, x.shape + rank);
      strides.insert(strides.end(), x.strides, x.strides + rank);
      shape[dim + 1] = parts.size;
      int64_t row = 1;
      for (size_t d = n_kept; d-- > 0; row *= kept[d]) kept_strides[d] = row;
      std::vector<int64_t> part_shape(kept), part_strides(kept_strides);
      part_shape.insert(part_shape.begin(), n), part_strides.insert(part_strides.begin(), row);
      kept.push_back(n), kept_strides.push_back(row);
      Buffer made{.kind = Buffer::Kind::kMade, .written = true, .device = second.device};
      made.bytes = static_cast<uint64_t>(n * row * dtype_bytes(x.dtype));
      const auto buffer = static_cast<uint32_t>(p_.buffers.size());
      p_.buffers.push_back(std::move(made));
      first.uses[1].buffer = second.uses[0].buffer = buffer;
      lay(first, {{shape, strides}, {part_shape, part_strides}});
      first.args[1].data = nullptr;
      const std::vector<int64_t> out(second.args[1].shape, second.args[1].shape + n_kept),
          out_strides(second.args[1].strides, second.args[1].strides + n_kept);
      lay(second, {{kept, kept_strides}, {out, out_strides}});
      second.args[0].data = nullptr;
      steps.push_back(std::move(first));
      steps.push_back(std::move(second));
      ++p_.facts.added;
    }
    p_.steps = std::move(steps);
  }

  struct Parts {
    size_t dim = 0;
    int64_t size = 0;  // 0: it is not split
  };
  Parts parts_of(size_t i) const {
    const Step& s = p_.steps[i];
    if (!i || !runs_in_blocks(s) || s.row->layout != Layout::kReduce || !is_split(s.row->id) ||
        s.n_in != 1 || s.args[0].dtype != s.args[1].dtype)
      return {};
    const uint32_t buffer = s.uses[0].buffer;
    const int64_t maker = buffer < makers_.size() ? makers_[buffer] : -1;
    if (maker < 0 || group_of_[static_cast<size_t>(maker)] != group_of_[i - 1]) return {};
    const bp_arg& x = s.args[0];
    const auto rank = static_cast<size_t>(x.rank);
    const auto outermost =
        static_cast<size_t>(std::max_element(x.strides, x.strides + rank) - x.strides);
    const int64_t n = x.shape[outermost], row = x.strides[outermost] * dtype_bytes(x.dtype);
    if (rank == BP_MAX_RANK || outermost < static_cast<size_t>(s.args[1].rank) || x.data ||
        static_cast<uint64_t>(n * row) != p_.buffers[buffer].bytes)
      return {};
    constexpr int64_t kLeast = 8;
    const int64_t most = std::max(kLeast, static_cast<int64_t>(how_.block_bytes) / 2 / row);
    for (int64_t size = std::min(most, n / 2); size >= kLeast; --size)
      if (n % size == 0) return {outermost, size};
    return {};
  }

  // ---- values made again ----

  // A cheap value that steps of other groups read, and that would be kept in memory for them, is
  // made again in each.
  void make_again() {
    find_makers();
    std::map<size_t, std::vector<Step>> before;  // steps to insert, by whom they stand before
    for (uint32_t b = 0; b < makers_.size(); ++b)
      if (makers_[b] >= 0) make_again(b, static_cast<size_t>(makers_[b]), before);
    if (before.empty()) return;
    std::vector<Step> steps;
    for (size_t i = 0; i < p_.steps.size(); ++i) {
      for (Step& s : before[i]) steps.push_back(std::move(s));
      steps.push_back(std::move(p_.steps[i]));
    }
    p_.steps = std::move(steps);
  }

  void make_again(uint32_t b, size_t maker, std::map<size_t, std::vector<Step>>& before) {
    const Step& s = p_.steps[maker];
    if (!is_cheap(s.row->id)) return;
    std::map<uint32_t, std::vector<size_t>> readers;  // in each other group
    for (size_t i = maker + 1; i < p_.steps.size(); ++i)
      for (const Argument& a : p_.steps[i].uses)
        if (a.buffer == b && group_of_[i] != group_of_[maker]) readers[group_of_[i]].push_back(i);
    if (readers.empty()) return;
    for (const auto& [group, list] : readers)
      if (!is_worth(s, maker, group, list)) return;
    for (const auto& [group, list] : readers) {
      Step again = copy_of(s);
      Buffer made{.kind = Buffer::Kind::kMade, .written = true, .device = s.device};
      made.bytes = p_.buffers[b].bytes;
      const auto buffer = static_cast<uint32_t>(p_.buffers.size());
      p_.buffers.push_back(std::move(made));
      again.uses[again.n_in].buffer = buffer;
      for (size_t i : list)
        for (Argument& a : p_.steps[i].uses)
          if (a.buffer == b) a.buffer = buffer;
      before[list.front()].push_back(std::move(again));
      ++p_.facts.added;
    }
  }

  // Whether these steps of a group, which read elementwise, may have the value made for them, and
  // that reads no more than reading it would.
  bool is_worth(const Step& s, size_t maker, uint32_t group,
                const std::vector<size_t>& readers) const {
    for (size_t i : readers)
      if (!is_elementwise(p_.steps[i])) return false;
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < s.n_in; ++k) {
      const uint32_t in = s.uses[k].buffer;
      if (in == Argument::kNumber) continue;
      bool is_read = false;
      for (size_t i = 0; i < p_.steps.size(); ++i)
        for (const Argument& a : p_.steps[i].uses) {
          if (a.buffer != in) continue;
          if (a.writes && i > maker && i <= readers.back()) return false;
          is_read |= group_of_[i] == group;
        }
      // What its own group alone would use needs memory then; what is made again there is new.
      if (in >= makers_.size() ||
          (makers_[in] >= 0 && group_of_[static_cast<size_t>(makers_[in])] == group_of_[maker]))
        return false;
      if (!is_read) bytes += p_.buffers[in].bytes;
    }
    const uint64_t made = bytes_of(s.args[s.n_in]);
    return bytes <= made + made / 8;
  }

  // ---- steps ----

  static Step copy_of(const Step& s) {
    Step to;
    to.row = s.row, to.kernel = s.kernel, to.device = s.device;
    to.n_in = s.n_in, to.n_out = s.n_out, to.flags = s.flags;
    to.args = s.args, to.uses = s.uses, to.dims = s.dims;
    for (bp_arg& a : to.args) {
      if (a.kind != BP_ARG_TENSOR) continue;
      a.shape = to.dims.data() + (a.shape - s.dims.data());
      a.strides = to.dims.data() + (a.strides - s.dims.data());
    }
    to.attrs = s.attrs, to.ints = s.ints, to.texts = s.texts;
    size_t n_ints = 0, n_texts = 0;  // they stand in the attributes' order
    for (bp_attr& a : to.attrs) {
      if (a.kind == BP_ATTR_INTS) a.value.ints = to.ints[n_ints++].data();
      if (a.kind == BP_ATTR_STR) a.value.str = to.texts[n_texts++].data();
    }
    return to;
  }
  struct Look {
    const std::vector<int64_t>&shape, &strides;
  };
  static void lay(Step& s, std::initializer_list<Look> looks) {
    std::vector<int64_t> dims;
    for (const Look& l : looks) {
      dims.insert(dims.end(), l.shape.begin(), l.shape.end());
      dims.insert(dims.end(), l.strides.begin(), l.strides.end());
    }
    s.dims = std::move(dims);
    int64_t* at = s.dims.data();
    bp_arg* a = s.args.data();
    for (const Look& l : looks) {
      a->rank = static_cast<int32_t>(l.shape.size());
      a->shape = at, a->strides = at + a->rank;
      at += 2 * a->rank;
      ++a;
    }
  }

  Program& p_;
  const Planning& how_;
  std::vector<int64_t> makers_;     // of each buffer
  std::vector<uint32_t> group_of_;  // each step
};

}  // namespace

void rework(Program& p, const Planning& how) {
  if (!(how.without & BP_PASS_GROUP)) Rework(p, how).run();
}

}  // namespace bp
