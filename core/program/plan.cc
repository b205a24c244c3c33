// SPDX-License-Identifier: Apache-2.0
// plan.cc: what is done to a program before it runs; declared in program.h. Each pass is a plain
// function over the list of steps.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "c_op_ids.h"
#include "c_program.h"
#include "core/program/group.h"
#include "core/program/program.h"

namespace bp {
namespace {

// Takes out the steps for which `leaves` is set.
void erase_steps(Program& p, const std::vector<bool>& leaves) {
  size_t kept = 0;
  for (size_t i = 0; i < p.steps.size(); ++i) {
    if (leaves[i]) continue;
    if (kept != i) p.steps[kept] = std::move(p.steps[i]);
    ++kept;
  }
  p.steps.erase(p.steps.begin() + static_cast<std::ptrdiff_t>(kept), p.steps.end());
}

// Steps whose results nobody reads. What is drawn for them is drawn all the same.
void drop_dead(Program& p) {
  std::vector<bool> needed(p.buffers.size()), leaves(p.steps.size());
  for (size_t b = 0; b < p.buffers.size(); ++b)
    needed[b] = p.buffers[b].kind != Buffer::Kind::kMade || p.buffers[b].output;
  for (size_t i = p.steps.size(); i-- > 0;) {
    const Step& s = p.steps[i];
    leaves[i] = std::none_of(s.uses.begin(), s.uses.end(),
                             [&](const Argument& a) { return a.writes && needed[a.buffer]; });
    if (leaves[i]) continue;
    for (const Argument& a : s.uses)
      if (a.buffer != Argument::kNumber) needed[a.buffer] = true;
  }
  p.facts.dead = static_cast<uint32_t>(std::count(leaves.begin(), leaves.end(), true));
  erase_steps(p, leaves);
}

template <class T>
void put(std::string& key, const T& v) {
  key.append(reinterpret_cast<const char*>(&v), sizeof v);
}
// Everything that decides what a step computes, and how it lays its result down.
std::string key_of(const Step& s, const std::vector<uint32_t>& versions) {
  std::string key;
  put(key, s.row);
  put(key, s.device);
  put(key, s.flags);
  for (const bp_attr& a : s.attrs) {
    put(key, a.kind);
    put(key, a.count);
    if (a.kind == BP_ATTR_INTS)
      key.append(reinterpret_cast<const char*>(a.value.ints), a.count * sizeof(int64_t));
    else if (a.kind == BP_ATTR_STR)
      key.append(a.value.str, a.count);
    else
      put(key, a.value);
  }
  for (size_t i = 0; i < s.args.size(); ++i) {
    const bp_arg& a = s.args[i];
    put(key, a.kind);
    put(key, a.dtype);
    if (s.uses[i].buffer == Argument::kNumber) {
      put(key, a.f64);
      put(key, a.i64);
      continue;
    }
    put(key, a.data);
    key.append(reinterpret_cast<const char*>(a.shape), static_cast<size_t>(a.rank) * 8);
    key.append(reinterpret_cast<const char*>(a.strides), static_cast<size_t>(a.rank) * 8);
    if (s.uses[i].writes) continue;
    put(key, s.uses[i].buffer);
    put(key, versions[s.uses[i].buffer]);
  }
  return key;
}

// Steps that compute again what an earlier one did: their readers read that.
void join_equal(Program& p) {
  std::vector<uint32_t> writers(p.buffers.size()), versions(p.buffers.size()),
      same(p.buffers.size());
  for (uint32_t b = 0; b < same.size(); ++b) same[b] = b;
  for (const Step& s : p.steps)
    for (const Argument& a : s.uses)
      if (a.writes) ++writers[a.buffer];
  std::map<std::string, size_t> seen;
  std::vector<bool> leaves(p.steps.size());
  for (size_t i = 0; i < p.steps.size(); ++i) {
    Step& s = p.steps[i];
    for (Argument& a : s.uses)
      if (a.buffer != Argument::kNumber) a.buffer = same[a.buffer];
    const auto only_here = [&](const Argument& a) {
      return !a.writes || (!a.reads && writers[a.buffer] == 1 && !p.buffers[a.buffer].output &&
                           p.buffers[a.buffer].kind == Buffer::Kind::kMade);
    };
    if (s.row && !s.refresh && !(s.row->flags & kRandom) &&
        std::all_of(s.uses.begin(), s.uses.end(), only_here)) {
      const auto [at, is_new] = seen.emplace(key_of(s, versions), i);
      if (!is_new) {
        for (size_t k = 0; k < s.uses.size(); ++k)
          if (s.uses[k].writes) same[s.uses[k].buffer] = p.steps[at->second].uses[k].buffer;
        leaves[i] = true;
      }
    }
    for (const Argument& a : s.uses)
      if (a.writes && !leaves[i]) ++versions[a.buffer];
  }
  p.facts.equal = static_cast<uint32_t>(std::count(leaves.begin(), leaves.end(), true));
  erase_steps(p, leaves);
}

// ---- activations behind products ----

bool is_all_of(const bp_arg& x, const bp_arg& y) {
  const auto is_dense = [](const bp_arg& a) {
    const auto rank = static_cast<size_t>(a.rank);
    return is_contiguous({a.shape, rank}, {a.strides, rank});
  };
  const auto count = [](const bp_arg& a) { return numel({a.shape, static_cast<size_t>(a.rank)}); };
  return x.dtype == y.dtype && is_dense(x) && is_dense(y) && count(x) == count(y);
}
bool touches(const Step& s, uint32_t buffer) {
  return std::any_of(s.uses.begin(), s.uses.end(),
                     [&](const Argument& a) { return a.buffer == buffer; });
}

// Returns the step that is the ReLU of all that step i makes, and whose result that step may write
// in its place, or 0.
size_t relu_of(const Program& p, size_t i) {
  const Step& s = p.steps[i];
  const uint32_t made = s.uses[s.n_in].buffer;
  size_t at = i + 1;
  while (at < p.steps.size() && !touches(p.steps[at], made)) ++at;
  if (at == p.steps.size()) return 0;
  const Step& relu = p.steps[at];
  if (!relu.row || relu.row->id != BP_OP_RELU || relu.refresh || relu.uses[0].buffer != made ||
      relu.args[0].data != s.args[s.n_in].data || !is_all_of(s.args[s.n_in], relu.args[0]) ||
      !is_all_of(relu.args[0], relu.args[1]))
    return 0;
  const uint32_t result = relu.uses[1].buffer;
  if (result == made) return relu.args[1].data == relu.args[0].data ? at : 0;
  // Nobody else may want the sums, nor meet the result before it is due.
  if (p.buffers[made].kind != Buffer::Kind::kMade || p.buffers[made].output) return 0;
  for (size_t k = 0; k < p.steps.size(); ++k)
    if ((k != i && k != at && touches(p.steps[k], made)) ||
        (k >= i && k < at && touches(p.steps[k], result)))
      return 0;
  return at;
}

void join_activations(Program& p) {
  std::vector<bool> leaves(p.steps.size());
  for (size_t i = 0; i < p.steps.size(); ++i) {
    Step& s = p.steps[i];
    if (!s.row || s.row->id != BP_OP_LINEAR || s.refresh || s.texts[0] != "none") continue;
    const size_t at = relu_of(p, i);
    if (!at) continue;
    s.uses[s.n_in].buffer = p.steps[at].uses[1].buffer;
    s.args[s.n_in].data = p.steps[at].args[1].data;
    s.texts[0] = "relu";
    bp_attr& activation = s.attrs[BP_ATTR_LINEAR_ACTIVATION];
    activation.value.str = s.texts[0].data(), activation.count = s.texts[0].size();
    leaves[at] = true;
  }
  p.facts.joined = static_cast<uint32_t>(std::count(leaves.begin(), leaves.end(), true));
  erase_steps(p, leaves);
}

// Gives every buffer that the steps make, and that is no output, its place in its device's block.
void place_buffers(Program& p) {
  std::vector<Period> lives(p.buffers.size());
  std::vector<bool> used(p.buffers.size());
  for (uint32_t g = 0; g < p.groups.size(); ++g)
    for (uint32_t i = p.groups[g].first; i < p.groups[g].first + p.groups[g].count; ++i)
      for (const Argument& a : p.steps[i].uses) {
        if (a.buffer == Argument::kNumber) continue;
        if (!used[a.buffer]) lives[a.buffer].from = g;
        lives[a.buffer].until = g;
        used[a.buffer] = true;
      }
  std::map<Device*, std::vector<uint32_t>> of_device;
  for (uint32_t b = 0; b < p.buffers.size(); ++b) {
    const Buffer& x = p.buffers[b];
    of_device[x.device];
    if (used[b] && x.kind == Buffer::Kind::kMade && !x.output && x.scratch < 0)
      of_device[x.device].push_back(b);
  }
  for (const Step& s : p.steps) of_device[s.device];
  for (auto& [device, list] : of_device) {
    std::vector<Piece> pieces;
    for (uint32_t b : list) pieces.push_back({p.buffers[b].bytes, lives[b]});
    Program::Block block{device, pack(pieces)};
    for (size_t i = 0; i < list.size(); ++i) p.buffers[list[i]].at = pieces[i].at;
    block.anchor = Ref<Storage>::adopt(new Storage(device->main(), 0));
    p.blocks.push_back(std::move(block));
  }
}

}  // namespace

uint64_t pack(std::span<Piece> pieces) {
  std::vector<size_t> order(pieces.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return pieces[a].bytes > pieces[b].bytes; });
  std::vector<size_t> placed;  // by their place
  uint64_t size = 0;
  for (size_t i : order) {
    Piece& piece = pieces[i];
    const uint64_t bytes = (piece.bytes + kPieceAlignment - 1) & ~(kPieceAlignment - 1);
    uint64_t at = 0;
    for (size_t k : placed) {
      const Piece& other = pieces[k];
      if (other.lives.until < piece.lives.from || other.lives.from > piece.lives.until) continue;
      if (at + bytes <= other.at) break;
      at = std::max(at, other.at + ((other.bytes + kPieceAlignment - 1) & ~(kPieceAlignment - 1)));
    }
    piece.at = at;
    size = std::max(size, at + bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i,
                                   [&](size_t a, size_t b) { return pieces[a].at < pieces[b].at; }),
                  i);
  }
  return size;
}

void plan(Program& p, const Planning& how) {
  p.facts.without = how.without;
  p.facts.block_bytes = how.block_bytes;
  if (!(how.without & BP_PASS_EQUAL)) join_equal(p);
  if (!(how.without & BP_PASS_DEAD)) drop_dead(p);
  if (!(how.without & BP_PASS_JOIN) && !how.same_bits) join_activations(p);
  rework(p, how);
  make_groups(p, how);
  place_buffers(p);
}

}  // namespace bp
