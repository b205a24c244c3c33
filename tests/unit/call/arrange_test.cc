// SPDX-License-Identifier: Apache-2.0
// Operands as kernels get them: what is merged, repeated and split off, by layout. No kernel runs.
#include "core/call/arrange.h"

#include "kit/tensors.h"

namespace bp_test {
namespace {

T strided(const Shape& shape, const Shape& strides, int64_t offset = 0) {
  static const T room = counting({10000});
  return made(bp_tensor_as_strided, room.get(), rank(shape), shape.data(), strides.data(), offset);
}
T dense(const Shape& shape) {
  const bp::Dims strides = bp::contiguous_strides(shape);
  return strided(shape, Shape(strides.begin(), strides.end()));
}

struct Seen {
  Shape shape, strides;
  bool operator==(const Seen& o) const { return shape == o.shape && strides == o.strides; }
};
void PrintTo(const Seen& s, std::ostream* out) {
  *out << bp::format_shape(s.shape) << " by " << bp::format_shape(s.strides);
}
Seen seen(const bp::Slot& s) {
  return {Shape(s.shape.begin(), s.shape.end()), Shape(s.strides.begin(), s.strides.end())};
}

// One call: the inputs, then the one output.
struct Call {
  bp::Slots slots;
  Call(bp::Layout layout, const std::vector<const T*>& in, const T& out,
       std::vector<bp_attr> attrs = {})
      : Call(row_of(layout), in, out, std::move(attrs)) {}
  Call(const bp::OpRow& row, const std::vector<const T*>& in, const T& out,
       std::vector<bp_attr> attrs)
      : slots(static_cast<uint32_t>(in.size()), 1) {
    for (size_t i = 0; i < in.size(); ++i) slots.in(i).tensor = in[i]->get();
    slots.out(0).tensor = out.get();
    bp::arrange(row, attrs, slots);
  }
  Seen in(size_t i) { return seen(slots.in(i)); }
  Seen out() { return seen(slots.out(0)); }

