// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include "promote.h"

namespace conformance {

bp_dtype key_of(const Spec& spec, const Call& call) {
  switch (spec.family) {
    case Family::kUnary:
    case Family::kBinary:
    case Family::kBounds: return compute_dtype(spec, call.in);
    case Family::kWhere: return result_type({call.in[1], call.in[2]});
    case Family::kJoin:
    case Family::kLinalg: return result_type(call.in);
    case Family::kOneHot: return BP_I64;
    case Family::kReduce:
    case Family::kRows: {
      const bp_dtype own = call.in[0].array.dtype, asked = call.dtype("dtype", own);
      return is_float(asked) ? asked : is_float(own) ? BP_I64 : own;
    }
    case Family::kFill:
    case Family::kSequence:
    case Family::kRandom: return spec.answer(call)[0].array.dtype;
    default: return call.in[0].array.dtype;
  }
}

std::string headline(const Op& op, const Call& call, bp_device device) {
  return op.name + "(" + call.text() + ") on " + text_of_device(device);
}

Verdict judge_results(const Op& op, const Spec& spec, const Call& call, const Answer& answer,
                      const std::vector<Array>& results) {
  if (results.size() != answer.size())
    return rejected(std::to_string(results.size()) + " outputs, expected " +
                    std::to_string(answer.size()));
  if (spec.check) {
    for (size_t i = 0; i < answer.size(); ++i) {
      const Array &got = results[i], &want = answer[i].array;
      if (got.dtype != want.dtype || got.shape != want.shape)
        return rejected("output " + std::to_string(i) + ": " + name_of(got.dtype) +
                        text_of(got.shape) + ", expected " + name_of(want.dtype) +
                        text_of(want.shape));
    }
    const std::string fault = spec.check(call, results);
    return fault.empty() ? accepted() : rejected(fault);
  }
  Judge rule{op.info.max_ulp, op.info.domain_low, op.info.domain_high, nullptr};
  if (spec.complex && is_complex(result_type(call.in))) rule.max_ulp = spec.complex_ulp;
  Array operand;
  if (spec.family == Family::kUnary && !is_complex(call.in[0].array.dtype)) {
    operand = seen(call.in[0], compute_dtype(spec, call.in), call.in[0].array.shape);
    rule.operand = &operand;
  }
  for (size_t i = 0; i < answer.size(); ++i)
    if (const Verdict same = matches(results[i], answer[i], rule); !same)
      return rejected("output " + std::to_string(i) + ": " + same.text);
  return accepted();
}

Verdict judge(const Op& op, const Spec& spec, const Session& session, const Call& call) {
  const Outcome outcome = session.run(op.id, call);
  if (outcome.status != BP_OK)
    return rejected(headline(op, call, session.device()) + ": " + bp_status_name(outcome.status) +
                        ": " + outcome.message,
                    outcome.status == BP_UNSUPPORTED);
  if (const Verdict same = judge_results(op, spec, call, spec.answer(call), outcome.results); !same)
    return rejected(headline(op, call, session.device()) + ": " + same.text);
  return accepted();
}

Verdict refused(const Op& op, const Session& session, const Call& call, bp_status status) {
  const Outcome outcome = session.run(op.id, call);
  if (outcome.status == status && !outcome.message.empty()) return accepted();
  return rejected(headline(op, call, session.device()) + ": " + bp_status_name(outcome.status) +
                  " \"" + outcome.message + "\", expected " + bp_status_name(status) +
                  " and a sentence");
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const Op& op : all_ops()) names.push_back(op.name);
  return names;
}

}  // namespace conformance
