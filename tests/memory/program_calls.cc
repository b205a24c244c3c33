// SPDX-License-Identifier: Apache-2.0
// program_calls.cc: the calls of recorded programs: a chain of ops, a view, a product and a random
// draw, run with results that are made and with one that is given.
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "kit/tensors.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

using Program = Handle<bp_program, bp_program_release>;

struct Abandoned {
  ~Abandoned() { bp_program_abandon(); }
};

bp_status recorded(bp_tensor* x, Program& program, bp_error** err) {
  const Abandoned at_end;
  TRY(bp_program_begin(&x, 1, 0, err));
  T turned, product, kept, sums;
  TRY(bp_tensor_transpose(x, 0, 1, into(turned), err));
  TRY(bp_matmul(x, turned.get(), into(product), err));
  TRY(bp_exp(product.get(), into(kept), err));
  TRY(bp_dropout(kept.get(), 0.5, -1, -1, into(kept), err));
  TRY(bp_sum(kept.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sums), err));
  bp_tensor* outputs[] = {kept.get(), sums.get()};
  return bp_program_end(outputs, 2, nullptr, into(program), err);
}

bp_status run(const T& x, bp_error** err) {
  Program program;
  TRY(recorded(x.get(), program, err));
  bp_program_facts facts{};
  facts.struct_size = sizeof facts;
  TRY(bp_program_info(program.get(), &facts, err));
  char text[64];
  TRY(bp_program_format(program.get(), text, sizeof text, nullptr, err));
  bp_tensor *in[] = {x.get()}, *out[2] = {};
  const bp_status status = bp_program_run(program.get(), in, 1, out, 2, err);
  const T first(out[0]), second(out[1]);
  TRY(status);
  bp_tensor* given[] = {first.get(), nullptr};
  const bp_status again = bp_program_run(program.get(), in, 1, given, 2, err);
  const T third(given[1]);
  return again;
}

// A program that holds a tensor and draws, to a file and back.
bp_status to_file_and_back(bp_tensor* x, bp_error** err) {
  char path[128];
  std::snprintf(path, sizeof path, "/tmp/backplane-memory-%d.program",
                static_cast<int>(::getpid()));
  const Abandoned at_end;
  TRY(bp_program_begin(nullptr, 0, 0, err));
  T kept, sums;
  TRY(bp_dropout(x, 0.5, -1, -1, into(kept), err));
  TRY(bp_sum(kept.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sums), err));
  bp_tensor* outputs[] = {sums.get()};
  Program program, same;
  TRY(bp_program_end(outputs, 1, nullptr, into(program), err));
  TRY(bp_program_save(program.get(), path, err));
  TRY(bp_program_load(path, nullptr, 0, nullptr, into(same), err));
  bp_tensor* out = nullptr;
  const bp_status status = bp_program_run(same.get(), nullptr, 0, &out, 1, err);
  const T owned(out);
  return status;
}

// A program whose result has a gradient, for its input and for a leaf that it holds.
bp_status with_gradients(bp_tensor* x, bp_tensor* w, bp_error** err) {
  const Abandoned at_end;
  TRY(bp_program_begin(&x, 1, BP_PROGRAM_GRADIENTS, err));
  T product, power, sums;
  TRY(bp_mul(x, w, into(product), err));
  TRY(bp_exp(product.get(), into(power), err));
  TRY(bp_sum(power.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sums), err));
  bp_tensor *outputs[] = {sums.get()}, *out = nullptr, *inputs[] = {x, w}, *grads[2] = {};
  Program program;
  TRY(bp_program_end(outputs, 1, nullptr, into(program), err));
  const bp_status status = bp_program_run(program.get(), &x, 1, &out, 1, err);
  const T owned(out);
  TRY(status);
  const bp_status back = bp_grad(&out, nullptr, 1, inputs, 2, 0, grads, err);
  const T of_x(grads[0]), of_w(grads[1]);
  return back;
}

}  // namespace

std::vector<Call> program_calls(const std::string& name) {
  const auto x = std::make_shared<T>(counting({3, 4}, device(name)));
  const auto leaves = std::make_shared<std::pair<T, T>>(leaf(counting({3, 4}, device(name))),
                                                        leaf(counting({4}, device(name))));
  return {{"program", name, [x](bp_error** err) { return run(*x, err); }},
          {"program gradients", name,
           [leaves](bp_error** err) {
             return with_gradients(leaves->first.get(), leaves->second.get(), err);
           }},
          {"program file", name, [x](bp_error** err) { return to_file_and_back(x->get(), err); }}};
}

}  // namespace bp_test
