// SPDX-License-Identifier: Apache-2.0
#include "core/call/foreach.h"

#include "core/call/arrange.h"
#include "core/call/compose.h"
#include "core/call/fallback.h"
#include "core/call/launch.h"
#include "core/call/profiled.h"
#include "core/call/recording.h"
#include "core/device/queue_trace.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

bool is_written(const OpRow& row, size_t list) { return row.n_outputs() == 0 && list != 1; }

struct Foreach {
  const OpRow& row;
  std::span<const bp_value> in;
  std::span<const bp_attr> attrs;
  Lists at;
  Device* device = nullptr;
  std::vector<Operand> operands;
  Inference plan;

  Foreach(const OpRow& r, std::span<const bp_value> values, std::span<const bp_attr> given)
      : row(r), in(values), attrs(given), at(r, values.size(), given), plan(r, {}) {}

  Tensor& tensor(size_t i) const { return *in[i].as.tensor; }
  Tensor& tensor(size_t list, size_t k) const { return tensor(at.at(list, k)); }
  void check_operands();
  void check_written() const;
  void infer();
  bool lies_as_one_run(size_t k) const;
  void launch(const bp_kernel& kernel, Tensor* out);
  void compose(std::span<Ref<Tensor>> out);
  void run_on_cpu(std::span<Ref<Tensor>> out);
};

void Foreach::check_operands() {
  for (size_t i = 0; i < in.size(); ++i) {
    if (!is_tensor(in[i]))
      fail(BP_INVALID_ARGUMENT, "{}: operand {} must be a tensor", row.name, i);
    Tensor& t = tensor(i);
    if (!device) device = &t.device();
    if (&t.device() != device)
      fail(
          BP_DEVICE_MISMATCH,
          "Expected all tensors to be on the same device, but found at least two devices, {} and {}! ({}: operand {} {})",
          device->label, t.device().label, row.name, i, format_shape(t.shape));
  }
}

// Checks that what is changed in place lies apart from everything else at its position, and that
// nobody wants its gradient back.
void Foreach::check_written() const {
  for (size_t list = 0; list < at.lists; ++list) {
    if (!is_written(row, list)) continue;
    for (size_t k = 0; k < at.count; ++k) {
      Tensor& t = tensor(list, k);
      check_writable(t);
      overwritten(t);
      for (size_t other = 0; other < at.lists; ++other) {
        if (other == list) continue;
        check_overlap(t, tensor(other, k));
        if (same_elements(t, tensor(other, k)))
          fail(BP_INVALID_ARGUMENT, "{}: tensor {} of shape {} is in two lists", row.name, k,
               format_shape(t.shape));
      }
    }
  }
}

void Foreach::infer() {
  operands.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    operands[i].is_tensor = true;
    operands[i].dtype = tensor(i).dtype;
    operands[i].shape = tensor(i).shape;
  }
  plan.in = operands;
  plan.attrs = attrs;
  row.dtype(plan);
  row.shape(plan);
}

bool Foreach::lies_as_one_run(size_t k) const {
  for (size_t list = at.lists == 1 ? 0 : 1; list < at.lists; ++list)
    if (!same_run(tensor(0, k), tensor(list, k))) return false;
  return true;
}

bp_arg run_arg(const Tensor& t) {
  bp_arg a{};
  a.kind = BP_ARG_TENSOR;
  a.dtype = t.dtype;
  a.rank = 1;
  a.flags = BP_ARG_CONTIGUOUS;
  a.data = t.count ? t.data() : nullptr;  // an empty view lies nowhere
  a.shape = &t.count;
  a.strides = kOneStride;
  a.owner = static_cast<uint64_t>(t.device().value);
  return a;
}

