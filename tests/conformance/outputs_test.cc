// SPDX-License-Identifier: Apache-2.0
// Given outputs of every op: written in any layout, converted where the casting rule allows it, in
// place, refused where they overlap with an input, have the wrong shape or dtype, or repeat their
// elements.
#include <gtest/gtest.h>

#include "cases/cases.h"
#include "exclusions.h"
#include "judge.h"
#include "promote.h"

namespace conformance {
namespace {

constexpr bp_dtype kDtypes[] = {BP_BOOL, BP_U8, BP_I32, BP_I64, BP_F16, BP_F32, BP_F64};

class Outputs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
    ASSERT_NE(spec_, nullptr) << "no oracle is written for " << op_->name;
  }

  // Calls body(session, call, answer) for every device and dtype that serves the op.
  template <class Body>
  void each(Body body) {
    for (bp_device device : all_devices())
      for (bp_dtype t : kDtypes) {
        if (!(spec_->dtypes >> t & 1)) continue;
        const Call call = plain_call(*spec_, t);
        if (!supported(op_->id, key_of(*spec_, call), device)) continue;
        const Session session(device);
        if (!is_cpu(device) && session.run(op_->id, call).status == BP_UNSUPPORTED)
          continue;  // a part of a composition
        SCOPED_TRACE(headline(*op_, call, device));
        body(session, call, spec_->answer(call));
      }
  }

  // Outputs of the answer's shapes; the first has dtype and layout as given.
  std::vector<Handle> make_outputs(const Answer& answer, bp_dtype first, Layout layout,
                                   bp_device device) const {
    std::vector<Handle> outs;
    for (size_t i = 0; i < answer.size(); ++i)
      outs.push_back(
          scratch(answer[i].array.shape, i == 0 ? first : answer[i].array.dtype, layout, device));
    return outs;
  }

  Outcome run(const Session& session, const Call& call, const std::vector<Handle>& outputs) const {
    const std::vector<Handle> in = session.put_inputs(call);
    return session.run(op_->id, call, raw(in), raw(outputs));
  }
  static std::vector<bp_tensor*> raw(const std::vector<Handle>& handles) {
    std::vector<bp_tensor*> out;
    for (const Handle& h : handles) out.push_back(h.get());
    return out;
  }

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
};

TEST_P(Outputs, AreWrittenInAnyLayout) {
  each([&](const Session& session, const Call& call, const Answer& answer) {
    for (Layout layout :
         {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped}) {
      const auto outs = make_outputs(answer, answer[0].array.dtype, layout, session.device());
      const uint64_t version = bp_tensor_version(outs[0].get());
      const Outcome o = run(session, call, outs);
      ASSERT_EQ(o.status, BP_OK) << name_of(layout) << ": " << o.message;
      EXPECT_TRUE(judge_results(*op_, *spec_, call, answer, o.results)) << name_of(layout);
      EXPECT_GT(bp_tensor_version(outs[0].get()), version) << "a write must bump the version";
    }
  });
}

TEST_P(Outputs, LeaveTheGapsBetweenThemAlone) {
  each([&](const Session& session, const Call& call, const Answer& answer) {
    const Array& want = answer[0].array;
    if (want.shape.empty() || want.size() == 0) return;
    const auto outs = make_outputs(answer, want.dtype, Layout::kSliced, session.device());
    ASSERT_EQ(run(session, call, outs).status, BP_OK);
    // The layout puts every second element of the storage's rows and columns into the view; 13 (or
    // true) lies between.
    int64_t n = 1;
    for (size_t d = 0; d < want.shape.size(); ++d)
      n *= d == 0 || d + 1 == want.shape.size() ? 2 * want.shape[d] + 1 : want.shape[d];
    const int64_t one = 1;
    bp_tensor* whole = nullptr;
    ASSERT_EQ(bp_tensor_as_strided(outs[0].get(), 1, &n, &one, 0, &whole, nullptr), BP_OK);
    const Array all = get(Handle(whole).get());
    size_t untouched = 0;
    const Real between = is_bool(want.dtype) ? 1 : 13;
    for (size_t i = 0; i < all.size(); ++i) untouched += all.re[i] == between;
    EXPECT_GE(untouched, all.size() - want.size());
  });
}

TEST_P(Outputs, AreConvertedByTheCastingRule) {
  each([&](const Session& session, const Call& call, const Answer& answer) {
    const bp_dtype natural = answer[0].array.dtype;
    const Outcome plain = session.run(op_->id, call);
    ASSERT_EQ(plain.status, BP_OK) << plain.message;
    for (bp_dtype to : kDtypes) {
      const auto outs = make_outputs(answer, to, Layout::kContiguous, session.device());
      const Outcome o = run(session, call, outs);
      const bool any = op_->name == "copy";
      if (!any && !castable(natural, to)) {
        EXPECT_EQ(o.status, BP_DTYPE_MISMATCH)
            << name_of(natural) << " into " << name_of(to) << ": " << o.message;
        EXPECT_NE(o.message.find("can't be cast to the desired output type"), std::string::npos)
            << o.message;
        continue;
      }
      if (!is_cpu(session.device()) && o.status == BP_UNSUPPORTED) continue;
      ASSERT_EQ(o.status, BP_OK) << name_of(natural) << " into " << name_of(to) << ": "
                                 << o.message;
      const Expected wanted{convert(plain.results[0], to), {}, true};
      EXPECT_TRUE(matches(o.results[0], wanted, {})) << name_of(natural) << " into " << name_of(to);
    }
  });
}

