// SPDX-License-Identifier: Apache-2.0
// metric.h: means and accuracies of tensors, summed up on the tensors' own devices: add() queues
// work, value() fetches the sums. The C handle bp_metric is the struct below, and bp::Metric is
// another name for it. Whoever holds a Ref<Metric> owns it. Any thread may use it.
//
//   Ref<Metric> loss = Ref<Metric>::adopt(new Metric(BP_METRIC_MEAN));
//   loss->add(t, /*target=*/nullptr, /*weight=*/1);
//   double mean = loss->value();
#pragma once
#include <mutex>
#include <vector>

#include "c_api.h"
#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/tensor/tensor.h"

struct bp_metric final : bp::Object {
  explicit bp_metric(bp_metric_kind kind) : Object(bp::Tag::kMetric), kind_(kind) {}
  static void destroy(bp_metric* m) noexcept { delete m; }

  void add(bp::Tensor& x, bp::Tensor* target, double weight);
  double value();  // NaN when nothing was added
  // The value over all members, each of which calls this.
  double value_over(bp_group& group);
  void reset();

 private:
  // One device's sum. Whoever adds writes it in its own stream, one after the other.
  struct Sum {
    bp::Ref<bp::Tensor> total;  // 0-d; f64, or f32 where the device cannot sum in f64
    bp::Ref<bp::Stream> last;
  };
  Sum& sum_on(bp::Device& d);
  double total();

  const bp_metric_kind kind_;
  bp::CallMutex mutex_;
  std::vector<Sum> sums_;
  double count_ = 0;
};

namespace bp {

using Metric = bp_metric;

Metric& checked(const bp_metric* m, const char* what);

}  // namespace bp
