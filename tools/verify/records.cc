// SPDX-License-Identifier: Apache-2.0
// records.cc: the conformance kit's calls on the device, held against its oracles. See parts.h.
#include <fmt/format.h>
#include <fnmatch.h>

#include <set>

#include "cases/cases.h"
#include "foreach.h"
#include "judge.h"
#include "verify/parts.h"

namespace verifier {
namespace {

namespace kit = conformance;

constexpr int kFaultsToldOfAnOp = 3;  // for one dtype; the same fault again tells nothing

bool is_wanted(const Subject& subject, const std::string& op) {
  if (subject.ops.empty()) return true;
  for (const std::string& pattern : subject.ops)
    if (fnmatch(pattern.c_str(), op.c_str(), 0) == 0) return true;
  return false;
}

bool is_plain(const kit::Call& call) {
  for (const kit::Operand& x : call.in)
    if (x.is_tensor() && x.layout != kit::Layout::kContiguous) return false;
  return true;
}

// One op on the device, its calls one dtype after the other.
class Walk {
 public:
  Walk(const kit::Op& op, const kit::Spec& spec, const kit::Session& session, Findings& findings)
      : op_(op), spec_(spec), session_(session), findings_(findings) {}

  // The calls whose operands are contiguous, or those where some are not.
  void calls(bp_dtype t, bool plain) {
    if (!begins(t)) return;
    int told = 0, passed = 0;
    for (const kit::Call& call : kit::cases_of(spec_, t)) {
      if (is_plain(call) != plain || !serves(call)) continue;
      const kit::Verdict verdict = kit::judge(op_, spec_, session_, call);
      if (verdict.unserved && may_lack_a_part(call)) continue;
      ++n_;
      passed += verdict.good;
      if (verdict) continue;
      findings_.fail(verdict.text);
      if (++told == kFaultsToldOfAnOp) break;
    }
    if (passed) findings_.pass(passed);
  }

  // A plain call into given outputs of every layout; the gaps of a sliced one are left alone.
  void outputs(bp_dtype t) {
    if (!begins(t)) return;
    const kit::Call call = kit::plain_call(spec_, t);
    if (!serves(call) || session_.run(op_.id, call).status == BP_UNSUPPORTED) return;
    const kit::Answer answer = spec_.answer(call);
    for (const kit::Layout layout :
         {kit::Layout::kTransposed, kit::Layout::kSliced, kit::Layout::kFlipped}) {
      ++n_;
      const std::string fault = fault_into(call, answer, layout);
      findings_.check(fault.empty(), [&] {
        return fmt::format("{} into a {} output: {}", kit::headline(op_, call, session_.device()),
                           kit::name_of(layout), fault);
      });
    }
  }
  int n() const { return n_; }

 private:
  bool begins(bp_dtype t) {
    if (!(spec_.dtypes >> t & 1)) return false;
    if (!kit::supported(op_.id, kit::key_of(spec_, kit::plain_call(spec_, t)), session_.device()))
      return false;
    findings_.begin_unsaid(fmt::format("{} of {}", op_.name, kit::name_of(t)));
    return true;
  }

  bool serves(const kit::Call& call) const {
    return kit::supported(op_.id, kit::key_of(spec_, call), session_.device());
  }

  // A backend serves what it has a kernel for. Of what is made of other ops, or is converted or
  // made contiguous on the way, it may lack a part.
  bool may_lack_a_part(const kit::Call& call) const {
    const bp_dtype key = kit::key_of(spec_, call);
    bool parts = (op_.info.flags & BP_OP_FLAG_COMPOSED) || kit::is_complex(key);
    for (const kit::Operand& x : call.in)
      parts |= x.is_tensor() && (x.array.dtype != key || x.layout != kit::Layout::kContiguous);
    return parts;
  }

  std::string fault_into(const kit::Call& call, const kit::Answer& answer,
                         kit::Layout layout) const {
    std::vector<kit::Handle> held = session_.put_inputs(call);
    std::vector<bp_tensor*> inputs, given;
    for (const kit::Handle& h : held) inputs.push_back(h.get());
    for (const kit::Expected& e : answer) {
      held.push_back(kit::scratch(e.array.shape, e.array.dtype, layout, session_.device()));
      given.push_back(held.back().get());
    }
    const kit::Outcome outcome = session_.run(op_.id, call, inputs, given);
    if (outcome.status == BP_UNSUPPORTED) return "";
    if (outcome.status != BP_OK)
      return fmt::format("{}: {}", bp_status_name(outcome.status), outcome.message);
    const kit::Verdict verdict = kit::judge_results(op_, spec_, call, answer, outcome.results);
    return verdict ? gap_fault(given[0], answer[0].array, layout) : verdict.text;
  }

