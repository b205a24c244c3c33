// SPDX-License-Identifier: Apache-2.0
// Bytes as a program over the C API, each of whose results must be what a plain model of tensors
// says (tests/fuzz/model.h): dtype, shape, values, which elements a view shares, and whether the
// call is an error. A program that found a fault is printed in lines of C.
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model.h"

namespace fuzz {
namespace {

struct Var {
  Tensor tensor;
  Model model;
  int name;
};

enum class Answer { kOk, kError, kEither };

// What the model says of a call: an error, or a new tensor. Its values may be off by `slack`.
struct Expected {
  Answer answer = Answer::kError;
  bp_dtype dtype = BP_DTYPE_NONE;
  Shape shape{};
  Values values{}, slack{};
};
Expected result(bp_dtype dtype, Shape shape, Values values) {
  return {Answer::kOk, dtype, std::move(shape), std::move(values), {}};
}

double epsilon(bp_dtype d) { return d == BP_F32 ? 0x1p-23 : d == BP_F64 ? 0x1p-52 : 0; }

// Every dtype's elements as doubles.
Values values_of(bp_tensor* t) {
  Tensor wide;
  bp_tensor* as_double = nullptr;
  if (bp_tensor_to(t, 0, BP_F64, 0, 0, &as_double, nullptr) != BP_OK) die("no doubles");
  wide.reset(as_double);
  Values v(static_cast<size_t>(bp_tensor_numel(t)) + 1);
  if (bp_tensor_read(as_double, v.data(), (v.size() - 1) * sizeof(double), nullptr) != BP_OK)
    die("it cannot be read");
  v.pop_back();
  return v;
}

// The places of t's elements by its own strides.
std::vector<int64_t> places_of(bp_tensor* t) {
  const int64_t *sizes = bp_tensor_shape(t), *strides = bp_tensor_strides(t);
  const Shape shape(sizes, sizes + bp_tensor_rank(t));
  std::vector<int64_t> at;
  each_index(shape, [&](const Shape& i) {
    int64_t place = bp_tensor_offset(t);
    for (size_t d = 0; d < i.size(); ++d) place += i[d] * strides[d];
    at.push_back(place);
  });
  return at;
}

struct Unary {
  const char* name;
  bp_status (*run)(bp_tensor*, bp_tensor**, bp_error**);
  double (*f)(double);
  enum Rule { kSame, kFloat, kBool } rule;
  double ulps;
};
const Unary kUnary[] = {
    {"neg", bp_neg, [](double x) { return -x; }, Unary::kSame, 0},
    {"abs", bp_abs, [](double x) { return std::abs(x); }, Unary::kSame, 0},
    {"square", bp_square, [](double x) { return x * x; }, Unary::kSame, 1},
    {"relu", bp_relu, [](double x) { return x > 0 || std::isnan(x) ? x : 0; }, Unary::kSame, 0},
    {"floor", bp_floor, [](double x) { return std::floor(x); }, Unary::kSame, 0},
    {"sqrt", bp_sqrt, [](double x) { return std::sqrt(x); }, Unary::kFloat, 1},
    {"exp", bp_exp, [](double x) { return std::exp(x); }, Unary::kFloat, 3},
    {"logical_not", bp_logical_not, [](double x) { return x == 0 ? 1. : 0.; }, Unary::kBool, 0}};

double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }

struct Binary {
  const char* name;
  bp_status (*run)(bp_tensor*, bp_tensor*, bp_tensor**, bp_error**);
  bp_status (*into)(bp_tensor*, bp_tensor*, bp_tensor*, bp_error**);
  double (*f)(double, double);
  Unary::Rule rule;
};
const Binary kBinary[] = {
    {"add", bp_add, bp_add_into, [](double a, double b) { return a + b; }, Unary::kSame},
    {"sub", bp_sub, bp_sub_into, [](double a, double b) { return a - b; }, Unary::kSame},
    {"mul", bp_mul, bp_mul_into, [](double a, double b) { return a * b; }, Unary::kSame},
    {"div", bp_div, bp_div_into, [](double a, double b) { return a / b; }, Unary::kFloat},
    {"maximum", bp_maximum, bp_maximum_into, larger, Unary::kSame},
    {"minimum", bp_minimum, bp_minimum_into, smaller, Unary::kSame},
    {"eq", bp_eq, bp_eq_into, [](double a, double b) { return a == b ? 1. : 0.; }, Unary::kBool},
    {"lt", bp_lt, bp_lt_into, [](double a, double b) { return a < b ? 1. : 0.; }, Unary::kBool}};

class Program {
 public:
  explicit Program(Input in) : in_(in) {}

  void run() {
    using Step = void (Program::*)();
    constexpr Step kSteps[] = {
        &Program::make,      &Program::make,    &Program::arange,   &Program::unary,
        &Program::binary,    &Program::binary,  &Program::in_place, &Program::reshape,
        &Program::permute,   &Program::slice,   &Program::select,   &Program::expand,
        &Program::unsqueeze, &Program::squeeze, &Program::flip,     &Program::diagonal,
        &Program::strided,   &Program::copy,    &Program::fill,     &Program::reduce,
        &Program::cumsum,    &Program::matmul,  &Program::concat,   &Program::where,
        &Program::to,        &Program::clone,   &Program::release};
    try {
      make();
      for (int n = 0; in_.left() && n < 24; ++n) (this->*kSteps[in_.below(std::size(kSteps))])();
    } catch (const Undefined&) {
    }
    for (const Var& v : vars_) compare(v);
  }

