// SPDX-License-Identifier: Apache-2.0
#include "core/optim/state.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>

#include "core/grad/autograd.h"

namespace bp {
namespace {

// Returns the shortest text that reads back as the same number.
std::string exact(double v) { return fmt::format("{}", v); }

double number_in(const Dict& d, const std::string& key) {
  const std::string_view text = d.meta(key);
  double v = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), v);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size())
    fail(BP_INVALID_ARGUMENT, "the state's '{}' is '{}', expected a number", key, text);
  return v;
}
int64_t whole_in(const Dict& d, const std::string& key) {
  const double v = number_in(d, key);
  if (!(v >= -9e15 && v <= 9e15) || v != static_cast<double>(static_cast<int64_t>(v)))
    fail(BP_INVALID_ARGUMENT, "the state's '{}' is {}, expected an integer", key, exact(v));
  return static_cast<int64_t>(v);
}
bool has_meta(const Dict& d, const std::string& key) {
  for (const auto& e : d.meta_entries())
    if (e.name == key) return true;
  return false;
}

std::string joined(std::span<const double> v) {
  std::string text;
  for (const double x : v) text += (text.empty() ? "" : " ") + exact(x);
  return text;
}
std::vector<double> numbers_in(const Dict& d, const std::string& key) {
  std::vector<double> out;
  std::string_view text = d.meta(key);
  while (!text.empty()) {
    double v = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), v);
    if (end.ec != std::errc{})
      fail(BP_INVALID_ARGUMENT, "the state's '{}' is '{}', expected numbers", key, d.meta(key));
    out.push_back(v);
    text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return out;
}

Ref<Tensor> step_tensor(int64_t steps) {
  Ref<Tensor> t = new_tensor(Dims{}, BP_I64, cpu_device());
  write_host(*t, &steps, sizeof steps);
  return t;
}

// Returns a copy of the state on the parameter's device and in its dtype.
Ref<Tensor> taken(Tensor& from, const Tensor& p, const std::string& name) {
  if (from.shape != p.shape)
    fail(BP_INVALID_ARGUMENT, "the state's '{}' has shape {}, its parameter {}", name,
         format_shape(from.shape), format_shape(p.shape));
  if (!is_floating(from.dtype) && !is_complex(from.dtype))
    fail(BP_DTYPE_MISMATCH, "the state's '{}' is {}, expected a floating dtype", name,
         dtype_name(from.dtype));
  return to(from, p.device().value, p.dtype, /*copy=*/true, /*non_blocking=*/false);
}

ParamState param_state(const Optimizer& o, const Dict& d, const Tensor& p,
                       const std::string& prefix) {
  ParamState s;
  for (size_t i = 0; i < kMaxStates && o.kind.states[i]; ++i) {
    const std::string name = prefix + o.kind.states[i];
    if (const Ref<Tensor> t = d.find(name)) s.tensors[i] = taken(*t, p, name);
  }
  if (const Ref<Tensor> steps = d.find(prefix + "step")) {
    if (steps->count != 1)
      fail(BP_INVALID_ARGUMENT, "the state's '{}step' has shape {}, expected one element", prefix,
           format_shape(steps->shape));
    const bp_value v = item(*steps);
    s.steps = v.kind == BP_VALUE_F64 ? static_cast<int64_t>(v.as.f64) : v.as.i64;
    if (s.steps < 0) fail(BP_INVALID_ARGUMENT, "the state's '{}step' is {}", prefix, s.steps);
  }
  return s;
}

void check_groups(const Optimizer& o, const Dict& d) {
  if (const std::string_view kind = d.meta("kind"); kind != o.kind.name)
    fail(BP_INVALID_ARGUMENT, "the state is of {}, the optimizer is {}", kind, o.kind.name);
  if (whole_in(d, "groups") != static_cast<int64_t>(o.groups.size()))
    fail(BP_INVALID_ARGUMENT,
         "loaded state dict has a different number of parameter groups ({}, expected {})",
         d.meta("groups"), o.groups.size());
  for (size_t i = 0; i < o.groups.size(); ++i)
    if (whole_in(d, fmt::format("group.{}.params", i)) !=
        static_cast<int64_t>(o.groups[i].params.size()))
      fail(
          BP_INVALID_ARGUMENT,
          "loaded state dict contains a parameter group that doesn't match the size of optimizer's group (group {}: {}, "
          "expected {})",
          i, d.meta(fmt::format("group.{}.params", i)), o.groups[i].params.size());
}

}  // namespace

