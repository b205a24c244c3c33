// SPDX-License-Identifier: Apache-2.0
// copy.cu: any dtype into any other, by the rules of kit/number.h; fill; where.
#include "gpu/elementwise.h"
#include "gpu/functors/choose.h"
#include "gpu/transpose.h"

namespace bp_gpu {

using namespace functors;

namespace {

bp_status run_copy(const bp_launch& l, bp_error** err) {
  if (l.args[0].dtype == l.args[1].dtype)
    return with_size(l.args[0].dtype, [&](auto t) {
      bool done = false;
      const bp_status s = transpose<decltype(t)>(l, &done, err);
      return done ? s : map<Same, decltype(t), decltype(t)>(l, err);
    });
  return with_type(l.args[0].dtype, [&](auto from) {
    return with_type(l.args[1].dtype,
                     [&](auto to) { return map<Same, decltype(to), decltype(from)>(l, err); });
  });
}

bp_status run_fill(const bp_launch& l, bp_error** err) {
  return with_type(l.args[1].dtype,
                   [&](auto t) { return map<Same, decltype(t), decltype(t)>(l, err); });
}

bp_status run_where(const bp_launch& l, bp_error** err) {
  return with_type(l.args[3].dtype, [&](auto t) {
    return map<Choose, decltype(t), Bool, decltype(t), decltype(t)>(l, err);
  });
}

}  // namespace

void add_copy(Registry& r) {
  r.add(BP_OP_COPY, kAllDtypes, entry<run_copy>);
  r.add(BP_OP_FILL, kAllDtypes, entry<run_fill>);
  r.add(BP_OP_WHERE, kAllDtypes, entry<run_where>);
}

}  // namespace bp_gpu