 private:
  Input in_;
  std::vector<Var> vars_;
  std::vector<std::string> lines_;
  int n_names_ = 0;

  // ---- the program's text ----

  [[gnu::format(printf, 2, 3)]] void line(const char* format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lines_.emplace_back(text);
  }
  [[noreturn]] void fault(const std::string& what) {
    for (const std::string& l : lines_) std::printf("  %s\n", l.c_str());
    die(what);
  }
  static std::string text(const Shape& numbers) {
    std::string out = "{";
    for (const int64_t n : numbers) out += (out.size() > 1 ? ", " : "") + std::to_string(n);
    return out + "}";
  }

  // ---- operands ----

  Var& any() {
    if (vars_.empty()) make();
    return vars_[in_.below(vars_.size())];
  }
  Shape any_shape() {
    Shape s;
    for (uint64_t n = in_.below(5); n > 0; --n) s.push_back(static_cast<int64_t>(in_.below(5)));
    if (count_of(s) > 256) throw Undefined();
    return s;
  }
  bp_dtype any_dtype() { return kDtypes[in_.below(std::size(kDtypes))]; }
  int64_t any_dim(int64_t rank) {
    const uint8_t n = in_.byte();
    return n < 250 ? n % (2 * std::max<int64_t>(rank, 1)) - std::max<int64_t>(rank, 1)
                   : in_.any_integer();
  }

  // ---- results ----

  bool answered(Answer expected, bp_status status, bp_error* err) {
    const std::string said = bp_error_message(err, nullptr);
    if (!expect_error_or_ok(status, err)) {
      if (expected == Answer::kOk) fault("refused: " + said);
      return false;
    }
    if (expected == Answer::kError) fault("an error was expected");
    return true;
  }

  void keep(bp_tensor* t, Model m) {
    if (vars_.size() == 12) vars_.erase(vars_.begin());
    vars_.push_back({Tensor(t), std::move(m), n_names_++});
  }

  void compare(const Var& v, const Values& slack = {}) {
    bp_tensor* t = v.tensor.get();
    const std::string name = "t" + std::to_string(v.name);
    const int64_t* sizes = bp_tensor_shape(t);
    if (bp_tensor_dtype(t) != v.model.dtype())
      fault(name + " is of " + bp_dtype_name(bp_tensor_dtype(t)) + ", expected " +
            bp_dtype_name(v.model.dtype()));
    if (const Shape shape(sizes, sizes + bp_tensor_rank(t)); shape != v.model.shape)
      fault(name + " has the shape " + text(shape) + ", expected " + text(v.model.shape));
    if (places_of(t) != v.model.at) fault(name + " shows other elements than expected");
    const Values got = values_of(t);
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = v.model.value(i), off = slack.empty() ? 0 : slack[i];
      if (!(got[i] == want || (std::isnan(got[i]) && std::isnan(want)) ||
            std::abs(got[i] - want) <= off))
        fault(name + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", expected " +
              std::to_string(want) + " within " + std::to_string(off));
    }
  }

  // Here t and err are taken by reference because they are evaluated before the call that sets
  // them.

  // A call that makes a new tensor with a storage of its own. Inexact results go on as the library
  // has them.
  void made(bp_status status, bp_tensor* const& t, bp_error* const& err, Expected e) {
    if (!answered(e.answer, status, err)) return;
    Model m{std::make_shared<Storage>(Storage{e.dtype, {}}), e.shape, places_of(t), false};
    if (m.at.size() != e.values.size()) fault("its shape has another number of elements");
    int64_t last = -1;
    for (const int64_t place : m.at) last = std::max(last, place);
    m.storage->values.resize(static_cast<size_t>(last + 1));
    for (size_t i = 0; i < m.at.size(); ++i) m.set(i, as_dtype(e.values[i], e.dtype));
    keep(t, std::move(m));
    compare(vars_.back(), e.slack);
    if (e.slack.empty()) return;
    const Values got = values_of(t);
    for (size_t i = 0; i < got.size(); ++i) vars_.back().model.set(i, got[i]);
  }

  // A call that makes a view.
  void viewed(bp_status status, bp_tensor* const& t, bp_error* const& err, std::optional<Model> m) {
    if (!answered(m ? Answer::kOk : Answer::kError, status, err)) return;
    keep(t, std::move(*m));
    compare(vars_.back());
  }