TEST_P(Outputs, MayBeTheInputItself) {
  int cases = 0;
  each([&](const Session& session, const Call& call, const Answer& answer) {
    for (size_t i = 0; i < call.in.size(); ++i) {
      const Operand& x = call.in[i];
      if (!x.is_tensor() || x.array.shape != answer[0].array.shape ||
          x.array.dtype != answer[0].array.dtype)
        continue;
      for (Layout layout : {Layout::kContiguous, Layout::kTransposed, Layout::kFlipped}) {
        Call laid = call;
        laid.in[i].layout = layout;
        const std::vector<Handle> in = session.put_inputs(laid);
        std::vector<bp_tensor*> outs(answer.size(), nullptr);
        outs[0] = in[i].get();
        const Outcome o = session.run(op_->id, laid, raw(in), outs);
        ASSERT_EQ(o.status, BP_OK)
            << "in place of input " << i << ", " << name_of(layout) << ": " << o.message;
        EXPECT_TRUE(judge_results(*op_, *spec_, laid, answer, o.results))
            << "in place of input " << i << ", " << name_of(layout);
        ++cases;
      }
    }
  });
  if (cases == 0)
    GTEST_SKIP() << "no input of " << op_->name << " has the shape and dtype of its result";
}

// A row-major view of a 1-D tensor, from `offset` on.
Handle part(bp_tensor* whole, const Shape& shape, int64_t offset) {
  const Shape strides = strides_of(shape);
  bp_tensor* t = nullptr;
  bp_tensor_as_strided(whole, static_cast<int32_t>(shape.size()), shape.data(), strides.data(),
                       offset, &t, nullptr);
  return Handle(t);
}

TEST_P(Outputs, ThatOverlapWithAnInputAreRefused) {
  int cases = 0;
  each([&](const Session& session, const Call& call, const Answer& answer) {
    for (size_t i = 0; i < call.in.size(); ++i)
      for (size_t k = 0; k < answer.size(); ++k) {
        const Operand& x = call.in[i];
        const Array& result = answer[k].array;
        if (!x.is_tensor() || x.array.size() < 2 || result.size() < 2 ||
            !castable(result.dtype, x.array.dtype))
          continue;
        const auto n = static_cast<int64_t>(std::max(x.array.size(), result.size())) + 1;
        std::vector<Handle> in = session.put_inputs(call);
        // Ones: valid as indices too, so that the overlap is the only fault.
        const Handle whole = put(expand(Array{x.array.dtype, {}, {1}, {}}, {n}),
                                 Layout::kContiguous, session.device());
        in[i] = part(whole.get(), x.array.shape, 0);
        const Handle output = part(whole.get(), result.shape, 1);
        ASSERT_TRUE(in[i] && output);
        std::vector<bp_tensor*> outs(answer.size(), nullptr);
        outs[k] = output.get();
        const Outcome o = session.run(op_->id, call, raw(in), outs);
        EXPECT_EQ(o.status, BP_INVALID_ARGUMENT)
            << "output " << k << " shifted by one over input " << i << ": " << o.message;
        ++cases;
      }
  });
  if (cases == 0) GTEST_SKIP() << "no result of " << op_->name << " may lie over an input";
}

TEST_P(Outputs, OfAnotherShapeAreRefused) {
  each([&](const Session& session, const Call& call, const Answer& answer) {
    Answer other = answer;
    other[0].array.shape.push_back(2);
    const Outcome o =
        run(session, call,
            make_outputs(other, answer[0].array.dtype, Layout::kContiguous, session.device()));
    EXPECT_EQ(o.status, BP_INVALID_ARGUMENT) << o.message;
    EXPECT_NE(o.message.find(text_of(other[0].array.shape)), std::string::npos) << o.message;
  });
}

TEST_P(Outputs, ThatRepeatTheirElementsAreRefused) {
  each([&](const Session& session, const Call& call, const Answer& answer) {
    if (answer[0].array.shape.empty() || answer[0].array.shape[0] < 2) return;
    const auto outs =
        make_outputs(answer, answer[0].array.dtype, Layout::kExpanded, session.device());
    const Outcome o = run(session, call, outs);
    EXPECT_EQ(o.status, BP_INVALID_ARGUMENT) << o.message;
  });
}

INSTANTIATE_TEST_SUITE_P(, Outputs, testing::ValuesIn(op_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