  // scratch() leaves 13 (or true) between the elements of a sliced tensor.
  static std::string gap_fault(bp_tensor* output, const kit::Array& want, kit::Layout layout) {
    if (layout != kit::Layout::kSliced || want.shape.empty() || want.size() == 0) return "";
    int64_t n = 1;
    for (size_t d = 0; d < want.shape.size(); ++d)
      n *= d == 0 || d + 1 == want.shape.size() ? 2 * want.shape[d] + 1 : want.shape[d];
    const int64_t one = 1;
    const bp::Tensor whole = bp::detail::make([&](bp_tensor** out, bp_error** e) {
      return bp_tensor_as_strided(output, 1, &n, &one, 0, out, e);
    });
    const kit::Array all = kit::get(whole.get());
    size_t untouched = 0;
    for (const kit::Real v : all.re) untouched += v == (kit::is_bool(want.dtype) ? 1 : 13);
    if (untouched >= all.size() - want.size()) return "";
    return fmt::format("{} of {} elements between those of the output were overwritten",
                       all.size() - want.size() - untouched, all.size() - want.size());
  }

  const kit::Op& op_;
  const kit::Spec& spec_;
  const kit::Session& session_;
  Findings& findings_;
  int n_ = 0;
};

// Ops over lists. Returns how many calls were served.
class Lists {
 public:
  Lists(const Subject& subject, bp_device device, Findings& findings)
      : subject_(subject), device_(device), findings_(findings) {}

  int walk(const std::vector<kit::Layout>& layouts, bool plain) {
    for (const bp_dtype t : kit::kFloatDtypes) {
      for (const kit::ListStep& step : kit::all_steps())
        for (const kit::Layout layout : layouts)
          tell(step.op, t, [&] {
            return kit::judge_step(step, {{5, 7}, {}, {0, 3}, {33, 41}, {2, 3, 4}}, t, layout,
                                   device_);
          });
      if (plain) tell("foreach_clamp", t, [&] { return kit::judge_clamp(t, device_); });
      if (plain) continue;
      tell("foreach_scale", t, [&] { return kit::judge_scale(t, device_); });
      tell("foreach_norm", t, [&] {
        return kit::judge_norm(2, {{5, 7}, {0}, {}, {9001}}, t, device_);
      });
    }
    return n_;
  }

 private:
  template <class F>
  void tell(const char* op, bp_dtype t, F&& judged) {
    if (!is_wanted(subject_, op)) return;
    findings_.begin_unsaid(fmt::format("{} of {}", op, kit::name_of(t)));
    const kit::Verdict verdict = judged();
    if (verdict.unserved) return;
    ++n_;
    findings_.check(verdict.good, [&] { return verdict.text; });
  }
  const Subject& subject_;
  bp_device device_;
  Findings& findings_;
  int n_ = 0;
};

void walk_ops(const Subject& subject, Findings& findings, bool plain) {
  const Runtime runtime(subject, findings);
  const kit::Session session(runtime.device().value());
  int served = 0, all = 0;
  for (const kit::Op& op : kit::all_ops()) {
    const kit::Spec* spec = kit::oracle_of(op.name);
    if (!spec || !is_wanted(subject, op.name)) continue;
    ++all;
    Walk walk(op, *spec, session, findings);
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
      try {
        walk.calls(t, plain);
        if (!plain) walk.outputs(t);
      } catch (const std::exception& e) {  // operands that could not be made or read
        findings.fail(e.what());
      }
    }
    served += walk.n() > 0;
  }
  using enum kit::Layout;
  Lists lists(subject, runtime.device().value(), findings);
  const int steps = plain ? lists.walk({kContiguous}, plain)
                          : lists.walk({kTransposed, kSliced, kFlipped}, plain);
  findings.begin("");
  if (all) findings.note(fmt::format("{} of {} ops are served, at least in part", served, all));
  if (steps + served == 0) findings.skip("the backend serves none of these ops");
}

}  // namespace

void records(const Subject& subject, Findings& findings) {
  walk_ops(subject, findings, /*plain=*/true);
}
void strides(const Subject& subject, Findings& findings) {
  walk_ops(subject, findings, /*plain=*/false);
}

}  // namespace verifier