  // Whether what is computed from `src` may be written to `dst`.
  static Answer writable(const Model& dst, std::initializer_list<const Model*> sources) {
    std::vector<int64_t> at = dst.at;
    std::sort(at.begin(), at.end());
    if (std::adjacent_find(at.begin(), at.end()) != at.end()) return Answer::kError;
    Answer answer = dst.any_strides ? Answer::kEither : Answer::kOk;
    for (const Model* src : sources) {
      if (src->storage != dst.storage) continue;
      if (src->at == dst.at && src->shape == dst.shape &&
          std::find(dst.shape.begin(), dst.shape.end(), 1) == dst.shape.end())
        continue;
      const bool meet = std::any_of(src->at.begin(), src->at.end(), [&](int64_t place) {
        return std::binary_search(at.begin(), at.end(), place);
      });
      if (meet && src->at != dst.at) return Answer::kError;
      answer = Answer::kEither;  // the strides decide
    }
    return answer;
  }

  // ---- steps: what is made ----

  void make() {
    const Shape shape = any_shape();
    const bp_dtype dtype = any_dtype();
    const int64_t n = count_of(shape);
    constexpr double kValues[] = {0,   1,    -1,  2,     0.5, -3,       7,         255,
                                  1e3, 1e-3, 1.5, -0.25, 3e9, HUGE_VAL, -HUGE_VAL, NAN};
    Values values;
    for (int64_t i = 0; i < n; ++i) {
      const uint8_t byte = in_.byte();
      double v = byte < 128 ? byte % 11 - 3 : kValues[byte % std::size(kValues)];
      if (!is_float(dtype)) v = std::isfinite(v) ? as_dtype(std::trunc(v), dtype) : 1;
      values.push_back(as_dtype(v, dtype));
    }
    bp_tensor *wide = nullptr, *t = nullptr;
    bp_error* err = nullptr;
    line("t%d = %s of %s", n_names_, bp_dtype_name(dtype), text(shape).c_str());
    double nothing = 0;
    if (bp_tensor_from_data(n ? values.data() : &nothing, static_cast<int32_t>(shape.size()),
                            shape.data(), BP_F64, kCpu, &wide, nullptr) != BP_OK)
      fault("no tensor of doubles");
    const Tensor owned(wide);
    const bp_status status = bp_tensor_to(wide, 0, dtype, /*copy=*/1, 0, &t, &err);
    made(status, t, err, result(dtype, shape, values));
  }

  void arange() {
    const int64_t start = static_cast<int64_t>(in_.below(20)) - 10,
                  end = static_cast<int64_t>(in_.below(40)) - 20,
                  step = static_cast<int64_t>(in_.below(9)) - 4;
    const bp_dtype dtype = kDtypes[2 + in_.below(4)];
    const auto number = [](int64_t n) {
      bp_value v{};
      v.kind = BP_VALUE_I64, v.as.i64 = n;
      return v;
    };
    const bp_value from = number(start), to = number(end), by = number(step);
    Expected e;
    if (step && (end == start || (end > start) == (step > 0))) {
      Values values;
      for (int64_t v = start; step > 0 ? v < end : v > end; v += step)
        values.push_back(static_cast<double>(v));
      const auto n = static_cast<int64_t>(values.size());
      e = result(dtype, {n}, std::move(values));
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_arange(%lld, %lld, %lld, %s, cpu, &t%d, &err);", static_cast<long long>(start),
         static_cast<long long>(end), static_cast<long long>(step), bp_dtype_name(dtype), n_names_);
    made(bp_arange(&from, &to, &by, dtype, kCpu, &t, &err), t, err, std::move(e));
  }

  void to() {
    Var& x = any();
    const bp_dtype dtype = any_dtype();
    Values values;
    for (size_t i = 0; i < x.model.at.size(); ++i)
      values.push_back(cast(x.model.value(i), x.model.dtype(), dtype));
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_to(t%d, 0, %s, 1, 0, &t%d, &err);", x.name, bp_dtype_name(dtype), n_names_);
    made(bp_tensor_to(x.tensor.get(), 0, dtype, /*copy=*/1, 0, &t, &err), t, err,
         result(dtype, x.model.shape, std::move(values)));
  }

  void clone() {
    Var& x = any();
    Values values;
    for (size_t i = 0; i < x.model.at.size(); ++i) values.push_back(x.model.value(i));
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    const bool contiguous = in_.below(2);
    line("bp_tensor_%s(t%d, &t%d, &err);", contiguous ? "contiguous" : "clone", x.name, n_names_);
    const bp_status status =
        (contiguous ? bp_tensor_contiguous : bp_tensor_clone)(x.tensor.get(), &t, &err);
    if (status == BP_OK && contiguous && !bp_tensor_is_contiguous(t)) fault("not contiguous");
    if (t == x.tensor.get())
      viewed(status, t, err, x.model);
    else
      made(status, t, err, result(x.model.dtype(), x.model.shape, std::move(values)));
  }

