// SPDX-License-Identifier: Apache-2.0
#include "core/train/metric.h"

#include <limits>

#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/group/group.h"

namespace bp {
namespace {

struct NotRecorded {
  const bool before = set_recording(false);
  ~NotRecorded() { set_recording(before); }
};

bp_dtype sum_dtype(const Device& d) {
  return d.backend->kernel(BP_OP_SUM, BP_F64) ? BP_F64 : BP_F32;
}

Ref<Tensor> summed(const Tensor& x) {
  return invoke(BP_OP_SUM, {x},
                {ints_value({}), flag_value(false), dtype_value(sum_dtype(x.device()))});
}

// Returns 1 where the largest element stands at the target's place, and 0 elsewhere.
Ref<Tensor> hits(const Tensor& x, const Tensor& target) {
  if (!is_integer(target.dtype))
    fail(BP_DTYPE_MISMATCH, "accuracy: target must hold integers, got {}",
         dtype_name(target.dtype));
  const Span wanted = Span(x.shape.begin(), x.shape.end()).first(x.rank() ? x.rank() - 1 : 0);
  if (x.rank() == 0 || Dims(wanted) != target.shape)
    fail(BP_INVALID_ARGUMENT,
         "accuracy: target must have x's shape without its last dimension; x is {}, target {}",
         format_shape(x.shape), format_shape(target.shape));
  const int64_t last[] = {-1};
  const Ref<Tensor> place = invoke(BP_OP_ARGMAX, {x}, {ints_value(last), flag_value(false)});
  return invoke(BP_OP_EQ, {place, target});
}

}  // namespace

Metric& checked(const bp_metric* m, const char* what) {
  if (need(m, what)->tag != Tag::kMetric) fail(BP_INVALID_ARGUMENT, "{} is not a metric", what);
  if (m->born != generation()) fail(BP_BAD_STATE, "{} was made before bp_shutdown", what);
  return *const_cast<Metric*>(m);
}

}  // namespace bp

// Returns the device's sum, ready for the thread's current stream of d.
bp_metric::Sum& bp_metric::sum_on(bp::Device& d) {
  bp::Stream& mine = bp::current_stream(d);
  for (Sum& s : sums_) {
    if (&s.total->device() != &d) continue;
    if (s.last.get() != &mine) {
      bp::order(*s.last, mine);
      bp::record_stream(*s.total, mine);
      s.last = bp::Ref<bp::Stream>::share(&mine);
    }
    return s;
  }
  bp::Ref<bp::Tensor> total = bp::new_tensor({}, bp::sum_dtype(d), d);
  const bp_value zero = bp::number(0.0);
  const bp_attr attrs[] = {bp::ints_value({}), bp::dtype_value(BP_DTYPE_NONE)};
  bp::Ref<bp::Tensor> out[] = {total};
  bp::invoke(*bp::find_op(BP_OP_FILL), {&zero, 1}, attrs, out);
  return sums_.emplace_back(Sum{std::move(total), bp::Ref<bp::Stream>::share(&mine)});
}

void bp_metric::add(bp::Tensor& x, bp::Tensor* target, double weight) {
  using namespace bp;
  if (!(weight >= 0 && weight <= std::numeric_limits<double>::max()))
    fail(BP_INVALID_ARGUMENT, "weight is {}, expected a finite number >= 0", weight);
  if ((kind_ == BP_METRIC_ACCURACY) != (target != nullptr))
    fail(BP_INVALID_ARGUMENT, "{}", target ? "a mean has no target" : "an accuracy needs a target");
  const NotRecorded no_way_back;
  const Ref<Tensor> counted = target ? hits(x, *target) : Ref<Tensor>::share(&x);
  Ref<Tensor> part = summed(*counted);
  if (weight != 1) part = invoke(BP_OP_MUL, {part, weight});
  const std::lock_guard lock(mutex_);
  Sum& sum = sum_on(x.device());
  const bp_value in[] = {tensor_value(*sum.total), tensor_value(*part)};
  invoke(*find_op(BP_OP_ADD), in, {}, {&sum.total, 1});
  count_ += weight * static_cast<double>(counted->count);
}

double bp_metric::total() {
  double total = 0;
  for (size_t i = 0; i < sums_.size(); ++i)
    total += bp::item(*sum_on(sums_[i].total->device()).total).as.f64;
  return total;
}

double bp_metric::value() {
  const std::lock_guard lock(mutex_);
  return count_ > 0 ? total() / count_ : std::numeric_limits<double>::quiet_NaN();
}

double bp_metric::value_over(bp_group& group) {
  const std::lock_guard lock(mutex_);
  double sums[] = {total(), count_};
  bp::sum_numbers(group, sums);
  return sums[1] > 0 ? sums[0] / sums[1] : std::numeric_limits<double>::quiet_NaN();
}

void bp_metric::reset() {
  std::vector<Sum> gone;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  gone.swap(sums_);
  count_ = 0;
}
