// SPDX-License-Identifier: Apache-2.0
// backplane_optim.hpp: optimisers, gradient clipping and schedules; what they mean is in c_optim.h.
// Include backplane.hpp.
//
//   bp::Optimizer adam("Adam", params, {{"lr", 1e-3}, {"amsgrad", true}});
//   bp::Schedule warm("linear", adam, {{"start_factor", 0.1}, {"total_iters", 5}});
//   ...  adam.step();  adam.zero_grad();  warm.step();
#ifndef BACKPLANE_OPTIM_HPP
#define BACKPLANE_OPTIM_HPP

#include <functional>

#include "backplane_attr.hpp"
#include "backplane_base.hpp"
#include "backplane_io.hpp"
#include "backplane_tensor.hpp"

namespace backplane {

// A counted handle: copies share it.
class Optimizer {
 public:
  Optimizer(const std::string& kind, const std::vector<Tensor>& params, const Attrs& attrs = {}) {
    const auto list = detail::handles(params);
    const auto given = detail::borrowed(attrs);
    bp_optimizer* o = nullptr;
    detail::call([&](bp_error** e) {
      return bp_optimizer_create(detail::c_text(kind), list.data(), detail::length(list),
                                 given.data(), detail::length(given), &o, e);
    });
    handle_.reset(o);
  }
  bp_optimizer* get() const noexcept { return handle_.get(); }
  std::string kind() const {
    const char* name = nullptr;
    detail::call([&](bp_error** e) { return bp_optimizer_kind(get(), &name, e); });
    return name;
  }
  void add_group(const std::vector<Tensor>& params, const Attrs& attrs = {}) {
    const auto list = detail::handles(params);
    const auto given = detail::borrowed(attrs);
    detail::call([&](bp_error** e) {
      return bp_optimizer_add_group(get(), list.data(), detail::length(list), given.data(),
                                    detail::length(given), e);
    });
  }
  std::vector<Tensor> parameters(std::uint32_t group = 0) const {
    std::uint32_t n = 0;
    detail::call([&](bp_error** e) { return bp_optimizer_param_count(get(), group, &n, e); });
    std::vector<Tensor> all;
    for (std::uint32_t i = 0; i < n; ++i)
      all.push_back(detail::make([&](bp_tensor** out, bp_error** e) {
        return bp_optimizer_param_at(get(), group, i, out, e);
      }));
    return all;
  }
  // What is kept for parameter i of a group, "exp_avg"; empty while there is none. It is shared.
  Tensor state(const std::string& name, std::uint32_t i, std::uint32_t group = 0) const {
    return detail::make([&](bp_tensor** out, bp_error** e) {
      return bp_optimizer_state_at(get(), group, i, detail::c_text(name), out, e);
    });
  }
  // How many steps parameter i of a group has taken.
  std::int64_t steps(std::uint32_t i, std::uint32_t group = 0) const {
    std::int64_t n = 0;
    detail::call([&](bp_error** e) { return bp_optimizer_steps_at(get(), group, i, &n, e); });
    return n;
  }
  std::uint32_t group_count() const noexcept { return bp_optimizer_group_count(get()); }
  void step() {
    detail::call([&](bp_error** e) { return bp_optimizer_step(get(), e); });
  }
  void zero_grad(bool set_to_none = true) {
    detail::call([&](bp_error** e) { return bp_optimizer_zero_grad(get(), set_to_none, e); });
  }
  // Returns a number, or a flag as 0 or 1.
  double attribute(const std::string& name, std::uint32_t group = 0) const {
    bp_attr a{};
    detail::call([&](bp_error** e) {
      return bp_optimizer_get_attr(get(), group, detail::c_text(name), &a, e);
    });
    return a.kind == BP_ATTR_F64 ? a.value.f64 : static_cast<double>(a.value.i64);
  }
  void set_attribute(const Attr& attribute, std::uint32_t group = 0) {
    const bp_attr a = attribute.get();
    detail::call([&](bp_error** e) { return bp_optimizer_set_attr(get(), group, &a, e); });
  }
  Dict state_dict() const {
    return detail::dict(
        [&](bp_dict** d, bp_error** e) { return bp_optimizer_state_dict(get(), d, e); });
  }
  void load_state_dict(const Dict& state) {
    detail::call([&](bp_error** e) { return bp_optimizer_load_state_dict(get(), state.get(), e); });
  }

