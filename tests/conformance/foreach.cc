// SPDX-License-Identifier: Apache-2.0
#include "foreach.h"

#include <cmath>
#include <stdexcept>

#include "compare.h"

namespace conformance {
namespace {

Real sign_of(bool maximize) { return maximize ? -1 : 1; }

ListStep sgd(double momentum, double dampening, double decay, bool nesterov, bool maximize,
             bool first) {
  return {
      "foreach_sgd",
      {float_attr("lr", 0.25), float_attr("momentum", momentum), float_attr("dampening", dampening),
       float_attr("weight_decay", decay), flag_attr("nesterov", nesterov),
       flag_attr("maximize", maximize), flag_attr("first", first)},
      momentum != 0 ? size_t{3} : size_t{2},
      [=](Element& v, Element& scale) {
        Real g = sign_of(maximize) * v[1] + static_cast<Real>(decay) * v[0];
        Real size = std::fabs(v[1]) + std::fabs(static_cast<Real>(decay) * v[0]);
        if (momentum != 0) {
          size += std::fabs(v[2]);
          v[2] = first
                     ? g
                     : static_cast<Real>(momentum) * v[2] + (1 - static_cast<Real>(dampening)) * g;
          g = nesterov ? g + static_cast<Real>(momentum) * v[2] : v[2];
          scale[2] = size;
        }
        scale[0] = std::fabs(v[0]) + size;
        v[0] -= 0.25L * g;
      }};
}

ListStep adam(bool decoupled, bool largest, double decay, bool maximize, int64_t step) {
  return {decoupled ? "foreach_adamw" : "foreach_adam",
          {float_attr("lr", 0.125), float_attr("beta1", 0.75), float_attr("beta2", 0.875),
           float_attr("eps", 1e-3), float_attr("weight_decay", decay), int_attr("step", step),
           flag_attr("maximize", maximize)},
          largest ? size_t{5} : size_t{4},
          [=](Element& v, Element& scale) {
            const Real d = static_cast<Real>(decay);
            const Real g = sign_of(maximize) * v[1] + (decoupled ? 0 : d * v[0]);
            const Real size = std::fabs(v[1]) + std::fabs(d * v[0]);
            scale[2] = size + std::fabs(v[2]);
            v[2] += 0.25L * (g - v[2]);
            scale[3] = v[3] + size * size;
            v[3] = 0.875L * v[3] + 0.125L * g * g;
            Real most = v[3];
            if (largest) scale[4] = scale[3] + v[4], most = v[4] = std::max(v[4], v[3]);
            const Real rest1 = 1 - std::pow(0.75L, static_cast<Real>(step));
            const Real root2 = std::sqrt(1 - std::pow(0.875L, static_cast<Real>(step)));
            const Real root = std::sqrt(most) / root2 + 1e-3L, rate = 0.125L / rest1;
            scale[0] = std::fabs(v[0]) + rate * scale[2] / root * (1 + scale[3] / v[3]);
            v[0] = (decoupled ? v[0] * (1 - 0.125L * d) : v[0]) - rate * v[2] / root;
          }};
}

ListStep rmsprop(bool centered, double momentum, double decay, bool maximize) {
  return {"foreach_rmsprop",
          {float_attr("lr", 0.125), float_attr("alpha", 0.75), float_attr("eps", 1e-3),
           float_attr("weight_decay", decay), float_attr("momentum", momentum),
           flag_attr("centered", centered), flag_attr("maximize", maximize)},
          3 + size_t{centered} + size_t{momentum != 0},
          [=](Element& v, Element& scale) {
            const Real g = sign_of(maximize) * v[1] + static_cast<Real>(decay) * v[0];
            const Real size = std::fabs(v[1]) + std::fabs(static_cast<Real>(decay) * v[0]);
            scale[2] = v[2] + size * size;
            v[2] = 0.75L * v[2] + 0.25L * g * g;
            Real spread = v[2];
            if (centered) {
              scale[3] = std::fabs(v[3]) + size;
              v[3] += 0.25L * (g - v[3]);
              spread -= v[3] * v[3];
            }
            const Real lost = 1 + (scale[2] + size * size) / spread;
            Real by = g / (std::sqrt(spread) + 1e-3L);
            Real wide = size / (std::sqrt(spread) + 1e-3L) * lost;
            if (momentum != 0) {
              const size_t at = centered ? 4 : 3;
              wide += std::fabs(v[at]);
              scale[at] = wide;
              by = v[at] = static_cast<Real>(momentum) * v[at] + by;
            }
            scale[0] = std::fabs(v[0]) + wide;
            v[0] -= 0.125L * by;
          }};
}

ListStep adagrad(double lr_decay, double decay, bool maximize, int64_t step) {
  return {
      "foreach_adagrad",
      {float_attr("lr", 0.125), float_attr("lr_decay", lr_decay), float_attr("weight_decay", decay),
       float_attr("eps", 1e-3), int_attr("step", step), flag_attr("maximize", maximize)},
      3,
      [=](Element& v, Element& scale) {
        const Real g = sign_of(maximize) * v[1] + static_cast<Real>(decay) * v[0];
        const Real size = std::fabs(v[1]) + std::fabs(static_cast<Real>(decay) * v[0]);
        scale[2] = v[2] + size * size;
        v[2] += g * g;
        const Real rate = 0.125L / (1 + static_cast<Real>(step - 1) * static_cast<Real>(lr_decay));
        const Real root = std::sqrt(v[2]) + 1e-3L;
        scale[0] = std::fabs(v[0]) + rate * size / root * (1 + scale[2] / v[2]);
        v[0] -= rate * g / root;
      }};
}

// Values as a step meets them: parameters and gradients of any sign, averages of squares that their
// means do not exceed.
Real start_value(const char* op, size_t list, size_t i) {
  const auto wave = static_cast<Real>(std::sin(static_cast<double>(i * (list + 2) + list)));
  if (list < 2) return wave * 2;
  const bool squares = std::string(op) == "foreach_rmsprop" || std::string(op) == "foreach_adagrad"
                           ? list == 2
                           : std::string(op) != "foreach_sgd" && list > 2;
  return squares ? 1 + std::fabs(wave) : wave / 2;
}

Real norm_of(const Lists& l, double ord) {
  Real sum = std::isinf(ord) && ord < 0 ? INFINITY : 0;
  for (const Array& a : l.arrays[0])
    for (const Real x : a.re) {
      const Real m = std::fabs(x);
      if (std::isinf(ord))
        sum = ord > 0 ? std::max(sum, m) : std::min(sum, m);
      else
        sum += ord == 0 ? (m != 0 ? 1 : 0) : std::pow(m, static_cast<Real>(ord));
    }
  return std::isinf(ord) || ord == 0 ? sum : std::pow(sum, 1 / static_cast<Real>(ord));
}

std::string head(const char* op, bp_dtype t, Layout layout, bp_device d) {
  return std::string(op) + " of " + name_of(t) + " " + name_of(layout) + " on " + text_of_device(d);
}

}  // namespace

std::vector<ListStep> all_steps() {
  std::vector<ListStep> all{sgd(0, 0, 0, false, false, false), sgd(0, 0, 0.5, false, true, false),
                            sgd(0.75, 0, 0, false, false, true),
                            sgd(0.75, 0.5, 0.25, false, false, false),
                            sgd(0.75, 0, 0.25, true, true, false)};
  for (const bool decoupled : {false, true})
    for (const bool largest : {false, true}) {
      all.push_back(adam(decoupled, largest, 0, false, 1));
      all.push_back(adam(decoupled, largest, 0.25, true, 7));
    }
  for (const bool centered : {false, true})
    for (const double momentum : {0.0, 0.75})
      all.push_back(rmsprop(centered, momentum, momentum / 4, centered));
  all.push_back(adagrad(0, 0, false, 1));
  all.push_back(adagrad(0.5, 0.25, true, 5));
  return all;
}

ListStep adam_step() { return adam(false, true, 0.25, false, 3); }

Lists made_lists(const char* op, size_t n, const std::vector<Shape>& shapes, bp_dtype t,
                 Layout layout, bp_device device) {
  Lists l;
  l.arrays.resize(n);
  for (size_t list = 0; list < n; ++list)
    for (size_t k = 0; k < shapes.size(); ++k) {
      Array a{t, shapes[k], {}, {}};
      for (size_t i = 0; i < static_cast<size_t>(count_of(a.shape)); ++i)
        a.re.push_back(round_to(start_value(op, list, i + 31 * k), t));
      if (is_complex(t)) a.im.resize(a.re.size());
      // A mix of memory orders at one position: gradients stay row-major.
      const Layout own = list == 1 || a.shape.empty() ? Layout::kContiguous : layout;
      l.handles.push_back(put(a, own, device));
      l.arrays[list].push_back(std::move(a));
    }
  return l;
}

bp_status invoked(uint32_t op, const std::vector<bp_value>& in, const std::vector<Attribute>& given,
                  bp_tensor** out, std::string* message) {
  std::vector<bp_attr> attrs;
  for (const Attribute& a : given) {
    bp_attr x{a.name.c_str(), a.kind, 1, {a.i64}, 0};
    if (a.kind == BP_ATTR_F64) x.value.f64 = a.f64;
    attrs.push_back(x);
  }
  bp_error* err = nullptr;
  const bp_status status = bp_invoke(op, in.data(), static_cast<uint32_t>(in.size()), attrs.data(),
                                     static_cast<uint32_t>(attrs.size()), out, out ? 1u : 0u, &err);
  *message = bp_error_message(err, nullptr);
  bp_error_release(err);
  return status;
}

uint32_t id_of(const char* op) {
  uint32_t id = 0;
  if (bp_op_find(op, &id, nullptr) != BP_OK)
    throw std::runtime_error(std::string("no op is called ") + op);
  return id;
}

Verdict judge_step(const ListStep& c, const std::vector<Shape>& shapes, bp_dtype t, Layout layout,
                   bp_device device) {
  const Lists l = made_lists(c.op, c.lists, shapes, t, layout, device);
  std::vector<Attribute> attrs = c.attrs;
  attrs.push_back(int_attr("count", static_cast<int64_t>(shapes.size())));
  std::string message;
  const bp_status status = invoked(id_of(c.op), l.values(), attrs, nullptr, &message);
  if (status != BP_OK)
    return rejected(head(c.op, t, layout, device) + ": " + message, status == BP_UNSUPPORTED);
  for (size_t k = 0; k < shapes.size(); ++k) {
    std::vector<Expected> wanted(c.lists);
    for (size_t list = 0; list < c.lists; ++list) wanted[list].array = l.arrays[list][k];
    for (size_t i = 0; i < l.arrays[0][k].size(); ++i) {
      Element v, scale(c.lists, 0);
      for (size_t list = 0; list < c.lists; ++list) v.push_back(l.arrays[list][k].re[i]);
      c.step(v, scale);
      for (size_t list = 0; list < c.lists; ++list) {
        wanted[list].array.re[i] = v[list];
        wanted[list].scale.push_back(scale[list]);
      }
    }
    for (size_t list = 0; list < c.lists; ++list) {
      wanted[list].any_zero = true;
      const Judge judge{list == 1 ? 0.0 : 8.0, -1e308, 1e308, nullptr};
      if (const Verdict same =
              matches(get(l.handles[list * shapes.size() + k].get()), wanted[list], judge);
          !same)
        return rejected(head(c.op, t, layout, device) + ": list " + std::to_string(list) +
                        " tensor " + std::to_string(k) + ": " + same.text);
    }
  }
  return accepted();
}

Verdict judge_scale(bp_dtype t, bp_device device) {
  Lists l = made_lists("foreach_scale", 1, {{5, 7}, {0}, {130}}, t, Layout::kTransposed, device);
  const bp_dtype own = t == BP_F64 ? BP_F64 : BP_F32;
  l.handles.push_back(put(Array{own, {}, {0.375L}, {}}, Layout::kContiguous, device));
  const std::string where = head("foreach_scale", t, Layout::kTransposed, device) + ": ";
  std::string message;
  const bp_status status = invoked(id_of("foreach_scale"), l.values(), {}, nullptr, &message);
  if (status != BP_OK) return rejected(where + message, status == BP_UNSUPPORTED);
  for (size_t k = 0; k < 3; ++k) {
    Expected wanted{l.arrays[0][k], {}, true};
    for (Real& x : wanted.array.re) x *= 0.375L;
    if (const Verdict same = matches(get(l.handles[k].get()), wanted, {1}); !same)
      return rejected(where + same.text);
  }
  return accepted();
}

Verdict judge_clamp(bp_dtype t, bp_device device) {
  const Real nan = std::nanl("");
  const Handle h =
      put(Array{t, {6}, {-3, -0.5L, 0, 0.25L, 3, nan}, {}}, Layout::kContiguous, device);
  bp_value v{};
  v.kind = BP_VALUE_TENSOR;
  v.as.tensor = h.get();
  const std::string where = head("foreach_clamp", t, Layout::kContiguous, device) + ": ";
  std::string message;
  const bp_status status =
      invoked(id_of("foreach_clamp"), {v}, {float_attr("low", -1), float_attr("high", 0.5)},
              nullptr, &message);
  if (status != BP_OK) return rejected(where + message, status == BP_UNSUPPORTED);
  const Verdict same =
      matches(get(h.get()), {Array{t, {6}, {-1, -0.5L, 0, 0.25L, 0.5L, nan}, {}}, {}, true}, {0});
  return same ? accepted() : rejected(where + same.text);
}

Verdict judge_norm(double ord, const std::vector<Shape>& shapes, bp_dtype t, bp_device device) {
  const Lists l = made_lists("foreach_norm", 1, shapes, t, Layout::kSliced, device);
  const std::string where = head("foreach_norm", t, Layout::kSliced, device) +
                            "; ord=" + text_of(static_cast<Real>(ord)) + ": ";
  bp_tensor* out = nullptr;
  std::string message;
  const bp_status status =
      invoked(id_of("foreach_norm"), l.values(), {float_attr("ord", ord)}, &out, &message);
  if (status != BP_OK) return rejected(where + message, status == BP_UNSUPPORTED);
  const Handle owned(out);
  const bp_dtype own = t == BP_F64 ? BP_F64 : BP_F32;
  const Verdict same = matches(get(out), {Array{own, {}, {norm_of(l, ord)}, {}}}, {32});
  return same ? accepted() : rejected(where + same.text);
}

}  // namespace conformance
