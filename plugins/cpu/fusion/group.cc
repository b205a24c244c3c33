// SPDX-License-Identifier: Apache-2.0
#include "fusion/group.h"

#include <atomic>
#include <memory>
#include <new>
#include <vector>

#include "device/error.h"
#include "device/parallel.h"
#include "fusion/segment.h"

// Which launches are done together; the others run by their kernels.
struct bp_fused_code {
  struct Part {
    uint32_t first, count;
    std::unique_ptr<bp_cpu::Segment> segment;
  };
  std::vector<Part> parts;
};

namespace bp_cpu {
namespace {

// The group's launches for one thread: their operands are those of the block at hand.
class Blocks {
 public:
  Blocks(const bp_fused& g, char* scratch) : g_(g), scratch_(scratch), launches_(g.n_launches) {
    size_t n_args = 0;
    for (uint32_t k = 0; k < g.n_launches; ++k)
      n_args += g.launches[k].launch->n_in + g.launches[k].launch->n_out;
    args_.resize(n_args);
    shapes_.resize(n_args * BP_MAX_RANK);
    size_t at = 0;
    for (uint32_t k = 0; k < g.n_launches; ++k) {
      const bp_launch& whole = *g.launches[k].launch;
      launches_[k] = whole;
      launches_[k].args = args_.data() + at;
      for (uint32_t i = 0; i < whole.n_in + whole.n_out; ++i, ++at) {
        bp_arg& a = args_[at] = whole.args[i];
        if (a.kind != BP_ARG_TENSOR) continue;
        int64_t* shape = shapes_.data() + at * BP_MAX_RANK;
        for (int32_t d = 0; d < a.rank; ++d) shape[d] = a.shape[d];
        a.shape = shape;
        if (g.launches[k].in_scratch[i])
          a.data = scratch + reinterpret_cast<intptr_t>(a.data);
        else if (i < whole.n_in)
          add_source(g.launches[k], i);
      }
    }
    int64_t bytes = 0;
    for (const Source& s : sources_) bytes += s.unit_bytes * g.units;
    if (bytes < kFetched) sources_.clear();
  }

  bp_status run(int64_t begin, int64_t end, bp_error** err) {
    if (!g_.code) return run_kernels(0, g_.n_launches, begin, end, err);
    const size_t n_parts = g_.code->parts.size();
    for (size_t i = 0; i < n_parts; ++i) {
      const bp_fused_code::Part& part = g_.code->parts[i];
      fetch(end, end + (end - begin) < g_.units ? end + (end - begin) : g_.units, i, n_parts);
      if (part.segment)
        part.segment->run(g_, begin, end, scratch_);
      else if (const bp_status s = run_kernels(part.first, part.count, begin, end, err))
        return s;
    }
    return BP_OK;
  }

 private:
  // Memory beyond the block that it reads.
  struct Source {
    uint32_t memory;
    const char* data;
    int64_t unit_bytes;
  };
  static constexpr int64_t kFetched = int64_t{1} << 20;  // what second-level caches do not keep

  void add_source(const bp_fused_launch& f, uint32_t i) {
    for (const Source& s : sources_)
      if (s.memory == f.memory[i]) return;
    if (f.unit_bytes[i])
      sources_.push_back(
          {f.memory[i], static_cast<const char*>(f.launch->args[i].data), f.unit_bytes[i]});
  }
  // Asks for what the next block reads, because memory would idle while this one is computed.
  // Each of n parts asks for its share, so that the requests go on beside its work.
  void fetch(int64_t begin, int64_t end, size_t part, size_t n) const {
    constexpr int64_t kLine = 64;
    for (const Source& s : sources_) {
      const int64_t first = begin * s.unit_bytes, bytes = (end - begin) * s.unit_bytes;
      const auto share = [&](size_t i) {
        return first + bytes * static_cast<int64_t>(i) / static_cast<int64_t>(n);
      };
      for (int64_t at = share(part); at < share(part + 1); at += kLine)
        __builtin_prefetch(s.data + at, 0, 2);
    }
  }

