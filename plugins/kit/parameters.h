// SPDX-License-Identifier: Apache-2.0
// parameters.h: attributes as operands. An elementwise op with parameters (elu's alpha) runs as one
// with numbers beside its tensor, which every elementwise driver knows how to pass.
//
//   Parameters<1> p(launch);              // x, attribute 0 as a number, out
//   run_elementwise(p.launch(), loops);
#pragma once
#include "c_plugin.h"

namespace bp_kit {
namespace {  // each instruction set compiles its own

template <int kCount>
class Parameters {
 public:
  // The first kCount attributes are f64.
  explicit Parameters(const bp_launch& l) : launch_(l) {
    args_[0] = l.args[0];
    for (int i = 0; i < kCount; ++i) {
      bp_arg& a = args_[i + 1];
      a = bp_arg{};
      a.kind = BP_ARG_SCALAR_F64;
      a.dtype = l.args[0].dtype;
      a.f64 = l.attrs[i].value.f64;
    }
    args_[kCount + 1] = l.args[1];
    launch_.args = args_;
    launch_.n_in = kCount + 1;
  }
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;
  const bp_launch& launch() const { return launch_; }

 private:
  bp_arg args_[kCount + 2];
  bp_launch launch_;
};

}  // namespace
}  // namespace bp_kit