Ref<Dict> state_of(Optimizer& o) {
  const std::lock_guard lock(o.mutex);
  Ref<Dict> d = new_dict();
  d->set_meta("kind", o.kind.name);
  d->set_meta("groups", std::to_string(o.groups.size()));
  size_t index = 0;
  for (size_t g = 0; g < o.groups.size(); ++g) {
    const ParamGroup& group = o.groups[g];
    d->set_meta(fmt::format("group.{}.params", g), std::to_string(group.params.size()));
    for (size_t i = 0; i < o.kind.attrs.size(); ++i)
      d->set_meta(fmt::format("group.{}.{}", g, o.kind.attrs.at(i).name), exact(group.options[i]));
    if (group.initial_lr)
      d->set_meta(fmt::format("group.{}.initial_lr", g), exact(*group.initial_lr));
    for (const Parameter& p : group.params) {
      const std::string prefix = fmt::format("state.{}.", index++);
      if (p.state.steps) d->set(prefix + "step", step_tensor(p.state.steps));
      for (size_t i = 0; i < kMaxStates && o.kind.states[i]; ++i)
        if (p.state.tensors[i]) d->set(prefix + o.kind.states[i], p.state.tensors[i]);
    }
  }
  return d;
}

namespace {

bool is_kept_elsewhere(const Parameter& p) { return p.elsewhere && !p.keeper.expired(); }

}  // namespace

void load_state(Optimizer& o, const Dict& d) {
  const std::lock_guard lock(o.mutex);
  const RecordGuard guard(false);
  check_groups(o, d);
  std::vector<Options> options;
  std::vector<std::optional<double>> initial;
  std::vector<ParamState> states;
  for (size_t g = 0; g < o.groups.size(); ++g) {
    Options taken = o.groups[g].options;
    for (size_t i = 0; i < o.kind.attrs.size(); ++i)
      taken[i] = number_in(d, fmt::format("group.{}.{}", g, o.kind.attrs.at(i).name));
    o.kind.check(taken);
    options.push_back(taken);
    const std::string key = fmt::format("group.{}.initial_lr", g);
    initial.push_back(has_meta(d, key) ? std::optional(number_in(d, key)) : std::nullopt);
    for (const Parameter& p : o.groups[g].params) {
      const std::string prefix = fmt::format("state.{}.", states.size());
      states.push_back(is_kept_elsewhere(p) ? ParamState{} : param_state(o, d, *p.tensor, prefix));
    }
  }
  size_t index = 0;
  for (size_t g = 0; g < o.groups.size(); ++g) {
    o.groups[g].options = options[g];
    o.groups[g].initial_lr = initial[g];
    for (Parameter& p : o.groups[g].params) {
      p.state = std::move(states[index++]);
      p.elsewhere = is_kept_elsewhere(p);
    }
  }
}

// ---- schedules ----
namespace {

void save(const Schedule& s, Dict& d, const std::string& prefix) {
  d.set_meta(prefix + "kind", s.kind);
  d.set_meta(prefix + "epoch", std::to_string(s.epoch));
  d.set_meta(prefix + "base_lr", joined(s.base));
  d.set_meta(prefix + "last_lr", joined(s.last_rates()));
  if (s.rates) d.set_meta(prefix + "rates", joined(s.rates->saved()));
  for (size_t i = 0; i < s.parts.size(); ++i) save(*s.parts[i], d, fmt::format("{}{}.", prefix, i));
}

struct Loaded {
  Schedule* schedule;
  int64_t epoch;
  std::vector<double> base, last, rates;
};
void read(Schedule& s, const Dict& d, const std::string& prefix, std::vector<Loaded>* all) {
  if (const std::string_view kind = d.meta(prefix + "kind"); kind != s.kind)
    fail(BP_INVALID_ARGUMENT, "the state is of a schedule '{}', this one is '{}'", kind, s.kind);
  Loaded l{&s,
           whole_in(d, prefix + "epoch"),
           numbers_in(d, prefix + "base_lr"),
           numbers_in(d, prefix + "last_lr"),
           {}};
  if (s.rates) l.rates = numbers_in(d, prefix + "rates");
  if (l.base.size() != s.base.size() || (s.rates && l.last.size() != s.last.size()) ||
      (s.rates && l.rates.size() != s.rates->saved().size()))
    fail(BP_INVALID_ARGUMENT,
         "the state of the schedule '{}' is of {} parameter groups, the optimizer has {}", s.kind,
         l.base.size(), s.base.size());
  all->push_back(std::move(l));
  for (size_t i = 0; i < s.parts.size(); ++i)
    read(*s.parts[i], d, fmt::format("{}{}.", prefix, i), all);
}

}  // namespace

Ref<Dict> state_of(Schedule& s) {
  const std::lock_guard lock(s.optimizer->mutex);
  Ref<Dict> d = new_dict();
  save(s, *d, "schedule.");
  return d;
}

void load_state(Schedule& s, const Dict& state) {
  const std::lock_guard lock(s.optimizer->mutex);
  std::vector<Loaded> all;
  read(s, state, "schedule.", &all);
  for (Loaded& l : all) {
    l.schedule->epoch = l.epoch;
    l.schedule->base = std::move(l.base);
    if (!l.schedule->rates) continue;
    l.schedule->last = std::move(l.last);
    l.schedule->rates->restore(l.rates);
  }
}

}  // namespace bp