  // Tensors keep their strides; dim 0 is shorter, and data begins later.
  bp_status run_kernels(uint32_t first, uint32_t count, int64_t begin, int64_t end,
                        bp_error** err) {
    for (uint32_t k = first; k < first + count; ++k) {
      const bp_fused_launch& f = g_.launches[k];
      bp_launch& l = launches_[k];
      auto* args = const_cast<bp_arg*>(l.args);
      for (uint32_t i = 0; i < l.n_in + l.n_out; ++i) {
        bp_arg& a = args[i];
        if (a.kind != BP_ARG_TENSOR) continue;
        const_cast<int64_t*>(a.shape)[0] = (end - begin) * f.dim_per_unit;
        if (!f.in_scratch[i])
          a.data = static_cast<char*>(f.launch->args[i].data) + begin * f.unit_bytes[i];
      }
      if (const bp_status s = f.run(&l, err)) return s;
    }
    return BP_OK;
  }

  const bp_fused& g_;
  char* scratch_;
  std::vector<Source> sources_;
  std::vector<bp_launch> launches_;
  std::vector<bp_arg> args_;
  std::vector<int64_t> shapes_;
};

}  // namespace

bp_status run_group(const bp_fused* group, bp_error** err) {
  const bp_fused& g = *group;
  if (g.code && g.code->parts.size() == 1) {
    g.code->parts[0].segment->run_all(g);
    return BP_OK;
  }
  std::atomic<uint32_t> n_taken{0};
  std::atomic<int32_t> failed{BP_OK}, told{BP_OK};
  std::atomic<bp_error**> sentence{err};  // one thread's at a time
  parallel_for((g.units + g.block - 1) / g.block, 1, [&](int64_t first, int64_t last) {
    try {
      bp_error** mine = sentence.exchange(nullptr);
      Blocks blocks(g, static_cast<char*>(g.scratch) + n_taken.fetch_add(1) * g.scratch_bytes);
      for (int64_t b = first; b < last && failed.load(std::memory_order_relaxed) == BP_OK; ++b) {
        const int64_t begin = b * g.block, end = begin + g.block;
        if (const bp_status s = blocks.run(begin, end < g.units ? end : g.units, mine)) {
          failed.store(s, std::memory_order_relaxed);
          if (mine) told.store(s);
          return;
        }
      }
      if (mine) sentence.store(mine);
    } catch (const std::bad_alloc&) {
      failed.store(BP_OUT_OF_HOST_MEMORY, std::memory_order_relaxed);
    }
  });
  if (const bp_status s = told.load()) return s;
  if (const bp_status s = failed.load())
    return fail(g.launches[0].launch, err, s, "a kernel of a group of %u failed", g.n_launches);
  return BP_OK;
}

bp_status make_group(const bp_fused* group, uint32_t* together, bp_fused_code** out,
                     bp_error** err) {
  try {
    auto code = std::make_unique<bp_fused_code>();
    bool any = false;
    for (uint32_t k = 0; k < group->n_launches;) {
      uint32_t n = 1;
      std::unique_ptr<Segment> segment = find_segment(*group, k, &n);
      any |= segment != nullptr;
      code->parts.push_back({k, n, std::move(segment)});
      k += n;
    }
    if (!any) return BP_OK;
    for (const bp_fused_code::Part& part : code->parts)
      for (uint32_t k = 0; k < part.count; ++k) together[part.first + k] = part.first;
    *out = code.release();
    return BP_OK;
  } catch (const std::bad_alloc&) {
    return fail(group->launches[0].launch, err, BP_OUT_OF_HOST_MEMORY,
                "no memory for a group of %u", group->n_launches);
  }
}

void drop_group(bp_fused_code* code) { delete code; }

}  // namespace bp_cpu