 private:
  detail::Handle<bp_optimizer, bp_optimizer_retain, bp_optimizer_release> handle_;
};

// Returns the norm that all gradients together had before.
inline Tensor clip_grad_norm(const std::vector<Tensor>& params, double max_norm,
                             double norm_type = 2, bool error_if_nonfinite = false) {
  const auto list = detail::handles(params);
  bp_tensor* total = nullptr;
  detail::call([&](bp_error** e) {
    return bp_clip_grad_norm(list.data(), detail::length(list), max_norm, norm_type,
                             error_if_nonfinite, &total, e);
  });
  return Tensor::adopt(total);
}
inline void clip_grad_value(const std::vector<Tensor>& params, double limit) {
  const auto list = detail::handles(params);
  detail::call([&](bp_error** e) {
    return bp_clip_grad_value(list.data(), detail::length(list), limit, e);
  });
}

// Learning rates that change with time. Copies share it.
class Schedule {
 public:
  Schedule(const std::string& kind, const Optimizer& o, const Attrs& attrs = {}) {
    const auto given = detail::borrowed(attrs);
    adopt([&](bp_schedule** s, bp_error** e) {
      return bp_schedule_create(detail::c_text(kind), o.get(), given.data(), detail::length(given),
                                s, e);
    });
  }
  // The rate is the first one times factor(epoch). What factor throws fails the step with its text.
  static Schedule lambda(const Optimizer& o, std::function<double(std::int64_t)> factor) {
    using Function = std::function<double(std::int64_t)>;
    return Schedule([&](bp_schedule** s, bp_error** e) {
      return bp_schedule_create_lambda(
          o.get(),
          [](void* user, std::int64_t epoch, double* out, bp_error** err) -> bp_status {
            try {
              *out = (*static_cast<Function*>(user))(epoch);
              return BP_OK;
            } catch (const std::exception& failure) {
              return bp_error_set(err, BP_CALLBACK, failure.what());
            }
          },
          new Function(std::move(factor)), [](void* user) { delete static_cast<Function*>(user); },
          s, e);
    });
  }
  static Schedule chained(const std::vector<Schedule>& parts) {
    const auto list = handles(parts);
    return Schedule([&](bp_schedule** s, bp_error** e) {
      return bp_schedule_create_chained(list.data(), detail::length(list), s, e);
    });
  }
  static Schedule sequential(const std::vector<Schedule>& parts,
                             const std::vector<std::int64_t>& milestones) {
    const auto list = handles(parts);
    return Schedule([&](bp_schedule** s, bp_error** e) {
      return bp_schedule_create_sequential(list.data(), detail::length(list), milestones.data(),
                                           detail::length(milestones), s, e);
    });
  }
  bp_schedule* get() const noexcept { return handle_.get(); }
  void step() {
    detail::call([&](bp_error** e) { return bp_schedule_step(get(), e); });
  }
  std::int64_t epoch() const {
    std::int64_t n = 0;
    detail::call([&](bp_error** e) { return bp_schedule_epoch(get(), &n, e); });
    return n;
  }
  double last_lr(std::uint32_t group = 0) const {
    double lr = 0;
    detail::call([&](bp_error** e) { return bp_schedule_last_lr(get(), group, &lr, e); });
    return lr;
  }
  Dict state_dict() const {
    return detail::dict(
        [&](bp_dict** d, bp_error** e) { return bp_schedule_state_dict(get(), d, e); });
  }
  void load_state_dict(const Dict& state) {
    detail::call([&](bp_error** e) { return bp_schedule_load_state_dict(get(), state.get(), e); });
  }

 private:
  template <class F, class = decltype(std::declval<F>()(nullptr, nullptr))>
  explicit Schedule(F&& make) {
    adopt(make);
  }
  template <class F>
  void adopt(F&& make) {
    bp_schedule* s = nullptr;
    detail::call([&](bp_error** e) { return make(&s, e); });
    handle_.reset(s);
  }
  static std::vector<bp_schedule*> handles(const std::vector<Schedule>& parts) {
    std::vector<bp_schedule*> out;
    for (const Schedule& s : parts) out.push_back(s.get());
    return out;
  }
  detail::Handle<bp_schedule, bp_schedule_retain, bp_schedule_release> handle_;
};

}  // namespace backplane
#endif
