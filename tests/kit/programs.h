// SPDX-License-Identifier: Apache-2.0
// programs.h: calls recorded and run again.
//
//   const P program = recorded(inputs, [](const Tensors& x) { return one(op(BP_OP_NEG, {value(x[0])})); });
//   Tensors out = results(program, others);
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {

using P = Handle<bp_program, bp_program_release>;
using Tensors = std::vector<T>;
using Work = std::function<Tensors(const Tensors&)>;

// Devices of every backend with kernels for what programs' tests call.
inline std::vector<bp_device> devices_with_kernels() {
  std::vector<bp_device> all = {kCpu};
  for (const char* name : {"sim:0", "cuda:0", "hip:0"})
    if (has_kind(name)) all.push_back(device(name));
  return all;
}
inline T op(uint32_t id, const std::vector<bp_value>& in, const std::vector<bp_attr>& attrs = {}) {
  T out;
  const Answer a = invoke(id, in, out, attrs);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return out;
}
inline T same(const T& t) { return T(bp_tensor_retain(t.get())); }

inline Answer begun(const Tensors& inputs, uint32_t flags = 0) {
  const auto in = raw(inputs);
  return attempt(bp_program_begin, in.data(), static_cast<uint32_t>(in.size()), flags);
}
inline Answer ended(const Tensors& outputs, P& program, uint32_t without = 0) {
  const auto out = raw(outputs);
  const bp_program_options options{sizeof options, without, 0};
  bp_program* p = nullptr;
  Answer a = attempt(bp_program_end, out.data(), static_cast<uint32_t>(out.size()), &options, &p);
  program.reset(p);
  return a;
}
inline P recorded(const Tensors& inputs, const Work& work, uint32_t without = 0) {
  EXPECT_EQ(begun(inputs).message, "");
  P program;
  EXPECT_EQ(ended(work(inputs), program, without).message, "");
  EXPECT_EQ(bp_program_recording(), 0u);
  return program;
}
inline Answer run(const P& program, const Tensors& inputs, std::vector<bp_tensor*>& outputs) {
  const auto in = raw(inputs);
  return attempt(bp_program_run, program.get(), in.data(), static_cast<uint32_t>(in.size()),
                 outputs.data(), static_cast<uint32_t>(outputs.size()));
}
inline bp_program_facts facts(const P& program) {
  bp_program_facts f{};
  f.struct_size = sizeof f;
  EXPECT_EQ(bp_program_info(program.get(), &f, nullptr), BP_OK);
  return f;
}
inline Tensors results(const P& program, const Tensors& inputs) {
  std::vector<bp_tensor*> out(facts(program).n_outputs);
  const Answer a = run(program, inputs, out);
  EXPECT_EQ(a.message, "");
  Tensors owned;
  for (bp_tensor* t : out) owned.emplace_back(t);
  return owned;
}
inline T wave(const Shape& shape, bp_device d, int64_t start = 1) {
  T x = counting(shape);
  return to(op(BP_OP_SIN, {value(op(BP_OP_ADD, {value(x), number(start)}))}), d);
}
inline Tensors one(T t) {
  Tensors all;
  all.push_back(std::move(t));
  return all;
}

}  // namespace bp_test