  void release() {
    if (vars_.empty()) return;
    const size_t i = in_.below(vars_.size());
    line("bp_tensor_release(t%d);", vars_[i].name);
    vars_.erase(vars_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  // ---- steps: arithmetic ----

  void unary() {
    Var& x = any();
    const bool of_bool = x.model.dtype() == BP_BOOL;
    const Unary& op = kUnary[of_bool ? std::size(kUnary) - 1 : in_.below(std::size(kUnary))];
    const bp_dtype dtype = op.rule == Unary::kBool ? BP_BOOL
                           : op.rule == Unary::kFloat && !is_float(x.model.dtype())
                               ? BP_F32
                               : x.model.dtype();
    Expected e = result(dtype, x.model.shape, {});
    for (size_t i = 0; i < x.model.at.size(); ++i) {
      const double in =
          op.rule == Unary::kFloat ? as_dtype(x.model.value(i), dtype) : x.model.value(i);
      const double v = op.f(in);
      if (dtype == BP_F32 && op.ulps > 0 && std::isfinite(v) && std::abs(v) > 1e38)
        throw Undefined();
      e.values.push_back(as_dtype(v, dtype));
      if (op.ulps > 0)
        e.slack.push_back(op.ulps * epsilon(dtype) * std::abs(v) +
                          (dtype == BP_F32 ? 1e-45 : 5e-324));
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_%s(t%d, &t%d, &err);", op.name, x.name, n_names_);
    made(op.run(x.tensor.get(), &t, &err), t, err, std::move(e));
  }

  Expected computed(const Binary& op, const Model& a, const Model& b) {
    const bp_dtype with = promoted({&a, &b});
    const std::optional<Shape> shape = broadcast(a.shape, b.shape);
    if (!shape || (with == BP_BOOL && op.f(5, 3) == 2)) return {};  // of bools there is no sub
    const bp_dtype dtype = op.rule == Unary::kBool                       ? BP_BOOL
                           : op.rule == Unary::kFloat && !is_float(with) ? BP_F32
                                                                         : with;
    const bp_dtype inner = op.rule == Unary::kFloat ? dtype : with;
    Expected e = result(dtype, *shape, {});
    const Model x = expanded(a, *shape), y = expanded(b, *shape);
    for (size_t i = 0; i < x.at.size(); ++i)
      e.values.push_back(as_dtype(
          op.f(cast(x.value(i), a.dtype(), inner), cast(y.value(i), b.dtype(), inner)), dtype));
    return e;
  }

  void binary() {
    Var &a = any(), &b = any();
    const Binary& op = kBinary[in_.below(std::size(kBinary))];
    Expected e = computed(op, a.model, b.model);
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_%s(t%d, t%d, &t%d, &err);", op.name, a.name, b.name, n_names_);
    made(op.run(a.tensor.get(), b.tensor.get(), &t, &err), t, err, std::move(e));
  }

  void write(Var& out, Answer expected, bp_status status, bp_error* const& err,
             const Values& values) {
    if (answered(expected, status, err))
      for (size_t i = 0; i < values.size(); ++i) out.model.set(i, values[i]);
    compare(out);
  }

  void in_place() {
    Var &a = any(), &b = any(), &out = in_.below(2) ? a : any();
    const Binary& op = kBinary[in_.below(std::size(kBinary))];
    Expected e = computed(op, a.model, b.model);
    Answer answer = Answer::kError;
    if (e.answer == Answer::kOk && e.shape == out.model.shape &&
        castable(e.dtype, out.model.dtype()))
      answer = writable(out.model, {&a.model, &b.model});
    Values values;
    if (answer != Answer::kError)
      for (const double v : e.values) values.push_back(cast(v, e.dtype, out.model.dtype()));
    bp_error* err = nullptr;
    line("bp_%s_into(t%d, t%d, t%d, &err);", op.name, a.name, b.name, out.name);
    write(out, answer, op.into(a.tensor.get(), b.tensor.get(), out.tensor.get(), &err), err,
          values);
  }

  void copy() {
    Var &dst = any(), &src = any();
    const std::optional<Shape> shape = broadcast(dst.model.shape, src.model.shape);
    Answer answer = Answer::kError;
    Values values;
    if (shape == dst.model.shape) {
      const Model from = expanded(src.model, dst.model.shape);
      const bool same = src.model.storage == dst.model.storage && from.at == dst.model.at;
      answer = &dst == &src ? Answer::kOk
               : same       ? Answer::kEither  // nothing changes
                            : writable(dst.model, {&src.model});
      if (answer != Answer::kError)
        for (size_t i = 0; i < from.at.size(); ++i)
          values.push_back(cast(from.value(i), src.model.dtype(), dst.model.dtype()));
    }
    bp_error* err = nullptr;
    line("bp_tensor_copy_(t%d, t%d, 0, &err);", dst.name, src.name);
    write(dst, answer, bp_tensor_copy_(dst.tensor.get(), src.tensor.get(), 0, &err), err, values);
  }

  void fill() {
    Var& x = any();
    const auto n = static_cast<int64_t>(in_.below(100));
    bp_value v{};
    v.kind = BP_VALUE_I64, v.as.i64 = n;
    Answer answer = writable(x.model, {});
    if (answer == Answer::kError)
      answer = Answer::kEither;  // one value for one element is no riddle
    bp_error* err = nullptr;
    line("bp_tensor_fill_(t%d, %lld, &err);", x.name, static_cast<long long>(n));
    write(x, answer, bp_tensor_fill_(x.tensor.get(), &v, &err), err,
          Values(x.model.at.size(), as_dtype(static_cast<double>(n), x.model.dtype())));
  }

  // ---- steps: views ----

  void reshape() {
    Var& x = any();
    Shape shape = any_shape();
    if (in_.below(2)) {  // one that fits
      const auto n = static_cast<int64_t>(x.model.at.size());
      shape = {n};
      for (const int64_t part : {2, 3})
        if (n && n % part == 0) shape = {part, n / part};
      if (in_.below(2)) shape.push_back(1);
    }
    const bool fits = count_of(shape) == static_cast<int64_t>(x.model.at.size());
    const Shape asked = shape;
    const bool view_only = in_.below(2);
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_%s(t%d, %zu, (int64_t[])%s, &t%d, &err);", view_only ? "view" : "reshape",
         x.name, shape.size(), text(asked).c_str(), n_names_);
    const bp_status status = (view_only ? bp_tensor_view : bp_tensor_reshape)(
        x.tensor.get(), static_cast<int32_t>(asked.size()), asked.data(), &t, &err);
    if (!fits || (view_only && status == BP_INVALID_ARGUMENT)) {
      answered(Answer::kError, status, err);
    } else if (status != BP_OK || bp_tensor_same_storage(t, x.tensor.get())) {
      viewed(status, t, err, Model{x.model.storage, shape, x.model.at, x.model.any_strides});
    } else {
      Values values;
      for (size_t i = 0; i < x.model.at.size(); ++i) values.push_back(x.model.value(i));
      made(status, t, err, result(x.model.dtype(), shape, std::move(values)));
    }
  }

  void permute() {
    Var& x = any();
    Shape dims, places;
    const int64_t rank = x.model.rank();
    for (int64_t d = 0; d < rank; ++d) dims.push_back(d);
    for (int64_t d = 0; d + 1 < rank; ++d)
      std::swap(dims[static_cast<size_t>(d)],
                dims[static_cast<size_t>(d) + in_.below(static_cast<uint64_t>(rank - d))]);
    if (in_.byte() > 240 && rank) dims[0] = any_dim(rank);
    bool good = true;
    for (const int64_t d : dims) {
      const auto place = dim_of(d, rank);
      good = good && place && std::count(places.begin(), places.end(), *place) == 0;
      if (good) places.push_back(static_cast<int64_t>(*place));
    }
    std::optional<Model> m;
    if (good) {
      Shape shape;
      for (const int64_t d : places) shape.push_back(x.model.shape[static_cast<size_t>(d)]);
      m = view(x.model, shape, [&](const Shape& i) {
        Shape at(i.size());
        for (size_t d = 0; d < i.size(); ++d) at[static_cast<size_t>(places[d])] = i[d];
        return at;
      });
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_permute(t%d, %zu, (int64_t[])%s, &t%d, &err);", x.name, dims.size(),
         text(dims).c_str(), n_names_);
    viewed(
        bp_tensor_permute(x.tensor.get(), static_cast<int32_t>(dims.size()), dims.data(), &t, &err),
        t, err, std::move(m));
  }

  void slice() {
    Var& x = any();
    const int64_t dim = any_dim(x.model.rank()), start = bound(), end = bound();
    int64_t step = static_cast<int64_t>(in_.below(7)) - 3;
    if (in_.byte() > 240) step = in_.any_integer();
    std::optional<Model> m;
    if (const auto d = dim_of(dim, x.model.rank()); d && x.model.rank() && step) {
      const int64_t size = x.model.shape[*d];
      // Python's slice.indices.
      const auto clamped = [&](int64_t at, int64_t none) {
        if (at == BP_SLICE_NONE) return none;
        if (at < 0) at += size;
        return std::clamp<int64_t>(at, step > 0 ? 0 : -1, step > 0 ? size : size - 1);
      };
      const int64_t first = clamped(start, step > 0 ? 0 : size - 1),
                    last = clamped(end, step > 0 ? size : -1);
      std::vector<int64_t> picked;
      for (int64_t i = first; step > 0 ? i < last : i > last;) {
        picked.push_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
      }
      Shape shape = x.model.shape;
      shape[*d] = static_cast<int64_t>(picked.size());
      m = view(x.model, shape, [&](Shape i) {
        i[*d] = picked[static_cast<size_t>(i[*d])];
        return i;
      });
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_slice(t%d, %lld, %lld, %lld, %lld, &t%d, &err);", x.name,
         static_cast<long long>(dim), static_cast<long long>(start), static_cast<long long>(end),
         static_cast<long long>(step), n_names_);
    viewed(bp_tensor_slice(x.tensor.get(), dim, start, end, step, &t, &err), t, err, std::move(m));
  }
  int64_t bound() { return in_.below(4) ? in_.any_integer() : BP_SLICE_NONE; }

  void select() {
    Var& x = any();
    const int64_t dim = any_dim(x.model.rank()), index = in_.any_integer();
    std::optional<Model> m;
    if (const auto d = dim_of(dim, x.model.rank()); d && x.model.rank()) {
      const int64_t size = x.model.shape[*d];
      if (index >= -size && index < size) {
        Shape shape = x.model.shape;
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*d));
        m = view(x.model, shape, [&](Shape i) {
          i.insert(i.begin() + static_cast<std::ptrdiff_t>(*d), index < 0 ? index + size : index);
          return i;
        });
      }
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_select(t%d, %lld, %lld, &t%d, &err);", x.name, static_cast<long long>(dim),
         static_cast<long long>(index), n_names_);
    viewed(bp_tensor_select(x.tensor.get(), dim, index, &t, &err), t, err, std::move(m));
  }

