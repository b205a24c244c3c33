// SPDX-License-Identifier: Apache-2.0
// implicit_product.h: a convolution and its two gradients as products of matrices of which only
// tiles are made, in shared memory. For each group of channels, with P places of windows in the
// result, K taps of a kernel and I positions of the input:
//
//   kind         rows           columns                  terms of a sum
//   Forward      out channels   N x P                    in channels x K
//   InputGrad    in channels    N x (I of a phase)       out channels x (K of a phase)
//   WeightGrad   out channels   in channels x K          N x P
//
// Positions of the input that lie apart by whole steps of the windows are a phase: the same taps
// reach all of them and no other tap does, so that no term is zero by construction.
//
// An element of the first operand lies where its row and its term meet, the sum of two offsets; one
// of the second where its column and its term do, two Spots, if that position is inside.
#pragma once
#include "gpu/convolution.h"
#include "gpu/windows.h"

namespace bp_gpu {

// Part of an element's offset in its operand, and of its position.
struct Spot {
  int64_t offset;
  int32_t at[3];
};

// Whether the position that two Spots add up to is one of the grid's.
GPU_FN bool meet_inside(const Spot& x, const Spot& y, const Grid<int32_t>& g) {
  bool inside = true;
  for (int32_t d = 0; d < 3; ++d)
    inside &= static_cast<uint32_t>(x.at[d] + y.at[d]) < static_cast<uint32_t>(g.size[d]);
  return inside;
}

// A term's part of both operands.
struct Term {
  int64_t row;
  Spot column;
};

// What all kinds have. Channels are those of a group.
struct ConvolutionGrids {
  static constexpr int32_t kDims = 3;
  int32_t groups, in_channels, out_channels;
  Grid<int32_t> in, kernel, out;
  int32_t step[kDims], padding[kDims], dilation[kDims];
  // How many of the product's; of phases the most that one has.
  int64_t rows, most_columns;
  int32_t most_terms, phases;

  static GPU_FN int64_t offset(const Grid<int32_t>& g, const int32_t (&at)[kDims]) {
    return (int64_t{at[0]} * g.size[1] + at[1]) * g.size[2] + at[2];
  }
  GPU_FN int64_t weights() const { return int64_t{in_channels} * kernel.plane; }  // of a channel
  GPU_FN int64_t weights_of(int32_t group, int64_t out_channel) const {
    return (int64_t{group} * out_channels + out_channel) * weights();
  }
  GPU_FN int64_t of_out_channel(int32_t group, int64_t i) const {
    return (int64_t{group} * out_channels + i) * out.plane;
  }
  GPU_FN int64_t of_in_channel(int32_t group, int64_t i) const {
    return (int64_t{group} * in_channels + i) * in.plane;
  }
  // Where the i-th of N x P, in image n, is in the result, of channel 0.
  GPU_FN int64_t place(int64_t i, int64_t n) const {
    return n * (int64_t{groups} * out_channels - 1) * out.plane + i;
  }
  // Where its window begins in the input, of channel 0.
  GPU_FN Spot window(int64_t i) const { return window(out.of(i)); }
  GPU_FN Spot window(const Grid<int32_t>::Spot& p) const {
    Spot s;
    for (int32_t d = 0; d < kDims; ++d) s.at[d] = p.at[d] * step[d] - padding[d];
    s.offset = p.plane * groups * in_channels * in.plane + offset(in, s.at);
    return s;
  }
  // Where one of in channels x K is, from a window's begin on.
  GPU_FN Spot tap(int32_t i) const {
    const Grid<int32_t>::Spot p = kernel.of_few(i);
    Spot s;
    for (int32_t d = 0; d < kDims; ++d) s.at[d] = p.at[d] * dilation[d];
    s.offset = p.plane * in.plane + offset(in, s.at);
    return s;
  }
};

struct NoPhase {};

struct Forward : ConvolutionGrids {
  using Phase = NoPhase;
  static constexpr bool kDeep = false;  // whether terms, not columns, are neighbours in memory

  GPU_FN Phase phase(int32_t) const { return {}; }
  GPU_FN int64_t columns(const Phase&) const { return most_columns; }
  GPU_FN int32_t terms(const Phase&) const { return most_terms; }
  GPU_FN const Grid<int32_t>& source() const { return in; }  // of columns and their terms
  GPU_FN int64_t row(int32_t group, int64_t i) const { return weights_of(group, i); }
  GPU_FN Spot column(const Phase&, int32_t group, int64_t j) const {
    Spot s = window(j);
    s.offset += of_in_channel(group, 0);
    return s;
  }
  GPU_FN Term term(const Phase&, int32_t q) const { return {q, tap(q)}; }
  GPU_FN int64_t to_row(int32_t group, int64_t i) const { return of_out_channel(group, i); }
  GPU_FN int64_t to_column(const Phase&, int64_t j) const { return place(j, j / out.plane); }

  // What a sum goes over when one thread makes it: these channels, `weight_step` weights apart, and
  // of each dim the taps that reach a position of the source from one of the result.
  GPU_FN const Grid<int32_t>& result() const { return out; }
  GPU_FN int32_t channels() const { return in_channels; }
  GPU_FN int64_t weight_step() const { return kernel.plane; }
  GPU_FN bool reaches(int32_t d, int32_t at, int32_t k, int32_t* position) const {
    *position = at * step[d] - padding[d] + k * dilation[d];
    return static_cast<uint32_t>(*position) < static_cast<uint32_t>(in.size[d]);
  }
};

struct WeightGrad : ConvolutionGrids {
  using Phase = NoPhase;
  static constexpr bool kDeep = true;

