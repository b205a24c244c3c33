// SPDX-License-Identifier: Apache-2.0
// Programs whose results have gradients: the way back computes what calls' backward computes, on
// every backend that is there; what it keeps is guarded; and what it cannot do, in which words.
#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/programs.h"
#include "kit/session.h"
#include "kit/tensors.h"
#include "own_file.h"

namespace bp_test {
namespace {

P recorded_with_gradients(const Tensors& inputs, const Work& work, uint32_t without = 0) {
  EXPECT_EQ(begun(inputs, BP_PROGRAM_GRADIENTS).message, "");
  P program;
  EXPECT_EQ(ended(work(inputs), program, without).message, "");
  return program;
}
Answer back(const T& root, uint32_t flags = 0) {
  bp_tensor* roots[] = {root.get()};
  return attempt(bp_backward, roots, static_cast<bp_tensor* const*>(nullptr), 1u, flags);
}
T detached(const T& t) { return made(bp_tensor_detach, t.get()); }

// tanh(x w + b) times numbers that are drawn, and the sum of e^x, which is another result.
class Layer {
 public:
  explicit Layer(bp_device d) : w(leaf(wave({8, 5}, d))), b(leaf(wave({5}, d, 3))) {}
  Tensors operator()(const Tensors& in) const {
    const T product = op(BP_OP_MATMUL, {value(in[0]), value(w)});
    const T y = op(BP_OP_TANH, {value(op(BP_OP_ADD, {value(product), value(b)}))});
    Tensors out;
    out.push_back(op(BP_OP_DROPOUT, {value(y)}, {attr("p", 0.5)}));
    out.push_back(op(BP_OP_SUM, {value(op(BP_OP_EXP, {value(in[0])}))}));
    return out;
  }
  const T w, b;
};

struct Grads {
  Doubles x, w, b;
  friend bool operator==(const Grads&, const Grads&) = default;
};
struct Used {
  bool first, second;
};
// The gradients of the first result's sum, of twice the second, or of both, one after the other.
Grads grads_of(const Layer& layer, const T& x, const Tensors& results, Used used) {
  EXPECT_EQ(bp_tensor_set_grad(layer.w.get(), nullptr, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_set_grad(layer.b.get(), nullptr, nullptr), BP_OK);
  const uint32_t keep = used.first && used.second ? uint32_t{BP_GRAD_RETAIN_GRAPH} : 0;
  if (used.first) {
    EXPECT_EQ(back(sum(results[0]), keep).message, "");
  }
  if (used.second) {
    EXPECT_EQ(back(op(BP_OP_MUL, {value(results[1]), number(2.0)})).message, "");
  }
  const auto of = [](const T& t) {  // none of calls, and zeros of a program, are alike
    const T g = grad_of(t);
    return g ? doubles(g) : Doubles(doubles(t).size());
  };
  return {of(x), of(layer.w), of(layer.b)};
}

TEST(ProgramGradients, AreThoseOfTheCalls) {
  const Session session;
  for (bp_device d : devices_with_kernels())
    for (uint32_t without : {0u, 7u}) {
      SCOPED_TRACE(info_of(d).name + std::string(", without ") + std::to_string(without));
      const Layer layer(d);
      Tensors in;
      in.push_back(leaf(wave({3, 8}, d)));
      const P program = recorded_with_gradients(
          in, [&](const Tensors& x) { return layer(x); }, without);
      EXPECT_EQ(facts(program).n_outputs, 2u);
      for (int64_t start : {4, 9})
        for (const Used used : {Used{true, false}, Used{false, true}, Used{true, true}}) {
          const auto grads = [&](const auto& run) {
            EXPECT_EQ(bp_manual_seed(7, nullptr), BP_OK);
            Tensors x;
            x.push_back(leaf(wave({3, 8}, d, start)));
            const Tensors results = run(x);
            EXPECT_EQ(bp_tensor_requires_grad(results[0].get()), 1u);
            return std::pair(doubles(results[0]), grads_of(layer, x[0], results, used));
          };
          const auto wanted = grads([&](const Tensors&x) { return layer(x); }),
                     got = grads([&](const Tensors&x) { return results(program, x); });
          EXPECT_EQ(got.first, wanted.first);
          EXPECT_EQ(got.second, wanted.second);
        }
    }
}

TEST(ProgramGradients, GoOnThroughWhatCallsMadeBeforeAndAfter) {
  const Session session;
  const T w = leaf(counting({3}));
  Tensors in;
  in.push_back(leaf(counting({3})));
  const P program = recorded_with_gradients(in, [&](const Tensors& x) {
    return one(op(BP_OP_MUL, {value(x[0]), value(w)}));
  });
  const T start = leaf(counting({3}));
  Tensors x;
  x.push_back(op(BP_OP_MUL, {value(start), value(start)}));
  const Tensors y = results(program, x);
  EXPECT_EQ(back(sum(op(BP_OP_EXP, {value(op(BP_OP_MUL, {value(y[0]), number(0.0)}))})),
                 BP_GRAD_RETAIN_GRAPH)
                .message,
            "");
  EXPECT_EQ(values<float>(grad_of(start)), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(back(sum(results(program, x)[0]), BP_GRAD_RETAIN_GRAPH).message, "");
  EXPECT_EQ(values<float>(grad_of(start)), (std::vector<float>{0, 2, 8}));  // 2 start w
  EXPECT_EQ(values<float>(grad_of(w)), (std::vector<float>{0, 1, 4}));      // start^2
}

TEST(ProgramGradients, OutliveTheProgramAndItsInputs) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    const Layer layer(d);
    Tensors out;
    {
      Tensors in;
      in.push_back(wave({3, 8}, d));
      const P program = recorded_with_gradients(in, [&](const Tensors& x) { return layer(x); });
      out = results(program, in);
    }
    EXPECT_EQ(back(sum(out[0])).message, "");
    EXPECT_EQ(doubles(grad_of(layer.b)).size(), 5u);
  }
}

TEST(ProgramGradients, AreRefusedWhereWhatTheyReadWasChanged) {
  const Session session;
  const T w = leaf(counting({3}));
  T scale = counting({3});
  Tensors in;
  in.push_back(leaf(counting({3})));
  const P program = recorded_with_gradients(in, [&](const Tensors& x) {
    const T scaled = op(BP_OP_MUL, {value(w), value(scale)});
    return one(op(BP_OP_MUL, {value(x[0]), value(scaled)}));
  });
  T seen = detached(w), mine = detached(in[0]);
  for (T* written : {&seen, &scale, &mine}) {
    const Tensors y = results(program, in);
    EXPECT_EQ(invoke(BP_OP_ADD, {value(*written), number(1.0)}, *written).message, "");
    const Answer a = back(sum(y[0]));
    EXPECT_EQ(a.status,
              written == &seen ? BP_OK : BP_BAD_STATE);  // w itself is not read back there
    if (written != &seen) {
      EXPECT_NE(a.message.find("has been modified by an inplace operation: [Float [3]]"),
                std::string::npos)
          << a.message;
    }
  }
}

TEST(ProgramGradients, SayWhatTheyCannotDo) {
  const Session session;
  const T w = leaf(counting({3}));
  Tensors in, wanting;
  in.push_back(counting({3}));
  wanting.push_back(leaf(counting({3})));
  const P program = recorded_with_gradients(in, [&](const Tensors& x) {
    return one(op(BP_OP_MUL, {value(x[0]), value(w)}));
  });
  std::vector<bp_tensor*> out(1);
  const Answer unasked = run(program, wanting, out);
  EXPECT_EQ(unasked.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(unasked.message,
            "input 0 of the program requires a gradient, and did not when it was recorded");

  const Tensors y = results(program, in);
  const Answer twice = back(sum(y[0]), BP_GRAD_CREATE_GRAPH);
  EXPECT_EQ(twice.status, BP_UNSUPPORTED);
  EXPECT_EQ(twice.message,
            "the gradient of a program's result has no gradient itself: create_graph is for calls "
            "that run one by one");

  EXPECT_EQ(back(sum(y[0])).message, "");
  const Answer again = back(sum(y[0]));
  EXPECT_EQ(again.status, BP_BAD_STATE);
  EXPECT_NE(again.message.find("a second time"), std::string::npos);

  const Answer saved = attempt(bp_program_save, program.get(), "unsaved.safetensors");
  EXPECT_EQ(saved.status, BP_UNSUPPORTED);
  EXPECT_EQ(saved.message,
            "a program whose results have gradients cannot be saved: record it without "
            "BP_PROGRAM_GRADIENTS, or the whole step with its backward");

  ASSERT_EQ(begun(in, 4u).message, "bp_program_begin: flags 0x4 are not known");
}

TEST(ProgramGradients, AreNotThereWhereTheThreadRecordsNone) {
  const Session session;
  const Layer layer(kCpu);
  Tensors in;
  in.push_back(leaf(wave({3, 8}, kCpu)));
  const P program = recorded_with_gradients(in, [&](const Tensors& x) { return layer(x); });
  const uint32_t before = bp_grad_set_enabled(0);
  EXPECT_EQ(bp_tensor_requires_grad(results(program, in)[0].get()), 0u);
  bp_grad_set_enabled(before);
  EXPECT_EQ(bp_tensor_requires_grad(results(program, in)[0].get()), 1u);
  // Without an output that requires one it is a program as any other.
  const OwnFile file;
  Tensors plain;
  plain.push_back(wave({3}, kCpu));
  const P none = recorded_with_gradients(
      plain, [](const Tensors& x) { return one(op(BP_OP_EXP, {value(x[0])})); });
  EXPECT_EQ(bp_tensor_requires_grad(results(none, plain)[0].get()), 0u);
  EXPECT_EQ(attempt(bp_program_save, none.get(), file.path.c_str()).message, "");
}

}  // namespace
}  // namespace bp_test