  void expand() {
    Var& x = any();
    Shape shape = any_shape();
    if (in_.below(2)) {
      shape = x.model.shape;
      for (int64_t& size : shape)
        if (size == 1) size = static_cast<int64_t>(in_.below(4));
      if (shape.size() < 4) shape.insert(shape.begin(), 2);
    }
    if (count_of(shape) > 256) throw Undefined();
    std::optional<Model> m;
    if (broadcast(x.model.shape, shape) == shape) m = expanded(x.model, shape);
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_expand(t%d, %zu, (int64_t[])%s, &t%d, &err);", x.name, shape.size(),
         text(shape).c_str(), n_names_);
    viewed(bp_tensor_expand(x.tensor.get(), static_cast<int32_t>(shape.size()), shape.data(), &t,
                            &err),
           t, err, std::move(m));
  }

  void unsqueeze() {
    Var& x = any();
    if (x.model.rank() > 6) return;
    const int64_t dim = any_dim(x.model.rank() + 1);
    std::optional<Model> m;
    if (const auto d = dim_of(dim, x.model.rank() + 1)) {
      m = x.model;
      m->shape.insert(m->shape.begin() + static_cast<std::ptrdiff_t>(*d), 1);
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_unsqueeze(t%d, %lld, &t%d, &err);", x.name, static_cast<long long>(dim),
         n_names_);
    viewed(bp_tensor_unsqueeze(x.tensor.get(), dim, &t, &err), t, err, std::move(m));
  }

  void squeeze() {
    Var& x = any();
    Model m = x.model;
    m.shape.erase(std::remove(m.shape.begin(), m.shape.end(), 1), m.shape.end());
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_squeeze(t%d, NULL, 0, &t%d, &err);", x.name, n_names_);
    viewed(bp_tensor_squeeze(x.tensor.get(), nullptr, 0, &t, &err), t, err, std::move(m));
  }

  void flip() {
    Var& x = any();
    const int64_t dim = any_dim(x.model.rank());
    std::optional<Model> m;
    if (const auto d = dim_of(dim, x.model.rank()))
      m = view(x.model, x.model.shape, [&](Shape i) {
        if (!i.empty()) i[*d] = x.model.shape[*d] - 1 - i[*d];
        return i;
      });
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_flip(t%d, (int64_t[]){%lld}, 1, &t%d, &err);", x.name,
         static_cast<long long>(dim), n_names_);
    viewed(bp_tensor_flip(x.tensor.get(), &dim, 1, &t, &err), t, err, std::move(m));
  }

  void diagonal() {
    Var& x = any();
    const int64_t offset = in_.any_integer(), dim1 = any_dim(x.model.rank()),
                  dim2 = any_dim(x.model.rank());
    std::optional<Model> m;
    const auto a = dim_of(dim1, x.model.rank()), b = dim_of(dim2, x.model.rank());
    if (x.model.rank() > 1 && a && b && *a != *b) {
      const int64_t rows = x.model.shape[*a], columns = x.model.shape[*b];
      Shape shape, kept;
      for (size_t d = 0; d < x.model.shape.size(); ++d)
        if (d != *a && d != *b)
          shape.push_back(x.model.shape[d]), kept.push_back(static_cast<int64_t>(d));
      int64_t n = 0;
      for (int64_t r = 0; r < rows; ++r) {
        int64_t c = 0;
        if (!__builtin_add_overflow(r, offset, &c) && c >= 0 && c < columns) ++n;
      }
      shape.push_back(n);
      m = view(x.model, shape, [&](const Shape& i) {
        Shape at(x.model.shape.size());
        for (size_t k = 0; k < kept.size(); ++k) at[static_cast<size_t>(kept[k])] = i[k];
        at[*a] = i.back() + std::max<int64_t>(0, -offset);
        at[*b] = i.back() + std::max<int64_t>(0, offset);
        return at;
      });
      m->any_strides = true;
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_diagonal(t%d, %lld, %lld, %lld, &t%d, &err);", x.name,
         static_cast<long long>(offset), static_cast<long long>(dim1), static_cast<long long>(dim2),
         n_names_);
    viewed(bp_tensor_diagonal(x.tensor.get(), offset, dim1, dim2, &t, &err), t, err, std::move(m));
  }

  void strided() {
    Var& x = any();
    const Shape shape = any_shape();
    Shape strides;
    for (size_t d = 0; d < shape.size(); ++d) strides.push_back(in_.any_integer());
    const int64_t offset = in_.any_integer();
    Model m{x.model.storage, shape, {}, /*any_strides=*/true};
    bool inside = true;
    each_index(shape, [&](const Shape& i) {
      int64_t place = offset, step = 0;
      for (size_t d = 0; d < i.size(); ++d)
        inside = inside && !__builtin_mul_overflow(i[d], strides[d], &step) &&
                 !__builtin_add_overflow(place, step, &place);
      inside = inside && place >= 0 && place < static_cast<int64_t>(m.storage->values.size());
      m.at.push_back(place);
    });
    if (m.at.empty()) return;  // whether a view of nothing may point anywhere is not the question
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_tensor_as_strided(t%d, %zu, (int64_t[])%s, (int64_t[])%s, %lld, &t%d, &err);", x.name,
         shape.size(), text(shape).c_str(), text(strides).c_str(), static_cast<long long>(offset),
         n_names_);
    viewed(bp_tensor_as_strided(x.tensor.get(), static_cast<int32_t>(shape.size()), shape.data(),
                                strides.data(), offset, &t, &err),
           t, err, inside ? std::optional(m) : std::nullopt);
  }

  // ---- steps: reductions and products ----

  void reduce() {
    Var& x = any();
    enum { kSum, kMax, kMin, kAny, kAll };
    const uint64_t op = in_.below(5);
    constexpr const char* kNames[] = {"sum", "max", "min", "any", "all"};
    const uint32_t keepdims = in_.below(2);
    Shape axes;
    for (uint64_t n = in_.below(3); n > 0; --n) axes.push_back(any_dim(x.model.rank()));
    std::vector<bool> gone(x.model.shape.size(), axes.empty());
    bool good = true;
    size_t named_0d = 0;
    for (const int64_t axis : axes) {
      const auto d = dim_of(axis, x.model.rank());
      if (d && !x.model.rank())
        good = good && ++named_0d == 1;
      else if (!d || gone[*d])
        good = false;
      else
        gone[*d] = true;
    }
    Expected e;
    if (good) {
      const bp_dtype from = x.model.dtype();
      const bp_dtype dtype = op >= kAny ? BP_BOOL : op == kSum && !is_float(from) ? BP_I64 : from;
      Shape shape, one = x.model.shape;
      for (size_t d = 0; d < one.size(); ++d) {
        if (gone[d]) one[d] = 1;
        if (!gone[d] || keepdims) shape.push_back(one[d]);
      }
      const auto n = static_cast<size_t>(count_of(one));
      e = result(dtype, shape, Values(n, op == kAll));
      Values sizes(n);
      std::vector<size_t> seen(n);
      size_t at = 0;
      each_index(x.model.shape, [&](Shape i) {
        for (size_t d = 0; d < i.size(); ++d)
          if (gone[d]) i[d] = 0;
        const size_t k = flat(one, i);
        double &y = e.values[k], v = x.model.value(at++);
        if (op == kSum) y += v, sizes[k] += std::abs(v);
        if (op == kMax || op == kMin) y = !seen[k] ? v : op == kMax ? larger(v, y) : smaller(v, y);
        if ((op == kMax || op == kMin) && seen[k] && std::isnan(v)) y = v;
        if (op == kAny) y = y != 0 || v != 0;
        if (op == kAll) y = y != 0 && v != 0;
        ++seen[k];
      });
      for (size_t k = 0; k < n; ++k) {
        if (is_float(dtype) && op == kSum) {
          if (std::isfinite(sizes[k]) && sizes[k] > 1e38) throw Undefined();
          e.slack.push_back(std::isfinite(sizes[k])
                                ? epsilon(dtype) * static_cast<double>(seen[k]) * sizes[k]
                                : 0);
        }
        if ((op == kMax || op == kMin) && !seen[k]) e = {};
        if (e.answer == Answer::kError) break;
      }
      // Without elements there is no largest one, wherever a reduced dimension is empty.
      if ((op == kMax || op == kMin) && n == 0)
        for (size_t d = 0; d < gone.size(); ++d)
          if (gone[d] && x.model.shape[d] == 0) e.answer = Answer::kEither;
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_%s(t%d, (int64_t[])%s, %zu, %u, &t%d, &err);", kNames[op], x.name, text(axes).c_str(),
         axes.size(), keepdims, n_names_);
    bp_tensor* in = x.tensor.get();
    const auto n_axes = static_cast<uint32_t>(axes.size());
    constexpr decltype(&bp_max) kRun[] = {nullptr, bp_max, bp_min, bp_any, bp_all};
    const bp_status status =
        op == kSum ? bp_sum(in, axes.data(), n_axes, keepdims, BP_DTYPE_NONE, &t, &err)
                   : kRun[op](in, axes.data(), n_axes, keepdims, &t, &err);
    made(status, t, err, std::move(e));
  }

  void cumsum() {
    Var& x = any();
    const int64_t axis = any_dim(x.model.rank());
    Expected e;
    if (const auto d = dim_of(axis, x.model.rank())) {
      const bp_dtype dtype = is_float(x.model.dtype()) ? x.model.dtype() : BP_I64;
      e = result(dtype, x.model.shape, {});
      Values sizes;
      size_t at = 0;
      each_index(x.model.shape, [&](Shape i) {
        double v = x.model.value(at++), size = std::abs(v);
        if (!i.empty() && i[*d] > 0) {
          --i[*d];
          const size_t before = flat(x.model.shape, i);
          v += e.values[before], size += sizes[before];
        }
        if (std::isfinite(size) && size > 1e38) throw Undefined();
        e.values.push_back(v), sizes.push_back(size);
        if (is_float(dtype)) e.slack.push_back(std::isfinite(size) ? 8 * epsilon(dtype) * size : 0);
      });
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_cumsum(t%d, %lld, none, &t%d, &err);", x.name, static_cast<long long>(axis), n_names_);
    made(bp_cumsum(x.tensor.get(), axis, BP_DTYPE_NONE, &t, &err), t, err, std::move(e));
  }

  void matmul() {
    Var &a = any(), &b = any();
    const int64_t ra = a.model.rank(), rb = b.model.rank();
    if (a.model.dtype() != b.model.dtype() || !is_float(a.model.dtype()) || ra > 2 || rb > 2)
      return;
    Expected e;
    if (ra && rb) {
      const Shape &sa = a.model.shape, &sb = b.model.shape;
      const int64_t rows = ra == 2 ? sa[0] : 1, columns = rb == 2 ? sb[1] : 1, inner = sa.back();
      if (inner == sb[0]) {
        Shape shape;
        if (ra == 2) shape.push_back(rows);
        if (rb == 2) shape.push_back(columns);
        e = result(a.model.dtype(), shape, {});
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < columns; ++c) {
            double sum = 0, size = 0;
            for (int64_t k = 0; k < inner; ++k) {
              const double p = a.model.value(static_cast<size_t>(r * inner + k)) *
                               b.model.value(static_cast<size_t>(k * columns + c));
              sum += p, size += std::abs(p);
            }
            if (!(size < 1e38)) throw Undefined();
            e.values.push_back(sum);
            e.slack.push_back(epsilon(e.dtype) * static_cast<double>(inner + 1) * size +
                              (e.dtype == BP_F32 ? 1e-44 : 1e-322));
          }
      }
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_matmul(t%d, t%d, &t%d, &err);", a.name, b.name, n_names_);
    made(bp_matmul(a.tensor.get(), b.tensor.get(), &t, &err), t, err, std::move(e));
  }

  void concat() {
    Var &a = any(), &b = any();
    if (a.model.shape == Shape{0} || b.model.shape == Shape{0})
      return;  // which PyTorch passes over
    const int64_t axis = any_dim(a.model.rank());
    Expected e;
    const auto d = dim_of(axis, a.model.rank());
    Shape sa = a.model.shape, sb = b.model.shape;
    if (d && !sa.empty() && sa.size() == sb.size()) {
      const int64_t first = std::exchange(sa[*d], 0), second = std::exchange(sb[*d], 0);
      if (sa == sb) {
        sa[*d] = first + second;
        e = result(promoted({&a.model, &b.model}), sa, {});
        each_index(sa, [&](Shape i) {
          const bool late = i[*d] >= first;
          if (late) i[*d] -= first;
          const Model& from = late ? b.model : a.model;
          e.values.push_back(cast(from.value(flat(from.shape, i)), from.dtype(), e.dtype));
        });
      }
    }
    bp_tensor *both[] = {a.tensor.get(), b.tensor.get()}, *t = nullptr;
    bp_error* err = nullptr;
    line("bp_concat((bp_tensor *[]){t%d, t%d}, 2, %lld, &t%d, &err);", a.name, b.name,
         static_cast<long long>(axis), n_names_);
    made(bp_concat(both, 2, axis, &t, &err), t, err, std::move(e));
  }

  void where() {
    Var &condition = any(), &a = any(), &b = any();
    if (condition.model.dtype() != BP_BOOL) return;
    Expected e;
    std::optional<Shape> shape = broadcast(a.model.shape, b.model.shape);
    if (shape) shape = broadcast(*shape, condition.model.shape);
    if (shape) {
      e = result(promoted({&a.model, &b.model}), *shape, {});
      const Model c = expanded(condition.model, *shape), x = expanded(a.model, *shape),
                  y = expanded(b.model, *shape);
      for (size_t i = 0; i < c.at.size(); ++i) {
        const double u = cast(x.value(i), x.dtype(), e.dtype),
                     v = cast(y.value(i), y.dtype(), e.dtype);
        e.values.push_back(c.value(i) != 0 ? u : v);
      }
    }
    bp_tensor* t = nullptr;
    bp_error* err = nullptr;
    line("bp_where(t%d, t%d, t%d, &t%d, &err);", condition.name, a.name, b.name, n_names_);
    made(bp_where(condition.tensor.get(), a.tensor.get(), b.tensor.get(), &t, &err), t, err,
         std::move(e));
  }
};

}  // namespace
}  // namespace fuzz

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  fuzz::Program(fuzz::Input(data, size)).run();
  return 0;
}