  GPU_FN Phase phase(int32_t) const { return {}; }
  GPU_FN int64_t columns(const Phase&) const { return most_columns; }
  GPU_FN int32_t terms(const Phase&) const { return most_terms; }
  GPU_FN const Grid<int32_t>& source() const { return in; }
  GPU_FN int64_t row(int32_t group, int64_t i) const { return of_out_channel(group, i); }
  GPU_FN Spot column(const Phase&, int32_t group, int64_t j) const {
    Spot s = tap(static_cast<int32_t>(j));
    s.offset += of_in_channel(group, 0);
    return s;
  }
  GPU_FN Term term(const Phase&, int32_t q) const {
    const Grid<int32_t>::Spot p = out.of_few(q);
    return {place(q, p.plane), window(p)};
  }
  GPU_FN int64_t to_row(int32_t group, int64_t i) const { return weights_of(group, i); }
  GPU_FN int64_t to_column(const Phase&, int64_t j) const { return j; }
};

struct InputGrad : ConvolutionGrids {
  // Of each dim: the positions first, first + step, ... of the input, and the taps tap, tap +
  // tap_step, ... that reach them.
  struct Phase {
    int32_t first[kDims], positions[kDims], tap[kDims], taps[kDims];
  };
  static constexpr bool kDeep = false;
  int32_t phases_of[kDims], tap_step[kDims];
  int32_t most_taps[kDims];
  Quotients<int32_t> by_taps[kDims][2];  // the most that a phase has, and one less
  Quotients<int32_t> by_step[kDims];
  int64_t batch;

  GPU_FN Phase phase(int32_t i) const {
    Phase p;
    for (int32_t d = kDims - 1; d >= 0; --d) {
      p.first[d] = i % phases_of[d];
      i /= phases_of[d];
      p.positions[d] = (in.size[d] - p.first[d] + step[d] - 1) / step[d];
      const int32_t from = p.first[d] + padding[d];
      p.tap[d] = 0;
      while (p.tap[d] < tap_step[d] && (from - p.tap[d] * dilation[d]) % step[d] != 0) ++p.tap[d];
      const bool any = p.tap[d] < tap_step[d] && p.tap[d] < kernel.size[d];
      p.taps[d] = any ? (kernel.size[d] - p.tap[d] + tap_step[d] - 1) / tap_step[d] : 0;
    }
    return p;
  }
  GPU_FN int64_t columns(const Phase& p) const {
    return batch * p.positions[0] * p.positions[1] * p.positions[2];
  }
  GPU_FN int32_t terms(const Phase& p) const {
    return out_channels * p.taps[0] * p.taps[1] * p.taps[2];
  }
  GPU_FN const Grid<int32_t>& source() const { return out; }
  GPU_FN int64_t row(int32_t group, int64_t i) const {
    return weights_of(group, 0) + i * kernel.plane;
  }
  // The number of the position in its phase, from which a tap's is counted.
  GPU_FN Spot column(const Phase& p, int32_t group, int64_t j) const {
    Spot s;
    const int64_t n = split(j, p.positions, s.at);
    s.offset = (n * groups + group) * out_channels * out.plane + offset(out, s.at);
    return s;
  }
  GPU_FN Term term(const Phase& p, int32_t q) const {
    int32_t tap[kDims];
    Term t;
    int32_t channel = q;
    for (int32_t d = kDims - 1; d >= 0; --d) {
      const int32_t left = by_taps[d][p.taps[d] < most_taps[d]].of(channel);
      tap[d] = p.tap[d] + (channel - left * p.taps[d]) * tap_step[d];
      channel = left;
      t.column.at[d] = (p.first[d] + padding[d] - tap[d] * dilation[d]) / step[d];  // has no rest
    }
    t.row = channel * weights() + offset(kernel, tap);
    t.column.offset = int64_t{channel} * out.plane + offset(out, t.column.at);
    return t;
  }
  GPU_FN int64_t to_row(int32_t group, int64_t i) const { return of_in_channel(group, i); }
  GPU_FN int64_t to_column(const Phase& p, int64_t j) const {
    int32_t at[kDims];
    const int64_t n = split(j, p.positions, at);
    for (int32_t d = 0; d < kDims; ++d) at[d] = p.first[d] + at[d] * step[d];
    return n * groups * in_channels * in.plane + offset(in, at);
  }

  GPU_FN const Grid<int32_t>& result() const { return in; }
  GPU_FN int32_t channels() const { return out_channels; }
  GPU_FN int64_t weight_step() const { return weights(); }
  GPU_FN bool reaches(int32_t d, int32_t at, int32_t k, int32_t* position) const {
    const int32_t from = at + padding[d] - k * dilation[d];
    if (from < 0) return false;
    *position = by_step[d].of(from);
    return *position * step[d] == from && *position < out.size[d];
  }

 private:
  // Sets the last three digits of a mixed radix, and returns the first.
  static GPU_FN int64_t split(int64_t i, const int32_t (&size)[kDims], int32_t (&at)[kDims]) {
    const int32_t row = size[2], plane = size[1] * row;
    const int64_t all = int64_t{size[0]} * plane, first = i / all;
    const auto rest = static_cast<int32_t>(i - first * all);
    at[0] = rest / plane;
    at[1] = rest % plane / row;
    at[2] = rest % row;
    return first;
  }
};

}  // namespace bp_gpu