void Foreach::launch(const bp_kernel& kernel, Tensor* out) {
  struct Copied {
    Tensor* to;
    Ref<Tensor> run;
  };
  std::vector<Ref<Tensor>> kept;
  std::vector<Copied> back;
  std::vector<bp_arg> args(in.size() + (out ? 1 : 0));
  std::vector<Tensor*> seen;  // by a tape, if one records
  if (Tape::of_thread) seen.resize(args.size(), out);
  const auto give = [&](size_t i, Tensor& t) {
    args[i] = run_arg(t);
    if (!seen.empty()) seen[i] = &t;
  };
  bool any = out != nullptr;
  for (size_t k = 0; k < at.count; ++k) {
    const bool one_run = lies_as_one_run(k);
    for (size_t list = 0; list < at.lists; ++list) {
      Tensor* t = &tensor(list, k);
      if (!one_run && !t->contiguous) {
        kept.push_back(contiguous(*t));
        if (is_written(row, list)) back.push_back({t, kept.back()});
        t = kept.back().get();
      }
      is_written(row, list) ? ready_to_write(*t) : ready_to_read(*t);
      give(at.at(list, k), *t);
      any |= t->count != 0;
    }
  }
  for (size_t i = at.single(0); i < in.size(); ++i) {
    ready_to_read(tensor(i));
    give(i, tensor(i));
  }
  if (out) args.back() = run_arg(*out);
  if (!any) return;
  bp_launch l{sizeof(bp_launch),
              row.id,
              args.data(),
              static_cast<uint32_t>(in.size()),
              out ? 1u : 0u,
              attrs.data(),
              static_cast<uint32_t>(attrs.size()),
              0,
              current_stream(*device).queue,
              nullptr,
              0};
  if (calls_act()) {
    const QueueSpan span(&current_stream(*device), TraceSort::kKernel, row.name);
    run_kernel(kernel, row, l, *device);
  }
  if (traces()) [[unlikely]]
    say_kernel(*device, args[0].dtype);
  if (Tape::of_thread) [[unlikely]]
    Tape::of_thread->launched({row, kernel, l, *device, seen, [&](size_t i) {
                                 return i < at.single(0) && is_written(row, i / at.count);
                               }});
  for (const Copied& c : back) copy_into(*c.to, *c.run, /*non_blocking=*/false);
  for (size_t list = 0; list < at.lists; ++list)
    for (size_t k = 0; is_written(row, list) && k < at.count; ++k) bump(tensor(list, k));
}

void Foreach::compose(std::span<Ref<Tensor>> out) {
  Composer c{{attrs}, row, in, plan, *device};
  run_composition(row.compose, c);
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::move(c.out[i]);
}

void Foreach::run_on_cpu(std::span<Ref<Tensor>> out) {
  note_fallback(row.name, device->value);
  std::vector<Ref<Tensor>> kept;
  std::vector<bp_value> there;
  for (size_t i = 0; i < in.size(); ++i) {
    kept.push_back(copy_on_cpu(tensor(i)));
    there.push_back(tensor_value(*kept.back()));
  }
  invoke(row, there, attrs, out);
  for (size_t list = 0; list < at.lists; ++list)
    for (size_t k = 0; is_written(row, list) && k < at.count; ++k)
      copy_into(tensor(list, k), *kept[at.at(list, k)], /*non_blocking=*/false);
  for (Ref<Tensor>& o : out)
    o = to(*o, device->value, BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/false);
}

}  // namespace

Lists::Lists(const OpRow& row, size_t n_in, std::span<const bp_attr> attrs)
    : singles(row.n_inputs() - 1) {
  const int wanted = row.find_attr("count");
  const size_t listed = n_in - (n_in > singles ? singles : n_in);
  count = listed;
  if (wanted >= 0) {
    const int64_t n = attrs[static_cast<size_t>(wanted)].value.i64;
    if (n < 1 || static_cast<uint64_t>(n) > listed || listed % static_cast<uint64_t>(n))
      fail(BP_INVALID_ARGUMENT, "{}: {} tensors are no lists of {}", row.name, listed, n);
    count = static_cast<size_t>(n);
  }
  if (count == 0) fail(BP_INVALID_ARGUMENT, "{}: expected a non-empty list of tensors", row.name);
  lists = listed / count;
}

void foreach_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                  std::span<Ref<Tensor>> out, bool composes) {
  Foreach call(row, in, attrs);
  call.check_operands();
  call.infer();
  call.check_written();
  // What changes its operands has no way back, so nothing of it is recorded.
  const RecordGuard guard(records() && !out.empty());
  const bp_kernel* kernel = composes && !out.empty()
                                ? nullptr
                                : call.device->backend->kernel(row.id, call.operands[0].dtype);
  const bool on_cpu = !kernel && !composes &&
                      should_run_on_cpu(*call.device, row, row.compose, call.operands[0].dtype);
  if (!kernel && !row.compose && !on_cpu) no_kernel(row, *call.device, call.plan.compute);
  Ref<Tensor> made[1];
  if (on_cpu) {
    call.run_on_cpu({made, out.size()});
  } else if (kernel) {
    if (!out.empty())
      made[0] = new_tensor(call.plan.out_shape[0], call.plan.out_dtype[0], *call.device);
    call.launch(*kernel, made[0].get());
  } else {
    call.compose({made, out.size()});
  }
  if (out.empty()) return;
  if (!out[0]) {
    out[0] = std::move(made[0]);
    return;
  }
  if (out[0]->shape != made[0]->shape || out[0]->dtype != made[0]->dtype ||
      &out[0]->device() != call.device)
    fail(BP_INVALID_ARGUMENT, "{}: the output is {} {} on {}, expected {} {} on {}", row.name,
         dtype_name(out[0]->dtype), format_shape(out[0]->shape), out[0]->device().label,
         dtype_name(made[0]->dtype), format_shape(made[0]->shape), call.device->label);
  copy_recorded(*out[0], *made[0], /*non_blocking=*/false);
}

}  // namespace bp
