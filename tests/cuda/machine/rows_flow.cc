// SPDX-License-Identifier: Apache-2.0
// rows_flow.cc: branches, barriers, and what lanes of a warp tell each other; and the table of all
// rows.
#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kControl = "9.7.12 Control Flow",
                           kMove = "9.7.9 Data Movement and Conversion",
                           kSync = "9.7.13 Parallel Synchronization and Communication";

void run_nothing(Warp&, const Instruction&, uint32_t) {}
void run_warp_barrier(Warp& w, const Instruction&, uint32_t) { ++w.phase; }

void run_ballot(Warp& w, const Instruction& i, uint32_t mask) {
  const uint32_t all = w.predicate(i.at[1]) & mask;
  for (uint32_t left = mask; left; left &= left - 1)
    w.lanes<uint32_t>(i.at[0])[std::countr_zero(left)] = all;
}

enum class Way { kIdx, kUp, kDown, kButterfly };
template <Way kWay>
void run_shuffle(Warp& w, const Instruction& i, uint32_t mask) {
  uint32_t out[kLanes] = {}, valid = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int b = static_cast<int>(w.lanes<uint32_t>(i.at[3])[lane] & 0x1f);
    const uint32_t c = w.lanes<uint32_t>(i.at[4])[lane];
    const int clamp = static_cast<int>(c & 0x1f), segment = static_cast<int>(c >> 8 & 0x1f);
    const int last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    const int from = kWay == Way::kUp          ? lane - b
                     : kWay == Way::kDown      ? lane + b
                     : kWay == Way::kButterfly ? lane ^ b
                                               : first | (b & ~segment);
    const bool inside = kWay == Way::kUp ? from >= last : from <= last;
    const int source = inside ? from : lane;
    if (!(mask >> source & 1))
      throw Wrong{
          kLaunchFailure, lane,
          "takes a value from lane " + std::to_string(source) + ", which does not take part"};
    out[lane] = w.lanes<uint32_t>(i.at[2])[source];
    valid |= uint32_t{inside} << lane;
  }
  for (uint32_t left = mask; left; left &= left - 1)
    w.lanes<uint32_t>(i.at[0])[std::countr_zero(left)] = out[std::countr_zero(left)];
  uint32_t& p = w.predicate(i.at[1]);
  p = (p & ~mask) | valid;
}

}  // namespace

void add_flow_rows(Rows& rows) {
  for (const char* uni : {"", ".uni"}) {
    rows[std::string("bra") + uni] = {kControl, "l", run_nothing, Row::kBranch};
    rows[std::string("call") + uni] = {kControl, "f", run_nothing, Row::kCall};
    rows[std::string("ret") + uni] = {kControl, "", run_nothing, Row::kEnd};
  }
  rows["exit"] = {kControl, "", run_nothing, Row::kEnd};
  rows["bar.sync"] = {kSync, "-", run_nothing, Row::kBarrier};
  rows["bar.red.or.pred"] = {kSync, "p-p", run_nothing, Row::kBarrier};
  for (const char* scope : {"cta", "gl", "sys"})
    rows[std::string("membar.") + scope] = {kSync, "", run_nothing};
  const auto together = [&](const std::string& name, std::string_view section,
                            const std::string& operands, Run run, int members) {
    Row row{section, operands, run, Row::kTogether};
    row.members = members;
    rows[name] = row;
  };
  together("bar.warp.sync", kSync, "4", run_warp_barrier, 0);
  together("vote.sync.ballot.b32", kSync, "4p4", run_ballot, 2);
  together("vote.ballot.sync.b32", kSync, "4p4", run_ballot, 2);
  together("shfl.sync.idx.b32", kMove, "4?4444", run_shuffle<Way::kIdx>, 5);
  together("shfl.sync.up.b32", kMove, "4?4444", run_shuffle<Way::kUp>, 5);
  together("shfl.sync.down.b32", kMove, "4?4444", run_shuffle<Way::kDown>, 5);
  together("shfl.sync.bfly.b32", kMove, "4?4444", run_shuffle<Way::kButterfly>, 5);
}

const Rows& rows() {
  static const Rows all = [] {
    Rows made;
    add_integer_rows(made);
    add_float_rows(made);
    add_conversion_rows(made);
    add_access_rows(made);
    add_flow_rows(made);
    add_matrix_rows(made);
    return made;
  }();
  return all;
}

const Row* find_row(std::string_view opcode) {
  const auto it = rows().find(opcode);
  return it == rows().end() ? nullptr : &it->second;
}

}  // namespace machine
