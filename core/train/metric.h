// metric.h: means and accuracies of tensors, summed up where they are: add() queues work, value()
// fetches the sums. The C handle bp_metric is the struct below; bp::Metric is another name for it.
// Owner: Ref<Metric>. Any thread.
//
//   Ref<Metric> m = Ref<Metric>::adopt(new Metric(BP_METRIC_ACCURACY));
//   m->add(logits, &labels, 1);   double accuracy = m->value();
#pragma once
#include <mutex>
#include <vector>

#include "c_api.h"
#include "core/base/object.h"
#include "core/tensor/tensor.h"

struct bp_metric final : bp::Object {
  explicit bp_metric(bp_metric_kind kind) : Object(bp::Tag::kMetric), kind_(kind) {}
  static void destroy(bp_metric* m) noexcept { delete m; }

  void add(bp::Tensor& x, bp::Tensor* target, double weight);
  double value();  // NaN of nothing
  void reset();

 private:
  // One device's. Written in the streams of whoever adds, one after the other.
  struct Sum {
    bp::Ref<bp::Tensor> total;  // 0-d, f64, or f32 where a device has no f64
    bp::Ref<bp::Stream> last;
  };
  Sum& sum_on(bp::Device& d);

  const bp_metric_kind kind_;
  std::mutex mutex_;
  std::vector<Sum> sums_;
  double count_ = 0;
};

namespace bp {

using Metric = bp_metric;

Metric& checked(const bp_metric* m, const char* what);

}  // namespace bp
