// compose.h: what a row's composition works with: the call's operands, and short names for the ops it is made of.
// A composition fills out; when the caller gave outputs the core copies into them.
//
//   .compose = [](Composer& c) { c.out[0] = c.op("div", {c.in[0], c.in[1]}); }
#pragma once
#include "core/invoke.h"

namespace bp {

struct Composer {
  const OpRow& row;
  std::span<const bp_value> in;
  std::span<const bp_attr> attrs;
  Ref<Tensor> out[kMaxOutputs];

  Tensor& tensor(size_t i) const { return *in[i].as.tensor; }
  int64_t i64(size_t attr) const { return attrs[attr].value.i64; }
};

}  // namespace bp
