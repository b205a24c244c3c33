// SPDX-License-Identifier: Apache-2.0
// metric.cc: metrics; declared in c_train.h.
#include "core/train/metric.h"

#include "core/base/guard.h"

using namespace bp;

extern "C" {

bp_status bp_metric_create(bp_metric_kind kind, bp_metric** out, bp_error** err) {
  return guard(err, [&] {
    if (kind != BP_METRIC_MEAN && kind != BP_METRIC_ACCURACY)
      fail(BP_INVALID_ARGUMENT, "{} is no kind of metric", kind);
    need(out, "out");
    *out = new bp_metric(kind);
  });
}

bp_metric* bp_metric_retain(bp_metric* m) {
  if (m && m->tag == Tag::kMetric) m->refs.fetch_add(1, std::memory_order_relaxed);
  return m;
}

void bp_metric_release(bp_metric* m) {
  if (m && m->tag == Tag::kMetric) Ref<bp_metric>::drop(m);
}

bp_status bp_metric_add(bp_metric* m, bp_tensor* x, bp_tensor* target, double weight,
                        bp_error** err) {
  return guard(err, [&] {
    checked(m, "metric")
        .add(checked(x, "x"), target ? &checked(target, "target") : nullptr, weight);
  });
}

bp_status bp_metric_value(bp_metric* m, double* out, bp_error** err) {
  return guard(err, [&] {
    Metric& metric = checked(m, "metric");
    need(out, "out");
    *out = metric.value();
  });
}

bp_status bp_metric_reset(bp_metric* m, bp_error** err) {
  return guard(err, [&] { checked(m, "metric").reset(); });
}

}  // extern "C"