  static bp::OpRow row_of(bp::Layout layout) {
    bp::OpRow row{};
    row.name = "test";
    row.layout = layout;
    return row;
  }
};

TEST(ArrangeElementwise, MergesWhatIsOneRunInEveryOperand) {
  const struct {
    T a, b, out;
    Seen as_a, as_b, as_out;
  } rows[] = {
      {dense({2, 3, 4}), dense({2, 3, 4}), dense({2, 3, 4}), {{24}, {1}}, {{24}, {1}}, {{24}, {1}}},
      {dense({2, 3, 4}),
       dense({4}),
       dense({2, 3, 4}),
       {{6, 4}, {4, 1}},
       {{6, 4}, {0, 1}},
       {{6, 4}, {4, 1}}},
      {dense({3, 1}),
       dense({1, 4}),
       dense({3, 4}),
       {{3, 4}, {1, 0}},
       {{3, 4}, {0, 1}},
       {{3, 4}, {4, 1}}},
      {strided({2, 3}, {1, 2}),
       dense({2, 3}),
       dense({2, 3}),
       {{2, 3}, {1, 2}},
       {{2, 3}, {3, 1}},
       {{2, 3}, {3, 1}}},
      {strided({4, 3}, {-3, -1}, 11),
       dense({}),
       dense({4, 3}),
       {{12}, {-1}},
       {{12}, {0}},
       {{12}, {1}}},
      {dense({}), dense({1, 1}), dense({1, 1}), {{1}, {1}}, {{1}, {1}}, {{1}, {1}}},
  };
  for (const auto& row : rows) {
    Call call(bp::Layout::kElementwise, {&row.a, &row.b}, row.out);
    EXPECT_EQ(call.in(0), row.as_a);
    EXPECT_EQ(call.in(1), row.as_b);
    EXPECT_EQ(call.out(), row.as_out);
  }
}

TEST(ArrangeElementwise, LeavesNumbersAlone) {
  const T x = dense({2, 3}), out = dense({2, 3});
  bp::Slots slots(2, 1);
  slots.in(0).tensor = x.get();
  slots.out(0).tensor = out.get();
  bp::arrange(Call::row_of(bp::Layout::kElementwise), {}, slots);
  EXPECT_EQ(seen(slots.in(0)), (Seen{{6}, {1}}));
  EXPECT_EQ(seen(slots.in(1)), Seen{});
}

TEST(ArrangeReduce, PutsReducedDimensionsLastAndMergesNeighbours) {
  const struct {
    Shape x, axes;
    bool keepdims;
    Shape y;
    Seen in, out;
  } rows[] = {
      {{2, 3, 4}, {1}, false, {2, 4}, {{2, 4, 3}, {12, 1, 4}}, {{2, 4}, {4, 1}}},
      {{2, 3, 4}, {1}, true, {2, 1, 4}, {{2, 4, 3}, {12, 1, 4}}, {{2, 4}, {4, 1}}},
      {{2, 3, 4}, {0}, false, {3, 4}, {{12, 2}, {1, 12}}, {{12}, {1}}},
      {{2, 3, 4}, {-1}, false, {2, 3}, {{6, 4}, {4, 1}}, {{6}, {1}}},
      {{2, 3, 4}, {1, 2}, false, {2}, {{2, 12}, {12, 1}}, {{2}, {1}}},
      {{2, 3, 4}, {}, false, {}, {{24}, {1}}, {}},
      {{2, 1}, {1}, false, {2}, {{2, 1}, {1, 1}}, {{2}, {1}}},
      {{}, {}, false, {}, {{1}, {1}}, {}},
      {{2, 0}, {1}, false, {2}, {{2, 0}, {1, 1}}, {{2}, {1}}},
  };
  for (const auto& row : rows) {
    const T x = dense(row.x), y = dense(row.y);
    const bp_attr axes = {
        "axes", BP_ATTR_INTS, static_cast<uint32_t>(row.axes.size()), {.ints = row.axes.data()}, 0};
    const bp_attr keepdims = {"keepdims", BP_ATTR_BOOL, 1, {.i64 = row.keepdims}, 0};
    Call call(bp::Layout::kReduce, {&x}, y, {axes, keepdims});
    EXPECT_EQ(call.in(0), row.in) << bp::format_shape(row.x) << bp::format_shape(row.axes);
    EXPECT_EQ(call.out(), row.out) << bp::format_shape(row.x) << bp::format_shape(row.axes);
  }
}

TEST(ArrangeRows, PutsTheAxisLastAndNeverMergesIt) {
  const bp::OpRow& row = *bp::find_op(std::string_view("softmax"));
  const auto at = static_cast<size_t>(row.find_attr("axis"));
  const struct {
    Shape shape;
    int64_t axis;
    Seen in;
  } rows[] = {{{2, 3, 4}, 2, {{6, 4}, {4, 1}}},
              {{2, 3, 4}, -1, {{6, 4}, {4, 1}}},
              {{2, 3, 4}, 1, {{2, 4, 3}, {12, 1, 4}}},
              {{2, 3, 4}, 0, {{12, 2}, {1, 12}}},
              {{5}, 0, {{5}, {1}}},
              {{}, 0, {{1}, {1}}}};
  for (const auto& r : rows) {
    const T x = dense(r.shape), y = dense(r.shape);
    std::vector<bp_attr> attrs(row.attrs.size());
    attrs[at].value.i64 = r.axis;
    Call call(row, {&x}, y, attrs);
    EXPECT_EQ(call.in(0), r.in) << bp::format_shape(r.shape) << " along " << r.axis;
    EXPECT_EQ(call.out(), r.in) << bp::format_shape(r.shape) << " along " << r.axis;
  }
}

TEST(ArrangeMatmul, MakesOneTallerProductOfABatchThatSharesItsSecondMatrix) {
  const struct {
    Shape a, b, out;
    Seen as_a, as_b, as_out;
  } rows[] = {
      {{2, 3}, {3, 4}, {2, 4}, {{2, 3}, {3, 1}}, {{3, 4}, {4, 1}}, {{2, 4}, {4, 1}}},
      {{5, 2, 3}, {3, 4}, {5, 2, 4}, {{10, 3}, {3, 1}}, {{3, 4}, {4, 1}}, {{10, 4}, {4, 1}}},
      {{5, 2, 3},
       {5, 3, 4},
       {5, 2, 4},
       {{5, 2, 3}, {6, 3, 1}},
       {{5, 3, 4}, {12, 4, 1}},
       {{5, 2, 4}, {8, 4, 1}}},
      {{5, 1, 2, 3},
       {7, 3, 4},
       {5, 7, 2, 4},
       {{5, 7, 2, 3}, {6, 0, 3, 1}},
       {{5, 7, 3, 4}, {0, 12, 4, 1}},
       {{5, 7, 2, 4}, {56, 8, 4, 1}}},
      {{3}, {3, 4}, {4}, {{1, 3}, {0, 1}}, {{3, 4}, {4, 1}}, {{1, 4}, {0, 1}}},
      {{2, 3}, {3}, {2}, {{2, 3}, {3, 1}}, {{3, 1}, {1, 0}}, {{2, 1}, {1, 0}}},
      {{3}, {3}, {}, {{1, 3}, {0, 1}}, {{3, 1}, {1, 0}}, {{1, 1}, {0, 0}}},
  };
  for (const auto& row : rows) {
    const T a = dense(row.a), b = dense(row.b), out = dense(row.out);
    Call call(bp::Layout::kMatmul, {&a, &b}, out);
    EXPECT_EQ(call.in(0), row.as_a) << bp::format_shape(row.a) << bp::format_shape(row.b);
    EXPECT_EQ(call.in(1), row.as_b) << bp::format_shape(row.a) << bp::format_shape(row.b);
    EXPECT_EQ(call.out(), row.as_out) << bp::format_shape(row.a) << bp::format_shape(row.b);
  }
}

TEST(ArrangeGeneral, LeavesOperandsAsTheyAre) {
  const T x = strided({2, 1, 3}, {1, 5, -2}, 4), y = dense({6});
  Call call(bp::Layout::kGeneral, {&x}, y);
  EXPECT_EQ(call.in(0), (Seen{{2, 1, 3}, {1, 5, -2}}));
  EXPECT_EQ(call.out(), (Seen{{6}, {1}}));
}

TEST(Argument, OfATensorPointsAtItsFirstElement) {
  const T x = strided({2, 3}, {3, 1}, 7), none = strided({0, 3}, {3, 1}, 7);
  bp::Slot slot;
  slot.tensor = x.get();
  slot.dtype = BP_F32;
  slot.see(x->shape, x->strides);
  bp_arg a = bp::to_arg(slot);
  EXPECT_EQ(a.kind, BP_ARG_TENSOR);
  EXPECT_EQ(a.rank, 2);
  EXPECT_EQ(*static_cast<const float*>(a.data), 7);
  EXPECT_TRUE(a.flags & BP_ARG_CONTIGUOUS);
  slot.strides[0] = 1;
  EXPECT_FALSE(bp::to_arg(slot).flags & BP_ARG_CONTIGUOUS);
  slot.tensor = none.get();
  EXPECT_EQ(bp::to_arg(slot).data, nullptr) << "an empty view lies nowhere";
}

TEST(Argument, OfANumberKeepsItsKind) {
  bp_value v{};
  EXPECT_EQ(bp::as_number(v, BP_F32).kind, BP_ARG_NONE);
  v.kind = BP_VALUE_I64, v.as.i64 = -3;
  EXPECT_EQ(bp::as_number(v, BP_F32).kind, BP_ARG_SCALAR_I64);
  EXPECT_EQ(bp::as_number(v, BP_F32).i64, -3);
  v.kind = BP_VALUE_F64, v.as.f64 = 0.5;
  EXPECT_EQ(bp::as_number(v, BP_F16).kind, BP_ARG_SCALAR_F64);
  EXPECT_EQ(bp::as_number(v, BP_F16).f64, 0.5);
  EXPECT_EQ(bp::as_number(v, BP_F16).dtype, BP_F16);
}

}  // namespace
}  // namespace bp_test
